"""`carrom pockets` with a node at the end of a pseudo-terminal."""

import itertools
import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from calibration.refusal import Refusal
from calibration.table import Pocket
from controller.config import PocketSettings, load
from controller.pockets import messages as wire
from controller.pockets.attending import Attending
from controller.pockets.dropping import TOGETHER_S
from controller.pockets.errands import Errands
from controller.pockets.keys import read_key
from controller.pockets.pty_node import PtyNode
from controller.pockets.serial_port import open_port
from controller.pockets.simulated import SimulatedNode
from controller.pockets.siphash import siphash

NE, SE, SW, NW = Pocket
Line = dict[str, Any]
CROSSED = {NE: SE, SE: NE, SW: SW, NW: NW}
"""Two cables swapped: a coin in north-east breaks channel 1's beam."""


@pytest.fixture
def simulated() -> SimulatedNode:
    return SimulatedNode(device=0xA1, started_s=time.monotonic())


@pytest.fixture
def node(simulated: SimulatedNode, tmp_path: Path) -> Iterator[PtyNode]:
    with PtyNode(simulated, tmp_path / "node") as plugged:
        yield plugged


class Person:
    """Reads each line and does what it asks for."""

    def __init__(self, **does: Callable[[Line], None]) -> None:
        self._does = does
        self.lines: list[Line] = []

    def read(self, text: str) -> None:
        line = json.loads(text)
        self.lines.append(line)
        self._does.get(line["record"], lambda _line: None)(line)

    def first(self, record: str) -> Line:
        return next(line for line in self.lines if line["record"] == record)


def errands(node: PtyNode, person: Person | None = None, **settings: object) -> Errands:
    kept = PocketSettings.model_validate(
        {"source": "serial", "port": node.path, **settings}
    )
    out = (person or Person()).read
    return Errands(Attending(kept), kept, as_json=True, out=out)


async def test_states_values_and_falls_are_told_as_json_lines(node: PtyNode) -> None:
    person = Person(node=lambda _line: node.pulse(SW, time.monotonic()))
    one = errands(node, person)

    await one.run(one.watch(3.0))

    up, fell = person.first("node"), person.first("fell")
    assert (up["device"], up["board"]) == ("00000000000000a1", "host")
    assert (fell["pocket"], fell["depth"]) == ("south-west", 640)
    assert fell["looks"] == "one-coin"
    channels = {line["pocket"] for line in person.lines if line["record"] == "values"}
    assert channels == {0, 1, 2, 3}
    assert node.pending == 0


async def test_what_waits_for_a_match_is_not_acknowledged_by_looking(
    node: PtyNode,
) -> None:
    node.pulse(NE, time.monotonic() - 1.0)
    one = errands(node)

    await one.run(one.watch(0.8))

    assert node.pending == 1
    with pytest.raises(Refusal, match=r"wait in the node \(1\).*--forget"):
        await one.run(one.drop(None, 0.5))


async def test_what_was_of_no_match_is_forgotten_when_a_person_says_so(
    node: PtyNode,
) -> None:
    node.pulse(NE, time.monotonic() - 1.0)
    kept = PocketSettings.model_validate({"source": "serial", "port": node.path})
    attending = Attending(kept, forget=True)
    one = Errands(attending, kept, as_json=True, out=Person().read)

    await one.run(one.watch(0.8))

    assert node.pending == 0


async def test_a_coin_in_each_pocket_writes_the_channels_into_the_configuration(
    node: PtyNode, tmp_path: Path
) -> None:
    config = tmp_path / "carrom.toml"
    config.write_text('# club\n[pockets]\nsource = "serial" # nano\n')
    later_s = itertools.count(1)

    def drop(line: Line) -> None:
        at_s = time.monotonic() + next(later_s) * TOGETHER_S
        node.pulse(CROSSED[Pocket(line["pocket"])], at_s, 1000)

    one = errands(node, Person(ask=drop))

    await one.run(one.drop(config, 6.0))

    text = config.read_text()
    assert text.startswith('# club\n[pockets]\nsource = "serial" # nano\n')
    assert load(config).pockets.device == "00000000000000a1"
    assert load(config).pockets.channels == (SE, NE, SW, NW)


async def test_channels_that_cannot_be_written_are_not_lost(
    node: PtyNode, tmp_path: Path
) -> None:
    config = tmp_path / "carrom.toml"
    config.write_text('[pockets]\nsource = "serial"\n')
    (tmp_path / "carrom.toml.new").mkdir()
    later_s = itertools.count(1)

    def drop(line: Line) -> None:
        at_s = time.monotonic() + next(later_s) * TOGETHER_S
        node.pulse(Pocket(line["pocket"]), at_s, 1000)

    one = errands(node, Person(ask=drop))

    with pytest.raises(Refusal, match=r'under .pockets.: device = "00000000000000a1"'):
        await one.run(one.drop(config, 6.0))


async def test_S1_a_node_unplugged_while_coins_are_awaited_is_told_at_once(
    node: PtyNode,
) -> None:
    person = Person(ask=lambda _line: node.unplug())
    one = errands(node, person)

    with pytest.raises(Refusal, match="no coin was seen"):
        await one.run(one.drop(None, 1.0))

    assert node.path in person.first("trouble")["text"]


async def test_a_self_test_waits_while_something_falls(
    node: PtyNode, simulated: SimulatedNode
) -> None:
    class BusyAtFirst(list[wire.SelfTestResult]):
        def __getitem__(self, pocket):
            busy, self[0] = super().__getitem__(0), wire.SelfTestResult.PASSED
            return busy

    simulated.self_tests = BusyAtFirst([wire.SelfTestResult.BUSY])
    person = Person()
    one = errands(node, person)

    await one.run(one.self_test())

    results = [li["result"] for li in person.lines if li["record"] == "self-test"]
    assert results == ["passed"] * 4


def test_ctrl_c_ends_a_question_at_the_terminal() -> None:
    master, slave = pty.openpty()
    asks = "from controller.pockets.errands import _confirmed as c; import asyncio;"
    command = [sys.executable, "-c", f"{asks} asyncio.run(c('write it?'))"]
    asking = subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, start_new_session=True
    )
    while b"[y/N]" not in os.read(master, 100):
        pass
    asking.send_signal(signal.SIGINT)
    ended = asking.wait(10)
    os.close(master)
    os.close(slave)

    assert ended != 0


async def test_a_threshold_found_is_put_in_force(
    node: PtyNode, simulated: SimulatedNode
) -> None:
    def drop_three(_line: Line) -> None:
        for pocket in [*Pocket] * 3:
            node.pulse(pocket, time.monotonic(), 2000)

    one = errands(node, Person(coins=drop_three))

    await one.run(one.tune(2.0, yes=True))

    assert {(s.threshold, s.hysteresis) for s in simulated.settings} == {(320, 160)}


async def test_the_coins_of_the_drop_test_are_no_noise_when_tuning(
    node: PtyNode, simulated: SimulatedNode
) -> None:
    def drop_three(_line: Line) -> None:
        for pocket in [*Pocket] * 3:
            node.pulse(pocket, time.monotonic(), 2000)

    for pocket in Pocket:
        node.pulse(pocket, time.monotonic() - 1.0, 2000)
    kept = PocketSettings.model_validate({"source": "serial", "port": node.path})
    person = Person(coins=drop_three)
    one = Errands(Attending(kept, forget=True), kept, as_json=True, out=person.read)

    await one.run(one.tune(2.0, yes=True))

    assert {(s.threshold, s.hysteresis) for s in simulated.settings} == {(320, 160)}


async def test_a_node_is_named_and_given_a_key(
    node: PtyNode, simulated: SimulatedNode, tmp_path: Path
) -> None:
    one = errands(node)
    await one.run(one.identify(7, new_id=True))
    two = errands(node)
    await two.run(two.write_key(tmp_path / "node.key"))

    assert simulated.label == 7
    assert simulated.device != 0xA1
    assert simulated.key == read_key(tmp_path / "node.key")
    assert (tmp_path / "node.key").stat().st_mode & 0o777 == 0o600


async def test_a_node_with_another_key_refuses_a_new_one(
    node: PtyNode, simulated: SimulatedNode, tmp_path: Path
) -> None:
    simulated.key = bytes(16)
    one = errands(node)

    with pytest.raises(Refusal, match="key_file"):
        await one.run(one.write_key(tmp_path / "node.key"))

    assert not (tmp_path / "node.key").exists()
    old = tmp_path / "old.key"
    old.write_text("00" * 16)
    two = errands(node, key_file=old)
    await two.run(two.write_key(tmp_path / "node.key"))
    assert siphash(simulated.key, b"") == siphash(read_key(tmp_path / "node.key"), b"")


async def test_N3_a_receiver_that_does_not_follow_fails_the_self_test(
    node: PtyNode, simulated: SimulatedNode
) -> None:
    simulated.self_tests[1] = wire.SelfTestResult.STAYS_DARK
    one = errands(node)

    with pytest.raises(Refusal, match="self-test failed: south-east;"):
        await one.run(one.self_test())


def carrom(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "controller", "pockets", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_S2_a_port_in_use_is_refused_in_one_line(node: PtyNode) -> None:
    with open_port(node.path):
        ran = carrom("--port", node.path, "--seconds", "1")

    assert (ran.returncode, ran.stdout.count("Traceback")) == (2, 0)
    assert ran.stderr == (
        f"carrom: {node.path} is in use by another program: end that one first\n"
    )


def test_a_live_screen_without_a_terminal_is_refused_and_not_silent() -> None:
    ran = carrom("--port", "/dev/null")

    assert (ran.returncode, ran.stdout) == (2, "")
    assert "give --seconds for one look, or --json" in ran.stderr


def test_two_errands_at_once_are_refused() -> None:
    ran = carrom("--drop", "--tune")

    assert ran.returncode == 2
    assert ran.stderr.startswith("carrom: one thing at a time")
