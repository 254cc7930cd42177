"""What the feed says: the envelope of every message and the payload of every topic.

A message on the wire is one flat JSON object: the envelope's fields and the
payload's side by side (`controller.feed.publications.message` joins them), so that
`jq .turn` or a Home Assistant template needs no digging. Readers ignore fields they
do not know: fields may be added inside v1. FEED.md explains; the JSON Schemas in
`schemas/` are generated from here by `python -m controller.feed.schemas`.

Places are millimetres from the table's centre, x east, y north. Times in `_utc` are
for people, in `_s` the host's monotonic clock.
"""

from datetime import datetime
from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from calibration.table import Piece, Pocket, Seat
from controller.events import Looks, PocketHealth
from controller.rules.board import Side

FROZEN = ConfigDict(frozen=True, populate_by_name=True)


class Clock(StrEnum):
    """How far the wall time of a message can be trusted."""

    UNSET = "unset"
    HOLDOVER = "holdover"
    SYNCED = "synced"


class Envelope(BaseModel):
    """The fields every message carries.

    `boot` names one run of the controller and `match` one match: a reader that
    sees either change forgets what it holds. `seq` numbers the events of a match;
    `rev` on a snapshot is the `seq` of the last event it contains. `cause` names
    what led to the message: a journal entry, a sensor report, a ruling.
    """

    model_config = FROZEN

    schema_: str = Field(alias="schema")
    table: str
    boot: str
    match: str | None = None
    seq: int | None = None
    rev: int | None = None
    t_utc: datetime
    t_mono_s: float
    clock: Clock
    cause: str | None = None


class StatusWord(StrEnum):
    """Where the controller is in its life; `lost` is said by the broker (the will)."""

    STARTING = "starting"
    READY = "ready"
    DEGRADED = "degraded"
    STOPPING = "stopping"
    LOST = "lost"


class Status(BaseModel):
    """Topic `status`: whether the table's controller lives. Reason is a sentence."""

    model_config = FROZEN

    status: StatusWord
    reason: str = ""


class Line(BaseModel):
    """A printed line, end to end, with the width of its ink."""

    model_config = FROZEN

    from_mm: tuple[float, float]
    to_mm: tuple[float, float]
    width_mm: float


class Ring(BaseModel):
    """A printed or cut circle; `red_mm` is the radius of the red disc inside it."""

    model_config = FROZEN

    centre_mm: tuple[float, float]
    radius_mm: float
    red_mm: float = 0.0


class Drawing(BaseModel):
    """The table as a picture needs it, so that no reader has to know its sizes."""

    model_config = FROZEN

    side_mm: float
    frame_width_mm: float
    coin_radius_mm: float
    striker_radius_mm: float
    pockets: tuple[Ring, ...]
    rings: tuple[Ring, ...]
    """Centre circle, outer circle and the eight base circles."""
    lines: tuple[Line, ...]
    """Base lines and arrows."""


class Info(BaseModel):
    """Topic `info`: what runs here, by which rules, on which table."""

    model_config = FROZEN

    software: str
    version: str
    rule_set: str
    capabilities: tuple[str, ...] = ()
    firmware: dict[str, str] = {}
    """Build of each pocket node, by device name."""
    drawing: Drawing | None = None


class PocketShown(BaseModel):
    """One pocket's sensor: its health and seconds since it was last heard."""

    model_config = FROZEN

    pocket: Pocket
    health: PocketHealth
    age_s: float | None = None


class PocketLinkShown(BaseModel):
    """The serial link to the pocket node: counts since the controller's start.

    `node_*` are the node's own counts since its start.
    """

    model_config = FROZEN

    up: bool
    device: str | None
    """The node's id."""
    round_trip_s: float | None
    unacknowledged: int
    """Reports that are not yet safe in the journal."""
    frames: int
    damaged: int
    duplicates: int
    lost: int
    """Reports the node had to drop, or that went with a restart."""
    restarts: int
    closed: int
    """How often the port was lost."""
    node_dropped: int
    node_resent: int
    node_damaged: int
    node_overruns: int
    node_implausible: int


class PictureShown(BaseModel):
    """How good the camera's pictures are, once a second; null: they did not tell."""

    model_config = FROZEN

    light: int
    """The surface's median grey, 0 to 255."""
    clipped: float
    """Share of the surface that is white to the limit."""
    blur_px: float | None
    """Width (sigma) of the sharpest edges."""
    flicker: float | None
    """Amplitude of the light's beat over the light."""
    drift_mm: float | None
    """How far the camera's view has moved since it was calibrated."""
    marks: int
    """How many of twelve marks on the table say so."""


class Health(BaseModel):
    """Topic `health`, every second or two: the heartbeat and its numbers.

    A field is null when this machine cannot measure it.
    """

    model_config = FROZEN

    watching: bool
    problems: tuple[str, ...] = ()
    """One sentence for each thing that is wrong now."""
    fps_in: float | None = None
    fps_processed: float | None = None
    fps_skipped: float | None = None
    frame_age_s: float | None = None
    frames_lost: int | None = None
    """Exposed and never delivered, since the eyes process started."""
    frame_doubt_s: float | None = None
    """How much earlier than its time a frame may have been exposed."""
    picture: PictureShown | None = None
    pockets: tuple[PocketShown, ...] = ()
    pocket_link: PocketLinkShown | None = None
    """Null without a pocket node in the configuration."""
    temperature_c: float | None = None
    throttled: bool | None = None
    disk_free_mb: float | None = None
    events_waiting: int | None = None
    """Events in the journal that no broker has acknowledged yet."""


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


class Queen(StrEnum):
    """Where the queen is; `covered` by a player who plays for himself."""

    ON_BOARD = "on-board"
    AWAITING_COVER = "awaiting-cover"
    COVERED_BY_WHITE = "covered-by-white"
    COVERED_BY_BLACK = "covered-by-black"
    COVERED = "covered"


class Dues(BaseModel):
    """Coins a player owes, and how many of them could be placed now."""

    model_config = FROZEN

    owed: int = 0
    payable: int = 0


class Purse(BaseModel):
    """What a player who collects for himself has of this board."""

    model_config = FROZEN

    white: int = 0
    black: int = 0
    queen: bool = False
    points_lost: int = 0
    """Paid for the striker."""
    points: int = 0
    """What all this comes to."""


class PlayerState(BaseModel):
    """One player (a pair in doubles) as the scoreboard shows it.

    `colour` and `seat` change from board to board and game to game; `queen_worth`
    is what covering the queen would add if this player won the board now. Where
    each plays for himself there is no `colour` and no `coins_left`, but a `purse`.
    """

    model_config = FROZEN

    name: str
    affiliation: str = ""
    """Club or country, shown small."""
    colour: Side | None
    seat: Seat | None = None
    score: int
    """Points in this game."""
    games_won: int
    coins_left: int | None
    """This player's coins that still have to be pocketed."""
    purse: Purse | None = None
    dues: Dues = Dues()
    queen_worth: int | None = None
    breaks: bool = False
    """This player breaks, or broke, this board."""


class BoardResult(BaseModel):
    """One finished board, as a row of the official score card.

    `winner` is an index into `players`, null where several got most. The points are
    kept apart because a board can be won with no coin point and three queen points.
    """

    model_config = FROZEN

    game: int
    board: int
    winner: int | None
    coin_points: int
    queen_points: int
    additional_points: int = 0
    queen_to: int | None = None
    """Who had covered the queen, whether or not it brought points."""
    breaker: int
    finish: str
    slam: bool = False
    points: tuple[int, ...] = ()
    """Where each plays for himself: what the board brought each player."""
    scores_after: tuple[int, ...]


class Question(BaseModel):
    """What waits for the umpire, in words. Nothing is scored until it is answered."""

    model_config = FROZEN

    id: str
    text: str
    choices: tuple[str, ...] = ()


class DecisionShown(BaseModel):
    """The last decision in words, with the law it rests on and its article."""

    model_config = FROZEN

    seq: int
    text: str
    law: str
    article: str = ""
    """As printed in the rule set's edition, such as `ICF 72a`."""
    side: Side | None = None
    player: int | None = None
    """Whom it concerns where each plays for himself: an index into `players`."""


class PieceShown(BaseModel):
    """A piece at rest on the table."""

    model_config = FROZEN

    piece: Piece
    x_mm: float
    y_mm: float


class FallShown(BaseModel):
    """A piece that has gone down in the stroke that still runs; not judged yet.

    `piece` is null while the evidence does not name it.
    """

    model_config = FROZEN

    piece: Piece | None
    pocket: Pocket | None


class GameClock(BaseModel):
    """The running game's clock, for a display that counts on its own.

    It shows `elapsed_s`, and while it runs also the seconds since `since_s`, on
    the clock of every message's `t_mono_s` (the heartbeat on `health` tells it every
    second). `paused`: all clocks stand, for an appeal or a time stop.
    """

    model_config = FROZEN

    running: bool
    started: bool
    paused: bool
    elapsed_s: float
    since_s: float | None = None
    limit_s: float | None = None
    """The bell; null where the game has no limit."""
    warning_s: float | None = None


class WaitFor(StrEnum):
    """What has to happen within a limit of its own."""

    STROKE = "stroke"
    PLACING = "placing"


class Wait(BaseModel):
    """A stroke, or the placing of coins owed, that is waited for now.

    `until_s` is on the clock of `t_mono_s`; past it the umpire was told.
    """

    model_config = FROZEN

    what: WaitFor
    until_s: float
    limit_s: float


class MatchState(BaseModel):
    """Topic `match/state`: everything a scoreboard shows, whole, every time.

    `turn`, `must_cover` name the colour; `players` says who has it. `must_cover`
    is set while the queen awaits its cover. Where each plays for himself both are
    null: `on_turn` says who strikes, and must cover while `queen` awaits it.
    """

    model_config = FROZEN

    phase: Phase
    reason: str = ""
    """Why the phase is what it is, where that is not plain: not-watching says why."""
    players: Annotated[tuple[PlayerState, ...], Field(min_length=2, max_length=4)]
    """Who broke the first board comes first; from three on in the order of play."""
    game: int
    """Number of the game that is played, from 1."""
    board: int
    """Number of the board within the game, from 1."""
    games_to_win: int
    game_points: int | None
    """Points that win a game; null where only the boards decide."""
    boards_per_game: int | None
    queen: Queen
    turn: Side | None
    on_turn: int | None = None
    """Who strikes next, as an index into `players`."""
    must_cover: Side | None = None
    white_left: int | None = None
    black_left: int | None = None
    """Coins on the table by the laws."""
    fallen: tuple[FallShown, ...] = ()
    pieces: tuple[PieceShown, ...] = ()
    question: Question | None = None
    last: DecisionShown | None = None
    history: tuple[BoardResult, ...] = ()
    claim: int = 0
    """Additional points the last board's winner may still demand."""
    game_clock: GameClock | None = None
    """The game's clock, where the rule set limits it or the umpire started it."""
    wait: Wait | None = None
    """Set while a limit for the next stroke or a placing runs."""
    drawn: bool = False
    winner: int | None = None
    """Index into `players` once the match is over."""


class Tally(BaseModel):
    """The countable part of a position, for an event's before and after."""

    model_config = FROZEN

    white_left: int
    black_left: int
    queen: Queen
    white_owes: int
    black_owes: int
    turn: Side | None
    on_turn: int | None = None
    scores: tuple[int, ...]


class MatchEvent(BaseModel):
    """Topic `match/event`: one adjudicated event or decision, numbered by `seq`.

    `supersedes` names the first event taken back when the record was corrected:
    that one and all after it up to this one no longer stand.
    """

    model_config = FROZEN

    kind: str
    text: str
    law: str = ""
    article: str = ""
    side: Side | None = None
    player: int | None = None
    """Whom it concerns where each plays for himself: an index into `players`."""
    game: int
    board: int
    stroke: int | None = None
    before: Tally | None = None
    after: Tally | None = None
    evidence: tuple[str, ...] = ()
    """Ids of the journal entries it rests on."""
    confidence: float = Field(default=1.0, ge=0.0, le=1.0)
    supersedes: int | None = None


class MatchProposal(BaseModel):
    """Topic `match/proposal`: what the umpire is asked, not what was decided."""

    model_config = FROZEN

    question: Question
    law: str = ""
    article: str = ""
    evidence: tuple[str, ...] = ()
    confidence: float = Field(default=0.0, ge=0.0, le=1.0)


class Severity(StrEnum):
    """How loud an alert is."""

    NOTICE = "notice"
    WARNING = "warning"
    STOP_PLAY = "stop-play"


class Alert(BaseModel):
    """Topic `alert`: the umpire should look before the next stroke."""

    model_config = FROZEN

    severity: Severity
    text: str
    law: str = ""
    article: str = ""
    deadline_s: float | None = None
    """When the matter lapses or the limit is reached, on the clock of `t_mono_s`."""


class RawPocket(BaseModel):
    """Topic `raw/pocket`: a pocket sensor's report, unjudged."""

    model_config = FROZEN

    device: str
    device_boot: int
    device_sequence: int
    pocket: Pocket
    at_s: float
    width_us: int
    looks: Looks


class Moving(BaseModel):
    """A tracked piece now."""

    model_config = FROZEN

    id: int
    piece: Piece
    x_mm: float
    y_mm: float


class RawTrack(BaseModel):
    """Topic `raw/track`, about ten a second while pieces move: for live pictures."""

    model_config = FROZEN

    at_s: float
    pieces: tuple[Moving, ...]


Payload = (
    Status
    | Info
    | Health
    | MatchState
    | MatchEvent
    | MatchProposal
    | Alert
    | RawPocket
    | RawTrack
)


class Topic(StrEnum):
    """The topics below `carrom/v1/<table>/`."""

    STATUS = "status"
    INFO = "info"
    HEALTH = "health"
    STATE = "match/state"
    EVENT = "match/event"
    PROPOSAL = "match/proposal"
    ALERT = "alert"
    RAW_POCKET = "raw/pocket"
    RAW_TRACK = "raw/track"


PAYLOADS: dict[Topic, type[Payload]] = {
    Topic.STATUS: Status,
    Topic.INFO: Info,
    Topic.HEALTH: Health,
    Topic.STATE: MatchState,
    Topic.EVENT: MatchEvent,
    Topic.PROPOSAL: MatchProposal,
    Topic.ALERT: Alert,
    Topic.RAW_POCKET: RawPocket,
    Topic.RAW_TRACK: RawTrack,
}
RETAINED = frozenset({Topic.STATUS, Topic.INFO, Topic.HEALTH, Topic.STATE})
AT_MOST_ONCE = frozenset({Topic.HEALTH, Topic.RAW_POCKET, Topic.RAW_TRACK})
"""Topics sent at QoS 0; the others go at QoS 1."""
