"""A node is found among many ports by its id, never by the name of a port."""

import asyncio
import os
import pty
import time
import tty
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Self, TypeVar

import pytest

from calibration.table import Pocket
from controller.events import PocketHealth, PocketReport, PocketState
from controller.pockets.adapters import no_port
from controller.pockets.finding import NotFound, find
from controller.pockets.heard import DeviceRefused, DeviceUp, Heard
from controller.pockets.link import PocketLink
from controller.pockets.port import PocketPort
from controller.pockets.pty_node import PtyNode
from controller.pockets.serial_port import candidates
from controller.pockets.simulated import SimulatedNode

Kind = TypeVar("Kind")
ONE, TWO = "00000000000000a1", "00000000000000a2"


class Desk:
    """A folder of ports with nodes plugged in, as udev would name them."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self.folder = folder
        self._stack = stack

    @property
    def place(self) -> str:
        return f"{self.folder}/"

    def plug(self, name: str, device: str, *, definition: int | None = None) -> PtyNode:
        simulated = SimulatedNode(int(device, 16), started_s=time.monotonic())
        simulated.definition = definition or simulated.definition
        return self._stack.enter_context(PtyNode(simulated, self.folder / name))

    def plug_something_else(self, name: str) -> int:
        """A port whose device says nothing; its far end."""
        master, slave = pty.openpty()
        tty.setraw(slave)
        for end in (master, slave):
            self._stack.callback(os.close, end)
        (self.folder / name).symlink_to(os.ttyname(slave))
        return master


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    folder = tmp_path / "serial" / "by-id"
    folder.mkdir(parents=True)
    with ExitStack() as stack:
        yield Desk(folder, stack)


async def found(desk: Desk, device: str = "") -> str:
    """The name of the port that is taken."""
    line = await find(desk.place, device, time.monotonic)
    line.close()
    return Path(line.path).name


async def test_the_only_node_is_found(desk: Desk) -> None:
    desk.plug("usb-CH340", ONE)

    assert await found(desk) == "usb-CH340"


async def test_S4_a_node_is_found_by_its_id_whatever_its_port_is_called(
    desk: Desk,
) -> None:
    desk.plug("usb-a", TWO)
    desk.plug("usb-b", ONE)

    assert await found(desk, ONE) == "usb-b"


async def test_S4_the_table_of_two_nodes_must_be_chosen(desk: Desk) -> None:
    desk.plug("usb-a", TWO)
    desk.plug("usb-b", ONE)

    with pytest.raises(NotFound, match=r"set device in \[pockets\]"):
        await found(desk)


async def test_S4_two_nodes_with_one_id_are_refused(desk: Desk) -> None:
    desk.plug("usb-a", ONE)
    desk.plug("usb-b", ONE)

    with pytest.raises(NotFound, match=f"two pocket nodes say they are {ONE}"):
        await found(desk, ONE)


async def test_another_tables_node_is_not_taken(desk: Desk) -> None:
    desk.plug("usb-a", TWO)

    with pytest.raises(NotFound, match=f"{ONE} is not there, only {TWO}"):
        await found(desk, ONE)


async def test_S4_another_tables_node_is_not_taken_at_a_named_port_either(
    desk: Desk,
) -> None:
    node = desk.plug("port", TWO)

    with pytest.raises(NotFound, match=f"{ONE} is not there, only {TWO}"):
        await find(node.path, ONE, time.monotonic)


async def test_a_node_that_must_be_updated_is_said_before_all_else(desk: Desk) -> None:
    desk.plug_something_else("usb-printer")
    desk.plug("usb-node", ONE, definition=1)

    with pytest.raises(NotFound, match=r"^pocket node: protocol .* flash the firmware"):
        await found(desk)


async def test_a_port_without_a_node_is_let_go(desk: Desk) -> None:
    far_end = desk.plug_something_else("usb-printer")
    desk.plug("usb-node", ONE)

    assert await found(desk) == "usb-node"

    held = [
        os.readlink(link)
        for link in Path("/proc/self/fd").iterdir()
        if link.is_symlink()
    ]
    name = os.readlink(desk.folder / "usb-printer")
    assert held.count(name) == 1
    assert b"\0" in os.read(far_end, 100)


async def test_no_port_at_all_says_what_to_do(desk: Desk) -> None:
    with pytest.raises(NotFound, match="plug the pocket node in"):
        await found(desk)


def plugged(root: Path, *, with_port: bool) -> Path:
    """What the system tells of a CH340: brltty leaves it without a port."""
    (root / "1-2").mkdir()
    (root / "1-2/idVendor").write_text("1a86\n")
    (root / "1-2:1.0").mkdir()
    if with_port:
        (root / "1-2:1.0/ttyUSB0").mkdir()
    return root


def test_S5_an_adapter_that_brltty_took_is_said_with_the_remedy(
    tmp_path: Path,
) -> None:
    said = no_port(
        "/dev/serial/by-id/", "plug it in", plugged(tmp_path, with_port=False)
    )

    assert "CH340" in said
    assert "/etc/udev/rules.d/90-brltty-usb-generic.rules" in said


def test_S5_an_adapter_with_its_port_is_no_case_of_brltty(tmp_path: Path) -> None:
    said = no_port("/dev/x/", "plug it in", plugged(tmp_path, with_port=True))

    assert said == "no serial port in /dev/x/: plug it in"


def test_S4_adapters_that_share_a_name_are_all_candidates(tmp_path: Path) -> None:
    devices = [Path("/dev/null"), Path("/dev/zero")]  # two that are always there
    links = {"by-path/usb-1": 0, "by-path/usb-2": 1, "by-id/usb-CH340": 1}
    for name, device in links.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).symlink_to(devices[device])

    assert candidates(f"{tmp_path}/by-id/") == (
        f"{tmp_path}/by-id/usb-CH340",
        f"{tmp_path}/by-path/usb-1",
    )


class Listener:
    """A port that looks for its node in a folder, and all that is heard."""

    def __init__(self, desk: Desk, device: str = "") -> None:
        self._heard: asyncio.Queue[Heard] = asyncio.Queue()
        link = PocketLink()
        self.port = PocketPort(desk.place, link, self._heard.put_nowait, device=device)

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self.port.run())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._task.cancel()
        with suppress(asyncio.CancelledError):
            await self._task

    async def until(self, kind: type[Kind]) -> Kind:
        while True:
            heard = await self._heard.get()
            if isinstance(heard, kind):
                return heard


async def test_S1_S4_a_node_replugged_at_another_port_goes_on(desk: Desk) -> None:
    first = desk.plug("usb-a", ONE)
    async with Listener(desk) as listener:
        await listener.until(DeviceUp)
        first.unplug()
        while (await listener.until(PocketState)).health is not PocketHealth.LOST:
            pass
        second = desk.plug("usb-b", ONE)
        second.pulse(Pocket.SOUTH_WEST, time.monotonic())

        assert (await listener.until(PocketReport)).pocket is Pocket.SOUTH_WEST


async def test_S4_a_copy_plugged_in_beside_the_node_is_told_and_not_heard(
    desk: Desk,
) -> None:
    node = desk.plug("usb-a", ONE)
    async with Listener(desk) as listener:
        await listener.until(DeviceUp)
        copy = desk.plug("usb-b", ONE)
        copy.pulse(Pocket.NORTH_EAST, time.monotonic())

        refused = await listener.until(DeviceRefused)

        assert f"two pocket nodes say they are {ONE}" in refused.reason
        node.pulse(Pocket.SOUTH_WEST, time.monotonic())
        assert (await listener.until(PocketReport)).pocket is Pocket.SOUTH_WEST
