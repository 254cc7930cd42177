"""Which of many overlapping candidates are the pieces: a selection that adds up.

Two pieces cannot overlap, and no more lie on the table than the set holds.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from calibration.table import STOCK, Piece, Point

OVERLAP_MM = 2.5
"""Rims may seem to overlap by this much: fit error of two pieces that touch."""
COINS_AT_MOST = STOCK[Piece.WHITE] + STOCK[Piece.BLACK] + STOCK[Piece.QUEEN]
STRIKER_TRIALS = 6


@dataclass(frozen=True, slots=True)
class Candidate:
    """A disc that may be a piece: where, how large, how well its rim is seen."""

    at: Point
    radius_mm: float
    is_striker: bool
    score: float


def select(
    candidates: Sequence[Candidate], taken: Sequence[Candidate] = ()
) -> list[Candidate]:
    """The consistent set of candidates with the highest total score.

    `taken` are pieces already known: nothing may overlap them. Greedy by score,
    once without a striker and once with each of the best strikers.
    """
    ranked = sorted(candidates, key=lambda c: -c.score)
    coins = [c for c in ranked if not c.is_striker]
    strikers: list[Candidate | None] = [None]
    if not any(t.is_striker for t in taken):
        strikers += [c for c in ranked if c.is_striker][:STRIKER_TRIALS]
    free = COINS_AT_MOST - sum(not t.is_striker for t in taken)
    trials = [_greedy(coins, striker, taken, free) for striker in strikers]
    return max(trials, key=_total)


def _greedy(
    coins: Sequence[Candidate],
    striker: Candidate | None,
    taken: Sequence[Candidate],
    free: int,
) -> list[Candidate]:
    chosen: list[Candidate] = []
    if striker is not None and _fits(striker, taken):
        chosen.append(striker)
    started_with = len(chosen)
    for coin in coins:
        if len(chosen) - started_with >= free:
            break
        if _fits(coin, chosen) and _fits(coin, taken):
            chosen.append(coin)
    return chosen


def _fits(candidate: Candidate, others: Sequence[Candidate]) -> bool:
    return all(
        candidate.at.distance_mm(other.at)
        >= candidate.radius_mm + other.radius_mm - OVERLAP_MM
        for other in others
    )


def _total(chosen: Sequence[Candidate]) -> float:
    """Rim length explained: a larger disc with the same share of rim counts more."""
    return sum(c.score * c.radius_mm for c in chosen)
