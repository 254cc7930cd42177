"""The table seen from straight above: a picture of it without perspective.

A single photograph of an unknown set is searched in this view, because here a
disc is a circle of one radius everywhere and the table's symmetry is the
picture's own. A fixed camera does not pay for it.
"""

from dataclasses import dataclass
from typing import Self

import cv2
import numpy as np

from calibration.plane import PlaneMapping
from calibration.table import Point, Table
from vision.detect_fit import Bytes, Floats

SCALE = 1.25
"""Pixels per millimetre: a coin of 31.8 mm is 40 px across."""
MARGIN_MM = 24.0
"""Seen beyond the playing surface: a piece's top leans over the frame."""


@dataclass(frozen=True, slots=True, eq=False)
class TopView:
    """The table from above at a piece's height; its middle is the table's."""

    image: Bytes
    half_mm: float
    """From the table's centre to the view's edge."""

    @classmethod
    def of(
        cls, image: Bytes, table: Table, mapping: PlaneMapping, height_mm: float
    ) -> Self:
        """Look at the plane `height_mm` above the playing surface."""
        half = table.half_mm + MARGIN_MM
        size = round(2 * half * SCALE)
        to_mm = np.array(
            [
                [1 / SCALE, 0, 0.5 / SCALE - half],
                [0, -1 / SCALE, half - 0.5 / SCALE],
                [0, 0, 1.0],
            ]
        )
        finer = mapping.radius_px(Point(0.0, 0.0), 1.0, height_mm) / SCALE
        if finer > 1.3:
            # Fewer pixels than the photograph has: average, do not pick.
            image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.35 * finer), np.uint8)
        if mapping.lens.is_straight:
            view = cv2.warpPerspective(
                image,
                mapping.matrix(height_mm) @ to_mm,
                (size, size),
                flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
                borderMode=cv2.BORDER_REPLICATE,
            )
        else:
            view = _through_lens(image, mapping, to_mm, size, height_mm)
        return cls(np.ascontiguousarray(view, np.uint8), half)

    def to_mm(self, places: Floats) -> Floats:
        """Millimetres (N x 2) of view pixels (N x 2)."""
        x = (places[:, 0] + 0.5) / SCALE - self.half_mm
        y = self.half_mm - (places[:, 1] + 0.5) / SCALE
        return np.column_stack([x, y])

    def to_view(self, points_mm: Floats) -> Floats:
        """View pixels (N x 2) of millimetres (N x 2)."""
        x = (points_mm[:, 0] + self.half_mm) * SCALE - 0.5
        y = (self.half_mm - points_mm[:, 1]) * SCALE - 0.5
        return np.column_stack([x, y])

    def evenly_lit(self) -> "TopView":
        """The same view with slow changes of light divided out."""
        small = cv2.resize(
            self.image, None, fx=1 / 8, fy=1 / 8, interpolation=cv2.INTER_AREA
        )
        light = cv2.medianBlur(np.asarray(small, np.uint8), LIGHT_WINDOW)
        light = cv2.GaussianBlur(light, (0, 0), 4.0)
        rows, columns = self.image.shape[:2]
        smooth = cv2.resize(light, (columns, rows), interpolation=cv2.INTER_LINEAR)
        gain = np.median(light.reshape(-1, 3), axis=0) / np.maximum(smooth, 8.0)
        even = np.clip(self.image * gain, 0, 255)
        return TopView(np.ascontiguousarray(even, np.uint8), self.half_mm)


LIGHT_WINDOW = 31
"""Eighths of the view: about 200 mm, larger than any piece or print."""


def _through_lens(
    image: Bytes,
    mapping: PlaneMapping,
    to_mm: Floats,
    size: int,
    height_mm: float,
) -> Bytes:
    column, row = np.meshgrid(np.arange(size), np.arange(size))
    flat = np.column_stack([column.ravel(), row.ravel(), np.ones(size * size)])
    places = np.asarray(flat @ to_mm.T, np.float64)[:, :2]
    seen = mapping.to_px(places, height_mm).astype(np.float32)
    x, y = seen.reshape(size, size, 2).transpose(2, 0, 1)
    view = cv2.remap(
        image, x.copy(), y.copy(), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(view, np.uint8)
