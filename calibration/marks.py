"""What of a table can be measured in a picture of it: printed and cut edges.

Each mark is a curve on the playing surface, divided into stations: short pieces of
the curve that are measured as one, along their common normal. Where a station lies
depends on the table's sizes, and each mark may be printed a little beside its place;
both move a station along its normal, linearly. That is all the fit has to know.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from math import atan2

import numpy as np
from numpy.typing import NDArray

from calibration.table import Circle, Point, Seat, Segment, Table

Floats = NDArray[np.float64]

ACROSS = 9
"""Sub-places of a station over which its profile is averaged."""
LINE_STATIONS = 10
CIRCLE_STATIONS = 12
SIDE_STATIONS = 16
POCKET_STATIONS = 7
POCKET_ARC = np.radians(150)
"""The part of a pocket's rim towards the centre; behind it the frame is cut."""


class Kind(StrEnum):
    """What a mark looks like across, seen from the inside of its curve outwards."""

    LINE = "line"
    """Dark ink between wood on both sides."""
    CIRCLE = "circle"
    """The outer edge of a printed circle: ink, then wood."""
    BASE_CIRCLE = "base circle"
    """Any edge of ink within wood: of its ring or of the disc within the ring."""
    POCKET = "pocket"
    """The hole, then wood."""
    FRAME = "frame"
    """Wood, then the frame's inner wall."""


SIZES = (
    "base_line_inset_mm",
    "base_line_gap_mm",
    "base_line_length_mm",
    "centre_circle_radius_mm",
    "outer_circle_radius_mm",
    "pocket_radius_mm",
    "pocket_inset_mm",
)
"""The sizes a picture can tell, given the side; all marks of a kind share them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One mark: its name for people, its kind, its ink's width (lines only).

    `places` and `normals` (stations x ACROSS x 2, mm) are the sub-places of each
    station; `ways` (stations x own ways) how far along the normal a station moves
    when the mark is 1 mm beside its place in each of its own ways.
    """

    name: str
    kind: Kind
    width_mm: float
    places: Floats
    normals: Floats
    ways: Floats

    @property
    def points(self) -> Floats:
        """The middle of each station (stations x 2, mm)."""
        return np.asarray(self.places[:, ACROSS // 2])

    @property
    def outward(self) -> Floats:
        """The normal in the middle of each station (stations x 2)."""
        return np.asarray(self.normals[:, ACROSS // 2])


def concrete(table: Table) -> Table:
    """The same table with every derived size written down as a number."""
    centre = next(iter(table.pocket_centres.values()))
    length = table.base_lines(Seat.SOUTH)[0]
    return replace(
        table,
        pocket_inset_mm=table.half_mm - abs(centre.x_mm),
        base_line_length_mm=2 * abs(length.start.x_mm)
        + 2 * table.base_circle_radius_mm,
    )


def marks(table: Table) -> tuple[Mark, ...]:
    """Everything that is measured on this table, always in the same order."""
    return tuple(_marks(table))


def size_ways(table: Table) -> Floats:
    """How each station moves along its normal per mm of each of SIZES.

    Stations of all marks in order x sizes. The table must be `concrete`.
    """
    before = marks(table)
    columns = []
    for size in SIZES:
        after = marks(replace(table, **{size: getattr(table, size) + STEP_MM}))
        moves = [
            np.sum((b.points - a.points) * a.outward, axis=1)
            for a, b in zip(before, after, strict=True)
        ]
        columns.append(np.concatenate(moves) / STEP_MM)
    return np.column_stack(columns)


STEP_MM = 0.01


def _marks(table: Table) -> Iterator[Mark]:
    for seat in Seat:
        lower, upper = table.base_lines(seat)
        name = str(seat)
        # Clear of the circles that close the lines.
        clear_mm = 1.3 * table.base_circle_radius_mm
        yield _line(f"{name} lower line", lower, clear_mm, Kind.LINE)
        yield _line(f"{name} upper line", upper, clear_mm, Kind.LINE)
        for side, circle in zip(
            ("left", "right"), table.base_circles(seat), strict=True
        ):
            yield _circle(f"{name} {side} base circle", circle, Kind.BASE_CIRCLE)
    middle = Point(0.0, 0.0)
    centre_mm, outer_mm = table.centre_circle_radius_mm, table.outer_circle_radius_mm
    yield _circle("centre circle", Circle(middle, centre_mm), Kind.CIRCLE)
    yield _circle("outer circle", Circle(middle, outer_mm), Kind.CIRCLE)
    for pocket, centre in table.pocket_centres.items():
        circle = Circle(centre, table.pocket_radius_mm)
        yield _circle(f"{pocket} pocket", circle, Kind.POCKET)
    for seat in Seat:
        h = table.half_mm
        edge = Segment(seat.turn(Point(-h, -h)), seat.turn(Point(h, -h)), 0.0)
        yield _line(f"{seat} frame edge", edge, 0.14 * table.side_mm, Kind.FRAME)


def _line(name: str, line: Segment, clear_mm: float, kind: Kind) -> Mark:
    """Stations along a line, `clear_mm` short of its ends; its ends move apart."""
    start, end = np.array(line.start), np.array(line.end)
    long = float(np.linalg.norm(end - start))
    along = (end - start) / long
    # South's lines run east, and outward is towards South: right of the way.
    outward = np.array([along[1], -along[0]])
    count = SIDE_STATIONS if kind is Kind.FRAME else LINE_STATIONS
    edges = np.linspace(clear_mm, long - clear_mm, count + 1)
    shares = (np.arange(ACROSS) + 0.5) / ACROSS
    at = edges[:-1, None] + shares * (edges[1] - edges[0])
    places = start + at[..., None] * along
    middle = at[:, ACROSS // 2] / long
    ways = np.column_stack([1 - middle, middle])
    normals = np.broadcast_to(outward, places.shape)
    return Mark(
        name=name,
        kind=kind,
        width_mm=line.width_mm,
        places=places,
        normals=normals,
        ways=ways,
    )


def _circle(name: str, circle: Circle, kind: Kind) -> Mark:
    """Stations around a circle (a pocket: its inner part only)."""
    count = POCKET_STATIONS if kind is Kind.POCKET else CIRCLE_STATIONS
    arc = POCKET_ARC if kind is Kind.POCKET else 2 * np.pi
    inward = atan2(-circle.centre.y_mm, -circle.centre.x_mm)
    shares = (np.arange(count * ACROSS) + 0.5) / (count * ACROSS) - 0.5
    angle = (inward + arc * shares).reshape(count, ACROSS)
    normals = np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    places = np.array(circle.centre) + circle.radius_mm * normals
    outward = normals[:, ACROSS // 2]
    # The table's sizes say how large the other circles are.
    own = kind in (Kind.BASE_CIRCLE, Kind.POCKET)
    ways = np.column_stack([outward, np.ones(count)]) if own else outward
    return Mark(
        name=name,
        kind=kind,
        width_mm=0.0,
        places=places,
        normals=normals,
        ways=ways,
    )
