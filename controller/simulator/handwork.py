"""Everything hands do at the simulated table, as reaches the world can play back."""

from collections.abc import Sequence
from math import cos, hypot, pi, sin
from random import Random

from calibration.table import Piece, Point, Seat, Table
from controller.simulator.anatomy import Pose
from controller.simulator.hands import Person, Reach, Reaching
from controller.simulator.players import Shot
from controller.simulator.stage import STRIKER_KEY, Stage

FINGER_MM = 14.0
"""The flicking fingertip waits this far behind the striker."""
RACK_STRAY_MM = 0.25
"""How far a coin may lie from where the drawing has it when racked by hand."""


class Handwork:
    """Plans what a hand does next, from where the pieces are."""

    def __init__(self, table: Table, stage: Stage, luck: Random, pace: float) -> None:
        """`pace` 1.0 is brisk club play; `luck` decides where coins are put."""
        self._table = table
        self._stage = stage
        self._luck = luck
        self._pace = pace

    def clear(self, person: Person, at_s: float) -> Reach:
        """Take everything off the table and out of the nets."""
        hand = Reaching(person, at_s, self._pace)
        for key in list(self._stage.nets):
            hand.take(key)
        way = person.seat.turn(Point(0.0, -300.0))
        for key, place in sorted(
            self._stage.lying.items(), key=lambda item: item[1].distance_mm(way)
        ):
            hand.pick(key, place)
        return hand.away()

    def rack(self, person: Person, at_s: float) -> Reach:
        """Lay the opening rack, from the queen outwards, nothing overlapping."""
        hand = Reaching(person, at_s, self._pace)
        hand.go(person.seat.turn(Point(0.0, -60.0)))
        rack = self._table.opening_rack(person.seat)
        # The whole rack is spread by a hair, so that no stray makes coins overlap.
        spread = 1.0 + 2 * RACK_STRAY_MM / self._table.coin_radius_mm
        for key, (_, place) in enumerate(rack):
            off = RACK_STRAY_MM * self._luck.random()
            angle = self._luck.uniform(0.0, 2 * pi)
            at = Point(
                place.x_mm * spread + off * cos(angle),
                place.y_mm * spread + off * sin(angle),
            )
            hand.drop(key, at, 0.16)
        return hand.away()

    def place_striker(self, person: Person, at_s: float, start: Point) -> Reach:
        """Fetch the striker from wherever it is and set it on the base line."""
        hand = Reaching(person, at_s, self._pace)
        lying = self._stage.lying.get(STRIKER_KEY)
        if lying is not None:
            hand.pick(STRIKER_KEY, lying)
        else:
            hand.take(STRIKER_KEY)
        hand.put(STRIKER_KEY, start).wait(0.15)
        return hand.away()

    def flick(self, person: Person, at_s: float, shot: Shot) -> tuple[Reach, float]:
        """Reach in behind the striker, aim, flick; the reach and the flick's time."""
        speed = hypot(*shot.velocity)
        behind = self._table.striker_radius_mm + FINGER_MM
        tip = Point(
            shot.start.x_mm - shot.velocity.x_mm / speed * behind,
            shot.start.y_mm - shot.velocity.y_mm / speed * behind,
        )
        hand = Reaching(person, at_s, self._pace, Pose.FLICK)
        hand.go(tip, lift_mm=1.0, least_s=0.3).wait(self._luck.uniform(0.25, 0.6))
        flick_s = hand.now_s
        follow = Point(
            tip.x_mm + 0.5 * (shot.start.x_mm - tip.x_mm),
            tip.y_mm + 0.5 * (shot.start.y_mm - tip.y_mm),
        )
        hand.go(follow, lift_mm=2.0, least_s=0.03).wait(0.1)
        return hand.away(), flick_s

    def return_queen(self, person: Person, at_s: float) -> Reach:
        """94: the umpire puts the queen on the centre circle, or as near as can be."""
        key = self._stage.down(Piece.QUEEN)[0]
        at = self._nearest_free(Piece.QUEEN, [])
        hand = Reaching(person, at_s, self._pace)
        return hand.take(key).put(key, at).away()

    def return_coins(
        self, person: Person, at_s: float, coins: Sequence[Piece]
    ) -> Reach:
        """9, 78: put coins into the outer circle, one by one."""
        hand = Reaching(person, at_s, self._pace)
        put: list[Point] = []
        used: list[int] = []
        for piece in coins:
            key = next(k for k in self._stage.down(piece) if k not in used)
            at = self._place_for_due(piece, put)
            hand.take(key).put(key, at)
            put.append(at)
            used.append(key)
        return hand.away()

    def _place_for_due(self, piece: Piece, put: list[Point]) -> Point:
        """A free place inside the outer circle that leaves the centre clear."""
        inner = self._table.centre_circle_radius_mm + self._table.coin_radius_mm
        outer = self._table.outer_circle_radius_mm - self._table.coin_radius_mm
        for _ in range(60):
            angle = self._luck.uniform(0.0, 2 * pi)
            reach = self._luck.uniform(inner + 0.5, outer - 0.5)
            at = Point(reach * cos(angle), reach * sin(angle))
            if self._is_free(at, piece, put):
                return at
        return self._nearest_free(piece, put)

    def _nearest_free(self, piece: Piece, put: list[Point]) -> Point:
        """The free place nearest to the table's centre."""
        for ring in range(160):
            reach = 2.0 * ring
            for step in range(max(6 * ring, 1)):
                angle = 2 * pi * step / max(6 * ring, 1)
                at = Point(reach * cos(angle), reach * sin(angle))
                if self._is_free(at, piece, put):
                    return at
        raise AssertionError("twenty pieces cannot fill a table")

    def _is_free(self, at: Point, piece: Piece, put: list[Point]) -> bool:
        apart = 2 * self._table.coin_radius_mm + 0.6
        clear = all(at.distance_mm(other) >= apart for other in put)
        return clear and self._stage.free(at, piece)


def misplaced(table: Table, seat: Seat, start: Point, luck: Random) -> Point:
    """A striker carelessly put: clearly off one of the two base lines."""
    x, y = seat.turn_back(start)
    play = table.striker_radius_mm - table.base_line_gap_mm / 2
    off = luck.choice((-1.0, 1.0)) * (play + luck.uniform(6.0, 10.0))
    return seat.turn(Point(x, y + off))
