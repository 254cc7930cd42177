"""A rendered camera held over the printed ChArUco board, for trying and testing.

The board lies on the plane z = 0 of the rendered camera's world, its middle at the
origin, x along its rows, y up its columns. Each pixel's rays are followed to the
board's modules; nothing of OpenCV's own projection is used.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.charuco_board import COLUMNS, MODULES, ROWS, Board
from vision.frames import Image
from vision.sources.rendering_camera import Camera, Floats

PAPER_MARGIN_MM = 12.0
WHITE, BLACK, DESK = 0.78, 0.035, 0.16
SUBPIXELS = 3


def board_picture(
    board: Board,
    camera: Camera,
    *,
    blur_px: float = 0.7,
    noise_dn: float = 2.0,
    seed: int = 0,
) -> Image:
    """What the camera sees of the board, BGR."""
    ys, xs = np.mgrid[0 : camera.height_px, 0 : camera.width_px].astype(np.float64)
    ground = camera.ground(np.stack([xs, ys], -1))
    down, across = np.gradient(ground, axis=(0, 1))
    shares = (np.arange(SUBPIXELS) + 0.5) / SUBPIXELS - 0.5
    modules, linear = board.modules(), np.zeros(xs.shape)
    for dy in shares:
        for dx in shares:
            linear += _reflectance(board, modules, ground + dx * across + dy * down)
    linear = cv2.GaussianBlur(linear / SUBPIXELS**2, (0, 0), blur_px)
    lit = linear * (1.0 - 0.25 * xs / camera.width_px)
    grey = 255.0 * np.clip(lit, 0, 1) ** (1 / 2.2)
    random = np.random.default_rng(seed)
    noisy = grey + random.normal(0, noise_dn, grey.shape)
    image = np.clip(np.round(noisy), 0, 255).astype(np.uint8)
    return np.repeat(image[..., None], 3, axis=-1)


def _reflectance(board: Board, modules: NDArray[np.bool_], place: Floats) -> Floats:
    wide, high = board.size_mm
    x, y = place[..., 0] + wide / 2, high / 2 - place[..., 1]
    module = board.square_mm / MODULES
    columns = np.clip(x / module, 0, COLUMNS * MODULES - 1).astype(int)
    rows = np.clip(y / module, 0, ROWS * MODULES - 1).astype(int)
    black = modules[rows, columns]
    inside = (x >= 0) & (x < wide) & (y >= 0) & (y < high)
    margin = PAPER_MARGIN_MM
    paper = (np.abs(place[..., 0]) < wide / 2 + margin) & (
        np.abs(place[..., 1]) < high / 2 + margin
    )
    return np.where(inside & black, BLACK, np.where(paper, WHITE, DESK))
