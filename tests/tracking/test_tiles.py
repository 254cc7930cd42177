"""Which tiles a disc touches, against every point of every tile asked by itself."""

import numpy as np
import pytest

from tests.tracking.hand_made import TILES
from vision.tiles import TILE_PX, Mask

EDGE_PX = (TILES.left_px, TILES.top_px)
DISCS = [
    (EDGE_PX[0] + 100.0, EDGE_PX[1] + 90.0, 12.0),
    (EDGE_PX[0] + 96.0, EDGE_PX[1] + 96.0, 0.5),
    (EDGE_PX[0] + 3.0, EDGE_PX[1] - 5.0, 9.0),
    (EDGE_PX[0] - 40.0, EDGE_PX[1] + 50.0, 12.0),
    (EDGE_PX[0] + 300.0, EDGE_PX[1] + 310.0, 80.0),
]


def tiles_by_points(disc: tuple[float, float, float]) -> Mask:
    """Tiles with a point, of a lattice of quarter pixels, inside the disc."""
    x, y, radius = disc
    steps = np.arange(0.0, TILE_PX + 0.1, 0.25)
    found = np.zeros(TILES.shape, np.bool_)
    for row in range(TILES.rows):
        for column in range(TILES.columns):
            left = TILES.left_px + column * TILE_PX
            top = TILES.top_px + row * TILE_PX
            across, down = np.meshgrid(left + steps - x, top + steps - y)
            found[row, column] = (np.hypot(across, down) <= radius).any()
    return found


@pytest.mark.parametrize("disc", DISCS)
def test_a_disc_lies_on_the_tiles_it_reaches_into(
    disc: tuple[float, float, float],
) -> None:
    assert (TILES.under(np.array([disc])) == tiles_by_points(disc)).all()


@pytest.mark.parametrize("disc", DISCS)
def test_a_disc_reaches_a_mask_in_any_of_its_tiles_only(
    disc: tuple[float, float, float],
) -> None:
    under = tiles_by_points(disc)
    masks = [np.zeros(TILES.shape, np.bool_), ~under]
    for at in np.argwhere(under):
        masks.append(np.zeros(TILES.shape, np.bool_))
        masks[-1][tuple(at)] = True
    reached = [bool(TILES.reaching(np.array([disc]), mask)[0]) for mask in masks]
    assert reached == [False, False, *[True] * int(under.sum())]
