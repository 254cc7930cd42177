"""What the session tells the world: live falls, verdicts, questions, notices.

Each is told once with a number (`Told.seq`); the session's `rev` is the number of
the last one, so a display that holds a state of revision R needs what comes after.
"""

from dataclasses import dataclass
from enum import StrEnum

from calibration.table import Piece, Pocket
from controller.events import Counts, StrokeFacts


@dataclass(frozen=True, slots=True)
class FellLive:
    """A piece is going down now: for the display, not yet for the laws.

    `fall` numbers it within the stroke; a later `FellLive` of the same number says
    more (the pocket node knew a fall, then the camera named the piece).
    """

    at_s: float
    fall: int
    pocket: Pocket
    piece: Piece | None


@dataclass(frozen=True, slots=True)
class StrokeLive:
    """A stroke is running."""

    at_s: float


@dataclass(frozen=True, slots=True)
class Reading:
    """One way the evidence can be read, and how likely it is (0 to 1)."""

    facts: StrokeFacts
    probability: float


class Doubt(StrEnum):
    """Why an umpire is asked."""

    UNSURE = "unsure"
    """The evidence allows more than one reading of a stroke."""
    SOURCES_DISAGREE = "sources-disagree"
    """The likeliest reading is contradicted by too many of the sources."""
    BOOK = "book"
    """What lay on the table before the stroke was not what the record says."""
    UNWATCHED = "unwatched"
    """Pieces went while nobody was watching."""
    NO_STROKE = "no-stroke"
    """Pieces went though no stroke was seen."""
    HIDDEN = "hidden"
    """Part of the table stayed hidden until the next stroke."""


@dataclass(frozen=True, slots=True)
class Question:
    """Waits for the umpire: which of these happened? Best reading first.

    `number` is the entry it is about and names it in `Picked` and `Stated`.
    """

    number: int
    at_s: float
    doubt: Doubt
    text: str
    readings: tuple[Reading, ...]


@dataclass(frozen=True, slots=True)
class LedgerMismatch:
    """What lies on the table is not what the record says. Told and logged."""

    at_s: float
    book: Counts
    seen: Counts
    text: str


@dataclass(frozen=True, slots=True)
class SourceDissent:
    """A stroke was settled although one source of evidence said otherwise."""

    at_s: float
    source: str
    text: str


@dataclass(frozen=True, slots=True)
class PiecesPlaced:
    """Hands put back what the laws demanded: the table is as the record says."""

    at_s: float
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Watching:
    """Our own eyes or a pocket node went blind (`ok` False) or see again."""

    at_s: float
    ok: bool
    source: str
    reason: str
