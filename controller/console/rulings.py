"""What the umpire's page may send, and the ruling each request becomes."""

from dataclasses import replace
from typing import Annotated, Literal, Protocol, assert_never

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from calibration.table import Piece, Seat
from controller.events import (
    BoardCalled,
    Corrected,
    Fallen,
    FoulCalled,
    Inserted,
    Picked,
    Ruling,
    ScoreSet,
    Stated,
    StrokeFacts,
    TakenBack,
)

Number = Annotated[int, Field(ge=0, lt=2**53)]
"""The journal's JSON carries no greater number exactly."""
Reason = Annotated[str, Field(max_length=120)]


class Form(BaseModel):
    """What every request shares: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class FactsForm(Form):
    """What went down, in counts, who struck (where that is said), and how.

    `between_strokes`: the pieces fell while nobody struck.
    """

    white: Annotated[int, Field(ge=0, le=9)] = 0
    black: Annotated[int, Field(ge=0, le=9)] = 0
    queen: Annotated[int, Field(ge=0, le=1)] = 0
    striker: Annotated[int, Field(ge=0, le=1)] = 0
    seat: Seat | None = None
    touched: bool | None = None
    improper: bool = False
    between_strokes: bool = False

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
            jumped=(),
            striker_off=False,
            seat=self.seat or base.seat,
            touched=base.touched if self.touched is None else self.touched,
            between_strokes=self.between_strokes,
            improper=self.improper,
        )


class Request(Form):
    """The umpire saw the record at `expected_rev` when ruling."""

    expected_rev: Number
    by: Annotated[str, Field(min_length=1, max_length=40)] = "umpire"


class Pick(Request):
    """One of a question's readings, by index."""

    ruling: Literal["pick"]
    question: Number
    reading: Number


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
    points: tuple[
        Annotated[int, Field(ge=0, le=99)], Annotated[int, Field(ge=0, le=99)]
    ]
    reason: Reason = ""


class NextBoard(Request):
    """The next board starts now."""

    ruling: Literal["next-board"]


AnyRequest = Annotated[
    Pick | State | Correct | Insert | TakeBack | Foul | SetScore | NextBoard,
    Field(discriminator="ruling"),
]
REQUEST: TypeAdapter[AnyRequest] = TypeAdapter(AnyRequest)


class Strokes(Protocol):
    """Where the facts of a stroke can be looked up."""

    def facts_of(self, entry: int) -> StrokeFacts | None:
        """The facts of a stroke, or the best reading of the question about it."""
        ...


def ruling(request: AnyRequest, strokes: Strokes, at_s: float) -> Ruling:
    """The ruling a request stands for, given at `at_s` on the host's clock.

    Raises ValueError when it speaks of a stroke that is not there.
    """
    by = request.by
    match request:
        case Pick(question=question, reading=reading):
            return Picked(at_s, by, question, reading)
        case State(question=question, facts=form):
            base = _facts(strokes, question)
            return Stated(at_s, by, question, form.facts(base))
        case Correct(entry=entry, facts=form, reason=reason):
            base = _facts(strokes, entry)
            return Corrected(at_s, by, entry, form.facts(base), reason)
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
        case _:
            assert_never(request)


def _facts(strokes: Strokes, entry: int) -> StrokeFacts:
    facts = strokes.facts_of(entry)
    if facts is None:
        raise ValueError(f"there is no stroke {entry} in the record")
    return facts
