"""Two players who aim like club players and miss like them.

Aiming is ghost-ball geometry: to sink a coin, the striker's centre must arrive one
piece's width behind it, in line with the pocket. Every own coin (and the queen when
she is wanted), every pocket and a row of places along the base line are tried;
the easiest open line wins. Without one, the player banks off the far cushion, and
without that he just knocks an own coin about. Skill sets how much the aim and the
force stray.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import atan2, cos, hypot, pi, radians, sin, sqrt
from random import Random
from typing import NamedTuple

from calibration.table import Piece, Point, Seat, Table
from controller.simulator.motion import COIN_MASS_G, STRIKER_MASS_G

PLACES = 13
MAX_CUT = radians(62.0)
SLOWING_MM_S2 = 1000.0
STRAY_DEG = (2.8, 0.6)
"""Standard deviation of the aim for no skill and for full skill."""
FORCE_STRAY = (0.16, 0.05)
WEAK_BREAK = 0.02
"""How often a break is fluffed and reaches nothing."""
FASTEST_MM_S = 6500.0
ARRIVE_MM_S = 1500.0
"""How fast a well-struck coin still is at the pocket: players like to be sure."""
COIN_SHARE = STRIKER_MASS_G / (STRIKER_MASS_G + COIN_MASS_G) * 1.86
"""A coin's speed after a full hit, in units of the striker's."""


class Lying(NamedTuple):
    """A piece on the table as a player sees it."""

    piece: Piece
    at: Point


@dataclass(frozen=True, slots=True, kw_only=True)
class Plight:
    """What a player goes by: seat, colour, the table, and the laws' state.

    Without a `side` every coin is the player's own, as in games of points.
    `own_left` are his coins on the table; `queen_wanted` that he may take her;
    `queen_first` that his last coin must wait for her; `must_cover` that the
    next stroke must sink an own coin; `opening` that the break is to be made.
    """

    seat: Seat
    side: Piece | None
    lying: tuple[Lying, ...]
    own_left: int
    queen_wanted: bool
    queen_first: bool
    must_cover: bool
    opening: bool


@dataclass(frozen=True, slots=True)
class Shot:
    """Where the striker is put and how it is struck, on table axes."""

    start: Point
    velocity: Point


class _Line(NamedTuple):
    """A possible shot in South's view: easier has the larger margin (radians)."""

    start: Point
    aim: Point
    speed_mm_s: float
    margin: float


class Player:
    """One simulated player with his own luck."""

    def __init__(self, table: Table, skill: float, random: Random) -> None:
        """`skill` 0 to 1; `random` is his alone."""
        self._table = table
        self._random = random
        self._stray = radians(_mixed(STRAY_DEG, skill))
        self._force_stray = _mixed(FORCE_STRAY, skill)

    def choose(self, plight: Plight) -> Shot:
        """Pick a shot and strike it as well as he can."""
        view = _Table(self._table, plight)
        line = self._break_line(view) if plight.opening else self._best_line(view)
        angle = atan2(
            line.aim.y_mm - line.start.y_mm, line.aim.x_mm - line.start.x_mm
        ) + self._random.gauss(0.0, self._stray)
        force = max(1.0 + self._random.gauss(0.0, self._force_stray), 0.3)
        speed = min(line.speed_mm_s * force, FASTEST_MM_S)
        velocity = Point(speed * cos(angle), speed * sin(angle))
        return Shot(plight.seat.turn(line.start), plight.seat.turn(velocity))

    def _break_line(self, view: "_Table") -> _Line:
        start = self._random.choice(view.places())
        if self._random.random() < WEAK_BREAK:
            return _Line(start, Point(0.0, 0.0), 420.0, 0.0)
        off = Point(self._random.gauss(0.0, 9.0), 0.0)
        return _Line(start, off, self._random.uniform(3000.0, 5200.0), 0.0)

    def _best_line(self, view: "_Table") -> _Line:
        lines = sorted(view.lines(), key=lambda line: -line.margin)
        if lines and lines[0].margin > self._stray * 0.35:
            good = [x for x in lines[:3] if x.margin > 0.8 * lines[0].margin]
            return self._random.choice(good)
        banks = sorted(view.banks(), key=lambda line: -line.margin)
        choice = [*lines[:1], *banks[:1]]
        if choice:
            return max(choice, key=lambda line: line.margin)
        return self._knock(view)

    def _knock(self, view: "_Table") -> _Line:
        """Nothing is open: hit one of the own coins hard enough to free things."""
        targets = view.targets() or [lying.at for lying in view.lying]
        start = self._random.choice(view.places())
        aim = self._random.choice(targets)
        return _Line(start, aim, self._random.uniform(1800.0, 3000.0), 0.0)


class _Table:
    """One plight turned into South's view, with the questions a player asks."""

    def __init__(self, table: Table, plight: Plight) -> None:
        self._table = table
        self._plight = plight
        self.lying = [
            Lying(piece, plight.seat.turn_back(at)) for piece, at in plight.lying
        ]
        self._coin, self._striker = table.coin_radius_mm, table.striker_radius_mm
        self._reach = self._coin + self._striker
        self._pockets = list(table.pocket_centres.values())
        self._spots = self._free_places()

    def places(self) -> Sequence[Point]:
        """Legal striker places along the base line that no coin blocks."""
        return self._spots

    def targets(self) -> list[Point]:
        """The coins worth sinking now."""
        plight = self._plight
        queen = [x.at for x in self.lying if x.piece is Piece.QUEEN]
        own = [x.at for x in self.lying if self._is_own(x.piece)]
        if plight.must_cover:
            return own
        if plight.queen_first:
            return queen
        return own + queen if plight.queen_wanted else own

    def _is_own(self, piece: Piece) -> bool:
        side = self._plight.side
        return piece is not Piece.QUEEN if side is None else piece is side

    def lines(self) -> Iterator[_Line]:
        """Direct shots with an open way for striker and coin."""
        for coin in self.targets():
            for pocket in self._pockets:
                yield from self._direct(coin, pocket)

    def banks(self) -> Iterator[_Line]:
        """Shots off the far cushion, with the cushion as a mirror."""
        wall = self._table.half_mm - self._striker
        for coin in self.targets():
            for pocket in self._pockets:
                ghost = self._ghost(coin, pocket)
                mirrored = Point(ghost.x_mm, 2 * wall - ghost.y_mm)
                for start in self._spots[::3]:
                    line = self._banked(start, mirrored, coin, pocket)
                    if line is not None:
                        yield line

    def _direct(self, coin: Point, pocket: Point) -> Iterator[_Line]:
        if not self._is_open(coin, pocket, self._coin, ignore=coin):
            return
        ghost = self._ghost(coin, pocket)
        if max(abs(ghost.x_mm), abs(ghost.y_mm)) > self._table.half_mm - self._striker:
            return
        for start in self._spots:
            cut = _angle(start, ghost, coin, pocket)
            if cut > MAX_CUT or not self._is_open(
                start, ghost, self._striker, ignore=coin
            ):
                continue
            way = start.distance_mm(ghost)
            yield _Line(
                start,
                ghost,
                self._speed(way, coin.distance_mm(pocket), cut),
                self._margin(way, coin.distance_mm(pocket), cut),
            )

    def _banked(
        self, start: Point, mirrored: Point, coin: Point, pocket: Point
    ) -> _Line | None:
        wall = self._table.half_mm - self._striker
        share = (wall - start.y_mm) / max(mirrored.y_mm - start.y_mm, 1.0)
        turn = Point(start.x_mm + (mirrored.x_mm - start.x_mm) * share, wall)
        ghost = self._ghost(coin, pocket)
        cut = _angle(turn, ghost, coin, pocket)
        if cut > MAX_CUT or not self._is_open(coin, pocket, self._coin, ignore=coin):
            return None
        if not self._is_open(start, turn, self._striker, ignore=None):
            return None
        if not self._is_open(turn, ghost, self._striker, ignore=coin):
            return None
        way = start.distance_mm(mirrored)
        speed = 1.3 * self._speed(way, coin.distance_mm(pocket), cut)
        margin = 0.5 * self._margin(way, coin.distance_mm(pocket), cut)
        return _Line(start, turn, speed, margin)

    def _ghost(self, coin: Point, pocket: Point) -> Point:
        way = coin.distance_mm(pocket)
        share = self._reach / max(way, 1.0)
        return Point(
            coin.x_mm + (coin.x_mm - pocket.x_mm) * share,
            coin.y_mm + (coin.y_mm - pocket.y_mm) * share,
        )

    def _margin(self, way: float, run: float, cut: float) -> float:
        """How far the aim may stray and the coin still drop, in radians."""
        mouth = self._table.pocket_radius_mm * 0.9
        return (mouth / max(run, 30.0)) * self._reach * cos(cut) / max(way, 40.0)

    def _speed(self, way: float, run: float, cut: float) -> float:
        """Enough for the coin to arrive with some life left."""
        coin2 = 2 * SLOWING_MM_S2 * run + ARRIVE_MM_S**2
        hit = sqrt(coin2) / (COIN_SHARE * max(cos(cut), 0.3))
        return sqrt(hit**2 + 2 * SLOWING_MM_S2 * way)

    def _is_open(
        self, start: Point, end: Point, radius: float, *, ignore: Point | None
    ) -> bool:
        """Whether a disc can pass from start to end without touching a piece."""
        reach = radius + self._coin + 0.5
        return all(
            _off_way(lying.at, start, end) > reach
            for lying in self.lying
            if lying.at != ignore
        )

    def _free_places(self) -> list[Point]:
        table = self._table
        y = (table.lower_line_y_mm + table.upper_line_y_mm) / 2
        last = table.base_circles(Seat.SOUTH)[1]
        reach = last.centre.x_mm - last.radius_mm - self._striker - 1.5
        row = [
            Point(-reach + 2 * reach * step / (PLACES - 1), y) for step in range(PLACES)
        ]
        gap = self._reach + 1.0
        free = [p for p in row if all(x.at.distance_mm(p) > gap for x in self.lying)]
        return free or [self._least_blocked(reach, y)]

    def _least_blocked(self, reach: float, y: float) -> Point:
        fine = [Point(-reach + 2 * reach * step / 400, y) for step in range(401)]
        return max(fine, key=lambda p: min(x.at.distance_mm(p) for x in self.lying))


def _off_way(at: Point, start: Point, end: Point) -> float:
    """Distance of a place from the stretch between two others."""
    ex, ey = end.x_mm - start.x_mm, end.y_mm - start.y_mm
    along = (at.x_mm - start.x_mm) * ex + (at.y_mm - start.y_mm) * ey
    share = min(max(along / max(ex * ex + ey * ey, 1e-9), 0.0), 1.0)
    return hypot(at.x_mm - start.x_mm - share * ex, at.y_mm - start.y_mm - share * ey)


def _angle(start: Point, ghost: Point, coin: Point, pocket: Point) -> float:
    """The cut: how far the coin's way turns from the striker's."""
    one = atan2(ghost.y_mm - start.y_mm, ghost.x_mm - start.x_mm)
    two = atan2(pocket.y_mm - coin.y_mm, pocket.x_mm - coin.x_mm)
    return abs((two - one + pi) % (2 * pi) - pi)


def _mixed(ends: tuple[float, float], skill: float) -> float:
    return ends[0] + (ends[1] - ends[0]) * skill
