"""Kills, pulled plugs, resets and damage in any order: each fall is told once."""

from random import Random

from compiled_node import NEEDS_GCC, CompiledNode
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from calibration.table import Pocket
from controller.events import PocketReport
from controller.pockets.heard import Heard, ReportsLost
from controller.pockets.link import PocketLink
from controller.pockets.simulated import KEPT, SimulatedNode, exchange

Name = tuple[int, int]


class Misfortune(RuleBasedStateMachine):
    """A table evening in which everything but the power of the node may fail."""

    make = SimulatedNode

    def __init__(self) -> None:
        super().__init__()
        self.node = self.make(drift=0.004)
        self.link = PocketLink()
        self.random = Random(1)
        self.at_s = 0.0
        self.fell: list[Name] = []
        self.dropped: set[Name] = set()
        self.gone: set[Name] = set()
        self.journal: list[PocketReport] = []
        self.lost: set[Name] = set()

    @rule(pocket=st.sampled_from(Pocket), count=st.integers(1, KEPT + 4))
    def fall(self, pocket: Pocket, count: int) -> None:
        for _ in range(count):
            number = sum(boot == self.node.boot for boot, _ in self.fell)
            name = (self.node.boot, number)
            self.fell.append(name)
            if self.node.pending == KEPT:
                self.dropped.add(name)
            self.node.pulse(pocket, self.at_s, 5000)
            self.at_s += 0.02

    @rule(steps=st.integers(1, 30), damaged=st.sampled_from((0.0, 0.02, 0.1)))
    def carry(self, steps: int, damaged: float) -> None:
        for _ in range(steps):
            self.at_s += 0.03
            said = self.worn(self.node.poll(self.at_s), damaged)
            self.write(self.link.receive(said, self.at_s))
            sent = self.worn(self.link.to_send(self.at_s), damaged)
            self.node.receive(sent, self.at_s)

    @rule()
    def replug(self) -> None:
        self.link.closed(self.at_s, "the plug was pulled")
        self.link.opened()

    @rule(late=st.booleans())
    def kill_the_host(self, late: bool) -> None:
        """At any moment, also between hearing reports and writing them down."""
        if late:
            self.link.receive(self.node.poll(self.at_s), self.at_s)
            self.node.receive(self.link.to_send(self.at_s), self.at_s)
        self.link = PocketLink()
        if self.journal:
            last = self.journal[-1]
            self.link.resume(last.device, last.boot, last.sequence)

    @rule()
    def reset_the_node(self) -> None:
        told = {(one.boot, one.sequence) for one in self.journal}
        self.gone |= set(self.fell) - told
        self.node.reset(self.at_s)

    @invariant()
    def nothing_is_told_twice_or_out_of_order(self) -> None:
        told = [(one.boot, one.sequence) for one in self.journal]
        assert told == sorted(set(told))

    def teardown(self) -> None:
        for _ in range(8):
            self.at_s += 3.0
            self.write(exchange(self.node, self.link, self.at_s))
        told = {(one.boot, one.sequence) for one in self.journal}
        assert told | self.gone | self.dropped >= set(self.fell)
        assert self.dropped.isdisjoint(told)
        assert self.node.pending == 0
        assert self.lost <= self.dropped | self.gone

    def write(self, heard: list[Heard]) -> None:
        for one in heard:
            match one:
                case PocketReport():
                    self.journal.append(one)
                    self.link.acknowledge(one)
                case ReportsLost(boot=boot, first=first, count=count):
                    self.lost |= {(boot, first + n) for n in range(count)}
                case _:
                    pass

    def worn(self, data: bytes, damaged: float) -> bytes:
        hit = [byte for byte in data if self.random.random() >= damaged]
        return bytes(
            byte ^ (self.random.random() < damaged) * self.random.randrange(256)
            for byte in hit
        )


class MisfortuneOfTheFirmware(Misfortune):
    """The same evening with the link the microcontroller runs."""

    make = CompiledNode


OFTEN = settings(max_examples=60, stateful_step_count=25, deadline=None)
TestAnyMisfortune = Misfortune.TestCase
TestAnyMisfortune.settings = OFTEN
TestAnyMisfortuneOfTheFirmware = NEEDS_GCC(MisfortuneOfTheFirmware.TestCase)
TestAnyMisfortuneOfTheFirmware.settings = OFTEN
