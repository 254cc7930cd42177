"""Counting the pieces of a resting table: two censuses have to agree."""

from dataclasses import dataclass, field, replace
from math import inf

from calibration.table import Piece, Table
from vision.detect import Detector
from vision.detect_picture import census_of_picture
from vision.frames import Frame
from vision.sightings import Census, Sighting, Where

APART_S = 0.03
"""Censuses of the same frame, or of two in one flicker of the lamp, prove nothing."""
SAME_PLACE_MM = 3.0
"""Two censuses have a piece in the same place; a census sees a piece moved."""
PATIENCE = 6
"""Censuses until the most frequent answer is taken with less confidence."""


@dataclass(slots=True, eq=False)
class Count:
    """Collects censuses of one rest until two of them agree."""

    _taken: list[Census] = field(default_factory=list, init=False)

    def due(self, at_s: float) -> bool:
        """Whether enough time has passed for another census."""
        last_s = self._taken[-1].at_s if self._taken else -inf
        return at_s - last_s >= APART_S

    def take(self, census: Census) -> Census | None:
        """Add one; the census to believe, once there is one."""
        agreeing = [c for c in self._taken if not changed(c, census)]
        self._taken.append(census)
        if agreeing:
            return census
        if len(self._taken) < PATIENCE:
            return None
        return self._most_frequent()

    def _most_frequent(self) -> Census:
        """The latest census of the counts seen most often, its doubt in every piece."""
        counts = [tuple(c.count(piece) for piece in Piece) for c in self._taken]
        best = max(range(len(counts)), key=lambda n: (counts.count(counts[n]), n))
        share = counts.count(counts[best]) / len(counts)
        census = self._taken[best]
        doubtful = tuple(
            replace(s, confidence=s.confidence * share) for s in census.pieces
        )
        return replace(census, pieces=doubtful)


def census_of(detector: Detector, table: Table, frame: Frame) -> Census:
    """One census: the table's own print explained by its empty picture, if any.

    Without one the picture has to explain itself, which takes far longer.
    """
    if detector.empty is not None:
        return detector.census([frame.image], frame.at_s)
    mapping, colours = detector.mapping, detector.colours
    seen = census_of_picture(frame.image, table, mapping, colours)
    return Census(frame.at_s, seen.pieces)


def changed(before: Census, now: Census) -> bool:
    """Whether two censuses differ in what lies on the table or where."""
    if any(before.count(piece) != now.count(piece) for piece in Piece):
        return True
    return any(_is_new(sighting, before) for sighting in _on_table(now))


def _is_new(sighting: Sighting, before: Census) -> bool:
    return not any(
        s.piece is sighting.piece and s.at.distance_mm(sighting.at) < SAME_PLACE_MM
        for s in _on_table(before)
    )


def _on_table(census: Census) -> list[Sighting]:
    return [s for s in census.pieces if s.where is Where.TABLE]
