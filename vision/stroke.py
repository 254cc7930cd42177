"""One stroke while it runs: whom the striker met, what fell.

Theory of operation. `vision.strike` says when one begins.
The first contact is the first other piece to leave its place. Where several leave
at once, the striker's way decides: the first disc its centre line meets. Where that
was not seen, all of them are named.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import hypot, inf

import numpy as np

from calibration.table import Piece, Point, Seat, StrikerPlace, Table
from vision.followed import Followed
from vision.settling import Settled
from vision.sightings import Contact, Vanished
from vision.striker_way import Step

CENSUS_DOUBT_MM, FINGER_DOUBT_MM = 1.5, 12.0
"""How far a striker's place may be off that a census, or only a fit, has seen."""
AWAY_MM = 3.0
"""A piece has been moved when it is this far from where it lay: shadows move fits."""
TOGETHER_S = 0.06
"""Pieces that leave their places within this time of the first are candidates."""
BASE_LINE_SLACK_MM = 25.0
"""A striker this far off the middle of its base lines was meant to stand on them."""


@dataclass(slots=True, eq=False)
class RunningStroke:
    """What has been seen of the present stroke so far."""

    from_s: float
    start: Point
    touch_mm: float
    """Distance of striker and coin when they touch, and what fits may be off."""
    doubt_mm: float
    """How far `start` may be off."""
    way: list[Step] = field(default_factory=list)
    vanished: list[Vanished] = field(default_factory=list)
    contact: Contact | None = None
    met: bool = True
    """Whether the striker's way was seen to lead to its first contact: if not, what was
    seen of the way may be its bounce."""
    touched: list[Contact] = field(default_factory=list)
    """Every piece that has left its place, in order."""
    settled: Settled | None = None
    """What lay there when everything had come to rest; None: not yet."""
    delayed: bool = False
    """Whether a hand has been there since: what lies there may be its doing."""
    ended_s: float = field(init=False)
    """When a piece was last seen to move."""
    _movers: list[Followed] = field(default_factory=list, init=False)

    def __post_init__(self) -> None:
        self.ended_s = self.from_s

    def note(
        self, followed: list[Followed], at_s: float, *, hand: bool = False
    ) -> None:
        """Take one frame: the striker's way, and who has left its place.

        `hand`: a hand is near enough to the striker to strike it.
        """
        for piece in followed:
            if not piece.missed and piece.moved_s > self.from_s:
                self.ended_s = max(self.ended_s, piece.moved_s)
            if piece.piece is Piece.STRIKER:
                if not piece.missed and not piece.hidden:
                    gap = _nearest_mm(piece, followed) - self.touch_mm
                    self.way.append(Step(at_s, piece.at, gap, hand))
            elif self._has_left(piece):
                self._movers.append(piece)
                assert piece.left_at is not None
                self.touched.append(Contact(piece.piece, piece.away_s, piece.left_at))
        if self.contact is None and self._movers:
            first_s = min(m.away_s for m in self._movers)
            if at_s - first_s > TOGETHER_S:
                self._decide()

    def end(self, at_s: float) -> None:
        """It was over by then: what went on later was none of it."""
        self.vanished = [v for v in self.vanished if v.at_s <= at_s]
        self.touched = [c for c in self.touched if c.at_s <= at_s]
        self.way = [step for step in self.way if step.at_s <= at_s]
        self._movers = [m for m in self._movers if m.away_s <= at_s]
        if self.contact is not None and self.contact.at_s > at_s:
            self.contact = None

    def close(self) -> None:
        """The stroke is over: decide on what there is."""
        if self.contact is None and self._movers:
            self._decide()

    def _has_left(self, piece: Followed) -> bool:
        if piece in self._movers or piece.left_at is None or piece.hidden:
            return False
        away = piece.at.distance_mm(piece.left_at) > AWAY_MM
        return away and piece.away_s > self.from_s

    def _decide(self) -> None:
        first_s = min(m.away_s for m in self._movers)
        early = [m for m in self._movers if m.away_s <= first_s + TOGETHER_S]
        way = [Step(self.from_s, self.start), *self.way]
        at_s, piece = self._met(early, list(pairwise(way)))
        if at_s == inf:
            at_s, piece = self._met(early, _carried_on(way))
        self.met = at_s < inf
        met_s = at_s if self.met else first_s
        doubtful = () if self.met else tuple(sorted(m.piece for m in early))
        cluster = doubtful if len(doubtful) > 1 else ()
        self.contact = Contact(piece.piece, met_s, piece.left_at, cluster)

    def _met(
        self, early: Sequence[Followed], legs: Sequence[tuple[Step, Step]]
    ) -> tuple[float, Followed]:
        """Whom the striker meets first on straight legs, and when; inf: nobody."""
        met = [(self._meeting_s(m, legs), m) for m in early]
        return min(met, key=lambda pair: (pair[0], pair[1].away_s))

    def _meeting_s(self, piece: Followed, legs: Sequence[tuple[Step, Step]]) -> float:
        """When a leg comes within touch of a piece's place; inf: none does."""
        assert piece.left_at is not None
        for a, b in legs:
            met = _meets(a, b, piece.left_at, self.touch_mm)
            if met < inf:
                return met
        return inf


def _carried_on(way: Sequence[Step]) -> list[tuple[Step, Step]]:
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


def _nearest_mm(striker: Followed, followed: Sequence[Followed]) -> float:
    """Distance from the striker's centre to the nearest other piece's; inf: none."""
    others = (f.at.distance_mm(striker.at) for f in followed if f is not striker)
    return min(others, default=inf)


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


def seat_of(start: Point, table: Table) -> Seat | None:
    """Whose base line a striker at this place stands on; None: nobody's."""
    middle = (table.lower_line_y_mm + table.upper_line_y_mm) / 2
    reach = table.base_lines(Seat.SOUTH)[0].end.x_mm + table.base_circle_radius_mm
    for seat in Seat:
        p = seat.turn_back(start)
        if abs(p.y_mm - middle) < BASE_LINE_SLACK_MM and abs(p.x_mm) < reach:
            return seat
    return None


def placement_of(start: Point, table: Table, doubt_mm: float) -> StrikerPlace | None:
    """Whether a stroke's start was a legal place; None away from all base lines."""
    seat = seat_of(start, table)
    if seat is None:
        return None
    return table.striker_place(seat, start, doubt_mm=doubt_mm)


def census_doubt_mm(mapping_mm: float) -> float:
    """How far off a striker may be that a census saw, with the calibration's doubt."""
    return hypot(CENSUS_DOUBT_MM, mapping_mm)
