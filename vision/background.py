"""The empty table, composed over time from what was seen of it.

At every count, tiles of the surface that hold no piece, no shadow and no hand show
the bare board. Once every tile has been seen bare the picture is whole, and the
detector may tell print from pieces by it. Later counts keep it in step with slowly
changing light; a tile that suddenly differs is left alone, for a piece that a
census overlooked must not become part of the table.
"""

import numpy as np

from vision.frames import Image
from vision.tiles import TILE_PX, Mask, Tiles

FRESH = 0.25
"""Share of a new picture in a tile that is kept in step."""
SAME_GREY = 10.0
"""A tile that differs more than this from its bare picture is not bare."""


class Background:
    """A picture of the empty table that grows and is kept up to date."""

    def __init__(self, tiles: Tiles, surface: Mask, empty: Image | None) -> None:
        """`empty` is a picture of the empty table if there is one."""
        self._tiles = tiles
        self._surface = surface
        self._known: Mask = np.full(tiles.shape, empty is not None)
        self._picture: Image | None = None if empty is None else empty.copy()

    @property
    def whole(self) -> Image | None:
        """The empty table, once all of its surface has been seen bare."""
        return self._picture if self._known[self._surface].all() else None

    def learn(self, image: Image, bare: Mask) -> None:
        """Take the tiles in which a picture shows the bare table."""
        if self._picture is None:
            self._picture = image.copy()
        for row, column in zip(*np.nonzero(bare), strict=True):
            self._learn_tile(image, int(row), int(column))
        self._known |= bare

    def _learn_tile(self, image: Image, row: int, column: int) -> None:
        assert self._picture is not None
        top = self._tiles.top_px + row * TILE_PX
        left = self._tiles.left_px + column * TILE_PX
        place = np.s_[top : top + TILE_PX, left : left + TILE_PX]
        now, then = image[place], self._picture[place]
        if not self._known[row, column]:
            self._picture[place] = now
            return
        change = now.astype(np.float32) - then
        if abs(float(change.mean())) < SAME_GREY:
            self._picture[place] = (then + FRESH * change + 0.5).astype(np.uint8)
