"""The least of a host for an emulated node: greets, acknowledges, listens."""

from typing import Self, TypeVar

from controller.pockets import messages as wire
from controller.pockets.framing import DELIMITER, frame, unframe
from firmware.emulator.emulator import Emulator, Fall

STARTED_US = 150_000
"""By then a node has counted its start and tested its sensors."""
FIRST_START_US = 1_300_000
"""And by then one that had to make up its random id before."""

M = TypeVar("M", bound=wire.Message)


class Node:
    """One emulated node and what it has said."""

    def __init__(self, emulator: Emulator) -> None:
        self.emulator = emulator
        self.heard: list[wire.Message] = []
        self.deaf = False
        """Whether it acknowledges nothing; what is sent again is then heard again."""
        self._partial = b""
        self._acknowledged: set[tuple[int, int]] = set()

    @property
    def now_us(self) -> float:
        return self.emulator.now_us

    def greet(self) -> Self:
        """Wait for the node's start, then greet it."""
        self.run(STARTED_US)
        self.say(wire.Greeting(wire.PROTOCOL, wire.DEFINITION))
        return self.run(20_000)

    def say(self, message: wire.Message) -> None:
        self.emulator.send(frame(message.pack()))

    def run(self, for_us: float) -> Self:
        """Run on, acknowledging what falls."""
        end_us = self.now_us + for_us
        while self.now_us < end_us - 1:
            step = min(end_us, self.now_us + 10_000)
            *frames, self._partial = (self._partial + self.emulator.run_to(step)).split(
                DELIMITER
            )
            for piece in filter(None, frames):
                self._hear(wire.unpack(unframe(piece)))
        return self

    def drop(self, pocket: int = 0, **how: float) -> Self:
        """Let a piece fall now, and wait until it is through."""
        self.let_fall(pocket, 0.05, **how)
        return self.run(300_000)

    def let_fall(self, pocket: int, in_s: float, **how: float) -> None:
        """Let a piece fall a while from now."""
        at_us = self.now_us + in_s * 1e6
        self.emulator.fall(Fall(pocket=pocket, at_us=at_us, **how))

    def told(self, kind: type[M]) -> list[M]:
        """All messages of one kind so far."""
        return [m for m in self.heard if isinstance(m, kind)]

    def ask(self, question: wire.Message, kind: type[M]) -> M:
        """The answer to a question."""
        before = len(self.told(kind))
        self.say(question)
        self.run(60_000)
        return self.told(kind)[before]

    @property
    def falls(self) -> list[wire.PieceFell]:
        return self.told(wire.PieceFell)

    @property
    def looks(self) -> list[str]:
        return [fall.looks.name.lower() for fall in self.falls]

    @property
    def health(self) -> list[str]:
        """Each channel's last state."""
        beat = self.told(wire.Heartbeat)[-1]
        states = (beat.health_0, beat.health_1, beat.health_2, beat.health_3)
        return [state.name.lower() for state in states]

    @property
    def overruns(self) -> int:
        return self.told(wire.Heartbeat)[-1].overruns

    def _hear(self, message: wire.Message) -> None:
        if isinstance(message, wire.PieceFell) and not self.deaf:
            self.say(wire.Ack(message.boot, message.sequence))
            name = (message.boot, message.sequence)
            if name in self._acknowledged:
                return
            self._acknowledged.add(name)
        self.heard.append(message)
