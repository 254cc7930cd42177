"""What failures.md 3.4 (N1 to N13) says of the sensors, on the real image."""

from dataclasses import asdict

import pytest

from controller.pockets import messages as wire
from firmware.emulator.listener import Node


def surround(node: Node, pocket: int, in_s: float = 0.0, **values: float) -> None:
    """Change a pocket's surroundings a while from now."""
    node.emulator.change(pocket, node.now_us + in_s * 1e6, **values)


def test_n1_sunlight_that_leaves_room_for_the_beam_changes_nothing(node: Node) -> None:
    surround(node, 0, ambient=330)
    node.run(50_000)

    assert node.drop().looks == ["one_coin"]
    assert node.falls[0].ambient == pytest.approx(330, abs=8)
    assert node.health[0] == "clear"


def test_n1_light_that_drowns_the_beam_is_a_state_and_never_a_fall(node: Node) -> None:
    surround(node, 1, ambient=1000)
    surround(node, 1, 0.3, ambient=30)
    node.run(200_000)
    during = node.health[1]
    node.run(300_000)

    assert (during, node.health[1]) == ("blinded", "clear")
    assert node.falls == []
    assert node.drop(1).looks == ["one_coin"]


@pytest.mark.slow
def test_n1_sun_rising_until_readings_are_cut_off_is_never_a_fall(node: Node) -> None:
    for step in range(50):
        surround(node, 2, 0.02 * step, ambient=30 + 20 * step)
    node.run(1_200_000)

    assert node.falls == []
    assert node.health[2] == "blinded"


@pytest.mark.parametrize(
    "lamp_hz", [120.0, pytest.param(100.0, marks=pytest.mark.slow)]
)
def test_n1_lamps_flicker_without_effect(node: Node, lamp_hz: float) -> None:
    surround(node, 0, ambient=200, flicker=150, lamp_hz=lamp_hz)
    node.run(300_000)
    assert node.falls == []

    node.drop(0, speed_mm_s=800.0)
    node.drop(0, speed_mm_s=800.0, albedo=0.12)
    assert node.looks == ["one_coin", "one_coin"]


def test_n3_a_dead_emitter_is_found_at_the_start(switched_on) -> None:
    node = switched_on()
    node.emulator.change(3, 0, beam=0)
    node.greet()

    assert node.health == ["clear", "clear", "clear", "dead"]
    result = node.ask(wire.SelfTest(3), wire.SelfTestDone)
    assert result.result is wire.SelfTestResult.STAYS_DARK


def test_n3_an_emitter_that_dies_later_is_a_state_and_never_a_fall(node: Node) -> None:
    surround(node, 3, 0.1, beam=0)
    node.run(800_000)

    assert node.health[3] == "dead"
    assert node.falls == []


def test_n3_a_piece_that_stays_in_the_beam_is_blocked_and_no_fall(node: Node) -> None:
    surround(node, 0, 0.05, cover=1)
    surround(node, 0, 0.1, shade=1)
    node.run(700_000)
    blocked = node.health[0]
    surround(node, 0, shade=0, cover=0)
    node.run(300_000)

    assert (blocked, node.health[0]) == ("blocked", "clear")
    assert node.falls == []
    assert node.drop().looks == ["one_coin"]


def test_n4_chatter_when_the_beam_comes_back_is_one_fall(node: Node) -> None:
    end_s = 0.05 + 0.0318
    for n in range(3):
        surround(node, 0, end_s + 0.0020 + 0.0032 * n, shade=0.6)
        surround(node, 0, end_s + 0.0036 + 0.0032 * n, shade=0.0)
    node.drop(0, g_mm_s2=0.0)

    assert len(node.falls) == 1


def test_n5_a_loose_wire_is_a_fault_and_soon_no_more_falls(node: Node) -> None:
    for n in range(100):
        surround(node, 2, 0.02 * n, loose=1)
        surround(node, 2, 0.02 * n + 0.01, loose=0)
    node.run(1_900_000)
    faults = [f.kind for f in node.told(wire.Fault)]

    assert len(node.falls) <= 4
    assert {fall.looks.name for fall in node.falls} == {"UNSURE"}
    assert wire.FaultKind.IMPLAUSIBLE_RATE in faults
    assert node.health[2] == "dead"


def test_n6_the_resting_level_stays_while_something_is_in_the_beam(node: Node) -> None:
    before = node.ask(wire.ValuesQuery(0), wire.ValuesNow).resting
    surround(node, 0, shade=0.9, cover=0.5)
    node.run(1_500_000)

    after = node.ask(wire.ValuesQuery(0), wire.ValuesNow).resting
    assert abs(after - before) <= 1


@pytest.mark.slow
def test_n6_the_resting_level_follows_dust(node: Node) -> None:
    for step in range(20):
        surround(node, 0, 0.1 * step, beam=640 - 2 * step)
    node.run(4_000_000)

    values = node.ask(wire.ValuesQuery(0), wire.ValuesNow)
    assert values.resting == pytest.approx(values.beam, abs=4)


def test_n6_a_beam_too_weak_for_its_threshold_is_dead_and_never_silently_clear(
    node: Node,
) -> None:
    now = node.ask(wire.SettingsQuery(0), wire.SettingsNow)
    change = wire.SettingsChange(**asdict(now) | {"threshold": 1023})
    node.ask(change, wire.SettingsNow)
    node.run(300_000)

    assert node.health == ["dead", "clear", "clear", "clear"]

    node.ask(wire.SettingsChange(**asdict(now)), wire.SettingsNow)
    node.run(300_000)

    assert node.health == ["clear"] * 4
    assert node.drop(0).looks == ["one_coin"]


@pytest.mark.parametrize(
    "speed_mm_s", [700.0, pytest.param(1500.0, marks=pytest.mark.slow)]
)
def test_n7_a_coin_that_bounces_back_into_the_beam_is_one_fall(
    node: Node, speed_mm_s: float
) -> None:
    node.drop(1, speed_mm_s=speed_mm_s, floor_mm=40.0, bounce=0.35)
    seen = node.ask(wire.ValuesQuery(1), wire.ValuesNow).breaks

    assert node.looks == ["one_coin"]
    assert seen == 2


def test_n9_a_spark_is_no_fall(node: Node) -> None:
    for n in range(20):
        surround(node, 0, 0.01 * n, shade=1)
        surround(node, 0, 0.01 * n + 0.0006, shade=0)
    node.run(400_000)

    assert node.falls == []
    assert node.health[0] == "clear"


def test_n10_a_knock_that_shakes_every_beam_is_no_fall(node: Node) -> None:
    for n in range(5):
        for pocket in range(4):
            surround(node, pocket, 0.02 * n, shade=0.25)
            surround(node, pocket, 0.02 * n + 0.008, shade=0)
    node.run(300_000)

    assert node.falls == []
    assert node.health == ["clear"] * 4


def test_n11_light_thrown_back_that_cuts_readings_off_does_not_lose_the_coin(
    node: Node,
) -> None:
    surround(node, 1, spot=4000)
    node.drop(1)

    assert node.looks in (["one_coin"], ["unsure"])
    assert node.falls[0].reflectance <= 1023
    assert node.health[1] == "clear"
