"""What was corrected in a match and what that changed: the trail behind a card."""

from collections.abc import Iterator
from dataclasses import dataclass

from controller.journal_rows import Recorded
from controller.outcomes import Judged, RecordChanged, RulingRefused, Told, Verdict
from controller.rules.articles import LAWS
from controller.rules.contest import Contest, Entry
from controller.rules.counting_entries import GameAwarded, PointsCorrected, PursesSet
from controller.rules.difference import differences
from controller.rules.entries import MatchAwarded, ScoresCorrected
from controller.rules.happenings import BoardRuled, BoardSet, NoticedLate


@dataclass(frozen=True, slots=True)
class Change:
    """One line of the trail: when, which entry, who, what, and what it changed.

    A match written as text knows no time and no name.
    """

    utc: str | None
    entry: int
    by: str
    what: str
    effect: str


def changes(one: Recorded, told: tuple[Told, ...]) -> Iterator[Change]:
    """The trail's lines that one input leaves."""
    for said in told:
        match said.what:
            case RecordChanged(by=by, text=text) as changed:
                effect = _effect(changed.before, changed.after, changed.verdicts)
                yield Change(one.utc, one.entry, by, text, effect)
            case RulingRefused(by=by, text=text):
                yield Change(one.utc, one.entry, by, text, "refused, nothing changed")
            case Judged(verdict=verdict) if by_hand := _by_hand(verdict.rulings):
                effect = _effect(verdict.before, verdict.after)
                who = str(getattr(one.input, "by", ""))
                reason = str(getattr(one.input, "reason", ""))
                what = f"{by_hand}: {reason}" if reason else by_hand
                yield Change(one.utc, one.entry, who, what, effect)
            case _:
                pass


def change_by_hand(
    number: int, entry: Entry, before: Contest, after: Contest
) -> Iterator[Change]:
    """The trail's line for an entry of a written match, if the umpire made it."""
    if by_hand := _by_hand((entry,)):
        reason = getattr(entry, "reason", "")
        what = f"{by_hand}: {reason}" if reason else by_hand
        yield Change(None, number, "", what, _effect(before, after))


def _by_hand(rulings: tuple[Entry, ...]) -> str:
    """What the umpire set by hand, if anything."""
    for ruling in rulings:
        match ruling:
            case ScoresCorrected() | PointsCorrected():
                return "score set by hand"
            case BoardSet() | PursesSet():
                return "board set by hand"
            case BoardRuled():
                return "board decided by ruling"
            case MatchAwarded() | GameAwarded():
                return "match awarded"
            case NoticedLate(law=law):
                return f"noticed too late and stands ({LAWS[law].words})"
            case _:
                pass
    return ""


def _effect(before: Contest, after: Contest, verdicts: tuple[Verdict, ...] = ()) -> str:
    """What changed, and which later entries could no longer have happened."""
    notes = [f"entry {v.entry} {v.note}" for v in verdicts if v.note]
    return "; ".join([*differences(before, after), *notes]) or "standing unchanged"
