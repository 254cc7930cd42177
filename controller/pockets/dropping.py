"""The coin-drop test: a coin in each pocket proves which channel watches it."""

from dataclasses import dataclass, field

from calibration.table import Pocket
from controller.events import PocketReport
from controller.pockets.messages import Looks as WireLooks

ASK = "drop one coin into the {pocket} pocket"
TOGETHER_S = 0.5
"""Reports of two channels within this time are one coin seen twice."""


@dataclass(frozen=True, slots=True)
class Drop:
    """One coin: the pocket asked for, the channel that reported it."""

    pocket: Pocket
    channel: int
    report: PocketReport


@dataclass(slots=True)
class DropTest:
    """Asks for the pockets in turn and learns the channels.

    Reports come with the pocket their channel is taken for now: `channels` undoes it.
    """

    channels: tuple[Pocket, ...]
    drops: list[Drop] = field(default_factory=list)

    @property
    def asked(self) -> Pocket | None:
        """The pocket that waits for a coin; None when all had one."""
        left = [p for p in Pocket if all(drop.pocket is not p for drop in self.drops)]
        return left[0] if left else None

    @property
    def learnt(self) -> tuple[Pocket, ...]:
        """Which pocket each channel watches, once all are known."""
        by_channel = sorted(self.drops, key=lambda drop: drop.channel)
        return tuple(drop.pocket for drop in by_channel)

    def hear(self, report: PocketReport) -> str:
        """Take a report as the coin asked for; what to tell the person."""
        asked, channel = self.asked, self.channels.index(report.pocket)
        if asked is None:
            return "all pockets are known"
        for drop in self.drops:
            if drop.channel != channel:
                if abs(report.at_s - drop.report.at_s) < TOGETHER_S:
                    self.drops.remove(drop)
                    return (
                        f"channels {drop.channel} and {channel} both saw that coin: "
                        "light of one reaches the other; shade them, then drop again"
                    )
            elif report.at_s - drop.report.at_s < TOGETHER_S:
                return "the same coin bounced"
            else:
                return (
                    f"channel {channel} is the {drop.pocket.value} pocket's already: "
                    f"was that coin for {asked.value}? Drop it there"
                )
        self.drops.append(Drop(asked, channel, report))
        return f"{asked.value} is channel {channel}: {described(report)}"


def described(report: PocketReport) -> str:
    """What the sensor measured, in words."""
    looks = WireLooks[report.looks.name].name.lower().replace("_", " ")
    return (
        f"{looks}, {report.width_us / 1000:.1f} ms, beam down by {report.depth}, "
        f"reflectance {report.reflectance}, ambient {report.ambient}"
    )
