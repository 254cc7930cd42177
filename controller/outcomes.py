"""What the session tells the world: live falls, verdicts, questions, notices.

Each is told once with a number (`Told.seq`); the session's `rev` is the number of
the last one, so a display that holds a state of revision R needs what comes after.
"""

from dataclasses import dataclass
from enum import StrEnum

from calibration.table import Piece, Pocket
from controller.events import Counts, StrokeFacts
from controller.rules.contest import Contest, Decided
from controller.rules.contest import Entry as LawEntry
from controller.rules.time_limits import Call


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
    OUT_OF_TURN = "out-of-turn"
    """The striker left the base line of a player who was not on turn."""
    PLACEMENT = "placement"
    """The striker was seen to stand where it may not be struck from."""


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


@dataclass(frozen=True, slots=True)
class CameraFollowed:
    """The camera moved a little (`shift_mm`); the eyes have followed it."""

    at_s: float
    shift_mm: float


@dataclass(frozen=True, slots=True)
class CalibratedAnew:
    """Another calibration profile is in use from here on."""

    at_s: float
    calibration: str
    trusted: str
    by: str


@dataclass(frozen=True, slots=True)
class TableCertified:
    """The certificate that stands for this table, in one sentence."""

    at_s: float
    certificate: str
    by: str
    summary: str
    shortfalls: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ignored:
    """Something was seen that no board was running for; nothing is counted."""

    at_s: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What one line of the record led to: the match before and after it.

    `facts` for a stroke, `rulings` for anything else. `note` says what the reader
    must know besides: the turn was taken as played, or why nothing could follow.
    `evidence` are entry numbers.
    """

    entry: int
    facts: StrokeFacts | None
    rulings: tuple[LawEntry, ...]
    decisions: tuple[Decided, ...]
    before: Contest
    after: Contest
    note: str = ""
    probability: float = 1.0
    evidence: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Judged:
    """A line of the record was judged for the first time."""

    at_s: float
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Asked:
    """The umpire is asked; what follows waits for the answer."""

    at_s: float
    question: Question


@dataclass(frozen=True, slots=True)
class RecordChanged:
    """A ruling changed what was told before; the state as a whole supersedes it.

    `supersedes`: the first event that no longer stands, with all after it; None
    when nothing told is affected. `verdicts`: the lines that came out differently
    (a line taken back is not among them). `before` and `after` are the match.
    `text` is what was ruled, `effect` what that changed, each in one sentence;
    `warnings` name what can no longer have happened: allowed, and said.
    """

    at_s: float
    entry: int
    by: str
    text: str
    effect: str
    warnings: tuple[str, ...]
    supersedes: int | None
    verdicts: tuple[Verdict, ...]
    before: Contest
    after: Contest


@dataclass(frozen=True, slots=True)
class RulingRefused:
    """A ruling could not be carried out; the record stands as it was."""

    at_s: float
    entry: int
    by: str
    text: str


@dataclass(frozen=True, slots=True)
class Called:
    """A clock has run out, or gives its warning. Called once; the umpire rules.

    `at_s` is the moment itself. `left_s`: seconds until the limit a warning is for.
    """

    at_s: float
    call: Call
    law: str
    text: str
    left_s: float | None = None


@dataclass(frozen=True, slots=True)
class Failed:
    """A fault of ours: an input is on record but could not be taken in.

    The record stands as it was before; the umpire corrects it by hand.
    """

    at_s: float
    entry: int
    text: str


What = (
    Judged
    | Asked
    | RecordChanged
    | RulingRefused
    | FellLive
    | StrokeLive
    | LedgerMismatch
    | SourceDissent
    | PiecesPlaced
    | Watching
    | CameraFollowed
    | CalibratedAnew
    | TableCertified
    | Ignored
    | Called
    | Failed
)


@dataclass(frozen=True, slots=True)
class Told:
    """One thing told, as events `seq` to `seq + events - 1`: one for each decision."""

    seq: int
    events: int
    what: What


class Phase(StrEnum):
    """What the table is doing; it decides what a screen says largest."""

    RACKING = "racking"
    BREAK = "break"
    PLAYING = "playing"
    STROKE_RUNNING = "stroke-running"
    ASKING_UMPIRE = "asking-umpire"
    BOARD_OVER = "board-over"
    GAME_OVER = "game-over"
    MATCH_OVER = "match-over"
    NOT_WATCHING = "not-watching"
