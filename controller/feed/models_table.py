"""What the feed says of the table itself: status, what it is, how it does."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from calibration.table import Pocket
from controller.events import PocketHealth

FROZEN = ConfigDict(frozen=True, populate_by_name=True)


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
    """How many of at most sixteen marks on the table say so."""


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
