"""Evenings at the simulated table for the whole tests: the product as it is run."""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from urllib.request import Request, urlopen

from pydantic import BaseModel, TypeAdapter

from controller.feed.models import MatchState
from controller.journal_rows import recorded, rows
from controller.outcomes import Asked, Question
from controller.recording import replayed
from controller.session import Session
from controller.simulator.compare import Comparison, compare
from controller.simulator.hall import JOURNAL, Hall, HallSettings, Program
from controller.simulator.table_process import TRUTH
from controller.simulator.truth import TrueBoard, TrueStroke, Truth

STROKE = TypeAdapter(TrueStroke)
BOARD = TypeAdapter(TrueBoard)
PATIENCE_S = 100.0


class Line(BaseModel):
    """A line of the record on the umpire's page."""

    seq: int
    text: str
    stroke: bool
    stands: bool


class Page(BaseModel):
    """What the umpire's page shows."""

    rev: int
    watching: bool
    state: MatchState
    log: list[Line]

    @property
    def strokes(self) -> int:
        """Strokes that stand in the record."""
        return sum(line.stroke and line.stands for line in self.log)


@asynccontextmanager
async def evening(folder: Path, **wishes: object) -> AsyncIterator[Hall]:
    """A hall on free ports, once its camera watches the racked table."""
    settings = HallSettings(
        folder=folder,
        scoreboard_port=18000 + os.getpid() % 4000,
        console_port=23000 + os.getpid() % 4000,
        broker_port=28000 + os.getpid() % 4000,
    )
    async with Hall(replace(settings, **wishes)) as hall:  # type: ignore[arg-type]
        await until(hall, lambda page: page.watching)
        yield hall


async def until(
    hall: Hall, true: Callable[[Page], bool], within_s: float = PATIENCE_S
) -> Page:
    """The umpire's page, as soon as it shows what is waited for."""
    page = None
    try:
        async with asyncio.timeout(within_s):
            while True:
                try:
                    page = await asyncio.to_thread(look, hall)
                except OSError:
                    page = None  # between a kill and the next start
                if page is not None and true(page):
                    return page
                await asyncio.sleep(0.1)
    except TimeoutError:
        raise AssertionError(f"not within {within_s} s; last seen: {page}") from None


def look(hall: Hall) -> Page:
    """What the umpire's page shows now."""
    request = Request(
        f"http://127.0.0.1:{hall.console_port}/api/state",
        headers={"authorization": f"Bearer {hall.token}"},
    )
    with urlopen(request, timeout=5) as answer:
        return Page.model_validate_json(answer.read())


def kill(program: Program) -> None:
    """kill -9, at this very moment."""
    assert program.process is not None
    os.kill(program.process.pid, signal.SIGKILL)


def true_match(folder: Path) -> Truth:
    """What really happened, on the host's clock."""
    truth = Truth()
    started_s = 0.0
    for text in (folder / TRUTH).read_text().splitlines():
        line = json.loads(text)
        match line.pop("record"):
            case "start":
                started_s = line["at_s"]
            case "stroke":
                stroke = STROKE.validate_python(line)
                truth.add(
                    replace(
                        stroke,
                        from_s=stroke.from_s + started_s,
                        to_s=stroke.to_s + started_s,
                    )
                )
            case "board":
                truth.add(BOARD.validate_python(line))
    return truth


def record(folder: Path) -> tuple[Session, list[Question]]:
    """The match as its journal has it, and every question that was asked."""
    import sqlite3

    database = sqlite3.connect(f"file:{folder / JOURNAL}?mode=ro", uri=True)
    questions = []
    session = None
    for _, now, told in replayed(recorded(rows(database))):
        session = now
        questions += [t.what.question for t in told if isinstance(t.what, Asked)]
    database.close()
    assert session is not None
    return session, questions


def held_against_truth(folder: Path) -> Comparison:
    """The record against the truth, up to the last stroke on record."""
    session, questions = record(folder)
    last_s = max((v.facts.to_s for v in session.verdicts if v.facts), default=0.0)
    truth = Truth()
    for each in true_match(folder).records:
        if isinstance(each, TrueBoard) or each.from_s < last_s:
            truth.add(each)
    return compare(truth, session.verdicts, session.match.records, questions)
