"""Numbers exposures by their times, so that a lost frame leaves a gap.

Cameras drop frames silently and their own counters do not tell (docs/failures.md,
C4); the distance between two exposures does.
"""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Exposures:
    """Gives each exposure the number it has at a steady rate."""

    period_s: float
    _last_s: float | None = field(default=None, init=False)
    _number: int = field(default=-1, init=False)

    def number(self, at_s: float) -> int:
        """The number of an exposure later than the last; always a higher one."""
        passed_s = 0.0 if self._last_s is None else at_s - self._last_s
        self._number += max(1, round(passed_s / self.period_s))
        self._last_s = at_s
        return self._number


RATE_OVER_S = 1.0
"""A rate is measured over so long: 60 frames say it to 2 %."""


@dataclass(slots=True)
class RateMeter:
    """Frames a second, measured once over the first second after the first frame."""

    _first_s: float | None = field(default=None, init=False)
    _count: int = field(default=0, init=False)
    _told: bool = field(default=False, init=False)

    def measured(self, at_s: float) -> float | None:
        """Take a frame; the rate, once, when it is known."""
        if self._told:
            return None
        if self._first_s is None:
            self._first_s = at_s
            return None
        self._count += 1
        span_s = at_s - self._first_s
        if span_s < RATE_OVER_S:
            return None
        self._told = True
        return self._count / span_s
