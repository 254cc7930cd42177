"""How far the picture has moved against a remembered one of the same table.

Theory. Twelve patches of the table that always look the same, four pockets and eight
base circles, are found again. Phase correlation round the pockets finds the rough
shift, however far up to half a patch; each patch is then fitted by Gauss-Newton for
shift, brightness and contrast, so that a lamp or a soft shadow moves nothing. A hand,
a piece or a net's filling spoils some patches; the others agree on one similarity
(shift, turn, scale), and too few that agree give no answer at all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import PlaneMapping
from calibration.table import Seat, Table
from vision.frames import Image

Floats = NDArray[np.float64]
Grey = NDArray[np.float32]

COARSE_PX = 64
FINE_PX = 33
CLEAR_PEAK = 0.1
"""Phase correlation below this has found nothing in common."""
ALIKE_PX = 1.0
"""Pockets of a moved camera agree this well about where it moved, at first."""
POCKETS_AGREEING = 3
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
AGREE_PX = 0.35
"""Patches that agree on one movement miss it by less than this."""
AGREEING = 7
"""Most of the twelve: five agreed once by chance, with a hand over the others."""


@dataclass(frozen=True, slots=True)
class Drift:
    """The similarity from the remembered picture's pixels to this one's.

    `matrix` is its 2 x 3 rows, `agreeing` how many patches say so, `spread_px` how
    far they miss it (root mean square).
    """

    matrix: tuple[tuple[float, float, float], tuple[float, float, float]]
    agreeing: int
    spread_px: float

    def forward(self, points_px: Floats) -> Floats:
        """Where points (N x 2) of the remembered picture are now."""
        rows = np.array(self.matrix)
        return np.asarray(points_px @ rows[:, :2].T + rows[:, 2])

    def since(self, earlier: "Drift") -> "Drift":
        """From where the picture was at an earlier drift to where it is at this one."""
        now, then = (np.vstack([d.matrix, (0.0, 0.0, 1.0)]) for d in (self, earlier))
        (a, b, c), (d, e, f), _ = (now @ np.linalg.inv(then)).tolist()
        return Drift(((a, b, c), (d, e, f)), self.agreeing, self.spread_px)

    def back(self, image: Image) -> Image:
        """The picture as it would have been taken from the old place."""
        size = (image.shape[1], image.shape[0])
        rows = np.array(self.matrix)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        moved = cv2.warpAffine(
            image, rows, size, flags=flags, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(moved, np.uint8)

    def ahead(self, image: Image) -> Image:
        """The remembered picture (or another of its place) as it would look now."""
        size = (image.shape[1], image.shape[0])
        moved = cv2.warpAffine(
            image, np.array(self.matrix), size, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(moved, np.uint8)


NO_DRIFT = Drift(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)), 0, 0.0)


@dataclass(frozen=True, slots=True)
class _Patch:
    """One patch: its middle, its template, and how a small change alters it."""

    centre: tuple[float, float]
    template: Grey
    slopes: Floats
    solver: Floats
    contrast: float


class Registration:
    """Remembers one picture of a table and measures later ones against it."""

    def __init__(self, table: Table, mapping: PlaneMapping, picture: Image) -> None:
        """`picture`: the empty table, or the table at rest where it is not empty."""
        grey = _grey(picture)
        pockets = [mapping.point_to_px(at) for at in table.pocket_centres.values()]
        circles = [
            mapping.point_to_px(circle.centre)
            for seat in Seat
            for circle in table.base_circles(seat)
        ]
        self._window = cv2.createHanningWindow((COARSE_PX, COARSE_PX), cv2.CV_32F)
        self._corners = [_corner(at, grey.shape) for at in pockets]
        self._coarse = self._coarse_patches(picture)
        patches = (_patch(grey, at) for at in (*pockets, *circles))
        self._patches = [patch for patch in patches if patch is not None]

    def measure(self, image: Image) -> Drift | None:
        """How this picture has moved; None when too little of the table agrees."""
        rough = self._rough_shift(image)
        if rough is None:
            return None
        pairs = [
            (patch.centre, found)
            for patch in self._patches
            if (found := _find(image, patch, rough)) is not None
        ]
        return _agreed(pairs)

    def _rough_shift(self, image: Image) -> tuple[float, float] | None:
        moves = []
        for then, now in zip(self._coarse, self._coarse_patches(image), strict=True):
            # phaseCorrelate multiplies its inputs by the window: never the template.
            (x, y), peak = cv2.phaseCorrelate(then.copy(), now, self._window)
            if peak > CLEAR_PEAK:
                moves.append((x, y))
        if len(moves) < POCKETS_AGREEING:
            return None
        middle = np.median(np.array(moves), axis=0)
        off = np.hypot(*(np.array(moves) - middle).T)
        if int((off < ALIKE_PX).sum()) < POCKETS_AGREEING:
            return None
        return float(middle[0]), float(middle[1])

    def _coarse_patches(self, image: Image) -> list[Grey]:
        size = COARSE_PX
        return [_grey(image[y : y + size, x : x + size]) for x, y in self._corners]


def _grey(image: Image) -> Grey:
    """The green channel: half of what a sensor measures, and free to take."""
    return np.asarray(image[..., 1], np.float32)


def _corner(centre: tuple[float, float], shape: tuple[int, ...]) -> tuple[int, int]:
    x, y = (round(c - COARSE_PX / 2) for c in centre)
    height, width = shape[:2]
    return (
        min(max(x, 0), max(width - COARSE_PX, 0)),
        min(max(y, 0), max(height - COARSE_PX, 0)),
    )


def _patch(grey: Grey, centre: tuple[float, float]) -> _Patch | None:
    """What must be known of a patch beforehand; None where nothing can be seen."""
    height, width = grey.shape
    reach = FINE_PX / 2 + FARTHEST_PX
    inside = reach <= centre[0] < width - reach and reach <= centre[1] < height - reach
    if not inside:
        return None
    template = cv2.getRectSubPix(grey, (FINE_PX, FINE_PX), centre)
    template = cv2.GaussianBlur(template, (0, 0), 1.0)
    contrast = float(template.std())
    if contrast < FLAT:
        return None
    down, across = np.gradient(template.astype(np.float64))
    ones = np.ones(template.size)
    slopes = np.stack([across.ravel(), down.ravel(), template.ravel(), ones], axis=1)
    weighted = slopes * _weights()[:, None]
    solver = np.linalg.solve(slopes.T @ weighted, weighted.T)
    soft = np.asarray(template, np.float32)
    return _Patch(centre, soft, slopes, np.asarray(solver), contrast)


@cache
def _weights() -> Floats:
    window = cv2.createHanningWindow((FINE_PX, FINE_PX), cv2.CV_64F)
    return np.asarray(window, np.float64).ravel()


def _find(
    image: Image, patch: _Patch, rough: Sequence[float]
) -> tuple[float, float] | None:
    """Where the patch's middle lies in this picture; None when it is not there."""
    x0, y0 = patch.centre[0] + rough[0], patch.centre[1] + rough[1]
    left, top = (max(int(c - AROUND_PX), 0) for c in (x0, y0))
    grey = _grey(image[top : int(y0 + AROUND_PX) + 1, left : int(x0 + AROUND_PX) + 1])
    if not grey.size:
        return None
    x, y = x0, y0
    template = patch.template.ravel().astype(np.float64)
    for _ in range(ROUNDS):
        seen = cv2.getRectSubPix(grey, (FINE_PX, FINE_PX), (x - left, y - top))
        seen = cv2.GaussianBlur(seen, (0, 0), 1.0)
        off = seen.ravel().astype(np.float64) - template
        east, south, gain, level = patch.solver @ off
        scale = max(1.0 + float(gain), 0.2)
        step = float(east) / scale, float(south) / scale
        x, y = x - step[0], y - step[1]
        if np.hypot(x - x0, y - y0) > FARTHEST_PX:
            return None
        if np.hypot(*step) < SETTLED_PX:
            break
    left = off - patch.slopes @ np.array([east, south, gain, level])
    weights = _weights()
    miss = float(np.sqrt((weights @ (left * left)) / weights.sum())) / scale
    return (x, y) if miss < WORST_FIT * patch.contrast else None


def _agreed(
    pairs: Sequence[tuple[tuple[float, float], tuple[float, float]]],
) -> Drift | None:
    """The similarity most patches agree on, fitted to those that do."""
    if len(pairs) < AGREEING:
        return None
    then = np.array([pair[0] for pair in pairs])
    now = np.array([pair[1] for pair in pairs])
    found, kept = cv2.estimateAffinePartial2D(
        then, now, method=cv2.RANSAC, ransacReprojThreshold=AGREE_PX
    )
    if found is None or int(kept.sum()) < AGREEING:
        return None
    inliers = kept.ravel().astype(bool)
    matrix = np.asarray(found, np.float64)
    miss = then[inliers] @ matrix[:, :2].T + matrix[:, 2] - now[inliers]
    spread = float(np.sqrt((miss**2).sum(axis=1).mean()))
    (a, b, c), (d, e, f) = matrix.tolist()
    return Drift(((a, b, c), (d, e, f)), int(inliers.sum()), spread)
