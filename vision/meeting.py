"""Whom a striker may have met first, by what was seen of its way.

Theory of operation. On legs between pictures a frame or two apart a striker goes
straight, and the first disc its centre line meets is the first contact. Over a
longer gap it may have met one piece, turned, and met another: the leg from the one
picture to the next is then no way it went. What is known is where it was last seen
before anything moved, which way it went there if two such pictures were near each
other, and that a sliding striker only loses speed. The line on from there meets
the first piece for certain if it is met well inside its rim; all pieces that may be
met no later by the doubt of that line may be the first.
"""

from collections.abc import Sequence
from math import hypot, inf, sqrt

import numpy as np

from calibration.table import Point
from vision.striker_way import AIM_MM, GAP_S, Step

FIT_MM = 1.5
"""A place of a sliding piece may be off so much."""
FASTEST_MM_S = 8000.0
"""The hardest flicks reach this."""
FASTER = 1.1
"""A speed of two places may be off by this."""


def meeting_s(
    legs: Sequence[tuple[Step, Step]], place: Point, touch_mm: float
) -> float:
    """When a leg first comes within touch of a piece's place; inf: none does."""
    met = (_meets(a, b, place, touch_mm) for a, b in legs)
    return next((at_s for at_s in met if at_s < inf), inf)


def carried_on(way: Sequence[Step]) -> list[tuple[Step, Step]]:
    """From each step straight on, as from the one before, to the next one's time.

    A striker that turns at a coin between two frames meets it on no line drawn from
    one to the other.
    """
    legs = []
    for before, a, b in zip(way, way[1:], way[2:], strict=False):
        share = (b.at_s - a.at_s) / max(a.at_s - before.at_s, 1e-3)
        east, north = (
            now + share * (now - was) for was, now in zip(before.at, a.at, strict=True)
        )
        legs.append((a, Step(b.at_s, Point(east, north))))
    return legs


def may_be_first(
    way: Sequence[Step], first_s: float, places: Sequence[Point], touch_mm: float
) -> list[int]:
    """Which of these places the striker may have met first, in a gap in its way.

    `first_s` is when something was first seen to have moved.
    """
    seen = [step for step in way if step.at_s < first_s] or [way[0]]
    last = seen[-1]
    aim = _aimed_from(seen)
    reach_mm = _fastest_mm_s(aim, last) * (first_s - last.at_s)
    if aim is None:
        gaps = [last.at.distance_mm(place) - touch_mm for place in places]
        return [n for n, gap_mm in enumerate(gaps) if gap_mm < reach_mm]
    base_mm = aim.at.distance_mm(last.at)
    doubts = [FIT_MM * (1 + last.at.distance_mm(p) / base_mm) for p in places]
    sure_mm = min(
        (
            _ahead_mm(aim.at, last.at, place, touch_mm - doubt)
            for place, doubt in zip(places, doubts, strict=True)
        ),
        default=inf,
    )
    furthest_mm = min(sure_mm, reach_mm) + FIT_MM
    return [
        n
        for n, (place, doubt) in enumerate(zip(places, doubts, strict=True))
        if _ahead_mm(aim.at, last.at, place, touch_mm + doubt) <= furthest_mm
    ]


def _aimed_from(seen: Sequence[Step]) -> Step | None:
    """A step a little before the last that tells its direction; None: none does.

    The start counts as little as a picture long ago: a cushion may lie between.
    """
    last = seen[-1]
    lately = (s for s in reversed(seen[:-1]) if last.at_s - s.at_s < GAP_S)
    return next((s for s in lately if s.at.distance_mm(last.at) > AIM_MM), None)


def _fastest_mm_s(aim: Step | None, last: Step) -> float:
    if aim is None:
        return FASTEST_MM_S
    return FASTER * aim.at.distance_mm(last.at) / (last.at_s - aim.at_s)


def _ahead_mm(start: Point, through: Point, place: Point, touch_mm: float) -> float:
    """How far on from `through` a line comes within touch of a place; inf: never."""
    length = start.distance_mm(through)
    east = (through.x_mm - start.x_mm) / length
    north = (through.y_mm - start.y_mm) / length
    x, y = place.x_mm - through.x_mm, place.y_mm - through.y_mm
    along, off = x * east + y * north, abs(x * north - y * east)
    if off >= touch_mm or along <= 0:
        return inf if hypot(x, y) > touch_mm else 0.0
    return max(along - sqrt(touch_mm**2 - off**2), 0.0)


def _meets(a: Step, b: Step, place: Point, touch_mm: float) -> float:
    """When a straight way from a to b first comes within touch of a place."""
    start = np.array(a.at) - np.array(place)
    way = np.array(b.at) - np.array(a.at)
    length = float(way @ way)
    inside = float(start @ start) - touch_mm**2
    if inside <= 0:
        return a.at_s
    if length == 0.0:
        return inf
    half = float(start @ way)
    root = half * half - length * inside
    if root < 0 or half >= 0:
        return inf
    share = (-half - root**0.5) / length
    return a.at_s + share * (b.at_s - a.at_s) if share <= 1 else inf
