"""The live path: a fixed camera that knows its empty table finds every piece.

Pictures come from the renderer, whose looks and camera share no code with the
detector; it stands for the camera until real recordings with truth exist.
"""

from math import cos, sin

import cv2
import numpy as np
import pytest

from calibration.refusal import Refusal
from calibration.table import Piece, Point
from vision.detect import Detector
from vision.detect_votes import Window
from vision.sources.rendered import Look, Renderer
from vision.sources.rendering_scene import Scene, ScenePiece
from vision.sources.rendering_table import WOOD

# The first run on a machine compiles the kernels.
pytestmark = pytest.mark.timeout(600)

SEEDS = range(4)


@pytest.fixture(scope="module")
def detector(rendered):
    return rendered.detector()


@pytest.mark.parametrize("seed", SEEDS)
def test_every_scattered_piece_is_found_and_named(rendered, detector, misread, seed):
    truth = rendered.scattered(seed)
    census = detector.census([rendered.picture(truth, seed)], 1.0)
    assert misread(census, truth) == []
    assert census.at_s == 1.0


@pytest.mark.parametrize("turn", [0.0, 0.4, 1.1])
def test_all_nineteen_touching_pieces_of_the_rack_are_found(
    rendered, detector, misread, turn
):
    truth = [
        (piece, Point(x * cos(turn) - y * sin(turn), x * sin(turn) + y * cos(turn)))
        for piece, (x, y) in rendered.table.opening_rack()
    ]
    truth.append((Piece.STRIKER, Point(40.0, -252.0)))
    census = detector.census([rendered.picture(truth)], 0.0)
    assert misread(census, truth) == []


def test_centres_are_right_to_half_a_millimetre_on_average(rendered, detector):
    misses = []
    for seed in SEEDS:
        truth = rendered.scattered(seed)
        census = detector.census([rendered.picture(truth, seed)], 0.0)
        for _, at in truth:
            misses.append(min(s.at.distance_mm(at) for s in census.pieces))
    assert np.mean(misses) < 0.5
    assert np.percentile(misses, 95) < 1.1


def test_coins_in_the_boards_colour_are_not_fitted_to_their_shadows(rendered, detector):
    """All that shows of them is the fall to their side, and the shadow beyond it."""
    renderer = Renderer(rendered.table, look=Look(white=WOOD))
    truth = [(p, at) for p, at in rendered.scattered(2) if p is Piece.WHITE]
    lying = tuple(ScenePiece(piece, at) for piece, at in truth)
    census = detector.census([renderer.render(Scene(0.0, lying), 0)], 0.0)
    misses = [min(s.at.distance_mm(at) for s in census.pieces) for _, at in truth]
    assert len(census.pieces) == len(truth)
    assert np.mean(misses) < 0.7
    assert max(misses) < 1.5


def test_an_empty_table_is_empty(rendered, detector):
    assert detector.census([rendered.picture([])], 0.0).pieces == ()


def test_a_queen_on_the_printed_centre_is_seen(rendered, detector, misread):
    truth = [(Piece.QUEEN, Point(0.0, 0.0)), (Piece.WHITE, Point(150.0, 40.0))]
    truth.append((Piece.BLACK, Point(-120.0, 200.0)))
    census = detector.census([rendered.picture(truth)], 0.0)
    assert misread(census, truth) == []


@pytest.mark.parametrize("shift_px", [(0.5, 0.0), (-0.3, 0.4)])
def test_a_camera_knocked_by_half_a_pixel_invents_nothing(
    rendered, detector, misread, shift_px
):
    """Print beside its place must not become pieces."""
    truth = rendered.scattered(3)
    picture = rendered.picture(truth)
    move = np.array([[1, 0, shift_px[0]], [0, 1, shift_px[1]]], np.float64)
    knocked = cv2.warpAffine(picture, move, picture.shape[1::-1])
    assert misread(detector.census([knocked], 0.0), truth) == []


def test_several_pictures_are_one_census(rendered, detector, misread):
    truth = rendered.scattered(5)
    pictures = [rendered.picture(truth, seed) for seed in (1, 1, 1)]
    assert misread(detector.census(pictures, 0.0), truth) == []


def test_refining_finds_pieces_beside_their_guess(rendered, detector):
    truth = rendered.scattered(6)
    picture = rendered.picture(truth)
    guesses = [(piece, Point(x + 2.0, y - 1.5)) for piece, (x, y) in truth]
    found = detector.refine(picture, guesses)
    assert [s.piece for s in found] == [piece for piece, _ in truth]
    misses = [s.at.distance_mm(at) for s, (_, at) in zip(found, truth, strict=True)]
    assert np.mean(misses) < 0.8


def test_refining_finds_nothing_where_nothing_lies(rendered, detector):
    """Bare wood, the printed centre, a printed base circle."""
    circle = Point(-220.8, -252.6)
    guesses = [(Piece.WHITE, Point(100.0, 60.0)), (Piece.QUEEN, Point(0.0, 0.0))]
    guesses.append((Piece.BLACK, circle))
    assert detector.refine(rendered.picture([]), guesses) == [None, None, None]


def test_looking_finds_only_what_is_not_known_yet(rendered, detector):
    known = (Piece.WHITE, Point(-20.0, 0.0))
    fresh = (Piece.BLACK, Point(20.0, 10.0))
    picture = rendered.picture([known, fresh, (Piece.WHITE, Point(250.0, 250.0))])
    x, y = rendered.mapping.point_to_px(Point(0.0, 0.0))
    window = Window(int(x) - 40, int(y) - 40, int(x) + 40, int(y) + 40)
    found = detector.look(picture, [window], [known])
    assert len(found) == 1
    assert found[0].at.distance_mm(fresh[1]) < 2.0


def test_a_picture_of_another_size_is_refused_with_the_remedy(rendered, detector):
    with pytest.raises(Refusal, match="measured in 1280 x 720 px"):
        detector.census([rendered.picture([])[:700]], 0.0)


def test_an_empty_table_of_another_size_is_refused(rendered):
    with pytest.raises(Refusal, match="calibrate again"):
        Detector(rendered.table, rendered.mapping, empty=np.zeros((9, 9, 3), np.uint8))


def test_a_window_full_of_known_pieces_holds_nothing_more(rendered, detector):
    known = (Piece.WHITE, Point(-20.0, 0.0))
    x, y = rendered.mapping.point_to_px(known[1])
    window = Window(int(x) - 8, int(y) - 8, int(x) + 8, int(y) + 8)
    assert detector.look(rendered.picture([known]), [window], [known]) == []


def test_expecting_nothing_finds_nothing(rendered, detector):
    assert detector.refine(rendered.picture([]), []) == []
