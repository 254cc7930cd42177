"""One picture's census from whatever is known about the table in it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.find import FoundTable, find_table
from calibration.plane import PlaneMapping
from calibration.profile import Profile
from calibration.table import Table
from vision.detect import Detector
from vision.detect_picture import census_of_picture
from vision.frames import Image
from vision.pictures import read_picture
from vision.registration import Registration
from vision.sightings import Census

Pixels = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Counted:
    """What lies on a table, and how the picture maps to it."""

    table: Table
    mapping: PlaneMapping
    census: Census
    found: FoundTable | None = None
    """How the table was found when nobody said where it is."""

    @property
    def corners_px(self) -> tuple[tuple[float, float], ...]:
        """The playing surface's corners in the picture: TL TR BR BL."""
        seen = self.mapping.to_px(np.array(self.table.corners, np.float64))
        return tuple((float(x), float(y)) for x, y in seen)


def by_corners(image: Image, table: Table, corners_px: Pixels) -> Counted:
    """Census with the playing surface's corners given: TL TR BR BL."""
    mapping = PlaneMapping.from_corners(corners_px, _size(image), table)
    return _counted(image, table, mapping)


def by_pocket_centres(image: Image, table: Table, centres_px: Pixels) -> Counted:
    """Census with the pockets' centres given: TL TR BR BL."""
    mapping = PlaneMapping.from_pocket_centres(centres_px, _size(image), table)
    return _counted(image, table, mapping)


def by_search(image: Image, table: Table) -> Counted:
    """Census after finding the table and its sizes; Refusal when none is found."""
    found = find_table(image, table)
    counted = _counted(image, found.table, found.mapping)
    return replace(counted, found=found)


def by_profile(image: Image, profile: Profile) -> Counted:
    """Census as the fixed camera does it: known mapping, known empty table.

    Raises Refusal when the picture has another size than the profile's.
    """
    empty = None if profile.empty is None else read_picture(profile.empty)
    detector = Detector(profile.table, profile.mapping, empty=empty)
    drift = None
    if empty is not None:
        drift = Registration(profile.table, profile.mapping, empty).measure(image)
    census = detector.census([image], 0.0, drift)
    return Counted(profile.table, profile.mapping, census)


def _counted(image: Image, table: Table, mapping: PlaneMapping) -> Counted:
    picture = census_of_picture(image, table, mapping)
    return Counted(table, mapping, Census(0.0, picture.pieces))


def _size(image: Image) -> tuple[int, int]:
    height, width = image.shape[:2]
    return width, height
