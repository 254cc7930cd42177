"""Hands that reach over the simulated table: whose, how they look, how they move.

A `Reach` is one hand's way from outside the table and back: keys in time between
which the fingertips glide, and deeds (take, pick up, put down) at set times. It is
data, so the world can ask where the hand is at any time.
"""

from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum
from math import cos, hypot, pi
from typing import NamedTuple, Self

from calibration.table import Point, Seat
from vision.sources.rendering_scene import Bone, Colour, Joint, Limb

CARRY_MM = 30.0
"""How high a hand lifts a piece it carries."""
FAR_MM = 640.0
"""Fingertips this far from the middle are out of the picture."""
SPEED_MM_S = 1500.0

SKINS: tuple[Colour, ...] = (
    (0.28, 0.40, 0.62),
    (0.12, 0.21, 0.42),
    (0.05, 0.10, 0.22),
    (0.20, 0.32, 0.55),
)
SLEEVES: tuple[Colour, ...] = (
    (0.30, 0.12, 0.05),
    (0.55, 0.55, 0.55),
    (0.03, 0.03, 0.04),
    (0.06, 0.07, 0.30),
    (0.10, 0.22, 0.10),
)


class Person(NamedTuple):
    """Where somebody sits and how their arm looks."""

    seat: Seat
    skin: Colour
    sleeve: Colour


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
        return None if where is None else limb(self.person, *where)


class Reaching:
    """Writes a reach step by step, at a pace."""

    def __init__(self, person: Person, start_s: float, pace: float) -> None:
        self._person = person
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
        return Reach(self._person, tuple(self._keys), tuple(self._deeds))

    def _at(self, at_s: float, tip: Point, lift_mm: float) -> Self:
        self._now_s = at_s
        self._keys.append(_Key(at_s, tip, lift_mm))
        return self

    @property
    def now_s(self) -> float:
        """When the last step ends."""
        return self._now_s


def limb(person: Person, tip: Point, lift_mm: float) -> Limb:
    """An arm from the person's side of the table with its fingertips at a place."""
    x, y = person.seat.turn_back(tip)
    elbow = Point(0.45 * x + 130.0, min(y - 430.0, -520.0))
    out = hypot(elbow.x_mm - x, elbow.y_mm - y)
    ux, uy = (elbow.x_mm - x) / out, (elbow.y_mm - y) / out
    place = _Placed(person.seat, tip, (ux, uy))
    cuff = place.joint(255.0, 0.0, 86.0 + lift_mm, 33.0)
    wrist = place.joint(165.0, 0.0, 62.0 + lift_mm, 25.0)
    heel = place.joint(135.0, 4.0, 56.0 + lift_mm, 30.0)
    knuckles = place.joint(88.0, 4.0, 54.0 + lift_mm, 33.0)
    upper = place.joint(out, 0.0, 130.0 + lift_mm, 48.0)
    bones = [
        Bone(upper, cuff, person.sleeve),
        Bone(cuff, wrist, person.skin),
        Bone(wrist, heel, person.skin),
        Bone(heel, knuckles, person.skin),
        Bone(
            place.joint(118.0, -26.0, 48.0 + lift_mm, 14.0),
            place.joint(16.0, -17.0, 14.0 + lift_mm, 9.5),
            person.skin,
        ),
    ]
    for root, end, back in ((-14.0, 3.0, 6.0), (4.0, 15.0, 14.0), (22.0, 30.0, 34.0)):
        bones.append(
            Bone(
                place.joint(76.0, root, 52.0 + lift_mm, 11.5),
                place.joint(back, end, 16.0 + lift_mm, 8.5),
                person.skin,
            )
        )
    return Limb(tuple(bones))


class _Placed(NamedTuple):
    """A hand's own axes: back from the fingertip towards the elbow, and across."""

    seat: Seat
    tip: Point
    back: tuple[float, float]

    def joint(self, back: float, across: float, height: float, radius: float) -> Joint:
        x, y = self.seat.turn_back(self.tip)
        ux, uy = self.back
        at = self.seat.turn(
            Point(x + back * ux - across * uy, y + back * uy + across * ux)
        )
        return Joint(at.x_mm, at.y_mm, height, radius)


def _when(key: _Key) -> float:
    return key.at_s
