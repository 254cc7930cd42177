"""Pictures that come, but too far apart to tell a stroke: said, for it may go unseen."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field

LATE_S = 0.1
"""A gentle stroke slides faster than a placing finger for three times as long, and
takes three pictures to be told."""
TOLD_S = 10.0
"""Eyes that were late are called so for as long after."""


@dataclass(slots=True)
class Lateness:
    """Remembers for a while how far apart the pictures were that were looked at."""

    _gaps: deque[tuple[float, float]] = field(default_factory=deque, init=False)

    def note(self, at_s: float, gap_s: float) -> None:
        """The longest time between two pictures in the moment before `at_s`."""
        while self._gaps and at_s - self._gaps[0][0] > TOLD_S:
            self._gaps.popleft()
        if gap_s > LATE_S:
            self._gaps.append((at_s, gap_s))

    def faults(self, now_s: float) -> Iterator[str]:
        """A sentence with the remedy, if they were late lately."""
        lately = [gap_s for at_s, gap_s in self._gaps if now_s - at_s <= TOLD_S]
        if lately:
            yield (
                f"the eyes are late, up to {max(lately):.1f} s between two pictures: "
                "a stroke may go unseen; stop what else runs here, or lower "
                "camera.rate_hz"
            )
