"""Is the table found when nobody says where it is, and refused when it is not there."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.find import FoundTable, find_table
from calibration.plane import POCKET_ORDER
from calibration.refusal import Refusal
from calibration.table import Piece, Point, Table
from vision.pictures import read_picture
from vision.sources.rendered import Renderer
from vision.sources.rendering_camera import Camera
from vision.sources.rendering_scene import Scene, ScenePiece

# The first run on a machine compiles the kernels.
pytestmark = pytest.mark.timeout(600)

CLOSE = 0.01
"""Of the side."""
PHOTOS = Path(__file__).parents[2].parent / "shared" / "photos"
TRUTHS = {path.stem: path for path in sorted(PHOTOS.glob("*.json"))}
IN_A_HURRY = ("plastic-1", "soiled-row", "webcam-robot")
"""A cloth, quarter discs and no circles; worn print; a machine over the table."""


def played(table: Table, camera: Camera, light: float = 1.0) -> np.ndarray:
    """A picture of a table with the opening rack and a striker on its base line."""
    lying = tuple(ScenePiece(piece, at) for piece, at in table.opening_rack())
    lying += (ScenePiece(Piece.STRIKER, Point(60.0, table.lower_line_y_mm + 16.0)),)
    return Renderer(table, camera).render(Scene(0.0, lying, light=light), 0)


def worst(truth: np.ndarray, seen: np.ndarray) -> float:
    """The largest distance in sides, whichever corner is called the first."""
    side = np.linalg.norm(truth - np.roll(truth, 1, axis=0), axis=1).mean()
    turned = (np.roll(seen, k, axis=0) for k in range(4))
    return min(np.linalg.norm(t - truth, axis=1).max() for t in turned) / side


CAMERAS = {
    "nearly from above": {"turn_deg": 6.0},
    "turned by 40 degrees": {"turn_deg": 40.0, "span_mm": 1200.0},
    "tilted by 15 degrees": {"position_mm": (200.0, -250.0, 1200.0), "span_mm": 1100.0},
}


@pytest.mark.parametrize(
    "camera",
    [
        pytest.param(
            camera, id=name, marks=[] if "tilted" in name else [pytest.mark.slow]
        )
        for name, camera in CAMERAS.items()
    ],
)
def test_a_table_in_play_is_found_from_any_side(camera: dict) -> None:
    view = Camera.overhead(**camera)
    found = find_table(played(Table(), view, light=0.8))
    truth = np.array(view.corners_px(Table()))
    assert worst(truth, np.array(found.corners_px)) < CLOSE
    assert found.sure > 0.5


def test_a_wide_lens_costs_no_more_than_a_straight_one() -> None:
    view = Camera.overhead(
        position_mm=(160.0, -220.0, 1110.0), span_mm=1200.0, lens=(-0.25, 0.06)
    )
    found = find_table(played(Table(), view))
    truth = np.array(view.corners_px(Table()))
    assert worst(truth, np.array(found.corners_px)) < 0.004


def test_another_makers_sizes_are_measured_not_assumed() -> None:
    table = Table.club_720()
    found = find_table(
        played(table, Camera.overhead(span_mm=980.0)), Table(side_mm=720)
    )
    assert found.table.pocket_radius_mm == pytest.approx(25.5, abs=1.5)
    assert found.table.base_line_gap_mm == pytest.approx(38.0, abs=3.0)
    assert {"pocket_radius_mm", "base_line_gap_mm"} <= found.measured


def framed() -> np.ndarray:
    picture = np.full((480, 640, 3), 60, np.uint8)
    cv2.rectangle(picture, (110, 30), (530, 450), (50, 70, 100), -1)
    cv2.rectangle(picture, (130, 50), (510, 430), (140, 180, 200), -1)
    return picture


def chessboard() -> np.ndarray:
    picture = framed()
    squares = np.kron(np.indices((8, 8)).sum(axis=0) % 2, np.ones((47, 47))) > 0
    picture[52:428, 132:508][squares] = (40, 60, 80)
    return picture


def nested_squares() -> np.ndarray:
    picture = framed()
    for inset in (50, 66):
        at, to = (130 + inset, 50 + inset), (510 - inset, 430 - inset)
        cv2.rectangle(picture, at, to, (30, 30, 30), 2)
    return picture


NO_TABLES = {
    "one colour": np.full((480, 640, 3), 127, np.uint8),
    "noise": np.random.default_rng(1).integers(0, 255, (480, 640, 3), np.uint8),
    "a frame without marks": framed(),
    "a chessboard": chessboard(),
    "base lines and nothing else": nested_squares(),
}


@pytest.mark.parametrize("picture", NO_TABLES.values(), ids=NO_TABLES.keys())
def test_what_is_no_table_is_refused_with_the_remedy(picture: np.ndarray) -> None:
    with pytest.raises(Refusal, match="--corners"):
        find_table(picture)


def test_a_part_of_a_table_is_refused() -> None:
    picture = played(Table(), Camera.overhead(span_mm=950.0))
    with pytest.raises(Refusal, match="no carrom table"):
        find_table(np.ascontiguousarray(picture[250:, 300:700]))


def photograph(name: str) -> tuple[FoundTable, np.ndarray, np.ndarray]:
    """What was found, the truth and the same places as found."""
    truth = json.loads(TRUTHS[name].read_text())
    found = find_table(read_picture(PHOTOS / truth["image"]))
    if truth["corners_px"]:
        return found, np.array(truth["corners_px"]), np.array(found.corners_px)
    places = [found.table.pocket_centres[pocket] for pocket in POCKET_ORDER]
    seen = found.mapping.to_px(np.array(places, np.float64))
    return found, np.array(truth["pocket_centres_px"]), seen


@pytest.mark.skipif(not TRUTHS, reason="no photographs beside the checkout")
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[] if name in IN_A_HURRY else [pytest.mark.slow])
        for name in TRUTHS
        if name not in ("oblique", "brown-coins")
    ],
)
def test_the_table_is_found_in_a_photograph(name: str) -> None:
    _, truth, seen = photograph(name)
    assert worst(truth, seen) < CLOSE


@pytest.mark.slow
@pytest.mark.skipif(not TRUTHS, reason="no photographs beside the checkout")
def test_pockets_cut_off_their_square_do_not_move_the_corners() -> None:
    """This maker's pockets lie up to 1.2 % of the side from their common square."""
    _, truth, seen = photograph("brown-coins")
    assert worst(truth, seen) < 0.015
