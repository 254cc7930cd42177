"""How much brighter each place of the table is now than at the last rest.

A lamp, the sun and a leaning player's soft shadow multiply what the table throws
back: by one factor in all three colours, which changes slowly from place to place. A
hand does neither. So the light is a smooth surface (a cubic in the picture's two axes)
fitted to those tiles alone whose three colours changed by one factor, and again
without those that lie far off it.
"""

import numpy as np
from numpy.typing import NDArray

from vision.compiled import compiled
from vision.frames import Image
from vision.tiles import ROW_STEP, TILE_PX, TILE_ROWS, Differences, Mask, Plane, Tiles

Colours = NDArray[np.float32]
"""rows x columns x 3: each tile's mean blue, green and red."""
Floats = NDArray[np.float64]
Light = NDArray[np.float32]
"""How many times as bright as then."""

DARK_GREY = 4.0
"""Added to both sides of a ratio: what is all but black says little of the light."""
ALIKE = 0.06
"""Where only the light changed the colours' factors differ by less than this share."""
DARKEST, BRIGHTEST = 0.5, 1.8
"""Beyond these, in grey values, it is no shadow and no lamp but another thing."""
STEPS = (0.4, 0.15, 0.06)
"""A tile so far off the light counts no more: first for a hard shadow, then less."""
LEAST_TILES = 60
"""Fewer tiles than these cannot tell ten numbers."""
EVERY = 2
"""Half the tiles tell ten numbers as well as all."""
TERMS = 10
"""Numbers of a cubic in two variables."""


class LightField:
    """Fits the light over one table's tiles."""

    def __init__(self, tiles: Tiles) -> None:
        self._tiles = tiles
        y, x = np.mgrid[-1.0 : 1.0 : tiles.rows * 1j, -1.0 : 1.0 : tiles.columns * 1j]
        self._terms = np.ascontiguousarray(_terms(x, y).reshape(-1, TERMS))

    def fit(self, ratios: Light, bare: Mask) -> Light:
        """The light at each tile by the `ratios` of the `bare` ones.

        Even, as bright as their middle, where they are too few to say more.
        """
        which = np.flatnonzero(bare)[::EVERY]
        if not len(which):
            return np.ones(self._tiles.shape, np.float32)
        seen, terms = ratios.reshape(-1)[which], self._terms[which]
        factors: Floats = np.zeros(TERMS)
        factors[0] = np.partition(seen, len(seen) // 2)[len(seen) // 2]
        for far in STEPS if len(which) >= LEAST_TILES else ():
            usual, right = 1e-3 * np.eye(TERMS), np.zeros(TERMS)
            if _weigh(seen, terms, factors, far, usual, right) < LEAST_TILES:
                break
            factors = np.asarray(np.linalg.solve(usual, right), np.float64)
        light = (self._terms @ factors).reshape(self._tiles.shape)
        return np.clip(light, DARKEST, BRIGHTEST).astype(np.float32)


def colours(image: Image, tiles: Tiles) -> Colours:
    """The mean colour of each tile, by the rows that a plane looks at."""
    found = np.empty((*tiles.shape, 3), np.float32)
    _colours(image, tiles.left_px, tiles.top_px, found)
    return found


def own_light(now: Colours, then: Colours) -> tuple[Light, Mask]:
    """How many times as bright each tile is, and whether all its colours are so."""
    own, alike = np.empty(now.shape[:2], np.float32), np.empty(now.shape[:2], np.bool_)
    _own(now, then, own, alike)
    return own, alike


def tints(now: Colours, then: Colours, light: Light) -> Differences:
    """How far each tile's mean colour, its worst, is from then in this light, grey."""
    found = np.empty(light.shape, np.float32)
    _tints(now, then, light, found)
    return found


def lit_differences(now: Plane, then: Plane, light: Light) -> Differences:
    """How far each tile differs from what it would look like in this light, grey."""
    change = np.empty(light.shape, np.float32)
    _lit(now, then, light, change)
    return change


def _terms(x: Floats, y: Floats) -> Floats:
    powers = [x**a * y**b for a in range(4) for b in range(4 - a)]
    return np.stack(powers, axis=-1)


@compiled
def _weigh(
    seen: Light,
    terms: Floats,
    factors: Floats,
    far: float,
    usual: Floats,
    right: Floats,
) -> int:
    """Add up the equations of one re-weighted fit; how many tiles have a say.

    `seen` N, `terms` N x TERMS; `usual` (TERMS x TERMS) and `right` are added to.
    """
    count = 0
    for n in range(len(seen)):
        off = float(seen[n])
        for k in range(TERMS):
            off -= terms[n, k] * factors[k]
        off = off / far
        if abs(off) >= 1.0:
            continue
        count += 1
        weight = (1.0 - off * off) ** 2
        for i in range(TERMS):
            term = weight * terms[n, i]
            right[i] += term * seen[n]
            for k in range(i + 1):
                usual[i, k] += term * terms[n, k]
    for i in range(TERMS):
        for k in range(i):
            usual[k, i] = usual[i, k]
    return count


@compiled
def _colours(image: Image, left: int, top: int, found: Colours) -> None:
    share = np.float32(1.0 / (TILE_PX * TILE_ROWS))
    for row in range(found.shape[0]):
        for column in range(found.shape[1]):
            blue, green, red = np.uint32(0), np.uint32(0), np.uint32(0)
            for y in range(top + row * TILE_PX, top + (row + 1) * TILE_PX, ROW_STEP):
                for x in range(left + column * TILE_PX, left + (column + 1) * TILE_PX):
                    blue += np.uint32(image[y, x, 0])
                    green += np.uint32(image[y, x, 1])
                    red += np.uint32(image[y, x, 2])
            found[row, column, 0] = blue * share
            found[row, column, 1] = green * share
            found[row, column, 2] = red * share


@compiled
def _own(now: Colours, then: Colours, own: Light, alike: Mask) -> None:
    for row in range(own.shape[0]):
        for column in range(own.shape[1]):
            least, most, total = np.float32(1e9), np.float32(0.0), np.float32(0.0)
            for c in range(3):
                factor = (now[row, column, c] + DARK_GREY) / (
                    then[row, column, c] + DARK_GREY
                )
                least, most = min(least, factor), max(most, factor)
                total += factor
            mean = total / 3
            own[row, column] = mean
            even = most - least < ALIKE * most
            alike[row, column] = even and DARKEST < mean < BRIGHTEST


@compiled
def _tints(now: Colours, then: Colours, light: Light, found: Differences) -> None:
    for row in range(found.shape[0]):
        for column in range(found.shape[1]):
            worst = np.float32(0.0)
            for c in range(3):
                lit = light[row, column] * then[row, column, c]
                worst = max(worst, abs(now[row, column, c] - lit))
            found[row, column] = worst


@compiled
def _lit(now: Plane, then: Plane, light: Light, change: Differences) -> None:
    """As `tiles.difference_of_row`: summed down first, so that it runs in vectors."""
    width = now.shape[1]
    gain, apart = np.empty(width, np.float32), np.empty(width, np.float32)
    for row in range(change.shape[0]):
        for x in range(width):
            gain[x] = light[row, x // TILE_PX]
            apart[x] = 0.0
        for y in range(row * TILE_ROWS, (row + 1) * TILE_ROWS):
            above, below = now[y], then[y]
            for x in range(width):
                seen, known = np.float32(above[x]), np.float32(below[x])
                apart[x] += abs(seen - gain[x] * known)
        for column in range(change.shape[1]):
            total = np.float32(0.0)
            for x in range(column * TILE_PX, (column + 1) * TILE_PX):
                total += apart[x]
            change[row, column] = total / np.float32(TILE_PX * TILE_ROWS)
