"""What the umpire's page may send, and the ruling each request becomes."""

from dataclasses import replace
from typing import Annotated, Literal, Protocol, assert_never

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from calibration.table import Piece, Seat
from controller.console.entered import entered
from controller.console.law_forms import AnyLawForm
from controller.events import (
    BoardCalled,
    ClockAction,
    ClockSet,
    Corrected,
    Fallen,
    Fault,
    FoulCalled,
    Inserted,
    Picked,
    Ruled,
    Ruling,
    ScoreSet,
    Stated,
    StrokeFacts,
    TakenBack,
)
from controller.plain_text import Name, Plain
from controller.rules.contest import Contest

Coins = Annotated[int, Field(ge=0, le=9)]
Number = Annotated[int, Field(ge=0, lt=2**53)]
"""The journal's JSON carries no greater number exactly."""
Reason = Annotated[Plain, Field(max_length=120)]


class Form(BaseModel):
    """What every request shares: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class FactsForm(Form):
    """What went down, in counts, who struck (where that is said), and how.

    `between_strokes`: the pieces fell while nobody struck. `off_white`, `off_black`,
    `off_queen`: pieces that left the table another way.
    """

    white: Annotated[int, Field(ge=0, le=9)] = 0
    black: Annotated[int, Field(ge=0, le=9)] = 0
    queen: Annotated[int, Field(ge=0, le=1)] = 0
    striker: Annotated[int, Field(ge=0, le=1)] = 0
    seat: Seat | None = None
    touched: bool | None = None
    improper: bool = False
    between_strokes: bool = False
    out_of_turn: bool = False
    faults: tuple[Fault, ...] = ()
    off_white: Coins = 0
    off_black: Coins = 0
    off_queen: Annotated[int, Field(ge=0, le=1)] = 0
    striker_off: bool = False

    def facts(self, base: StrokeFacts) -> StrokeFacts:
        """These facts of the stroke `base`; its times, seat and pockets stay."""
        known = list(base.fell)
        fell = []
        for piece in Piece:
            for _ in range(getattr(self, piece.value)):
                seen = next((fall for fall in known if fall.piece is piece), None)
                if seen is not None:
                    known.remove(seen)
                fell.append(
                    replace(seen, confidence=1.0)
                    if seen
                    else Fallen(piece, pocket=None, at_s=None, confidence=1.0)
                )
        return replace(
            base,
            fell=tuple(fell),
            jumped=self._jumped(),
            striker_off=self.striker_off,
            seat=self.seat or base.seat,
            touched=base.touched if self.touched is None else self.touched,
            between_strokes=self.between_strokes,
            improper=self.improper,
            out_of_turn=self.out_of_turn,
            faults=tuple(sorted(set(self.faults))),
        )

    def _jumped(self) -> tuple[Piece, ...]:
        off = (self.off_white, self.off_black, self.off_queen)
        pieces = (Piece.WHITE, Piece.BLACK, Piece.QUEEN)
        return tuple(p for p, n in zip(pieces, off, strict=True) for _ in range(n))


class Request(Form):
    """The umpire saw the record at `expected_rev` when ruling."""

    expected_rev: Number
    by: Annotated[Name, Field(min_length=1, max_length=40)] = "umpire"


class Pick(Request):
    """One of a question's readings, by index."""

    ruling: Literal["pick"]
    question: Number
    reading: Number
    improper: bool = False
    """This is what happened, and the stroke was improper."""


class State(Request):
    """A question answered with other facts."""

    ruling: Literal["state"]
    question: Number
    facts: FactsForm


class Correct(Request):
    """An earlier stroke was something else."""

    ruling: Literal["correct"]
    entry: Number
    facts: FactsForm
    reason: Reason = ""


class Properness(Request):
    """A stroke was improper, or was not; what fell stays as it is."""

    ruling: Literal["properness"]
    entry: Number
    improper: bool
    reason: Reason = ""


class Insert(Request):
    """A stroke nobody saw; after an entry, or after everything."""

    ruling: Literal["insert"]
    after: Number | None = None
    facts: FactsForm
    reason: Reason = ""


class TakeBack(Request):
    """An entry never was; the last one when none is named."""

    ruling: Literal["take-back"]
    entry: Number | None = None
    reason: Reason = ""


class Foul(Request):
    """A breach outside a stroke."""

    ruling: Literal["foul"]
    seat: Seat | None = None
    technical: bool = False
    reason: Reason = ""


class SetScore(Request):
    """The running game's points, by player."""

    ruling: Literal["set-score"]
    points: Annotated[
        tuple[Annotated[int, Field(ge=-999, le=999)], ...],
        Field(min_length=2, max_length=4),
    ]
    reason: Reason = ""


class NextBoard(Request):
    """The next board starts now."""

    ruling: Literal["next-board"]


class WorkClock(Request):
    """The clocks start, stand, go on; or "Play" is called."""

    ruling: Literal["clock"]
    action: Literal[
        ClockAction.START, ClockAction.PAUSE, ClockAction.RESUME, ClockAction.PLAY
    ]
    elapsed_s: Annotated[float, Field(ge=0, le=86_400)] = 0.0


class Rule(Request):
    """Anything else the laws know (`controller.console.law_forms`)."""

    ruling: Literal["rule"]
    rule: AnyLawForm
    reason: Reason = ""


AnyRequest = Annotated[
    Pick
    | State
    | Correct
    | Properness
    | Insert
    | TakeBack
    | Foul
    | SetScore
    | NextBoard
    | WorkClock
    | Rule,
    Field(discriminator="ruling"),
]
REQUEST: TypeAdapter[AnyRequest] = TypeAdapter(AnyRequest)


class Strokes(Protocol):
    """Where the facts of a stroke can be looked up."""

    def facts_of(self, entry: int) -> StrokeFacts | None:
        """The facts of a stroke, or the best reading of the question about it."""
        ...

    def reading_of(self, question: int, index: int) -> StrokeFacts:
        """A reading of an open question. Raises ValueError when there is none."""
        ...

    @property
    def match(self) -> Contest:
        """The match as the laws have it now."""
        ...


def ruling(request: AnyRequest, strokes: Strokes, at_s: float) -> Ruling:
    """The ruling a request stands for, given at `at_s` on the host's clock.

    Raises ValueError when it speaks of a stroke that is not there.
    """
    by = request.by
    match request:
        case Pick(question=question, reading=reading, improper=True):
            facts = strokes.reading_of(question, reading)
            return Stated(at_s, by, question, replace(facts, improper=True))
        case Pick(question=question, reading=reading):
            return Picked(at_s, by, question, reading)
        case State(question=question, facts=form):
            base = _facts(strokes, question)
            return Stated(at_s, by, question, form.facts(base))
        case Correct(entry=entry, facts=form, reason=reason):
            base = _facts(strokes, entry)
            return Corrected(at_s, by, entry, form.facts(base), reason)
        case Properness(entry=entry, improper=improper, reason=reason):
            facts = replace(_facts(strokes, entry), improper=improper)
            return Corrected(at_s, by, entry, facts, reason)
        case Insert(after=after, facts=form, reason=reason):
            unseen = StrokeFacts(from_s=at_s, to_s=at_s)
            return Inserted(at_s, by, after, form.facts(unseen), reason)
        case TakeBack(entry=entry_or_last, reason=reason):
            return TakenBack(at_s, by, entry_or_last, reason)
        case Foul(technical=technical, seat=seat, reason=reason):
            return FoulCalled(at_s, by, technical, seat, reason)
        case SetScore(points=points, reason=reason):
            return ScoreSet(at_s, by, points, reason)
        case NextBoard():
            return BoardCalled(at_s, by)
        case WorkClock(action=action, elapsed_s=elapsed_s):
            return ClockSet(at_s, by, action, elapsed_s)
        case Rule(rule=form, reason=reason):
            return Ruled(at_s, by, entered(form, strokes.match, reason), reason)
        case _:
            assert_never(request)


def _facts(strokes: Strokes, entry: int) -> StrokeFacts:
    facts = strokes.facts_of(entry)
    if facts is None:
        raise ValueError(f"there is no stroke {entry} in the record")
    return facts
