"""What failures.md 3.3 (S1 to S13) says of the microcontroller, on the real image."""

from collections.abc import Callable

import pytest

from controller.pockets import messages as wire
from firmware.emulator.emulator import EEPROM_BYTES
from firmware.emulator.listener import FIRST_START_US, STARTED_US, Node

PIN, BROWN_OUT = 2, 4
WDTCSR, WDE = 0x60, 8
Switch = Callable[..., Node]


def hello(node: Node) -> wire.Hello:
    return node.told(wire.Hello)[-1]


@pytest.mark.parametrize(
    ("flags", "cause"),
    [(PIN, wire.ResetCause.EXTERNAL), (BROWN_OUT, wire.ResetCause.BROWN_OUT)],
)
def test_s3_a_reset_is_told_with_its_cause_and_counted(
    node: Node, flags: int, cause: wire.ResetCause
) -> None:
    first = hello(node)
    node.emulator.reset(flags)
    node.run(STARTED_US)

    again = hello(node)
    assert (again.reset_cause, again.boot) == (cause, first.boot + 1)
    assert again.device == first.device


def test_s4_a_new_node_makes_up_an_id_and_keeps_it(switched_on: Switch) -> None:
    node = switched_on(b"\xff" * EEPROM_BYTES).run(FIRST_START_US)
    made_up = hello(node).device
    node.run(300_000)
    node.emulator.reset(PIN)
    node.run(STARTED_US)

    assert made_up not in (0, 2**64 - 1)
    assert hello(node).device == made_up


def test_s4_the_host_may_give_it_another_id_and_label(node: Node) -> None:
    node.say(wire.Identity(0x1234_5678_9ABC_DEF0, 7))
    node.run(300_000)
    node.emulator.reset(PIN)
    node.run(STARTED_US)

    assert (hello(node).device, hello(node).label) == (0x1234_5678_9ABC_DEF0, 7)


@pytest.mark.parametrize("cut_after_us", [20_000, 60_000])
def test_s4_power_cut_while_the_id_is_written_leaves_the_old_or_the_new(
    node: Node, cut_after_us: int
) -> None:
    old = hello(node).device
    node.say(wire.Identity(0xFEED_FACE_CAFE_BEEF, 9))
    node.run(cut_after_us)
    node.emulator.reset(1)
    node.run(STARTED_US)

    assert hello(node).device in (old, 0xFEED_FACE_CAFE_BEEF)
    assert not node.told(wire.Fault)


def test_s6_a_modem_managers_commands_do_no_harm(switched_on: Switch) -> None:
    node = switched_on().run(STARTED_US)
    node.emulator.send(b"AT+GCAP\r\nATI\r\n" + bytes(range(256)) * 2)
    node.greet()
    node.greet()  # the first one ended the garbage

    assert node.told(wire.Heartbeat)
    assert node.drop().looks == ["one_coin"]


def test_s10_a_report_is_sent_until_it_is_acknowledged(node: Node) -> None:
    node.deaf = True
    node.drop()
    sent = len(node.falls)
    node.deaf = False
    node.run(200_000)
    heard = len(node.falls)
    node.run(200_000)

    assert sent > 3
    assert {fall.sequence for fall in node.falls} == {0}
    assert len(node.falls) == heard


def test_s10_more_than_32_waiting_is_a_fault_and_never_silence(node: Node) -> None:
    node.deaf = True
    for n in range(36):
        node.let_fall(n % 4, 0.02 + 0.03 * n)
    node.run(1_500_000)
    fault = node.told(wire.Fault)[-1]
    node.deaf = False
    node.run(500_000)

    assert (fault.kind, fault.detail) == (wire.FaultKind.OVERFLOW, 4)
    assert {fall.sequence for fall in node.falls} == set(range(32))
    assert node.told(wire.Heartbeat)[-1].oldest == 36


def test_s12_a_main_loop_that_hangs_starts_anew_without_a_watchdog_reset(
    node: Node,
) -> None:
    boot = hello(node).boot
    node.emulator.hang()
    node.run(400_000 + STARTED_US)

    assert hello(node).reset_cause is wire.ResetCause.WATCHDOG
    assert hello(node).boot == boot + 1
    assert node.emulator.peek(WDTCSR) & WDE == 0


def test_s12_it_falls_again_after_a_hang(node: Node) -> None:
    node.emulator.hang()
    node.run(400_000)

    assert node.greet().drop(1).looks == ["one_coin"]


def test_s13_a_self_test_waits_until_nothing_falls(node: Node) -> None:
    node.let_fall(2, 0.050, speed_mm_s=300.0)
    node.run(55_000)
    busy = node.ask(wire.SelfTest(0), wire.SelfTestDone)
    node.run(500_000)
    done = node.ask(wire.SelfTest(0), wire.SelfTestDone)

    assert busy.result is wire.SelfTestResult.BUSY
    assert done.result is wire.SelfTestResult.PASSED
    assert node.looks == ["one_coin"]


def test_s13_no_sample_is_missed_while_the_host_asks_for_everything(node: Node) -> None:
    for n in range(12):
        node.let_fall(n % 4, 0.020 + 0.021 * n)
        node.say(wire.Challenge(n))
        node.say(wire.SettingsQuery(n % 4))
        node.say(wire.ValuesQuery(n % 4))
        node.run(21_000)
    node.run(300_000)

    assert node.overruns == 0
    assert len(node.falls) == 12


def test_settings_outlive_a_reset(node: Node) -> None:
    wanted = wire.SettingsChange(3, 150, 40, 2500, 9000, 9500)
    node.ask(wanted, wire.SettingsNow)
    node.run(200_000)
    node.emulator.reset(PIN)
    node.greet()

    now = node.ask(wire.SettingsQuery(3), wire.SettingsNow)
    assert now == wire.SettingsNow(3, 150, 40, 2500, 9000, 9500)


def test_a_damaged_record_is_told_and_replaced(
    switched_on: Switch, eeprom: bytes
) -> None:
    ruined = bytearray(eeprom)
    ruined[128:208] = bytes(80)
    node = switched_on(bytes(ruined)).run(FIRST_START_US).greet()

    assert node.told(wire.Fault)[0].kind is wire.FaultKind.MEMORY
    assert hello(node).device != 0


def test_every_start_is_counted(switched_on: Switch) -> None:
    node = switched_on()
    boots = []
    for _ in range(4):
        node.run(STARTED_US)
        boots.append(hello(node).boot)
        node.emulator.reset(PIN)

    assert boots == list(range(boots[0], boots[0] + 4))
