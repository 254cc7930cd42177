"""Soft shadows and dimmed lamps change the board, not what lies on it."""

import numpy as np
import pytest

from calibration.table import Piece, Point
from vision.detect_votes import Window, halved
from vision.shading import BLOCK_PX, blocks, gains, noise
from vision.shine import Shine

WHOLE = Window(0, 0, 1280, 720)
SURFACE = Window(360, 80, 920, 640)


def shaded(picture, strength, at=(640, 360)):
    """A soft shadow (Gaussian, 200 px) that leaves 1 - strength of the light."""
    height, width = picture.shape[:2]
    yy, xx = np.mgrid[0:height, 0:width]
    off = ((xx - at[0]) ** 2 + (yy - at[1]) ** 2) / 200.0**2
    left = (1.0 - strength * np.exp(-off)) ** (1 / 2.2)
    return np.clip(picture * left[..., None] + 0.5, 0, 255).astype(np.uint8)


def light(empty, picture):
    """How much brighter the picture is than the empty table's, by blocks."""
    return gains(blocks(halved(empty, WHOLE)), blocks(halved(picture, WHOLE)))


def test_an_unchanged_light_needs_no_other_picture(rendered):
    assert light(rendered.renderer.empty(), rendered.picture([])) is None


def test_the_empty_table_in_shadow_looks_like_the_shaded_picture(rendered):
    empty = rendered.renderer.empty()
    dark = shaded(rendered.picture([]), 0.35)
    changed = light(empty, dark)
    assert changed is not None
    gain = np.repeat(np.repeat(changed, BLOCK_PX, axis=0), BLOCK_PX, axis=1)
    lit = empty * gain[..., None]
    surface = np.s_[80:640, 360:920]
    off = np.abs(lit[surface] - dark[surface].astype(int))
    before = np.abs(empty[surface].astype(int) - dark[surface].astype(int))
    assert off.mean() < 2.5 < before.mean() / 2


def test_a_leaning_players_shadow_adds_and_hides_nothing(rendered, misread):
    detector = rendered.detector()
    for seed, at in enumerate([(560, 300), (720, 460), (640, 200)]):
        truth = rendered.scattered(seed)
        picture = shaded(rendered.picture(truth, seed), 0.35, at)
        assert misread(detector.census([picture], 0.0), truth) == []


def test_print_in_shadow_is_not_a_piece(rendered):
    detector = rendered.detector()
    for at in [(400, 300), (700, 560), (640, 360)]:
        dark = shaded(rendered.picture([]), 0.4, at)
        assert detector.census([dark], 0.0).pieces == ()


def test_a_rack_is_not_taken_for_a_shadow(rendered, misread):
    truth = [(piece, at) for piece, at in rendered.table.opening_rack()]
    truth.append((Piece.STRIKER, Point(40.0, -252.0)))
    picture = shaded(rendered.picture(truth), 0.35)
    assert misread(rendered.detector().census([picture], 0.0), truth) == []


@pytest.mark.parametrize("deviation", [2.0, 6.0])
def test_the_noise_of_a_picture_is_measured_beside_pieces_and_shadow(
    rendered, deviation
):
    empty = rendered.renderer.empty()
    picture = shaded(rendered.picture(rendered.scattered(2)), 0.3)
    grain = np.random.default_rng(1).normal(0, deviation, picture.shape)
    noisy = np.clip(picture + grain, 0, 255).astype(np.uint8)
    both = float(np.hypot(deviation, 2.0))  # the renderer's own is 2
    assert noise(empty, noisy, SURFACE) == pytest.approx(both, rel=0.2)


def test_a_piece_in_glare_shows_the_colour_it_has_elsewhere():
    """A coin of a tenth of the board's reflectance, under white shine and half light."""
    linear = {"board": np.array([0.2, 0.4, 0.5]), "coin": np.array([0.03, 0.03, 0.04])}
    grey = {name: 255 * colour ** (1 / 2.2) for name, colour in linear.items()}
    blocks_seen = np.tile(grey["board"].astype(np.float32), (20, 20, 1))
    blocks_seen[3:9, 3:9] = 255 * (0.5 * linear["board"] + 0.2) ** (1 / 2.2)
    shine = Shine(blocks_seen, np.ones((20, 20), np.bool_), 100, 60)
    in_glare = 255 * (0.5 * linear["coin"] + 0.2) ** (1 / 2.2)
    at = np.array([[100 + 16 * 6.0, 60 + 16 * 6.0], [100 + 16 * 15.0, 60 + 16 * 15.0]])
    seen = shine.without(np.stack([in_glare, grey["coin"]]), at, None)
    assert seen == pytest.approx(np.stack([grey["coin"]] * 2), abs=3.0)


def test_a_dark_frame_beside_a_coin_does_not_redden_it():
    """A coin at the wall lies in the board's light, whatever its block shows."""
    blocks_seen = np.tile(np.float32([150, 190, 215]), (20, 20, 1))
    blocks_seen[15:] = (40, 52, 78)
    shine = Shine(blocks_seen, np.arange(20)[:, None].repeat(20, 1) < 15, 0, 0)

    at = np.array([[160.0, 16 * 15.2], [160.0, 160.0]])
    seen = shine.without(np.array([[37.0, 40.0, 46.0]] * 2), at, None)

    assert seen[0] == pytest.approx(seen[1])


def test_wood_of_another_tone_is_no_shine():
    """Half of the boards' blocks are a little redder, half a little yellower."""
    blocks_seen = np.tile(np.float32([152, 190, 213]), (20, 20, 1))
    blocks_seen[::2] = (149, 191, 214)
    blocks_seen[12:, 12:] = (155, 190, 212)
    shine = Shine(blocks_seen, np.ones((20, 20), np.bool_), 0, 0)

    black = np.array([[37.0, 40.0, 46.0]])
    seen = shine.without(black, np.array([[16 * 16.0, 16 * 16.0]]), None)

    assert seen == pytest.approx(black, abs=3.0)
