"""What the host hears from a pocket node beside reports and states."""

from dataclasses import dataclass

from calibration.table import Pocket
from controller.events import PocketReport, PocketState
from controller.pockets.messages import (
    FaultKind,
    Identity,
    ResetCause,
    SelfTest,
    SelfTestDone,
    SettingsChange,
    SettingsNow,
    SettingsQuery,
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

    `detail` for an overflow is how many reports were dropped since its start.
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


Heard = (
    PocketReport
    | PocketState
    | DeviceUp
    | ReportsLost
    | DeviceFault
    | DeviceRefused
    | SettingsNow
    | SelfTestDone
)

Command = SettingsQuery | SettingsChange | SelfTest | Identity


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkHealth:
    """One link in numbers; `node_*` are the node's own counts since its start."""

    device: str | None
    up: bool
    unacknowledged: int
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
