"""Gradient voting: where discs of a known radius may lie.

Theory. Every pixel of a disc's rim has a brightness step that points at the
centre or away from it. So each pixel with a strong step votes for the two places
one radius along its gradient; discs become peaks. The radius is known in mm; in
the picture it differs from place to place and, in a tilted view, from direction
to direction. With the local affine map A (mm to px) a step g in the picture
belongs to a rim normal A'g in mm, so the centre lies R * AA'g / |A'g| away: the
exact rule for ellipses, from three numbers per place.
"""

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import PlaneMapping
from vision.compiled import compiled
from vision.detect_fit import Bytes, Floats

Shorts = NDArray[np.int16]
Votes = NDArray[np.float32]

BLOCK_PX = 16
"""The local map is taken as constant over this many pixels."""
CAP = 90.0
"""A vote's weight stops growing here: one glaring edge is not two pieces."""
REFERENCE_SHARE = 0.35
"""A step must differ from the empty table's by this share of it, beyond noise."""


class Window(NamedTuple):
    """A rectangle of the picture, in pixels; right and bottom exclusive."""

    left: int
    top: int
    right: int
    bottom: int

    def cut(self, image: Bytes) -> Bytes:
        """The picture's part inside."""
        return image[self.top : self.bottom, self.left : self.right]


class Steps(NamedTuple):
    """Brightness steps per pixel and channel (Sobel / 4: grey levels per px)."""

    across: Shorts
    down: Shorts


def steps(image: Bytes, window: Window) -> Steps:
    """The steps inside a window, after a 3 x 3 blur."""
    part = cv2.GaussianBlur(window.cut(image), (3, 3), 0)
    return Steps(
        np.asarray(cv2.Sobel(part, cv2.CV_16S, 1, 0), np.int16),
        np.asarray(cv2.Sobel(part, cv2.CV_16S, 0, 1), np.int16),
    )


def spreads(mapping: PlaneMapping, height_mm: float) -> Floats:
    """AA' (xx, xy, yy) in px^2/mm^2 per block of the picture, rows x columns x 3."""
    width, height = mapping.size_px
    columns, rows = -(-width // BLOCK_PX), -(-height // BLOCK_PX)
    x, y = np.meshgrid(np.arange(columns), np.arange(rows))
    middle = (np.stack([x, y], axis=-1).reshape(-1, 2).astype(float) + 0.5) * BLOCK_PX
    places = mapping.to_mm(middle, height_mm)
    east = mapping.to_px(places + np.array([1.0, 0.0]), height_mm) - middle
    north = mapping.to_px(places + np.array([0.0, 1.0]), height_mm) - middle
    spread = np.stack(
        [
            east[:, 0] ** 2 + north[:, 0] ** 2,
            east[:, 0] * east[:, 1] + north[:, 0] * north[:, 1],
            east[:, 1] ** 2 + north[:, 1] ** 2,
        ],
        axis=-1,
    )
    return np.ascontiguousarray(spread.reshape(rows, columns, 3))


def vote(
    seen: Steps,
    before: Steps | None,
    window: Window,
    spread: Floats,
    radii_mm: Sequence[float],
    threshold: float,
) -> Votes:
    """Votes per radius, at half the window's resolution: radii x rows x columns."""
    rows, columns = seen.across.shape[:2]
    votes = np.zeros((len(radii_mm), rows // 2 + 1, columns // 2 + 1), np.float32)
    known = seen if before is None else before
    # Windows of the empty table are not contiguous, which would be another kernel to
    # compile, in the middle of the first stroke.
    _cast(
        np.ascontiguousarray(seen.across),
        np.ascontiguousarray(seen.down),
        np.ascontiguousarray(known.across),
        np.ascontiguousarray(known.down),
        before is not None,
        window.left,
        window.top,
        spread,
        np.array(radii_mm, np.float64),
        threshold,
        votes,
    )
    return votes


def peaks(votes: Votes, most: int) -> Floats:
    """The strongest local maxima as (x, y, votes) in window pixels, best first."""
    smooth = cv2.GaussianBlur(votes, (5, 5), 0)
    around = cv2.dilate(smooth, np.ones((5, 5), np.uint8))
    rows, columns = np.nonzero((smooth >= around) & (smooth > 0))
    heights = smooth[rows, columns]
    best = np.argsort(-heights)[:most]
    found = np.column_stack([columns[best] * 2.0, rows[best] * 2.0, heights[best]])
    return np.asarray(found, np.float64)


@compiled
def _cast(
    across: Shorts,
    down: Shorts,
    across_before: Shorts,
    down_before: Shorts,
    gated: bool,
    left: int,
    top: int,
    spread: Floats,
    radii: Floats,
    threshold: float,
    votes: Votes,
) -> None:
    rows, columns = across.shape[0], across.shape[1]
    square = int((4.0 * threshold) ** 2)
    for y in range(rows):
        for x in range(columns):
            best, channel = 0, -1
            for c in range(3):
                gx, gy = int(across[y, x, c]), int(down[y, x, c])
                size = gx * gx + gy * gy
                if size > best:
                    best, channel = size, c
            if best < square:
                continue
            sx, sy = float(across[y, x, channel]), float(down[y, x, channel])
            if gated:
                hx = float(across_before[y, x, channel])
                hy = float(down_before[y, x, channel])
                known = np.sqrt(hx * hx + hy * hy)
                limit = 4.0 * threshold + REFERENCE_SHARE * known
                if (sx - hx) ** 2 + (sy - hy) ** 2 < limit * limit:
                    continue
            row, column = (y + top) // BLOCK_PX, (x + left) // BLOCK_PX
            xx, xy = spread[row, column, 0], spread[row, column, 1]
            yy = spread[row, column, 2]
            px, py = xx * sx + xy * sy, xy * sx + yy * sy
            length = np.sqrt(sx * px + sy * py)
            weight = min(np.sqrt(best) / 4.0, CAP)
            for k in range(len(radii)):
                dx, dy = radii[k] * px / length, radii[k] * py / length
                for sign in (-1.0, 1.0):
                    column = int((x + sign * dx) * 0.5 + 0.5)
                    row = int((y + sign * dy) * 0.5 + 0.5)
                    if 0 <= row < votes.shape[1] and 0 <= column < votes.shape[2]:
                        votes[k, row, column] += weight
