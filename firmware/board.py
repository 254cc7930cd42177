"""Writes src/board.h from board.toml; `--check` only says whether it is current."""

import sys
import tomllib
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
TABLE = HERE / "board.toml"
HEADER = HERE / "src" / "board.h"
UNITS = 64
"""Into which a sample's time is divided when a crossing is read between two."""


def lines(table: dict[str, Any]) -> list[str]:
    """The header's definitions, in the order of the table."""
    period, slot = table["sampling"]["period_us"], table["sampling"]["slot_us"]
    times, pockets = table["times"], table["nano"]["pockets"]
    if period != 4 * len(pockets) * slot:
        raise SystemExit("board.toml: a period must be four slots for each pocket")
    if period % UNITS:
        raise SystemExit(f"board.toml: a period must be a multiple of {UNITS} us")
    said = [
        f"#define BOARD_POCKETS {len(pockets)}",
        f"#define BOARD_PERIOD_US {period}",
        f"#define BOARD_SLOT_US {slot}",
        f"#define BOARD_UNITS {UNITS}",
        "/* One of them; a time in units fits 16 bits for a good half second. */",
        f"#define BOARD_UNIT_US {period // UNITS}",
        "/* A dark reading comes two slots after its lit one. */",
        f"#define BOARD_DARK_LATER_US {2 * slot}",
        "/* The beams are read half a period after the spots: what they say is fresh. */",
        f"#define BOARD_BEAM_LATER_US {period // 2}",
    ]
    said += [f"#define BOARD_{k.upper()} {v}" for k, v in table["settings"].items()]
    said += [f"#define LIGHT_{k.upper()} {v}" for k, v in table["light"].items()]
    for name, ms in times.items():
        name = name.removesuffix("_ms").upper()
        said.append(f"#define SAMPLES_{name} {ms * 1000 // period}")
    for name, (least, most) in table["sizes_um"].items():
        said.append(f"#define SIZE_{name.upper()}_LEAST {least}uL")
        said.append(f"#define SIZE_{name.upper()}_MOST {most}uL")
    said += [f"#define RATE_{k.upper()} {v}" for k, v in table["rate"].items()]
    said += pins("NANO", table["nano"])
    said += pins("PICO", table["pico"])
    said.append(f"#define PICO_MUX_INPUT {number(table['pico']['mux_input'])}")
    for bit, pin in enumerate(table["pico"]["mux_select"]):
        said.append(f"#define PICO_MUX_{bit} {number(pin)}")
    return said


def pins(board: str, table: dict[str, Any]) -> list[str]:
    """The definitions of one board's pins."""
    said = [f"#define {board}_LED {number(table['led'])}"]
    for part in ("beam_emitter", "beam", "spot_emitter", "spot"):
        for channel, pocket in enumerate(table["pockets"]):
            name = f"{board}_{part.upper()}_{channel}"
            said.append(f"#define {name} {number(pocket[part])}")
    return said


def number(pin: str) -> int:
    """A pin's number without its letters."""
    return int(pin.lstrip("ADGPX"))


def header(table: dict[str, Any]) -> str:
    """All of board.h."""
    return "\n".join(
        [
            "/* Generated from firmware/board.toml by board.py: do not edit. */",
            "#ifndef BOARD_H",
            "#define BOARD_H",
            "",
            *lines(table),
            "",
            "#endif",
            "",
        ]
    )


def main() -> int:
    """Write the header, or check it."""
    text = header(tomllib.loads(TABLE.read_text()))
    if sys.argv[1:] == ["--check"]:
        if HEADER.read_text() == text:
            return 0
        print(f"{HEADER} is stale: run python3 {Path(__file__).name}", file=sys.stderr)
        return 1
    HEADER.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
