"""What a single piece does to the real image in the emulator."""

import pytest

from controller.pockets import messages as wire
from firmware.emulator.by_hand import obey
from firmware.emulator.emulator import Fall
from firmware.emulator.listener import Node

PIECES = [
    pytest.param({"diameter_mm": 31.8, "albedo": 0.7}, "one_coin", id="white coin"),
    pytest.param({"diameter_mm": 31.8, "albedo": 0.1}, "one_coin", id="black coin"),
    pytest.param({"diameter_mm": 41.3, "albedo": 0.6}, "striker", id="striker"),
    pytest.param(
        {"diameter_mm": 41.3, "albedo": 0.6, "tilt_deg": 75.0},
        "unsure",
        id="striker nearly flat",
    ),
]


@pytest.mark.parametrize("speed_mm_s", [300.0, 3000.0])
@pytest.mark.parametrize(("piece", "looks"), PIECES)
def test_a_piece_is_told_apart_by_how_far_it_reaches(
    node: Node, piece: dict[str, float], looks: str, speed_mm_s: float
) -> None:
    node.drop(2, speed_mm_s=speed_mm_s, **piece)

    assert node.looks == [looks]
    assert node.falls[0].pocket == 2
    assert node.overruns == 0


def test_a_fall_is_timed_by_the_middle_of_the_beam(node: Node) -> None:
    clock = node.ask(wire.ClockQuery(1), wire.ClockReply)
    asked_us = node.now_us - 60_000
    broke_us = node.now_us + 50_000
    node.drop(1, speed_mm_s=1000.0, g_mm_s2=0.0)

    lasted_us = node.falls[0].tick_us - clock.tick_us
    assert lasted_us == pytest.approx(broke_us - asked_us, abs=1000)
    assert node.falls[0].width_us == pytest.approx(31_800, abs=300)


def two(node: Node, apart_s: float) -> Node:
    """Two coins at 3 m/s, the second's front this long after the first's."""
    for late_s in (0.05, 0.05 + apart_s):
        at_us = node.now_us + late_s * 1e6
        coin = Fall(pocket=3, at_us=at_us, speed_mm_s=3000.0, g_mm_s2=0.0)
        node.emulator.fall(coin)
    return node.run(300_000)


def test_n8_two_coins_fifteen_milliseconds_apart_are_two_falls(node: Node) -> None:
    assert two(node, 0.0106 + 0.015).looks == ["one_coin", "one_coin"]


def test_n8_two_coins_close_behind_each_other_are_two_falls(node: Node) -> None:
    assert two(node, 0.015).looks == ["one_coin", "one_coin"]


def test_n8_two_coins_on_each_others_heels_are_told_as_two(node: Node) -> None:
    assert two(node, 0.0318 / 3).looks == ["two_coins"]


def test_a_piece_dropped_by_hand_falls_where_it_was_typed(node: Node) -> None:
    for line in ("2", "nonsense", "s1"):
        obey(node.emulator, line)
        node.run(400_000)

    assert [(fall.pocket, fall.looks.name) for fall in node.falls] == [
        (2, "ONE_COIN"),
        (1, "STRIKER"),
    ]
