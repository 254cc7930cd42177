"""The empty table in today's light: soft shadows and lamps are not pieces.

A player who leans over the table takes a third of the light from part of it, and
every printed line there differs from the picture of the empty table. Blocks of bare
board change by one factor in all three colours; pieces, hands and print do not. The
factor is taken where the board is seen, spread smoothly to where it is not, and
applied to the empty picture.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.compiled import compiled
from vision.detect_votes import HALF, Window
from vision.frames import Image

Gains = NDArray[np.float32]

BLOCK_PX = 16
DARKEST, BRIGHTEST = 0.45, 1.6
"""Beyond these, in grey values, it is no shadow and no lamp but another thing."""
ALIKE = 0.05
"""Bare board: the colours' factors differ by less than this share."""
SPREAD_BLOCKS = 1.5
LEAST_SEEN = 0.02
WORTH_IT = 0.04
"""A light this even is left alone."""
FRACTION = 256.0
"""Gains are whole 256ths while they are applied."""


def blocks(halved: Image) -> Gains:
    """The mean colour (rows x columns x 3) of each block of a halved picture."""
    side = BLOCK_PX // HALF
    height, width = (max(side, n - n % side) for n in halved.shape[:2])
    size = (width // side, height // side)
    small = cv2.resize(halved[:height, :width], size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


def gains(before: Gains, now: Gains) -> Gains | None:
    """How much brighter each block is now; None when the light is as before.

    None, too, when too little of the board is seen to say.
    """
    factors = (now + 4.0) / (before + 4.0)
    least, most = factors.min(axis=2), factors.max(axis=2)
    bare = (most - least < ALIKE * most) & (least > DARKEST) & (most < BRIGHTEST)
    weight = bare.astype(np.float32)
    gain = np.asarray(factors.mean(axis=2) * weight, np.float32)
    seen = cv2.GaussianBlur(weight, (0, 0), SPREAD_BLOCKS)
    if float(seen.max()) < LEAST_SEEN:
        return None
    spread = cv2.GaussianBlur(gain, (0, 0), SPREAD_BLOCKS)
    usual = gain.sum() / weight.sum()
    known = spread / np.maximum(seen, LEAST_SEEN)
    light = np.asarray(np.where(seen > LEAST_SEEN, known, usual), np.float32)
    return light if float(np.abs(light - 1.0).max()) >= WORTH_IT else None


def relit(empty: Image, light: Gains, window: Window) -> Image:
    """The empty table's picture with the window lit by so many times as much."""
    lit = empty.copy()
    size = (window.right - window.left, light.shape[0])
    across = cv2.resize(light, size, interpolation=cv2.INTER_LINEAR)
    _relight(
        empty,
        across * np.float32(FRACTION),
        window.left,
        window.top,
        window.bottom,
        lit,
    )
    return lit


@compiled
def _relight(
    empty: Image, across: Gains, left: int, top: int, bottom: int, lit: Image
) -> None:
    """Apply gains, known per column and block row, in whole FRACTIONs."""
    last = across.shape[0] - 1
    row = np.empty(across.shape[1], np.int32)
    for y in range(top, bottom):
        at = min(max((y - top + 0.5) / BLOCK_PX - 0.5, 0.0), float(last))
        upper = min(int(at), last)
        lower = min(upper + 1, last)
        share = np.float32(at - upper)
        for x in range(row.size):
            above, below = across[upper, x], across[lower, x]
            row[x] = np.int32(above + share * (below - above))
        for x in range(row.size):
            for c in range(3):
                bright = (np.int32(empty[y, left + x, c]) * row[x] + 128) >> 8
                lit[y, left + x, c] = np.uint8(min(bright, 255))
