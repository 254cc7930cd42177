"""One stroke while it runs: whom the striker met, what fell.

Theory of operation. `vision.strike` says when one begins.
The first contact is the first other piece to leave its place. Where several leave
at once, the striker's way decides: the first disc its centre line meets. Where that
was not seen, or in a gap longer than a piece needs to reach another
(`vision.meeting`), all that may have been met are named.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import hypot, inf
from typing import NamedTuple

from calibration.table import Piece, Point, Seat, StrikerPlace, Table
from vision.followed import Followed
from vision.meeting import carried_on, may_be_first, meeting_s
from vision.settling import Settled
from vision.sightings import Contact, Vanished
from vision.striker_way import GAP_S, Step

CENSUS_DOUBT_MM, FINGER_DOUBT_MM = 1.5, 12.0
"""How far a striker's place may be off that a census, or only a fit, has seen."""
AWAY_MM = 3.0
"""A piece has been moved when it is this far from where it lay: shadows move fits."""
TOGETHER_S = 0.06
"""Pieces that leave their places within this time of the first are candidates."""
BASE_LINE_SLACK_MM = 25.0
"""A striker this far off the middle of its base lines was meant to stand on them."""


class _Lay(NamedTuple):
    """A piece and where it lay."""

    piece: Piece
    at: Point


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
    _unseen: list[Followed] = field(default_factory=list, init=False)
    """Coins that are missed or hidden now."""

    def __post_init__(self) -> None:
        self.ended_s = self.from_s

    def note(
        self, followed: list[Followed], at_s: float, *, hand: bool = False
    ) -> None:
        """Take one frame: the striker's way, and who has left its place.

        `hand`: a hand is near enough to the striker to strike it.
        """
        self._unseen = [f for f in followed if _out_of_sight(f)]
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
        at_s, first = _met(early, list(pairwise(way)), self.touch_mm)
        if at_s == inf:
            at_s, first = _met(early, carried_on(way), self.touch_mm)
        likeliest = _Lay(first.piece, _left(first))
        may_be = [_Lay(m.piece, _left(m)) for m in early] if at_s == inf else []
        if first_s - max(m.left_s for m in early if m.away_s == first_s) > GAP_S:
            may_be = self._possible(way, first_s, early)
        if len(may_be) == 1 and may_be[0] != likeliest:
            at_s, likeliest = inf, may_be[0]
        self.met = at_s < inf and len(may_be) < 2
        met_s = at_s if self.met else first_s
        cluster = tuple(sorted(lay.piece for lay in may_be)) if may_be[1:] else ()
        self.contact = Contact(likeliest.piece, met_s, likeliest.at, cluster)

    def _possible(
        self, way: Sequence[Step], first_s: float, early: Sequence[Followed]
    ) -> list[_Lay]:
        """All that may have been met first in a gap between pictures.

        What left its place, and what has been out of sight since.
        """
        lay = [_Lay(m.piece, _left(m)) for m in early]
        lay += [_Lay(f.piece, f.stood) for f in self._unseen if f not in early]
        known = {m.last_at for m in early}
        fell = (v for v in self.vanished if v.piece is not Piece.STRIKER)
        lay += [_Lay(v.piece, v.last_at) for v in fell if v.last_at not in known]
        ahead = may_be_first(way, first_s, [one.at for one in lay], self.touch_mm)
        return [lay[n] for n in ahead or range(len(lay))]


def _left(mover: Followed) -> Point:
    assert mover.left_at is not None
    return mover.left_at


def _met(
    early: Sequence[Followed], legs: Sequence[tuple[Step, Step]], touch_mm: float
) -> tuple[float, Followed]:
    """Whom the striker meets first on straight legs, and when; inf: nobody."""
    met = [(meeting_s(legs, _left(m), touch_mm), m) for m in early]
    return min(met, key=lambda pair: (pair[0], pair[1].away_s))


def _out_of_sight(coin: Followed) -> bool:
    return coin.piece is not Piece.STRIKER and bool(coin.missed or coin.hidden)


def _nearest_mm(striker: Followed, followed: Sequence[Followed]) -> float:
    """Distance from the striker's centre to the nearest other piece's; inf: none."""
    others = (f.at.distance_mm(striker.at) for f in followed if f is not striker)
    return min(others, default=inf)


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
