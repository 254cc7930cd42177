"""One piece while it is followed: what is known, measured and guessed of it."""

from dataclasses import dataclass, field
from math import hypot, inf

from calibration.table import Piece, Point
from vision.sightings import Sighting, Track

STILL_MM = 1.2
"""A piece this close to where it stood has not moved: twice the fit's noise."""
SETTLED_S = 0.12
"""A piece that has not left its place for this long lies still."""
CENSUS_MM = 5.0
"""A census and a fit beside a finger may differ so much about one lying piece."""
WAVER_MM, WAVER_S = 8.0, 1.0
"""A fit that wavers, as on pieces that lie on one another, stays within the one; a
piece that has stayed within it for the other lies still: friction stops a slide at once.
"""
TRUST = 0.3
"""Share of a small miss of the prediction that is taken as a change of speed."""


@dataclass(slots=True, eq=False)
class Followed:
    """A piece with memory; `Track` is its frozen picture.

    `at` is where it is, measured or coasting; `last_at` where it was last
    measured, at `seen_s`. `stood` is where it last lay, `stood_s` since when.
    """

    id: int
    piece: Piece
    at: Point
    since_s: float
    confidence: float
    velocity: Point = field(default=Point(0.0, 0.0))
    last_at: Point = field(init=False)
    seen_s: float = field(init=False)
    stood: Point = field(init=False)
    stood_s: float = field(init=False)
    moved_s: float = field(default=-inf, init=False)
    about: Point = field(init=False)
    """Where it last went a way, and since when it has been about there."""
    about_s: float = field(init=False)
    left_at: Point | None = field(default=None, init=False)
    """Where it lay still before its latest motion began; None: it never moved."""
    left_s: float = field(default=-inf, init=False)
    """When it was last seen there."""
    away_s: float = field(default=-inf, init=False)
    """When it was first noticed to have left there."""
    lay_s: float = field(default=0.0, init=False)
    """How long it had lain there."""
    missed: int = field(default=0, init=False)
    missed_s: float = field(default=inf, init=False)
    """When it was first missed; inf while it is seen or hidden."""
    hidden: bool = field(default=False, init=False)
    lay: bool = field(default=False, init=False)
    """Whether it lay still when it was last seen, if it is missed."""
    was_hidden: bool = field(default=False, init=False)
    """Whether a hand covered it when it was last looked for in vain."""
    caught_s: float = field(default=inf, init=False)
    """When the prediction had it drop into a pocket; inf: not."""
    over_hole: int = field(default=0, init=False)
    """Frames in a row in which it was measured over a pocket's hole."""

    def __post_init__(self) -> None:
        self.last_at = self.stood = self.about = self.at
        self.seen_s = self.stood_s = self.about_s = self.since_s

    @property
    def speed_mm_s(self) -> float:
        """How fast it slides."""
        return hypot(*self.velocity)

    def moving(self, at_s: float) -> bool:
        """Whether it left its place within the last moment, and went somewhere."""
        return self._stirred(at_s) and at_s - self.about_s <= WAVER_S

    def lies(self, at_s: float) -> bool:
        """Whether it lies still, or did when it was last seen."""
        if self.missed:
            return self.lay
        return self.hidden or not self.moving(at_s)

    def _stirred(self, at_s: float) -> bool:
        return at_s - self.moved_s < SETTLED_S

    def frozen(self) -> Track:
        """What the rest of the product sees of it."""
        return Track(
            self.id,
            self.piece,
            self.at,
            self.velocity,
            self.since_s,
            self.seen_s,
            self.confidence,
            self.hidden,
        )

    def see(
        self, sighting: Sighting, predicted: Point, velocity: Point, at_s: float
    ) -> None:
        """Take a measured place; the model had it at `predicted` with `velocity`."""
        after = max(at_s - self.seen_s, 1e-3)
        east = sighting.at.x_mm - predicted.x_mm
        north = sighting.at.y_mm - predicted.y_mm
        if hypot(east, north) < 2 * STILL_MM:
            share = TRUST / after
            velocity = Point(
                velocity.x_mm + share * east, velocity.y_mm + share * north
            )
        else:
            velocity = Point(
                (sighting.at.x_mm - self.last_at.x_mm) / after,
                (sighting.at.y_mm - self.last_at.y_mm) / after,
            )
        self.velocity = velocity
        seen_before_s = self.seen_s
        self.rest_at(sighting.at, at_s)
        self.confidence += 0.2 * (sighting.confidence - self.confidence)
        self._notice_motion(at_s, seen_before_s)

    def rest_at(self, at: Point, at_s: float) -> None:
        """It is seen here now; nothing is missing any more."""
        self.at = self.last_at = at
        self.seen_s = at_s
        self.missed, self.missed_s, self.caught_s = 0, inf, inf
        self.hidden = self.was_hidden = False

    def stand(self, at: Point, at_s: float) -> None:
        """It is known to lie still here: a census or a hand put it there."""
        self.rest_at(at, at_s)
        self.velocity = Point(0.0, 0.0)
        if at.distance_mm(self.stood) > CENSUS_MM:
            self.stood_s = at_s
        self.stood = at
        self.moved_s = -inf

    def miss(self, at: Point, velocity: Point, at_s: float) -> None:
        """It was not found; it coasts to where the model has it."""
        if not self.missed:
            self.lay = self.hidden or not self._stirred(at_s)
        self.at, self.velocity = at, velocity
        self.missed += 1
        self.missed_s = min(self.missed_s, at_s)
        self._leave(at_s, self.seen_s)
        self.moved_s = at_s

    def hide(self) -> None:
        """A hand is over it: it stays where it was."""
        self.at, self.velocity = self.last_at, Point(0.0, 0.0)
        self.missed, self.missed_s = 0, inf
        self.hidden = self.was_hidden = True

    def _notice_motion(self, at_s: float, seen_before_s: float) -> None:
        if self.at.distance_mm(self.about) > WAVER_MM or not self._stirred(at_s):
            self.about, self.about_s = self.at, at_s
        if self.at.distance_mm(self.stood) > STILL_MM:
            self._leave(at_s, seen_before_s)
            self.stood, self.stood_s = self.at, at_s
            self.moved_s = at_s
        elif not self.moving(at_s):
            self.velocity = Point(0.0, 0.0)

    def _leave(self, at_s: float, seen_before_s: float) -> None:
        """Note the place it leaves, when it has lain still up to now."""
        if not self._stirred(at_s):
            self.left_at, self.left_s = self.stood, seen_before_s
            self.lay_s = seen_before_s - self.stood_s
            self.away_s = at_s
