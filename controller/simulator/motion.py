"""How pieces slide, bounce and fall: the physics of one stroke, seen from above.

pymunk does the collisions; sliding friction and the pockets are ours. A disc loses
speed at a constant rate (Coulomb), turning stops likewise. A piece whose centre is
over a pocket's hole drops freely; it is caught once it has sunk 2 mm, so a fast one
may cross the hole, meet the frame and rattle out again. Steps are chosen so that
nothing moves more than `REACH_MM` in one: contacts are accurate to less than that.
Steps depend on the pieces alone, never on when the caller looks, so one seed gives
one stroke to the last bit. A meeting of many pieces at once (the rack) is solved
one pair after another and may come out with more energy than went in; then all
pieces are slowed alike until it does not.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pymunk
from pymunk.batch import BodyFields, Buffer, get_space_bodies, set_space_bodies

from calibration.table import Piece, Pocket, Point, Table
from controller.simulator.friction import (
    CAUGHT_S,
    GRAVITY_MM_S2,
    TURNED,
    VX,
    VY,
    Floats,
    X,
    Y,
    drop,
    energy,
    fastest,
    hit,
    lose_energy,
    slow_down,
)

COIN_MASS_G = 5.3
STRIKER_MASS_G = 15.0
COIN_BOUNCE = 0.93
"""Restitution of one piece's edge; of a meeting it is the product of both."""
CUSHION_BOUNCE = 0.76
EDGE_FRICTION = 0.12
SINK_S = 0.09
"""How long a caught piece is still in sight."""
REACH_MM = 0.8
LONGEST_STEP_S = 0.002
LIMIT_S = 20.0
MOVES = BodyFields.VELOCITY | BodyFields.ANGULAR_VELOCITY
STATE = BodyFields.POSITION | BodyFields.ANGLE | MOVES


class Pose(NamedTuple):
    """Where one piece is and how it moves."""

    at: Point
    velocity: Point
    turned_rad: float
    lift_mm: float


class Fall(NamedTuple):
    """A piece was caught by a pocket, at seconds from the strike.

    `at`, `velocity`: where and how fast it went in.
    """

    key: int
    pocket: Pocket
    at_s: float
    at: Point
    velocity: Point


class Touch(NamedTuple):
    """The striker met a piece, at seconds from the strike."""

    key: int
    at_s: float


@dataclass(frozen=True, slots=True)
class Surface:
    """How fast a table is: the pieces' loss of speed."""

    slowing_mm_s2: float = 1000.0


class Motion:
    """One stroke in progress: pieces by key, stepped to any later time."""

    def __init__(
        self,
        table: Table,
        pieces: Mapping[int, tuple[Piece, Pose]],
        surface: Surface | None = None,
    ) -> None:
        """`pieces` lie where their pose says, the struck one with its velocity."""
        self._table = table
        north_east = table.pocket_centres[Pocket.NORTH_EAST]
        self._hole = (north_east.x_mm, table.pocket_radius_mm)
        self._slowing = (surface or Surface()).slowing_mm_s2
        self._space = pymunk.Space()
        self._space.iterations = 25
        self._space.collision_slop = 0.02
        self._bodies = {
            key: self._body(piece, pose) for key, (piece, pose) in pieces.items()
        }
        self._add_frame()
        self._watch_striker()
        self._got, self._given = Buffer(), Buffer()
        self._order: list[int] = []
        self._over_s = np.zeros(0)
        self._look_again()
        self._before_s, self._before = 0.0, self._state.copy()
        self._sinking: dict[int, Fall] = {}
        self._falls: list[Fall] = []
        self._touches: list[Touch] = []
        self.now_s = 0.0
        self._step_s, self._hit = LONGEST_STEP_S, False
        self._rest_s: float | None = None

    @property
    def rest_s(self) -> float | None:
        """Seconds from the strike at which all came to rest, None while moving."""
        return self._rest_s

    @property
    def falls(self) -> tuple[Fall, ...]:
        """Pieces caught so far, in order."""
        return tuple(self._falls)

    @property
    def touches(self) -> tuple[Touch, ...]:
        """The striker's meetings so far, in order; the first is the first contact."""
        return tuple(self._touches)

    @property
    def energy_uj(self) -> float:
        """Kinetic energy of all pieces on the table, in microjoules."""
        return energy(self._state, self._inertia) / 1000.0

    def advance(self, to_s: float) -> None:
        """Step until `to_s` or rest."""
        while self.now_s < to_s and self._rest_s is None:
            self._step()

    def poses(self, at_s: float) -> dict[int, Pose]:
        """Every piece still in sight at a time within the last step."""
        span = self.now_s - self._before_s
        share = 1.0 if span <= 0 else (at_s - self._before_s) / span
        share = min(max(share, 0.0), 1.0)
        state = self._before + (self._state - self._before) * share
        seen = {
            key: Pose(Point(row[X], row[Y]), Point(row[VX], row[VY]), row[TURNED], 0.0)
            for key, row in zip(self._order, state.tolist(), strict=True)
        }
        return seen | dict(self._sinking_poses(at_s))

    def _step(self) -> None:
        if not self._hit:
            speed = fastest(self._state)
            self._step_s = min(LONGEST_STEP_S, REACH_MM / max(speed, 1e-6))
        step_s = self._step_s
        self._before_s, self._before = self.now_s, self._state
        self._space.step(step_s)
        self.now_s += step_s
        self._read()
        self._hit = hit(self._before, self._state)
        lose_energy(self._before, self._state, self._inertia)
        still = slow_down(self._state, self._over_s, self._slowing, step_s)
        self._give()
        if drop(self._state, self._over_s, self._hole, step_s):
            self._catch_all()
        sunk = all(self.now_s - f.at_s > SINK_S for f in self._sinking.values())
        if (still and sunk) or self.now_s > LIMIT_S:
            self._rest_s = self.now_s

    def _catch_all(self) -> None:
        """Take all pieces that have sunk far enough out of the game."""
        for index in np.flatnonzero(self._over_s >= CAUGHT_S):
            self._catch(self._order[index], self._state[index])
        self._look_again()
        self._before = self._state.copy()

    def _catch(self, key: int, row: Floats) -> None:
        x, y, _, vx, vy, _ = row.tolist()
        pocket = self._table.nearest_pocket(Point(x, y))
        fall = Fall(key, pocket, self.now_s, Point(x, y), Point(vx, vy))
        self._falls.append(fall)
        self._sinking[key] = fall
        body = self._bodies.pop(key)
        self._space.remove(body, *body.shapes)

    def _look_again(self) -> None:
        """Learn anew in which order the space keeps its pieces."""
        self._got.clear()
        get_space_bodies(self._space, BodyFields.BODY_ID, self._got)
        # The space lists moving bodies first, then the one that carries the frame.
        ids = np.frombuffer(self._got.int_buf(), np.uintp)[: len(self._bodies)]
        keys = {body.id: key for key, body in self._bodies.items()}
        over = dict(zip(self._order, self._over_s, strict=True)) if self._order else {}
        self._order = [keys[int(number)] for number in ids]
        self._over_s = np.array([over.get(key, 0.0) for key in self._order])
        masses = [self._bodies[key].mass for key in self._order]
        moments = [self._bodies[key].moment for key in self._order]
        self._inertia = np.array([masses, masses, moments]).T.reshape(-1, 3) / 2
        self._moves = np.zeros((len(ids) + 1, 3))
        self._given.set_float_buf(self._moves)
        self._read()

    def _read(self) -> None:
        self._got.clear()
        get_space_bodies(self._space, STATE, self._got)
        flat = np.frombuffer(self._got.float_buf(), np.float64)
        self._state = flat.reshape(-1, 6)[:-1].copy()

    def _give(self) -> None:
        self._moves[:-1] = self._state[:, VX:]
        set_space_bodies(self._space, MOVES, self._given)

    def _sinking_poses(self, at_s: float) -> Iterator[tuple[int, Pose]]:
        for key, fall in self._sinking.items():
            sunk_s = at_s - fall.at_s
            if 0.0 <= sunk_s <= SINK_S:
                yield key, self._sunk(fall, sunk_s)

    def _sunk(self, fall: Fall, sunk_s: float) -> Pose:
        """A caught piece slides towards the hole's middle as it goes down."""
        share = min(sunk_s / (SINK_S * 0.6), 1.0)
        middle = self._table.pocket_centres[fall.pocket]
        at = _mix(fall.at, middle, share * 0.8)
        falling_s = CAUGHT_S + sunk_s
        lift_mm = max(-GRAVITY_MM_S2 * falling_s**2 / 2, -30.0)
        return Pose(at, Point(0.0, 0.0), 0.0, lift_mm)

    def _body(self, piece: Piece, pose: Pose) -> pymunk.Body:
        radius = self._table.radius_mm(piece)
        mass = STRIKER_MASS_G if piece is Piece.STRIKER else COIN_MASS_G
        body = pymunk.Body(mass, pymunk.moment_for_circle(mass, 0.0, radius))
        body.position = (pose.at.x_mm, pose.at.y_mm)
        body.velocity = (pose.velocity.x_mm, pose.velocity.y_mm)
        body.angle = pose.turned_rad
        shape = pymunk.Circle(body, radius)
        shape.elasticity, shape.friction = COIN_BOUNCE, EDGE_FRICTION
        shape.collision_type = 1 if piece is Piece.STRIKER else 2
        self._space.add(body, shape)
        return body

    def _add_frame(self) -> None:
        """Four walls as thick slabs, so that nothing can be pushed through."""
        half, thick = self._table.half_mm, 40.0
        ends = half + 2 * thick
        edge = half + thick
        for start, end in (
            ((-ends, edge), (ends, edge)),
            ((-ends, -edge), (ends, -edge)),
            ((edge, -ends), (edge, ends)),
            ((-edge, -ends), (-edge, ends)),
        ):
            wall = pymunk.Segment(self._space.static_body, start, end, thick)
            wall.elasticity, wall.friction = CUSHION_BOUNCE, EDGE_FRICTION
            self._space.add(wall)

    def _watch_striker(self) -> None:
        keys = {id(body): key for key, body in self._bodies.items()}

        def met(arbiter: pymunk.Arbiter, _space: pymunk.Space, _data: object) -> None:
            other = arbiter.shapes[1].body
            self._touches.append(Touch(keys[id(other)], self.now_s))

        self._space.on_collision(1, 2, begin=met)


def _mix(a: Point, b: Point, share: float) -> Point:
    return Point(a.x_mm + (b.x_mm - a.x_mm) * share, a.y_mm + (b.y_mm - a.y_mm) * share)
