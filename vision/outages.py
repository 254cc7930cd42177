"""When the eyes cannot see the table: dark, covered, frozen, moved, or no frames.

A frozen camera repeats its last picture to the last grey value; a living one
never does, its noise sees to that. The check arms itself only on a source that has
shown noise while nothing moved (failures V2, C2).
"""

from dataclasses import dataclass, field
from math import inf

import numpy as np

from vision.compiled import compiled
from vision.sightings import NotWatching, WatchingAgain
from vision.tiles import Plane

DARK_GREY = 12.0
"""A table lit at all is brighter than this in the middle of its range."""
FLAT_GREY = 3.0
"""Spread of a picture that shows nothing but a lens cap or a hand on the lens."""
ROWS_APART, COLUMNS_APART = 11, 23
"""A few hundred pixels all over the table say how light it is; primes meet no pattern."""
LIVELY_FRAMES = 60
"""So many frames differed, and none repeated the one before: it shows noise."""


@dataclass(slots=True)
class Outages:
    """Judges each frame on its own: can the table be seen in it?

    `gap_s`: frames further apart than this are an outage of their own; infinity
    when whoever feeds the frames leaves some out on purpose. `frozen_s`: how long
    one picture may be repeated; infinity for recordings that were compressed.
    """

    gap_s: float = 1.0
    frozen_s: float = 0.5
    reason: str | None = field(default=None, init=False)
    """Why the table cannot be seen now; None while it can."""
    _last_s: float = field(default=inf, init=False)
    _lively: int = field(default=0, init=False)
    _same_since_s: float = field(default=inf, init=False)

    def judge(
        self, at_s: float, plane: Plane, *, same_frames: int, still: bool
    ) -> list[NotWatching | WatchingAgain]:
        """Take one frame; what changed about being able to watch.

        `same_frames`: how many frames in a row were identical up to this one;
        `still`: nothing moves in it.
        """
        self._lively += int(still and not same_frames)
        told: list[NotWatching | WatchingAgain] = []
        missed_s, self._last_s = at_s - self._last_s, at_s
        if missed_s > self.gap_s and self.reason is None:
            reason = f"no picture for {missed_s:.1f} s: check the camera and its cable"
            told += [NotWatching(at_s - missed_s, reason), WatchingAgain(at_s)]
        reason_now = self._fault(at_s, plane, same_frames)
        if reason_now is not None and self.reason is None:
            told.append(NotWatching(at_s, reason_now))
        elif reason_now is None and self.reason is not None:
            told.append(WatchingAgain(at_s))
        self.reason = reason_now
        return told

    def _fault(self, at_s: float, plane: Plane, same_frames: int) -> str | None:
        if self._frozen(at_s, same_frames):
            return "the camera repeats one picture: unplug it and plug it in again"
        return shows_nothing(plane)

    def _frozen(self, at_s: float, same_frames: int) -> bool:
        if not same_frames:
            self._same_since_s = inf
            return False
        if self._lively < LIVELY_FRAMES:
            self._lively = 0
        self._same_since_s = min(self._same_since_s, at_s)
        return (
            self._lively >= LIVELY_FRAMES and at_s - self._same_since_s > self.frozen_s
        )


def shows_nothing(plane: Plane) -> str | None:
    """Why nothing can be seen in a picture's green, with the remedy; None if it can."""
    low, middle, high = _levels(np.ascontiguousarray(plane))
    if high < DARK_GREY or middle < DARK_GREY / 2:
        return "the picture is dark: switch the lamp on or uncover the camera"
    if high - low < FLAT_GREY:
        return "the picture shows nothing: uncover the camera or clean its lens"
    return None


@compiled
def _levels(plane: Plane) -> tuple[int, int, int]:
    """The grey levels that 5, 50 and 95 of 100 sampled pixels do not exceed."""
    counts = np.zeros(256, np.int64)
    total = 0
    for y in range(0, plane.shape[0], ROWS_APART):
        for x in range(0, plane.shape[1], COLUMNS_APART):
            counts[plane[y, x]] += 1
            total += 1
    levels = np.zeros(3, np.int64)
    below = 0
    for grey in range(256):
        for k in range(3):
            if below <= (5 + 45 * k) * total // 100:
                levels[k] = grey
        below += counts[grey]
    return levels[0], levels[1], levels[2]
