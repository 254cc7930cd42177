"""The real serial port over a pseudo-terminal, with a simulated node behind it."""

import asyncio
import os
import pty
import time
import tty
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TypeVar

import pytest
import serial

from calibration.table import Pocket
from controller.events import PocketHealth, PocketReport, PocketState
from controller.pockets.heard import DeviceUp, Heard
from controller.pockets.link import PocketLink
from controller.pockets.port import (
    FIRST_WAIT_S,
    LONGEST_WAIT_S,
    PocketPort,
    next_wait_s,
)
from controller.pockets.pty_node import PtyNode
from controller.pockets.serial_port import (
    PORT_ERRORS,
    explain,
    open_port,
    stable_name,
)
from controller.pockets.simulated import SimulatedNode

Kind = TypeVar("Kind", PocketReport, PocketState, DeviceUp)
NE, SE, SW, NW = Pocket


class Listener:
    """A running port, and what it hears in order."""

    def __init__(self, path: str) -> None:
        self._heard: asyncio.Queue[Heard] = asyncio.Queue()
        self.port = PocketPort(path, PocketLink(), self._heard.put_nowait)

    async def until(self, kind: type[Kind]) -> Kind:
        """The next thing heard of this kind."""
        while True:
            heard = await self._heard.get()
            if isinstance(heard, kind):
                return heard

    async def until_all(self, health: PocketHealth) -> str:
        """Wait until four pockets changed to this health; the last reason."""
        left, reason = set(Pocket), ""
        while left:
            state = await self.until(PocketState)
            if state.health is health:
                left.discard(state.pocket)
                reason = state.reason
        return reason


@asynccontextmanager
async def listening(path: str) -> AsyncIterator[Listener]:
    listener = Listener(path)
    task = asyncio.create_task(listener.port.run())
    yield listener
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


@pytest.fixture
def node(tmp_path: Path) -> Iterator[PtyNode]:
    simulated = SimulatedNode(started_s=time.monotonic(), drift=0.004)
    with PtyNode(simulated, tmp_path / "node") as plugged:
        yield plugged


async def test_a_fall_reaches_the_host_with_its_time(node: PtyNode) -> None:
    async with listening(node.path) as listener:
        await listener.until_all(PocketHealth.CLEAR)
        fell_s = time.monotonic()
        node.pulse(SW, fell_s)

        report = await listener.until(PocketReport)

        assert report.pocket is SW
        assert abs(report.at_s - fell_s) <= report.error_s


async def test_pockets_are_lost_until_the_node_is_heard(node: PtyNode) -> None:
    async with listening(node.path) as listener:
        assert "waiting" in await listener.until_all(PocketHealth.LOST)
        await listener.until_all(PocketHealth.CLEAR)


async def test_S1_X9_a_pulled_plug_is_told_and_a_replugged_node_goes_on(
    node: PtyNode,
) -> None:
    async with listening(node.path) as listener:
        await listener.until_all(PocketHealth.CLEAR)
        node.unplug()
        await listener.until_all(PocketHealth.LOST)
        node.pulse(NE, time.monotonic())
        node.plug()

        assert (await listener.until(PocketReport)).pocket is NE
        assert listener.port.health.closed == 1


async def test_S8_the_old_handle_is_closed_before_a_port_is_looked_for(
    node: PtyNode,
) -> None:
    async with listening(node.path) as listener:
        await listener.until_all(PocketHealth.CLEAR)
        device = os.path.realpath(node.path)
        node.unplug()
        await listener.until_all(PocketHealth.LOST)

        assert not [held for held in open_files() if held.startswith(device)]


def open_files() -> list[str]:
    """What the descriptors of this process point to."""
    own = Path("/proc/self/fd")
    return [os.readlink(link) for link in own.iterdir() if link.is_symlink()]


async def test_a_killed_controller_is_told_again(node: PtyNode) -> None:
    async with listening(node.path) as listener:
        await listener.until_all(PocketHealth.CLEAR)
        node.pulse(NE, time.monotonic())
        first = await listener.until(PocketReport)

    async with listening(node.path) as listener:
        again = await listener.until(PocketReport)
        assert (again.device, again.boot, again.sequence) == (
            first.device,
            first.boot,
            first.sequence,
        )
        listener.port.acknowledge(again)
        node.pulse(SE, time.monotonic())
        assert (await listener.until(PocketReport)).pocket is SE
        assert node.pending == 1


async def test_S2_a_port_held_by_us_is_refused_to_another(node: PtyNode) -> None:
    with open_port(node.path), pytest.raises(PORT_ERRORS) as refused:
        open_port(node.path)

    assert "in use by another program" in explain(node.path, refused.value)


async def test_S3_a_node_reset_while_open_is_told(node: PtyNode) -> None:
    async with listening(node.path) as listener:
        await listener.until_all(PocketHealth.CLEAR)
        node.reset()
        up = await listener.until(DeviceUp)

        assert (up.boot, up.restarted) == (2, True)


async def test_a_port_that_is_not_there_yet_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "node"
    async with listening(str(path)) as listener:
        reason = await listener.until_all(PocketHealth.LOST)
        assert reason.startswith(f"no port {path}")
        simulated = SimulatedNode(started_s=time.monotonic())
        with PtyNode(simulated, path):
            await listener.until_all(PocketHealth.CLEAR)


async def test_S11_a_file_that_is_no_port_is_refused_and_retried() -> None:
    async with listening(os.devnull) as listener:
        why = await listener.until_all(PocketHealth.LOST)
        assert why == "/dev/null is no serial port: name the pocket node's"

        assert listener.port.health.closed == 0


def test_S11_every_failure_waits_longer_up_to_two_seconds() -> None:
    waits = [FIRST_WAIT_S]
    while waits[-1] < LONGEST_WAIT_S:
        waits.append(next_wait_s(waits[-1], was_up=False))

    assert waits == [0.1, 0.2, 0.4, 0.8, 1.6, 2.0]
    assert next_wait_s(2.0, was_up=False) == 2.0
    assert next_wait_s(2.0, was_up=True) == FIRST_WAIT_S


def test_X9_whatever_pyserial_raises_for_a_pulled_plug_is_a_port_error() -> None:
    master, slave = pty.openpty()
    tty.setraw(slave)
    port = open_port(os.ttyname(slave))
    os.close(slave)
    os.close(master)

    raised = []
    for failing in (lambda: port.read(1), lambda: port.in_waiting, port.flush):
        with pytest.raises(PORT_ERRORS) as error:
            failing()
        raised.append(error.type)
    port.close()

    assert serial.SerialException in raised


def test_S4_the_stable_name_of_a_port_tells_identical_adapters_apart(
    tmp_path: Path,
) -> None:
    device = tmp_path / "ttyUSB0"
    device.touch()
    for folder, name in (("by-id", "usb-1a86_USB_Serial"), ("by-path", "usb-0:1.2")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).symlink_to(device)

    assert stable_name(str(device), tmp_path) == str(tmp_path / "by-path/usb-0:1.2")
    assert stable_name(str(tmp_path / "other"), tmp_path) is None


@pytest.mark.parametrize(
    ("error", "remedy"),
    [
        pytest.param(FileNotFoundError(2, "x"), "plug the pocket node in", id="gone"),
        pytest.param(PermissionError(13, "x"), "group dialout", id="no access"),
        pytest.param(OSError(16, "x"), "end that one first", id="busy"),
    ],
)
def test_S2_S7_a_failed_port_is_explained_with_its_remedy(
    error: OSError, remedy: str
) -> None:
    assert remedy in explain("/dev/ttyUSB0", error)
