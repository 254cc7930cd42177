"""The steps of brightness or colour along the spokes of an expected disc.

With a picture of the empty table a step counts only where the frame differs from it
by more than noise and a small drift explain; otherwise a printed circle of a coin's
size would be a coin. Lengths are mm in the plane of the disc's top.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.compiled import compiled

Floats = NDArray[np.float64]
Bytes = NDArray[np.uint8]
Gains = NDArray[np.float32]

BLOCK_PX = 16
"""Light is known for blocks of this side."""
SPOKES = 48
STEP_MM = 0.7
"""Distance of samples along a spoke."""
FINE = 65536.0
"""A pixel, where places are whole numbers."""
FALL, RISE = 0, 1
"""Ways of a step outwards: from bright to dark, from dark to bright."""
PER_WAY = 2
"""Steps kept per spoke and way."""
ALONG, ACROSS, HEIGHT, SPOKE, WAY = range(5)
"""Columns of a step: its place (east, north of the disc's centre), grey levels, ..."""
MOST_STEPS = SPOKES * 2 * PER_WAY

DRIFT_PX = 0.7
"""A camera knocked by half a pixel must not turn print into pieces."""
BESIDE_MM = 3.0
"""How far within and without a step its two sides are compared."""
FILLED = 1.3
"""Change within a step, over the least step that counts, that fills a circle."""


class Views(NamedTuple):
    """What is looked at: a picture, and the empty table's (any, unless `gated`).

    `light`: how much brighter it is now than on the empty picture, by blocks from
    pixel left, top on; `floor`: the least height of a step, grey levels.
    """

    image: Bytes
    empty: Bytes
    gated: bool
    light: Gains
    left: int
    top: int
    floor: float


class Room(NamedTuple):
    """Room to work in, made once for all discs of a call."""

    profile: Floats
    """Samples x 3: the colours along a spoke."""
    slopes: Floats
    """2 x samples: how much they fall and rise there."""
    before: Floats
    """3 x 3: the empty table's colours around a step."""
    strongest: Floats
    """PER_WAY x 2: distance and height of a spoke's strongest steps."""


@compiled
def sample(image: Bytes, x: float, y: float, out: Floats, row: int) -> None:
    """The colour between pixels into a row of `out`, bilinear; edges are repeated."""
    x = min(max(x, 0.0), image.shape[1] - 1.001)
    y = min(max(y, 0.0), image.shape[0] - 1.001)
    i, j = int(x), int(y)
    fx, fy = x - i, y - j
    a, b = (1 - fx) * (1 - fy), fx * (1 - fy)
    c, d = (1 - fx) * fy, fx * fy
    for k in range(3):
        out[row, k] = (
            a * image[j, i, k]
            + b * image[j, i + 1, k]
            + c * image[j + 1, i, k]
            + d * image[j + 1, i + 1, k]
        )


@compiled
def gain_at(views: Views, x: float, y: float) -> float:
    """How much brighter the table is there than on its empty picture."""
    light = views.light
    rows, columns = light.shape
    u = min(max((x - views.left) / BLOCK_PX - 0.5, 0.0), columns - 1.0)
    v = min(max((y - views.top) / BLOCK_PX - 0.5, 0.0), rows - 1.0)
    i, j = int(u), int(v)
    right, below = min(i + 1, columns - 1), min(j + 1, rows - 1)
    fu, fv = u - i, v - j
    upper = (1 - fu) * light[j, i] + fu * light[j, right]
    lower = (1 - fu) * light[below, i] + fu * light[below, right]
    return float((1 - fv) * upper + fv * lower)


@compiled
def add_steps(
    views: Views,
    room: Room,
    x: float,
    y: float,
    ux: float,
    uy: float,
    first: float,
    steps: Floats,
    count: int,
) -> int:
    """Add one spoke's strongest steps of either way to `steps`; the new count.

    The spoke begins at pixel x, y; ux, uy are its pixels per mm. Of each step its
    distance and height are set, in the columns ALONG and HEIGHT, and its way.
    """
    _profile(views.image, room, x, y, ux, uy, first)
    slopes, strongest = room.slopes, room.strongest
    for way in range(2):
        strongest[:] = 0.0
        for i in range(1, slopes.shape[1] - 1):
            here = slopes[way, i]
            if here < views.floor:
                continue
            if here < slopes[way, i - 1] or here <= slopes[way, i + 1]:
                continue
            weakest = 0
            for k in range(1, PER_WAY):
                if strongest[k, 1] < strongest[weakest, 1]:
                    weakest = k
            if here <= strongest[weakest, 1] or (
                views.gated and _is_print(views, room, x, y, ux, uy, first, i)
            ):
                continue
            bend = slopes[way, i - 1] - 2 * here + slopes[way, i + 1]
            off = 0.5 * (slopes[way, i - 1] - slopes[way, i + 1]) / bend
            strongest[weakest, 0] = first + (i + off) * STEP_MM
            strongest[weakest, 1] = here
        for k in range(PER_WAY):
            if strongest[k, 1] > 0.0:
                steps[count, ALONG], steps[count, HEIGHT] = strongest[k]
                steps[count, WAY] = way
                count += 1
    return count


@compiled
def _profile(
    image: Bytes, room: Room, x: float, y: float, ux: float, uy: float, first: float
) -> None:
    """Colours along a spoke and how much they fall and rise at each sample.

    A step outwards may fall in one colour and rise in another: both are kept.
    """
    profile, slopes = room.profile, room.slopes
    last = profile.shape[0] - 1
    _sample_line(image, x + first * ux, y + first * uy, ux, uy, profile)
    for way in range(2):
        slopes[way, 0] = slopes[way, last] = 0.0
    for i in range(1, last):
        fall, rise = 0.0, 0.0
        for c in range(3):
            step = profile[i + 1, c] - profile[i - 1, c]
            fall, rise = max(fall, -step), max(rise, step)
        slopes[FALL, i], slopes[RISE, i] = fall, rise


@compiled
def _sample_line(
    image: Bytes, x: float, y: float, ux: float, uy: float, out: Floats
) -> None:
    """`sample` every STEP_MM from pixel x, y on, with 1/256 px and whole numbers.

    Unsigned indices and shifts take half the time of floats: this loop is most of
    what a fit costs.
    """
    one = np.uintp(1)
    right = np.int64((image.shape[1] - 1.001) * FINE)
    low = np.int64((image.shape[0] - 1.001) * FINE)
    along, down = np.int64(x * FINE), np.int64(y * FINE)
    step_x, step_y = np.int64(STEP_MM * ux * FINE), np.int64(STEP_MM * uy * FINE)
    for n in range(out.shape[0]):
        u = min(max(along, np.int64(0)), right)
        v = min(max(down, np.int64(0)), low)
        i, j = np.uintp(u >> 16), np.uintp(v >> 16)
        fx, fy = np.int32((u >> 8) & 255), np.int32((v >> 8) & 255)
        d = fx * fy
        b, c = (fx << 8) - d, (fy << 8) - d
        a = (1 << 16) - b - c - d
        for k in range(np.uintp(3)):
            here, beside = np.int32(image[j, i, k]), np.int32(image[j, i + one, k])
            under = np.int32(image[j + one, i, k])
            across = np.int32(image[j + one, i + one, k])
            out[n, k] = (a * here + b * beside + c * under + d * across) / FINE
        along, down = along + step_x, down + step_y


@compiled
def _is_print(
    views: Views,
    room: Room,
    x: float,
    y: float,
    ux: float,
    uy: float,
    first: float,
    i: int,
) -> bool:
    """Whether the empty table shows the step at sample i already, and nothing more."""
    r = first + i * STEP_MM
    gain = gain_at(views, x + r * ux, y + r * uy)
    explained = _explained(views, room, x, y, ux, uy, r, i, gain)
    return explained and not _filled(views, room, x, y, ux, uy, r, gain)


@compiled
def _explained(
    views: Views,
    room: Room,
    x: float,
    y: float,
    ux: float,
    uy: float,
    r: float,
    i: int,
    gain: float,
) -> bool:
    """Whether the empty table shows the same around this step (3 samples) already."""
    seen, before = room.profile, room.before
    pixels = max(STEP_MM * np.sqrt(ux * ux + uy * uy), 0.25)
    q = r - STEP_MM
    _sample_line(views.empty, x + q * ux, y + q * uy, ux, uy, before)
    slope = 0.0
    for c in range(3):
        slope = max(slope, gain * abs(before[2, c] - before[0, c]) / 2)
    most = views.floor + DRIFT_PX * slope / pixels
    for j in range(3):
        for c in range(3):
            if abs(seen[i + j - 1, c] - gain * before[j, c]) >= most:
                return False
    return True


@compiled
def _filled(
    views: Views,
    room: Room,
    x: float,
    y: float,
    ux: float,
    uy: float,
    r: float,
    gain: float,
) -> bool:
    """Whether something fills a printed circle: changed within the step, not without.

    A queen on the centre circle has the print's rim, but not quite its colour. A
    shadow changes both sides alike.
    """
    work = room.before
    within, without = 0.0, 0.0
    for side in range(2):
        q = r + (2 * side - 1) * BESIDE_MM
        sample(views.image, x + q * ux, y + q * uy, work, 0)
        sample(views.empty, x + q * ux, y + q * uy, work, 1)
        change = 0.0
        for c in range(3):
            change = max(change, abs(work[0, c] - gain * work[1, c]))
        within, without = without, change
    return within > FILLED * views.floor and without < 0.5 * within
