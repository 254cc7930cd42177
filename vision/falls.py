"""When a followed piece has fallen into a pocket, and into which."""

import numpy as np

from calibration.table import Pocket, Point, Table
from vision.followed import Followed
from vision.sightings import TrackEnd, Vanished

LOST_FRAMES = 3
LOST_S = 0.04
"""Missed for so many frames and so long at a pocket's mouth: it has fallen."""
MOUTH_MM = 12.0
"""A piece last seen this close to the hole's edge, then missed, has fallen in."""
OVER_HOLE_MM = 2.0
"""A centre this far inside the hole's edge is no longer held by the board."""
SURE, LIKELY = 0.97, 0.8
"""Confidence in a fall that the model saw coming, and in one it did not."""


class Falls:
    """Knows one table's pockets."""

    def __init__(self, table: Table) -> None:
        self._table = table
        north_east = table.pocket_centres[Pocket.NORTH_EAST]
        self._no_hole_mm = min(north_east) - table.pocket_radius_mm
        """Nearer to either axis than this lies no hole; most pieces do."""

    def ended(self, piece: Followed, at_s: float) -> Vanished | None:
        """The piece's fall when it is over a hole, or missed at a pocket's mouth."""
        if not (piece.missed or piece.over_hole):
            return None
        pocket = self.hole_at(piece.last_at)
        if piece.over_hole >= LOST_FRAMES or (pocket and piece.missed):
            return self._ended(piece, min(piece.missed_s, at_s), SURE)
        patient = piece.missed >= LOST_FRAMES and at_s - piece.missed_s >= LOST_S
        if not patient or piece.was_hidden:
            return None
        if piece.caught_s < np.inf:
            return self._ended(piece, piece.caught_s, SURE)
        nearest = self._table.pocket_centres[self._table.nearest_pocket(piece.last_at)]
        reach = self._table.pocket_radius_mm + MOUTH_MM
        if piece.last_at.distance_mm(nearest) < reach:
            return self._ended(piece, piece.missed_s, LIKELY)
        return None

    def hole_at(self, at: Point) -> Pocket | None:
        """The pocket whose hole no longer holds up a piece centred here."""
        if min(abs(at.x_mm), abs(at.y_mm)) < self._no_hole_mm:
            return None
        pocket = self._table.nearest_pocket(at)
        gap = at.distance_mm(self._table.pocket_centres[pocket])
        return pocket if gap < self._table.pocket_radius_mm - OVER_HOLE_MM else None

    def _ended(self, piece: Followed, at_s: float, confidence: float) -> Vanished:
        pocket = self._table.nearest_pocket(piece.at)
        return Vanished(
            at_s, piece.piece, piece.last_at, TrackEnd.POCKET, pocket, confidence
        )
