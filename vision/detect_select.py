"""Which of many overlapping candidates are the pieces: a selection that adds up.

Two pieces cannot overlap, and no more lie on the table than the set holds.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
    free = [c for c in candidates if not any(_overlap(c, t) for t in taken)]
    ranked = sorted(free, key=lambda c: -c.score)
    rivals = _rivals(ranked)
    strikers: list[int | None] = [None]
    if not any(t.is_striker for t in taken):
        strikers += [n for n, c in enumerate(ranked) if c.is_striker][:STRIKER_TRIALS]
    most = COINS_AT_MOST - sum(not t.is_striker for t in taken)
    trials = [_greedy(ranked, rivals, striker, most) for striker in strikers]
    return max(trials, key=_total)


def _rivals(candidates: Sequence[Candidate]) -> NDArray[np.bool_]:
    """Which of the candidates (N x N) overlap each other."""
    at = np.array([c.at for c in candidates], np.float64).reshape(-1, 2)
    radii = np.array([c.radius_mm for c in candidates])
    apart = np.hypot(*(at[:, None] - at[None]).transpose(2, 0, 1))
    return np.asarray(apart < radii[:, None] + radii[None] - OVERLAP_MM, np.bool_)


def _greedy(
    ranked: Sequence[Candidate],
    rivals: NDArray[np.bool_],
    striker: int | None,
    most: int,
) -> list[Candidate]:
    chosen: list[Candidate] = []
    barred = np.zeros(len(ranked), np.bool_)
    if striker is not None:
        chosen.append(ranked[striker])
        barred |= rivals[striker]
    coins = 0
    for n, candidate in enumerate(ranked):
        if candidate.is_striker or barred[n] or coins == most:
            continue
        chosen.append(candidate)
        barred |= rivals[n]
        coins += 1
    return chosen


def _overlap(one: Candidate, other: Candidate) -> bool:
    apart = one.at.distance_mm(other.at)
    return apart < one.radius_mm + other.radius_mm - OVERLAP_MM


def _total(chosen: Sequence[Candidate]) -> float:
    """Rim length explained: a larger disc with the same share of rim counts more."""
    return sum(c.score * c.radius_mm for c in chosen)
