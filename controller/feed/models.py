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

from pydantic import BaseModel, Field

from calibration.table import Piece, Pocket
from controller.events import Looks
from controller.feed.models_match import MatchEvent, MatchProposal, MatchState
from controller.feed.models_table import FROZEN, Health, Info, Status


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
