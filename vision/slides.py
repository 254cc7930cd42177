"""What sliding pieces tell of a table: friction, level, and how far a stroke runs.

Theory. A disc that slides free is slowed along its way by friction, mu g, and drawn
by gravity down the table's slope: a = -mu g u + g s, with u its direction and s the
slope. Slides in several directions tell the two apart; each slide's acceleration
comes from a parabola through its places, with the doubt its own scatter gives it.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import hypot

import numpy as np
from numpy.typing import NDArray

from calibration.table import Point, Table
from vision.sightings import Track

Floats = NDArray[np.float64]

GRAVITY_MM_S2 = 9810.0
LEAST_STEPS = 8
LEAST_S = 0.1
LEAST_MM_S = 250.0
"""Slower than this a step is more noise than way."""
TURN_MM = 5.0
"""A step that ends this far from where the last two point was no free slide."""
MOST_NOISE_MM = 1.5
"""A way that no parabola fits better than this was not free."""
CLEAR_MM = 12.0
"""A slide this close to the frame may touch it."""
LEAST_NOISE_MM = 0.4
"""No piece is placed better than this, however smooth its way."""
LEAST_SLIDES = 6
SURE = 1.96


@dataclass(frozen=True, slots=True)
class Step:
    """A piece's place when it was measured."""

    at_s: float
    at: Point


@dataclass(frozen=True, slots=True)
class Slide:
    """One free slide: where its middle was, its unit direction, its acceleration.

    `doubt_mm_s2` is one standard deviation of either part of the acceleration.
    """

    middle: Point
    direction: Point
    acceleration: Point
    doubt_mm_s2: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Surface:
    """How the surface slides and lies; doubts hold in 95 of 100 cases.

    `east_mm_m`, `north_mm_m`: how much it rises per metre towards there. `quarters`
    is the friction by quarter (NE, SE, SW, NW), None where too little slid.
    """

    slides: int
    friction: float
    friction_doubt: float
    east_mm_m: float
    north_mm_m: float
    level_doubt_mm_m: float
    quarters: tuple[float | None, ...]


@dataclass(slots=True, eq=False)
class Slides:
    """Collects measured steps of every track, frame by frame."""

    table: Table
    ways: dict[int, list[Step]] = field(default_factory=dict)

    def add(self, tracks: Iterable[Track], at_s: float) -> None:
        """Take the tracks of one frame; only what was measured in it counts."""
        for track in tracks:
            if track.seen_s == at_s:
                self.ways.setdefault(track.id, []).append(Step(at_s, track.at))

    def free(self) -> list[Slide]:
        """Every free slide so far."""
        reach = self.table.half_mm - self.table.striker_radius_mm - CLEAR_MM
        parts = (part for way in self.ways.values() for part in _straight(way, reach))
        slides = [_slide(part) for part in parts if _is_long(part)]
        return [slide for slide in slides if slide is not None]


def runs(steps: Sequence[Step], table: Table) -> float:
    """How many runs of the board a striker's way was: from frame to frame is one.

    Where it bounced off the frame between two frames it went there and back.
    """
    reach = table.half_mm - table.striker_radius_mm
    places = [step.at for step in steps]
    way = 0.0
    for n, (a, b) in enumerate(pairwise(places)):
        before, after = places[max(n - 1, 0)], places[min(n + 2, len(places) - 1)]
        parts = zip(before, a, b, after, strict=True)
        way += hypot(*(_axis_mm(reach, *along) for along in parts))
    return way / (2 * reach)


def _axis_mm(reach: float, before: float, a: float, b: float, after: float) -> float:
    """How far it went along one axis from `a` to `b`, by way of the frame if it turned."""
    side = 1.0 if a > 0 else -1.0
    came, went = (a - before) * side, (b - after) * side
    straight, folded = abs(b - a), 2 * reach - abs(a) - abs(b)
    if min(came, went) <= CLEAR_MM / 2 or a * b < 0 or folded < 0:
        return straight
    # It turned here or one step later: a step is as long as its neighbours.
    usual = max(came, went)
    return folded if abs(folded - usual) < abs(straight - usual) else straight


def fastest_mm_s(steps: Sequence[Step]) -> float:
    """The greatest speed over any two steps in a row."""
    return max(
        (_speed(a, b) for a, b in zip(steps, steps[2:], strict=False)), default=0
    )


def surface_of(slides: Sequence[Slide]) -> Surface | None:
    """Friction and level from free slides; None when they are too few to tell."""
    if len(slides) < LEAST_SLIDES:
        return None
    rows, values = _equations(slides)
    solved, spread = _solved(rows, values)
    friction, east, north = solved.tolist()
    doubts = (SURE * np.sqrt(np.diag(spread))).tolist()
    quarters = []
    for right, up in ((True, True), (True, False), (False, False), (False, True)):
        mine = [
            s for s in slides if (s.middle.x_mm > 0, s.middle.y_mm > 0) == (right, up)
        ]
        quarters.append(_friction(mine, east, north))
    # The slope draws downhill: it rises against the pull.
    return Surface(
        slides=len(slides),
        friction=friction,
        friction_doubt=doubts[0],
        east_mm_m=-1000 * east,
        north_mm_m=-1000 * north,
        level_doubt_mm_m=1000 * hypot(doubts[1], doubts[2]),
        quarters=tuple(quarters),
    )


def _straight(way: Sequence[Step], reach_mm: float) -> Iterable[list[Step]]:
    """Parts of a way on which nothing was touched."""
    part: list[Step] = []
    for step in way:
        inside = max(abs(step.at.x_mm), abs(step.at.y_mm)) < reach_mm
        if not inside or (part and not _goes_on(part, step)):
            yield part[:-1]
            part = []
        if inside:
            part.append(step)
    yield part


def _goes_on(part: Sequence[Step], step: Step) -> bool:
    last = part[-1]
    if _speed(last, step) < LEAST_MM_S:
        return False
    if len(part) < 2:
        return True
    before = part[-2]
    share = (step.at_s - last.at_s) / (last.at_s - before.at_s)
    x = last.at.x_mm + share * (last.at.x_mm - before.at.x_mm)
    y = last.at.y_mm + share * (last.at.y_mm - before.at.y_mm)
    return share < 3 and step.at.distance_mm(Point(x, y)) < TURN_MM


def _speed(one: Step, other: Step) -> float:
    return one.at.distance_mm(other.at) / max(other.at_s - one.at_s, 1e-6)


def _is_long(part: Sequence[Step]) -> bool:
    return len(part) >= LEAST_STEPS and part[-1].at_s - part[0].at_s >= LEAST_S


def _slide(part: Sequence[Step]) -> Slide | None:
    at_s = np.array([step.at_s for step in part])
    places = np.array([step.at for step in part], np.float64)
    t = at_s - at_s.mean()
    columns = np.column_stack([np.ones_like(t), t, t * t / 2])
    solved, *_ = np.linalg.lstsq(columns, places, rcond=None)
    off = places - columns @ solved
    noise = float(np.sqrt((off**2).sum() / (2 * len(part) - 6)))
    if noise > MOST_NOISE_MM:
        return None
    spread = np.linalg.inv(columns.T @ columns)[2, 2]
    speed = solved[1] / np.linalg.norm(solved[1])
    return Slide(
        Point(*solved[0].tolist()),
        Point(*speed.tolist()),
        Point(*solved[2].tolist()),
        max(noise, LEAST_NOISE_MM) * float(np.sqrt(spread)),
    )


def _equations(slides: Sequence[Slide]) -> tuple[Floats, Floats]:
    """Rows over friction and slope (east, north), each over its own doubt."""
    rows, values = [], []
    for slide in slides:
        weight = 1 / slide.doubt_mm_s2
        ux, uy = slide.direction
        rows += [
            [-GRAVITY_MM_S2 * ux * weight, GRAVITY_MM_S2 * weight, 0.0],
            [-GRAVITY_MM_S2 * uy * weight, 0.0, GRAVITY_MM_S2 * weight],
        ]
        values += [slide.acceleration.x_mm * weight, slide.acceleration.y_mm * weight]
    return np.array(rows), np.array(values)


def _solved(rows: Floats, values: Floats) -> tuple[Floats, Floats]:
    """The unknowns and their covariance, as wide as the slides disagree."""
    spread = np.linalg.pinv(rows.T @ rows)
    solved = spread @ rows.T @ values
    worse = float(((values - rows @ solved) ** 2).sum()) / (len(values) - rows.shape[1])
    return solved, spread * max(worse, 1.0)


def _friction(slides: Sequence[Slide], east: float, north: float) -> float | None:
    if len(slides) < LEAST_SLIDES // 2:
        return None
    rows, values = _equations(slides)
    rest = values - rows[:, 1:] @ np.array([east, north])
    return float(rows[:, 0] @ rest / (rows[:, 0] @ rows[:, 0]))
