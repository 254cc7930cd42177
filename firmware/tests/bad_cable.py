"""A cable that damages a share of all bytes both ways and is pulled every minute."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from calibration.table import Pocket
from controller.events import PocketReport
from controller.pockets.heard import Heard
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


def played(
    make: Callable[..., SimulatedNode], seed: int, minutes: float, *, pull: bool
) -> tuple[Cable, list[float]]:
    """A cable after so many minutes of falls a second or two apart, and their times."""
    random = Random(seed)
    node = make(drift=random.uniform(-0.005, 0.005), tick_us=2**32 - 5_000_000)
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
