"""Writes the drawings and the tables of README.md; `--check` says when one is stale.

The pins come from firmware/board.toml, the rest from build.toml.
"""

import re
import sys
from pathlib import Path

from circuit import Build, load
from mounting import mounting
from wiring import wiring

HERE = Path(__file__).parent
PAGE = HERE / "README.md"
WHERE = {
    "board": "on the strip board",
    "pockets": "in the pockets",
    "between": "between",
}


def parts(build: Build) -> str:
    """The parts list."""
    words = build.words()
    rows = [
        "| count | part | value | where | when buying |",
        "| --- | --- | --- | --- | --- |",
    ]
    for entry in build.table["parts"]:
        cells = (
            str(entry["count"]),
            entry["part"],
            entry["value"],
            WHERE[entry["where"]],
            entry["buy"],
        )
        rows.append(f"| {' | '.join(cell.format_map(words) for cell in cells)} |")
    return "\n".join(rows)


def pins(build: Build) -> str:
    """Which pin goes to which part of which pocket."""
    rows = [
        "| pocket | channel | beam emitter | beam receiver | spot emitter | spot receiver |",
        "| --- | --- | --- | --- | --- | --- |",
    ]
    for p in build.pockets:
        cells = (
            p.pocket,
            str(p.channel),
            p.beam_emitter,
            p.beam,
            p.spot_emitter,
            p.spot,
        )
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


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
    rows = ["| `carrom pockets` shows | because | do |", "| --- | --- | --- |"]
    for entry in build.table["trouble"]:
        cells = (entry["shows"], entry["cause"], entry["cure"])
        rows.append(f"| {' | '.join(cell.format_map(words) for cell in cells)} |")
    return "\n".join(rows)


BLOCKS = {f.__name__: f for f in (parts, pins, values, lengths, trouble)}


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
