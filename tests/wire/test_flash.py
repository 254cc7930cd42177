"""`carrom flash`: the real avrdude against a stand-in boot loader, and a Pico's drive."""

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from fastcrc import crc32
from stand_in_bootloader import StandIn

from calibration.refusal import Refusal
from controller.pockets import messages as wire
from controller.pockets.flashing import INFO, find_drive
from controller.pockets.images import FOLDER, Make, own, shipped
from controller.pockets.serial_port import open_port
from controller.pockets.simulated import SimulatedNode

FIRMWARE = Path(__file__).parents[2] / "firmware"
NEEDS_AVRDUDE = pytest.mark.skipif(
    shutil.which("avrdude") is None, reason="needs avrdude"
)


def carrom(*arguments: object, path: str | None = None) -> tuple[int, str, str]:
    """Exit code, what was said, what was complained of."""
    command = [sys.executable, "-m", "controller", "flash", *map(str, arguments)]
    environment = None if path is None else {"PATH": path, "PYTHONPATH": sys.path[0]}
    ran = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        cwd=FIRMWARE.parent,
    )
    return ran.returncode, ran.stdout, ran.stderr


class Flashed(SimulatedNode):
    """A node that runs the shipped build once its board was reset."""

    def reset(
        self, at_s: float, cause: wire.ResetCause = wire.ResetCause.EXTERNAL
    ) -> None:
        super().reset(at_s, cause)
        build = shipped(Make.NANO).build
        assert build is not None
        self.build = int(build, 16)


def board(**stand_in: object) -> StandIn:
    node = Flashed(started_s=time.monotonic())
    return StandIn(node, time.monotonic, **stand_in)  # type: ignore[arg-type]


def written(hexadecimal: Path) -> dict[int, int]:
    """Each byte of an Intel hex file by its address."""
    memory: dict[int, int] = {}
    for line in hexadecimal.read_text().split():
        record = bytes.fromhex(line[1:])
        at, kind = int.from_bytes(record[1:3], "big"), record[3]
        if kind == 0:
            memory |= {at + n: byte for n, byte in enumerate(record[4:-1])}
    return memory


@NEEDS_AVRDUDE
def test_the_shipped_image_is_written_verified_and_heard() -> None:
    with board() as nano:
        code, said, complaint = carrom("--port", nano.path, "--json")

        memory = written(FOLDER / "node-nano.hex")
        assert {at: nano.flash[at] for at in memory} == memory
    assert (code, complaint) == (0, "")
    told = json.loads(said)
    assert (told["before"], told["build"]) == ("00000000", shipped(Make.NANO).build)


@NEEDS_AVRDUDE
@pytest.mark.slow
def test_an_old_boot_loader_is_found_after_the_new_one_was_tried() -> None:
    with board(baud=57600) as nano:
        code, said, _ = carrom("--port", nano.path)

    assert code == 0
    assert "boot loader at 57600 baud" in said


@NEEDS_AVRDUDE
def test_an_old_boot_loader_is_written_when_it_is_named() -> None:
    with board(baud=57600) as nano:
        code, _, complaint = carrom("--port", nano.path, "--bootloader", "old")

    assert (code, complaint) == (0, "")


@NEEDS_AVRDUDE
def test_another_chip_is_refused() -> None:
    with board(signature=b"\x1e\x98\x01") as mega:
        code, _, complaint = carrom("--port", mega.path)

        assert set(mega.flash) == {0xFF}
    assert code == 2
    assert "is no ATmega328P: take a Nano or Uno" in complaint


@NEEDS_AVRDUDE
def test_a_board_that_does_not_keep_what_is_written_is_refused() -> None:
    with board(wears=True) as nano:
        code, _, complaint = carrom("--port", nano.path)

    assert code == 2
    assert "is not what was written" in complaint


@NEEDS_AVRDUDE
@pytest.mark.slow
def test_a_port_without_a_boot_loader_is_refused() -> None:
    with board(baud=57600) as nano:
        code, _, complaint = carrom("--port", nano.path, "--bootloader", "new")

    assert code == 2
    assert "no boot loader answers" in complaint
    assert complaint.count("\n") == 1


def test_without_avrdude_the_package_is_named(tmp_path: Path) -> None:
    with board() as nano:
        code, _, complaint = carrom("--port", nano.path, path=str(tmp_path))

    assert code == 2
    assert complaint == "carrom: avrdude is not installed: sudo apt install avrdude\n"


def test_a_port_in_use_is_not_written() -> None:
    with board() as nano, open_port(nano.path):
        code, _, complaint = carrom("--port", nano.path)

        assert set(nano.flash) == {0xFF}
    assert code == 2
    assert "in use by another program" in complaint


def test_among_several_ports_one_must_be_chosen(tmp_path: Path) -> None:
    with board() as one, board() as two:
        one.named(tmp_path / "usb-a")
        two.named(tmp_path / "usb-b")
        code, _, complaint = carrom("--port", f"{tmp_path}/")

    assert code == 2
    assert "usb-a" in complaint
    assert "choose with --port" in complaint


@pytest.mark.parametrize("text", ["", "hello", ":00000001FE", ":0400000001020304F2"])
def test_a_file_that_is_no_image_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "own.hex").write_text(text)

    with pytest.raises(ValueError, match="is no Intel hex image"):
        own(Make.NANO, tmp_path / "own.hex")


def uf2(family: int = 0xE48BFF56) -> bytes:
    """One block of an RP2040's image, by Microsoft's description of UF2."""
    words = (0x0A324655, 0x9E5D5157, 0x2000, 0x10000000, 256, 0, 1, family)
    head = b"".join(word.to_bytes(4, "little") for word in words)
    return head + bytes(476) + (0x0AB16F30).to_bytes(4, "little")


def test_a_device_is_not_read_as_an_image() -> None:
    with pytest.raises(Refusal, match="is no file"):
        own(Make.NANO, Path("/dev/zero"))


def test_a_pico_takes_its_image_as_a_drive_and_answers(tmp_path: Path) -> None:
    drive, image = tmp_path / "RPI-RP2", tmp_path / "node.uf2"
    drive.mkdir()
    (drive / INFO).write_text("UF2 Bootloader v3.0\nBoard-ID: RPI-RP2\n")
    image.write_bytes(uf2())
    with board() as pico:
        code, said, complaint = carrom(
            *("--board", "pico", "--file", image, "--drive", drive),
            *("--port", pico.path),
        )

    assert (code, complaint) == (0, "")
    assert (drive / "node.uf2").read_bytes() == uf2()
    assert "answers" in said


def test_a_stick_is_not_taken_for_a_pico(tmp_path: Path) -> None:
    image = tmp_path / "node.uf2"
    image.write_bytes(uf2())

    code, _, complaint = carrom(
        *("--board", "pico", "--file", image, "--drive", tmp_path)
    )

    assert code == 2
    assert "is no Pico's drive" in complaint
    assert sorted(tmp_path.iterdir()) == [image]


def test_an_image_for_another_chip_is_refused_to_a_pico(tmp_path: Path) -> None:
    image = tmp_path / "node.uf2"
    image.write_bytes(uf2(family=0xADA52840))

    with pytest.raises(ValueError, match="no RP2040 UF2"):
        own(Make.PICO, image)


def test_a_mounted_pico_is_found(tmp_path: Path) -> None:
    (tmp_path / "RPI-RP2").mkdir()
    (tmp_path / "RPI-RP2" / INFO).touch()

    assert find_drive([f"{tmp_path}/*"]) == tmp_path / "RPI-RP2"
    with pytest.raises(ValueError, match="hold its BOOTSEL button"):
        find_drive([f"{tmp_path}/none/*"])


def test_the_shipped_image_is_made_of_these_sources() -> None:
    ran = subprocess.run(
        [sys.executable, str(FIRMWARE / "ship.py"), "--check"],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (ran.returncode, ran.stderr) == (0, "")
    listed = json.loads((FOLDER / "images.json").read_text())
    assert {image["definition"] for image in listed.values()} == {
        f"{wire.DEFINITION:08x}"
    }
    assert set(listed) == set(Make)


def test_the_shipped_picos_first_stage_has_the_checksum_its_boot_rom_asks_for() -> None:
    data = own(Make.PICO, shipped(Make.PICO).path).path.read_bytes()
    blocks = [data[at : at + 512] for at in range(0, len(data), 512)]
    goes = [int.from_bytes(block[12:16], "little") for block in blocks]
    first = blocks[0][32 : 32 + 256]

    assert goes == [0x1000_0000 + 256 * n for n in range(len(blocks))]
    assert int.from_bytes(first[252:], "little") == crc32.mpeg_2(first[:252])
