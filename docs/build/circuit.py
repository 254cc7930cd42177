"""Pins and values of a pocket node, worked out from board.toml and build.toml."""

import math
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
BOARD = HERE.parents[1] / "firmware/board.toml"
COMPASS = ("north-east", "south-east", "south-west", "north-west")
COLOURS = ("#c0392b", "#1f6fb2", "#2e8b57", "#8e44ad")
"""Of the pockets, in the drawing and, where one can, on the cables."""
E12 = (1.0, 1.2, 1.5, 1.8, 2.2, 2.7, 3.3, 3.9, 4.7, 5.6, 6.8, 8.2)
COUNTS = 1023


@dataclass(frozen=True, slots=True)
class Wiring:
    """One pocket's pins; names as printed on the Nano."""

    channel: int
    pocket: str
    beam_emitter: str
    beam: str
    spot_emitter: str
    spot: str

    @property
    def colour(self) -> str:
        return COLOURS[self.channel]

    @property
    def short(self) -> str:
        """NE, SE, SW, NW."""
        return "".join(part[0] for part in self.pocket.split("-")).upper()


@dataclass(frozen=True, slots=True)
class Build:
    """All that the page and the drawings say; `board` and `table` as in the files."""

    board: dict[str, Any]
    table: dict[str, Any]

    @property
    def pockets(self) -> tuple[Wiring, ...]:
        rows = self.board["nano"]["pockets"]
        return tuple(
            Wiring(n, name, **row)
            for n, (name, row) in enumerate(zip(COMPASS, rows, strict=True))
        )

    @property
    def spacing_mm(self) -> float:
        """From the spot down to the beam."""
        return float(self.board["settings"]["spacing_um"]) / 1000

    @property
    def emitter_ohm(self) -> float:
        """The resistor before an emitter of the Nano."""
        c = self.table["circuit"]
        return self.resistor(c["supply_v"], c["emitter_ma"])

    def resistor(self, supply_v: float, current_ma: float) -> float:
        """What lets this current through an emitter: the nearest of the E12 row."""
        c = self.table["circuit"]
        over_v = supply_v - c["emitter_forward_v"]
        exact = over_v / (current_ma / 1000) - c["pin_ohm"]
        decade = 10 ** math.floor(math.log10(exact))
        row = [step * decade for step in (*E12, 10.0)]
        return min(row, key=lambda ohm: abs(math.log(ohm / exact)))

    @property
    def emitter_ma(self) -> float:
        """What then flows while it is lit."""
        c = self.table["circuit"]
        over_v = c["supply_v"] - c["emitter_forward_v"]
        return float(1000 * over_v / (self.emitter_ohm + c["pin_ohm"]))

    @property
    def beam_counts(self) -> int:
        """What a resting beam should read with parts as in their data sheets."""
        c, m = self.table["circuit"], self.table["mounting"]
        apart_cm = (m["ring_inside"] + 2 * m["ring_wall"] + m["tube"]) / 10
        mw_sr = c["emitter_mw_sr_at_100_ma"] * self.emitter_ma / 100
        hole = (m["beam_hole"] / c["receiver_lens_mm"]) ** 2
        ma = c["receiver_ma_per_mw_cm2"] * hole * mw_sr / apart_cm**2
        return round(ma / 1000 * c["beam_load_ohm"] / c["supply_v"] * COUNTS)

    def words(self) -> dict[str, str]:
        """Values by the names that the texts use in braces."""
        c, light = self.table["circuit"], self.board["light"]
        return {
            **{name: f"{value:g}" for name, value in self.table["mounting"].items()},
            **{name: f"{c[name]:g}" for name in FARADS},
            "emitter_ohm": ohms(self.emitter_ohm),
            "beam_load_ohm": ohms(c["beam_load_ohm"]),
            "spot_load_ohm": ohms(c["spot_load_ohm"]),
            "spacing": f"{self.spacing_mm:g}",
            "net": f"{self.table['mounting']['net_below_beam']:g}",
            "blinding": str(light["blinding"]),
            "weakest": str(light["weakest"]),
            "strong": str(light["blinding"]),
            "wall": "80",
            "dark_coin": str(2 * light["spot_least"]),
        }


FARADS = ("filter_nf", "reservoir_uf", "decoupling_nf")


def ohms(value: float) -> str:
    """As it is written on a parts list."""
    return f"{value / 1000:g} kΩ" if value >= 1000 else f"{value:g} Ω"


def load() -> Build:
    """The build as the files have it."""
    board = tomllib.loads(BOARD.read_text(encoding="utf-8"))
    return Build(
        board, tomllib.loads((HERE / "build.toml").read_text(encoding="utf-8"))
    )
