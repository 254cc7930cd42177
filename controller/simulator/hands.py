"""Hands that reach over the simulated table: whose, how they look, how they move.

A `Reach` is one hand's way from outside the table and back: keys in time between
which the fingertips glide, and deeds (take, pick up, put down) at set times. It is
data, so the world can ask where the hand is at any time.
"""

from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from math import cos, hypot, pi
from typing import NamedTuple, Self

from calibration.table import Point, Seat
from controller.simulator.anatomy import WRIST, Cloth, Place, Pose, hand
from vision.sources.rendering_scene import AT_REST, Bone, Colour, Joint, Limb

CARRY_MM = 30.0
"""How high a hand lifts a piece it carries."""
FAR_MM = 640.0
"""Fingertips this far from the middle are out of the picture."""
SPEED_MM_S = 1500.0
GLIMPSE_S = 0.002
"""A hand's speed is its way in this time."""


class Person(NamedTuple):
    """Where somebody sits and how their arm looks; no sleeve is a bare arm."""

    seat: Seat
    skin: Colour
    sleeve: Cloth | None


class Verb(StrEnum):
    """What a hand does with a piece."""

    TAKE = "take"
    """Out of a pocket's net, below the table and out of sight."""
    PICK = "pick"
    PUT = "put"


class Deed(NamedTuple):
    """One thing a hand does: when, to which piece, and where it lies after."""

    at_s: float
    verb: Verb
    key: int
    at: Point


class _Key(NamedTuple):
    at_s: float
    tip: Point
    lift_mm: float


@dataclass(frozen=True, slots=True)
class Reach:
    """One hand's whole way: in from outside, its deeds, and out again."""

    person: Person
    keys: tuple[_Key, ...]
    deeds: tuple[Deed, ...]
    pose: Pose = Pose.PINCH

    @property
    def end_s(self) -> float:
        """When the hand is out of sight again."""
        return self.keys[-1].at_s

    def tip(self, at_s: float) -> tuple[Point, float] | None:
        """Where the fingertips are and how high; None while out of sight."""
        if not self.keys[0].at_s <= at_s <= self.end_s:
            return None
        after = min(bisect_right(self.keys, at_s, key=_when), len(self.keys) - 1)
        one, two = self.keys[after - 1], self.keys[after]
        share = (at_s - one.at_s) / max(two.at_s - one.at_s, 1e-9)
        eased = 0.5 - 0.5 * cos(pi * min(max(share, 0.0), 1.0))
        tip = Point(
            one.tip.x_mm + (two.tip.x_mm - one.tip.x_mm) * eased,
            one.tip.y_mm + (two.tip.y_mm - one.tip.y_mm) * eased,
        )
        return tip, one.lift_mm + (two.lift_mm - one.lift_mm) * eased

    def carried(self, at_s: float) -> int | None:
        """The piece between the fingers at a time."""
        held = None
        for deed in self.deeds:
            if deed.at_s > at_s:
                break
            held = None if deed.verb is Verb.PUT else deed.key
        return held

    def limb(self, at_s: float) -> Limb | None:
        """The arm at a time, None while out of sight."""
        where = self.tip(at_s)
        if where is None:
            return None
        tip, lift_mm = where
        soon, _ = self.tip(min(at_s + GLIMPSE_S, self.end_s)) or where
        way = Point(
            (soon.x_mm - tip.x_mm) / GLIMPSE_S, (soon.y_mm - tip.y_mm) / GLIMPSE_S
        )
        return limb(self.person, tip, lift_mm, self.pose, velocity=way)


class Reaching:
    """Writes a reach step by step, at a pace."""

    def __init__(
        self,
        person: Person,
        start_s: float,
        pace: float,
        pose: Pose = Pose.PINCH,
    ) -> None:
        self._person = person
        self._pose = pose
        self._pace = pace
        self._now_s = start_s
        far = person.seat.turn(Point(60.0, -FAR_MM))
        self._keys = [_Key(start_s, far, CARRY_MM)]
        self._deeds: list[Deed] = []

    def go(self, to: Point, *, lift_mm: float = CARRY_MM, least_s: float = 0.1) -> Self:
        """Glide to a place."""
        way = self._keys[-1].tip.distance_mm(to)
        seconds = max(way / SPEED_MM_S, least_s) / self._pace
        return self._at(self._now_s + seconds, to, lift_mm)

    def wait(self, seconds: float) -> Self:
        """Stay where it is."""
        last = self._keys[-1]
        return self._at(self._now_s + seconds / self._pace, last.tip, last.lift_mm)

    def take(self, key: int) -> Self:
        """Have a piece that was in a net or the other hand."""
        self._deeds.append(Deed(self._now_s, Verb.TAKE, key, self._keys[-1].tip))
        return self

    def pick(self, key: int, at: Point) -> Self:
        """Go to a piece, lower the fingers and take it up."""
        self.go(at).go(at, lift_mm=0.0, least_s=0.06)
        self._deeds.append(Deed(self._now_s, Verb.PICK, key, at))
        return self.go(at, least_s=0.06)

    def put(self, key: int, at: Point) -> Self:
        """Go to a place and set a piece down there."""
        self.go(at).go(at, lift_mm=0.0, least_s=0.12)
        self._deeds.append(Deed(self._now_s, Verb.PUT, key, at))
        return self

    def drop(self, key: int, at: Point, seconds: float) -> Self:
        """Set a piece down from a hand that stays low, as when racking."""
        self._at(self._now_s + seconds / self._pace, at, 6.0)
        self._deeds.append(Deed(self._now_s, Verb.PUT, key, at))
        return self

    def away(self) -> Reach:
        """Withdraw; the finished reach."""
        self.go(self._keys[0].tip, least_s=0.25)
        return Reach(self._person, tuple(self._keys), tuple(self._deeds), self._pose)

    def _at(self, at_s: float, tip: Point, lift_mm: float) -> Self:
        self._now_s = at_s
        self._keys.append(_Key(at_s, tip, lift_mm))
        return self

    @property
    def now_s(self) -> float:
        """When the last step ends."""
        return self._now_s


def limb(
    person: Person,
    tip: Point,
    lift_mm: float,
    pose: Pose = Pose.PINCH,
    *,
    left: bool = False,
    velocity: Point = AT_REST,
) -> Limb:
    """An arm from the person's side of the table with its fingertips at a place."""
    x, y = person.seat.turn_back(tip)
    elbow = Point(0.45 * x + (-130.0 if left else 130.0), min(y - 430.0, -520.0))
    out = hypot(elbow.x_mm - x, elbow.y_mm - y)
    back = ((elbow.x_mm - x) / out, (elbow.y_mm - y) / out)
    placed = _Placed(person.seat, tip, back, lift_mm, -1.0 if left else 1.0)
    bones = [
        Bone(placed.joint(a), placed.joint(b), person.skin)
        for chain in hand(pose)
        for a, b in pairwise(chain)
    ]
    return Limb((*_arm(person, placed, out), *bones), velocity)


def _arm(person: Person, placed: "_Placed", out_mm: float) -> list[Bone]:
    """From the elbow to the wrist: skin, and a sleeve over it if there is one."""
    heel = placed.joint(Place(158.0, 0.0, 52.0, 28.0))
    wrist = placed.joint(WRIST)
    cuff = placed.joint(Place(222.0, 0.0, 72.0, 28.0))
    elbow = Place(out_mm, 0.0, 128.0, 46.0)
    skin = [Bone(heel, wrist, person.skin), Bone(wrist, cuff, person.skin)]
    if person.sleeve is None:
        thin = elbow._replace(radius=42.0)
        return [*skin, Bone(cuff, placed.joint(thin), person.skin)]
    colour, check = person.sleeve
    wide = placed.joint(Place(226.0, 0.0, 74.0, 37.0))
    return [*skin, Bone(wide, placed.joint(elbow), colour, check)]


class _Placed(NamedTuple):
    """A hand's own axes: back from the fingertip towards the elbow, and across."""

    seat: Seat
    tip: Point
    back: tuple[float, float]
    lift_mm: float
    hand: float
    """1 for a right hand, -1 for a left one."""

    def joint(self, place: Place) -> Joint:
        x, y = self.seat.turn_back(self.tip)
        ux, uy = self.back
        # Seen from above with the arm pointing ahead, a right thumb is on the left.
        across = place.across * self.hand
        at = self.seat.turn(
            Point(x + place.back * ux - across * uy, y + place.back * uy + across * ux)
        )
        return Joint(at.x_mm, at.y_mm, place.up + self.lift_mm, place.radius)


def _when(key: _Key) -> float:
    return key.at_s
