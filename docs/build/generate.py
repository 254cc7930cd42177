"""Writes the drawings and the tables of README.md; `--check` says when one is stale.

The pins come from firmware/board.toml, the rest from build.toml.
"""

import re
import sys
from collections.abc import Iterable
from pathlib import Path

from circuit import Build, load, ohms
from mounting import mounting
from pico_wiring import pico_wiring
from wiring import wiring

HERE = Path(__file__).parent
PAGE = HERE / "README.md"
WHERE = {
    "board": "on the strip board",
    "pockets": "in the pockets",
    "between": "between",
}
PINS = (
    *("pocket", "channel", "beam emitter"),
    *("beam receiver", "spot emitter", "spot receiver"),
)


def rows(head: Iterable[str], cells: Iterable[Iterable[str]]) -> str:
    """A table of the page."""
    names = tuple(head)
    lines = [names, ("---",) * len(names), *cells]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def parts(build: Build) -> str:
    """The parts list."""
    words = build.words()
    return rows(
        ("count", "part", "value", "where", "when buying"),
        (
            (
                str(entry["count"]),
                entry["part"],
                entry["value"].format_map(words),
                WHERE[entry["where"]],
                entry["buy"].format_map(words),
            )
            for entry in build.table["parts"]
        ),
    )


def pins(build: Build) -> str:
    """Which pin goes to which part of which pocket."""
    return rows(
        PINS,
        (
            (p.pocket, str(p.channel), p.beam_emitter, p.beam, p.spot_emitter, p.spot)
            for p in build.pockets
        ),
    )


def pico(build: Build) -> str:
    """The same for a Pico and its multiplexer."""
    board, c = build.board["pico"], build.table["pico"]
    cells = []
    for p, row in zip(build.pockets, board["pockets"], strict=True):
        beam, spot = (f"{row[k]} (leg {c['legs'][row[k]]})" for k in ("beam", "spot"))
        pair = (row["beam_emitter"], beam, row["spot_emitter"], spot)
        cells.append((p.pocket, str(p.channel), *pair))
    selects = zip("ABC", (11, 10, 9), board["mux_select"], strict=True)
    to_pins = ", ".join(f"{name} (leg {leg}) to {pin}" for name, leg, pin in selects)
    ohm = ohms(build.resistor(c["supply_v"], c["emitter_ma"]))
    return (
        f"{rows(PINS, cells)}\n\nOf the 4051: {to_pins}; the common side (leg 3) to "
        f"{board['mux_input']}; 3V3 to leg 16, GND to legs 8, 7 (VEE) and 6 (INH).\n"
        f"Before each emitter {ohm}: {c['emitter_ma']} mA is what a pin may give."
    )


def values(build: Build) -> str:
    """Where the resistors' values come from."""
    c, words = build.table["circuit"], build.words()
    return (
        f"- Emitter: ({c['supply_v']:g} V - {c['emitter_forward_v']:g} V) / "
        f"{c['emitter_ma']} mA - {c['pin_ohm']} Ω of the pin itself; the nearest value "
        f"is {words['emitter_ohm']}, with which {build.emitter_ma:.1f} mA flow (a pin "
        f"may give {c['pin_most_ma']} for long). Never leave it out.\n"
        f"- Receiver: with parts as in their data sheets a resting beam reads about "
        f"{build.beam_counts} of 1023 on {words['beam_load_ohm']}. Parts differ by a "
        f"factor of three. Below {words['weakest']} is no beam for the firmware; from "
        f"{words['strong']} on readings may be cut off. {words['strong']} and more: "
        "halve the load. Less than 400 although lined up: double it. Above 4.7 kΩ a "
        "phototransistor no longer follows in the "
        f"{build.board['sampling']['slot_us']} µs it is given."
    )


def lengths(build: Build) -> str:
    """The mounting's dimensions as a list."""
    m, words = build.table["mounting"], build.words()
    return (
        f"- ring: {words['ring_inside']} mm inside, {words['ring_high']} mm high, under "
        "the pocket's hole, nothing sticking into the way of a piece\n"
        f"- spot: {words['spot_below_board']} mm below the board's underside; its two "
        f"bores {words['between_spots']} mm apart, side by side, its parts "
        f"{words['recess']} mm back\n"
        f"- beam: **{words['spacing']} mm below the spot**, middle to middle; the "
        "firmware tells coin from striker by this distance\n"
        f"- beam emitter: {words['emitter_bore']} mm bore, {words['tube']} mm tube; "
        f"beam receiver: the same tube behind a {words['beam_hole']} mm hole\n"
        f"- at least {m['net_below_beam']:g} mm from the beam to whatever pieces land on"
    )


def trouble(build: Build) -> str:
    """What the live view shows, why, and what to do."""
    words = build.words()
    return rows(
        ("`carrom pockets` shows", "because", "do"),
        (
            tuple(entry[k].format_map(words) for k in ("shows", "cause", "cure"))
            for entry in build.table["trouble"]
        ),
    )


BLOCKS = {f.__name__: f for f in (parts, pins, pico, values, lengths, trouble)}


def page(build: Build, text: str) -> str:
    """The page with its generated blocks renewed."""
    for name, made in BLOCKS.items():
        mark = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
        block = made(build).replace("\\", r"\\")
        text, found = mark.subn(rf"\g<1>{block}\n\g<2>", text)
        if found != 1:
            raise SystemExit(f"{PAGE}: no block {name}")
    return text


def main() -> int:
    """Write what is stale, or with --check only say so."""
    build = load()
    made = {
        HERE / "wiring.svg": wiring(build),
        HERE / "pico-wiring.svg": pico_wiring(build),
        HERE / "mounting.svg": mounting(build),
        PAGE: page(build, PAGE.read_text(encoding="utf-8")),
    }
    stale = [
        path
        for path, text in made.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    if sys.argv[1:] == ["--check"]:
        for path in stale:
            print(
                f"{path} is stale: run python3 docs/build/generate.py", file=sys.stderr
            )
        return 1 if stale else 0
    for path in stale:
        path.write_text(made[path], encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
