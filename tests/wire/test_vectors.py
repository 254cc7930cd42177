"""Both ends agree with vectors.txt, and vectors.txt with independent packages."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from cobs import cobs
from fastcrc.crc16 import ibm_3740

from controller.pockets import messages as wire
from controller.pockets.framing import WireError, frame, unframe
from controller.pockets.simulated import REACHES_UM

FIRMWARE = Path(__file__).parents[2] / "firmware"
PROTOCOL = FIRMWARE / "protocol"
BYTES = {"u8": 1, "u16": 2, "u32": 4, "u64": 8}
DEFINED = {
    message["name"]: message
    for message in tomllib.loads((PROTOCOL / "messages.toml").read_text())["messages"]
}


def rows(kind: str) -> list[list[str]]:
    """The cells of every line of one kind, without the kind itself."""
    lines = (PROTOCOL / "vectors.txt").read_text().splitlines()
    cells = [[cell.strip() for cell in line.split("|")] for line in lines]
    return [rest for first, *rest in cells if first == kind]


def computed(words: str) -> list[str]:
    """What a good line must be, by the definition, cobs and fastcrc alone."""
    name, *pairs = words.split()
    values = dict(pair.split("=") for pair in pairs)
    body = bytes([DEFINED[name]["id"]])
    for field in DEFINED[name]["fields"]:
        value = int(values[field["name"]], 0)
        body += value.to_bytes(BYTES[field["type"]], "little")
    framed = cobs.encode(body + ibm_3740(body).to_bytes(2, "little")) + b"\0"
    return [words, body.hex(), framed.hex()]


GOOD = [pytest.param(*row, id=row[0][:40]) for row in rows("good")]
BAD = [pytest.param(bytes.fromhex(row[1]), id=row[0]) for row in rows("bad")]


@pytest.mark.parametrize("row", [pytest.param(r, id=r[0][:40]) for r in rows("good")])
def test_every_good_line_is_what_independent_packages_make_of_it(
    row: list[str],
) -> None:
    assert row == computed(row[0])


@pytest.mark.parametrize(("words", "body", "framed"), GOOD)
def test_a_good_frame_holds_the_message_in_words(
    words: str, body: str, framed: str
) -> None:
    message = wire.unpack(unframe(bytes.fromhex(framed)[:-1]))

    name, *pairs = words.split()
    assert wire.KINDS[DEFINED[name]["id"]] is type(message)
    for pair in pairs:
        field, value = pair.split("=")
        assert getattr(message, field) == int(value, 0)
    assert message.pack().hex() == body
    assert frame(message.pack()).hex() == framed


@pytest.mark.parametrize("damaged", BAD)
def test_a_bad_frame_is_refused(damaged: bytes) -> None:
    with pytest.raises(WireError):
        wire.unpack(unframe(damaged[:-1]))


def test_every_message_has_a_vector() -> None:
    assert {row[0].split()[0] for row in rows("good")} == set(DEFINED)


def test_the_generated_files_are_current() -> None:
    check = [sys.executable, str(PROTOCOL / "generate.py"), "--check"]

    ran = subprocess.run(check, capture_output=True, text=True, check=False)

    assert (ran.returncode, ran.stderr) == (0, "")


def test_the_simulated_node_names_pieces_by_the_firmwares_sizes() -> None:
    board = tomllib.loads((PROTOCOL.parent / "board.toml").read_text())
    sizes = {looks.name.lower(): list(of) for looks, of in REACHES_UM.items()}
    assert {
        "one_coin": board["sizes_um"]["coin"],
        "striker": board["sizes_um"]["striker"],
        "two_coins": board["sizes_um"]["two_coins"],
    } == sizes
