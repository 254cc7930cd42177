"""What is no pocket node's port is refused at once, in one line that says what to do."""

import os
import pty
import resource
import tty
from collections.abc import Callable
from pathlib import Path

import pytest

from calibration.refusal import Refusal
from calibration.table import Pocket
from controller.commands.flash import IMAGES, Named, flash, only
from controller.commands.pockets import pockets
from controller.config import PocketSettings
from controller.events import PocketState
from controller.pockets.attending import Attending
from controller.pockets.channels import write_channels
from controller.pockets.errands import ANSWER_S, Errands
from controller.pockets.finding import ask
from controller.pockets.images import shipped
from controller.pockets.keys import make_key, read_key
from controller.pockets.link import PocketLink
from controller.pockets.reasons import GARBLED
from controller.pockets.serial_port import candidates

NO_PORT = "is no serial port: name the pocket node's"


@pytest.mark.parametrize("command", [pockets, flash])
def test_an_empty_port_is_not_the_folder_one_stands_in(
    command: Callable[..., None],
) -> None:
    with pytest.raises(Refusal, match="--port is empty: name the"):
        command(port="")


async def test_a_device_that_is_no_port_is_refused_without_waiting() -> None:
    settings = PocketSettings(source="serial", port="/dev/null")
    errands = Errands(Attending(settings), settings, as_json=True)

    with pytest.raises(Refusal, match=NO_PORT):
        await errands.run(errands.self_test())


async def test_flashing_leaves_a_port_that_does_not_work_alone() -> None:
    answer = await ask("/dev/null", lambda: 0.0)

    assert (answer.failed, answer.reason) == (True, f"/dev/null {NO_PORT}")


def test_files_in_a_folder_of_ports_are_no_candidates(tmp_path: Path) -> None:
    master, slave = pty.openpty()
    tty.setraw(slave)
    (tmp_path / "notes.txt").write_text("not a port")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "node").symlink_to(os.ttyname(slave))

    assert candidates(str(tmp_path)) == (str(tmp_path / "node"),)
    with pytest.raises(Refusal, match="no serial port in"):
        only("/etc/")
    os.close(master)
    os.close(slave)


def test_a_port_that_talks_garbage_is_called_so_within_the_time_of_an_answer() -> None:
    link = PocketLink()
    link.opened()
    times_s = [number / 10 for number in range(int(10 * ANSWER_S))]

    heard = [one for at_s in times_s for one in link.receive(b"\x17AT+GCAP\r", at_s)]

    assert {one.reason for one in heard if isinstance(one, PocketState)} == {GARBLED}


def test_a_key_that_is_a_pipe_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "key")

    with pytest.raises(Refusal, match="is no file: name the one with the key"):
        read_key(tmp_path / "key")


@pytest.mark.parametrize("held", [b"", b"\xff\xfe", b"12 34", b"zz" * 16])
def test_a_key_file_that_holds_no_key_says_what_to_do(
    tmp_path: Path, held: bytes
) -> None:
    (tmp_path / "key").write_bytes(held)

    with pytest.raises(Refusal, match="32 hexadecimal digits: restore it, or write a"):
        read_key(tmp_path / "key")


def test_a_key_that_finds_no_room_leaves_no_empty_file(tmp_path: Path) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, hard))
    try:
        with pytest.raises(Refusal, match="make room"):
            make_key(tmp_path / "node.key")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert not (tmp_path / "node.key").exists()


def test_channels_are_written_where_a_link_leads_and_keep_its_rights(
    tmp_path: Path,
) -> None:
    config, link = tmp_path / "table.toml", tmp_path / "carrom.toml"
    config.write_text("[pockets]\n")
    config.chmod(0o600)
    link.symlink_to(config)

    write_channels(link, "00000000000000a1", tuple(Pocket))

    assert link.is_symlink()
    assert config.stat().st_mode & 0o777 == 0o600
    assert "00000000000000a1" in config.read_text()


def test_an_uno_takes_the_nanos_image() -> None:
    assert shipped(IMAGES[Named.UNO]) == shipped(IMAGES[Named.NANO])
