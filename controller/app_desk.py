"""The record as the umpire works on it: what the console shows and may change."""

import asyncio
import time
from collections.abc import Iterator
from datetime import datetime

from calibration.table import Piece
from controller.app_keeper import Event, Keeper
from controller.events import Ruling, StrokeFacts
from controller.outcomes import Question, RulingRefused, Verdict
from controller.records import Json
from controller.rules.articles import article, sentence
from controller.rules.order import Player
from controller.session_record import side_at
from controller.telling import facts_words, state_of

LINES = 150
"""Lines of the record on the page, newest first."""
NOTICES = frozenset(
    {
        "umpire-asked",
        "record-changed",
        "ruling-refused",
        "ledger-mismatch",
        "source-dissent",
        "pieces-placed",
        "watching",
        "camera-moved",
        "ignored",
    }
)
"""Kinds of event that have a line of their own; strokes have theirs already."""
PASSING = frozenset(
    {
        "fell",
        "stroke-running",
        "ruling-refused",
        "ledger-mismatch",
        "source-dissent",
        "pieces-placed",
        "watching",
        "camera-moved",
        "ignored",
    }
)
"""Kinds of event that leave the record as it was."""


class AppDesk:
    """What the console needs of the match that is kept."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._version = 0
        self._news = asyncio.Event()

    @property
    def rev(self) -> int:
        """The record's revision."""
        return self._keeper.session.rev

    @property
    def version(self) -> int:
        """Counts the changes of what is shown."""
        return self._version

    def stands_since(self, rev: int) -> bool:
        """Whether no line of the record was added or changed after a revision."""
        if not 0 <= rev <= self.rev:
            return False
        since = self._keeper.events[rev:]
        return all(event.event.kind in PASSING for event in since)

    def now_s(self) -> float:
        """The host's clock."""
        return time.monotonic()

    def touch(self) -> None:
        """What is shown has changed."""
        self._version += 1
        self._news.set()
        self._news = asyncio.Event()

    async def changed(self, since: int) -> int:
        """The version, once it is another than `since`."""
        if self._version == since:
            await self._news.wait()
        return self._version

    def facts_of(self, entry: int) -> StrokeFacts | None:
        """The facts of a stroke, or the best reading of the question about it."""
        return self._keeper.session.facts_of(entry)

    def rule(self, given: Ruling) -> str | None:
        """Take a ruling into the record; why it was refused, or None."""
        told = self._keeper.hear(given)
        if self._keeper.waiting:
            return f"not recorded yet: {self._keeper.trouble}"
        for each in told:
            if isinstance(each.what, RulingRefused):
                return each.what.text
        return None

    def shown(self) -> dict[str, Json]:
        """Everything the page shows."""
        session = self._keeper.session
        question = session.question
        state: dict[str, Json] = state_of(session).model_dump(mode="json")
        return {
            "rev": session.rev,
            "table": session.configured.table,
            "rule_set": session.configured.laws.name,
            "watching": not session.observer.blind,
            "trouble": self._keeper.trouble,
            "state": state,
            "question": None if question is None else _asked(question),
            "log": list(self._lines()),
        }

    def _lines(self) -> Iterator[Json]:
        """Strokes as they stand, strokes that no longer do, and notices."""
        session = self._keeper.session
        standing = {verdict.entry: verdict for verdict in session.verdicts}
        told_as = {seq: entry for entry, seq in session.first_told}
        lines = 0
        for event in reversed(self._keeper.events):
            line = told_as.get(event.seq)
            if line is not None:
                yield self._stroke_line(event, line, standing.get(line))
            elif event.event.kind in NOTICES:
                yield _line(event, event.entry, event.event.text)
            else:
                continue
            lines += 1
            if lines == LINES:
                return

    def _stroke_line(self, event: Event, line: int, verdict: Verdict | None) -> Json:
        if verdict is None:
            return _line(event, line, event.event.text, stands=False)
        laws = self._keeper.session.configured.laws
        decisions = verdict.decisions
        first = decisions[0].law if decisions else ""
        return _line(
            event,
            line,
            _story(verdict),
            law=first,
            article=article(first, laws) if first else "",
            stroke=verdict.facts is not None,
        )


def _line(
    event: Event,
    entry: int,
    text: str,
    *,
    law: str = "",
    article: str = "",
    stroke: bool = False,
    stands: bool = True,
) -> Json:
    return {
        "seq": event.seq,
        "entry": entry,
        "time": _local(event.utc),
        "text": text,
        "law": law,
        "article": article,
        "stroke": stroke,
        "stands": stands,
    }


def _story(verdict: Verdict) -> str:
    """One line for the umpire: who, what went down, what follows."""
    what = facts_words(verdict.facts)
    follows = _capital("; ".join(sentence(each) for each in verdict.decisions))
    note = f" ({verdict.note})" if verdict.note else ""
    who = f"{_striker(verdict)}: " if verdict.facts is not None else ""
    return f"{who}{what}. {follows}{note}" if follows else f"{who}{what}{note}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _striker(verdict: Verdict) -> str:
    match = verdict.before
    seat = verdict.facts.seat if verdict.facts is not None else None
    side = side_at(match, seat) or match.board.turn
    player = next(p for p in Player if match.side_of(p) is side)
    return match.names[player]


def _asked(question: Question) -> Json:
    readings = [reading.facts for reading in question.readings]
    return {
        "number": question.number,
        "from_s": min(facts.from_s for facts in readings),
        "to_s": max(facts.to_s for facts in readings),
        "doubt": question.doubt.value,
        "text": question.text,
        "readings": [
            {
                **{piece.value: reading.facts.fallen[piece] for piece in Piece},
                "text": _reading(reading.facts),
                "probability": round(reading.probability, 3),
            }
            for reading in question.readings
        ],
    }


def _reading(facts: StrokeFacts) -> str:
    text = facts_words(facts)
    if facts.between_strokes:
        text += ", between strokes"
    if facts.out_of_turn:
        text += ", out of turn"
    elif facts.seat is not None:
        text += f", struck from {facts.seat.value}"
    return text


def _local(utc: datetime) -> str:
    return utc.astimezone().strftime("%H:%M:%S")
