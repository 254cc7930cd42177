"""The empty table in today's light: soft shadows and lamps are not pieces.

A player who leans over the table takes a third of the light from part of it, and
every printed line there differs from the picture of the empty table. Blocks of bare
board change by one factor in all three colours; pieces, hands and print do not. The
factor is taken where the board is seen, spread smoothly to where it is not, and
applied wherever a picture is compared with the empty one.
"""

import cv2
import numpy as np

from vision.compiled import compiled
from vision.detect_spokes import BLOCK_PX, Bytes, Gains
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
    across, down = slice(window.left, window.right), slice(window.top, window.bottom)
    rows = down, across, slice(1, 2)
    return float(_noise(image[rows][::EVERY_ROW], empty[rows][::EVERY_ROW]))


def gains(before: Gains, now: Gains) -> Gains | None:
    """How much brighter each block is now; None when the light is as before.

    None, too, when too little of the board is seen to say.
    """
    weight, gain = (
        np.empty(now.shape[:2], np.float32),
        np.empty(now.shape[:2], np.float32),
    )
    _bare_gains(before, now, weight, gain)
    seen = cv2.GaussianBlur(weight, (0, 0), SPREAD_BLOCKS)
    if float(seen.max()) < LEAST_SEEN:
        return None
    spread = cv2.GaussianBlur(gain, (0, 0), SPREAD_BLOCKS)
    usual = gain.sum() / weight.sum()
    known = spread / np.maximum(seen, LEAST_SEEN)
    light = np.asarray(np.where(seen > LEAST_SEEN, known, usual), np.float32)
    return light if float(np.abs(light - 1.0).max()) >= WORTH_IT else None


@compiled
def _bare_gains(before: Gains, now: Gains, weight: Gains, gain: Gains) -> None:
    """Where blocks may show bare board (weight 1, else 0), and its gain there."""
    for y in range(weight.shape[0]):
        for x in range(weight.shape[1]):
            least, most, total = np.float32(1e9), np.float32(0.0), np.float32(0.0)
            for c in range(3):
                factor = (now[y, x, c] + 4.0) / (before[y, x, c] + 4.0)
                least, most = min(least, factor), max(most, factor)
                total += factor
            bare = most - least < ALIKE * most and least > DARKEST and most < BRIGHTEST
            weight[y, x] = 1.0 if bare else 0.0
            gain[y, x] = total / 3.0 if bare else 0.0


@compiled
def _noise(image: Bytes, empty: Bytes) -> float:
    """`noise` from some rows of both pictures."""
    counts = np.zeros(511, np.int64)
    rows, columns = image.shape[0], image.shape[1] - APART_PX
    for y in range(rows):
        for x in range(columns):
            here = np.int64(image[y, x, 0]) - np.int64(empty[y, x, 0])
            there = np.int64(image[y, x + APART_PX, 0])
            there -= np.int64(empty[y, x + APART_PX, 0])
            counts[abs(there - here)] += 1
    below, median = 0, 0
    while below + counts[median] <= rows * columns // 2:
        below += counts[median]
        median += 1
    most, total = 3 * median + 1, 0
    for change in range(511):
        total += min(change, most) * counts[change]
    return float(total / (rows * columns) * np.sqrt(np.pi) / 2)
