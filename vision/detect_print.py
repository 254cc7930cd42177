"""What is printed on the board, told from what lies on it by symmetry.

Theory. A board's print repeats under quarter turns and mirrorings of the table:
eight base circles, four arrows, one centre. Pieces do not: not even the opening
rack survives a quarter turn. So a disc that finds its like at two or more of its
four quarter-turned places is print, whatever the maker drew there. A disc at the
very centre is its own image; it is print when it has the colour of discs already
known to be print.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.detect_discs import Discs, Rims
from vision.detect_fit import Bytes, Floats
from vision.detect_topview import SCALE

SEARCH_MM = 8.0
"""Print is off by this much when corners are pointed at carelessly."""
ALIKE = 0.6
"""Two discs are alike when they differ by less than this share of what they
differ from the board; a piece against bare wood differs by all of it."""
SAME_INK = 0.3
"""The same for the colours of two printed discs: the ink is one ink."""
SHADE = (0.65, 1.5)
"""How much darker or lighter the same ink may look at the table's middle."""
QUARTER_MATCHES = 2
CENTRE_MM = 9.0
"""A disc this near to the centre has no other place to be compared with."""

Flags = NDArray[np.bool_]


def printed(image: Bytes, discs: Discs, rims: Rims, in_hole: Flags) -> Flags:
    """Which discs (N) of a view from above belong to the board itself.

    `in_hole` (N) says which lie over a pocket: part of the board, but not ink.
    """
    turned = [np.ascontiguousarray(view) for view in _quarter_turns(image)]
    flags = np.zeros(len(discs.radii), np.bool_)
    central = _central(image, discs)
    for n in np.flatnonzero(~central):
        like = sum(_unlike(image, view, discs, rims, int(n)) < ALIKE for view in turned)
        flags[n] = like >= QUARTER_MATCHES
    known = rims.colour[flags & ~in_hole]
    for n in np.flatnonzero(central):
        flags[n] = _has_colour_of(rims, int(n), known)
    return flags


def _quarter_turns(image: Bytes) -> tuple[Bytes, Bytes, Bytes, Bytes]:
    """The symmetries that mix the table's two axes: no rack survives one."""
    return (
        np.rot90(image, 1),
        np.rot90(image, 3),
        image.transpose(1, 0, 2),
        np.rot90(image, 2).transpose(1, 0, 2),
    )


def _central(image: Bytes, discs: Discs) -> Flags:
    middle = (np.array(image.shape[1::-1]) - 1) / 2
    away = np.linalg.norm(discs.centres - middle, axis=1)
    return np.asarray(away < CENTRE_MM * SCALE, np.bool_)


def _unlike(image: Bytes, turned: Bytes, discs: Discs, rims: Rims, n: int) -> float:
    """How unlike the disc the best place near its turned image is."""
    x, y = (round(float(v)) for v in discs.centres[n])
    reach = round(1.15 * float(discs.radii[n]))
    wide = reach + round(SEARCH_MM * SCALE)
    rows, columns = image.shape[:2]
    if min(x, y) < wide or x + wide >= columns or y + wide >= rows:
        return 1.0
    patch = image[y - reach : y + reach + 1, x - reach : x + reach + 1]
    around = turned[y - wide : y + wide + 1, x - wide : x + wide + 1]
    disc = np.zeros((*patch.shape[:2], 3), np.uint8)
    cv2.circle(disc, (reach, reach), reach, (1, 1, 1), -1)
    misses = cv2.matchTemplate(around, patch, cv2.TM_SQDIFF, mask=disc)
    board = rims.outside[n].astype(np.float32)
    own = float((((patch - board) ** 2) * disc).sum())
    return float(np.sqrt(max(float(misses.min()), 0.0) / max(own, 1.0)))


def _has_colour_of(rims: Rims, n: int, known: Floats) -> bool:
    """Whether the disc has a known ink's colour, in whatever light falls there."""
    if not len(known):
        return False
    colour = rims.colour[n]
    contrast = float(np.abs(colour - rims.outside[n]).max())
    light = (known @ colour) / np.maximum((known * known).sum(axis=1), 1.0)
    lit = known * np.clip(light, *SHADE)[:, None]
    nearest = float(np.abs(lit - colour).max(axis=1).min())
    return nearest < SAME_INK * contrast
