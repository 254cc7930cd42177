"""Is the table found when nobody says where it is, and refused when it is not there."""

import cv2
import numpy as np
import pytest

from calibration.find import find_table
from calibration.refusal import Refusal
from calibration.table import Piece, Point, Table
from vision.sources.rendered import Renderer
from vision.sources.rendering_camera import Camera
from vision.sources.rendering_scene import Scene, ScenePiece

TABLE = Table()
CLOSE = 0.01
"""Of the side."""


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(TABLE, Camera.overhead(turn_deg=6.0))


@pytest.mark.parametrize("light", [0.6, 1.0])
def test_a_table_in_play_is_found(renderer: Renderer, light: float) -> None:
    lying = tuple(ScenePiece(piece, at) for piece, at in TABLE.opening_rack())
    lying += (ScenePiece(Piece.STRIKER, Point(300.0, -345.0)),)
    picture = renderer.render(Scene(0.0, lying, light=light), 0)
    truth = np.array(renderer.camera.corners_px(TABLE))
    side = np.linalg.norm(truth[0] - truth[1])
    found = np.array(find_table(picture).corners_px)
    assert np.linalg.norm(found - truth, axis=1).max() < CLOSE * side


def boxes() -> np.ndarray:
    picture = np.full((480, 640, 3), 60, np.uint8)
    cv2.rectangle(picture, (80, 60), (560, 420), (140, 180, 200), -1)
    return picture


NO_TABLES = {
    "one colour": np.full((480, 640, 3), 127, np.uint8),
    "noise": np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8),
    "a sheet without pockets": boxes(),
}


@pytest.mark.parametrize("picture", NO_TABLES.values(), ids=NO_TABLES.keys())
def test_what_is_no_table_is_refused_with_the_remedy(picture: np.ndarray) -> None:
    with pytest.raises(Refusal, match="--corners"):
        find_table(picture)
