"""Which outline the steps around a disc belong to, and where its centre then is.

Theory. A piece has a side, so it has two rims: its top's, and towards the camera's
foot point its base's, seen a little further in. Its side is always darker than a
pale top, so a pale piece's top ends in a fall of brightness all the way round,
whatever shadow lies beyond; a rise there is the end of that shadow and says nothing.
A dark piece ends in a rise, at its whole body's outline: the top's rim, and the
base's on the near side. So the way a step goes says which rim it is; taking either
for either would let shadows pull the centre.

The centre is the place that puts most steps on their rim: iteratively re-weighted
least squares with Tukey's biweight, which forgets steps that belong to a neighbour,
a printed line or a shadow.
"""

import numpy as np

from vision.compiled import compiled
from vision.detect_spokes import ACROSS, ALONG, FALL, HEIGHT, RISE, SPOKE, WAY, Floats

ANY = 2
"""Beside FALL and RISE: steps of both ways, each on the rim it is nearer to."""
ROUNDS = 8
NARROWING = 0.65
SETTLED_MM = 0.02
HEIGHT_CAP = 60.0
"""Grey levels from which a higher step is no better proof."""
PALE = 0.5
"""A pale top's falls weigh at least this share of the rises around them."""


@compiled
def settle(
    steps: Floats,
    count: int,
    radius: float,
    east: float,
    north: float,
    widest: float,
    tightest: float,
    way: int,
    shift: Floats,
) -> tuple[float, float]:
    """The centre (into `shift`) by ever tighter rounds, and the weights it ends with.

    `east`, `north`: from the top's centre to the base's. The weights are the spokes'
    agreement (0 to 1 each), summed, and the same times their steps' height.
    """
    shift[:] = 0.0
    width, agreement, proof = widest, 0.0, 0.0
    for _ in range(ROUNDS):
        scale, x, y = max(width, tightest), shift[0], shift[1]
        agreement, proof = _round(steps, count, radius, east, north, scale, way, shift)
        step = (shift[0] - x) ** 2 + (shift[1] - y) ** 2
        if width <= tightest and step < SETTLED_MM**2:
            break
        width *= NARROWING
    return agreement, proof


@compiled
def settle_by_kind(
    steps: Floats,
    count: int,
    radius: float,
    east: float,
    north: float,
    widest: float,
    tightest: float,
    shift: Floats,
    other: Floats,
) -> None:
    """The centre (into `shift`) by the falls of a pale top or a dark body's rises."""
    _, fall = settle(steps, count, radius, east, north, widest, tightest, FALL, shift)
    _, rise = settle(steps, count, radius, east, north, widest, tightest, RISE, other)
    if fall < PALE * rise:
        shift[:] = other


@compiled
def _miss(
    x: float, y: float, radius: float, east: float, north: float, way: int
) -> tuple[float, float, float]:
    """How far a step at x, y from the top's centre misses its rim; the rim's normal."""
    away = float(max(np.sqrt(x * x + y * y), 1e-6))
    miss, nx, ny = away - radius, x / away, y / away
    if way == FALL or x * east + y * north <= 0.0:
        return miss, nx, ny
    x, y = x - east, y - north
    away = float(max(np.sqrt(x * x + y * y), 1e-6))
    other = away - radius
    nearer = other < miss if way == RISE else abs(other) < abs(miss)
    return (other, x / away, y / away) if nearer else (miss, nx, ny)


@compiled
def _round(
    steps: Floats,
    count: int,
    radius: float,
    east: float,
    north: float,
    scale: float,
    way: int,
    shift: Floats,
) -> tuple[float, float]:
    """One re-weighted step of the centre; each spoke counts once, by its best step."""
    # A pinch of damping: an arc of few spokes must not throw the centre away.
    a11, a12, a22, b1, b2 = 0.5, 0.0, 0.5, 0.0, 0.0
    agreement, proof = 0.0, 0.0
    best, miss, nx, ny, height = 0.0, 0.0, 0.0, 0.0, 0.0
    for n in range(count):
        if way == ANY or steps[n, WAY] == way:
            x, y = steps[n, ALONG] - shift[0], steps[n, ACROSS] - shift[1]
            here, hx, hy = _miss(x, y, radius, east, north, way)
            t = here / scale
            weight = (1 - t * t) ** 2 if abs(t) < 1.0 else 0.0
            if weight > best:
                best, miss, nx, ny = weight, here, hx, hy
                height = min(steps[n, HEIGHT], HEIGHT_CAP)
        if n + 1 < count and steps[n + 1, SPOKE] == steps[n, SPOKE]:
            continue
        agreement, proof = agreement + best, proof + best * height
        a11, a12, a22 = a11 + best * nx * nx, a12 + best * nx * ny, a22 + best * ny * ny
        b1, b2 = b1 + best * miss * nx, b2 + best * miss * ny
        best = 0.0
    det = a11 * a22 - a12 * a12
    shift[0] += (a22 * b1 - a12 * b2) / det
    shift[1] += (a11 * b2 - a12 * b1) / det
    return agreement, proof
