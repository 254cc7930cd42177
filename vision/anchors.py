"""Has the camera moved? The table's corners say so, wherever hands are.

Four patches around the pockets are compared with how they looked at the first
rest. A knocked camera shifts all of them alike; a hand, a piece in a net or a
shadow changes one or two. The shift comes from phase correlation, good to a tenth
of a pixel on patches with as much edge as a pocket in its corner has.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import PlaneMapping
from calibration.table import Table
from vision.frames import Image

PATCH_PX = 64
ALIKE_PX = 1.0
"""Patches of a moved camera agree this well about where it moved."""
AGREEING = 3
CLEAR_PEAK = 0.1
"""Phase correlation below this has found nothing in common."""

Patch = NDArray[np.float32]


class Anchors:
    """Remembers the pockets' surroundings; measures how far the picture has moved."""

    def __init__(self, table: Table, mapping: PlaneMapping) -> None:
        self._corners = [
            self._corner(mapping.point_to_px(at), mapping.size_px)
            for at in table.pocket_centres.values()
        ]
        self._window = cv2.createHanningWindow((PATCH_PX, PATCH_PX), cv2.CV_32F)
        self._then: list[Patch] | None = None

    def learn(self, image: Image) -> None:
        """Take the first picture at rest as where the camera is; later ones are not."""
        if self._then is None:
            self._then = self._patches(image)

    def shift_px(self, image: Image) -> float | None:
        """How far the picture has moved since; None when that cannot be said."""
        if self._then is None:
            return None
        moves = []
        for then, now in zip(self._then, self._patches(image), strict=True):
            (x, y), peak = cv2.phaseCorrelate(then, now, self._window)
            if peak > CLEAR_PEAK:
                moves.append((x, y))
        if len(moves) < AGREEING:
            return None
        middle = np.median(np.array(moves), axis=0)
        off = np.hypot(*(np.array(moves) - middle).T)
        if int((off < ALIKE_PX).sum()) < AGREEING:
            return None
        return float(np.hypot(*middle))

    def _patches(self, image: Image) -> list[Patch]:
        return [
            np.asarray(image[y : y + PATCH_PX, x : x + PATCH_PX, 1], np.float32)
            for x, y in self._corners
        ]

    def _corner(
        self, centre: tuple[float, float], size_px: tuple[int, int]
    ) -> tuple[int, int]:
        x, y = (round(c - PATCH_PX / 2) for c in centre)
        width, height = size_px
        return (
            min(max(x, 0), max(width - PATCH_PX, 0)),
            min(max(y, 0), max(height - PATCH_PX, 0)),
        )
