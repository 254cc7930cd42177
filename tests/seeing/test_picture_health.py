"""Is it told when the pictures are not good enough? On rendered tables."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from math import cos, sin, tau

import cv2
import numpy as np
import pytest

from calibration.table import Piece, Point
from controller.simulator.calibrated import mapping_of
from tests.tracking.rendered_table import RATE_HZ, TABLE, Stand, lasting
from vision.frames import Frame, Image
from vision.picture_health import PictureMeter
from vision.picture_report import PictureHealth
from vision.sources.rendered import Renderer
from vision.sources.rendering_camera import Camera
from vision.sources.rendering_scene import Scene, ScenePiece

RACK = tuple(ScenePiece(piece, at) for piece, at in TABLE.opening_rack())
CAMERA = Camera.overhead()
Change = Callable[[Image], Image]


@cache
def renderer() -> Renderer:
    return Renderer(TABLE, CAMERA)


def meter() -> PictureMeter:
    return PictureMeter(TABLE, mapping_of(CAMERA, TABLE), renderer().empty())


@cache
def racked(light: float) -> Image:
    return renderer().render(Scene(0.0, RACK, light=light), 0)


def rack(light: float = 1.0) -> Image:
    return racked(light).copy()


def judged(image: Image) -> PictureHealth:
    health = meter().look(Frame(0.0, 0, image))
    assert health is not None
    return health


def problem_of(image: Image) -> str:
    (problem,) = judged(image).problems
    return problem


def test_a_good_picture_has_no_problem() -> None:
    health = judged(rack())
    assert health.problems == ()
    assert health.marks == 16
    assert health.drift_mm == pytest.approx(0.0, abs=0.2)


def test_a_dim_table_is_told() -> None:
    assert "the table is dim" in problem_of(rack(light=0.03))


@pytest.mark.parametrize(("light", "told"), [(0.5, False), (0.1, True)])
def test_a_table_much_darker_than_when_it_was_calibrated_is_told(
    light: float, told: bool
) -> None:
    health = judged(rack(light=light))
    assert health.light > 45
    assert any("the table is dim" in problem for problem in health.problems) == told


def test_a_table_white_to_the_limit_is_told_with_its_share() -> None:
    glaring = rack()
    # A fifth of the surface: 0.2 of its height, all its width.
    top, low = (
        round(mapping_of(CAMERA, TABLE).point_to_px(Point(0.0, north))[1])
        for north in (370.0, 222.0)
    )
    glaring[top:low] = 255
    assert judged(glaring).clipped == pytest.approx(0.2, abs=0.02)
    assert any("white to the limit" in p for p in judged(glaring).problems)


def test_defocus_is_measured_in_pixels_and_told() -> None:
    """A second Gaussian adds to the lens's own by squares."""
    own_px = judged(rack()).blur_px
    assert own_px is not None
    for sigma_px in (1.5, 2.5):
        soft = np.asarray(cv2.GaussianBlur(rack(), (0, 0), sigma_px), np.uint8)
        health = judged(soft)
        expected_px = float(np.hypot(own_px, sigma_px))
        assert health.blur_px == pytest.approx(expected_px, rel=0.2)
    assert "blurred" in problem_of(soft)


def test_a_lens_that_lost_its_focus_since_the_calibration_is_told() -> None:
    """A pixel more is told; the same blur in the calibrated view is that lens's own."""
    soft = np.asarray(cv2.GaussianBlur(rack(), (0, 0), 1.1), np.uint8)
    assert "blurred" in problem_of(soft)
    softer = np.asarray(cv2.GaussianBlur(renderer().empty(), (0, 0), 1.1), np.uint8)
    own = PictureMeter(TABLE, mapping_of(CAMERA, TABLE), softer)
    health = own.look(Frame(0.0, 0, soft))
    assert health is not None
    assert health.problems == ()


@pytest.mark.parametrize("moved_mm", [1.0, 3.0, 10.0])
def test_a_moved_camera_is_measured_in_millimetres(moved_mm: float) -> None:
    """A camera moved along the surface moves the picture by as much, everywhere."""
    x, y, z = CAMERA.position_mm
    moved = (x + moved_mm * cos(1.0), y + moved_mm * sin(1.0), z)
    other = Renderer(TABLE, replace(CAMERA, position_mm=moved))
    health = judged(other.render(Scene(0.0, RACK), 1))
    assert health.drift_mm == pytest.approx(moved_mm, abs=0.3, rel=0.04)
    told = any("the camera has moved" in problem for problem in health.problems)
    assert told == (moved_mm > 1.5)


def test_a_camera_turned_too_far_to_follow_is_told_after_a_while() -> None:
    height, width = rack().shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), 3.0, 1.0)
    turned = np.asarray(cv2.warpAffine(rack(), turn, (width, height)), np.uint8)
    seen = meter()
    told = [seen.look(Frame(float(second), second, turned)) for second in range(9)]
    assert [health.blocked for health in told if health] == [False] * 7 + [True] * 2
    assert told[-1] is not None
    assert "the table's marks are not seen" in told[-1].problems[0]


def test_a_hand_over_a_corner_is_no_moved_camera() -> None:
    stand = Stand()
    pieces = [(Piece.WHITE, Point(0.0, 0.0))]
    tip = Point(-250.0, -250.0)
    (scene,) = list(lasting(0.0, 1 / RATE_HZ, pieces, tip=tip))
    covered = stand.renderer.render(scene, 0)
    drift_mm = judged(covered).drift_mm
    assert drift_mm is None or drift_mm < 0.5


def flickering(depth: float, lamp_hz: float, rate_hz: float) -> PictureHealth:
    """Two seconds of a lamp whose light swings by this share of it."""
    steady = rack()
    seen = meter()
    told = None
    for number in range(round(2.2 * rate_hz)):
        at_s = number / rate_hz
        light = 1 + depth * sin(tau * lamp_hz * at_s)
        image = cv2.convertScaleAbs(steady, alpha=light * 0.8)
        told = seen.look(Frame(at_s, number, np.asarray(image, np.uint8))) or told
    assert told is not None
    return told


def test_a_steady_lamp_does_not_flicker() -> None:
    assert flickering(0.0, 100, 60).flicker == pytest.approx(0.0, abs=0.002)


@pytest.mark.parametrize("depth", [0.03, 0.1])
def test_a_lamp_on_the_mains_is_told_by_how_much_it_swings(depth: float) -> None:
    """100 Hz seen 60 times a second beats at 20 Hz, with the same amplitude."""
    health = flickering(depth, 100, 60)
    assert health.flicker == pytest.approx(depth, rel=0.15)
    assert any("the light flickers" in problem for problem in health.problems)


def test_a_hand_that_comes_and_goes_is_no_flicker() -> None:
    seen, told = meter(), None
    clear, covered = rack(), rack()
    covered[300:500, 500:900] = 60
    for number in range(140):
        image = covered if number // 20 % 2 else clear
        told = seen.look(Frame(number / 60, number, image)) or told
    assert told is not None
    assert told.flicker is not None
    assert told.flicker < 0.012


def test_a_covered_lens_leaves_no_mark_and_no_guess() -> None:
    health = judged(np.full_like(rack(), 3))
    assert (health.marks, health.drift_mm, health.blur_px) == (0, None, None)
    assert "the table is dim" in health.problems[0]
