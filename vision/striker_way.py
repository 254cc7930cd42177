"""What a striker's way through a stroke tells: direction, cushions, second strikes.

Theory. The way is a row of measured places. On each axis a bounce off the frame
turns outward into inward motion; the times from the last place to the frame and
back to the next add up to the time between both, which tells a bounce from a coin
that stood near the frame. A sliding striker only loses speed: one that gains much
where no coin is near was struck again.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import hypot, inf

from calibration.table import Point, Seat, Table

BOUNCE_SLACK = 0.5
"""A bounce's two parts may miss the time between two frames by this share."""
LEAST_MM_S = 60.0
"""Slower than this towards the frame, fits waver more than the striker moves."""
AT_FRAME_MM = 4.0
"""A striker measured this close to the frame touches it."""
AIM_MM = 25.0
"""A direction is told over at least so much way: to two degrees."""
GAP_S = 0.075
"""Two frames at 30 a second, and a little."""
PARALLEL = 0.035
"""Sine of 2 degrees: nearer than this to the base line it may be either way."""
STRAY_MM = 4.0
"""A way drawn from turn to turn leaves the measured one by no more than this."""
AGAIN_S = 0.15
"""Until so long after the strike the flicking finger may still be at it."""
AGAIN_MM_S, AGAIN_SHARE = 300.0, 1.25
"""A striker faster by both than just before has been struck again."""
ALONE_MM = 30.0
"""With no coin's rim nearer than this, none hit it."""
SLIDE, DETOUR = 4, 1.1
"""Steps that make a slide, and how much longer than straight its way may be."""


@dataclass(frozen=True, slots=True)
class Step:
    """The striker at one frame of its way.

    `gap_mm`: to the nearest coin's rim. `hand`: a hand was near enough to strike it.
    """

    at_s: float
    at: Point
    gap_mm: float = inf
    hand: bool = False


def direction(way: Sequence[Step], until_s: float) -> Point | None:
    """The unit direction it set out in, from its steps up to a time; None: unseen."""
    aimed = _first_long(way, until_s)
    if aimed is None:
        return None
    start, far = way[0].at, aimed.at
    gone = far.distance_mm(start)
    return Point((far.x_mm - start.x_mm) / gone, (far.y_mm - start.y_mm) / gone)


def _first_long(way: Sequence[Step], until_s: float) -> Step | None:
    """The first step that is far enough from the start to tell a direction."""
    start = way[0].at
    clear = (s for s in way[1:] if s.at_s <= until_s)
    return next((s for s in clear if s.at.distance_mm(start) > AIM_MM), None)


def is_back_stroke(
    way: Sequence[Step], seat: Seat | None, doubt_mm: float
) -> bool | None:
    """Whether it set out towards the player's own frame; None: not to be told.

    `doubt_mm` is how far the first place may be off.
    """
    if seat is None or not (aimed := _first_long(way, inf)):
        return None
    gone = aimed.at.distance_mm(way[0].at)
    off = seat.turn_back(aimed.at).y_mm - seat.turn_back(way[0].at).y_mm
    return None if abs(off) < PARALLEL * gone + doubt_mm else off < 0


def is_whole(way: Sequence[Step]) -> bool:
    """Whether no part of it went unseen for longer than a frame or two."""
    return all(b.at_s - a.at_s < GAP_S for a, b in pairwise(way))


def bounces(way: Sequence[Step], table: Table) -> tuple[float, ...]:
    """When it bounced off the frame, in order; a corner counts twice."""
    reach = table.half_mm - table.striker_radius_mm
    found = []
    for axis in (0, 1):
        last_s = -inf
        for n in range(1, len(way) - 1):
            before, at, then = way[n - 1 : n + 2]
            later = way[n + 2] if n + 2 < len(way) else None
            met_s = _bounce_s(axis, reach, (before, at, then, later))
            if met_s is not None and before.at_s > last_s:
                found.append(met_s)
                last_s = met_s
    return tuple(sorted(found))


def _bounce_s(
    axis: int, reach: float, steps: tuple[Step, Step, Step, Step | None]
) -> float | None:
    """When it met the frame between the second and the third step, if it did."""
    before, at, then, later = steps
    side = 1.0 if at.at[axis] + then.at[axis] > 0 else -1.0
    inward = _speed(axis, before, at) * side
    outward = -_speed(axis, at, then) * side
    if inward < LEAST_MM_S or abs(at.at[axis] + then.at[axis]) / 2 < reach / 2:
        return None
    gap_s = then.at_s - at.at_s
    to_frame_s = max(reach - at.at[axis] * side, 0.0) / inward
    if to_frame_s > gap_s * (1 + BOUNCE_SLACK):
        return None
    if later is not None:
        outward = -_speed(axis, then, later) * side
    if outward < LEAST_MM_S / 2:
        return None
    from_frame_s = max(reach - then.at[axis] * side, 0.0) / outward
    at_frame = reach - max(at.at[axis] * side, then.at[axis] * side) < AT_FRAME_MM
    off_s = abs(to_frame_s + from_frame_s - gap_s)
    if off_s > BOUNCE_SLACK * gap_s and not at_frame:
        return None
    return at.at_s + min(to_frame_s, gap_s)


def struck_again(way: Sequence[Step], bounced: Sequence[float]) -> tuple[float, ...]:
    """When a sliding striker gained speed beside a hand, and nothing else was near.

    Before and after it must slide straight for some steps: fits waver beside a hand.
    The time is right to a twentieth of a second.
    """
    found: list[float] = []
    for n in range(SLIDE, len(way) - 2 * SLIDE + 1):
        at_s = way[n + 1].at_s
        since_s = max([way[0].at_s, *found[-1:]])
        if at_s > since_s + AGAIN_S and _gained(
            way[n - SLIDE : n + 2 * SLIDE], bounced
        ):
            found.append(at_s)
    return tuple(found)


def _gained(steps: Sequence[Step], bounced: Sequence[float]) -> bool:
    """Whether a hand, and nothing else, drove it on in the middle of these steps."""
    slow, hit, fast = (
        steps[: SLIDE + 1],
        steps[SLIDE - 1 : 2 * SLIDE],
        steps[2 * SLIDE - 1 :],
    )
    if not any(s.hand for s in hit) or min(s.gap_mm for s in hit) < ALONE_MM:
        return False
    if any(slow[0].at_s <= b_s <= fast[-1].at_s for b_s in bounced):
        return False
    was, now = _slide_mm_s(slow), _slide_mm_s(fast)
    if was is None or now is None:
        return False
    return now > AGAIN_SHARE * was + AGAIN_MM_S


def _slide_mm_s(steps: Sequence[Step]) -> float | None:
    """The speed of a straight slide; None when the steps are none."""
    gone = steps[0].at.distance_mm(steps[-1].at)
    went = sum(a.at.distance_mm(b.at) for a, b in pairwise(steps))
    if went > DETOUR * gone + STRAY_MM:
        return None
    return gone / (steps[-1].at_s - steps[0].at_s)


def turns(way: Sequence[Step]) -> tuple[Point, ...]:
    """The way with only as many places as it needs: its start, its turns, its end."""
    if len(way) < 3:
        return tuple(step.at for step in way)
    first, last = way[0].at, way[-1].at
    off = [_off_line_mm(step.at, first, last) for step in way]
    worst = max(range(len(way)), key=lambda n: off[n])
    if off[worst] <= STRAY_MM:
        return first, last
    return (*turns(way[: worst + 1])[:-1], *turns(way[worst:]))


def _off_line_mm(at: Point, start: Point, end: Point) -> float:
    """Distance of a place from the stretch between two others."""
    x, y = end.x_mm - start.x_mm, end.y_mm - start.y_mm
    along = (at.x_mm - start.x_mm) * x + (at.y_mm - start.y_mm) * y
    share = min(max(along / max(x * x + y * y, 1e-9), 0.0), 1.0)
    return hypot(at.x_mm - start.x_mm - share * x, at.y_mm - start.y_mm - share * y)


def _speed(axis: int, one: Step, two: Step) -> float:
    return (two.at[axis] - one.at[axis]) / max(two.at_s - one.at_s, 1e-6)
