"""The host's end of the link against both kinds of node, time stepped by hand."""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import cast

import pytest
from compiled_node import NEEDS_GCC, CompiledNode
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.table import Pocket
from controller.events import Looks, PocketHealth, PocketReport, PocketState
from controller.pockets import messages as wire
from controller.pockets.framing import frame
from controller.pockets.heard import (
    DeviceFault,
    DeviceUp,
    Heard,
    ReportsLost,
)
from controller.pockets.link import BOOT_S, SILENT_AFTER_S, PocketLink
from controller.pockets.reasons import RESTARTED
from controller.pockets.simulated import KEPT, SimulatedNode, exchange

NE, SE, SW, NW = Pocket
Make = type[SimulatedNode]


@pytest.fixture(params=(SimulatedNode, pytest.param(CompiledNode, marks=NEEDS_GCC)))
def make(request: pytest.FixtureRequest) -> Make:
    """A kind of node: the simulated one, and the firmware's own link."""
    return cast(Make, request.param)


def joined(make: Make, **node: int) -> tuple[SimulatedNode, PocketLink]:
    """A node and a link that know each other."""
    pair = make(**node), PocketLink()
    exchange(*pair, 0.0)
    return pair


def reports(heard: Sequence[Heard]) -> list[PocketReport]:
    return [one for one in heard if isinstance(one, PocketReport)]


def sequences(heard: Sequence[Heard]) -> list[int]:
    return [report.sequence for report in reports(heard)]


def states(heard: list[Heard]) -> dict[Pocket, PocketHealth]:
    return {one.pocket: one.health for one in heard if isinstance(one, PocketState)}


def test_the_first_thing_heard_is_who_the_node_is(make: Make) -> None:
    node, link = make(device=0xAB, boot=7), PocketLink()

    up = exchange(node, link, 1.0)[0]

    assert up == DeviceUp(
        at_s=1.0,
        device="00000000000000ab",
        boot=7,
        build="00000000",
        label=1,
        reset_cause=wire.ResetCause.POWER,
        restarted=False,
        board=wire.Board.HOST,
        pockets=4,
        keyed=False,
    )


def test_a_fall_is_reported_with_its_pocket_time_and_width(make: Make) -> None:
    node, link = joined(make)
    node.pulse(SW, 5.0, 31_000, wire.Looks.STRIKER)

    (report,) = reports(exchange(node, link, 5.1))

    assert report.pocket is SW
    assert report.looks is Looks.STRIKER
    assert report.width_us == 31_000
    assert report.at_s == pytest.approx(5.0, abs=report.error_s)


def test_a_channel_watches_the_pocket_it_is_told_to(make: Make) -> None:
    node, link = make(), PocketLink((SW, NW, NE, SE))
    exchange(node, link, 0.0)
    node.pulse(NE, 0.1)

    assert reports(exchange(node, link, 0.2))[0].pocket is SW


def test_a_report_is_sent_again_until_it_is_acknowledged_and_told_once(
    make: Make,
) -> None:
    node, link = joined(make)
    node.pulse(NE, 0.1)
    (report,) = reports(exchange(node, link, 0.2))

    assert reports(exchange(node, link, 0.5)) == []
    assert (node.pending, link.health.duplicates) == (1, 1)
    link.acknowledge(report)
    exchange(node, link, 0.6)
    assert node.pending == 0


def test_a_killed_host_is_told_again_what_it_did_not_acknowledge(make: Make) -> None:
    node, link = joined(make)
    node.pulse(NE, 0.1)
    node.pulse(SE, 0.2)
    first, second = reports(exchange(node, link, 0.3))
    link.acknowledge(first)
    exchange(node, link, 0.4)

    again = reports(exchange(node, PocketLink(), 5.0))

    assert sequences(again) == [second.sequence]


def test_a_new_link_does_not_repeat_what_the_journal_holds(make: Make) -> None:
    node, link = joined(make)
    node.pulse(NE, 0.1)
    (journaled,) = reports(exchange(node, link, 0.3))
    node.pulse(SE, 0.4)
    link = PocketLink()
    link.resume(journaled.device, journaled.boot, journaled.sequence)

    (fresh,) = reports(exchange(node, link, 5.0))
    assert fresh.sequence == journaled.sequence + 1
    link.acknowledge(fresh)
    exchange(node, link, 5.1)
    assert node.pending == 0


def test_an_acknowledgement_never_covers_a_report_still_unwritten(make: Make) -> None:
    node, link = joined(make)
    for pocket in (NE, SE, SW):
        node.pulse(pocket, 0.1)
    first, second, third = reports(exchange(node, link, 0.2))

    link.acknowledge(third)
    exchange(node, link, 0.3)
    assert node.pending == 3
    link.acknowledge(first)
    exchange(node, link, 0.4)
    assert node.pending == 2
    link.acknowledge(second)
    exchange(node, link, 0.5)
    assert node.pending == 0


def test_overflow_is_a_fault_and_a_gap_never_silence(make: Make) -> None:
    node, link = joined(make)
    for number in range(KEPT + 3):
        node.pulse(NE, 0.1 + number / 1000)
    heard = exchange(node, link, 1.0)
    for report in reports(heard):
        link.acknowledge(report)
    later = exchange(node, link, 1.2)
    node.pulse(SE, 1.3)
    later += exchange(node, link, 1.5)

    assert sequences(heard) == list(range(KEPT))
    faults = [one for one in heard if isinstance(one, DeviceFault)]
    assert [fault.kind for fault in faults] == [wire.FaultKind.OVERFLOW] * len(faults)
    assert faults[-1].detail == 3
    (lost,) = [one for one in later if isinstance(one, ReportsLost)]
    assert (lost.boot, lost.first, lost.count) == (1, KEPT, 3)
    assert sequences(later) == [KEPT + 3]


def test_N8_pieces_15_ms_apart_are_all_reported_in_order(make: Make) -> None:
    node, link = joined(make)
    told: list[PocketReport] = []
    for step in range(2004):
        at_s = step * 0.005
        if step % 3 == 0:
            node.pulse(list(Pocket)[step % 4], at_s, 9000)
        told += reports(exchange(node, link, at_s))
        for report in told[-3:]:
            link.acknowledge(report)

    assert [report.sequence for report in told] == list(range(668))
    assert all(
        report.at_s == pytest.approx(0.015 * number, abs=0.0001)
        for number, report in enumerate(told)
    )
    assert link.health.node_dropped == 0


def test_S1_a_closed_port_makes_every_pocket_lost_at_once(make: Make) -> None:
    _node, link = joined(make)
    link.opened()

    heard = link.closed(2.0, "the plug was pulled")

    assert states(heard) == dict.fromkeys(Pocket, PocketHealth.LOST)
    assert link.closed(3.0, "the plug was pulled") == []
    assert link.health.closed == 1


def test_S1_a_replugged_node_gives_what_fell_meanwhile(make: Make) -> None:
    node, link = joined(make)
    link.closed(1.0, "the plug was pulled")
    node.pulse(NE, 2.0)
    link.opened()

    heard = exchange(node, link, 3.0)

    assert sequences(heard) == [0]
    assert states(heard) == dict.fromkeys(Pocket, PocketHealth.CLEAR)
    assert [one.restarted for one in heard if isinstance(one, DeviceUp)] == [False]


def test_S3_a_reset_in_a_match_is_told_and_counting_starts_anew(make: Make) -> None:
    node, link = joined(make)
    node.pulse(NE, 0.1)
    link.acknowledge(*reports(exchange(node, link, 0.2)))
    exchange(node, link, 0.3)
    node.reset(0.4, wire.ResetCause.BROWN_OUT)
    node.pulse(SE, 0.7)

    heard = exchange(node, link, 1.0)

    (up,) = [one for one in heard if isinstance(one, DeviceUp)]
    assert (up.boot, up.restarted) == (2, True)
    assert up.reset_cause is wire.ResetCause.BROWN_OUT
    lost = [one.reason for one in heard if isinstance(one, PocketState)][:4]
    assert lost == [RESTARTED.format(cause="brown out")] * 4
    assert [(r.boot, r.sequence) for r in reports(heard)] == [(2, 0)]
    assert reports(heard)[0].at_s == pytest.approx(0.7, abs=0.01)


def test_S3_a_reset_while_the_controller_was_away_is_told(make: Make) -> None:
    node, link = make(device=0xAB, boot=8), PocketLink()
    link.resume("00000000000000ab", 7, 41)

    up = exchange(node, link, 0.0)[0]

    assert isinstance(up, DeviceUp)
    assert up.restarted


def test_S3_a_node_that_boots_is_not_talked_to_until_it_says_hello(make: Make) -> None:
    link = PocketLink()
    link.opened()
    link.to_send(10.0)

    assert link.to_send(10.0 + BOOT_S - 0.1) == b""
    node = make(started_s=11.9)
    assert isinstance(exchange(node, link, 12.0)[0], DeviceUp)


def test_S4_another_node_at_the_same_port_is_known_by_its_id(make: Make) -> None:
    _node, link = joined(make, device=0xA)
    link.closed(1.0, "the plug was pulled")
    link.opened()
    other = make(device=0xB)
    other.pulse(NE, 1.5)

    heard = exchange(other, link, 2.0)

    assert isinstance(heard[0], DeviceUp)
    assert (heard[0].device, heard[0].restarted) == ("000000000000000b", False)
    assert reports(heard)[0].device == "000000000000000b"


def test_S6_garbage_at_opening_is_counted_and_skipped(make: Make) -> None:
    node, link = make(), PocketLink()
    link.opened()

    link.receive(b"AT+GMI\r\nATZ\r\n" + bytes(range(256)) * 40, 0.0)

    assert isinstance(exchange(node, link, 0.0)[0], DeviceUp)
    assert link.health.damaged > 0


def test_S9_every_disconnection_is_counted() -> None:
    link = PocketLink()
    for at_s in range(3):
        link.opened()
        link.closed(float(at_s), "a weak hub")

    assert link.health.closed == 3


def test_N1_N3_a_blinded_or_blocked_sensor_is_a_state_and_no_count(make: Make) -> None:
    node, link = joined(make)
    node.set_health(SE, wire.Health.BLINDED)
    node.set_health(NW, wire.Health.BLOCKED)

    heard = exchange(node, link, 0.05)

    assert states(heard) == {SE: PocketHealth.BLINDED, NW: PocketHealth.BLOCKED}
    assert reports(heard) == []


def test_a_silent_node_loses_its_pockets_within_a_second_and_comes_back(
    make: Make,
) -> None:
    node, link = joined(make)

    assert link.receive(b"", SILENT_AFTER_S) == []
    gone = link.receive(b"", SILENT_AFTER_S + 0.1)
    assert states(gone) == dict.fromkeys(Pocket, PocketHealth.LOST)
    assert states(exchange(node, link, 4.0)) == dict.fromkeys(
        Pocket, PocketHealth.CLEAR
    )


def test_a_port_without_a_pocket_node_is_told_after_five_seconds() -> None:
    link = PocketLink()
    link.opened()

    heard = [link.receive(b"", at_s) for at_s in (0.0, 4.9, 5.1, 9.0)]

    assert [len(one) for one in heard] == [0, 0, 4, 0]
    assert states(heard[2]) == dict.fromkeys(Pocket, PocketHealth.LOST)


def test_settings_and_self_test_are_asked_and_answered(make: Make) -> None:
    node, link = joined(make)
    link.command(wire.SettingsChange(2, 150, 40, 2500, 9000, 9500))
    link.command(wire.SelfTest(2))

    heard = exchange(node, link, 0.1)

    assert wire.SettingsNow(2, 150, 40, 2500, 9000, 9500) in heard
    assert wire.SelfTestDone(2, wire.SelfTestResult.PASSED, 700, 40) in heard


def session() -> Iterator[tuple[float, bytes]]:
    """What a node says in two seconds with five falls, and when."""
    node, link = joined(SimulatedNode)
    for step in range(1, 40):
        at_s = step / 20
        if step % 8 == 0:
            node.pulse(list(Pocket)[step // 8 % 4], at_s - 0.03)
        said = node.poll(at_s)
        yield at_s, said
        for report in reports(link.receive(said, at_s)):
            link.acknowledge(report)
        node.receive(link.to_send(at_s), at_s)


SESSION = list(session())


def replayed(cuts: list[int]) -> tuple[list[Heard], int]:
    """What a link makes of the session when each piece is cut up further."""
    node, link = SimulatedNode(), PocketLink()
    heard = exchange(node, link, 0.0)
    for at_s, said in SESSION:
        places = sorted({0, len(said), *(cut % (len(said) + 1) for cut in cuts)})
        for start, end in pairwise(places):
            heard += link.receive(said[start:end], at_s)
        for report in reports(heard):
            link.acknowledge(report)
        link.to_send(at_s)
    return heard, link.health.damaged


@given(st.lists(st.integers(0, 200), max_size=12))
def test_any_cutting_of_the_bytes_gives_the_same_reports(cuts: list[int]) -> None:
    whole, _ = replayed([])

    assert replayed(cuts) == (whole, 0)
    assert sequences(whole) == [0, 1, 2, 3]


@settings(deadline=None)
@given(st.lists(st.binary(max_size=120), max_size=30))
def test_a_link_outlives_any_bytes_and_reads_on(chunks: list[bytes]) -> None:
    node, link = joined(SimulatedNode)
    for chunk in chunks:
        link.receive(chunk, 0.1)
    link.receive(b"\0", 0.1)
    node.pulse(NE, 0.2)

    assert sequences(exchange(node, link, 0.3)) == [0]


def test_a_report_with_an_absurd_number_waits_and_is_dropped_with_its_start() -> None:
    node, link = joined(SimulatedNode)
    absurd = wire.PieceFell(1, 2**32 - 1, 0, wire.Looks.UNSURE, 0, 0, 0, 0, 0)
    link.receive(frame(absurd.pack()), 0.1)
    node.pulse(NE, 0.2)

    assert sequences(exchange(node, link, 0.3)) == [0]
