"""Missing pieces: where to search for them, and which find is which piece."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from scipy.optimize import linear_sum_assignment

from calibration.table import Piece, Point
from vision.compiled import compiled
from vision.detect_votes import Window
from vision.followed import Followed
from vision.motion import Floats
from vision.sightings import Sighting
from vision.tiles import TILE_PX, Mask, Tiles

OTHER_COLOUR_MM = 60.0
"""A coin of another colour must be this much nearer to be taken for the one missed."""
OTHER_SIZE_MM = 400.0
"""A striker is hardly ever taken for a coin: their radii differ by 5 mm."""
OVERLAP_MM = 6.0
"""Fits of two pieces may come this much nearer than touching: blur and bias."""
MOST_WINDOWS = 2
"""Windows searched in one frame; what is left is found in the next."""
BIGGEST_WINDOW = 160
"""Tiles: a larger unexplained area is no piece but an arm, a lamp or a shadow."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A missing piece: what it is, where it may be, and how far from there."""

    piece: Piece
    places: tuple[Point, ...]
    reach_mm: float


def assign(wanted: Sequence[Wanted], seen: Sequence[Sighting]) -> dict[int, int]:
    """Which sighting is which wanted piece: index to index, the best in total."""
    if not wanted or not seen:
        return {}
    cost = np.array([[_cost(w, s) for s in seen] for w in wanted])
    pairs = zip(*linear_sum_assignment(np.minimum(cost, _NEVER)), strict=True)
    return {int(i): int(j) for i, j in pairs if cost[i, j] < _NEVER}


def search_windows(tiles: Tiles, unexplained: Mask, near: Floats) -> list[Window]:
    """Rectangles around unexplained tiles, those nearest to missing pieces first.

    `near` is N x 3: x, y in pixels where a piece may be, and how far around it.
    """
    count, _, stats, centres = cv2.connectedComponentsWithStats(
        unexplained.astype(np.uint8), connectivity=8
    )
    windows: list[tuple[float, Window]] = []
    for label in range(1, count):
        left, top, columns, rows, area = (int(v) for v in stats[label])
        if area > BIGGEST_WINDOW:
            continue
        x = tiles.left_px + (centres[label, 0] + 0.5) * TILE_PX
        y = tiles.top_px + (centres[label, 1] + 0.5) * TILE_PX
        gaps = np.hypot(near[:, 0] - x, near[:, 1] - y)
        slack = TILE_PX * max(columns, rows)
        if (gaps < near[:, 2] + slack).any():
            window = Window(
                tiles.left_px + left * TILE_PX,
                tiles.top_px + top * TILE_PX,
                tiles.left_px + (left + columns) * TILE_PX,
                tiles.top_px + (top + rows) * TILE_PX,
            )
            windows.append((float(gaps.min()), window))
    return [window for _, window in sorted(windows)[:MOST_WINDOWS]]


def without_overlaps(
    followed: Sequence[Followed],
    found: dict[int, Sighting],
    expected: Sequence[Point],
    radii_mm: Floats,
) -> dict[int, Sighting]:
    """Found pieces that can all lie where they were found.

    `radii_mm` (N) are the followed pieces'. Of two in one place the one further from where it was `expected` gives way;
    a piece that nobody looked for (not in `found`) stands where it stood.
    """
    at = np.array([found[i].at if i in found else f.at for i, f in enumerate(followed)])
    kept = dict(found)
    for i, j in _overlapping(at, radii_mm):
        rivals = [n for n in (i, j) if n in kept]
        standing = [f for f in (followed[i], followed[j]) if not f.missed]
        if not rivals or (len(rivals) == 1 and len(standing) < 2):
            continue
        worst = max(rivals, key=lambda n: _surprise(kept[n], expected[n]))
        del kept[worst]
    return kept


def _overlapping(at: Floats, radii_mm: Floats) -> list[list[int]]:
    """Pairs of discs (N x 2 places) that cannot both lie there."""
    found = np.zeros((len(at), len(at)), np.bool_)
    _overlaps(at, radii_mm, found)
    return np.argwhere(found).tolist() if found.any() else []


@compiled
def _overlaps(at: Floats, radii: Floats, found: Mask) -> None:
    for i in range(len(at)):
        for j in range(i + 1, len(at)):
            east, north = at[i, 0] - at[j, 0], at[i, 1] - at[j, 1]
            reach = radii[i] + radii[j] - OVERLAP_MM
            found[i, j] = east * east + north * north < reach * reach


def _surprise(sighting: Sighting, expected: Point) -> float:
    """How little a sighting fits its piece, mm: far off, or of the wrong colour."""
    doubt = 10.0 * (1.0 - sighting.confidence)
    return sighting.at.distance_mm(expected) + doubt


_NEVER = 1e4


def _cost(wanted: Wanted, sighting: Sighting) -> float:
    gap = min(sighting.at.distance_mm(place) for place in wanted.places)
    if gap > wanted.reach_mm:
        return _NEVER
    if wanted.piece is sighting.piece:
        return gap
    if Piece.STRIKER in (wanted.piece, sighting.piece):
        return gap + OTHER_SIZE_MM
    return gap + OTHER_COLOUR_MM
