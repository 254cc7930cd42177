"""Knows which tiles changed, and when the table has come to rest.

The gate compares each frame with the last picture of each tile that was worked
on, never with the frame before: a piece creeping a tenth of a millimetre per
frame would otherwise never be noticed.
"""

from dataclasses import dataclass, field
from math import inf

import numpy as np

from vision.compiled import compiled
from vision.tiles import (
    Differences,
    Mask,
    Plane,
    Tiles,
    copy_tiles,
    difference_of_row,
)

NOISE_SHARE = 1.35
"""A tile fires above this multiple of its usual difference ..."""
LEAST_CHANGE = 2.0
"""... plus this many grey values: half a millimetre of a coin's edge."""
LEARNING = 0.05
"""How much one frame teaches about a tile's usual difference."""


@dataclass(slots=True)
class TileGate:
    """Remembers each tile as it was last worked on; says which changed since."""

    tiles: Tiles
    usual: Differences = field(init=False)
    """Difference between two pictures of a tile in which nothing moved."""
    _then: Plane | None = field(default=None, init=False)
    _taught: bool = field(default=False, init=False)
    _same: int = field(default=0, init=False)
    _last_total: float = field(default=-1.0, init=False)
    _count: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self.usual = np.zeros(self.tiles.shape, np.float32)

    def fired(self, now: Plane) -> Mask:
        """Tiles that differ from their last accepted picture by more than noise."""
        if self._then is None:
            self._then = now.copy()
            self._count = self.usual.size
            return np.ones(self.tiles.shape, np.bool_)
        if not self._taught:
            change = self.tiles.differences(now, self._then)
            self.usual = np.minimum(change, np.median(change))
            self._taught = True
        fired = np.empty(self.tiles.shape, np.bool_)
        total, self._count = _fire(now, self._then, self.usual, fired)
        self._count_same(total)
        return fired

    def accept(self, now: Plane, which: Mask) -> None:
        """Take these tiles as worked on: later frames are compared with this one."""
        if self._then is None:
            self._then = now.copy()
        else:
            copy_tiles(now, self._then, which)

    def forget(self) -> None:
        """The picture has moved: every tile fires in the next frame."""
        self._then = None

    @property
    def count(self) -> int:
        """How many tiles fired in the last frame."""
        return self._count

    @property
    def same_frames(self) -> int:
        """How many frames in a row were the same to the last grey value."""
        return self._same

    def _count_same(self, total: float) -> None:
        self._same = self._same + 1 if total == self._last_total else 0
        self._last_total = total


@dataclass(slots=True)
class Stillness:
    """Knows when something has been at rest long enough, by the frames' clock."""

    quiet_s: float
    moved_at_s: float = field(default=-inf, init=False)

    def at_rest(self, at_s: float, *, moving: bool) -> bool:
        """Whether nothing has moved for `quiet_s` up to now."""
        if moving or self.moved_at_s == -inf:
            self.moved_at_s = at_s
        return at_s - self.moved_at_s >= self.quiet_s


@compiled
def _fire(
    now: Plane, then: Plane, usual: Differences, fired: Mask
) -> tuple[float, int]:
    """Which tiles fire; the others teach `usual`.

    Returns the whole difference and how many fired.
    """
    change = np.empty(usual.shape, np.float32)
    columns = np.empty(now.shape[1], np.uint16)
    total, count = 0.0, 0
    for row in range(usual.shape[0]):
        difference_of_row(now, then, row, columns, change)
        for tile in range(usual.shape[1]):
            here, noise = change[row, tile], usual[row, tile]
            total += here
            fired[row, tile] = here > NOISE_SHARE * noise + LEAST_CHANGE
            if fired[row, tile]:
                count += 1
            else:
                usual[row, tile] = noise + LEARNING * (here - noise)
    return total, count
