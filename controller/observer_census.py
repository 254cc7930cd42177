"""What two looks at the table at rest have in common, and how far to believe one."""

from dataclasses import dataclass
from math import comb, prod
from typing import TypeGuard

from calibration.table import Piece, Point, Table
from controller.events import Counts
from controller.trust import Trust
from vision.sightings import Census, Sighting, Where

RACK_MARGIN_MM = 12.0
"""A rack laid out by hand may lie this far outside the outer circle."""
STRIKER_PICKED, STRIKER_MISSED = 0.3, 0.003
"""A striker on the table that a census lacks: players pick it up early; but when the
eyes watched it vanish and saw no hand there, it lies unseen."""
RACK_LEAST = 17
"""Pieces that touch hide each other's rims: a rack may be seen with two too few."""
Four = tuple[int, int, int, int]
"""Counts in the order of `Piece`."""


@dataclass(frozen=True, slots=True)
class CensusErrors:
    """A census's error rates: per piece missed or confused, and false ones."""

    miss: float
    confusion: float
    false: float


def counted(census: Census) -> Counts:
    """How many of each piece the census shows on the table."""
    return Counts.of(s.piece for s in census.pieces if s.where is Where.TABLE)


def coins_seen(census: Census) -> Counts:
    """The same without the striker."""
    seen = counted(census)
    return Counts(seen.white, seen.black, seen.queen)


def is_clear(census: Census | None) -> TypeGuard[Census]:
    """Whether the whole table could be seen."""
    return census is not None and not census.hidden


def is_rack(census: Census, table: Table) -> bool:
    """Whether all lie in the middle and nothing elsewhere, as before a break."""
    reach_mm = table.outer_circle_radius_mm + RACK_MARGIN_MM
    lying = [s for s in _on_table(census) if s.piece is not Piece.STRIKER]
    centre = Point(0.0, 0.0)
    return len(lying) >= RACK_LEAST and all(
        s.at.distance_mm(centre) <= reach_mm for s in lying
    )


def has_moved(before: Census, after: Census, still_mm: float) -> bool:
    """Whether any coin, or the queen, no longer lies where it lay.

    Pieces that came are no sign of a stroke: hands place what is due. Two pieces
    lie at least a diameter apart, so that no place can be taken for two.
    """
    for piece in (Piece.WHITE, Piece.BLACK, Piece.QUEEN):
        was = [s.at for s in _on_table(before) if s.piece is piece]
        now = [s.at for s in _on_table(after) if s.piece is piece]
        gone = any(all(a.distance_mm(b) > still_mm for b in now) for a in was)
        if len(now) < len(was) or gone:
            return True
    return False


def displaced(before: Census, after: Census, still_mm: float) -> bool:
    """Whether a coin, or the queen, lies elsewhere: neither gone nor new, but moved."""
    for piece in (Piece.WHITE, Piece.BLACK, Piece.QUEEN):
        was = [s.at for s in _on_table(before) if s.piece is piece]
        now = [s.at for s in _on_table(after) if s.piece is piece]
        left = sum(all(a.distance_mm(b) > still_mm for b in now) for a in was)
        if left > max(len(was) - len(now), 0):
            return True
    return False


def errors(census: Census, trust: Trust) -> CensusErrors:
    """The error rates of one census: sightings of little confidence raise them."""
    doubt = sum(
        (trust.doubtful_below - s.confidence) / trust.doubtful_below
        for s in _on_table(census)
        if s.confidence < trust.doubtful_below
    )
    share = doubt / max(len(census.pieces), 1)
    return CensusErrors(
        miss=min(trust.miss + share / 4, 0.4),
        confusion=min(trust.confusion + share / 4, 0.4),
        false=min(trust.false + doubt / 2, 2.0),
    )


def fits(
    seen: Four, true: Four, rates: CensusErrors, absent: float = STRIKER_PICKED
) -> float:
    """How likely these counts are seen when those lie there.

    The cheapest explanation stands for all: confusions pair a surplus of one kind
    with a lack of another, the rest are misses and false sightings. `absent`: how
    often a striker on the table is not seen.
    """
    if min(true) < 0:
        return 0.0
    if seen == true:
        return 1.0
    off = [s - t for s, t in zip(seen, true, strict=True)]
    extra = sum(d for d in off if d > 0)
    lack = sum(-d for d in off[:3] if d < 0)
    pairs = min(extra, lack)
    ways = prod(comb(t, -d) for t, d in zip(true[:3], off[:3], strict=True) if d < 0)
    weight = ways * rates.confusion**pairs * rates.miss ** (lack - pairs)
    weight *= (rates.false / len(off)) ** (extra - pairs)
    return weight * absent if off[3] < 0 else weight


def _on_table(census: Census) -> list[Sighting]:
    return [s for s in census.pieces if s.where is Where.TABLE]
