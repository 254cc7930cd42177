"""Which four lines of a picture may be a square seen by a camera.

Theory. A table's frame and its base lines are squares with one centre and one
direction. Any two pairs of lines make a quadrilateral; few of them can be the
picture of a square through a lens of usual focal length, and of those few have
edges along all of their sides.
"""

import numpy as np
from numpy.typing import NDArray

from calibration.find_edges import Edges, Floats
from calibration.find_kernels import edge_hits

FOCALS = (0.6, 0.8, 1.1, 1.6)
"""Focal lengths tried, in shares of the picture's longer side."""
ODD = 0.12
"""How unlike a square a quadrilateral may seem: ratio of sides, cosine of angle."""
NARROWEST = 0.25
"""Least distance of opposite sides, in shares of the picture's shorter side."""
SPLAY = np.radians(28.0)
"""How far from parallel opposite sides may look."""
SKEW = np.radians(32.0)
"""How far from square the sides may meet in the picture."""
SIDE_SAMPLES = 32
LEAST_SUPPORT = 0.25
"""Edges along the visible part of the sides, on average and at least a side of all."""
KEPT = 250


def squares(lines: Floats, edges: Edges) -> Floats:
    """Homographies (N x 3 x 3) from a square's own units to pixels, best first.

    The square reaches from -1 to 1, x to the right and y up as far as the picture
    tells. `lines` are rows (nx, ny, offset, ...).
    """
    upright, level = _pairs(lines, edges.size_px)
    if not len(upright) or not len(level):
        return np.zeros((0, 3, 3))
    corners = _corners(lines, upright, level)
    corners = corners[_is_convex(corners)]
    homographies = unit_homographies(corners)
    homographies = homographies[oddness(homographies, edges.size_px) < ODD]
    support = _support(homographies, edges)
    good = np.flatnonzero(support > LEAST_SUPPORT)
    good = good[np.argsort(-support[good], kind="stable")]
    return distinct(homographies[good], KEPT)


def unit_homographies(corners: Floats) -> Floats:
    """N x 3 x 3 from the square -1..1 to corners (N x 4 x 2: TL TR BR BL)."""
    p0, p1, p2, p3 = np.moveaxis(corners, 1, 0)
    a, b, s = p1 - p2, p3 - p2, p0 - p1 + p2 - p3
    below = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    g = (s[:, 0] * b[:, 1] - s[:, 1] * b[:, 0]) / below
    h = (a[:, 0] * s[:, 1] - a[:, 1] * s[:, 0]) / below
    full = np.empty((len(corners), 3, 3))
    full[:, :2, 0] = p1 - p0 + g[:, None] * p1
    full[:, :2, 1] = p3 - p0 + h[:, None] * p3
    full[:, :2, 2] = p0
    full[:, 2] = np.column_stack([g, h, np.ones(len(g))])
    return np.asarray(full @ FROM_MIDDLE, np.float64)


FROM_MIDDLE = np.array([[0.5, 0.0, 0.5], [0.0, -0.5, 0.5], [0.0, 0.0, 1.0]])
"""Takes x right, y up, -1..1 to the unit square from its top left corner."""


def oddness(homographies: Floats, size_px: tuple[int, int]) -> Floats:
    """How unlike a square each must be (N), through the kindest usual lens."""
    width, height = size_px
    shift = np.array([[1, 0, 0.5 - width / 2], [0, 1, 0.5 - height / 2], [0, 0, 1]])
    centred = shift @ homographies
    odds = []
    for focal in FOCALS:
        axes = centred[:, :, :2] / np.array(
            [[1.0], [1.0], [1 / (focal * max(size_px))]]
        )
        x, y = axes[..., 0], axes[..., 1]
        lx, ly = np.linalg.norm(x, axis=1), np.linalg.norm(y, axis=1)
        skew = np.abs((x * y).sum(axis=1)) / (lx * ly)
        odds.append(np.maximum(skew, np.abs(np.log(lx / ly))))
    return np.asarray(np.min(odds, axis=0), np.float64)


TURNS = tuple(
    np.array([[c, -s], [s, c]], np.float64)
    for c, s in ((1, 0), (0, 1), (-1, 0), (0, -1))
)
"""The square's quarter turns, for rows of points: `points @ turn`."""


def project(homographies: Floats, points: Floats) -> Floats:
    """N x M x 2 pixels of points (M x 2 or N x M x 2) through N homographies."""
    linear = points @ np.swapaxes(homographies[:, :, :2], 1, 2)
    flat = linear + homographies[:, None, :, 2]
    return np.asarray(flat[..., :2] / flat[..., 2:], np.float64)


def _pairs(lines: Floats, size: tuple[int, int]) -> tuple[Floats, Floats]:
    """Pairs (N x 2 indices) of nearly parallel lines: upright ones, level ones.

    A table turned by 45 degrees has both kinds; a pair is listed by its mean.
    """
    i, j = np.triu_indices(len(lines), 1)
    turn = lines[i, 0] * lines[j, 1] - lines[i, 1] * lines[j, 0]
    facing = (lines[i, :2] * lines[j, :2]).sum(axis=1)
    sign = np.sign(facing)
    middle = np.array(size) / 2
    far = np.abs(
        (lines[i, :2] @ middle - lines[i, 2])
        - sign * (lines[j, :2] @ middle - lines[j, 2])
    )
    good = (np.abs(turn) < np.sin(SPLAY)) & (far > NARROWEST * min(size))
    pairs = np.column_stack([i, j])[good]
    normal = lines[pairs[:, 0], :2] + sign[good, None] * lines[pairs[:, 1], :2]
    upright = np.abs(normal[:, 0]) >= np.abs(normal[:, 1])
    return pairs[upright], pairs[~upright]


def _corners(lines: Floats, upright: Floats, level: Floats) -> Floats:
    """Quadrilaterals (N x 4 x 2, TL TR BR BL) of every upright with every level pair.

    Left and right, top and bottom are told by where the lines cross the middle of
    the other pair.
    """
    a, b = (grid.ravel() for grid in np.indices((len(upright), len(level))))
    left, right = lines[upright[a, 0]], lines[upright[a, 1]]
    top, bottom = lines[level[b, 0]], lines[level[b, 1]]
    square = np.abs((left[:, :2] * top[:, :2]).sum(axis=1)) < np.sin(SKEW)
    left, right, top, bottom = (part[square] for part in (left, right, top, bottom))
    corners = np.stack(
        [
            _crossings(left, top),
            _crossings(right, top),
            _crossings(right, bottom),
            _crossings(left, bottom),
        ],
        axis=1,
    )
    mirrored = corners[:, 0, 0] + corners[:, 3, 0] > corners[:, 1, 0] + corners[:, 2, 0]
    corners[mirrored] = corners[mirrored][:, [1, 0, 3, 2]]
    upside = corners[:, 0, 1] + corners[:, 1, 1] > corners[:, 2, 1] + corners[:, 3, 1]
    corners[upside] = corners[upside][:, [3, 2, 1, 0]]
    return np.asarray(corners, np.float64)


def _crossings(first: Floats, second: Floats) -> Floats:
    below = first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
    below = np.where(np.abs(below) < 1e-6, 1e-6, below)
    x = (first[:, 2] * second[:, 1] - second[:, 2] * first[:, 1]) / below
    y = (first[:, 0] * second[:, 2] - second[:, 0] * first[:, 2]) / below
    return np.column_stack([x, y])


def _is_convex(corners: Floats) -> NDArray[np.bool_]:
    ahead = np.roll(corners, -1, axis=1) - corners
    after = np.roll(ahead, -1, axis=1)
    turns = ahead[..., 0] * after[..., 1] - ahead[..., 1] * after[..., 0]
    lengths = np.linalg.norm(ahead, axis=2)
    return np.asarray(
        (turns > 0.3 * lengths * np.roll(lengths, -1, axis=1)).all(axis=1), np.bool_
    )


def _support(homographies: Floats, edges: Edges) -> Floats:
    """Share of each square's visible sides that lies on edges; 0 with a bare side."""
    along = np.linspace(-0.85, 0.85, SIDE_SAMPLES)
    side = np.column_stack([along, np.ones(SIDE_SAMPLES)])
    points = np.concatenate([side @ turn for turn in TURNS])
    ahead = np.repeat([(1.0, 0.0) @ turn for turn in TURNS], SIDE_SAMPLES, axis=0)
    hits, seen = edge_hits(homographies, points, ahead, edges)
    shape = (len(homographies), 4, SIDE_SAMPLES)
    hit, visible = (part.reshape(shape).sum(axis=2).T for part in (hits, seen))
    each = np.where(visible > SIDE_SAMPLES / 4, hit / np.maximum(visible, 1), np.nan)
    known = np.isfinite(each)
    least = np.where(known, each, 1.0).min(axis=0)
    mean = np.where(known, each, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    return np.where((least > 0.08) & (known.sum(axis=0) >= 3), mean, 0.0)


def distinct(homographies: Floats, most: int) -> Floats:
    """The first of those (N x 3 x 3) whose corners nearly coincide, so many at most."""
    return homographies[first_of_like(homographies, most)]


def first_of_like(homographies: Floats, most: int) -> list[int]:
    """The indices of those unlike all before them."""
    unit = np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]], np.float64)
    corners = project(homographies, unit)
    kept: list[int] = []
    for n in range(len(corners)):
        if kept:
            away = np.abs(corners[kept] - corners[n]).max(axis=(1, 2))
            if away.min() < SAME * np.linalg.norm(corners[n, 0] - corners[n, 2]):
                continue
        kept.append(n)
        if len(kept) == most:
            break
    return kept


SAME = 0.006
"""Corners this near to each other, in diagonals, are the same."""
