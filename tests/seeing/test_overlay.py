"""The overlay: kinds differ by shape, not only by colour; nothing is too small."""

from itertools import combinations

import cv2
import numpy as np
import pytest

from calibration.plane import PlaneMapping
from calibration.table import Piece, Point, Table
from vision.overlay import draw_census
from vision.sightings import Census, Sighting

TABLE = Table()
CORNERS = [(100.0, 100.0), (900.0, 100.0), (900.0, 900.0), (100.0, 900.0)]
MAPPING = PlaneMapping.from_corners(CORNERS, (1000, 1000), TABLE)
BLANK = np.full((1000, 1000, 3), 90, np.uint8)


def drawn(piece: Piece) -> np.ndarray:
    """The grey picture of one piece of this kind, cut out around it."""
    sighting = Sighting(piece, Point(60.0, 40.0), 565.0, 457.0, 20.0, 0.9)
    image = draw_census(BLANK, TABLE, MAPPING, Census(0.0, (sighting,)))
    return cv2.cvtColor(image[420:495, 525:605], cv2.COLOR_BGR2GRAY)


@pytest.mark.parametrize(("one", "other"), list(combinations(Piece, 2)), ids=str)
def test_kinds_differ_by_shape_without_colour(one: Piece, other: Piece) -> None:
    """Strokes are dark-edged: compare where the edges are, not how light they are."""
    first, second = (drawn(piece) < 60 for piece in (one, other))
    assert np.count_nonzero(first ^ second) > 60


@pytest.mark.parametrize("size", [(480, 640), (1600, 1200)])
def test_small_pictures_are_enlarged_and_large_ones_kept(size: tuple[int, int]) -> None:
    picture = np.zeros((*size, 3), np.uint8)
    corners = [(50.0, 50.0), (400.0, 50.0), (400.0, 400.0), (50.0, 400.0)]
    mapping = PlaneMapping.from_corners(corners, size[::-1], TABLE)
    image = draw_census(picture, TABLE, mapping, Census(0.0, ()))
    assert image.shape[1] >= 1000
    assert image.shape[0] > image.shape[1] * size[0] / size[1]


def test_the_picture_itself_is_left_alone() -> None:
    before = BLANK.copy()
    draw_census(BLANK, TABLE, MAPPING, Census(0.0, ()))
    assert (before == BLANK).all()
