"""The Pico's wiring drawing: its pins, the 74HC4051's legs, and a pocket's circuit.

The four pockets are alike but for their names, which the page's table has too.
"""

from circuit import COMPASS, Build, Wiring, ohms
from svg import SOFT, box, drawing, line, text
from wiring import BLACK, IDLE, PANEL_WIDE, RED, Feed, panel, tag

LEFT = (
    *("GP0", "GP1", "GND", "GP2", "GP3", "GP4", "GP5", "GND", "GP6", "GP7"),
    *("GP8", "GP9", "GND", "GP10", "GP11", "GP12", "GP13", "GND", "GP14", "GP15"),
)
RIGHT = (
    *("VBUS", "VSYS", "GND", "EN", "3V3", "REF", "GP28", "GND", "GP27", "GP26"),
    *("RUN", "GP22", "GND", "GP21", "GP20", "GP19", "GP18", "GND", "GP17", "GP16"),
)
"""A Pico's pins as one sees them from above with the USB socket up."""
MUX_LEFT = ("X4", "X6", "X", "X7", "X5", "INH", "VEE", "GND")
MUX_RIGHT = ("3V3", "X2", "X1", "X0", "X3", "A", "B", "C")
"""Legs 1 to 8 and 16 to 9 of a 74HC4051 from above, its notch up."""
PITCH = 30
CHIP_WIDE = 160
PICO_X, PICO_Y = 200, 190
MUX_X, MUX_Y = 740, 190
PANEL_X, PANEL_Y = 1090, 100
SIGNAL = "#7d5a00"
LINE = "#16808a"


def pico_wiring(build: Build) -> str:
    """The drawing as SVG."""
    c = build.table["pico"]
    feed = Feed("3V3", ohms(build.resistor(c["supply_v"], c["emitter_ma"])))
    parts = [
        text(30, 42, "Pocket node with a Pico: wiring", size=24, bold=True),
        text(
            30,
            68,
            "Generated from firmware/board.toml. Tags with the same name are one "
            "wire. No wire carries 5 V.",
            colour=SOFT,
        ),
        *chip("Raspberry Pi Pico", (LEFT, RIGHT), used(build), (PICO_X, PICO_Y)),
        socket(),
        *chip("74HC4051", (MUX_LEFT, MUX_RIGHT), legs(build), (MUX_X, MUX_Y)),
        *leg_numbers(),
        *notes(),
        *panel(build, pockets(build)[0], PANEL_X, PANEL_Y, feed),
        *others(build),
    ]
    title = "Wiring of a pocket node with a Raspberry Pi Pico"
    return drawing(PANEL_X + PANEL_WIDE + 30, 820, title, parts)


def pockets(build: Build) -> tuple[Wiring, ...]:
    """Each pocket's pins: emitters at the Pico, receivers at the 4051."""
    rows = zip(COMPASS, build.board["pico"]["pockets"], strict=True)
    return tuple(Wiring(n, name, **row) for n, (name, row) in enumerate(rows))


def used(build: Build) -> dict[str, tuple[str, str]]:
    """What each pin of the Pico in use is for, and its colour."""
    board = build.board["pico"]
    found = {
        "3V3": ("+3.3 V, receivers, 4051", RED),
        "GND": ("", BLACK),
        "GP0": ("line: sends", LINE),
        "GP1": ("line: receives", LINE),
    }
    wanted = [
        (board["mux_input"], ("from 4051, X", SIGNAL)),
        *(
            (pin, (f"to 4051, {n}", SIGNAL))
            for n, pin in zip("ABC", select(build), strict=True)
        ),
    ]
    for p in pockets(build):
        wanted += [
            (p.beam_emitter, (f"{p.short} beam emitter", p.colour)),
            (p.spot_emitter, (f"{p.short} spot emitter", p.colour)),
        ]
    for pin, what in wanted:
        if pin in found or pin not in (*LEFT, *RIGHT):
            raise SystemExit(f"board.toml: {pin} is used twice or no pin of a Pico")
        found[pin] = what
    return found


def select(build: Build) -> list[str]:
    """The pins that choose the 4051's input, lowest bit first."""
    return list(build.board["pico"]["mux_select"])


def legs(build: Build) -> dict[str, tuple[str, str]]:
    """What each leg of the 4051 is for, and its colour."""
    found = {
        "3V3": ("+3.3 V", RED),
        "X": (f"to {build.board['pico']['mux_input']}", SIGNAL),
        **{name: ("to GND", BLACK) for name in ("INH", "VEE")},
        "GND": ("", BLACK),
        **{
            name: (f"from {pin}", SIGNAL)
            for name, pin in zip("ABC", select(build), strict=True)
        },
    }
    for p in pockets(build):
        for name, what in ((p.beam, "beam"), (p.spot, "spot")):
            if name in found or name not in (*MUX_LEFT, *MUX_RIGHT):
                raise SystemExit(f"board.toml: {name} is used twice or no input")
            found[name] = (f"{p.short} {what} receiver", p.colour)
    return found


def chip(
    name: str,
    sides: tuple[tuple[str, ...], tuple[str, ...]],
    uses: dict[str, tuple[str, str]],
    at: tuple[float, float],
) -> list[str]:
    """A chip or board from above, and what hangs on each pin."""
    x, y = at
    high = PITCH * (len(sides[0]) - 1)
    middle = x + CHIP_WIDE / 2
    parts = [
        box(x, y - 24, CHIP_WIDE, high + 48, fill="#e8f1f8", round_by=6),
        text(middle, y + high / 2, name, anchor="middle", size=13, bold=True),
        text(middle, y + high / 2 + 20, "from above", anchor="middle", size=12),
    ]
    for n, (left, right) in enumerate(zip(*sides, strict=True)):
        row = y + n * PITCH
        what, colour = uses.get(left, ("", IDLE))
        parts += [
            line((x - 6, row), (x, row)),
            tag(x - 6, row, left, colour, "end"),
            text(x - 60, row + 5, what, size=12, anchor="end"),
        ]
        what, colour = uses.get(right, ("", IDLE))
        end = x + CHIP_WIDE
        parts += [
            line((end, row), (end + 6, row)),
            tag(end + 6, row, right, colour),
            text(end + 60, row + 5, what, size=12),
        ]
    return parts


def socket() -> str:
    """The Pico's USB socket, over its upper edge."""
    return box(PICO_X + CHIP_WIDE / 2 - 24, PICO_Y - 36, 48, 22, fill="#c9c9c9")


def leg_numbers() -> list[str]:
    """The 4051's notch and legs, which are counted; a Pico's names are printed on it."""
    notch = box(MUX_X + CHIP_WIDE / 2 - 12, MUX_Y - 24, 24, 12, fill="#fff")
    parts = [notch]
    for n in range(len(MUX_LEFT)):
        y = MUX_Y + n * PITCH + 4
        right = MUX_X + CHIP_WIDE - 6
        parts += [
            text(MUX_X + 6, y, str(n + 1), size=11, colour=SOFT),
            text(right, y, str(16 - n), size=11, anchor="end", colour=SOFT),
        ]
    return parts


def notes() -> list[str]:
    """What no line shows."""
    rows = (
        "Power comes by the Pico's USB alone; VBUS and VSYS stay free.",
        "Close to leg 16 of the 4051: 100 nF from 3V3 to GND.",
        "The line is 3.3 V: GP0 to the controller's receiving pin (GPIO15 of a",
        "Raspberry Pi), GP1 to its sending one (GPIO14), GND to GND.",
        "Cables are twisted as with a Nano, 3V3 in place of 5 V.",
        "Grey pins stay free.",
    )
    y = MUX_Y + 8 * PITCH + 40
    return [text(560, y + 24 * n, words, size=13) for n, words in enumerate(rows)]


def others(build: Build) -> list[str]:
    """The other pockets' names in the places of the one that is drawn."""
    x, y = PANEL_X, PANEL_Y + 500
    parts = [text(x, y, "The other three are the same, with", size=15, bold=True)]
    for n, p in enumerate(pockets(build)[1:]):
        row = y + 36 + n * 38
        parts.append(text(x, row + 5, p.pocket, size=14))
        names = (
            ("beam", p.beam),
            ("spot", p.spot),
            ("beam emitter", p.beam_emitter),
            ("spot emitter", p.spot_emitter),
        )
        at = x + 95.0
        for what, pin in names:
            wide = 38 if " " not in what else 88
            parts.append(text(at, row + 5, what, size=12, colour=SOFT))
            parts.append(tag(at + wide, row, pin, p.colour))
            at += wide + 54
    return parts
