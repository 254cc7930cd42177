"""Hand-made tables for tracking tests: pieces that move by the clock, no pixels.

`SeenTable` stands where the detector stands: it knows where each piece truly is
and gives it back to whoever guesses near enough. Pictures carry only the time, as
the tracker passes them on without looking.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from calibration.plane import PlaneMapping
from calibration.table import Piece, Point, Table
from vision.detect_votes import Window
from vision.frames import Image
from vision.sightings import Census, Sighting, Vanished
from vision.tiles import Mask, Tiles, discs_px
from vision.track import Glance, Tracker

TABLE = Table()
MAPPING = PlaneMapping.from_corners(
    [(344, 64), (936, 64), (936, 656), (344, 656)], (1280, 720), TABLE
)
TILES = Tiles.around(TABLE, MAPPING)
FRAME_S = 1 / 60
REACH_MM = 5.6

Way = Callable[[float], Point | None]
"""Where a piece is at a time; None: it cannot be seen."""


def sighting(piece: Piece, at: Point) -> Sighting:
    """A piece surely seen; its pixels do not matter here."""
    return Sighting(piece, at, 0.0, 0.0, 12.0, 0.95)


def census(*pieces: tuple[Piece, Point], at_s: float = 0.0) -> Census:
    """A census of pieces."""
    return Census(at_s, tuple(sighting(piece, at) for piece, at in pieces))


@dataclass(slots=True, eq=False)
class SeenTable:
    """Pieces on their ways, and the eyes that see them."""

    ways: list[tuple[Piece, Way]]
    at_s: float = field(default=0.0, init=False)

    def refine(
        self, image: Image, guesses: Sequence[tuple[Piece, Point]]
    ) -> list[Sighting | None]:
        """The piece of the guessed size within reach of each guess."""
        return [self._nearest(piece, at) for piece, at in guesses]

    def look(
        self,
        image: Image,
        windows: Sequence[Window],
        taken: Sequence[tuple[Piece, Point]] = (),
    ) -> list[Sighting]:
        """Every visible piece whose centre lies in a window and is not taken."""
        seen = []
        for piece, at in self.lying():
            x, y = MAPPING.point_to_px(at, TABLE.height_mm(piece))
            inside = any(
                w.left <= x <= w.right and w.top <= y <= w.bottom for w in windows
            )
            known = any(at.distance_mm(place) < REACH_MM for _, place in taken)
            if inside and not known:
                seen.append(sighting(piece, at))
        return seen

    def lying(self) -> list[tuple[Piece, Point]]:
        """What can be seen now."""
        places = [(piece, way(self.at_s)) for piece, way in self.ways]
        return [(piece, at) for piece, at in places if at is not None]

    def tracker(self) -> Tracker:
        """A tracker that has counted this table."""
        tracker = Tracker(TABLE, MAPPING, self, TILES)
        tracker.settle(census(*self.lying()))
        return tracker

    def play(
        self, tracker: Tracker, seconds: float, hand: Mask | None = None
    ) -> list[Vanished]:
        """Let the tracker follow for some seconds; what it said had fallen."""
        hand = np.zeros(TILES.shape, np.bool_) if hand is None else hand
        image = np.zeros((1, 1, 3), np.uint8)
        fallen = []
        for _ in range(round(seconds / FRAME_S)):
            before = self._held()
            self.at_s += FRAME_S
            fired = before | self._held() | hand
            fallen += tracker.follow(Glance(image, self.at_s, fired, hand))
        return fallen

    def _held(self) -> Mask:
        """Tiles that hold a piece now."""
        lying = self.lying()
        at = np.array([place for _, place in lying], np.float64).reshape(-1, 2)
        radii = np.array([TABLE.radius_mm(piece) for piece, _ in lying])
        return TILES.under(discs_px(MAPPING, at, radii, TABLE.coin_height_mm))

    def _nearest(self, piece: Piece, guess: Point) -> Sighting | None:
        strikes = piece is Piece.STRIKER
        near = [
            (at.distance_mm(guess), seen, at)
            for seen, at in self.lying()
            if (seen is Piece.STRIKER) == strikes
        ]
        if not near:
            return None
        gap, seen, at = min(near)
        if gap > REACH_MM:
            return None
        found = sighting(piece, at)
        # The detector doubts a fit of another colour than the guessed one.
        return found if seen is piece else Sighting(piece, at, 0.0, 0.0, 12.0, 0.2)


def still(at: Point) -> Way:
    """A piece that lies there."""
    return lambda _: at


def straight(start: Point, velocity: Point, until: Point | None = None) -> Way:
    """A piece that slides at constant speed, and is gone once it reached `until`."""

    def at(at_s: float) -> Point | None:
        here = Point(
            start.x_mm + velocity.x_mm * at_s, start.y_mm + velocity.y_mm * at_s
        )
        if until is not None and here.distance_mm(start) > until.distance_mm(start):
            return None
        return here

    return at
