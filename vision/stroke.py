"""One stroke while it runs: when it began, whom the striker met, what fell.

Theory of operation. A stroke begins when the striker, having lain still, slides
faster than a placing finger moves it, clear of any hand, for two frames in a row;
its beginning is dated back to when it was last seen at its place. A coin pushed by
a finger moves without the striker leading and begins nothing.

A striker that leaves under the very hand that flicks it, or is lost there, is known
by what it does: a coin that runs free of any hand, or falls, just after the striker
left its place was struck by it. Hands carry coins, but a coin never runs from them.

The first contact is the first other piece to leave its place. Where several leave
at once, the striker's way decides: the first disc its centre line meets. Where that
was not seen, all of them are named.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import hypot, inf

import numpy as np

from calibration.table import Piece, Point, Seat, StrikerPlace, Table
from vision.followed import Followed
from vision.sightings import Contact, Vanished
from vision.striker_way import Step

CENSUS_DOUBT_MM, FINGER_DOUBT_MM = 1.5, 12.0
"""How far a striker's place may be off that a census, or only a fit, has seen."""
STROKE_MM_S = 300.0
"""Faster than a finger slides the striker along its line, slower than any flick."""
LEAD_MM = 10.0
"""The striker has left its place when it is this far from it."""
KEPT_STEPS = 30
"""A stroke is noticed within a few frames, under the hand that flicks within more."""
LEADING_FRAMES = 2
"""Steps in a row that must be fast: a piece that appears elsewhere makes only one."""
LAY_S = 0.15
"""A striker that is to be struck has lain still this long; a carried one has not."""
GAIN, GAIN_MM_S = 1.08, 25.0
"""A step this much faster than the one before has gained speed."""
DRIVEN_FRAMES = 3
"""A flick may fall between two frames and gain once; a hand gains again and again."""
ONWARDS = 0.7
"""Cosine between steps of a coin that slides: 45 degrees, less than any bounce."""
STRUCK_S = 1.5
"""A coin that runs so long after the striker left was struck by it."""
AWAY_MM = 3.0
"""A piece has been moved when it is this far from where it lay: shadows move fits."""
TOGETHER_S = 0.06
"""Pieces that leave their places within this time of the first are candidates."""
BASE_LINE_SLACK_MM = 25.0
"""A striker this far off the middle of its base lines was meant to stand on them."""


@dataclass(slots=True, eq=False)
class StrikeWatch:
    """Notices that the striker leads: the beginning of a stroke."""

    before: deque[Step] = field(
        default_factory=lambda: deque(maxlen=KEPT_STEPS), init=False
    )
    """The striker's last steps, whatever they were: a stroke is noticed late."""
    _steps: list[Step] = field(default_factory=list, init=False)
    _clear: int = field(default=0, init=False)
    _gains: int = field(default=0, init=False)
    _driven_s: float = field(default=inf, init=False)
    """When the striker left its place for a motion that a hand drives."""

    def began(self, striker: Followed, at_s: float, *, clear: bool) -> bool:
        """Whether a stroke has begun; `clear`: no hand touches the striker."""
        if striker.missed or striker.hidden:
            self._steps.clear()
            self._clear = self._gains = 0
            return False
        self._steps = [*self._steps[-LEADING_FRAMES:], Step(at_s, striker.at)]
        self.before.append(self._steps[-1])
        self._clear = self._clear + 1 if clear else 0
        self._notice_drive(striker)
        if self._clear <= LEADING_FRAMES or self._gains:
            return False
        if striker.left_s == self._driven_s:
            return False
        return self._has_left(striker) and self._runs()

    def _notice_drive(self, striker: Followed) -> None:
        """A struck piece is fastest at once; one that gains speed is in a hand."""
        if len(self._steps) <= LEADING_FRAMES:
            return
        before, now = (
            a.at.distance_mm(b.at) / max(b.at_s - a.at_s, 1e-3)
            for a, b in pairwise(self._steps)
        )
        gained = now > GAIN * before + GAIN_MM_S
        self._gains = self._gains + 1 if gained else 0
        if self._gains >= DRIVEN_FRAMES:
            self._driven_s = striker.left_s

    def _has_left(self, striker: Followed) -> bool:
        """Whether it lay still somewhere and is well away from there."""
        if striker.left_at is None or striker.lay_s < LAY_S:
            return False
        return striker.at.distance_mm(striker.left_at) > LEAD_MM

    def _runs(self) -> bool:
        """Whether every one of the last steps was as fast as a flick makes it."""
        if len(self._steps) <= LEADING_FRAMES:
            return False
        return _fast(self._steps)


@dataclass(slots=True, eq=False)
class RunWatch:
    """Notices a coin that runs free: what only a striker makes it do."""

    _steps: dict[int, list[Step]] = field(default_factory=dict, init=False)

    def runner(self, clear: list[Followed], at_s: float) -> Followed | None:
        """The first coin that runs, of all pieces `clear` of hands and seen now."""
        kept = {}
        for coin in clear:
            if coin.piece is not Piece.STRIKER and coin.moving(at_s):
                before = self._steps.get(coin.id, [])[-LEADING_FRAMES:]
                kept[coin.id] = [*before, Step(at_s, coin.at)]
        self._steps = kept
        return next((c for c in clear if c.id in kept and self._runs(c)), None)

    def _runs(self, coin: Followed) -> bool:
        """Whether it slides straight and fast, well away from where it lay."""
        steps = self._steps[coin.id]
        if len(steps) <= LEADING_FRAMES or coin.left_at is None:
            return False
        away = coin.at.distance_mm(coin.left_at) > LEAD_MM
        return away and _fast(steps) and _onwards(steps)


def struck_from(
    striker: Followed, at_s: float, coin_s: float, followed: Sequence[Followed] = ()
) -> Step | None:
    """Where and when a striker was struck that has just moved a coin; None: it lay.

    `coin_s` is when the coin was last seen at its place: the best that is known of
    a striker that a hand has hidden since, unless another of those `followed` left
    earlier.
    """
    if striker.hidden:
        left_s = [f.left_s for f in followed if f.left_s > striker.seen_s]
        coin_s = min([coin_s, *left_s])
        lay_s = striker.seen_s - striker.stood_s
        return Step(coin_s, striker.stood) if lay_s >= LAY_S else None
    if striker.left_at is None or striker.lay_s < LAY_S:
        return None
    if at_s - striker.left_s > STRUCK_S:
        return None
    return Step(striker.left_s, striker.left_at)


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
    settled: bool = False
    """Whether everything came to rest at some time since it began."""
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


def _fast(steps: list[Step]) -> bool:
    return all(
        a.at.distance_mm(b.at) > STROKE_MM_S * (b.at_s - a.at_s)
        for a, b in pairwise(steps)
    )


def _onwards(steps: list[Step]) -> bool:
    """Whether steps go on much the same way: a fit that wavers goes back and forth."""
    moves = [np.array(b.at) - np.array(a.at) for a, b in pairwise(steps)]
    return all(
        float(a @ b) > ONWARDS * float(np.hypot(*a) * np.hypot(*b))
        for a, b in pairwise(moves)
    )


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
