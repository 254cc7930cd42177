"""A found table drawn tight: every mark's edges, all at once, to a part of a pixel.

Theory. The table's square, its sizes and one bend of the lens are a dozen numbers.
Points along each mark are projected with them, the edge nearest along the normal
is measured, and the numbers are moved so that all points meet their edges; edges
far off (pieces, hands, wear) lose their say (Tukey). A mark nobody sees says
nothing, and the sizes then stay near what they were.
"""

from dataclasses import dataclass, replace

import numpy as np
from numba import njit
from numpy.typing import NDArray

from calibration.find_edges import Edges, Floats
from calibration.find_kernels import PRIOR_FOCAL
from calibration.find_squares import TURNS
from calibration.kernels import kept

BEND_SPREAD = 0.4
"""Standard deviation of the lens's k1 before anything is seen.

A fifth of it held a wide lens (-0.56 in these units) to -0.15, and corners 1 % of
the side off.
"""
SIZE_SPREAD = 0.03
"""Standard deviation of a size, in half sides, about what was searched out."""
LAST_REACH = 2.5
"""When all is fitted, edges are looked for this much farther than while fitting."""
SIGMA = 1.4826
"""Standard deviation over median absolute deviation of a normal distribution."""
QUARTER_DISC = 1.0
"""A shorter arc than this: the pocket's centre is the corner itself."""
SIZES = ("lower", "upper", "pocket_radius", "pocket_out", "base_out", "base_radius")


@dataclass(frozen=True, slots=True, eq=False)
class Square:
    """A table in a picture: its half side is 1, and so are its sizes given.

    `homography` takes the table to ideal pixels, `bend` (k1, in units of
    PRIOR_FOCAL) takes those to the picture's.
    """

    homography: Floats
    size_px: tuple[int, int]
    lower: float
    upper: float
    pocket_radius: float
    pocket_out: float
    """Pocket centre to the table's middle, along either axis."""
    base_out: float
    """Base circle's centre to the line through the table's middle."""
    base_radius: float
    centre_radius: float
    bend: float = 0.0
    pocket_arc: float = 1.75
    """The pocket's rim is seen so far (radians) to either side of its middle."""

    def to_px(self, points: Floats) -> Floats:
        """Pixels (M x 2) of places on the table (M x 2)."""
        flat = points @ self.homography[:, :2].T + self.homography[:, 2]
        seen = flat[:, :2] / flat[:, 2:]
        centre, focal = self.lens
        r2 = (((seen - centre) / focal) ** 2).sum(axis=1, keepdims=True)
        return np.asarray(centre + (seen - centre) * (1 + self.bend * r2), np.float64)

    @property
    def lens(self) -> tuple[Floats, float]:
        """The principal point and the focal length of `bend`, in pixels."""
        size = np.array(self.size_px, np.float64)
        return size / 2 - 0.5, PRIOR_FOCAL * float(size.max())

    def scaled(self, size_px: tuple[int, int]) -> "Square":
        """The same table in the picture at another size."""
        sx, sy = (new / old for new, old in zip(size_px, self.size_px, strict=True))
        scale = np.array([[sx, 0, 0.5 * sx - 0.5], [0, sy, 0.5 * sy - 0.5], [0, 0, 1]])
        return replace(self, homography=scale @ self.homography, size_px=size_px)


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A fitted table and how well it fits."""

    square: Square
    residual: float
    """How far edges lie from marks (standard deviation by the median), half sides."""
    share: float
    """How many of the marks' points met an edge."""
    points: Floats
    """Edges met: K x 2 on the table, and K x 2 in the picture beside."""
    seen_px: Floats
    kinds: NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class _Marks:
    """Points along the marks (M) with what each point is."""

    points: Floats
    ahead: Floats
    kinds: NDArray[np.int64]


FRAME, LOWER, UPPER, POCKET, BASE, CENTRE = range(6)
ALONG = np.linspace(-0.86, 0.86, 60)
LINE_ALONG = np.linspace(-0.96, 0.96, 44)
RIM = np.arange(0, 2 * np.pi, 2 * np.pi / 24)
QUARTER = np.linspace(0, np.pi / 2, 12, endpoint=False)
POCKET_RIM = np.linspace(-1.0, 1.0, 24)


def fit(square: Square, edges: Edges, reaches_px: tuple[float, ...]) -> Fit:
    """Fit a table to a picture's edges; a step for each reach, the widest first."""
    ways = _size_ways(square)
    for reach in reaches_px:
        marks = _marks(square)
        shifts, strength = _measured(square, marks, edges, reach)
        weight = strength * _tukey(shifts / (1.2 * reach))
        square = _moved(square, marks, ways, shifts, weight)
    marks = _marks(square)
    reach = LAST_REACH * reaches_px[-1]
    shifts, strength = _measured(square, marks, edges, reach)
    met = (strength > 0) & (np.abs(shifts) < reach)
    px = square.to_px(marks.points)
    seen = px + shifts[:, None] * _normals(square, marks)
    unit_px = _unit_px(square)
    inside = _inside(px, square.size_px)
    return Fit(
        square,
        SIGMA * float(np.median(np.abs(shifts[met]))) / unit_px
        if met.any()
        else np.inf,
        float(met.sum()) / max(1.0, float(inside.sum())),
        marks.points[met],
        seen[met],
        marks.kinds[met],
    )


def _unit_px(square: Square) -> float:
    ends = square.to_px(np.array([[-0.5, 0], [0.5, 0], [0, -0.5], [0, 0.5]]))
    return (
        float(np.linalg.norm(ends[1] - ends[0]) + np.linalg.norm(ends[3] - ends[2])) / 2
    )


def _inside(px: Floats, size: tuple[int, int]) -> NDArray[np.bool_]:
    return np.asarray(((px >= 2) & (px < np.array(size) - 3)).all(axis=1), np.bool_)


def _marks(square: Square) -> _Marks:
    """The points of every mark of the table."""
    level = np.array([1.0, 0.0])
    parts: list[tuple[Floats, Floats, int]] = []
    for kind, y, x in (
        (FRAME, 1.0, ALONG),
        (LOWER, square.lower, LINE_ALONG * square.base_out),
        (UPPER, square.upper, LINE_ALONG * square.base_out),
    ):
        line = np.column_stack([x, np.full(len(x), y)])
        parts.append((line, np.tile(level, (len(x), 1)), kind))
    q = square.pocket_out
    rim = square.pocket_arc * POCKET_RIM - 3 * np.pi / 4
    parts.append((*_circle(q, q, square.pocket_radius, rim), POCKET))
    between = (square.lower + square.upper) / 2
    for out in (-square.base_out, square.base_out):
        parts.append((*_circle(out, between, square.base_radius, RIM), BASE))
    parts.append((*_circle(0.0, 0.0, square.centre_radius, QUARTER), CENTRE))
    points = np.concatenate([p @ turn for turn in TURNS for p, _, _ in parts])
    ahead = np.concatenate([d @ turn for turn in TURNS for _, d, _ in parts])
    kinds = np.concatenate([np.full(len(p), k) for _ in TURNS for p, _, k in parts])
    return _Marks(points, ahead, kinds)


def _circle(x: float, y: float, radius: float, rim: Floats) -> tuple[Floats, Floats]:
    out = np.column_stack([np.cos(rim), np.sin(rim)])
    return np.array([x, y]) + radius * out, np.column_stack([out[:, 1], -out[:, 0]])


def _normals(square: Square, marks: _Marks) -> Floats:
    """In the picture, to the left of each mark's direction: out from the table."""
    step = 1e-3
    ahead = square.to_px(marks.points + step * marks.ahead) - square.to_px(
        marks.points - step * marks.ahead
    )
    ahead /= np.maximum(np.linalg.norm(ahead, axis=1, keepdims=True), 1e-12)
    return np.column_stack([ahead[:, 1], -ahead[:, 0]])


def _measured(
    square: Square, marks: _Marks, edges: Edges, reach: float
) -> tuple[Floats, Floats]:
    """How far (px, along the normal) each point's edge is, and how clear (0..1)."""
    shifts = np.zeros(len(marks.points))
    strength = np.zeros(len(marks.points))
    _measure(
        square.to_px(marks.points),
        _normals(square, marks),
        edges.across,
        edges.down,
        reach,
        shifts,
        strength,
    )
    return shifts, strength


def _tukey(t: Floats) -> Floats:
    return np.where(np.abs(t) < 1, (1 - t * t) ** 2, 0.0)


def _vector(square: Square) -> Floats:
    """The numbers that move: 8 of the homography, sizes, the centre ring, the bend."""
    h = _conditioned(square.size_px) @ square.homography
    h /= h[2, 2]
    sizes = [getattr(square, name) for name in (*SIZES, "centre_radius", "bend")]
    return np.concatenate([h.ravel()[:8], sizes])


def _conditioned(size_px: tuple[int, int]) -> Floats:
    width, height = size_px
    k = 2.0 / max(size_px)
    return np.array([[k, 0, -k * width / 2], [0, k, -k * height / 2], [0, 0, 1.0]])


def _with(square: Square, vector: Floats) -> Square:
    h = np.append(vector[:8], 1.0).reshape(3, 3)
    h = np.linalg.inv(_conditioned(square.size_px)) @ h
    sizes = dict(
        zip((*SIZES, "centre_radius", "bend"), vector[8:].tolist(), strict=True)
    )
    return replace(square, homography=np.asarray(h / h[2, 2], np.float64), **sizes)


def _size_ways(square: Square) -> list[Floats]:
    """How each mark's point moves (M x 2) as each size grows: they are linear."""
    here = _marks(square).points
    names = (*SIZES, "centre_radius")
    sizes = [{name: getattr(square, name) + 1.0} for name in names]
    return [_marks(replace(square, **size)).points - here for size in sizes]


SIZED = range(8, 8 + len(SIZES) + 1)
"""The numbers, of those that move, that are sizes of the table."""


def _moved(
    square: Square,
    marks: _Marks,
    ways: list[Floats],
    shifts: Floats,
    weight: Floats,
) -> Square:
    """One Gauss-Newton step: marks go where their edges are."""
    start = _vector(square)
    normals = _normals(square, marks)
    base = square.to_px(marks.points)
    slopes = np.empty((len(shifts), len(start)))
    for k in range(len(start)):
        step = np.zeros_like(start)
        step[k] = 1e-5
        other = _with(square, start + step)
        points = marks.points + 1e-5 * ways[k - 8] if k in SIZED else marks.points
        slopes[:, k] = ((other.to_px(points) - base) * normals).sum(axis=1) / 1e-5
    # In pixels of a picture 640 wide, so that priors mean the same at any size.
    scale = 640.0 / max(square.size_px)
    slopes, shifts = slopes * scale, shifts * scale
    spread = np.full(len(start), 1.0)
    spread[8:] = SIZE_SPREAD
    spread[-1] = BEND_SPREAD
    if square.pocket_arc < QUARTER_DISC:
        spread[SIZES.index("pocket_out") + 8] = 1e-6
    pull = np.zeros(len(start))
    pull[-1] = -start[-1]
    normal = (slopes * weight[:, None]).T @ slopes + np.diag(1 / spread**2)
    right = (slopes * weight[:, None]).T @ shifts + pull / spread**2
    return _with(square, start + np.linalg.solve(normal, right))


@kept
@njit(cache=True, nogil=True, error_model="numpy")
def _measure(
    px: Floats,
    normals: Floats,
    across: NDArray[np.float32],
    down: NDArray[np.float32],
    reach: float,
    shifts: Floats,
    strength: Floats,
) -> None:
    rows, columns = across.shape
    spread = 0.55 * reach
    for m in range(px.shape[0]):
        nx, ny = normals[m, 0], normals[m, 1]
        total, moment, most = 0.0, 0.0, 0.0
        count = int(reach / 0.5)
        for i in range(-count, count + 1):
            s = 0.5 * i
            x, y = px[m, 0] + s * nx, px[m, 1] + s * ny
            if not (1.0 <= x < columns - 2.0 and 1.0 <= y < rows - 2.0):
                continue
            column, row = int(x), int(y)
            fx, fy = x - column, y - row
            ex = (across[row, column] * (1 - fx) + across[row, column + 1] * fx) * (
                1 - fy
            ) + (
                across[row + 1, column] * (1 - fx) + across[row + 1, column + 1] * fx
            ) * fy
            ey = (down[row, column] * (1 - fx) + down[row, column + 1] * fx) * (
                1 - fy
            ) + (down[row + 1, column] * (1 - fx) + down[row + 1, column + 1] * fx) * fy
            through, along = abs(ex * nx + ey * ny), abs(ey * nx - ex * ny)
            if through < 0.25 or along > 0.5 * through:
                continue
            w = through * through * np.exp(-0.5 * (s / spread) ** 2)
            total += w
            moment += w * s
            most = max(most, through)
        if most > 0.4:
            shifts[m] = moment / total
            strength[m] = most
