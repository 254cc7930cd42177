"""What reaches the session: evidence from sensors and rulings from people.

Evidence from the camera is `vision.sightings.Observation`; this module adds what
comes over the serial link, what the clock says, what the umpire says, and how the
match was set up. All of it is journaled before it is acted on (`Input`); all state
is a replay of it. Every record here is frozen, equal by value, and reads back
exactly from its canonical JSON (`controller.records`).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Self

from calibration.table import Piece, Pocket, Seat, StrikerPlace, Table
from controller.rules.choices import Round
from controller.rules.contest import Entry as LawEntry
from controller.rules.laws import Laws
from controller.trust import Trust
from vision.sightings import Contact, Observation


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
    depth: int | None = None
    """How far the beam fell below its resting level, ADC counts of 1023."""
    reflectance: int | None = None
    """Light the piece threw back, ADC counts; None where nothing measures it."""
    ambient: int | None = None
    """Foreign light while it passed, ADC counts."""


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


@dataclass(frozen=True, slots=True)
class Counts:
    """How many of each piece: on the table, fallen, or gone another way."""

    white: int = 0
    black: int = 0
    queen: int = 0
    striker: int = 0

    @classmethod
    def of(cls, pieces: Iterable[Piece]) -> Self:
        """How many of each there are among these."""
        found = [piece.value for piece in pieces]
        return cls(*(found.count(piece.value) for piece in Piece))

    @property
    def each(self) -> tuple[int, int, int, int]:
        """The four counts in the order of `Piece`."""
        return self.white, self.black, self.queen, self.striker

    def __getitem__(self, piece: Piece) -> int:
        return self.each[list(Piece).index(piece)]

    def __add__(self, other: "Counts") -> "Counts":
        return Counts(*(a + b for a, b in zip(self.each, other.each, strict=True)))

    def __sub__(self, other: "Counts") -> "Counts":
        """What is left without the others (may go below zero)."""
        return Counts(*(a - b for a, b in zip(self.each, other.each, strict=True)))

    @property
    def total(self) -> int:
        """How many there are in all."""
        return sum(self.each)


@dataclass(frozen=True, slots=True)
class Elapsed:
    """The clock has passed `at_s`, the time the session asked to be woken at."""

    at_s: float


@dataclass(frozen=True, slots=True)
class Restarted:
    """The controller came up again and resumed this journal.

    What went on meanwhile was not watched. `same_clock` is False when the host
    itself was restarted, so that times before and after cannot be compared.
    """

    at_s: float
    same_clock: bool
    calibration: str = ""
    """Checksum of the calibration profile in use from here on."""


@dataclass(frozen=True, slots=True)
class Recalibrated:
    """The table was calibrated anew while this record was kept.

    `calibration` is the checksum of the profile in use from here on, `trusted` what
    it may be trusted with, in words, `by` who calibrated.
    """

    at_s: float
    calibration: str
    trusted: str
    by: str


@dataclass(frozen=True, slots=True)
class Certified:
    """The table's certificate (`carrom certify`) that stood when play began.

    Named by its file's checksum; `calibration` is the profile's it rests on.
    """

    at_s: float
    calibration: str
    certificate: str
    made_utc: str
    by: str
    summary: str
    shortfalls: tuple[str, ...]


class Fault(StrEnum):
    """What a stroke did that the rule set itself may forbid or price."""

    LATE = "late"
    THUMB = "thumb"
    BACK_SHOT = "back-shot"
    HAND_OVER_ARROW = "hand-over-arrow"
    RIVAL_FIRST = "rival-first"
    BEFORE_PLAY = "before-play"
    ARROW_COIN = "arrow-coin"
    """A coin on the own arrow or base line was hit directly."""
    PASSES_ON = "passes-on"
    """Not a fault but its price: after own coins and striker, one coin and the turn."""
    FOUL = "foul"
    """A foul was called during the stroke, which itself was proper (64)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StrokeFacts:
    """What happened in one finished stroke, free of any law.

    `fell` are pieces in pockets (striker included), `jumped` coins and queen that
    left the table another way. `seat` is whose base line the striker left, None
    when that was not seen. `touched` is whether the striker met any piece, None
    when not seen. `before` is what lay on the table when that was not what the
    record said. `between_strokes`: the pieces fell while nobody struck (71). Only an
    umpire ever says `improper`, `faults` (what they cost the rule set says), and
    `out_of_turn` (51): the player in `seat` struck although the other was on turn.
    """

    from_s: float
    to_s: float
    fell: tuple[Fallen, ...] = ()
    jumped: tuple[Piece, ...] = ()
    striker_off: bool = False
    touched: bool | None = None
    seat: Seat | None = None
    placement: StrikerPlace | None = None
    first_contact: Contact | None = None
    before: Counts | None = None
    between_strokes: bool = False
    improper: bool = False
    out_of_turn: bool = False
    faults: tuple[Fault, ...] = ()

    @property
    def fallen(self) -> Counts:
        """How many of each piece went down."""
        return Counts.of(fall.piece for fall in self.fell)


@dataclass(frozen=True, slots=True)
class Picked:
    """The umpire takes one of a question's readings (index, best first)."""

    at_s: float
    by: str
    question: int
    reading: int


@dataclass(frozen=True, slots=True)
class Stated:
    """The umpire answers a question in own words: these are the facts."""

    at_s: float
    by: str
    question: int
    facts: StrokeFacts


@dataclass(frozen=True, slots=True)
class Corrected:
    """The umpire corrects what an earlier stroke (by its entry number) was."""

    at_s: float
    by: str
    entry: int
    facts: StrokeFacts
    reason: str


@dataclass(frozen=True, slots=True)
class Inserted:
    """The umpire adds a stroke nobody saw; None: after everything so far."""

    at_s: float
    by: str
    after: int | None
    facts: StrokeFacts
    reason: str


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The umpire takes an entry back, as if it never was; None: the last one.

    Taking back a `TakenBack` or `Corrected` entry restores what it changed.
    """

    at_s: float
    by: str
    entry: int | None
    reason: str


@dataclass(frozen=True, slots=True)
class FoulCalled:
    """The umpire calls a breach outside a stroke; `technical` keeps the turn.

    `seat` None: by the side on turn.
    """

    at_s: float
    by: str
    technical: bool
    seat: Seat | None
    reason: str


@dataclass(frozen=True, slots=True)
class ScoreSet:
    """The umpire sets the running game's points by hand.

    `points` in the order of everything published: who broke the first board first.
    """

    at_s: float
    by: str
    points: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class BoardCalled:
    """The umpire starts the next board now, whatever the cameras think."""

    at_s: float
    by: str


class ClockAction(StrEnum):
    """What the umpire does with the clocks."""

    START = "start"
    """The game's clock starts, or starts anew from a given time."""
    PAUSE = "pause"
    """All clocks stand: an appeal or a time stop (121)."""
    RESUME = "resume"
    PLAY = "play"
    """ "Play" is called: the time for the break begins (46)."""
    CUT = "cut"
    """The host itself was restarted: the clock stands at what it showed last."""


@dataclass(frozen=True, slots=True)
class ClockSet:
    """The umpire works the clocks; `elapsed_s`: what a started clock shows at once."""

    at_s: float
    by: str
    action: ClockAction
    elapsed_s: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Configured:
    """The first entry of every journal: what is played, by whom, on what.

    `laws` is the rule set as it was effective, overrides included. `players` are in
    the order of the score card (doubles: A, B, A's partner, B's partner), `seats`
    where each sits; `first_breaker` (from 0) is the player or pair that breaks the
    first board. `settings` is the whole effective configuration as JSON,
    `calibration` the checksum of the table's calibration profile.
    """

    at_s: float
    table: str
    laws: Laws
    round: Round
    players: tuple[str, ...]
    seats: tuple[Seat, ...]
    first_breaker: int
    geometry: Table
    trust: Trust
    software: str
    settings: str
    calibration: str = ""


@dataclass(frozen=True, slots=True)
class Ruled:
    """The umpire rules anything else the laws know: `ruling` goes to the match.

    A player left the seat, conceded, dues waived, points demanded, a tie decided,
    the board set by hand, ... (`controller.rules.contest.Entry`).
    """

    at_s: float
    by: str
    ruling: LawEntry
    reason: str


Evidence = (
    Observation
    | PocketReport
    | PocketState
    | Elapsed
    | Restarted
    | Recalibrated
    | Certified
)
Ruling = (
    Picked
    | Stated
    | Corrected
    | Inserted
    | TakenBack
    | FoulCalled
    | ScoreSet
    | BoardCalled
    | ClockSet
    | Ruled
)
Input = Configured | Evidence | Ruling
