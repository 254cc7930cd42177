"""The known-radius edge fit: where exactly a disc lies, given roughly where.

Theory. A piece's radius is known in millimetres and the mapping is known, so the
only unknown is its centre. Spokes run through the expected rim; along each, the
two strongest brightness or colour steps are kept. The centre is then the place
that puts most of those steps at one radius: iteratively re-weighted least
squares with Tukey's biweight, which forgets steps that belong to a neighbour, a
printed line or a shadow. With a picture of the empty table a step counts only
where the frame differs from it by more than noise and a small drift explain;
otherwise a printed circle of a coin's size would be a coin (vision.md, section 3).

Everything is measured in the disc's own millimetre frame through a local affine
map: over one piece the perspective adds less than 0.05 px to it.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from calibration.plane import PlaneMapping
from calibration.table import Point
from vision.compiled import compiled

Floats = NDArray[np.float64]
Bytes = NDArray[np.uint8]

SPOKES = 48
STEP_MM = 0.7
"""Distance of samples along a spoke at the nominal coin radius."""
REACH_MM = 5.6
"""How far from the expected rim steps are looked for."""
NOMINAL_RADIUS_MM = 15.9
PER_SPOKE = 2
DRIFT_PX = 0.7
"""A camera knocked by half a pixel must not turn print into pieces."""

NO_REFERENCE: Bytes = np.zeros((1, 1, 3), np.uint8)


class Fits(NamedTuple):
    """What the fit found at each place, N long."""

    shift_mm: Floats
    """N x 2: from the expected to the fitted centre."""
    support: Floats
    """Share of spokes (0 to 1) whose step agrees with the fitted circle."""
    contrast: Floats
    """Median height of the agreeing steps, grey levels (0 to 255)."""
    change: Floats
    """Mean difference to the empty table inside the disc; 0 without one."""


class Places(NamedTuple):
    """Expected discs as the kernel wants them: N places of one or more kinds."""

    centres_px: Floats
    """N x 2."""
    affines: Floats
    """N x 2 x 2: mm (east, north) to pixels around each centre."""
    radii_mm: Floats


def places(
    mapping: PlaneMapping, points_mm: Floats, radius_mm: float, height_mm: float
) -> Places:
    """Where discs of one kind would be seen; `points_mm` is N x 2."""
    reach = NOMINAL_RADIUS_MM
    east = np.array([reach, 0.0])
    north = np.array([0.0, reach])
    count = len(points_mm)
    probes = np.concatenate(
        [
            points_mm,
            points_mm + east,
            points_mm - east,
            points_mm + north,
            points_mm - north,
        ]
    )
    seen = mapping.to_px(probes, height_mm).reshape(5, count, 2)
    affines = np.stack([seen[1] - seen[2], seen[3] - seen[4]], axis=-1) / (2 * reach)
    return Places(seen[0], affines, np.full(count, radius_mm))


def together(first: Places, second: Places) -> Places:
    """Two lists of places as one."""
    pairs = zip(first, second, strict=True)
    return Places(*(np.concatenate(pair) for pair in pairs))


def fit(
    image: Bytes,
    empty: Bytes | None,
    expected: Places,
    noise: float,
    reach_mm: float = REACH_MM,
) -> Fits:
    """Fit every expected disc; `noise` is the frame's grey-level deviation."""
    count = len(expected.radii_mm)
    out = np.zeros((count, 5))
    _fit_all(
        image,
        NO_REFERENCE if empty is None else empty,
        empty is not None,
        *expected,
        noise,
        reach_mm,
        out,
    )
    return Fits(out[:, :2], out[:, 2], out[:, 3], out[:, 4])


def moved(at: Point, shift_mm: Floats) -> Point:
    """The fitted centre."""
    return Point(at.x_mm + float(shift_mm[0]), at.y_mm + float(shift_mm[1]))


@compiled
def _sample(image: Bytes, x: float, y: float, channel: int) -> float:
    height, width = image.shape[0], image.shape[1]
    x = min(max(x, 0.0), width - 1.001)
    y = min(max(y, 0.0), height - 1.001)
    column, row = int(x), int(y)
    fx, fy = x - column, y - row
    above = image[row, column, channel] * (1 - fx)
    above += image[row, column + 1, channel] * fx
    below = image[row + 1, column, channel] * (1 - fx)
    below += image[row + 1, column + 1, channel] * fx
    value: float = above * (1 - fy) + below * fy
    return value


@compiled
def _spoke(
    image: Bytes,
    empty: Bytes,
    gated: bool,
    cx: float,
    cy: float,
    ux: float,
    uy: float,
    first: float,
    step: float,
    noise: float,
    profile: Floats,
    kept: Floats,
) -> None:
    """The strongest steps along one spoke: kept[k] = (distance in steps, height)."""
    count = profile.shape[1]
    for i in range(count):
        r = first + i * step
        x, y = cx + r * ux, cy + r * uy
        change, slope = 0.0, 0.0
        for c in range(3):
            value = _sample(image, x, y, c)
            profile[c, i] = value
            if gated:
                before = _sample(empty, x, y, c)
                profile[4 + c, i] = before
                change = max(change, abs(value - before))
                if i > 0:
                    slope = max(slope, abs(before - profile[4 + c, i - 1]))
        profile[3, i] = change - DRIFT_PX * slope / max(
            step * np.sqrt(ux * ux + uy * uy), 0.25
        )
    for k in range(PER_SPOKE):
        kept[k, 1] = 0.0
    floor = 4 * noise + 3.0
    for i in range(1, count - 1):
        here = _rise(profile, i)
        if (
            here < floor
            or here < _rise(profile, i - 1)
            or here <= _rise(profile, i + 1)
        ):
            continue
        if gated and max(profile[3, i - 1], profile[3, i], profile[3, i + 1]) < floor:
            continue
        weakest = 0
        for k in range(1, PER_SPOKE):
            if kept[k, 1] < kept[weakest, 1]:
                weakest = k
        if here > kept[weakest, 1]:
            before, after = _rise(profile, i - 1), _rise(profile, i + 1)
            bend = before - 2 * here + after
            kept[weakest, 0] = i + (0.5 * (before - after) / bend if bend < 0 else 0.0)
            kept[weakest, 1] = here


@compiled
def _rise(profile: Floats, i: int) -> float:
    """The step's height at sample i, over the channel that shows it best."""
    count = profile.shape[1]
    before, after = max(i - 1, 0), min(i + 1, count - 1)
    best = 0.0
    for c in range(3):
        best = max(best, abs(profile[c, after] - profile[c, before]))
    return best


@compiled
def _solve(
    steps: Floats, directions: Floats, radius: float, scale: float, shift: Floats
) -> float:
    """One Tukey step for the centre; returns the spokes' summed weight."""
    a11 = a12 = a22 = b1 = b2 = total = 0.0
    for s in range(steps.shape[0]):
        ux, uy = directions[s, 0], directions[s, 1]
        best_weight, best_miss, nx, ny = 0.0, 0.0, 0.0, 0.0
        for k in range(PER_SPOKE):
            if steps[s, k, 1] <= 0.0:
                continue
            px = steps[s, k, 0] * ux - shift[0]
            py = steps[s, k, 0] * uy - shift[1]
            distance = np.sqrt(px * px + py * py)
            miss = distance - radius
            t = miss / scale
            if abs(t) >= 1.0:
                continue
            weight = (1 - t * t) ** 2
            if weight > best_weight:
                best_weight, best_miss = weight, miss
                nx, ny = px / distance, py / distance
        total += best_weight
        a11 += best_weight * nx * nx
        a12 += best_weight * nx * ny
        a22 += best_weight * ny * ny
        b1 += best_weight * best_miss * nx
        b2 += best_weight * best_miss * ny
    # A pinch of damping: an arc of few spokes must not throw the centre away.
    a11 += 0.5
    a22 += 0.5
    det = a11 * a22 - a12 * a12
    shift[0] += (a22 * b1 - a12 * b2) / det
    shift[1] += (a11 * b2 - a12 * b1) / det
    return total


@compiled
def _inside_change(
    image: Bytes,
    empty: Bytes,
    cx: float,
    cy: float,
    affine: Floats,
    radius: float,
    directions: Floats,
) -> float:
    """Mean over the disc of the largest channel's difference to the empty table."""
    total, count = 0.0, 0
    for ring in range(1, 4):
        r = radius * (0.22 * ring + 0.12)
        for s in range(0, directions.shape[0], 4):
            east, north = r * directions[s, 0], r * directions[s, 1]
            x = cx + affine[0, 0] * east + affine[0, 1] * north
            y = cy + affine[1, 0] * east + affine[1, 1] * north
            change = 0.0
            for c in range(3):
                change = max(
                    change, abs(_sample(image, x, y, c) - _sample(empty, x, y, c))
                )
            total += change
            count += 1
    return total / count


@compiled
def _fit_one(
    image: Bytes,
    empty: Bytes,
    gated: bool,
    centre: Floats,
    affine: Floats,
    radius: float,
    noise: float,
    reach: float,
    directions: Floats,
    out: Floats,
) -> None:
    scale = radius / NOMINAL_RADIUS_MM
    step = STEP_MM
    count = 2 * int(reach * scale / step + 0.5) + 1
    first = radius - step * (count // 2)
    profile = np.empty((7, count))
    steps = np.empty((SPOKES, PER_SPOKE, 2))
    shift = np.zeros(2)
    base = np.zeros(2)
    support = 0.0
    for attempt in range(2):
        cx = centre[0] + affine[0, 0] * base[0] + affine[0, 1] * base[1]
        cy = centre[1] + affine[1, 0] * base[0] + affine[1, 1] * base[1]
        for s in range(SPOKES):
            east, north = directions[s, 0], directions[s, 1]
            ux = affine[0, 0] * east + affine[0, 1] * north
            uy = affine[1, 0] * east + affine[1, 1] * north
            _spoke(
                image,
                empty,
                gated,
                cx,
                cy,
                ux,
                uy,
                first,
                step,
                noise,
                profile,
                steps[s],
            )
            for k in range(PER_SPOKE):
                steps[s, k, 0] = first + steps[s, k, 0] * step
        shift[:] = 0.0
        width = reach * scale
        for _ in range(6):
            _solve(steps, directions, radius, max(width, 1.6 * scale), shift)
            width *= 0.65
        support = _solve(steps, directions, radius, 1.6 * scale, shift)
        base += shift
        if (
            support < 0.2 * SPOKES
            or base[0] ** 2 + base[1] ** 2 > (1.5 * reach * scale) ** 2
        ):
            break
        if attempt == 0 and shift[0] ** 2 + shift[1] ** 2 < (0.3 * scale) ** 2:
            break
    heights = np.zeros(SPOKES)
    agreeing = 0
    for s in range(SPOKES):
        for k in range(PER_SPOKE):
            px = steps[s, k, 0] * directions[s, 0] - shift[0]
            py = steps[s, k, 0] * directions[s, 1] - shift[1]
            near = abs(np.sqrt(px * px + py * py) - radius) < 1.6 * scale
            if near and steps[s, k, 1] > heights[agreeing]:
                heights[agreeing] = steps[s, k, 1]
        if heights[agreeing] > 0:
            agreeing += 1
            if agreeing == SPOKES:
                break
    out[0], out[1] = base[0], base[1]
    out[2] = support / SPOKES
    out[3] = np.median(heights[:agreeing]) if agreeing > 0 else 0.0
    if gated:
        cx = centre[0] + affine[0, 0] * base[0] + affine[0, 1] * base[1]
        cy = centre[1] + affine[1, 0] * base[0] + affine[1, 1] * base[1]
        out[4] = _inside_change(image, empty, cx, cy, affine, radius, directions)


@compiled
def _fit_all(
    image: Bytes,
    empty: Bytes,
    gated: bool,
    centres: Floats,
    affines: Floats,
    radii: Floats,
    noise: float,
    reach: float,
    out: Floats,
) -> None:
    directions = np.empty((SPOKES, 2))
    for s in range(SPOKES):
        angle = 2 * np.pi * s / SPOKES
        directions[s, 0], directions[s, 1] = np.cos(angle), np.sin(angle)
    for n in range(len(radii)):
        _fit_one(
            image,
            empty,
            gated,
            centres[n],
            affines[n],
            radii[n],
            noise,
            reach,
            directions,
            out[n],
        )
