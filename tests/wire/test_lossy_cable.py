"""S10: bytes damaged, lost and added in both directions, and a pulled plug."""

from dataclasses import dataclass, field
from random import Random

import pytest

from calibration.table import Pocket
from controller.events import PocketReport
from controller.pockets.heard import DeviceFault, Heard, ReportsLost
from controller.pockets.link import PocketLink
from controller.pockets.simulated import SimulatedNode

STEP_S = 0.005
PULLED_S = 10.0
EVERY_S = 60.0


@dataclass
class Cable:
    """Node and host joined by a cable that damages a share of all bytes."""

    node: SimulatedNode
    link: PocketLink
    random: Random
    damaged: float
    plugged: bool = True
    heard: list[Heard] = field(default_factory=list)
    down: bytes = b""

    def carry(self, at_s: float) -> None:
        """One step of both directions; what the host sent arrives a step later."""
        self.node.receive(self.worn(self.down), at_s)
        self.down = b""
        said = self.worn(self.node.poll(at_s))
        if not self.plugged:
            return
        for one in self.link.receive(said, at_s):
            self.heard.append(one)
            if isinstance(one, PocketReport):
                self.link.acknowledge(one)
        self.down = self.link.to_send(at_s)

    def plug(self, *, plugged: bool, at_s: float) -> None:
        """Pull the plug or put it back, as the port would notice."""
        if plugged and not self.plugged:
            self.link.opened()
        elif self.plugged and not plugged:
            self.heard += self.link.closed(at_s, "the plug was pulled")
        self.plugged = plugged

    def worn(self, data: bytes) -> bytes:
        """The bytes that arrive of those sent."""
        out = bytearray()
        for byte in data:
            fate = self.random.random() / self.damaged
            if fate >= 1:
                out.append(byte)
            elif fate < 0.4:
                out.append(self.random.randrange(256))
            elif fate < 0.5:
                out += bytes((byte, self.random.randrange(256)))
        return bytes(out) if self.plugged else b""


def played(seed: int, minutes: float, *, pull: bool) -> tuple[Cable, list[float]]:
    """A cable after so many minutes of falls a second or two apart, and their times."""
    random = Random(seed)
    node = SimulatedNode(drift=random.uniform(-0.005, 0.005), tick_us=2**32 - 5_000_000)
    cable = Cable(node, PocketLink(), random, damaged=0.05)
    cable.link.opened()
    fell_s: list[float] = []
    end_s = minutes * 60
    for step in range(round((end_s + 20) / STEP_S)):
        at_s = step * STEP_S
        away = pull and at_s < end_s and at_s % EVERY_S > EVERY_S - PULLED_S
        cable.plug(plugged=not away, at_s=at_s)
        if at_s < end_s and random.random() < STEP_S / 1.5:
            fell_s.append(at_s)
            node.pulse(
                random.choice(list(Pocket)), at_s, random.randrange(9000, 60_000)
            )
        cable.carry(at_s)
    return cable, fell_s


@pytest.mark.parametrize("seed", range(3))
def test_S10_damaged_bytes_lose_nothing_and_double_nothing(seed: int) -> None:
    cable, fell_s = played(seed, minutes=1, pull=False)

    told = [one for one in cable.heard if isinstance(one, PocketReport)]

    assert [report.sequence for report in told] == list(range(len(fell_s)))
    assert cable.node.pending == 0
    assert not any(isinstance(one, ReportsLost | DeviceFault) for one in cable.heard)
    assert cable.link.health.damaged > 0
    assert cable.link.health.node_damaged > 0


def test_S10_S1_damage_and_a_plug_pulled_every_minute_lose_nothing() -> None:
    cable, fell_s = played(seed=11, minutes=3, pull=True)

    told = [one for one in cable.heard if isinstance(one, PocketReport)]

    assert [report.sequence for report in told] == list(range(len(fell_s)))
    assert cable.link.health.closed == 3


def test_the_stated_time_error_holds_on_a_bad_cable() -> None:
    cable, fell_s = played(seed=5, minutes=2, pull=True)

    told = [one for one in cable.heard if isinstance(one, PocketReport)]

    wrong = [
        (report.at_s - at_s, report.error_s)
        for report, at_s in zip(told, fell_s, strict=True)
        if abs(report.at_s - at_s) > report.error_s
    ]
    assert wrong == []
