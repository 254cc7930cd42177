"""Evenings at the simulated table for the whole tests: the product as it is run."""

import asyncio
import json
import os
import signal
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from urllib.request import Request, urlopen

from pydantic import BaseModel, TypeAdapter

from controller.feed.models_match import MatchState
from controller.journal_rows import recorded, rows
from controller.outcomes import Asked, Question
from controller.recording import replayed
from controller.session import Session
from controller.simulator.hall import JOURNAL, Hall, HallSettings, Program
from controller.simulator.table_process import TRUTH
from controller.simulator.truth import TrueBoard, TrueStroke, Truth

STROKE = TypeAdapter(TrueStroke)
BOARD = TypeAdapter(TrueBoard)
PATIENCE_S = 200.0


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
                from_s, to_s = stroke.from_s + started_s, stroke.to_s + started_s
                truth.add(replace(stroke, from_s=from_s, to_s=to_s))
            case "board":
                truth.add(BOARD.validate_python(line))
    return truth


def record(folder: Path) -> tuple[Session, list[Question]]:
    """The match as its journal has it, and every question that was asked."""
    database = sqlite3.connect(f"file:{folder / JOURNAL}?mode=ro", uri=True)
    questions = []
    session = None
    for _, now, told in replayed(recorded(rows(database))):
        session = now
        questions += [t.what.question for t in told if isinstance(t.what, Asked)]
    database.close()
    assert session is not None
    return session, questions


Played = tuple[str, tuple[str, ...]]
"""One stroke: from which seat, and what fell."""


def truly_played(folder: Path) -> list[Played]:
    """Every stroke that was really made, in order."""
    return [
        (stroke.seat.value, tuple(sorted(fall.piece.value for fall in stroke.fell)))
        for stroke in true_match(folder).strokes
    ]


def on_record(session: Session) -> list[Played]:
    """Every stroke on record, in order."""
    return [
        (
            "?" if facts.seat is None else facts.seat.value,
            tuple(sorted(fallen.piece.value for fallen in facts.fell)),
        )
        for facts in (verdict.facts for verdict in session.verdicts)
        if facts is not None
    ]
