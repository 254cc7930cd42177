"""What is searched for around a missing piece: places nearby that are not taken."""

import numpy as np

from calibration.lens import Lens
from calibration.plane import PlaneMapping
from calibration.table import Point, Table
from vision.detect_proposals import on_table, promising
from vision.detect_select import Candidate
from vision.detect_votes import Window

TABLE = Table()
LENS = Lens(900.0, (639.5, 359.5), -0.2, 0.05, 0.001, -0.0007, 0.01)
MAPPING = PlaneMapping.from_corners(
    [(344, 64), (936, 64), (936, 656), (344, 656)], (1280, 720), TABLE, LENS
)
COIN_MM = TABLE.coin_radius_mm
NEAR = Window(600, 300, 640, 340)


def test_a_place_comes_back_through_a_bent_lens() -> None:
    places = np.random.default_rng(1).uniform(-370.0, 370.0, (50, 2))
    back = on_table(MAPPING, MAPPING.to_px(places, 8.0), 8.0)
    assert np.abs(back - places).max() < 1e-3


def worth_a_fit(at_px: tuple[float, float], *taken: Point) -> bool:
    pixels = np.array([at_px])
    others = [Candidate(at, COIN_MM, False, 1.0) for at in taken]
    places = on_table(MAPPING, pixels, TABLE.coin_height_mm)
    return bool(promising(places, pixels, NEAR, 12.0, COIN_MM, others)[0])


def test_only_places_in_and_beside_the_window_are_fitted() -> None:
    assert worth_a_fit((620.0, 320.0))
    assert worth_a_fit((591.0, 320.0))
    assert not worth_a_fit((580.0, 320.0))


def test_a_place_where_a_known_piece_lies_is_not_fitted() -> None:
    middle = MAPPING.point_to_mm((620.0, 320.0), TABLE.coin_height_mm)
    touching = Point(middle.x_mm + 2 * COIN_MM, middle.y_mm)
    overlapping = Point(middle.x_mm + COIN_MM, middle.y_mm)
    assert worth_a_fit((620.0, 320.0), touching)
    assert not worth_a_fit((620.0, 320.0), touching, overlapping)
