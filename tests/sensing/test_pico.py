"""The Pico's real image in an emulated RP2040: what differs from the Nano's."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.pockets import messages as wire
from firmware.emulator.listener import Node
from firmware.emulator.pico import pico

pytestmark = [
    pytest.mark.pico,
    pytest.mark.skipif(pico.missing() is not None, reason=pico.missing() or ""),
]
LATE_US = 1000
Switch = Callable[..., Node]


@pytest.fixture(scope="module")
def image() -> Path:
    """The folder of the Pico's image."""
    return pico.images()


@pytest.fixture
def switched_on(image: Path) -> Iterator[Switch]:
    """A function that switches a Pico on, its flash as given."""
    running: list[pico.PicoEmulator] = []

    def switch_on(kept: bytes = b"") -> Node:
        running.append(pico.PicoEmulator(image))
        if kept:
            running[-1].keep(kept)
        return Node(running[-1])

    yield switch_on
    for emulator in running:
        emulator.close()


@pytest.fixture
def node(switched_on: Switch) -> Node:
    """A Pico that has been greeted."""
    return switched_on().greet()


def again(node: Node, switched_on: Switch) -> Node:
    """The same Pico after a cut of the power."""
    assert isinstance(node.emulator, pico.PicoEmulator)
    return switched_on(node.emulator.kept).greet()


def hello(node: Node) -> wire.Hello:
    return node.told(wire.Hello)[-1]


def test_it_says_hello_as_a_pico_of_our_protocol(node: Node) -> None:
    said = hello(node)

    assert (said.board, said.pockets) == (wire.Board.RP2040, 4)
    assert (said.protocol, said.definition) == (wire.PROTOCOL, wire.DEFINITION)
    assert node.health == ["clear"] * 4


@pytest.mark.parametrize("speed_mm_s", [300.0, 3000.0])
def test_each_pocket_tells_coin_from_striker(node: Node, speed_mm_s: float) -> None:
    for pocket in range(4):
        node.drop(pocket, speed_mm_s=speed_mm_s)
        node.drop(pocket, diameter_mm=41.3, speed_mm_s=speed_mm_s)

    assert node.looks == ["one_coin", "striker"] * 4
    assert [fall.pocket for fall in node.falls] == [0, 0, 1, 1, 2, 2, 3, 3]
    assert node.overruns == 0


def test_a_fall_is_timed_by_the_middle_of_the_beam(node: Node) -> None:
    broke_us = node.now_us + 50_000
    node.drop(1)

    assert node.falls[0].tick_us == pytest.approx(broke_us, abs=LATE_US)
    assert node.falls[0].width_us == pytest.approx(31_800, abs=300)


def test_n1_light_that_drowns_the_beam_is_a_state(node: Node) -> None:
    node.emulator.change(2, node.now_us, ambient=1000)
    node.run(1_200_000)

    assert node.health[2] == "blinded"
    assert node.falls == []


def test_n3_a_dead_emitter_is_found_at_the_start(switched_on: Switch) -> None:
    node = switched_on()
    node.emulator.change(3, 0, beam=0)

    assert node.greet().health == ["clear", "clear", "clear", "dead"]


def test_s4_id_settings_and_starts_outlive_a_cut_of_the_power(
    node: Node, switched_on: Switch
) -> None:
    node.say(wire.Identity(0x1234_5678_9ABC_DEF0, 7))
    node.say(wire.SettingsChange(2, 321, 60, 1500, 12_000, 10_000))
    node.run(200_000)
    second = again(node, switched_on)

    said = hello(second)
    assert (said.device, said.label, said.boot) == (0x1234_5678_9ABC_DEF0, 7, 2)
    assert second.ask(wire.SettingsQuery(2), wire.SettingsNow).threshold == 321


def test_s12_a_main_loop_that_hangs_starts_anew(node: Node) -> None:
    node.emulator.hang()
    node.run(200_000)
    still = hello(node).boot
    node.run(400_000)

    assert (still, hello(node).boot) == (1, 2)
    assert hello(node).reset_cause is wire.ResetCause.WATCHDOG


def test_s4_a_torn_save_leaves_the_one_before(node: Node, switched_on: Switch) -> None:
    node.say(wire.Identity(0x1234_5678_9ABC_DEF0, 7))
    node.run(200_000)
    assert isinstance(node.emulator, pico.PicoEmulator)
    kept = bytearray(node.emulator.kept)
    newest = max(
        at for at in range(0, len(kept), 1024) if kept[at : at + 4] != b"\xff" * 4
    )
    kept[newest + 600 : newest + 1024] = b"\xff" * 424

    said = hello(switched_on(bytes(kept)).greet())
    assert said.boot == 2
    assert said.device != 0x1234_5678_9ABC_DEF0


@pytest.mark.timeout(600)  # each start is a process of its own
@pytest.mark.parametrize("starts", [20])
def test_every_start_is_counted_while_the_flash_goes_round(
    switched_on: Switch, starts: int
) -> None:
    node = switched_on().greet()
    for _ in range(starts - 1):
        node = again(node, switched_on)

    assert hello(node).boot == starts
