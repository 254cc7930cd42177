"""From weighed evidence to facts: what is settled, and what an umpire is asked."""

from dataclasses import dataclass, replace

from calibration.table import Piece
from controller.events import Counts, StrokeFacts
from controller.observer_census import has_moved, is_clear
from controller.observer_falls import name_fallen
from controller.observer_weigh import (
    Agreement,
    Case,
    Hypothesis,
    agreement,
    shown,
    weigh,
)
from controller.outcomes import Doubt, Reading
from controller.words import words


@dataclass(frozen=True, slots=True)
class Settled:
    """The likeliest reading, accepted: the facts, how likely, who said otherwise."""

    facts: StrokeFacts
    probability: float
    dissenting: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unsettled:
    """Why the evidence is not enough, and the likeliest readings, best first."""

    doubt: Doubt
    text: str
    readings: tuple[Reading, ...]


def settle(case: Case, bare: StrokeFacts, doubt: Doubt | None) -> Settled | Unsettled:
    """Accept the likeliest reading of a stroke, or say what to ask.

    `bare` are the facts that need no weighing (times, seat, first contact); `doubt`
    says that it has to be asked in any case.
    """
    hypotheses = weigh(case)
    best = hypotheses[0]
    agreed = agreement(case, best)
    if doubt is None and not is_clear(case.after):
        doubt = Doubt.HIDDEN
    likely = best.probability >= case.sources.trust.accept
    if doubt is None and likely and agreed.sound:
        facts = _facts(case, bare, best)
        return Settled(facts, best.probability, agreed.dissenting)
    doubt = doubt or _doubt(agreed, likely=likely)
    readings = tuple(
        Reading(_facts(case, bare, h), h.probability) for h in shown(hypotheses)
    )
    return Unsettled(doubt, _question(doubt, best, agreed.dissenting), readings)


def _doubt(agreed: Agreement, *, likely: bool) -> Doubt:
    if agreed.record is False:
        return Doubt.BOOK
    return Doubt.SOURCES_DISAGREE if likely else Doubt.UNSURE


def _question(doubt: Doubt, best: Hypothesis, dissenting: tuple[str, ...]) -> str:
    fell = words(best.fell) if best.fell.total else "nothing"
    match doubt:
        case Doubt.UNWATCHED:
            return f"not watched for too long: was it one stroke, and did {fell} fall?"
        case Doubt.NO_STROKE:
            what = "pieces moved though no stroke was seen"
            return f"{what}: was it a stroke, and did {fell} fall?"
        case Doubt.BOOK:
            lay = words(best.before - Counts(striker=1))
            return f"before the stroke lay {lay}, not what the record says: right?"
        case Doubt.HIDDEN:
            return f"part of the table stayed hidden: did {fell} fall?"
        case _:
            against = f" ({', '.join(dissenting)} against)" if dissenting else ""
            return f"did {fell} fall{against}?"


def _facts(case: Case, facts: StrokeFacts, best: Hypothesis) -> StrokeFacts:
    """The facts of a stroke under one hypothesis."""
    jumped = tuple(
        piece
        for piece in (Piece.QUEEN, Piece.WHITE, Piece.BLACK)
        for _ in range(best.jumped[piece])
    )
    lay = best.before - Counts(striker=1)
    touched: bool | None = facts.first_contact is not None or best.fell.total > 0
    if not touched and case.before is None:
        touched = None
    elif not touched and case.before is not None:
        touched = has_moved(case.before, case.after, case.sources.trust.still_mm)
    return replace(
        facts,
        fell=name_fallen(best.fell, case.falls, best.probability),
        jumped=jumped,
        striker_off=best.jumped.striker > 0,
        touched=touched,
        before=None if case.book is None or lay == case.book else lay,
    )
