"""The page for whoever builds a node: drawing, parts and pins say the same thing."""

import copy
import re
import subprocess
import sys
import xml.etree.ElementTree as xml
from collections import Counter
from pathlib import Path

import pytest
from circuit import Build, load
from generate import page
from pico_wiring import pico_wiring
from wiring import wiring

FOLDER = Path(__file__).resolve().parents[2] / "docs/build"
USB_MOST_V = 5.25
RED_HOT_MA = 20.0
"""What an ATmega328P's pin may drive for long, by its data sheet."""


def words(drawing: str) -> Counter[str]:
    """How often each text stands in a drawing."""
    texts = xml.fromstring(drawing).iter("{http://www.w3.org/2000/svg}text")
    return Counter("".join(text.itertext()) for text in texts)


def with_pin(part: str, pin: str) -> Build:
    """The build with one pin of the south-west pocket changed."""
    build = load()
    board = copy.deepcopy(build.board)
    board["nano"]["pockets"][2][part] = pin
    return Build(board, build.table)


def test_drawings_and_tables_are_current() -> None:
    command = [sys.executable, str(FOLDER / "generate.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)

    assert (done.returncode, done.stderr) == (0, "")


def test_every_pin_of_the_firmware_is_drawn_at_the_nano_and_at_its_part() -> None:
    build = load()
    pins = [pin for row in build.board["nano"]["pockets"] for pin in row.values()]
    drawn = words((FOLDER / "wiring.svg").read_text(encoding="utf-8"))

    assert len(set(pins)) == 16
    assert {drawn[pin] for pin in pins} == {2}


def test_every_pin_of_the_firmware_is_drawn_at_pico_multiplexer_and_part() -> None:
    build = load()
    pico = build.board["pico"]
    pins = [pin for row in pico["pockets"] for pin in row.values()]
    drawn = words((FOLDER / "pico-wiring.svg").read_text(encoding="utf-8"))

    assert len(set(pins)) == 16
    assert {drawn[pin] for pin in pins} == {2}
    for select, pin in zip("ABC", pico["mux_select"], strict=True):
        assert drawn[f"to 4051, {select}"] == drawn[f"from {pin}"] == 1
    assert drawn["5V"] == 0


@pytest.mark.parametrize("pin", ["GP26", "GP0", "GP23"])
def test_a_pin_that_is_taken_or_that_no_pico_has_is_not_drawn(pin: str) -> None:
    build = load()
    board = copy.deepcopy(build.board)
    board["pico"]["pockets"][1]["beam_emitter"] = pin

    with pytest.raises(SystemExit, match=f"{pin} is used twice or no pin"):
        pico_wiring(Build(board, build.table))


def test_a_pin_changed_in_the_firmware_moves_in_drawing_and_page() -> None:
    build = with_pin("spot_emitter", "D11")

    drawn = words(wiring(build))
    text = page(build, (FOLDER / "README.md").read_text(encoding="utf-8"))

    assert (drawn["D11"], drawn["D8"]) == (2, 1)
    assert "| south-west | 2 | D4 | A2 | D11 | A6 |" in text


@pytest.mark.parametrize("pin", ["D2", "D13", "D99"])
def test_a_pin_that_is_taken_or_that_no_nano_has_is_not_drawn(pin: str) -> None:
    with pytest.raises(SystemExit, match=f"{pin} is used twice or no pin"):
        wiring(with_pin("beam_emitter", pin))


def test_the_parts_list_counts_what_is_drawn() -> None:
    build = load()
    known = build.words()
    listed: Counter[str] = Counter()
    for part in build.table["parts"]:
        if part["part"].startswith(("Resistor", "Capacitor, at")):
            listed[part["value"].format_map(known)] += part["count"]
    drawn = words((FOLDER / "wiring.svg").read_text(encoding="utf-8"))

    assert listed == {"220 Ω": 8, "1 kΩ": 4, "2.2 kΩ": 4, "1 nF": 8}
    assert {value: drawn[value] for value in listed} == dict(listed)


def test_an_emitter_never_draws_more_than_its_pin_may_give() -> None:
    build = load()
    warm_led_v = build.table["circuit"]["emitter_forward_v"] - 0.1

    assert (USB_MOST_V - warm_led_v) / build.emitter_ohm * 1000 <= RED_HOT_MA


def test_a_resting_beam_of_typical_parts_is_one_that_the_firmware_takes() -> None:
    build = load()
    light = build.board["light"]

    assert light["weakest"] < build.beam_counts < light["blinding"]


@pytest.mark.parametrize("command", ["pockets", "flash"])
def test_every_option_the_page_names_exists(command: str) -> None:
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    lines = re.findall(rf"carrom {command}([^`\n]*)", text)
    named = {option for line in lines for option in re.findall(r"--[a-z-]+", line)}
    asked = [sys.executable, "-m", "controller", command, "--help"]
    told = subprocess.run(asked, capture_output=True, text=True, check=True).stdout

    assert named
    assert named <= set(re.findall(r"--[a-z-]+", told))
