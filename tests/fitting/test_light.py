"""Is bad light named with its remedy, and good light left alone.

Flicker is a lamp's sine at known frame times; blur is the renderer's own.
"""

import cv2
import numpy as np
import pytest

from calibration.light import Light, flicker_of, light_of
from calibration.series import series_of
from calibration.table import Table
from controller.simulator.calibrated import mapping_of
from vision.frames import Image
from vision.sources.rendered import Renderer
from vision.sources.rendering_camera import Camera
from vision.sources.rendering_scene import Scene

TABLE = Table()


def lamp(hz: float, rate_hz: float, share: float, frames: int = 64) -> list[float]:
    at_s = np.arange(frames) / rate_hz
    noise = np.random.default_rng(1).normal(0, 0.05, frames)
    return list(120.0 * (1 + share * np.sin(2 * np.pi * hz * at_s + 0.7)) + noise)


@pytest.mark.parametrize(("hz", "mains"), [(100.0, 50), (120.0, 60)])
@pytest.mark.parametrize("share", [0.002, 0.03, 0.2])
def test_flicker_is_measured_at_ninety_frames_a_second(
    hz: float, mains: int, share: float
) -> None:
    times = list(np.arange(64) / 90.0)
    found = flicker_of(lamp(hz, 90.0, share), times)
    assert found is not None
    assert found[0] == pytest.approx(share, rel=0.1)
    assert share < 0.01 or found[1] == mains


def test_a_rate_that_hides_the_lamps_says_nothing() -> None:
    """At 20 frames a second both lamps look still: 100 and 120 are its multiples."""
    times = list(np.arange(64) / 20.0)
    assert flicker_of(lamp(100.0, 20.0, 0.2), times) is None


def test_pictures_lost_by_a_busy_machine_hide_the_lamps_no_less() -> None:
    """Gaps change the mean rate, not that each picture comes at a 60th of a second."""
    grid = np.flatnonzero(np.random.default_rng(5).random(200) < 0.3)[:48] / 60.0
    noise = np.random.default_rng(6).normal(0, 0.3, 48)
    found = flicker_of(list(120.0 + noise), list(grid))
    assert found is not None
    assert found[0] < 0.005
    assert found[1] == 50, "a lamp at 120 Hz looks still"


def test_few_frames_say_nothing_about_flicker() -> None:
    assert flicker_of([100.0] * 5, [0.0, 0.1, 0.2, 0.3, 0.4]) is None


@pytest.fixture(scope="module")
def picture() -> Image:
    return Renderer(TABLE).render(Scene(0.0, ()), 0)


def judged(image: Image) -> Light:
    mapping = mapping_of(Camera.overhead(), TABLE)
    return light_of(series_of([np.asarray(image, np.uint8)], [0.0]), TABLE, mapping)


def test_good_light_needs_no_remedy(picture: Image) -> None:
    light = judged(picture)
    assert light.remedies == ()
    assert light.blur_px == pytest.approx(0.8, abs=0.4)


def test_a_defocused_lens_is_named(picture: Image) -> None:
    light = judged(cv2.GaussianBlur(picture, (0, 0), 2.5))
    assert light.blur_px == pytest.approx(2.6, abs=0.5)
    assert "focus the lens" in light.remedies[0]


def test_a_dark_hall_is_named(picture: Image) -> None:
    assert "too dark" in judged(picture * 0.2).remedies[0]


def test_one_sided_light_is_named(picture: Image) -> None:
    fall_off = np.linspace(1.0, 0.35, picture.shape[1])[None, :, None]
    assert "uneven light" in judged(picture * fall_off).remedies[0]
