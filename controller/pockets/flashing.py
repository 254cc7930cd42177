"""Writes an image into a board: a Nano through avrdude, a Pico as a drive.

avrdude resets the board, writes through its boot loader and reads all of it back.
Boot loaders listen at 115,200 baud (Optiboot, since 2018) or 57,600 (before).
"""

import os
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from calibration.refusal import Refusal
from controller.pockets.images import Image

ATTEMPTS = 3
"""avrdude waits 5 s for each answer that does not come."""
LONGEST_S = 180
MOUNTS = ("/media/*/RPI-RP2", "/run/media/*/RPI-RP2", "/mnt/RPI-RP2", "/media/RPI-RP2")
INFO = "INFO_UF2.TXT"
NO_AVRDUDE = "avrdude is not installed: sudo apt install avrdude"


class Bootloader(StrEnum):
    """Which boot loader a Nano has; auto tries the newer one first."""

    AUTO = "auto"
    NEW = "new"
    OLD = "old"


BAUDS = {
    Bootloader.AUTO: (115200, 57600),
    Bootloader.NEW: (115200,),
    Bootloader.OLD: (57600,),
}


@dataclass(frozen=True, slots=True)
class Written:
    """What was done: the boot loader's speed, or the drive's place."""

    how: str


def flash_nano(image: Image, port: str, bootloader: Bootloader) -> Written:
    """Write and verify; raises Refusal that says what to do."""
    if shutil.which("avrdude") is None:
        raise Refusal(NO_AVRDUDE)
    for baud in BAUDS[bootloader]:
        said = _avrdude(image.path, port, baud)
        if said is None:
            return Written(f"boot loader at {baud} baud")
        if "not in sync" not in said and "not responding" not in said:
            raise Refusal(_explained(said, port))
    tried = " or ".join(str(baud) for baud in BAUDS[bootloader])
    raise Refusal(
        f"no boot loader answers at {port} ({tried} baud): is this the Nano's port? "
        "Without automatic reset press its button as this starts"
    )


def _avrdude(path: Path, port: str, baud: int) -> str | None:
    """Run it; None for success, else what it said."""
    command = ["avrdude", "-q", "-c", "arduino", "-p", "m328p", "-P", port]
    command += ["-b", str(baud), "-D", "-x", f"attempts={ATTEMPTS}"]
    command += ["-U", f"flash:w:{path}:i"]
    try:
        ran = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=LONGEST_S
        )
    except subprocess.TimeoutExpired:
        return f"avrdude did not end within {LONGEST_S} s"
    return None if ran.returncode == 0 else ran.stderr + ran.stdout


def _explained(said: str, port: str) -> str:
    """A failed run of avrdude in one line with its remedy."""
    low = said.lower()
    if "verification" in low or ("verify" in low and "mismatch" in low):
        return (
            f"what was read back from {port} is not what was written: use a shorter "
            "cable or another USB port, then flash again"
        )
    if "expected signature" in low or ("signature" in low and "double check" in low):
        return f"the board at {port} is no ATmega328P: take a Nano or Uno"
    if "permission denied" in low:
        return f"no access to {port}: add this account to the group dialout"
    if "no such file" in low or "can't open device" in low:
        return f"no port {port}: plug the board in or correct --port"
    if "busy" in low:
        return f"{port} is in use by another program: end that one first"
    last = [line for line in said.splitlines() if "error" in line.lower()][-1:]
    return f"avrdude could not write through {port}: {' '.join(last) or said[-200:]}"


def find_drive(patterns: Iterable[str] = MOUNTS) -> Path:
    """Where a Pico in its boot loader is mounted; raises Refusal."""
    drives = [
        path
        for pattern in patterns
        for path in Path("/").glob(pattern.lstrip("/"))
        if (path / INFO).exists()
    ]
    if len(drives) == 1:
        return drives[0]
    if drives:
        raise Refusal(
            f"several Picos are mounted ({', '.join(map(str, drives))}): choose one "
            "with --drive"
        )
    raise Refusal(
        "no Pico is mounted as a drive: hold its BOOTSEL button while plugging it in, "
        "and mount RPI-RP2 if the desktop does not; then name it with --drive"
    )


def flash_pico(image: Image, drive: Path) -> Written:
    """Copy the image onto the boot loader's drive; raises Refusal."""
    try:
        info = (drive / INFO).read_text(encoding="ascii", errors="replace")
    except OSError:
        info = ""
    if "RPI-RP2" not in info:
        raise Refusal(
            f"{drive} is no Pico's drive (no RPI-RP2 in {INFO}): hold BOOTSEL while "
            "plugging it in"
        )
    try:
        with (drive / image.path.name).open("wb") as file:
            file.write(image.path.read_bytes())
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise Refusal(
            f"{drive} does not take the image ({error}): unplug the Pico and begin anew"
        ) from None
    return Written(f"drive {drive}")
