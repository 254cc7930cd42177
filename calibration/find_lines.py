"""Where a square's frame and base lines may be.

Theory. Makers differ in where they print the base lines, but on one table all four
sides are alike. So the edges parallel to the sides are counted by their distance
from the centre, over all sides, and the three distances in a maker's proportions
that stand out most are taken.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from calibration.find_edges import Edges, Floats
from calibration.find_kernels import edge_hits
from calibration.find_squares import TURNS

STEP = 0.006
"""Distances from the centre are searched this finely, in half sides of a square."""
NEAREST = 0.28
LINE_SAMPLES = 25
LINE_REACH = 0.74
"""Along a side, in shares of its distance: shorter than any base line."""
WIDEST = 2
"""A side's line may lie so many steps off: print is not square, lenses bend."""
LOWER = (0.62, 0.77)
"""Lower base line to centre, in half sides: 85 to 140 mm from the frame."""
GAP = (0.07, 0.15)
"""Lower to upper base line: 26 to 55 mm."""
FRAMES_OF_LINES = (1.0, *np.arange(1.29, 2.0, STEP))
"""The frame in units of a square of lines: it is the frame, or a base line."""
FRAMES_OF_POCKETS = tuple(np.arange(1.04, 1.12, STEP))

Flags = NDArray[np.bool_]


class Lines(NamedTuple):
    """Where the frame and the base lines are, in half sides of a square (N each)."""

    frame: Floats
    lower: Floats
    upper: Floats
    score: Floats
    """0 to 3: how much these three stand out on all four sides."""


def find_lines(homographies: Floats, edges: Edges, frames: tuple[float, ...]) -> Lines:
    """The frame and base lines that fit best, for each of N squares."""
    distances = np.arange(NEAREST, max(frames) * 1.03, STEP)
    stands_out = _stands_out(*line_profiles(homographies, distances, edges))
    count = len(stands_out)
    best = np.zeros((count, 4))
    best[:, 3] = -np.inf
    rows = np.arange(count)
    for frame in frames:
        lowers = np.arange(_bin(LOWER[0] * frame), _bin(LOWER[1] * frame) + 1)
        gaps = np.arange(round(GAP[0] * frame / STEP), round(GAP[1] * frame / STEP))
        uppers = np.maximum(lowers[:, None] - gaps, 0)
        pairs = stands_out[:, lowers, None] + stands_out[:, uppers]
        flat = pairs.reshape(count, -1)
        at = np.argmax(flat, axis=1)
        score = flat[rows, at] + stands_out[:, _bin(frame)]
        lower, upper = lowers[at // len(gaps)], uppers.ravel()[at]
        found = np.column_stack(
            [np.full(count, frame), distances[lower], distances[upper], score]
        )
        better = score > best[:, 3]
        best[better] = found[better]
    return Lines(*best.T)


def line_profiles(
    homographies: Floats, distances: Floats, edges: Edges
) -> tuple[Floats, Flags]:
    """Edges parallel to the sides by distance: N x 4 x D shares, and seen or not."""
    along = np.linspace(-LINE_REACH, LINE_REACH, LINE_SAMPLES)
    path = np.stack(
        [np.outer(distances, along), np.outer(distances, np.ones_like(along))], axis=2
    ).reshape(-1, 2)
    points = np.concatenate([path @ turn for turn in TURNS])
    ahead = np.repeat([(1.0, 0.0) @ turn for turn in TURNS], len(path), axis=0)
    hits, seen = edge_hits(homographies, points, ahead, edges)
    shape = (len(homographies), 4, len(distances), LINE_SAMPLES)
    hit = hits.reshape(shape).sum(axis=3, dtype=np.float64)
    visible = seen.reshape(shape).sum(axis=3, dtype=np.float64)
    return hit / np.maximum(visible, 1.0), visible >= LINE_SAMPLES / 3


def _stands_out(shares: Floats, visible: Flags) -> Floats:
    """By how much a line at each distance (N x D) exceeds what is usual there."""
    widest = shares
    for shift in range(1, WIDEST + 1):
        widest = np.maximum(widest, np.roll(shares, shift, axis=2))
        widest = np.maximum(widest, np.roll(shares, -shift, axis=2))
    count = visible.sum(axis=1)
    mean = (widest * visible).sum(axis=1) / np.maximum(count, 1)
    mean = np.where(count >= 2, mean, 0.0)
    inside = slice(_bin(0.35), _bin(0.95))
    usual = np.median(mean[:, inside], axis=1, keepdims=True)
    return np.asarray((mean - usual) / (1.02 - usual), np.float64)


def _bin(distance: float) -> int:
    return round((distance - NEAREST) / STEP)
