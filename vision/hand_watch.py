"""When a hand is told to have come or gone, and when it is no hand but a thing."""

from math import inf

from vision.sightings import HandSeen, NotWatching, Observation, WatchingAgain

HAND_FRAMES = 2
"""A hand is told when it is seen in so many frames in a row."""
HAND_GONE_S = 0.15
"""A hand has left when it was not seen for this long."""
OBSTRUCTED_S = 6.0
"""A living hand does not keep still to a grey value for so long; a phone does."""
OUT_OF_SIGHT_S = 0.5
MOST_COVERED = 0.8
"""Two players with both arms over the table cover half of it."""
COVERED = "something covers part of the table or its frame: clear it away"
OUT_OF_SIGHT = "the table is not in the picture: uncover the camera or put it back"


class HandWatch:
    """Follows one table's hands from frame to frame."""

    def __init__(self) -> None:
        self._frames = 0
        self._seen_s = -inf
        self._told = False
        self._motionless_s = inf
        self._out_since_s = inf
        self._obstructed = False

    @property
    def over_table(self) -> bool:
        """Whether a hand is told to be there."""
        return self._told

    @property
    def obstructed(self) -> bool:
        """Whether what looked like a hand has lain there without moving."""
        return self._obstructed

    def hand(self, at_s: float, present: bool) -> HandSeen | None:
        """Say when a hand came or left, each once."""
        self._frames = self._frames + 1 if present else 0
        if present:
            self._seen_s = at_s
        if self._frames >= HAND_FRAMES and not self._told:
            self._told = True
            return HandSeen(at_s, True)
        if self._told and at_s - self._seen_s > HAND_GONE_S:
            self._told = False
            return HandSeen(at_s, False)
        return None

    def obstruction(
        self, at_s: float, present: bool, moving: bool, share: float
    ) -> Observation | None:
        """Say when what looked like a hand is none, and when it has gone.

        Because it stays without moving, or because it covers nearly all: `share` of
        the surface.
        """
        if self._obstructed and not present:
            self._obstructed = False
            return WatchingAgain(at_s)
        if moving or not present:
            self._motionless_s = at_s
        covered = share >= MOST_COVERED
        self._out_since_s = min(self._out_since_s, at_s) if covered else inf
        reason = None
        if at_s - self._out_since_s >= OUT_OF_SIGHT_S:
            reason = OUT_OF_SIGHT
        elif at_s - self._motionless_s >= OBSTRUCTED_S:
            reason = COVERED
        if self._obstructed or reason is None:
            return None
        self._obstructed = True
        return NotWatching(at_s, reason)
