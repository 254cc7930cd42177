"""What becomes of the picture of the empty table when a count shows some of it."""

import numpy as np

from vision.background import Background
from vision.tiles import TILE_PX, Tiles

TILES = Tiles(left_px=8, top_px=4, rows=1, columns=2)
ALL = np.ones(TILES.shape, np.bool_)
FIRST, SECOND = np.s_[4:20, 8:24], np.s_[4:20, 24:40]


def test_a_slow_change_is_followed_by_a_quarter_and_a_piece_is_not_learned() -> None:
    empty = grey(100)
    background = Background(TILES, ALL, empty)

    now = grey(100)
    now[FIRST], now[SECOND] = 108, 140
    background.learn(now, ALL)

    assert background.whole is not None
    assert (background.whole[FIRST] == 102).all()
    assert (background.whole[SECOND] == 100).all()


def test_darker_and_lighter_pixels_that_even_out_are_light_not_a_piece() -> None:
    empty = grey(100)
    background = Background(TILES, ALL, empty)

    now = grey(100)
    now[4:20:2, 8:24], now[5:20:2, 8:24] = 60, 140
    background.learn(now, ALL)

    assert background.whole is not None
    assert (background.whole[4:20:2, 8:24] == 90).all()
    assert (background.whole[5:20:2, 8:24] == 110).all()


def test_the_picture_is_whole_when_every_tile_has_been_seen_bare() -> None:
    background = Background(TILES, ALL, None)
    left, right = np.array([[True, False]]), np.array([[False, True]])

    background.learn(grey(50), left)
    assert background.whole is None
    background.learn(grey(90), right)

    assert background.whole is not None
    assert (background.whole[FIRST] == 50).all()
    assert (background.whole[SECOND] == 90).all()


def grey(level: int) -> np.ndarray:
    return np.full((TILE_PX + 8, 3 * TILE_PX, 3), level, np.uint8)
