"""Commands to a node are repeated until they are answered, and given up aloud."""

from random import Random
from typing import cast

import pytest
from bad_cable import Cable
from compiled_node import NEEDS_GCC, CompiledNode

from controller.pockets import messages as wire
from controller.pockets.heard import Command, Unanswered
from controller.pockets.link import PocketLink
from controller.pockets.simulated import SimulatedNode, exchange

Make = type[SimulatedNode]
ASKED: dict[str, Command] = {
    "settings": wire.SettingsQuery(1),
    "a change": wire.SettingsChange(2, 150, 40, 2500, 9000, 9500),
    "values": wire.ValuesQuery(3),
    "a self-test": wire.SelfTest(0),
    "an identity": wire.Identity(0x1234, 7),
    "a key": wire.KeyChange(1, 2, 0),
}


@pytest.fixture(params=(SimulatedNode, pytest.param(CompiledNode, marks=NEEDS_GCC)))
def make(request: pytest.FixtureRequest) -> Make:
    """A kind of node: the simulated one, and the firmware's own link."""
    return cast(Make, request.param)


def test_each_command_is_answered_over_a_bad_cable(make: Make) -> None:
    cable = Cable(make(), PocketLink(), Random(3), damaged=0.05)
    cable.link.opened()
    for command in ASKED.values():
        cable.link.command(command)

    for step in range(4000):
        cable.carry(step * 0.005)

    heard = cable.heard
    assert [one for one in heard if isinstance(one, Unanswered)] == []
    assert wire.SettingsNow(2, 150, 40, 2500, 9000, 9500) in heard
    kinds = {type(one) for one in heard}
    assert kinds >= {wire.ValuesNow, wire.SelfTestDone, wire.KeyDone}
    assert (cable.node.device, cable.node.label) == (0x1234, 7)


def test_a_command_that_stays_unanswered_is_told_once() -> None:
    node, link = SimulatedNode(), PocketLink()
    exchange(node, link, 0.0)
    link.command(wire.SettingsChange(2, 150, 40, 2500, 9000, 9500))
    heard = []
    for step in range(1000):
        at_s = 0.1 + step * 0.01
        link.to_send(at_s)
        heard += link.receive(node.poll(at_s), at_s)

    (told,) = [one for one in heard if isinstance(one, Unanswered)]
    assert told.command == wire.SettingsChange(2, 150, 40, 2500, 9000, 9500)


def test_a_late_answer_to_a_question_is_not_taken_for_a_change_made() -> None:
    node, link = SimulatedNode(), PocketLink()
    exchange(node, link, 0.0)
    link.command(wire.SettingsQuery(2))
    node.receive(link.to_send(0.1), 0.1)
    late = node.poll(0.1)
    link.receive(late, 0.2)
    link.command(wire.SettingsChange(2, 150, 40, 2500, 9000, 9500))
    link.to_send(0.3)

    link.receive(late, 0.31)
    exchange(node, link, 0.6)

    node.receive(b"", 0.7)
    link.command(wire.SettingsQuery(2))
    heard = exchange(node, link, 0.8)
    assert wire.SettingsNow(2, 150, 40, 2500, 9000, 9500) in heard
