"""What a carrom table is: its geometry as a value, one per physical table.

Sizes differ from maker to maker and club to club, so nothing here is a module
constant except the defaults of the international equipment laws. Coordinates:
origin at the centre of the playing surface, x east, y north, millimetres, seen
from above with the first player at the south.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from math import cos, hypot, pi, sin, sqrt
from types import MappingProxyType
from typing import NamedTuple, Self


class Point(NamedTuple):
    """A place on the playing surface, in millimetres."""

    x_mm: float
    y_mm: float

    def distance_mm(self, other: "Point") -> float:
        """How far apart two places are."""
        return hypot(self.x_mm - other.x_mm, self.y_mm - other.y_mm)


class Piece(StrEnum):
    """What can lie on the table."""

    WHITE = "white"
    BLACK = "black"
    QUEEN = "queen"
    STRIKER = "striker"


COINS = (Piece.WHITE, Piece.BLACK)
STOCK: dict[Piece, int] = {
    Piece.WHITE: 9,
    Piece.BLACK: 9,
    Piece.QUEEN: 1,
    Piece.STRIKER: 1,
}


class Pocket(StrEnum):
    """The four pockets, clockwise from the north-east."""

    NORTH_EAST = "north-east"
    SOUTH_EAST = "south-east"
    SOUTH_WEST = "south-west"
    NORTH_WEST = "north-west"


class Seat(StrEnum):
    """Where a player sits; South sees East on the right hand."""

    SOUTH = "south"
    EAST = "east"
    NORTH = "north"
    WEST = "west"

    @property
    def opposite(self) -> "Seat":
        """The seat across the table."""
        seats = list(Seat)
        return seats[(seats.index(self) + 2) % 4]

    @property
    def right(self) -> "Seat":
        """The seat on this player's right hand: who plays next in doubles."""
        seats = list(Seat)
        return seats[(seats.index(self) + 1) % 4]

    def turn(self, point: Point) -> Point:
        """Where a place of South's view lies when this seat is meant.

        Rotates by a quarter turn anticlockwise per seat, so that what South
        calls "in front of me" becomes the same for East, North or West.
        """
        x, y = point
        match self:
            case Seat.SOUTH:
                return Point(x, y)
            case Seat.EAST:
                return Point(-y, x)
            case Seat.NORTH:
                return Point(-x, -y)
            case Seat.WEST:
                return Point(y, -x)

    def turn_back(self, point: Point) -> Point:
        """The same place as South would see it: the inverse of `turn`."""
        around = {Seat.EAST: Seat.WEST, Seat.WEST: Seat.EAST}
        return around.get(self, self).turn(point)


class Circle(NamedTuple):
    """A printed or cut circle."""

    centre: Point
    radius_mm: float


class Segment(NamedTuple):
    """A printed line, by its end points and the width of its ink."""

    start: Point
    end: Point
    width_mm: float


class Placement(StrEnum):
    """Whether the striker may be played from where it stands (ICF 130)."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    UNCERTAIN = "uncertain"


class StrikerPlace(NamedTuple):
    """A verdict on a striker's place.

    `margin_mm` is how far the striker would have to move before the verdict
    flips: positive on the legal side, negative on the illegal side.
    `reason` names the rule that decides: both-lines, base-circle or arrow.
    """

    placement: Placement
    margin_mm: float
    reason: str


LARGEST_POCKET = 8
"""No pocket's radius is a larger part of the side: quarter discs of toys reach 1/14."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """One table's geometry in millimetres; the defaults are ICF equipment.

    Raises ValueError when a size is impossible.
    """

    side_mm: float = 740.0
    frame_width_mm: float = 70.0
    frame_height_mm: float = 22.0
    pocket_radius_mm: float = 22.25
    pocket_inset_mm: float | None = None
    """Pocket centre to each frame edge; None: the pocket touches both edges."""
    coin_radius_mm: float = 15.9
    coin_height_mm: float = 8.0
    striker_radius_mm: float = 20.65
    striker_height_mm: float = 9.0
    base_line_inset_mm: float = 101.5
    """Frame to the lower (rear, thick) line's centre."""
    base_line_gap_mm: float = 31.8
    """Lower line to upper line, and the diameter of the base circles."""
    base_line_length_mm: float | None = None
    """End to end with its circles; None: as the neighbour's line requires."""
    lower_line_width_mm: float = 5.5
    upper_line_width_mm: float = 1.5
    base_circle_red_radius_mm: float = 12.7
    centre_circle_radius_mm: float = 15.9
    outer_circle_radius_mm: float = 85.0
    arrow_tip_mm: float = 50.0
    """Arrow tip to the pocket's edge."""
    arrow_length_mm: float = 257.0
    arrow_width_mm: float = 1.5

    def __post_init__(self) -> None:
        if not 300.0 <= self.side_mm <= 1200.0:
            raise ValueError(f"side_mm must be 300 to 1200, got {self.side_mm}")
        if not 0 < self.coin_radius_mm < self.striker_radius_mm:
            raise ValueError(
                "the striker must be larger than a coin, got radii "
                f"{self.striker_radius_mm} and {self.coin_radius_mm} mm"
            )
        if self.pocket_radius_mm <= self.striker_radius_mm:
            raise ValueError(
                f"pocket_radius_mm must exceed the striker's "
                f"{self.striker_radius_mm}, got {self.pocket_radius_mm}"
            )
        if self.pocket_radius_mm > self.side_mm / LARGEST_POCKET:
            raise ValueError(
                f"pocket_radius_mm must be at most a {LARGEST_POCKET}th of the side "
                f"({self.side_mm / LARGEST_POCKET:.0f}), got {self.pocket_radius_mm}"
            )

    @property
    def half_mm(self) -> float:
        """Centre to frame."""
        return self.side_mm / 2

    def radius_mm(self, piece: Piece) -> float:
        """A piece's radius."""
        return self.striker_radius_mm if piece is Piece.STRIKER else self.coin_radius_mm

    def height_mm(self, piece: Piece) -> float:
        """A piece's top above the playing surface when it lies flat."""
        return self.striker_height_mm if piece is Piece.STRIKER else self.coin_height_mm

    @property
    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Corners of the playing surface: NW, NE, SE, SW (a picture's TL TR BR BL)."""
        h = self.half_mm
        return Point(-h, h), Point(h, h), Point(h, -h), Point(-h, -h)

    @property
    def pocket_centres(self) -> Mapping[Pocket, Point]:
        """Where each pocket's centre is."""
        inset = self.pocket_inset_mm
        away_mm = self.pocket_radius_mm if inset is None else inset
        return _pocket_centres(self.half_mm - away_mm)

    def over_pocket(self, at: Point) -> Pocket | None:
        """The pocket whose hole holds this point: a piece centred here falls."""
        for pocket, centre in self.pocket_centres.items():
            if at.distance_mm(centre) < self.pocket_radius_mm:
                return pocket
        return None

    def nearest_pocket(self, at: Point) -> Pocket:
        """The pocket closest to a place."""
        centres = self.pocket_centres
        return min(centres, key=lambda pocket: at.distance_mm(centres[pocket]))

    @property
    def lower_line_y_mm(self) -> float:
        """South's rear base line (its centre)."""
        return -(self.half_mm - self.base_line_inset_mm)

    @property
    def upper_line_y_mm(self) -> float:
        """South's front base line (its centre)."""
        return self.lower_line_y_mm + self.base_line_gap_mm

    @property
    def base_circle_radius_mm(self) -> float:
        """The circles that close the base lines."""
        return self.base_line_gap_mm / 2

    def base_circles(self, seat: Seat) -> tuple[Circle, Circle]:
        """A seat's two base circles, left then right as that player sees them."""
        r = self.base_circle_radius_mm
        y = (self.lower_line_y_mm + self.upper_line_y_mm) / 2
        x = self._base_circle_x_mm
        return (
            Circle(seat.turn(Point(-x, y)), r),
            Circle(seat.turn(Point(x, y)), r),
        )

    @property
    def _base_circle_x_mm(self) -> float:
        r = self.base_circle_radius_mm
        if self.base_line_length_mm is not None:
            return self.base_line_length_mm / 2 - r
        # The circle touches the prolonged upper line of the neighbour's side.
        return self.half_mm - self.base_line_inset_mm - self.base_line_gap_mm - r

    @property
    def base_circles_reach_mm(self) -> float:
        """From the middle of a base line to the centre of its circles."""
        return self._base_circle_x_mm

    def base_lines(self, seat: Seat) -> tuple[Segment, Segment]:
        """A seat's lower and upper line, circle centre to circle centre."""
        x = self._base_circle_x_mm
        lower, upper = self.lower_line_y_mm, self.upper_line_y_mm
        return (
            Segment(
                seat.turn(Point(-x, lower)),
                seat.turn(Point(x, lower)),
                self.lower_line_width_mm,
            ),
            Segment(
                seat.turn(Point(-x, upper)),
                seat.turn(Point(x, upper)),
                self.upper_line_width_mm,
            ),
        )

    def arrows(self) -> Iterator[Segment]:
        """The four arrows, tip (near its pocket) to tail."""
        for centre in self.pocket_centres.values():
            out = hypot(*centre)
            tip = out - self.pocket_radius_mm - self.arrow_tip_mm
            tail = tip - self.arrow_length_mm
            ux, uy = centre.x_mm / out, centre.y_mm / out
            yield Segment(
                Point(tip * ux, tip * uy),
                Point(tail * ux, tail * uy),
                self.arrow_width_mm,
            )

    def opening_rack(self, breaker: Seat = Seat.SOUTH) -> list[tuple[Piece, Point]]:
        """The 19 pieces as racked for the break, the Y's stem at the breaker.

        Queen in the middle, six pieces around it in alternating colours, twelve
        on the next hexagon: tips white, notches black (ICF 41).
        """
        d = 2 * self.coin_radius_mm
        rack = [(Piece.QUEEN, Point(0.0, 0.0))]
        for step in range(6):
            angle = -pi / 2 + step * pi / 3
            inner = Piece.WHITE if step % 2 == 0 else Piece.BLACK
            rack.append((inner, _at(d, angle)))
            rack.append((Piece.WHITE, _at(2 * d, angle)))
            rack.append((Piece.BLACK, _at(sqrt(3) * d, angle + pi / 6)))
        return [(piece, breaker.turn(at)) for piece, at in rack]

    def striker_place(
        self, seat: Seat, at: Point, *, doubt_mm: float = 1.5
    ) -> StrikerPlace:
        """Judge where a striker stands before a stroke from `seat` (ICF 130).

        The verdict is `uncertain` while the deciding margin is within `doubt_mm`,
        which is how far the measurement may be off.
        """
        p = seat.turn_back(at)
        r = self.striker_radius_mm
        margins = {
            "both-lines": self._both_lines_margin_mm(p, r),
            "base-circle": self._base_circle_margin_mm(p, r),
            "arrow": self._arrow_margin_mm(p, r),
        }
        reason = min(margins, key=lambda name: margins[name])
        margin = margins[reason]
        if abs(margin) <= doubt_mm:
            return StrikerPlace(Placement.UNCERTAIN, margin, reason)
        verdict = Placement.LEGAL if margin > 0 else Placement.ILLEGAL
        return StrikerPlace(verdict, margin, reason)

    def _both_lines_margin_mm(self, p: Point, r: float) -> float:
        lower_inner = self.lower_line_y_mm + self.lower_line_width_mm / 2
        upper_inner = self.upper_line_y_mm - self.upper_line_width_mm / 2
        return r - max(abs(p.y_mm - lower_inner), abs(p.y_mm - upper_inner))

    def _base_circle_margin_mm(self, p: Point, r: float) -> float:
        """All or nothing: clear of both circles, or covering one entirely."""
        circle_r = self.base_circle_radius_mm
        gaps = [p.distance_mm(c.centre) for c in self.base_circles(Seat.SOUTH)]
        clear = min(gaps) - (r + circle_r)
        covers = (r - circle_r) - min(gaps)
        return max(clear, covers)

    def _arrow_margin_mm(self, p: Point, r: float) -> float:
        off_diagonal = abs(abs(p.x_mm) - abs(p.y_mm)) / sqrt(2)
        return off_diagonal - r - self.arrow_width_mm / 2

    @classmethod
    def club_720(cls) -> Self:
        """The recreational board of Masters Games: 720 mm, 51 mm pockets."""
        return cls(
            side_mm=720.0,
            pocket_radius_mm=25.5,
            base_line_gap_mm=38.0,
            centre_circle_radius_mm=19.0,
            base_circle_red_radius_mm=15.0,
        )


@cache
def _pocket_centres(out_mm: float) -> Mapping[Pocket, Point]:
    """Asked for many times a frame: worked out once per kind of table."""
    return MappingProxyType(
        {
            Pocket.NORTH_EAST: Point(out_mm, out_mm),
            Pocket.SOUTH_EAST: Point(out_mm, -out_mm),
            Pocket.SOUTH_WEST: Point(-out_mm, -out_mm),
            Pocket.NORTH_WEST: Point(-out_mm, out_mm),
        }
    )


def _at(radius_mm: float, angle: float) -> Point:
    return Point(radius_mm * cos(angle), radius_mm * sin(angle))
