"""The wiring drawing: a Nano with its pins in their places, and each pocket's circuit.

Nothing crosses: a tag with a pin's name is a wire to that pin.
"""

from dataclasses import dataclass

from circuit import Build, Wiring, ohms
from svg import INK, SOFT, arrow, box, dashed, dot, drawing, line, shape, text

LEFT = ("D13", "3V3", "REF", *(f"A{n}" for n in range(8)), "5V", "RST", "GND", "VIN")
RIGHT = (*(f"D{n}" for n in range(12, 1, -1)), "GND", "RST", "RX0", "TX1")
"""A Nano's pins as one sees them from above with the USB socket up."""
RED, BLACK, IDLE = "#d35400", "#2c3e50", "#b5b5b5"
PITCH, TOP, NANO_X, NANO_WIDE = 34, 190, 190, 150
PANEL_X, PANEL_Y, PANEL_WIDE, PANEL_HIGH = 570, 100, 560, 450
BOARD_END, POCKET_START = 250, 325
"""Where within a panel the cable begins and ends."""
PART, RIGHT_END = 455, 530
"""The middle of what sits in the ring, and where its wires turn."""


@dataclass(frozen=True, slots=True)
class Feed:
    """What feeds the receivers, and the resistor before each emitter."""

    supply: str
    emitter: str


def wiring(build: Build) -> str:
    """The drawing as SVG."""
    parts = [
        text(30, 42, "Pocket node: wiring", size=24, bold=True),
        text(
            30,
            68,
            "Generated from firmware/board.toml. Tags with the same name are one "
            "wire. Nothing is joined where there is no dot.",
            colour=SOFT,
        ),
        *nano(build),
        *supply(build),
        *cable(),
    ]
    feed = Feed("5V", ohms(build.emitter_ohm))
    for pocket in build.pockets:
        column, row = divmod(pocket.channel, 2)
        x = PANEL_X + column * (PANEL_WIDE + 20)
        y = PANEL_Y + row * (PANEL_HIGH + 20)
        parts += panel(build, pocket, x, y, feed)
    high = PANEL_Y + 2 * PANEL_HIGH + 50
    wide = PANEL_X + 2 * PANEL_WIDE + 50
    return drawing(wide, high, "Wiring of a pocket node with an Arduino Nano", parts)


def uses(build: Build) -> dict[str, tuple[str, str]]:
    """What each pin in use is for, and its colour."""
    found = {"5V": ("+5 V, all receivers", RED), "GND": ("ground, all", BLACK)}
    found[build.board["nano"]["led"]] = ("light, on the Nano", SOFT)
    for p in build.pockets:
        mine = {
            p.beam_emitter: "beam emitter",
            p.beam: "beam receiver",
            p.spot_emitter: "spot emitter",
            p.spot: "spot receiver",
        }
        for pin, what in mine.items():
            if pin in found or pin not in (*LEFT, *RIGHT):
                raise SystemExit(f"board.toml: {pin} is used twice or no pin of a Nano")
            found[pin] = (f"{p.short} {what}", p.colour)
    return found


def tag(x: float, y: float, name: str, colour: str, anchor: str = "start") -> str:
    """A pin's name that stands for the wire to it."""
    left = x if anchor == "start" else x - 48
    return box(left, y - 13, 48, 26, fill=colour, edge=colour, round_by=5) + text(
        left + 24, y + 5, name, anchor="middle", colour="#fff", bold=True
    )


def nano(build: Build) -> list[str]:
    """The board from above, and what hangs on each pin."""
    used = uses(build)
    high = PITCH * 15 + 20
    middle = NANO_X + NANO_WIDE / 2
    parts = [
        box(NANO_X, TOP - 30, NANO_WIDE, high, fill="#e8f1f8", round_by=6),
        box(middle - 32, TOP - 62, 64, 52, fill="#c9c9c9", round_by=3),
        text(middle, TOP - 70, "USB, to the controller", anchor="middle", size=13),
        text(middle, TOP + 240, "Arduino", anchor="middle", size=18, bold=True),
        text(middle, TOP + 264, "Nano", anchor="middle", size=18, bold=True),
        text(middle, TOP + 288, "from above", anchor="middle", size=13, colour=SOFT),
    ]
    for n, name in enumerate(LEFT):
        what, colour = used.get(name, ("", IDLE))
        y = TOP + n * PITCH
        parts += [
            line((NANO_X - 6, y), (NANO_X, y)),
            tag(NANO_X - 6, y, name, colour, "end"),
            text(NANO_X - 60, y + 5, what, size=12, anchor="end"),
        ]
    for n, name in enumerate(RIGHT):
        what, colour = used.get(name, ("", IDLE))
        y = TOP + n * PITCH
        x = NANO_X + NANO_WIDE
        parts += [
            line((x, y), (x + 6, y)),
            tag(x + 6, y, name, colour),
            text(x + 60, y + 5, what, size=12),
        ]
    parts.append(
        text(
            NANO_X + NANO_WIDE + 70,
            TOP + 14 * PITCH + 5,
            "Grey pins stay free.",
            size=13,
            colour=SOFT,
        )
    )
    return parts


def supply(build: Build) -> list[str]:
    """The two capacitors beside the Nano."""
    c = build.table["circuit"]
    top, x = TOP + 15 * PITCH + 20, 30
    up, down = top + 34, top + 110
    parts = [
        text(x, top + 8, "Supply, once, close to the Nano", size=15, bold=True),
        tag(x, up, "5V", RED),
        tag(x, down, "GND", BLACK),
        line((x + 48, up), (x + 300, up)),
        line((x + 48, down), (x + 300, down)),
    ]
    capacitors = ((f"{c['decoupling_nf']} nF", 110), (f"{c['reservoir_uf']} µF", 230))
    for words, at in capacitors:
        parts += [dot(x + at, up), dot(x + at, down)]
        parts += capacitor(x + at, up, down)
        parts.append(text(x + at + 20, (up + down) / 2 + 5, words, size=13))
    plus = (up + down) / 2 - 10
    parts.append(text(x + 230 - 18, plus, "+", size=18, anchor="end", bold=True))
    parts.append(
        text(x, down + 34, "Power comes by USB alone: less than 100 mA.", size=13)
    )
    return parts


def cable() -> list[str]:
    """Which wire is twisted with which."""
    x, y = 30, TOP + 15 * PITCH + 212
    rows = (
        "Cable to each pocket: four twisted pairs",
        "beam emitter  +  GND",
        "spot emitter  +  GND",
        "beam receiver  +  5 V",
        "spot receiver  +  5 V",
        "Both GND wires are joined at both ends,",
        "and so are both 5 V wires.",
    )
    return [
        text(x, y + 22 * n, words, size=15 if n == 0 else 13, bold=n == 0)
        for n, words in enumerate(rows)
    ]


def panel(build: Build, pocket: Wiring, x: float, y: float, feed: Feed) -> list[str]:
    """One pocket's circuit: on the strip board, through the cable, in the ring."""
    title = f"{pocket.pocket} pocket (channel {pocket.channel})"
    end = PANEL_WIDE
    parts = [
        box(x, y, PANEL_WIDE, PANEL_HIGH, edge=pocket.colour, round_by=6),
        box(x, y, PANEL_WIDE, 30, fill=pocket.colour, edge=pocket.colour, round_by=6),
        text(x + 14, y + 21, title, size=16, colour="#fff", bold=True),
        dashed((x + BOARD_END, y + 36), (x + BOARD_END, y + PANEL_HIGH - 6)),
        dashed((x + POCKET_START, y + 36), (x + POCKET_START, y + PANEL_HIGH - 6)),
        text(x + 130, y + 48, "strip board", size=12, anchor="middle", colour=SOFT),
        text(x + 287, y + 48, "cable", size=12, anchor="middle", colour=SOFT),
        text(
            x + (POCKET_START + end) / 2,
            y + 48,
            "in the ring",
            size=12,
            anchor="middle",
            colour=SOFT,
        ),
    ]
    c = build.table["circuit"]
    five, ground = y + 74, y + 424
    beam, spot = y + 128, y + 222
    parts += [
        tag(x + 12, five, feed.supply, RED),
        line((x + 60, five), (x + RIGHT_END, five), (x + RIGHT_END, spot)),
        dot(x + RIGHT_END, beam),
        tag(x + 12, ground, "GND", BLACK),
        line((x + 60, ground), (x + RIGHT_END, ground), (x + RIGHT_END, y + 320)),
        dot(x + RIGHT_END, y + 374),
    ]
    farad = f"{c['filter_nf']} nF"
    loads = ((beam, pocket.beam, "beam"), (spot, pocket.spot, "spot"))
    for row, pin, name in loads:
        load = ohms(c[f"{name}_load_ohm"])
        parts += receiver(x, row, (pin, pocket.colour), (load, farad))
        parts.append(text(x + POCKET_START + 10, row - 14, f"{name} receiver", size=13))
    emitters = (
        (y + 320, pocket.beam_emitter, "beam"),
        (y + 374, pocket.spot_emitter, "spot"),
    )
    for row, pin, name in emitters:
        parts += emitter(x, row, (pin, pocket.colour), feed.emitter)
        parts.append(text(x + POCKET_START + 10, row - 12, f"{name} emitter", size=13))
    return parts


def receiver(
    x: float, y: float, pin: tuple[str, str], values: tuple[str, str]
) -> list[str]:
    """A phototransistor from 5 V to its input, with load and filter to ground."""
    load, farad = values
    return [
        tag(x + 12, y, *pin),
        line((x + 60, y), (x + PART - 22, y)),
        dot(x + 95, y),
        dot(x + 190, y),
        *resistor_down(x + 95, y, load),
        *capacitor(x + 190, y, y + 62),
        text(x + 208, y + 36, farad, size=12),
        *ground_sign(x + 95, y + 62),
        *ground_sign(x + 190, y + 62),
        *phototransistor(x + PART, y),
        line((x + PART + 22, y), (x + RIGHT_END, y)),
    ]


def emitter(x: float, y: float, pin: tuple[str, str], value: str) -> list[str]:
    """A pin's pulse through its resistor and the LED to ground."""
    led = x + PART - 12
    return [
        tag(x + 12, y, *pin),
        line((x + 60, y), (x + 110, y)),
        box(x + 110, y - 10, 60, 20),
        text(x + 140, y - 15, value, size=13, anchor="middle"),
        line((x + 170, y), (led, y)),
        shape((led, y - 12), (led, y + 12), (led + 22, y), fill="#fff"),
        line((led + 23, y - 12), (led + 23, y + 12), width=3),
        line((led + 23, y), (x + RIGHT_END, y)),
        arrow((led + 20, y - 14), (led + 32, y - 26), SOFT),
        arrow((led + 30, y - 10), (led + 42, y - 22), SOFT),
        text(led - 6, y + 17, "long leg", size=11, anchor="end", colour=SOFT),
        text(led + 28, y + 17, "flat side", size=11, colour=SOFT),
    ]


def phototransistor(x: float, y: float) -> list[str]:
    """Emitter to the left, collector to the right, light from above."""
    return [
        line((x - 22, y), (x - 15, y), (x - 5, y - 11)),
        shape((x - 15, y), (x - 12, y - 8), (x - 7, y - 3.5), fill=INK),
        line((x - 12, y - 12), (x + 12, y - 12), width=3.5),
        line((x + 5, y - 11), (x + 15, y), (x + 22, y)),
        arrow((x - 16, y - 34), (x - 5, y - 17), SOFT),
        arrow((x - 5, y - 36), (x + 5, y - 19), SOFT),
        text(x - 26, y + 17, "emitter leg", size=11, anchor="end", colour=SOFT),
        text(x - 2, y + 17, "collector", size=11, colour=SOFT),
    ]


def resistor_down(x: float, y: float, value: str) -> list[str]:
    """A resistor from a wire down to ground."""
    return [
        line((x, y), (x, y + 12)),
        box(x - 9, y + 12, 18, 40),
        line((x, y + 52), (x, y + 62)),
        text(x + 16, y + 36, value, size=13),
    ]


def capacitor(x: float, top: float, bottom: float) -> list[str]:
    """A capacitor between two levels."""
    middle = (top + bottom) / 2
    return [
        line((x, top), (x, middle - 4)),
        line((x - 13, middle - 4), (x + 13, middle - 4), width=3),
        line((x - 13, middle + 4), (x + 13, middle + 4), width=3),
        line((x, middle + 4), (x, bottom)),
    ]


def ground_sign(x: float, y: float) -> list[str]:
    """Joined with GND."""
    return [
        line((x - 12 + 4 * n, y + 5 * n), (x + 12 - 4 * n, y + 5 * n), width=2.5)
        for n in range(3)
    ]
