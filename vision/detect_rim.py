"""The edge fit's inner loops, as machine code: one disc's rim, spoke by spoke.

`vision.detect_fit` says what is fitted and why; here is how, without an allocation
per piece. All lengths are mm in the plane of the disc's top.
"""

import numpy as np
from numpy.typing import NDArray

from vision.compiled import compiled

Floats = NDArray[np.float64]
Bytes = NDArray[np.uint8]

SPOKES = 48
STEP_MM = 0.7
"""Distance of samples along a spoke at the nominal coin radius."""
NOMINAL_RADIUS_MM = 15.9
PER_SPOKE = 2
TIGHT_MM = 1.6
"""Where Tukey's weight ends in the last step, at the nominal radius."""
AGAIN_MM = 1.0
"""A centre that moved further is fitted once more from its new spokes."""
HOPELESS = 0.2
"""Support below which a place is given up at once."""
DRIFT_PX = 0.7
"""A camera knocked by half a pixel must not turn print into pieces."""

BESIDE_MM = 3.0
"""How far within and without a step its two sides are compared."""
FILLED = 1.3
"""Change within a step, over the least step that counts, that fills a circle."""


@compiled
def _see(
    surface: Floats, camera: Floats, bend: Floats, x: float, y: float, h: float
) -> tuple[float, float]:
    """Where a point (mm) at height h is seen: `PlaneMapping.to_px` for one point."""
    k = camera[2] / (camera[2] - h)
    x, y = camera[0] + (x - camera[0]) * k, camera[1] + (y - camera[1]) * k
    w = surface[6] * x + surface[7] * y + surface[8]
    u = (surface[0] * x + surface[1] * y + surface[2]) / w
    v = (surface[3] * x + surface[4] * y + surface[5]) / w
    nx, ny = (u - bend[1]) / bend[0], (v - bend[2]) / bend[0]
    r2 = nx * nx + ny * ny
    gain = r2 * (bend[3] + r2 * (bend[4] + r2 * bend[7]))
    askew = 2.0 * (bend[5] * ny + bend[6] * nx)
    dx = nx * (gain + askew) + bend[6] * r2
    dy = ny * (gain + askew) + bend[5] * r2
    return u + bend[0] * dx, v + bend[0] * dy


@compiled
def place_all(
    surface: Floats,
    camera: Floats,
    bend: Floats,
    points: Floats,
    heights: Floats,
    centres: Floats,
    affines: Floats,
) -> None:
    reach = NOMINAL_RADIUS_MM
    for n in range(len(points)):
        x, y, h = points[n, 0], points[n, 1], heights[n]
        centres[n, 0], centres[n, 1] = _see(surface, camera, bend, x, y, h)
        for axis in range(2):
            dx, dy = (reach, 0.0) if axis == 0 else (0.0, reach)
            ahead = _see(surface, camera, bend, x + dx, y + dy, h)
            behind = _see(surface, camera, bend, x - dx, y - dy, h)
            affines[n, 0, axis] = (ahead[0] - behind[0]) / (2 * reach)
            affines[n, 1, axis] = (ahead[1] - behind[1]) / (2 * reach)


@compiled
def sample(image: Bytes, x: float, y: float, out: Floats) -> None:
    """The colour (3) between pixels, by bilinear weights; edges are repeated."""
    x = min(max(x, 0.0), image.shape[1] - 1.001)
    y = min(max(y, 0.0), image.shape[0] - 1.001)
    column, row = int(x), int(y)
    fx, fy = x - column, y - row
    a, b = (1 - fx) * (1 - fy), fx * (1 - fy)
    c, d = (1 - fx) * fy, fx * fy
    for k in range(3):
        out[k] = (
            a * image[row, column, k]
            + b * image[row, column + 1, k]
            + c * image[row + 1, column, k]
            + d * image[row + 1, column + 1, k]
        )


@compiled
def _filled(
    image: Bytes,
    empty: Bytes,
    cx: float,
    cy: float,
    ux: float,
    uy: float,
    r: float,
    floor: float,
    work: Floats,
) -> bool:
    """Whether something fills a printed circle: changed within the step, not without.

    A queen on the centre circle has the print's rim, but not quite its colour. A
    shadow changes both sides alike.
    """
    changes = np.zeros(2)
    for side in range(2):
        q = r + (2 * side - 1) * BESIDE_MM
        sample(image, cx + q * ux, cy + q * uy, work[0])
        sample(empty, cx + q * ux, cy + q * uy, work[1])
        for c in range(3):
            changes[side] = max(changes[side], abs(work[0, c] - work[1, c]))
    return bool(changes[0] > FILLED * floor and changes[1] < 0.5 * changes[0])


@compiled
def _profile(
    image: Bytes,
    cx: float,
    cy: float,
    ux: float,
    uy: float,
    first: float,
    profile: Floats,
    rises: Floats,
) -> None:
    """Colours along a spoke (count x 3) and the step at each sample (count)."""
    count = profile.shape[0]
    for i in range(count):
        r = first + i * STEP_MM
        sample(image, cx + r * ux, cy + r * uy, profile[i])
    rises[0] = 0.0
    rises[count - 1] = 0.0
    for i in range(1, count - 1):
        best = 0.0
        for c in range(3):
            best = max(best, abs(profile[i + 1, c] - profile[i - 1, c]))
        rises[i] = best


@compiled
def _explained(
    empty: Bytes,
    cx: float,
    cy: float,
    ux: float,
    uy: float,
    r: float,
    seen: Floats,
    floor: float,
    before: Floats,
) -> bool:
    """Whether the empty table shows the same around this step (3 samples) already."""
    pixels = max(STEP_MM * np.sqrt(ux * ux + uy * uy), 0.25)
    for i in range(3):
        q = r + (i - 1) * STEP_MM
        sample(empty, cx + q * ux, cy + q * uy, before[i])
    for i in range(3):
        change, slope = 0.0, 0.0
        for c in range(3):
            change = max(change, abs(seen[i, c] - before[i, c]))
            slope = max(slope, abs(before[2, c] - before[0, c]) / 2)
        if change - DRIFT_PX * slope / pixels >= floor:
            return False
    return True


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
    floor: float,
    profile: Floats,
    rises: Floats,
    before: Floats,
    kept: Floats,
) -> None:
    """The strongest steps along one spoke: kept[k] = (distance in mm, height)."""
    _profile(image, cx, cy, ux, uy, first, profile, rises)
    for k in range(PER_SPOKE):
        kept[k, 1] = 0.0
    for i in range(1, len(rises) - 1):
        here = rises[i]
        if here < floor or here < rises[i - 1] or here <= rises[i + 1]:
            continue
        weakest = 0
        for k in range(1, PER_SPOKE):
            if kept[k, 1] < kept[weakest, 1]:
                weakest = k
        if here <= kept[weakest, 1]:
            continue
        r = first + i * STEP_MM
        if (
            gated
            and _explained(
                empty, cx, cy, ux, uy, r, profile[i - 1 : i + 2], floor, before
            )
            and not _filled(image, empty, cx, cy, ux, uy, r, floor, before)
        ):
            continue
        bend = rises[i - 1] - 2 * here + rises[i + 1]
        offset = 0.5 * (rises[i - 1] - rises[i + 1]) / bend if bend < 0 else 0.0
        kept[weakest, 0] = r + offset * STEP_MM
        kept[weakest, 1] = here


@compiled
def _miss(px: float, py: float, radius: float, base: Floats, out: Floats) -> float:
    """How far a step at (px, py) from the top's centre misses the outline, mm.

    `out` becomes the outline's normal there.
    """
    distance = float(max(np.sqrt(px * px + py * py), 1e-6))
    out[0], out[1] = px / distance, py / distance
    miss = distance - radius
    if px * base[0] + py * base[1] <= 0.0:
        return miss
    qx, qy = px - base[0], py - base[1]
    distance = float(max(np.sqrt(qx * qx + qy * qy), 1e-6))
    if abs(distance - radius) < abs(miss):
        out[0], out[1] = qx / distance, qy / distance
        return distance - radius
    return miss


@compiled
def _solve(
    steps: Floats,
    directions: Floats,
    radius: float,
    base: Floats,
    scale: float,
    shift: Floats,
) -> float:
    """One Tukey step for the centre; returns the spokes' summed weight."""
    a11 = a12 = a22 = b1 = b2 = total = 0.0
    normal = np.empty(2)
    for s in range(steps.shape[0]):
        best_weight, best_miss, nx, ny = 0.0, 0.0, 0.0, 0.0
        for k in range(PER_SPOKE):
            if steps[s, k, 1] <= 0.0:
                continue
            px = steps[s, k, 0] * directions[s, 0] - shift[0]
            py = steps[s, k, 0] * directions[s, 1] - shift[1]
            miss = _miss(px, py, radius, base, normal)
            t = miss / scale
            if abs(t) >= 1.0:
                continue
            weight = (1 - t * t) ** 2
            if weight > best_weight:
                best_weight, best_miss = weight, miss
                nx, ny = normal[0], normal[1]
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
def _contrast(
    steps: Floats,
    directions: Floats,
    radius: float,
    base: Floats,
    scale: float,
    shift: Floats,
) -> float:
    """The mean height of the steps that agree with the fitted outline."""
    total, count = 0.0, 0
    normal = np.empty(2)
    for s in range(steps.shape[0]):
        best = 0.0
        for k in range(PER_SPOKE):
            px = steps[s, k, 0] * directions[s, 0] - shift[0]
            py = steps[s, k, 0] * directions[s, 1] - shift[1]
            if abs(_miss(px, py, radius, base, normal)) < scale:
                best = max(best, steps[s, k, 1])
        if best > 0.0:
            total += best
            count += 1
    return total / count if count else 0.0


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
            column = min(max(int(x + 0.5), 0), image.shape[1] - 1)
            row = min(max(int(y + 0.5), 0), image.shape[0] - 1)
            change = 0.0
            for c in range(3):
                seen, before = (
                    float(image[row, column, c]),
                    float(empty[row, column, c]),
                )
                change = max(change, abs(seen - before))
            total += change
            count += 1
    return total / count


@compiled
def _look_round(
    image: Bytes,
    empty: Bytes,
    gated: bool,
    centre: Floats,
    affine: Floats,
    first: float,
    floor: float,
    begin: int,
    directions: Floats,
    profile: Floats,
    rises: Floats,
    before: Floats,
    steps: Floats,
) -> None:
    """The steps along every second spoke, from spoke `begin` on."""
    for s in range(begin, SPOKES, 2):
        east, north = directions[s, 0], directions[s, 1]
        _spoke(
            image,
            empty,
            gated,
            centre[0],
            centre[1],
            affine[0, 0] * east + affine[0, 1] * north,
            affine[1, 0] * east + affine[1, 1] * north,
            first,
            floor,
            profile,
            rises,
            before,
            steps[s],
        )


@compiled
def _settle(
    steps: Floats,
    directions: Floats,
    radius: float,
    base: Floats,
    widest: float,
    tightest: float,
    shift: Floats,
) -> float:
    """The centre by ever tighter Tukey steps; returns the last summed weight."""
    shift[:] = 0.0
    width = widest
    for _ in range(6):
        _solve(steps, directions, radius, base, max(width, tightest), shift)
        width *= 0.65
    return _solve(steps, directions, radius, base, tightest, shift)


@compiled
def fit_all(
    image: Bytes,
    empty: Bytes,
    gated: bool,
    centres: Floats,
    affines: Floats,
    radii: Floats,
    bases: Floats,
    noise: float,
    reach: float,
    out: Floats,
) -> None:
    directions = np.empty((SPOKES, 2))
    for s in range(SPOKES):
        angle = 2 * np.pi * s / SPOKES
        directions[s, 0], directions[s, 1] = np.cos(angle), np.sin(angle)
    steps = np.zeros((SPOKES, PER_SPOKE, 2))
    shift, moved, before = np.zeros(2), np.zeros(2), np.empty((3, 3))
    centre = np.zeros(2)
    floor = 4 * noise + 3.0
    for n in range(len(radii)):
        radius, affine, base = radii[n], affines[n], bases[n]
        scale = radius / NOMINAL_RADIUS_MM
        half = int(reach * scale / STEP_MM + 0.5)
        profile, rises = np.empty((2 * half + 1, 3)), np.empty(2 * half + 1)
        first, tight = radius - STEP_MM * half, TIGHT_MM * scale
        moved[:] = 0.0
        support = 0.0
        for _ in range(2):
            centre[0] = (
                centres[n, 0] + affine[0, 0] * moved[0] + affine[0, 1] * moved[1]
            )
            centre[1] = (
                centres[n, 1] + affine[1, 0] * moved[0] + affine[1, 1] * moved[1]
            )
            steps[:, :, 1] = 0.0
            for begin in range(2):
                _look_round(
                    image,
                    empty,
                    gated,
                    centre,
                    affine,
                    first,
                    floor,
                    begin,
                    directions,
                    profile,
                    rises,
                    before,
                    steps,
                )
                support = _settle(
                    steps, directions, radius, base, reach * scale, tight, shift
                )
                # Half the spokes are enough to see that nothing lies here.
                if support < HOPELESS * SPOKES / 2:
                    break
            moved += shift
            moved_far = shift[0] ** 2 + shift[1] ** 2 > (AGAIN_MM * scale) ** 2
            if support < HOPELESS * SPOKES or not moved_far:
                break
        out[n, 0], out[n, 1] = moved[0], moved[1]
        out[n, 2] = support / SPOKES
        out[n, 3] = _contrast(steps, directions, radius, base, tight, shift)
        if gated and support >= HOPELESS * SPOKES:
            x = centres[n, 0] + affine[0, 0] * moved[0] + affine[0, 1] * moved[1]
            y = centres[n, 1] + affine[1, 0] * moved[0] + affine[1, 1] * moved[1]
            out[n, 4] = _inside_change(image, empty, x, y, affine, radius, directions)
