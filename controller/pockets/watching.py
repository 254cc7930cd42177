"""What is known of a pocket node that a person looks at, as it comes in."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from calibration.table import Pocket
from controller.events import PocketHealth, PocketReport, PocketState
from controller.pockets import messages as wire
from controller.pockets.heard import (
    DeviceFault,
    DeviceRefused,
    DeviceUp,
    Heard,
    Unanswered,
)


@dataclass(slots=True)
class Channel:
    """One channel of the node: the pocket it watches and what it said last."""

    number: int
    pocket: Pocket
    health: PocketHealth = PocketHealth.LOST
    falls: int = 0
    last: PocketReport | None = None
    values: wire.ValuesNow | None = None
    settings: wire.SettingsNow | None = None
    test: wire.SelfTestDone | None = None


@dataclass(slots=True)
class Watching:
    """A node as it shows itself; `channels` says which pocket each channel watches.

    `trouble` is the last thing that went wrong, empty while nothing does.
    """

    pockets: Sequence[Pocket]
    node: DeviceUp | None = None
    trouble: str = ""
    channels: tuple[Channel, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.channels = tuple(
            Channel(number, pocket) for number, pocket in enumerate(self.pockets)
        )

    def of(self, pocket: Pocket) -> Channel:
        """The channel that watches a pocket."""
        return next(one for one in self.channels if one.pocket is pocket)

    def hear(self, heard: Heard) -> None:
        """Take in what the link heard."""
        match heard:
            case DeviceUp():
                self.node, self.trouble = heard, ""
            case PocketState(pocket=pocket, health=health, reason=reason):
                self.of(pocket).health = health
                self.trouble = reason if health is PocketHealth.LOST else ""
            case PocketReport(pocket=pocket):
                self.of(pocket).falls += 1
                self.of(pocket).last = heard
            case wire.ValuesNow(pocket=number):
                self.channels[number].values = heard
            case wire.SettingsNow(pocket=number):
                self.channels[number].settings = heard
            case wire.SelfTestDone(pocket=number):
                self.channels[number].test = heard
            case DeviceRefused(reason=reason):
                self.trouble = reason
            case DeviceFault(kind=kind, detail=detail):
                self.trouble = f"{kind.name.lower().replace('_', ' ')}: {detail}"
            case Unanswered(command=command):
                self.trouble = f"the node does not answer: {command}"
            case _:
                pass
