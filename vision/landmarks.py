"""Patches of the table that always look the same, and how one is found again.

The corners of the surface against the frame, the base circles and the arrows' tips.
Each is fitted by Gauss-Newton for shift, brightness and contrast, so that a lamp or a
soft shadow moves nothing. What lies inside the pockets counts for nothing: pieces in
all four nets once drew them towards the middle, which looked like a camera that rose.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import PlaneMapping
from calibration.table import Pocket, Seat, Table
from vision.frames import Image

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]
Place = tuple[float, float]

FINE_PX = 33
ROUNDS = 8
SETTLED_PX = 0.005
FARTHEST_PX = 3.0
"""A fine fit that runs further than this from where it began has lost its patch."""
AROUND_PX = FINE_PX / 2 + FARTHEST_PX + 2.0
"""Half the side of what a fit can come to see."""
WORST_FIT = 0.35
"""Most a patch may differ from its own picture, over its own contrast."""
FLAT = 3.0
"""A patch of less contrast (grey levels) than this shows nothing to hold on to."""
VAGUE_PX = 0.03
"""Most that a grey level of noise may move a patch; along a bare line it is far more."""
RIM_PX = 2.5
"""The picture's blur carries a net's filling this far beyond its pocket."""


@dataclass(frozen=True, slots=True)
class Landmark:
    """One patch: its middle, its template, and how a small change alters it."""

    centre: Place
    template: Floats
    slopes: Floats
    weights: Floats
    solver: Floats
    contrast: float


def landmarks(table: Table, mapping: PlaneMapping, grey: Grey) -> list[Landmark]:
    """The table's patches that this picture shows well enough to find them again."""
    nets = [_outline(table, mapping, pocket) for pocket in Pocket]
    patches = (_landmark(grey, at, nets) for at in _places_px(table, mapping))
    return [patch for patch in patches if patch is not None]


def find(image: Image, patch: Landmark, rough: Sequence[float]) -> Place | None:
    """Where the patch's middle lies in this picture; None when it is not there.

    `rough` is how far everything seems to have moved.
    """
    x0, y0 = patch.centre[0] + rough[0], patch.centre[1] + rough[1]
    left, top = (max(int(c - AROUND_PX), 0) for c in (x0, y0))
    grey = in_grey(image[top : int(y0 + AROUND_PX) + 1, left : int(x0 + AROUND_PX) + 1])
    if not grey.size:
        return None
    x, y = x0, y0
    for _ in range(ROUNDS):
        off = _soft(grey, (x - left, y - top)).ravel() - patch.template
        east, south, gain, level = patch.solver @ off
        scale = max(1.0 + float(gain), 0.2)
        step = float(east) / scale, float(south) / scale
        x, y = x - step[0], y - step[1]
        if np.hypot(x - x0, y - y0) > FARTHEST_PX:
            return None
        if np.hypot(*step) < SETTLED_PX:
            break
    left_over = off - patch.slopes @ np.array([east, south, gain, level])
    miss = _deviation(left_over, patch.weights) / scale
    return (x, y) if miss < WORST_FIT * patch.contrast else None


def in_grey(image: Image) -> Grey:
    """The green channel: half of what a sensor measures, and free to take."""
    return np.asarray(image[..., 1], np.float32)


def _places_px(table: Table, mapping: PlaneMapping) -> Iterator[Place]:
    for corner in table.corners:
        yield mapping.point_to_px(corner)
    for seat in Seat:
        for circle in table.base_circles(seat):
            yield mapping.point_to_px(circle.centre)
    for arrow in table.arrows():
        yield mapping.point_to_px(arrow.start)


def _outline(table: Table, mapping: PlaneMapping, pocket: Pocket) -> Floats:
    turn = np.linspace(0.0, 2.0 * np.pi, 24, endpoint=False)
    ring = table.pocket_radius_mm * np.column_stack([np.cos(turn), np.sin(turn)])
    return mapping.to_px(np.array(table.pocket_centres[pocket]) + ring)


def _landmark(grey: Grey, centre: Place, nets: Sequence[Floats]) -> Landmark | None:
    """What must be known of a patch beforehand; None where nothing can be seen."""
    height, width = grey.shape
    reach = FINE_PX / 2 + FARTHEST_PX
    inside = reach <= centre[0] < width - reach and reach <= centre[1] < height - reach
    if not inside:
        return None
    template = _soft(grey, centre)
    weights = _window() * _outside(nets, centre)
    down, across = np.gradient(template)
    plain = template.ravel()
    contrast = _deviation(plain - np.average(plain, weights=weights), weights)
    if contrast < FLAT:
        return None
    ones = np.ones(template.size)
    slopes = np.stack([across.ravel(), down.ravel(), plain, ones], axis=1)
    weighted = slopes * weights[:, None]
    solver = np.asarray(np.linalg.solve(slopes.T @ weighted, weighted.T), np.float64)
    vague = np.linalg.norm(solver[:2] @ solver[:2].T, 2) ** 0.5
    if vague > VAGUE_PX:
        return None
    return Landmark(centre, plain, slopes, weights, solver, contrast)


def _outside(nets: Sequence[Floats], centre: Place) -> Floats:
    """1 for every pixel of a patch that shows no inside of a pocket, 0 for others."""
    mask = np.ones((FINE_PX, FINE_PX), np.uint8)
    corner = np.array(centre) - (FINE_PX - 1) / 2
    for net in nets:
        outline = np.rint(net - corner).astype(np.int32)
        cv2.fillConvexPoly(mask, outline, 0)
        cv2.polylines(mask, [outline], True, 0, round(2 * RIM_PX))
    return np.asarray(mask, np.float64).ravel()


def _soft(grey: Grey, centre: Place) -> Floats:
    """The patch round a place, blurred a little: less noise, and slopes to follow."""
    seen = cv2.getRectSubPix(grey, (FINE_PX, FINE_PX), centre)
    return np.asarray(cv2.GaussianBlur(seen, (0, 0), 1.0), np.float64)


def _deviation(off: Floats, weights: Floats) -> float:
    return float(np.sqrt((weights @ (off * off)) / weights.sum()))


@cache
def _window() -> Floats:
    window = cv2.createHanningWindow((FINE_PX, FINE_PX), cv2.CV_64F)
    return np.asarray(window, np.float64).ravel()
