"""What reaches the session: evidence from sensors and rulings from people.

Evidence from the camera is `vision.sightings.Observation`; this module adds what
comes over the serial link, what the umpire says, and what happened to our own
watching. All of it is journaled before it is acted on; all state is a replay.
"""

from dataclasses import dataclass
from enum import StrEnum

from calibration.table import Piece, Pocket


class Looks(StrEnum):
    """What a pocket sensor took the falling piece for, by its width."""

    ONE_COIN = "one-coin"
    TWO_COINS = "two-coins"
    STRIKER = "striker"
    UNSURE = "unsure"


@dataclass(frozen=True, slots=True)
class PocketReport:
    """Something passed this pocket's sensor.

    `device`, `boot` and `sequence` name the report for ever (a report sent again
    has the same three); `tick_us` is the device's own clock, `at_s` the host's
    monotonic time it maps to, good to `error_s`.
    """

    device: str
    boot: int
    sequence: int
    pocket: Pocket
    tick_us: int
    at_s: float
    error_s: float
    width_us: int
    looks: Looks


class PocketHealth(StrEnum):
    """A pocket's sensor: only clear is fit for counting."""

    CLEAR = "clear"
    BLOCKED = "blocked"
    BLINDED = "blinded"
    DEAD = "dead"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class PocketState:
    """A pocket's sensor changed its health (LOST: the link to it is down)."""

    at_s: float
    pocket: Pocket
    health: PocketHealth
    reason: str


@dataclass(frozen=True, slots=True)
class Fallen:
    """One piece that went down in a stroke, and where if that is known."""

    piece: Piece
    pocket: Pocket | None
    at_s: float | None
    confidence: float
