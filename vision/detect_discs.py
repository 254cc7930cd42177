"""Discs of any radius in a view from above: what a photograph of any set needs.

Clubs play with coins from 26 to 44 mm on boards of any size, so a photograph has
to tell the radius itself. Voting runs over a range of radii; each proposal is
fitted with its radius free; then the rim is judged spoke by spoke. A piece is a
step: its own colour inside, something else outside, all the way round. A printed
ring is a line: the same wood on both sides. That difference needs no threshold in
grey levels, only the board's own texture as a yardstick.
"""

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.compiled import compiled
from vision.detect_spokes import Bytes, Floats, sample

SPOKES = 64
PER_SPOKE = 2
INNER = (0.72, 0.92)
"""Where along a spoke (in radii) the disc's own colour is taken."""
OUTER = (1.08, 1.28)
SAMPLES = 4
TEXTURE_TIMES = 3.0
"""A step must exceed the board's typical difference by this factor."""
SAME_SHARE = 0.6
"""The disc's colours may differ from their median by this share of the step."""


class Discs(NamedTuple):
    """Circles in a view: N of them."""

    centres: Floats
    """N x 2, view pixels."""
    radii: Floats
    """N, view pixels."""


class Rims(NamedTuple):
    """How much like a piece each disc looks, N long."""

    step: Floats
    """Share of spokes with the disc's colour inside and another outside."""
    sharp: Floats
    """Share of spokes whose step moreover lies on the circle itself."""
    colour: Floats
    """N x 3: the median colour inside, BGR."""
    outside: Floats
    """N x 3: the median colour around it, BGR."""
    height: Floats
    """The median step between the two, grey levels."""
    even: Floats
    """Share of the disc that has its colour, as the step is high."""


def propose(image: Bytes, radii: Floats, most: int) -> Discs:
    """Where circles of these radii (view pixels) may be, best first."""
    soft = cv2.GaussianBlur(image, (3, 3), 0)
    across = np.asarray(cv2.Sobel(soft, cv2.CV_16S, 1, 0), np.int16)
    down = np.asarray(cv2.Sobel(soft, cv2.CV_16S, 0, 1), np.int16)
    size = np.abs(across).max(axis=2) + np.abs(down).max(axis=2)
    threshold = max(4.0 * 4.0, 2.5 * float(np.median(size)))
    shape = (len(radii), image.shape[0] // 2 + 1, image.shape[1] // 2 + 1)
    votes = np.zeros(shape, np.float32)
    _vote(across, down, threshold, radii, votes)
    ranked = np.concatenate(
        [_maxima(votes[k], float(radius)) for k, radius in enumerate(radii)]
    )
    ranked = ranked[np.argsort(-ranked[:, 3])]
    return _distinct(ranked, most)


def fit_circles(image: Bytes, discs: Discs, prior: Floats | None = None) -> Discs:
    """Fit centre and radius of each disc to the strongest steps around it.

    `prior` (N, view pixels): radii the fit is drawn to when given.
    """
    centres = discs.centres.copy()
    radii = discs.radii.copy()
    wanted = np.full(len(radii), -1.0) if prior is None else prior
    _fit_circles(image, centres, radii, wanted)
    return Discs(centres, radii)


def judge(image: Bytes, discs: Discs, least_step: float) -> Rims:
    """Judge each disc's rim; `least_step` in grey levels (see `texture`)."""
    count = len(discs.radii)
    shares = [np.zeros(count) for _ in range(4)]
    step, sharp, height, even = shares
    colours = np.zeros((count, 3)), np.zeros((count, 3))
    rims = Rims(step, sharp, *colours, height, even)
    _judge(image, *discs, least_step, *rims)
    return rims


def texture(image: Bytes, radius: float) -> float:
    """The step (grey levels) that the bare board's own texture does not reach."""
    rows, columns = image.shape[:2]
    edge = int(3 * radius)
    x, y = np.meshgrid(
        np.linspace(edge, columns - edge, 20), np.linspace(edge, rows - edge, 20)
    )
    around = Discs(np.column_stack([x.ravel(), y.ravel()]), np.full(x.size, radius))
    typical = np.zeros(x.size)
    _typical_steps(image, *around, typical)
    return max(6.0, TEXTURE_TIMES * float(np.median(typical)))


def _maxima(votes: NDArray[np.float32], radius: float) -> Floats:
    """Local maxima as rows (x, y, radius, votes per rim length)."""
    smooth = np.asarray(cv2.GaussianBlur(votes, (5, 5), 0), np.float32)
    smooth /= np.float32(radius)
    around = cv2.dilate(smooth, np.ones((5, 5), np.uint8))
    rows, columns = np.nonzero((smooth >= around) & (smooth > 0.1))
    height = smooth[rows, columns]
    best = np.argsort(-height)[:PER_RADIUS]
    x, y = columns[best] * 2.0, rows[best] * 2.0
    return np.column_stack([x, y, np.full(len(best), radius), height[best]])


PER_RADIUS = 150
SAME_PLACE_PX = 4.0
SAME_RADIUS = 0.09


def _distinct(ranked: Floats, most: int) -> Discs:
    """Drop proposals that repeat a better one's place and radius."""
    kept = np.zeros((0, 4))
    for row in ranked:
        near = np.hypot(kept[:, 0] - row[0], kept[:, 1] - row[1]) < SAME_PLACE_PX
        alike = np.abs(np.log(kept[:, 2] / row[2])) < SAME_RADIUS
        if not (near & alike).any():
            kept = np.vstack([kept, row])
        if len(kept) == most:
            break
    return Discs(kept[:, :2].copy(), kept[:, 2].copy())


@compiled
def _vote(
    across: NDArray[np.int16],
    down: NDArray[np.int16],
    threshold: float,
    radii: Floats,
    votes: NDArray[np.float32],
) -> None:
    rows, columns = across.shape[0], across.shape[1]
    for y in range(rows):
        for x in range(columns):
            best, channel = 0.0, 0
            for c in range(3):
                size = float(across[y, x, c]) ** 2 + float(down[y, x, c]) ** 2
                if size > best:
                    best, channel = size, c
            length = np.sqrt(best)
            if length < threshold:
                continue
            # Beyond three thresholds a step is a step: a light piece on light
            # wood must not drown in the rims of black ones.
            weight = min(1.0, length / (3 * threshold))
            ux, uy = across[y, x, channel] / length, down[y, x, channel] / length
            for k in range(len(radii)):
                for sign in (-1.0, 1.0):
                    column = int((x + sign * radii[k] * ux) * 0.5 + 0.5)
                    row = int((y + sign * radii[k] * uy) * 0.5 + 0.5)
                    if 0 <= row < votes.shape[1] and 0 <= column < votes.shape[2]:
                        votes[k, row, column] += weight


@compiled
def _rim_steps(
    image: Bytes,
    cx: float,
    cy: float,
    radius: float,
    directions: Floats,
    steps: Floats,
) -> None:
    """The strongest steps per spoke as (distance, height), 0.72 to 1.3 radii out."""
    count = 30
    profile = np.empty((count, 3))
    rise = np.empty(count)
    for s in range(directions.shape[0]):
        ux, uy = directions[s, 0], directions[s, 1]
        for i in range(count):
            r = radius * (0.72 + 0.02 * i)
            sample(image, cx + r * ux, cy + r * uy, profile, i)
        for i in range(count):
            rise[i] = 0.0
            if 0 < i < count - 1:
                for c in range(3):
                    rise[i] = max(rise[i], abs(profile[i + 1, c] - profile[i - 1, c]))
        for k in range(PER_SPOKE):
            steps[s, k, 1] = 0.0
        for i in range(1, count - 1):
            if rise[i] < 4.0 or rise[i] < rise[i - 1] or rise[i] <= rise[i + 1]:
                continue
            weakest = 0
            for k in range(1, PER_SPOKE):
                if steps[s, k, 1] < steps[s, weakest, 1]:
                    weakest = k
            if rise[i] > steps[s, weakest, 1]:
                steps[s, weakest, 0] = radius * (0.72 + 0.02 * i)
                steps[s, weakest, 1] = rise[i]


@compiled
def _circle_step(
    steps: Floats, directions: Floats, circle: Floats, scale: float, wanted: float
) -> None:
    """One Tukey step for (dx, dy, radius) in `circle`, in place."""
    normal = np.zeros((3, 3))
    right = np.zeros(3)
    row = np.ones(3)
    total = 0.0
    for s in range(steps.shape[0]):
        best, miss, nx, ny = 0.0, 0.0, 0.0, 0.0
        for k in range(PER_SPOKE):
            if steps[s, k, 1] <= 0.0:
                continue
            px = steps[s, k, 0] * directions[s, 0] - circle[0]
            py = steps[s, k, 0] * directions[s, 1] - circle[1]
            distance = np.sqrt(px * px + py * py)
            t = (distance - circle[2]) / scale
            if abs(t) >= 1.0:
                continue
            weight = (1 - t * t) ** 2 * min(steps[s, k, 1], 60.0)
            if weight > best:
                best, miss = weight, distance - circle[2]
                nx, ny = px / distance, py / distance
        row[0], row[1] = nx, ny
        total += best
        for i in range(3):
            right[i] += best * miss * row[i]
            for j in range(3):
                normal[i, j] += best * row[i] * row[j]
    damping = 1e-3 * (total + 1.0)
    for i in range(3):
        normal[i, i] += damping
    if wanted > 0.0:
        pull = 4.0 * (total + 1.0)
        normal[2, 2] += pull
        right[2] += pull * (wanted - circle[2])
    _solve_three(normal, right)
    for i in range(3):
        circle[i] += right[i]


@compiled
def _solve_three(matrix: Floats, right: Floats) -> None:
    """Gauss' elimination of a damped (so never singular) 3 x 3 system, in place."""
    for i in range(3):
        for j in range(i + 1, 3):
            share = matrix[j, i] / matrix[i, i]
            for k in range(i, 3):
                matrix[j, k] -= share * matrix[i, k]
            right[j] -= share * right[i]
    for back in range(3):
        i = 2 - back
        for k in range(i + 1, 3):
            right[i] -= matrix[i, k] * right[k]
        right[i] /= matrix[i, i]


@compiled
def _fit_circles(image: Bytes, centres: Floats, radii: Floats, wanted: Floats) -> None:
    directions = _directions(SPOKES)
    steps = np.zeros((SPOKES, PER_SPOKE, 2))
    circle = np.zeros(3)
    for n in range(len(radii)):
        start = radii[n]
        for _ in range(2):
            radius = radii[n]
            _rim_steps(image, centres[n, 0], centres[n, 1], radius, directions, steps)
            circle[0], circle[1], circle[2] = 0.0, 0.0, radius
            scale = 0.25 * radius
            for _ in range(8):
                _circle_step(steps, directions, circle, scale, wanted[n])
                scale = max(0.08 * radius, 0.7 * scale)
            reach = 0.4 * radius
            centres[n, 0] += min(max(circle[0], -reach), reach)
            centres[n, 1] += min(max(circle[1], -reach), reach)
            radii[n] = min(max(circle[2], 0.75 * start), 1.33 * start)


@compiled
def _directions(count: int) -> Floats:
    directions = np.empty((count, 2))
    for s in range(count):
        angle = 2 * np.pi * s / count
        directions[s, 0], directions[s, 1] = np.cos(angle), np.sin(angle)
    return directions


@compiled
def _band(
    image: Bytes,
    centre: Floats,
    radius: float,
    first: float,
    last: float,
    directions: Floats,
    out: Floats,
) -> None:
    """Mean colour per spoke (spokes x 3) between two shares of the radius."""
    colour = np.empty((1, 3))
    for s in range(directions.shape[0]):
        for c in range(3):
            out[s, c] = 0.0
        for i in range(SAMPLES):
            r = radius * (first + (last - first) * i / (SAMPLES - 1))
            x, y = centre[0] + r * directions[s, 0], centre[1] + r * directions[s, 1]
            sample(image, x, y, colour, 0)
            for c in range(3):
                out[s, c] += colour[0, c] / SAMPLES


@compiled
def _largest(first: Floats, second: Floats) -> float:
    """The largest channel's difference of two colours."""
    apart = 0.0
    for c in range(3):
        apart = max(apart, abs(first[c] - second[c]))
    return apart


@compiled
def _judge(
    image: Bytes,
    centres: Floats,
    radii: Floats,
    least: float,
    step: Floats,
    sharp: Floats,
    colour: Floats,
    outside: Floats,
    height: Floats,
    even: Floats,
) -> None:
    directions = _directions(SPOKES)
    inner, outer = np.empty((SPOKES, 3)), np.empty((SPOKES, 3))
    core, close = np.empty((SPOKES, 3)), np.empty((2, 3))
    middle, heights = np.empty(3), np.empty(SPOKES)
    for n in range(len(radii)):
        _band(image, centres[n], radii[n], INNER[0], INNER[1], directions, inner)
        _band(image, centres[n], radii[n], OUTER[0], OUTER[1], directions, outer)
        _band(image, centres[n], radii[n], 0.1, 0.85, directions, core)
        for c in range(3):
            middle[c] = np.median(inner[:, c])
            colour[n, c] = np.median(core[:, c])
            outside[n, c] = np.median(outer[:, c])
        for s in range(SPOKES):
            heights[s] = _largest(inner[s], outer[s])
        height[n] = np.median(heights)
        for s in range(SPOKES):
            for i in range(4):
                r = radii[n] * (0.1 + 0.22 * i)
                x = centres[n, 0] + r * directions[s, 0]
                y = centres[n, 1] + r * directions[s, 1]
                sample(image, x, y, close, 0)
                if _largest(close[0], colour[n]) < SAME_SHARE * height[n]:
                    even[n] += 0.25 / SPOKES
            rise = heights[s]
            if rise < least or _largest(inner[s], middle) > SAME_SHARE * rise:
                continue
            step[n] += 1.0 / SPOKES
            nearby = 0.0
            for i in range(5):
                for side in range(2):
                    r = radii[n] * (0.92 + 0.03 * i + 0.04 * side)
                    x = centres[n, 0] + r * directions[s, 0]
                    y = centres[n, 1] + r * directions[s, 1]
                    sample(image, x, y, close, side)
                nearby = max(nearby, _largest(close[0], close[1]))
            if nearby >= 0.5 * least:
                sharp[n] += 1.0 / SPOKES


@compiled
def _typical_steps(image: Bytes, centres: Floats, radii: Floats, out: Floats) -> None:
    directions = _directions(16)
    inner, outer = np.empty((16, 3)), np.empty((16, 3))
    heights = np.empty(16)
    for n in range(len(radii)):
        _band(image, centres[n], radii[n], INNER[0], INNER[1], directions, inner)
        _band(image, centres[n], radii[n], OUTER[0], OUTER[1], directions, outer)
        for s in range(16):
            heights[s] = _largest(inner[s], outer[s])
        out[n] = np.median(heights)
