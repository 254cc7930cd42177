"""The record of a match: lines that happened, edits by the umpire, the judgement.

Theory of operation. Evidence is weighed once, when it comes; what it settled is a
`Line`, numbered by the journal entry that settled it. The match is a fold of the
lines through the laws, nothing else. Rulings about earlier lines are `Edit`s that
are never applied in place: `effective` reads all edits, latest first, so that one
taken back no longer counts, and the lines are judged anew. Taking back therefore
equals never having heard, and totals are always derived.

A line whose question is open stops the fold: what comes after waits.

Who struck is a fact: if a changed record says that the other side was on turn, the
strokes made since stay with those who made them (the error has lapsed) and the
verdict says so.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from controller.events import (
    ClockSet,
    Corrected,
    Fault,
    Picked,
    Stated,
    StrokeFacts,
    TakenBack,
)
from controller.outcomes import Question, Verdict
from controller.rules.contest import (
    Contest,
    Decided,
    advance,
    on_turn_at,
    out_of_turn,
    relaid,
    with_turn_at,
)
from controller.rules.contest import Entry as LawEntry
from controller.rules.happenings import LateFall
from controller.rules.stroke import Stroke
from controller.words import clock_words

Edit = Picked | Stated | Corrected | TakenBack


@dataclass(frozen=True, slots=True)
class Line:
    """Something that happened: a stroke's facts, rulings, a clock, an open question."""

    entry: int
    what: StrokeFacts | tuple[LawEntry, ...] | ClockSet | Question
    probability: float = 1.0
    evidence: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Edited:
    """A ruling about other lines, and its own entry number."""

    entry: int
    edit: Edit


@dataclass(frozen=True, slots=True)
class Record:
    """Everything that happened, in the order of play, and all edits in order."""

    lines: tuple[Line, ...] = ()
    edits: tuple[Edited, ...] = ()

    def with_line(self, line: Line) -> "Record":
        """One thing more happened."""
        return replace(self, lines=(*self.lines, line))

    def inserted(self, line: Line, after: int | None) -> "Record":
        """A line put in after another; at the end for None. Raises ValueError."""
        if after is None:
            return self.with_line(line)
        if after == 0:
            return replace(self, lines=(line, *self.lines))
        at = self._place(after) + 1
        return replace(self, lines=(*self.lines[:at], line, *self.lines[at:]))

    def edited(self, entry: int, edit: Edit) -> "Record":
        """The record with a ruling about earlier lines. Raises ValueError."""
        self._refuse_unfit(edit)
        if isinstance(edit, TakenBack) and edit.entry is None:
            edit = replace(edit, entry=self._last())
        return replace(self, edits=(*self.edits, Edited(entry, edit)))

    def facts_of(self, entry: int) -> StrokeFacts | None:
        """The facts of a stroke as they stand, or the best reading of a question."""
        for line in self.effective():
            if line.entry != entry:
                continue
            match line.what:
                case StrokeFacts() as facts:
                    return facts
                case Question(readings=readings):
                    return readings[0].facts
                case _:
                    return None
        return None

    @property
    def questions(self) -> tuple[Question, ...]:
        """Open questions, the oldest first."""
        lines = self.effective()
        return tuple(x.what for x in lines if isinstance(x.what, Question))

    def effective(self) -> list[Line]:
        """The lines as they stand after every edit that still counts."""
        gone = self._withdrawn()
        stand = {line.entry: line for line in self.lines if line.entry not in gone}
        for edited in self.edits:
            about, facts = _says(edited.edit, stand)
            if edited.entry in gone or facts is None or about not in stand:
                continue
            stand[about] = replace(stand[about], what=facts, probability=1.0)
        return list(stand.values())

    def _withdrawn(self) -> set[int]:
        gone: set[int] = set()
        for edited in reversed(self.edits):
            edit = edited.edit
            if isinstance(edit, TakenBack) and edited.entry not in gone:
                assert edit.entry is not None
                gone.add(edit.entry)
        return gone

    def _last(self) -> int:
        """The latest entry that still counts and is no taking back."""
        gone = self._withdrawn()
        entries = [line.entry for line in self.lines]
        entries += [e.entry for e in self.edits if not isinstance(e.edit, TakenBack)]
        standing = [entry for entry in entries if entry not in gone]
        if not standing:
            raise ValueError("there is nothing to take back")
        return max(standing)

    def _place(self, entry: int) -> int:
        for i, line in enumerate(self.lines):
            if line.entry == entry:
                return i
        raise ValueError(f"there is no entry {entry} in the record")

    def _refuse_unfit(self, edit: Edit) -> None:
        match edit:
            case Picked(question=number, reading=index):
                question = self._question(number)
                if not 0 <= index < len(question.readings):
                    raise ValueError(
                        f"question {number} has {len(question.readings)} readings, "
                        f"got {index}"
                    )
            case Stated(question=number):
                self._question(number)
            case Corrected(entry=entry):
                if self.facts_of(entry) is None:
                    raise ValueError(f"there is no stroke {entry} in the record")
            case TakenBack(entry=entry):
                known = {line.entry for line in self.lines}
                known |= {edited.entry for edited in self.edits}
                if entry is not None and entry not in known - self._withdrawn():
                    raise ValueError(f"there is no entry {entry} in the record")
            case _:
                assert_never(edit)

    def _question(self, number: int) -> Question:
        for question in self.questions:
            if question.number == number:
                return question
        raise ValueError(f"question {number} is not open")


def _says(edit: Edit, stand: dict[int, Line]) -> tuple[int, StrokeFacts | None]:
    """Which line an edit is about, and the facts it gives that line."""
    match edit:
        case Corrected(entry=entry, facts=facts):
            return entry, facts
        case Stated(question=entry, facts=facts):
            return entry, facts
        case Picked(question=entry, reading=index):
            what = stand[entry].what if entry in stand else None
            if not isinstance(what, Question):
                return entry, None
            return entry, what.readings[index].facts
        case TakenBack():
            return 0, None
        case _:
            assert_never(edit)


def judge_lines(match: Contest, lines: Sequence[Line]) -> Iterator[Verdict]:
    """Judge lines one after another, up to the first open question."""
    for line in lines:
        verdict = judge_line(match, line)
        if verdict is None:
            return
        match = verdict.after
        yield verdict


def judge_line(match: Contest, line: Line) -> Verdict | None:
    """What one line leads to; None while its question is open.

    A line that cannot happen on this match leads to nothing, and the note says why.
    """
    if isinstance(line.what, Question):
        return None
    facts = line.what if isinstance(line.what, StrokeFacts) else None
    rulings = line.what if isinstance(line.what, tuple) else ()
    try:
        after, decisions, note = _apply(match, facts, rulings)
    except ValueError as error:
        after, decisions, note = match, (), f"not possible: {error}"
    if isinstance(line.what, ClockSet):
        note = clock_words(line.what)
    return Verdict(
        entry=line.entry,
        facts=facts,
        rulings=rulings,
        decisions=decisions,
        before=match,
        after=after,
        note=note,
        probability=line.probability,
        evidence=line.evidence,
    )


Applied = tuple[Contest, tuple[Decided, ...], str]


def _apply(
    match: Contest, facts: StrokeFacts | None, rulings: tuple[LawEntry, ...]
) -> Applied:
    if facts is None:
        decisions: tuple[Decided, ...] = ()
        for ruling in rulings:
            match, more = advance(match, ruling)
            decisions += more
        return match, decisions, ""
    match, note = prepared(match, facts)
    if facts.between_strokes:
        falls = tuple(LateFall(fall.piece) for fall in facts.fell)
        return _apply(match, None, falls)
    after, decided = advance(match, stroke_of(match, facts))
    return after, decided, note


def prepared(match: Contest, facts: StrokeFacts) -> tuple[Contest, str]:
    """The match as a stroke found it: the table as it lay, the turn as it was taken."""
    if (lay := facts.before) is not None:
        match = relaid(match, lay.white, lay.black, queen=lay.queen > 0)
    return (match, "") if facts.between_strokes else _as_played(match, facts)


def _as_played(match: Contest, facts: StrokeFacts) -> tuple[Contest, str]:
    """Put the turn with whoever struck, when the record says otherwise."""
    wrong = on_turn_at(match, facts.seat) is False
    if facts.out_of_turn or match.board.over or facts.seat is None or not wrong:
        return match, ""
    return with_turn_at(match, facts.seat), "turn taken as played"


def stroke_of(match: Contest, facts: StrokeFacts) -> LawEntry:
    """The facts in the laws' words. Raises ValueError for impossible counts."""
    fallen = facts.fallen
    stroke = Stroke(
        white=fallen.white,
        black=fallen.black,
        queen=fallen.queen > 0,
        striker=fallen.striker > 0,
        proper=not facts.improper,
        touched=facts.touched is not False,
        left_table=facts.jumped,
        striker_left_table=facts.striker_off,
        thumb=Fault.THUMB in facts.faults,
        back_stroke=Fault.BACK_SHOT in facts.faults,
        hand_over_arrow=Fault.HAND_OVER_ARROW in facts.faults,
        rival_first=Fault.RIVAL_FIRST in facts.faults,
        before_play=Fault.BEFORE_PLAY in facts.faults,
        arrow_coin=Fault.ARROW_COIN in facts.faults,
        passes_on=Fault.PASSES_ON in facts.faults,
        fouled=Fault.FOUL in facts.faults,
        seconds=_seconds(match, facts),
    )
    return out_of_turn(match, facts.seat, stroke) if facts.out_of_turn else stroke


def _seconds(match: Contest, facts: StrokeFacts) -> float | None:
    """Too long, where the umpire ruled so. Raises ValueError without a limit."""
    if Fault.LATE not in facts.faults:
        return None
    limit = match.laws.stroke_limit_s
    if limit is None:
        raise ValueError(f"{match.laws.name} has no time limit for a stroke")
    return limit + 1.0
