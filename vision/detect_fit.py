"""The known-radius edge fit: where exactly a disc lies, given roughly where.

Theory. A piece's radius is known in millimetres and the mapping is known, so the
only unknown is its centre. Spokes run through the expected rim; along each, the
strongest brightness or colour steps are kept, falling and rising ones apart
(`detect_spokes`). The centre is then the place that puts most of those steps on
the rims of a short cylinder (`detect_outline`).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from calibration.plane import PlaneMapping
from calibration.table import Point
from vision.detect_places import numbers_of, place_all
from vision.detect_rim import fit_all

Floats = NDArray[np.float64]
Bytes = NDArray[np.uint8]
Gains = NDArray[np.float32]

REACH_MM = 5.6
"""How far from the expected rim steps are looked for."""

NO_REFERENCE: Bytes = np.zeros((1, 1, 3), np.uint8)
NO_RIVALS: Floats = np.empty((0, 2))


class Light(NamedTuple):
    """How much brighter than on the empty picture: blocks, from pixel left, top on."""

    gains: Gains
    left: int
    top: int


SAME_LIGHT = Light(np.ones((1, 1), np.float32), 0, 0)


class Fits(NamedTuple):
    """What the fit found at each place, N long."""

    shift_mm: Floats
    """N x 2: from the expected to the fitted centre."""
    support: Floats
    """Share of spokes (0 to 1) whose step agrees with the fitted circle."""
    change: Floats
    """Mean difference to the empty table inside the disc; 0 without one."""


class Places(NamedTuple):
    """Expected discs as the kernel wants them: N places of one or more kinds."""

    centres_px: Floats
    """N x 2."""
    affines: Floats
    """N x 2 x 2: mm (east, north) to pixels around each centre."""
    radii_mm: Floats
    bases_mm: Floats
    """N x 2: from the top's centre to the base's, as seen in the top's plane."""


def places(
    mapping: PlaneMapping, points_mm: Floats, radii_mm: Floats, heights_mm: Floats
) -> Places:
    """Where discs would be seen: points N x 2, radii and heights of their tops N."""
    surface, camera, bend = numbers_of(mapping)
    centres, affines = np.empty((len(points_mm), 2)), np.empty((len(points_mm), 2, 2))
    place_all(surface, camera, bend, points_mm, heights_mm, centres, affines)
    lean = heights_mm[:, None] / camera[2]
    return Places(centres, affines, radii_mm, lean * (camera[:2] - points_mm))


def shifted(expected: Places, shift_mm: Floats, kept: Sequence[int]) -> Places:
    """The fitted discs: the expected ones of index `kept`, moved by their shifts."""
    rows = np.array(kept, np.intp)
    centres, affines, radii, bases = (part[rows] for part in expected)
    steps = np.einsum("nij,nj->ni", affines, shift_mm[rows])
    return Places(centres + steps, affines, radii, bases)


def fit(
    image: Bytes,
    empty: Bytes | None,
    expected: Places,
    noise: float,
    reach_mm: float = REACH_MM,
    light: Light | None = None,
    rivals_mm: Floats = NO_RIVALS,
    overlap_mm: float = 0.0,
) -> Fits:
    """Fit every expected disc; `noise` is the frame's grey-level deviation.

    `light`: how it differs from the light on the empty table's picture. `rivals_mm`:
    the expected centres (N x 2), the likeliest first, when no two pieces overlap by
    more than `overlap_mm`: what an evident piece rules out is hardly looked at.
    """
    count = len(expected.radii_mm)
    out = np.zeros((count, 4))
    fit_all(
        image,
        NO_REFERENCE if empty is None else empty,
        empty is not None,
        *(light or SAME_LIGHT),
        *expected,
        rivals_mm,
        overlap_mm,
        noise,
        reach_mm,
        out,
    )
    return Fits(out[:, :2], out[:, 2], out[:, 3])


def moved(at: Point, shift_mm: Floats) -> Point:
    """The fitted centre."""
    return Point(at.x_mm + float(shift_mm[0]), at.y_mm + float(shift_mm[1]))
