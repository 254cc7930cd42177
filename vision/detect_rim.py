"""The edge fit's loop over discs, as machine code, without an allocation per disc.

`vision.detect_fit` says what is fitted and why, `vision.detect_spokes` what a step
is, `vision.detect_outline` which steps make the outline. All lengths are mm in the
plane of the disc's top.
"""

import numpy as np

from vision.compiled import compiled
from vision.detect_outline import ANY, settle, settle_by_kind
from vision.detect_places import NOMINAL_RADIUS_MM
from vision.detect_spokes import (
    ACROSS,
    ALONG,
    MOST_STEPS,
    PER_WAY,
    SPOKE,
    SPOKES,
    STEP_MM,
    Bytes,
    Floats,
    Gains,
    Room,
    Views,
    add_steps,
    gain_at,
)

TIGHT_MM = 1.6
"""Where Tukey's weight ends in the last step, at the nominal radius."""
AGAIN_MM = 1.0
"""A centre that moved further is fitted once more from its new spokes."""
HOPELESS = 0.2
"""Support below which a place is given up at once."""
CLEAR = 0.6
"""Support from which a first look at few spokes already moves the centre."""
EVIDENT = 0.7
"""Support of a piece beyond doubt: what overlaps it is given up, or soon."""
AGAINST_EVIDENCE = 0.6
"""Support below which a place that overlaps one of another size is given up: a coin's
rim, well seen, gives a striker there a third; a striker with a ring of a coin's size
printed on it has nine tenths of its own."""


@compiled
def fit_all(
    image: Bytes,
    empty: Bytes,
    gated: bool,
    light: Gains,
    left: int,
    top: int,
    centres: Floats,
    affines: Floats,
    radii: Floats,
    bases: Floats,
    points: Floats,
    overlap: float,
    noise: float,
    reach: float,
    out: Floats,
) -> None:
    """Fit every disc; `out` N x 4: shift east, north (mm), support, inside change.

    `points`: the discs' expected centres (N x 2, mm), when they are rivals that can
    overlap by `overlap` (mm) at most; empty when each is to be fitted for itself.
    """
    views = Views(image, empty, gated, light, left, top, 4 * noise + 3.0)
    largest = 0.0
    for radius in radii:
        largest = max(largest, radius)
    longest = int(2 * reach * largest / NOMINAL_RADIUS_MM / STEP_MM) + 3
    directions, steps = _directions(), np.empty((MOST_STEPS, 5))
    profile, slopes = np.empty((longest, 3)), np.empty((2, longest))
    before, strongest = np.empty((3, 3)), np.empty((PER_WAY, 2))
    shift, other = np.empty(2), np.empty(2)
    for n in range(len(radii)):
        radius = radii[n]
        scale = radius / NOMINAL_RADIUS_MM
        least = _least_support(n, points, radii, out, overlap + reach * scale)
        if least > 1.0:
            continue
        half = int(reach * scale / STEP_MM + 0.5)
        count = 2 * half + 1
        room = Room(profile[:count], slopes[:, :count], before, strongest)
        support = _fit(
            views,
            room,
            centres[n],
            affines[n],
            radius,
            bases[n],
            radius - STEP_MM * half,
            reach * scale,
            TIGHT_MM * scale,
            least,
            directions,
            steps,
            shift,
            other,
            out[n],
        )
        out[n, 2] = support / SPOKES
        if gated and support >= HOPELESS * SPOKES:
            a, b = affines[n], out[n]
            x = centres[n, 0] + a[0, 0] * b[0] + a[0, 1] * b[1]
            y = centres[n, 1] + a[1, 0] * b[0] + a[1, 1] * b[1]
            out[n, 3] = _inside_change(views, x, y, a, radius, directions)


@compiled
def _least_support(
    n: int, points: Floats, radii: Floats, out: Floats, slack: float
) -> float:
    """The support disc n must show at once beside those fitted before; 2: it cannot.

    Wherever within its reach it lies, it would overlap an evident piece.
    """
    least = HOPELESS
    for m in range(min(n, len(points))):
        if out[m, 2] < EVIDENT:
            continue
        east = points[m, 0] + out[m, 0] - points[n, 0]
        north = points[m, 1] + out[m, 1] - points[n, 1]
        clear = radii[m] + radii[n] - slack
        if east * east + north * north < clear * clear:
            if radii[m] == radii[n]:
                return 2.0
            least = AGAINST_EVIDENCE
    return least


@compiled
def _directions() -> Floats:
    directions = np.empty((SPOKES, 2))
    for s in range(SPOKES):
        angle = 2 * np.pi * s / SPOKES
        directions[s, 0], directions[s, 1] = np.cos(angle), np.sin(angle)
    return directions


@compiled
def _fit(
    views: Views,
    room: Room,
    centre: Floats,
    affine: Floats,
    radius: float,
    base: Floats,
    first: float,
    reach: float,
    tight: float,
    least: float,
    directions: Floats,
    steps: Floats,
    shift: Floats,
    other: Floats,
    moved: Floats,
) -> float:
    """Fit one disc, anew if it lies far from where it was expected; its support.

    It is given up, at no support, once that is below `least`, as a share of the spokes.
    """
    east, north = base[0], base[1]
    again = AGAIN_MM * radius / NOMINAL_RADIUS_MM
    support = 0.0
    # A quarter of the spokes is enough to see that nothing lies here, or whither.
    for every in (4, 1, 1):
        x = centre[0] + affine[0, 0] * moved[0] + affine[0, 1] * moved[1]
        y = centre[1] + affine[1, 0] * moved[0] + affine[1, 1] * moved[1]
        count = _look_round(views, room, x, y, affine, first, every, directions, steps)
        support, _ = settle(steps, count, radius, east, north, reach, tight, ANY, shift)
        if support < least * SPOKES / every:
            return 0.0
        if every == 1:
            settle_by_kind(
                steps, count, radius, east, north, reach, tight, shift, other
            )
        elif support < CLEAR * SPOKES / every:
            continue
        moved[0] += shift[0]
        moved[1] += shift[1]
        if every == 1 and shift[0] ** 2 + shift[1] ** 2 <= again**2:
            break
    return support


@compiled
def _look_round(
    views: Views,
    room: Room,
    x: float,
    y: float,
    affine: Floats,
    first: float,
    every: int,
    directions: Floats,
    steps: Floats,
) -> int:
    """The steps along every so-many-th spoke, in mm from pixel x, y; their count."""
    count = 0
    for s in range(0, SPOKES, every):
        east, north = directions[s, 0], directions[s, 1]
        ux = affine[0, 0] * east + affine[0, 1] * north
        uy = affine[1, 0] * east + affine[1, 1] * north
        known = count
        count = add_steps(views, room, x, y, ux, uy, first, steps, count)
        for n in range(known, count):
            steps[n, ACROSS] = steps[n, ALONG] * north
            steps[n, ALONG] *= east
            steps[n, SPOKE] = s
    return count


@compiled
def _inside_change(
    views: Views, x: float, y: float, affine: Floats, radius: float, directions: Floats
) -> float:
    """Mean over the disc of the largest channel's difference to the empty table."""
    image, empty, gain = views.image, views.empty, gain_at(views, x, y)
    total, count = 0.0, 0
    for ring in range(1, 4):
        r = radius * (0.22 * ring + 0.12)
        for s in range(0, SPOKES, 4):
            east, north = r * directions[s, 0], r * directions[s, 1]
            px = x + affine[0, 0] * east + affine[0, 1] * north
            py = y + affine[1, 0] * east + affine[1, 1] * north
            column = min(max(int(px + 0.5), 0), image.shape[1] - 1)
            row = min(max(int(py + 0.5), 0), image.shape[0] - 1)
            change = 0.0
            for c in range(3):
                seen, before = image[row, column, c], empty[row, column, c]
                change = max(change, abs(float(seen) - gain * float(before)))
            total += change
            count += 1
    return total / count
