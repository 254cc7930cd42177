"""How much of a carrom table is seen where a square says it should be.

Theory. Whatever the maker, a table is a square of plain wood with a pocket in every
corner, a pair of base lines along each side that end in circles or in each other,
arrows on the diagonals and rings round the centre. For each kind of mark the edges
along it are compared with the edges along like paths beside it, so that a
chessboard or a bookcase, with edges everywhere, gains nothing.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.find_edges import Bytes, Edges, Floats
from calibration.find_kernels import edge_hits
from calibration.find_squares import TURNS, project

RING = np.arange(0, 2 * np.pi, 2 * np.pi / 24)
POCKET_RADII = np.arange(0.048, 0.096, 0.006)
POCKET_SHIFTS = (-0.012, 0.0, 0.012, 0.024)
"""Pocket centre to frame, less the pocket's radius."""
POCKET_ARC = np.radians(105.0)
"""Of a pocket's rim this much to either side of the way to the centre is seen."""
QUARTER_RADII = np.arange(0.10, 0.23, 0.01)
QUARTER_ARC = np.radians(40.0)
"""The same where the pocket is a quarter of a disc round the corner itself."""
BASE_SHIFTS = (-0.02, 0.0, 0.02)
BASE_SHARES = (0.8, 1.0)
"""Radius of what is seen of a base circle (ring or red disc), in half line gaps."""
CENTRE_RADII = np.arange(0.03, 0.36, 0.01)
ARROW = np.linspace(0.42, 0.84, 30)
BESIDE = 0.045
LINE = np.linspace(-0.9, 0.9, 30)
"""Along a base line, in shares of the upper line's distance from the centre."""
LINE_STEPS = np.linspace(-0.012, 0.012, 7)
PAST = np.array([*np.linspace(-0.94, -0.80, 8), *np.linspace(0.80, 0.94, 8)])
"""Beyond the ends of base lines and short of the frame nothing goes on."""
PLAIN = np.array([[0.45, 0.1], [-0.1, 0.45], [-0.45, -0.1], [0.1, -0.45]])
"""Places of the surface where no maker prints."""
CORNERS = np.array([[1, 1], [1, -1], [-1, -1], [-1, 1]], np.float64)

Paths = tuple[Floats, Floats]
"""Points and directions (P x S x 2 each): P paths of S points."""


class Evidence(NamedTuple):
    """How much of each kind of mark stands out: 0 none, 1 all of it; and sizes."""

    frame: float
    lower: float
    upper: float
    pockets: float
    base_circles: float
    centre: float
    arrows: float
    pocket_radius: float
    pocket_out: float
    pocket_arc: float
    base_out: float
    base_radius: float
    centre_radius: float

    @property
    def special(self) -> float:
        """What only carrom tables have: pockets, base circles, arrows, rings."""
        return (
            1.5 * self.pockets
            + self.base_circles
            + 0.8 * self.arrows
            + 0.4 * self.centre
        )

    @property
    def total(self) -> float:
        """All of it together."""
        return self.frame + self.lower + self.upper + self.special


def evidence(
    homography: Floats, lower: float, upper: float, edges: Edges, bend: float = 0.0
) -> Evidence:
    """What is seen of a table whose frame is the square -1..1 of a homography."""
    view = _View(homography, edges, bend)
    pockets = max(_round_pockets(view), _quarter_pockets(view))
    circles = _base_circles(view, lower, upper)
    rings = _centre(view)
    return Evidence(
        view.line(1.0, ends=False),
        view.line(lower, ends=True),
        view.line(upper, ends=True),
        pockets[0],
        circles[0],
        rings[0],
        _arrows(view),
        *pockets[1:],
        *circles[1:],
        rings[1],
    )


class _View:
    """One square in one picture."""

    def __init__(self, homography: Floats, edges: Edges, bend: float) -> None:
        self._homography = homography[None]
        self._edges = edges
        self._bend = bend

    def shares(self, paths: Paths) -> Floats:
        """Share of each path (P) that edges run along; nan where it is outside."""
        points, ahead = paths
        hits, seen = edge_hits(
            self._homography,
            points.reshape(-1, 2),
            ahead.reshape(-1, 2),
            self._edges,
            self._bend,
        )
        shape = points.shape[:2]
        hit = hits.reshape(shape).sum(axis=1, dtype=np.float64)
        visible = seen.reshape(shape).sum(axis=1, dtype=np.float64)
        share = hit / np.maximum(visible, 1.0)
        return np.where(visible >= max(4.0, shape[1] / 3), share, np.nan)

    def line(self, distance: float, *, ends: bool) -> float:
        """How much lines parallel to all sides stand out at a distance.

        `ends`: they must not go on to the frame.
        """
        reach = LINE * (0.84 * distance if ends else 0.92)
        sides = [self._side(distance + step, reach) for step in LINE_STEPS]
        beside = [self._side(distance - gap, reach) for gap in (0.05, 0.16)]
        share = np.array([self.shares(side) for side in sides]).max(axis=0)
        usual = np.array([self.shares(side) for side in beside])
        if ends:
            past = [self.shares(self._side(distance + s, PAST)) for s in LINE_STEPS]
            usual = np.concatenate([usual, np.max(past, axis=0)[None]])
            return _above(share, np.array([float(np.nanmax(_means(usual)))]), 2)
        return _above(share, np.array([float(np.nanmin(_means(usual)))]), 2)

    @staticmethod
    def _side(distance: float, reach: Floats) -> Paths:
        line = np.column_stack([reach, np.full(len(reach), distance)])
        level = np.tile([[1.0, 0.0]], (len(reach), 1))
        return _turned(line[None], level[None])


def _means(shares: Floats) -> Floats:
    """The mean of each row's known values; 0 where there is none."""
    known = np.isfinite(shares)
    total = np.where(known, shares, 0.0).sum(axis=1)
    return np.asarray(total / np.maximum(known.sum(axis=1), 1), np.float64)


def _turned(points: Floats, ahead: Floats) -> Paths:
    """The same paths on all four sides: 4 P paths."""
    return (
        np.concatenate([points @ turn for turn in TURNS]),
        np.concatenate([ahead @ turn for turn in TURNS]),
    )


def _circles(centres: Floats, radius: float, angles: Floats) -> Paths:
    """Circles (C) of one radius, or what `angles` (C x A) say of them."""
    out = np.stack([np.cos(angles), np.sin(angles)], axis=2)
    return centres[:, None] + radius * out, np.stack(
        [-out[..., 1], out[..., 0]], axis=2
    )


def _above(shares: Floats, usual: Floats, least: int) -> float:
    """By how much the mean share exceeds the usual; 0 when too few are seen."""
    known = shares[np.isfinite(shares)]
    if len(known) < least:
        return 0.0
    common = float(np.nanmean(usual)) if np.isfinite(usual).any() else 0.0
    return max(0.0, (float(known.mean()) - common) / (1.02 - common))


class _Tried(NamedTuple):
    """Sets of circles, each set of one radius, and like circles on plain wood."""

    sets: int
    circles: Paths
    plain: Paths

    @classmethod
    def of(cls, sets: Sequence[tuple[float, Floats]], angles: Floats) -> Self:
        """From (radius, centres) a set; `angles` (C x A) for C centres each."""
        plain = angles[: len(PLAIN)]
        return cls(
            len(sets),
            _joined([_circles(centres, r, angles) for r, centres in sets]),
            _joined([_circles(PLAIN, r, plain) for r, _ in sets]),
        )


def _best_circles(view: _View, tried: _Tried, least: int) -> tuple[float, int]:
    """The set of circles that stands out most, and by how much."""
    shares = view.shares(tried.circles).reshape(tried.sets, -1)
    usual = view.shares(tried.plain).reshape(tried.sets, -1)
    scores = [_above(s, u, least) for s, u in zip(shares, usual, strict=True)]
    best = int(np.argmax(scores))
    return scores[best], best


def _joined(parts: Sequence[Paths]) -> Paths:
    points, ahead = zip(*parts, strict=True)
    return np.concatenate(points), np.concatenate(ahead)


def _round_pockets(view: _View) -> tuple[float, float, float, float]:
    """How much is seen, radius, centre to the middle line, arc."""
    score, best = _best_circles(view, _pockets_tried(), 2)
    return score, *POCKET_SIZES[best], POCKET_ARC


POCKET_SIZES = [
    (radius, 1 - radius - shift)
    for radius in POCKET_RADII.tolist()
    for shift in POCKET_SHIFTS
]


@cache
def _pockets_tried() -> _Tried:
    sets = [(radius, CORNERS * out) for radius, out in POCKET_SIZES]
    return _Tried.of(sets, _inward(POCKET_ARC, 24))


def _inward(arc: float, count: int) -> Floats:
    """Directions (4 x count) about the way from each corner to the middle."""
    inward = np.arctan2(-CORNERS[:, 1], -CORNERS[:, 0])
    return np.asarray(inward[:, None] + np.linspace(-arc, arc, count), np.float64)


def _quarter_pockets(view: _View) -> tuple[float, float, float, float]:
    score, best = _best_circles(view, _quarters_tried(), 2)
    return score, float(QUARTER_RADII[best]), 1.0, QUARTER_ARC


@cache
def _quarters_tried() -> _Tried:
    sets = [(radius, CORNERS) for radius in QUARTER_RADII.tolist()]
    return _Tried.of(sets, _inward(QUARTER_ARC, 16))


def _base_circles(
    view: _View, lower: float, upper: float
) -> tuple[float, float, float]:
    """How much is seen, centre to the middle line, radius."""
    y, half = (lower + upper) / 2, (lower - upper) / 2
    tried, sizes = [], []
    for share in BASE_SHARES:
        for shift in BASE_SHIFTS:
            x = upper - half + shift
            ends = np.array([[x, y], [-x, y]])
            tried.append((share * half, np.concatenate([ends @ t for t in TURNS])))
            sizes.append((x, share * half))
    score, best = _best_circles(view, _Tried.of(tried, np.tile(RING, (8, 1))), 3)
    return score, *sizes[best]


def _centre(view: _View) -> tuple[float, float]:
    """How much the clearest ring round the middle stands out, and its radius."""
    shares = np.nan_to_num(view.shares(_rings()))
    usual, best = float(np.median(shares)), int(np.argmax(shares))
    return max(0.0, (float(shares[best]) - usual) / (1.02 - usual)), float(
        CENTRE_RADII[best]
    )


@cache
def _rings() -> Paths:
    middle = np.zeros((1, 2))
    return _joined([_circles(middle, r, RING[None]) for r in CENTRE_RADII.tolist()])


def _arrows(view: _View) -> float:
    along = np.column_stack([ARROW, ARROW])
    ahead = np.tile([[1.0, 1.0]], (len(ARROW), 1))
    aside = np.array([BESIDE, -BESIDE])
    on, left, right = (
        view.shares(_turned((along + shift * aside)[None], ahead[None]))
        for shift in (0.0, 1.0, -1.0)
    )
    return _above(on, np.concatenate([left, right]), 2)


def plainness(homography: Floats, small: Bytes) -> float:
    """How much of the surface, print left out, is of one material: a share.

    Light may fall unevenly but smoothly; colour may not differ.
    """
    places = _plain_places()
    seen = np.round(project(homography[None], places)[0]).astype(int)
    rows, columns = small.shape[:2]
    inside = (seen >= 0).all(axis=1) & (seen < (columns, rows)).all(axis=1)
    if inside.sum() < len(places) / 3:
        return 0.0
    seen, places = seen[inside], places[inside]
    lab = cv2.cvtColor(cv2.medianBlur(small, 5), cv2.COLOR_BGR2LAB)
    light, *colour = lab[seen[:, 1], seen[:, 0]].astype(np.float64).T
    off = np.hypot(*(part - np.median(part) for part in colour))
    x, y = places.T
    slow = np.column_stack([np.ones_like(x), x, y, x * x, x * y, y * y])
    weight = np.ones(len(x))
    for _ in range(6):
        smooth = (
            slow
            @ np.linalg.lstsq(slow * weight[:, None], light * weight, rcond=None)[0]
        )
        weight = 1 / np.maximum(1.0, np.abs(light - smooth) / 8.0)
    alike = (np.abs(light - smooth) < LIGHT_APART) & (off < COLOUR_APART)
    return float(alike.mean())


LIGHT_APART, COLOUR_APART = 24.0, 14.0
"""Of one material: Lab lightness (0 to 255) about the smooth light, and colour."""


def _plain_places() -> NDArray[np.float64]:
    """A lattice between frame and base lines and between base lines and centre."""
    x, y = (grid.ravel() for grid in np.meshgrid(*[np.linspace(-0.93, 0.93, 38)] * 2))
    far = np.maximum(np.abs(x), np.abs(y))
    near = np.minimum(np.abs(x), np.abs(y))
    outer = (far > 0.78) & (near < 0.72)
    inner = (far > 0.36) & (far < 0.52) & (np.abs(far - near) > 0.08)
    return np.asarray(np.column_stack([x, y])[outer | inner], np.float64)
