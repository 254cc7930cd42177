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

HALF = 2
"""Voting looks at every second pixel: the edge fit that follows needs no better."""
EVEN_LIGHT = np.ones((1, 1), np.float32)
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
    """Brightness steps per pixel and channel of a halved picture (Sobel's sums)."""

    across: Shorts
    down: Shorts


def halved(image: Bytes, window: Window) -> Bytes:
    """The window's part at half the size: all that voting needs, with less noise."""
    part = window.cut(image)
    size = (part.shape[1] // HALF, part.shape[0] // HALF)
    whole = part[: size[1] * HALF, : size[0] * HALF]
    return np.asarray(cv2.resize(whole, size, interpolation=cv2.INTER_AREA), np.uint8)


def steps(half: Bytes) -> Steps:
    """The steps in a halved picture."""
    return Steps(
        np.asarray(cv2.Sobel(half, cv2.CV_16S, 1, 0), np.int16),
        np.asarray(cv2.Sobel(half, cv2.CV_16S, 0, 1), np.int16),
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
    light: NDArray[np.float32] | None,
    window: Window,
    spread: Floats,
    radii_mm: Sequence[float],
    threshold: float,
) -> Votes:
    """Votes per radius, at half the window's resolution: radii x rows x columns.

    `before`: the empty table's steps; `light`: how much brighter it is now, by blocks.
    """
    rows, columns = seen.across.shape[:2]
    votes = np.zeros((len(radii_mm), rows + 1, columns + 1), np.float32)
    known = seen if before is None else before
    # Windows of the empty table are not contiguous, which would be another kernel to
    # compile, in the middle of the first stroke.
    _cast(
        seen.across,
        seen.down,
        np.ascontiguousarray(known.across),
        np.ascontiguousarray(known.down),
        before is not None,
        EVEN_LIGHT if light is None else light,
        window.left,
        window.top,
        spread,
        np.array(radii_mm, np.float64),
        threshold,
        votes,
    )
    return votes


def peaks(votes: Votes, most: int, least: float) -> Floats:
    """The strongest local maxima as (x, y, votes) in window pixels, best first.

    `least`: the votes, spread over their 5 x 5 neighbours, below which none counts.
    """
    smooth = np.asarray(cv2.GaussianBlur(votes, (5, 5), 0), np.float32)
    found = np.empty((smooth.size // 9, 3))
    found = found[: _maxima(smooth, least, found)]
    return found[np.argsort(-found[:, 2])[:most]]


@compiled
def _maxima(smooth: Votes, least: float, found: Floats) -> int:
    """Fill `found` with what no neighbour within two exceeds; how many there are."""
    count, last = 0, smooth.shape[1] - 2
    stands_out = np.zeros(smooth.shape[1], np.uint8)
    for y in range(2, smooth.shape[0] - 2):
        above, row, below = smooth[y - 1], smooth[y], smooth[y + 1]
        # One plain loop, eight values at a time, leaves a few places to look at.
        for x in range(2, last):
            beside = max(max(row[x - 1], row[x + 1]), max(above[x], below[x]))
            stands_out[x] = row[x] >= max(beside, least)
        for x in range(2, last):
            if stands_out[x] and count < len(found) and _highest(smooth, x, y):
                found[count, 0] = x * HALF + (HALF - 1) / 2
                found[count, 1] = y * HALF + (HALF - 1) / 2
                found[count, 2] = row[x]
                count += 1
    return count


@compiled
def _highest(smooth: Votes, x: int, y: int) -> bool:
    for j in range(y - 2, y + 3):
        for i in range(x - 2, x + 3):
            if smooth[j, i] > smooth[y, x]:
                return False
    return True


@compiled
def _cast(
    across: Shorts,
    down: Shorts,
    across_before: Shorts,
    down_before: Shorts,
    gated: bool,
    light: NDArray[np.float32],
    left: int,
    top: int,
    spread: Floats,
    radii: Floats,
    threshold: float,
    votes: Votes,
) -> None:
    rows, columns = across.shape[0], across.shape[1]
    least = np.float32((4.0 * threshold) ** 2)
    differs = np.empty(columns * 3, np.uint8)
    gain = np.ones(columns * 3, np.float32)
    for y in range(rows):
        if gated and light.size > 1 and y * HALF % BLOCK_PX < HALF:
            _spread_light(light[min(y * HALF // BLOCK_PX, light.shape[0] - 1)], gain)
        gx, gy = across[y].reshape(-1), down[y].reshape(-1)
        hx, hy = across_before[y].reshape(-1), down_before[y].reshape(-1)
        _find_steps(gx, gy, hx, hy, gated, gain, least, differs)
        for x in range(columns):
            n = 3 * x
            if not differs[n] | differs[n + 1] | differs[n + 2]:
                continue
            best, strongest = 0, n
            for c in range(n, n + 3):
                size = int(gx[c]) ** 2 + int(gy[c]) ** 2
                if size > best:
                    best, strongest = size, c
            sx, sy = float(gx[strongest]), float(gy[strongest])
            if gated:
                known_x = gain[n] * hx[strongest]
                known_y = gain[n] * hy[strongest]
                known = np.sqrt(known_x * known_x + known_y * known_y)
                limit = 4.0 * threshold + REFERENCE_SHARE * known
                if (sx - known_x) ** 2 + (sy - known_y) ** 2 < limit * limit:
                    continue
            row, column = (y * HALF + top) // BLOCK_PX, (x * HALF + left) // BLOCK_PX
            xx, xy = spread[row, column, 0], spread[row, column, 1]
            yy = spread[row, column, 2]
            px, py = xx * sx + xy * sy, xy * sx + yy * sy
            length = HALF * np.sqrt(sx * px + sy * py)
            weight = min(np.sqrt(best) / 4.0, CAP)
            for k in range(len(radii)):
                dx, dy = radii[k] * px / length, radii[k] * py / length
                for sign in (-1.0, 1.0):
                    column, row = int(x + sign * dx + 0.5), int(y + sign * dy + 0.5)
                    if 0 <= row < votes.shape[1] and 0 <= column < votes.shape[2]:
                        votes[k, row, column] += weight


@compiled
def _find_steps(
    gx: Shorts,
    gy: Shorts,
    hx: Shorts,
    hy: Shorts,
    gated: bool,
    gain: NDArray[np.float32],
    least: np.float32,
    differs: Bytes,
) -> None:
    """Where in a row (columns x channels) a step is high enough and may be new.

    One plain loop, eight values at a time: all but some hundred places end here.
    """
    for n in range(len(differs)):
        x, y = np.float32(gx[n]), np.float32(gy[n])
        high = x * x + y * y >= least
        if gated:
            x, y = x - gain[n] * np.float32(hx[n]), y - gain[n] * np.float32(hy[n])
            high = high & (x * x + y * y >= least)
        differs[n] = high


@compiled
def _spread_light(light: NDArray[np.float32], gain: NDArray[np.float32]) -> None:
    """A row of blocks' gains for each value of a row of a halved picture."""
    for n in range(len(gain)):
        gain[n] = light[min(n // 3 * HALF // BLOCK_PX, len(light) - 1)]
