"""The part of the picture that holds the table, cut into square tiles.

Everything that asks "where did something change" works on tiles: one pass over
the luma of the table's square, a few hundred numbers out, and most of the time
nothing more to do. Green stands for luma: it is there in the BGR picture without
a conversion, and every piece differs from the board in it.
"""

from dataclasses import dataclass
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import PlaneMapping
from calibration.table import Table
from vision.compiled import compiled
from vision.detect_places import numbers_of, see_discs
from vision.frames import Image

TILE_PX = 16
ROW_STEP = 4
"""Every fourth row is looked at: a quarter of the cost, which is the picture's way from
memory; 64 pixels a tile leave an eighth of a pixel's noise."""
TILE_ROWS = TILE_PX // ROW_STEP

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]
Mask = NDArray[np.bool_]
"""rows x columns of tiles, bool."""
Plane = NDArray[np.uint8]
"""(rows * TILE_ROWS) x (columns * TILE_PX): the green plane, thinned."""
Differences = NDArray[np.float32]
"""rows x columns of tiles: mean absolute difference, grey values."""


@dataclass(frozen=True, slots=True)
class Tiles:
    """Where the tiles lie in the picture: left, top, and how many."""

    left_px: int
    top_px: int
    rows: int
    columns: int

    @classmethod
    def around(cls, table: Table, mapping: PlaneMapping) -> Self:
        """Tiles over the playing surface and its frame, as far as visible."""
        reach = table.half_mm + table.frame_width_mm
        outline = np.array(
            [(-reach, -reach), (-reach, reach), (reach, reach), (reach, -reach)]
        )
        seen = mapping.to_px(outline, table.frame_height_mm)
        width, height = mapping.size_px
        left, top = np.clip(np.floor(seen.min(axis=0)), 0, (width, height)).astype(int)
        right, low = np.clip(np.ceil(seen.max(axis=0)), 0, (width, height)).astype(int)
        return cls(
            int(left),
            int(top),
            max(1, int(low - top) // TILE_PX),
            max(1, int(right - left) // TILE_PX),
        )

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.rows, self.columns

    def plane(self, image: Image) -> Plane:
        """What is compared: the green of every fourth row under the tiles, copied."""
        low = self.top_px + self.rows * TILE_PX
        right = self.left_px + self.columns * TILE_PX
        under = image[self.top_px : low : ROW_STEP, self.left_px : right, 1]
        return np.ascontiguousarray(under)

    def centres_px(self) -> Floats:
        """rows x columns x 2: each tile's centre in the picture."""
        x = self.left_px + TILE_PX * (np.arange(self.columns) + 0.5)
        y = self.top_px + TILE_PX * (np.arange(self.rows) + 0.5)
        return np.stack(np.meshgrid(x, y), axis=-1)

    def holding(self, places_px: NDArray[np.intp]) -> tuple[Rows, Rows]:
        """Row and column (... each) of the tiles that hold places (... x 2)."""
        x = (places_px[..., 0] - self.left_px) // TILE_PX
        y = (places_px[..., 1] - self.top_px) // TILE_PX
        return np.clip(y, 0, self.rows - 1), np.clip(x, 0, self.columns - 1)

    def under(self, discs_px: Floats) -> Mask:
        """The tiles that any of the discs (N x 3: x, y, r) touches."""
        found = np.zeros(self.shape, np.bool_)
        _cover(discs_px, self.left_px, self.top_px, found)
        return found

    def reaching(self, discs_px: Floats, mask: Mask) -> NDArray[np.bool_]:
        """Which of the discs (N x 3: x, y, r) touch a tile of a mask."""
        found = np.zeros(len(discs_px), np.bool_)
        _reach(discs_px, self.left_px, self.top_px, mask, found)
        return found

    def differences(self, now: Plane, then: Plane, gain: float = 1.0) -> Differences:
        """How far each tile of one plane differs from another's, in grey values.

        `gain` is how much brighter the light is now than it was then.
        """
        if gain != 1.0:
            then = np.asarray(cv2.convertScaleAbs(then, alpha=gain), np.uint8)
        change = np.empty(self.shape, np.float32)
        _differences(now, then, change)
        return change


def copy_tiles(now: Plane, then: Plane, which: Mask) -> None:
    """Copy the tiles `which` from one plane into another, in place."""
    _copy(now, then, which)


def discs_px(
    mapping: PlaneMapping, at: Floats, radii_mm: Floats, height_mm: float
) -> Floats:
    """N x 3: x, y, r in pixels of discs (N x 2 places, N radii) at one height."""
    found = np.empty((len(at), 3))
    see_discs(*numbers_of(mapping), at, radii_mm, height_mm, found)
    return found


@compiled
def difference_of_row(
    now: Plane, then: Plane, row: int, columns: NDArray[np.uint16], out: Differences
) -> None:
    """One row of tiles; `columns` is room for one sum per column of pixels.

    Pixels are summed down first and then across, so that the inner loop has no sum
    to carry and runs in vectors.
    """
    columns[:] = 0
    for y in range(row * TILE_ROWS, (row + 1) * TILE_ROWS):
        for x in range(len(columns)):
            a, b = now[y, x], then[y, x]
            columns[x] += np.uint16(max(a, b) - min(a, b))
    for tile in range(out.shape[1]):
        total = np.uint32(0)
        for x in range(tile * TILE_PX, (tile + 1) * TILE_PX):
            total += np.uint32(columns[x])
        out[row, tile] = np.float32(total) / np.float32(TILE_PX * TILE_ROWS)


@compiled
def _differences(now: Plane, then: Plane, out: Differences) -> None:
    columns = np.empty(now.shape[1], np.uint16)
    for row in range(out.shape[0]):
        difference_of_row(now, then, row, columns, out)


@compiled
def _copy(now: Plane, then: Plane, which: Mask) -> None:
    rows, columns = which.shape
    for row in range(rows):
        for column in range(columns):
            if not which[row, column]:
                continue
            for y in range(row * TILE_ROWS, (row + 1) * TILE_ROWS):
                for x in range(column * TILE_PX, (column + 1) * TILE_PX):
                    then[y, x] = now[y, x]


@compiled
def _span(centre: float, radius: float, start: int, count: int) -> tuple[int, int]:
    """The tiles (first, end) along one axis that a disc's square reaches."""
    first = np.floor((centre - radius - start) / TILE_PX)
    last = np.floor((centre + radius - start) / TILE_PX)
    return int(max(first, 0.0)), int(min(last + 1.0, float(count)))


@compiled
def _apart(tile: int, start: int, centre: float) -> float:
    """How far a disc's centre is from a tile along one axis, pixels."""
    middle = start + TILE_PX * (tile + 0.5)
    return max(abs(centre - middle) - TILE_PX / 2, 0.0)


@compiled
def _cover(discs: Floats, left: int, top: int, found: Mask) -> None:
    for n in range(len(discs)):
        x, y, r = discs[n, 0], discs[n, 1], discs[n, 2]
        first, end = _span(x, r, left, found.shape[1])
        above, below = _span(y, r, top, found.shape[0])
        for row in range(above, below):
            for column in range(first, end):
                across, down = _apart(column, left, x), _apart(row, top, y)
                if across * across + down * down <= r * r:
                    found[row, column] = True


@compiled
def _reach(
    discs: Floats, left: int, top: int, mask: Mask, found: NDArray[np.bool_]
) -> None:
    for n in range(len(discs)):
        x, y, r = discs[n, 0], discs[n, 1], discs[n, 2]
        first, end = _span(x, r, left, mask.shape[1])
        above, below = _span(y, r, top, mask.shape[0])
        for row in range(above, below):
            for column in range(first, end):
                across, down = _apart(column, left, x), _apart(row, top, y)
                if mask[row, column] and across * across + down * down <= r * r:
                    found[n] = True
