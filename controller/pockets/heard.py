"""What the host hears from a pocket node beside reports and states."""

from dataclasses import dataclass

from calibration.table import Pocket
from controller.events import PocketReport, PocketState
from controller.pockets.messages import (
    Board,
    FaultKind,
    Heartbeat,
    Hello,
    Identity,
    KeyChange,
    KeyDone,
    ResetCause,
    SelfTest,
    SelfTestDone,
    SettingsChange,
    SettingsNow,
    SettingsQuery,
    ValuesNow,
    ValuesQuery,
)


@dataclass(frozen=True, slots=True)
class DeviceUp:
    """A node said who it is; `restarted` when it was another start before.

    Reports that the earlier start had not sent are gone: pocket counts since the
    last report need a look at the table.
    """

    at_s: float
    device: str
    boot: int
    build: str
    label: int
    reset_cause: ResetCause
    restarted: bool
    board: Board
    pockets: int
    keyed: bool


@dataclass(frozen=True, slots=True)
class ReportsLost:
    """Reports `first` to `first + count - 1` of this start will never come."""

    at_s: float
    device: str
    boot: int
    first: int
    count: int


@dataclass(frozen=True, slots=True)
class DeviceFault:
    """The node says that something went wrong in it (pocket None: the whole node).

    `detail` is the node's total since its start: reports dropped, samples missed or
    breaks too many to be pieces.
    """

    at_s: float
    device: str
    kind: FaultKind
    pocket: Pocket | None
    detail: int


@dataclass(frozen=True, slots=True)
class DeviceRefused:
    """The node speaks another protocol; the reason says which side to update."""

    at_s: float
    reason: str


Command = SettingsQuery | SettingsChange | ValuesQuery | SelfTest | Identity | KeyChange


@dataclass(frozen=True, slots=True)
class Unanswered:
    """The node did not do what it was asked, though it was asked again and again."""

    at_s: float
    command: Command


Heard = (
    PocketReport
    | PocketState
    | DeviceUp
    | ReportsLost
    | DeviceFault
    | DeviceRefused
    | Unanswered
    | SettingsNow
    | ValuesNow
    | SelfTestDone
    | KeyDone
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkHealth:
    """One link in numbers; `node_*` are the node's own counts since its start.

    `asked` counts the commands whose answers are awaited.
    """

    device: str | None
    up: bool
    unacknowledged: int
    asked: int
    round_trip_s: float | None
    frames: int
    damaged: int
    skipped: int
    duplicates: int
    lost: int
    restarts: int
    closed: int
    node_dropped: int
    node_resent: int
    node_damaged: int
    node_overruns: int
    node_implausible: int


@dataclass(slots=True)
class LinkCounts:
    """The counters of LinkHealth while they count."""

    frames: int = 0
    damaged: int = 0
    skipped: int = 0
    duplicates: int = 0
    lost: int = 0
    restarts: int = 0
    closed: int = 0
    node_dropped: int = 0
    node_resent: int = 0
    node_damaged: int = 0
    node_overruns: int = 0
    node_implausible: int = 0
    round_trip_s: float | None = None

    def take(self, beat: Heartbeat) -> None:
        """The node's own counts, as its heartbeat brings them."""
        self.node_dropped, self.node_resent = beat.dropped, beat.resent
        self.node_damaged, self.node_overruns = beat.damaged, beat.overruns
        self.node_implausible = beat.implausible


def device_up(hello: Hello, at_s: float, *, restarted: bool) -> DeviceUp:
    """What a hello says of its node."""
    return DeviceUp(
        at_s=at_s,
        device=f"{hello.device:016x}",
        boot=hello.boot,
        build=f"{hello.build:08x}",
        label=hello.label,
        reset_cause=hello.reset_cause,
        restarted=restarted,
        board=hello.board,
        pockets=hello.pockets,
        keyed=bool(hello.keyed),
    )
