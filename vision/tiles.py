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
from vision.frames import Image

TILE_PX = 16
ROW_STEP = 4
"""Every fourth row is looked at: a quarter of the cost, which is the picture's way from
memory; 64 pixels a tile leave an eighth of a pixel's noise."""
TILE_ROWS = TILE_PX // ROW_STEP

Floats = NDArray[np.float64]
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

    def touching(self, discs_px: Floats) -> NDArray[np.bool_]:
        """N x rows x columns: which tiles each disc (N x 3: x, y, r) touches."""
        x = self.left_px + TILE_PX * (np.arange(self.columns) + 0.5)
        y = self.top_px + TILE_PX * (np.arange(self.rows) + 0.5)
        across = np.maximum(np.abs(discs_px[:, :1] - x) - TILE_PX / 2, 0.0) ** 2
        down = np.maximum(np.abs(discs_px[:, 1:2] - y) - TILE_PX / 2, 0.0) ** 2
        reach = discs_px[:, 2] ** 2
        gap: Floats = down[:, :, None] + across[:, None, :]
        return np.asarray(gap <= reach[:, None, None], np.bool_)

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
    if not len(at):
        return np.empty((0, 3))
    east = np.column_stack([radii_mm, np.zeros(len(at))])
    both = mapping.to_px(np.concatenate([at, at + east]), height_mm)
    centres, rims = both[: len(at)], both[len(at) :]
    return np.column_stack([centres, np.hypot(*(rims - centres).T)])


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
