"""A table's place in a picture, from whatever is known about it."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.find import FoundTable, find_table
from calibration.plane import PlaneMapping
from calibration.profile import Profile
from calibration.refusal import Refusal
from calibration.table import Point, Table
from vision.frames import Image
from vision.pictures import read_picture

Pixels = Sequence[tuple[float, float]]
LEAST_SIDE_PX = 100
"""A table seen smaller than this has coins of four pixels: nothing can be said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Located:
    """Which table it is and how pictures map to it.

    `fixed` says that a profile knows camera and table, `empty` is its picture of
    the empty table, `doubt_mm` how far it may put a striker off its lines; `found` how the table was found when nobody said where it is.
    Raises Refusal when the picture shows the table too small.
    """

    table: Table
    mapping: PlaneMapping
    fixed: bool = False
    empty: Image | None = None
    found: FoundTable | None = None
    doubt_mm: float = 0.0

    def __post_init__(self) -> None:
        middle = Point(0.0, 0.0)
        side_px = 2 * self.mapping.radius_px(middle, self.table.half_mm)
        if not side_px >= LEAST_SIDE_PX:
            raise Refusal(
                f"the table is only {side_px:.0f} px wide in the picture; at least "
                f"{LEAST_SIDE_PX} are needed: check the corners, or go nearer"
            )


def by_corners(image: Image, table: Table, corners_px: Pixels) -> Located:
    """With the playing surface's corners given: TL TR BR BL."""
    mapping = PlaneMapping.from_corners(corners_px, _size(image), table)
    return Located(table=table, mapping=mapping)


def by_pocket_centres(image: Image, table: Table, centres_px: Pixels) -> Located:
    """With the pockets' centres given: TL TR BR BL."""
    mapping = PlaneMapping.from_pocket_centres(centres_px, _size(image), table)
    return Located(table=table, mapping=mapping)


def by_search(image: Image, table: Table) -> Located:
    """Where the picture itself shows it; Refusal when no table is found."""
    found = find_table(image, table)
    return Located(table=found.table, mapping=found.mapping, found=found)


def by_profile(profile: Profile) -> Located:
    """Where the fixed camera has it; the profile's picture of the empty table too."""
    empty = None if profile.empty is None else read_picture(profile.empty)
    return Located(
        table=profile.table,
        mapping=profile.mapping,
        fixed=True,
        empty=empty,
        doubt_mm=profile.doubt_mm or 0.0,
    )


def corners_px(located: Located) -> tuple[tuple[float, float], ...]:
    """The playing surface's corners in the picture: TL TR BR BL."""
    corners = np.array(located.table.corners, np.float64)
    return tuple((float(x), float(y)) for x, y in located.mapping.to_px(corners))


def _size(image: Image) -> tuple[int, int]:
    height, width = image.shape[:2]
    return width, height
