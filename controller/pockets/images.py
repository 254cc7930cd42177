"""The firmware images of this release, and those somebody built."""

import hashlib
import json
import struct
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from calibration.refusal import Refusal

FOLDER = Path(__file__).parent / "images"
UF2_BLOCK = 512
UF2_MAGIC = (0x0A324655, 0x9E5D5157)
RP2040 = 0xE48BFF56


class Make(StrEnum):
    """A board that can be flashed."""

    NANO = "nano"
    PICO = "pico"


@dataclass(frozen=True, slots=True)
class Image:
    """One image; `build` as hello says it, None where nobody knows."""

    make: Make
    path: Path
    build: str | None


def shipped(make: Make) -> Image:
    """This release's image for a board; raises Refusal where there is none."""
    entry = json.loads((FOLDER / "images.json").read_text()).get(make.value)
    if entry is None:
        raise Refusal(
            f"this release ships no image for the {make.value}: name one with --file"
        )
    path = FOLDER / entry["file"]
    if hashlib.sha256(path.read_bytes()).hexdigest() != entry["sha256"]:
        raise Refusal(f"{path} is damaged: install carrom-umpire again")
    return Image(make, path, entry["build"])


def own(make: Make, path: Path) -> Image:
    """Somebody's own image; raises Refusal when it is not one for this board."""
    try:
        if path.exists() and not path.is_file():  # a device may never end
            raise Refusal(f"image {path} is no file: name the one with the image")
        data = path.read_bytes()
    except OSError as error:
        raise Refusal(f"image {path} cannot be read ({error})") from None
    fits = {Make.NANO: _is_hex, Make.PICO: _is_uf2}[make](data)
    if not fits:
        kind = {Make.NANO: "Intel hex", Make.PICO: "RP2040 UF2"}[make]
        raise Refusal(
            f"{path} is no {kind} image: build one with make -C firmware, or leave "
            "--file out"
        )
    return Image(make, path, None)


def _is_hex(data: bytes) -> bool:
    """Whether every line is a record whose bytes add up to zero, the last the end."""
    lines = data.split()
    try:
        records = [bytes.fromhex(line.decode()[1:]) for line in lines]
    except ValueError:
        return False
    sound = all(sum(record) % 256 == 0 for record in records)
    colons = all(line.startswith(b":") for line in lines)
    return bool(lines) and sound and colons and records[-1][3:4] == b"\x01"


def _is_uf2(data: bytes) -> bool:
    if not data or len(data) % UF2_BLOCK:
        return False
    heads = (data[at : at + 32] for at in range(0, len(data), UF2_BLOCK))
    words = [struct.unpack("<8I", head) for head in heads]
    return all(word[:2] == UF2_MAGIC and word[7] == RP2040 for word in words)
