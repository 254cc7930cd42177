"""Soft shadows and dimmed lamps change the board, not what lies on it."""

import numpy as np

from calibration.table import Piece, Point
from vision.detect_votes import Window, halved
from vision.shading import BLOCK_PX, blocks, gains

WHOLE = Window(0, 0, 1280, 720)


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
