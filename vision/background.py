"""The empty table, composed over time from what was seen of it.

At every count, tiles of the surface that hold no piece, no shadow and no hand show
the bare board. Once every tile has been seen bare the picture is whole, and the
detector may tell print from pieces by it. Later counts keep it in step with slowly
changing light; a tile that suddenly differs is left alone, for a piece that a
census overlooked must not become part of the table.
"""

import numpy as np
from numpy.typing import NDArray

from vision.compiled import compiled
from vision.frames import Image
from vision.tiles import TILE_PX, Mask, Tiles

FRESH = 0.25
"""Share of a new picture in a tile that is kept in step."""
SAME_GREY = 10.0
"""A tile that differs more than this from its bare picture is not bare."""

Flags = NDArray[np.uint8]
"""A mask as the kernels take it: rows x columns of tiles, 0 or 1."""


class Background:
    """A picture of the empty table that grows and is kept up to date."""

    def __init__(self, tiles: Tiles, surface: Mask, empty: Image | None) -> None:
        """`empty` is a picture of the empty table if there is one."""
        self._tiles = tiles
        self._surface = surface
        self._known: Mask = np.zeros(tiles.shape, np.bool_)
        self._picture: Image | None = None
        self.renew(empty)

    @property
    def whole(self) -> Image | None:
        """The empty table, once all of its surface has been seen bare."""
        return self._picture if self._known[self._surface].all() else None

    def renew(self, empty: Image | None) -> None:
        """Take another picture of the empty table; None: begin anew."""
        self._known[:] = empty is not None
        self._picture = None if empty is None else empty.copy()

    def learn(self, image: Image, bare: Mask) -> None:
        """Take the tiles in which a picture shows the bare table."""
        if self._picture is None:
            self._picture = image.copy()
        _learn(
            image,
            self._picture,
            bare.view(np.uint8),
            self._known.view(np.uint8),
            self._tiles.left_px,
            self._tiles.top_px,
        )
        self._known |= bare


@compiled
def _learn(
    now: Image, then: Image, bare: Flags, known: Flags, left: int, top: int
) -> None:
    rows, columns = bare.shape
    for row in range(rows):
        for column in range(columns):
            if not bare[row, column]:
                continue
            y, x = top + row * TILE_PX, left + column * TILE_PX
            if not known[row, column]:
                _mix(now, then, y, x, 1.0)
            elif abs(_change(now, then, y, x)) < SAME_GREY:
                _mix(now, then, y, x, FRESH)


@compiled
def _change(now: Image, then: Image, top: int, left: int) -> float:
    """Mean change of a tile over all its pixels and channels, grey values."""
    total = 0
    for y in range(top, top + TILE_PX):
        for x in range(left, left + TILE_PX):
            for c in range(3):
                total += int(now[y, x, c]) - int(then[y, x, c])
    return total / (3 * TILE_PX * TILE_PX)


@compiled
def _mix(now: Image, then: Image, top: int, left: int, share: float) -> None:
    """Take a share of a new picture into a tile, rounded to the nearest."""
    for y in range(top, top + TILE_PX):
        for x in range(left, left + TILE_PX):
            for c in range(3):
                old = float(then[y, x, c])
                then[y, x, c] = np.uint8(old + share * (now[y, x, c] - old) + 0.5)
