"""How a stroke begins: the striker leads, or a coin shows that it was struck.

Theory of operation. A stroke begins when the striker, having lain still, slides
faster than a placing finger moves it, clear of any hand, for two frames in a row;
its beginning is dated back to when it was last seen at its place. A coin pushed by
a finger moves without the striker leading and begins nothing.

A striker that leaves under the very hand that flicks it, or is lost there, is known
by what it does: a coin that runs free of any hand, or falls, just after the striker
left its place was struck by it. Hands carry coins, but a coin never runs from them.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf

import numpy as np

from calibration.table import Piece
from vision.followed import Followed
from vision.sightings import Vanished
from vision.striker_way import Step
from vision.tiles import Mask
from vision.track import Tracker

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
HELD_MM = 34.0
"""A piece this close to a hand may be held by it: its shadow and a tile or two."""


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


@dataclass(slots=True, eq=False)
class Beginnings:
    """Watches the pieces a tracker follows for the beginning of a stroke."""

    tracker: Tracker
    _strike: StrikeWatch = field(default_factory=StrikeWatch, init=False)
    _runs: RunWatch = field(default_factory=RunWatch, init=False)

    def struck(
        self, at_s: float, fallen: Sequence[Vanished], hand: Mask
    ) -> tuple[Followed, Step] | None:
        """The striker, whence and when, if it leads or a coin shows it was struck."""
        striker = self.tracker.striker()
        if striker is None:
            return None
        step = self._struck(striker, at_s, fallen, hand)
        return None if step is None else (striker, step)

    def way_between(self, from_s: float, to_s: float) -> list[Step]:
        """The striker's steps before its stroke was noticed."""
        return [s for s in self._strike.before if from_s < s.at_s < to_s]

    def hand_at_striker(self, hand: Mask) -> bool:
        """Whether a hand is near enough to strike it."""
        striker = self.tracker.striker()
        held = self.tracker.under(hand, HELD_MM)
        return striker is not None and striker.id in held

    def _struck(
        self, striker: Followed, at_s: float, fallen: Sequence[Vanished], hand: Mask
    ) -> Step | None:
        clear = self._clear_of(hand)
        runner = self._runs.runner(clear, at_s)
        led = self._strike.began(striker, at_s, clear=striker in clear)
        if led and striker.left_at is not None:
            return Step(striker.left_s, striker.left_at)
        moved_s = [v.at_s for v in fallen if v.piece is not Piece.STRIKER]
        if runner is not None:
            moved_s.append(runner.left_s)
        if not moved_s:
            return None
        return struck_from(striker, at_s, min(moved_s), self.tracker.followed)

    def _clear_of(self, hand: Mask) -> list[Followed]:
        """Pieces that no hand may touch; missed and hidden ones are none of them."""
        held = self.tracker.under(hand, HELD_MM)
        return [
            f
            for f in self.tracker.followed
            if not (f.missed or f.hidden or f.id in held)
        ]


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
