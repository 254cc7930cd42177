"""A board that was broken while nobody watched: asked about, never passed over.

Without its rack no board begins by itself, so that practice before a match is not
counted. But a table that lies broken at the first look, or after a time in which
nobody watched, may be a board under way: then the umpire is asked.
"""

from dataclasses import dataclass

from calibration.table import Piece, Point, Table
from controller.events import Counts, Evidence, StrokeFacts
from controller.observer import Unclear
from controller.observer_falls import name_fallen
from controller.outcomes import Doubt, Reading
from controller.rules import match as rules
from controller.session_state import BETWEEN, Session
from controller.words import words
from vision.sightings import Census, Sighting, TableAtRest, Where

LEAST_LYING = 12
"""More than can be left of a finished board: nine coins of one side and the queen."""
LEAST_ASTRAY = 6
"""So many pieces outside the outer circle are no rack being laid out."""
RACKED = Counts(white=9, black=9, queen=1)
LIKELY = 0.5


@dataclass(frozen=True, slots=True)
class UnseenBreak:
    """What the umpire is asked; `next_board`: the last board must be closed first."""

    unclear: Unclear
    next_board: bool


def unseen_break(
    session: Session, entry: int, evidence: Evidence
) -> UnseenBreak | None:
    """The question to ask when a board seems to have begun unseen."""
    gap = session.observer.gap
    if not isinstance(evidence, TableAtRest) or gap is None:
        return None
    census, phase = evidence.census, session.match.phase
    between = phase in BETWEEN
    if session.question is not None or not (between or phase is rules.Phase.BREAK):
        return None
    if census.hidden or not _lies_broken(census, session.configured.geometry):
        return None
    lost = RACKED - Counts.of(s.piece for s in _coins(census))
    gone = [piece for piece in Piece for _ in range(max(lost[piece], 0))]
    fell = name_fallen(Counts.of(gone), (), LIKELY)
    facts = StrokeFacts(from_s=gap.since_s, to_s=census.at_s, fell=fell)
    text = (
        "the board lies broken and no break was seen: was it one stroke, and did "
        f"{words(Counts.of(gone))} fall?"
    )
    unclear = Unclear(
        census.at_s, Doubt.UNWATCHED, text, (Reading(facts, LIKELY),), (entry,)
    )
    return UnseenBreak(unclear, next_board=between)


def _lies_broken(census: Census, table: Table) -> bool:
    lying = _coins(census)
    reach_mm = table.outer_circle_radius_mm + table.coin_radius_mm
    centre = Point(0.0, 0.0)
    astray = sum(s.at.distance_mm(centre) > reach_mm for s in lying)
    return len(lying) >= LEAST_LYING and astray >= LEAST_ASTRAY


def _coins(census: Census) -> list[Sighting]:
    return [
        seen
        for seen in census.pieces
        if seen.where is Where.TABLE and seen.piece is not Piece.STRIKER
    ]
