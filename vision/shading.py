"""The empty table in today's light: soft shadows and lamps are not pieces.

A player who leans over the table takes a third of the light from part of it, and
every printed line there differs from the picture of the empty table. Blocks of bare
board change by one factor in all three colours; pieces, hands and print do not. The
factor is taken where the board is seen, spread smoothly to where it is not, and
applied wherever a picture is compared with the empty one.
"""

import cv2
import numpy as np

from vision.detect_spokes import BLOCK_PX, Gains
from vision.detect_votes import HALF, Window
from vision.frames import Image

EVERY_ROW = 27
APART_PX = 4
"""Noise of neighbours is alike after a Bayer filter; so far apart it is not."""
DARKEST, BRIGHTEST = 0.45, 1.6
"""Beyond these, in grey values, it is no shadow and no lamp but another thing."""
ALIKE = 0.05
"""Bare board: the colours' factors differ by less than this share."""
SPREAD_BLOCKS = 1.5
LEAST_SEEN = 0.02
WORTH_IT = 0.04
"""A light this even is left alone."""


def blocks(halved: Image) -> Gains:
    """The mean colour (rows x columns x 3) of each block of a halved picture."""
    side = BLOCK_PX // HALF
    height, width = (max(side, n - n % side) for n in halved.shape[:2])
    size = (width // side, height // side)
    small = cv2.resize(halved[:height, :width], size, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.float32)


def noise(empty: Image, image: Image, window: Window) -> float:
    """The deviation (grey levels) of a picture's pixels, by what changed at random.

    Differences of changes, a few pixels apart, know nothing of light or print; pieces
    and hands are the few that are cut off.
    """
    rows = np.s_[window.top : window.bottom : EVERY_ROW, window.left : window.right, 1]
    change = image[rows].astype(np.int16) - empty[rows].astype(np.int16)
    apart = np.abs(change[:, APART_PX:] - change[:, :-APART_PX])
    usual = np.minimum(apart, 3 * np.median(apart) + 1).mean()
    return float(usual * np.sqrt(np.pi) / 2)


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
