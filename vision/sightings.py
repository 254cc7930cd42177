"""What is seen, as values: sightings, tracks, the census, the seen stroke.

None of these knows a law. Places are millimetres on the playing surface, with
the parallax of a piece's height already taken out.
"""

from dataclasses import dataclass
from enum import StrEnum

from calibration.plane import PlaneMapping
from calibration.table import Piece, Pocket, Point, Seat, StrikerPlace


class Where(StrEnum):
    """Whether a piece lies on the playing surface or visibly in a pocket."""

    TABLE = "table"
    POCKET = "pocket"


@dataclass(frozen=True, slots=True)
class Sighting:
    """A piece seems to be here, as one picture (or several) shows it.

    `x_px, y_px, r_px` is the outline of its top in the picture; `confidence`
    (0 to 1) covers both that it is there and that it is this piece.
    """

    piece: Piece
    at: Point
    x_px: float
    y_px: float
    r_px: float
    confidence: float
    where: Where = Where.TABLE


@dataclass(frozen=True, slots=True)
class Hidden:
    """An area that cannot be seen now: a hand, an arm, glare. Outline in mm."""

    outline: tuple[Point, ...]
    cause: str


@dataclass(frozen=True, slots=True)
class Census:
    """The table at rest: every piece seen, and what could not be seen."""

    at_s: float
    pieces: tuple[Sighting, ...]
    hidden: tuple[Hidden, ...] = ()

    def count(self, piece: Piece) -> int:
        """How many of a piece lie on the table (not in pockets)."""
        return sum(s.piece is piece and s.where is Where.TABLE for s in self.pieces)


class TrackEnd(StrEnum):
    """How a track ended."""

    POCKET = "pocket"
    OFF_TABLE = "off-table"
    HAND = "hand"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Track:
    """The same piece over time, as it is now.

    `velocity` is mm/s; `seen_s` when it was last measured (not predicted).
    `hidden`: a hand covers it, so it is taken to lie where it was.
    """

    id: int
    piece: Piece
    at: Point
    velocity: Point
    since_s: float
    seen_s: float
    confidence: float
    hidden: bool = False


@dataclass(frozen=True, slots=True)
class Vanished:
    """A track that ended: what it was, where it was last seen, and how.

    `pocket` is the pocket it went into, or the nearest when `end` is LOST.
    """

    at_s: float
    piece: Piece
    last_at: Point
    end: TrackEnd
    pocket: Pocket | None
    confidence: float


@dataclass(frozen=True, slots=True)
class Contact:
    """A piece that a stroke moved, and when: first of all the one the striker hit.

    `at` is where it lay. `cluster`: what lay there touching one another, or left at
    once while the meeting was not seen, itself included; any of them may then be the
    one that was hit, and `piece` is no more than the likeliest. Empty: it lay alone. `behind`: it lay on or behind the
    player's front base line and was hit without a cushion before; None: not known.
    """

    piece: Piece
    at_s: float
    at: Point | None = None
    cluster: tuple[Piece, ...] = ()
    behind: bool | None = None


@dataclass(frozen=True, slots=True)
class StrikerWay:
    """The striker's way through a stroke.

    `places`: where it started, turned and came to rest or was last seen.
    `direction` is a unit vector on the table's axes; `back` whether that is towards
    the player's own frame (None: too near to parallel, or not seen). `cushions_s`
    are bounces off the frame; `again_s` when it gained speed though no piece was
    near: struck a second time. `whole`: it was seen all the way; a bounce under the
    flicking hand or in any other gap is not told.
    """

    places: tuple[Point, ...]
    direction: Point | None
    back: bool | None
    cushions_s: tuple[float, ...]
    again_s: tuple[float, ...]
    whole: bool


@dataclass(frozen=True, slots=True)
class StrokeSeen:
    """One stroke from the camera alone: from the strike until everything rests."""

    from_s: float
    to_s: float
    seat: Seat | None
    """Whose base line the striker left; None when it did not start from one."""
    start: Point | None
    """The striker's centre before the strike; None when it was not seen."""
    placement: StrikerPlace | None
    first_contact: Contact | None
    vanished: tuple[Vanished, ...]
    before: Census | None
    """The last census at rest before the strike."""
    rest: Census
    way: StrikerWay | None = None
    touched: tuple[Contact, ...] = ()
    """Every piece that left its place, in order; the first contact among them."""


@dataclass(frozen=True, slots=True)
class TableAtRest:
    """A new census at rest that no stroke led to: hands moved pieces, or first look."""

    census: Census


@dataclass(frozen=True, slots=True)
class HandSeen:
    """A hand or arm came over the playing surface, or left it."""

    at_s: float
    present: bool


@dataclass(frozen=True, slots=True)
class StrokeStarted:
    """The striker left its place; the rest follows in StrokeSeen."""

    at_s: float
    start: Point | None


@dataclass(frozen=True, slots=True)
class Belief:
    """What the eyes hold to be so just now; for pictures of it, never for laws."""

    tracks: tuple[Track, ...]
    hidden: tuple[Hidden, ...]
    mapping: PlaneMapping


@dataclass(frozen=True, slots=True)
class NotWatching:
    """The eyes cannot see the table: why, since when. Cleared by WatchingAgain."""

    at_s: float
    reason: str


@dataclass(frozen=True, slots=True)
class WatchingAgain:
    """The eyes see the table again."""

    at_s: float


@dataclass(frozen=True, slots=True)
class CameraMoved:
    """The camera moved a little against the table; the eyes have followed it.

    `shift_mm`: how far places would be off at the worst corner had they not.
    """

    at_s: float
    shift_mm: float


Bgr = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class ColoursLearned:
    """What the coins look like on this table: BGR, 0 to 255, in its usual light.

    Learned of pieces whose names were certain. Eyes that start later are handed it.
    """

    at_s: float
    white: Bgr
    black: Bgr
    queen: Bgr


Observation = (
    StrokeStarted
    | Vanished
    | StrokeSeen
    | TableAtRest
    | HandSeen
    | NotWatching
    | WatchingAgain
    | CameraMoved
    | ColoursLearned
)
"""What the eyes tell the controller, in order of time.

A `Vanished` is told at once, while the stroke still runs (for the live display),
and stands again inside the `StrokeSeen` that closes the stroke.
"""
