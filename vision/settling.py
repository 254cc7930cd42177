"""What lay there when a stroke came to rest, kept until the table can be counted.

Theory of operation. A count needs a table without hands, and a hand may stay: dues
are placed, coins nudged, the next player strikes. What is counted then is more than
the stroke's doing. So the tracks' places are kept from the moment all lay still. If
a hand came before the count and a coin that lay in sight is elsewhere or gone, or
more lie there than were followed, then the stroke ends with what was kept and the
count is a table at rest of its own: the difference is nobody's until it is weighed
or asked about. A coin that was not in sight says nothing either way.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from calibration.table import Piece
from vision.followed import CENSUS_MM, Followed
from vision.sightings import Census, Hidden, Sighting, Where
from vision.track import Tracker


@dataclass(frozen=True, slots=True)
class Settled:
    """The followed pieces when all lay still."""

    at_s: float
    seen: tuple[tuple[int, Sighting], ...]
    """Those in sight, by their tracks' ids; a striker under the hand that takes it."""
    unseen: tuple[tuple[int, Sighting], ...]
    """Those under a hand or missed, where they were last."""
    hidden: tuple[Hidden, ...]

    @property
    def census(self) -> Census:
        """All of them, for want of a count."""
        pieces = tuple(s for _, s in (*self.seen, *self.unseen))
        return Census(self.at_s, pieces, self.hidden)

    def differs(self, counted: Census) -> bool:
        """Whether a count shows more than came to rest then."""
        lay = [s for _, s in self.seen if s.piece is not Piece.STRIKER]
        lies = _coins(counted)
        if any(_there(sighting, lies) is None for sighting in lay):
            return True
        unseen = sum(s.piece is not Piece.STRIKER for _, s in self.unseen)
        return len(lies) > len(lay) + unseen

    def rest(self, counted: Census) -> Census:
        """What lay there, by a later count where that has a coin in its place.

        Where the count finds every coin that was out of sight, nothing was hidden.
        """
        lies = _coins(counted)
        pieces, hidden = [], False
        for _, sighting in self.seen:
            pieces.append(_there(sighting, lies) or sighting)
        for _, sighting in self.unseen:
            found = _there(sighting, lies)
            if found is not None:
                pieces.append(found)
            else:
                hidden = True
        return Census(self.at_s, tuple(pieces), self.hidden if hidden else ())

    def gone(self, gone: Sequence[Followed]) -> list[Followed]:
        """Of tracks that a count ended, those that had gone by then, for all we know."""
        in_sight = {number for number, _ in self.seen}
        return [f for f in gone if f.id not in in_sight]


def settled(tracker: Tracker, at_s: float, hidden: tuple[Hidden, ...]) -> Settled:
    """Keep where every followed piece lies now."""
    seen: list[tuple[int, Sighting]] = []
    unseen: list[tuple[int, Sighting]] = []
    for followed in tracker.followed:
        covered = followed.hidden and followed.piece is not Piece.STRIKER
        apart = unseen if covered or followed.missed else seen
        apart.append((followed.id, as_sighting(tracker, followed)))
    return Settled(at_s, tuple(seen), tuple(unseen), hidden)


def as_sighting(tracker: Tracker, followed: Followed) -> Sighting:
    """A followed piece as a census would have it, a little less sure."""
    x, y, r = tracker.disc_px(followed)
    sure = min(followed.confidence, 0.9)
    return Sighting(followed.piece, followed.at, x, y, r, sure)


def _coins(census: Census) -> list[Sighting]:
    return [
        s
        for s in census.pieces
        if s.where is Where.TABLE and s.piece is not Piece.STRIKER
    ]


def _there(lay: Sighting, lies: Sequence[Sighting]) -> Sighting | None:
    """The coin that a count has in the same place, whatever its colour."""
    if lay.piece is Piece.STRIKER:
        return None
    return next((s for s in lies if s.at.distance_mm(lay.at) < CENSUS_MM), None)
