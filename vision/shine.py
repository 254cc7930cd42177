"""The colour a piece would show in the table's usual light, without the lamps' shine.

Theory. A lamp's mirror image adds white light to whatever is smooth, a waxed board
and a lacquered coin alike, and lamps light one place more than another. What both do
to the bare board is known from the empty table: in linear light its colour there is
`light * usual + shine`, and three channels tell the two apart because wood is not
grey. So a black coin in glare is black again, and a coin in a dim corner as pale as
its like under the lamp. Frame and pockets are another matter and tell nothing of the
light on a coin beside them: there the nearest piece of board does.
"""

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import distance_transform_edt

from vision.compiled import compiled
from vision.detect_spokes import BLOCK_PX, Floats, Gains

GAMMA = 2.2
PRINT_BLOCKS = 5
"""Lines and circles of the print vanish in a median over so many blocks."""
DIMMEST = 0.2
"""Less light than this, of the usual, is another thing: a frame, a pocket."""

SAME: Gains = np.ones((1, 1), np.float32)
DOUBTFUL = 3.0
"""Shine less than this many times what wood of another tone passes for is none: taken
from a black coin it would leave it red. Shine below zero is nothing but that."""


class Shine:
    """Light and shine over one table, by blocks from pixel left, top on."""

    def __init__(
        self, blocks: Gains, surface: NDArray[np.bool_], left: int, top: int
    ) -> None:
        """`blocks`: the empty table's mean colour (rows x columns x 3) per block.

        `surface`: which of them (rows x columns) show nothing but playing surface.
        """
        spread = cv2.medianBlur(_spread(blocks, surface), PRINT_BLOCKS)
        board = np.asarray(spread, np.float32)
        self.usual: Floats = np.median(board.reshape(-1, 3), axis=0).astype(np.float64)
        """The bare board's colour (3,), BGR 0 to 255."""
        self._at = (left, top)
        self._light, self._shine = _split(_linear(board), _linear(self.usual))

    def without(
        self, colours: Floats, places_px: Floats, gains: Gains | None
    ) -> Floats:
        """Colours (N x 3) seen at pixels (N x 2), as in the usual light.

        `gains`: how much brighter it is now than on the empty picture, by blocks.
        """
        bare = np.empty((len(colours), 3))
        _unlit(
            np.asarray(colours, np.float64),
            places_px,
            *self._at,
            SAME if gains is None else gains,
            self._light,
            self._shine,
            bare,
        )
        return bare


def block_corners(shape: tuple[int, int], left: int, top: int) -> Floats:
    """Where the corners of each block lie, px: rows x columns x 4 x 2."""
    y, x = np.mgrid[: shape[0], : shape[1]]
    first = np.stack([x, y], axis=-1)[:, :, None] + [(0, 0), (1, 0), (1, 1), (0, 1)]
    return np.asarray(first * float(BLOCK_PX) + (left, top), np.float64)


@compiled
def _unlit(
    colours: Floats,
    places: Floats,
    left: int,
    top: int,
    gains: Gains,
    light: Floats,
    shine: Floats,
    bare: Floats,
) -> None:
    rows, columns = light.shape
    for n in range(len(colours)):
        i = min(max(int((places[n, 0] - left) / BLOCK_PX), 0), columns - 1)
        j = min(max(int((places[n, 1] - top) / BLOCK_PX), 0), rows - 1)
        gain = gains[j, i] if gains.size > 1 else gains[0, 0]
        for c in range(3):
            seen = (max(colours[n, c] / gain, 0.0) / 255.0) ** GAMMA
            own = max(seen - shine[j, i], 0.0) / light[j, i]
            bare[n, c] = 255.0 * min(own, 1.0) ** (1 / GAMMA)


def _spread(blocks: Gains, surface: NDArray[np.bool_]) -> Gains:
    """The blocks with each one off the surface like the nearest on it."""
    if not surface.any():
        return blocks
    _, (row, column) = distance_transform_edt(~surface, return_indices=True)
    return np.asarray(blocks[row, column], np.float32)


def _split(board: Floats, usual: Floats) -> tuple[Floats, Floats]:
    """Light and shine per block that make the usual colour (3,) the board's, at best."""
    mean = usual.mean()
    spread = usual - mean
    level = board.mean(axis=2)
    light = (board * spread).sum(axis=2) / max(float((spread**2).sum()), 1e-9)
    shine = level - light * mean
    wood = DOUBTFUL * np.sqrt(np.mean(np.minimum(shine, 0.0) ** 2))
    shine = np.maximum(shine - wood, 0.0)
    return np.maximum((level - shine) / mean, DIMMEST), shine


def _linear(colours: Floats | Gains) -> Floats:
    return np.asarray((np.maximum(colours, 0.0) / 255.0) ** GAMMA, np.float64)
