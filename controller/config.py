"""The configuration: one TOML file, every default here with its unit.

Unknown keys, wrong types and values out of range are refused before anything
starts, each with file, key, value and remedy in one line. What is left out takes
the default written here; an empty file is the simulated table.
"""

import tomllib
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import (
    BaseModel,
    Field,
    ValidationError,
    model_validator,
)

from calibration.refusal import Refusal
from calibration.table import Pocket, Table
from controller.config_match import MatchSettings
from controller.events import Configured
from controller.trust import Trust
from vision.setup import Pixels, Source

Port = Annotated[int, Field(ge=0, le=65535)]
"""A TCP port; 0 lets the system choose."""
Millimetres = Annotated[float, Field(gt=0, le=1200)]


class TableSettings(BaseModel, extra="forbid", frozen=True):
    """`[table]`: its name on the feed and what differs from ICF equipment, in mm."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,31}$")] = "table-1"
    """A level of the MQTT topics: lower case letters, digits and hyphens."""
    side_mm: Millimetres | None = None
    frame_width_mm: Millimetres | None = None
    frame_height_mm: Millimetres | None = None
    pocket_radius_mm: Millimetres | None = None
    pocket_inset_mm: Millimetres | None = None
    coin_radius_mm: Millimetres | None = None
    coin_height_mm: Millimetres | None = None
    striker_radius_mm: Millimetres | None = None
    striker_height_mm: Millimetres | None = None
    base_line_inset_mm: Millimetres | None = None
    base_line_gap_mm: Millimetres | None = None
    base_line_length_mm: Millimetres | None = None

    def geometry(self) -> Table:
        """The table these sizes make; raises ValueError for an impossible one."""
        return Table(**self.model_dump(exclude={"name"}, exclude_none=True))

    @model_validator(mode="after")
    def _possible(self) -> Self:
        self.geometry()
        return self


class CameraSettings(BaseModel, extra="forbid", frozen=True):
    """`[camera]`: where the pictures come from, and what is fixed in the camera."""

    source: Source = "rendered"
    device: str = ""
    """usb: its stable name, /dev/v4l/by-id/... (by-path for one without a serial);
    rendered: the simulated table's socket."""
    number: Annotated[int, Field(ge=0, le=3)] = 0
    """picamera2: which of this Pi's cameras."""
    url: Annotated[str, Field(pattern=r"^(http://[^\s@/]+(/\S*)?)?$")] = ""
    """network: an MJPEG stream, http://host:port/path; no password in it."""
    file: Path | None = None
    """recording: the video."""
    width_px: Annotated[int, Field(ge=320, le=4608, multiple_of=2)] = 1280
    height_px: Annotated[int, Field(ge=240, le=2592, multiple_of=2)] = 720
    rate_hz: Annotated[float, Field(ge=5, le=240)] = 60.0
    """usb and picamera2: measured, and refused when the camera gives less."""
    exposure_us: Annotated[int, Field(ge=20, le=33_000)] = 1000
    """Short enough that a fast coin stays round: 5 m/s moves 5 mm in 1 ms."""
    gain: Annotated[float, Field(ge=1, le=16)] = 4.0
    """picamera2: a factor."""
    driver_gain: Annotated[int, Field(ge=0, le=65_535)] | None = None
    """usb: in the driver's own steps (v4l2-ctl -l); left out: the driver's default."""
    white_balance_k: Annotated[int, Field(ge=2000, le=10_000)] | None = None
    """usb: colour temperature; left out: the driver's default."""
    colour_gains: (
        tuple[
            Annotated[float, Field(gt=0, le=32)], Annotated[float, Field(gt=0, le=32)]
        ]
        | None
    ) = None
    """picamera2: red and blue; left out: balanced once at the start, then held."""
    mains_hz: Literal[50, 60] = 50
    """usb: the lamps' mains, against flicker."""
    pixels: Pixels | None = None
    """usb: MJPG (default) or YUYV; picamera2: YUV420 (default) or NV12."""

    @property
    def address(self) -> str:
        """What tells this camera from others of its source."""
        match self.source:
            case "picamera2":
                return str(self.number)
            case "network":
                return self.url
            case "recording":
                return str(self.file)
            case _:
                return self.device

    @property
    def identity(self) -> str | None:
        """What a calibration profile calls this camera; None: a recording has none."""
        match self.source:
            case "rendered":
                return "rendered"
            case "recording":
                return None
            case _:
                return f"{self.source} {self.address}"

    @property
    def sent_pixels(self) -> Pixels:
        """`pixels`, or what is usual for the source."""
        return self.pixels or ("YUV420" if self.source == "picamera2" else "MJPG")

    @model_validator(mode="after")
    def _placed(self) -> Self:
        needed = {"usb": "device", "network": "url", "recording": "file"}
        what = {
            "device": "the camera's stable name (ls /dev/v4l/by-id)",
            "url": "the address of its MJPEG stream",
            "file": "the video to play",
        }
        key = needed.get(self.source)
        if key is not None and not getattr(self, key):
            raise ValueError(f"source {self.source} needs {key}, {what[key]}")
        return self

    @model_validator(mode="after")
    def _sent(self) -> Self:
        usual: dict[str, tuple[Pixels, ...]] = {
            "usb": ("MJPG", "YUYV"),
            "picamera2": ("YUV420", "NV12"),
        }
        fitting = usual.get(self.source)
        if self.pixels is not None and self.pixels not in (fitting or ()):
            allowed = " or ".join(fitting) if fitting else "none: remove the key"
            raise ValueError(
                f"pixels {self.pixels} does not fit source {self.source}; {allowed}"
            )
        return self


class PocketSettings(BaseModel, extra="forbid", frozen=True):
    """`[pockets]`: the serial link to the pocket nodes."""

    source: Literal["simulated", "serial", "none"] = "simulated"
    """none: the camera alone; more strokes are then asked about."""
    port: Annotated[str, Field(min_length=1)] = "/dev/serial/by-id/"
    """serial: the node's port, or a folder of ports among which it is looked for."""
    device: Annotated[str, Field(pattern=r"^([0-9a-f]{16})?$")] = ""
    """serial: this table's node by its id (`carrom pockets` shows it); empty: the only
    one that answers."""
    channels: Annotated[tuple[Pocket, ...], Field(min_length=4, max_length=4)] = tuple(
        Pocket
    )
    """Which pocket each of the node's channels watches; `carrom pockets --drop` asks
    for a coin in each and writes what it found."""
    key_file: Path | None = None
    """Tournament mode: 32 hexadecimal digits that the node has to prove it holds."""

    @model_validator(mode="after")
    def _each_once(self) -> Self:
        if len(set(self.channels)) != len(Pocket):
            raise ValueError("channels must name each of the four pockets once")
        return self


class BrokerSettings(BaseModel, extra="forbid", frozen=True):
    """`[broker]`: the embedded one, or somebody else's by its address."""

    url: Annotated[str, Field(pattern=r"^(mqtts?://\S+)?$")] = ""
    """mqtt://host:1883 or mqtts://host:8883; empty: the embedded broker."""
    host: str = "127.0.0.1"
    """embedded: the address it listens on."""
    port: Port = 1883
    user: str = ""
    password_file: Path | None = None
    """Holds the password alone, so that it stands in no configuration."""
    raw: bool = False
    """Publish raw/pocket and raw/track too: ten places a second while pieces move."""


class PageSettings(BaseModel, extra="forbid", frozen=True):
    """`[scoreboard]`: where the display service listens."""

    host: str = "127.0.0.1"
    port: Port = 8000


class ConsoleSettings(BaseModel, extra="forbid", frozen=True):
    """`[console]`: where the umpire's page listens; this machine only."""

    host: Literal["127.0.0.1", "::1", "localhost"] = "127.0.0.1"
    port: Port = 8001
    secret: Path = Path("console.secret")
    """Made at the first start; who can read it can rule."""


class JournalSettings(BaseModel, extra="forbid", frozen=True):
    """`[journal]`: where the record and its signing key are kept."""

    path: Path = Path("match.journal")
    key: Path = Path("carrom.key")


def lens_beside(profile: Path) -> Path:
    """The measured lens's file, beside the calibration profile."""
    return profile.with_name(f"{profile.stem}-lens.json")


class Config(BaseModel, extra="forbid", frozen=True):
    """The whole file."""

    table: TableSettings = TableSettings()
    match: MatchSettings = MatchSettings()
    camera: CameraSettings = CameraSettings()
    calibration: Path | None = None
    """The table's calibration profile; left out: `calibration.json` beside the journal,
    which the console's calibration page makes."""
    pockets: PocketSettings = PocketSettings()
    broker: BrokerSettings = BrokerSettings()
    scoreboard: PageSettings = PageSettings()
    console: ConsoleSettings = ConsoleSettings()
    journal: JournalSettings = JournalSettings()
    observer: Trust = Trust()
    """`[observer]`: when evidence is good enough; see `controller.trust`."""

    @property
    def profile(self) -> Path:
        """Where the calibration profile is, or is put once the table is calibrated."""
        return self.calibration or self.journal.path.parent / "calibration.json"

    @property
    def lens(self) -> Path:
        """Where the camera's measured lens is, or is put once it is measured."""
        return lens_beside(self.profile)


def load(path: Path) -> Config:
    """Read and check a configuration file; raises Refusal naming what is wrong."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise Refusal(
            f"no configuration at {path}: name an existing TOML file"
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise Refusal(f"configuration {path} cannot be read ({error})") from None
    return parse(text, str(path))


def parse(text: str, name: str) -> Config:
    """Check a configuration's text; `name` is what refusals call it."""
    try:
        return Config.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise Refusal(f"{name} is not TOML: {error}; correct that line") from None
    except RecursionError:
        raise Refusal(f"{name} is nested too deeply; write it flat") from None
    except ValidationError as error:
        raise Refusal(f"{name}: {_first(error)}") from None


def configured(config: Config, at_s: float, software: str) -> Configured:
    """The journal's first entry for a match under this configuration."""
    match = config.match
    return Configured(
        at_s=at_s,
        table=config.table.name,
        laws=match.effective_laws(),
        round=match.round,
        players=tuple(player.name for player in match.players),
        seats=tuple(player.seat for player in match.players),
        first_breaker=match.breaker(),
        geometry=config.table.geometry(),
        trust=config.observer,
        software=software,
        settings=config.model_dump_json(),
    )


def _first(error: ValidationError) -> str:
    """The first thing wrong: key, what was given, and the remedy."""
    fault = error.errors(include_url=False)[0]
    key = ".".join(str(part) for part in fault["loc"]) or "the file"
    match fault["type"]:
        case "extra_forbidden" | "unexpected_keyword_argument":
            return f"unknown key {key}: remove it or correct its spelling"
        case "missing":
            return f"{key} is missing: add it"
        case "value_error":
            return f"{key}: {fault['ctx']['error']}"
        case _:
            said = fault["msg"].removeprefix("Input ").replace("\n", " ")
            return f"{key} = {fault['input']!r}: {said}"
