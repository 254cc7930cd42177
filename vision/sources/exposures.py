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
"""A rate is measured over so long."""


@dataclass(slots=True)
class RateMeter:
    """The camera's own frames a second, once, over the first second.

    The shorter distances between exposures say about how long a period is, all of
    them together how long exactly: a busy host that misses frames makes distances
    of several periods, but none shorter than one.
    """

    _last_s: float | None = field(default=None, init=False)
    _apart_s: list[float] = field(default_factory=list, init=False)
    _told: bool = field(default=False, init=False)

    def measured(self, at_s: float) -> float | None:
        """Take a frame; the rate, once, when it is known."""
        if self._told:
            return None
        if self._last_s is not None:
            self._apart_s.append(at_s - self._last_s)
        self._last_s = at_s
        if sum(self._apart_s) < RATE_OVER_S:
            return None
        self._told = True
        about_s = max(sorted(self._apart_s)[len(self._apart_s) // 4], 1e-6)
        periods = sum(max(1, round(apart_s / about_s)) for apart_s in self._apart_s)
        return periods / sum(self._apart_s)
