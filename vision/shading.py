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

from vision.detect_votes import Window
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


def relit(empty: Image, image: Image, window: Window) -> Image | None:
    """The empty table as lit in `image`, in the window; None when lit as before."""
    gains = _gains(window.cut(empty), window.cut(image))
    if gains is None or float(np.abs(gains - 1.0).max()) < WORTH_IT:
        return None
    size = (window.right - window.left, window.bottom - window.top)
    smooth = cv2.resize(gains, size, interpolation=cv2.INTER_LINEAR)
    lit = empty.copy()
    part = window.cut(lit)
    bright = part * smooth[..., None] + 0.5
    part[:] = np.minimum(bright, 255).astype(np.uint8)
    return lit


def _gains(empty: Image, image: Image) -> Gains | None:
    """How much brighter each block is; None when too little of the board is seen."""
    before, now = _blocks(empty), _blocks(image)
    factors = (now + 4.0) / (before + 4.0)
    least, most = factors.min(axis=2), factors.max(axis=2)
    bare = (most - least < ALIKE * most) & (least > DARKEST) & (most < BRIGHTEST)
    weight = bare.astype(np.float32)
    gain = np.asarray(factors.mean(axis=2) * weight, np.float32)
    seen = cv2.GaussianBlur(weight, (0, 0), SPREAD_BLOCKS)
    if float(seen.max()) < LEAST_SEEN:
        return None
    spread = cv2.GaussianBlur(gain, (0, 0), SPREAD_BLOCKS)
    usual = float(gain.sum() / weight.sum())
    return np.asarray(
        np.where(seen > LEAST_SEEN, spread / np.maximum(seen, LEAST_SEEN), usual),
        np.float32,
    )


def _blocks(image: Image) -> Gains:
    height, width = image.shape[:2]
    size = (max(1, width // BLOCK_PX), max(1, height // BLOCK_PX))
    small = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)
