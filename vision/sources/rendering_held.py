"""A flat ChArUco board held before the rendered camera, somewhere above the table.

Each pixel's ray is followed to the board's plane: from the camera's foot at height H
to where the ray meets the playing surface, so no projection of OpenCV's is used.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numba import njit
from numpy.typing import NDArray

from calibration.charuco_board import MODULES, Board
from calibration.kernels import kept
from vision.frames import Image
from vision.sources.rendering_camera import Camera, Floats, Vector

MARGIN_MODULES = 9.6
WHITE, BLACK = 0.72, 0.035
SUBPIXELS = 3
SPARE_PX = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldBoard:
    """The board's middle in mm, and unit vectors along its rows and up its columns."""

    middle_mm: Vector
    across: Vector
    up: Vector
    square_mm: float = Board().square_mm

    @property
    def corners_mm(self) -> Floats:
        """The inner corners in their order, N x 3 mm."""
        board = Board(self.square_mm)
        wide, high = board.size_mm
        flat = np.asarray(board.pattern().getChessboardCorners(), np.float64)
        return self._places(flat[:, 0] - wide / 2, high / 2 - flat[:, 1])

    @property
    def paper_mm(self) -> Floats:
        """The sheet's four corners, 4 x 3 mm."""
        margin = MARGIN_MODULES * self.square_mm / MODULES
        wide, high = (side / 2 + margin for side in Board(self.square_mm).size_mm)
        return self._places(
            np.array([-wide, wide, wide, -wide]), np.array([high, high, -high, -high])
        )

    def _places(self, x: Floats, y: Floats) -> Floats:
        along = np.outer(x, self.across) + np.outer(y, self.up)
        return np.asarray(np.array(self.middle_mm) + along)


def draw_held(
    canvas: Image,
    ground: NDArray[np.float32],
    camera: Camera,
    held: HeldBoard,
    blur_px: float,
    tables: tuple[NDArray[np.float32], NDArray[np.uint8]],
) -> None:
    """Draw the board into a picture; `ground` is where each pixel's ray ends.

    `tables` are those of `rendering_kernels.tables`.
    """
    rim = camera.project(held.paper_mm)
    low = np.floor(rim.min(axis=0)).astype(int) - SPARE_PX
    high = np.ceil(rim.max(axis=0)).astype(int) + SPARE_PX
    x0, y0 = np.clip(low, 0, (camera.width_px, camera.height_px)).tolist()
    x1, y1 = np.clip(high, 0, (camera.width_px, camera.height_px)).tolist()
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    board = Board(held.square_mm)
    to_modules = _to_modules(np.array(camera.position_mm), held, board)
    sheet = _sheet(ground[y0:y1, x0:x1], to_modules, board.modules())
    # Covered share beside light, so that the lens blurs edge and print alike.
    soft = np.asarray(cv2.GaussianBlur(sheet, (0, 0), blur_px), np.float32)
    grey, levels = tables
    behind = grey[canvas[y0:y1, x0:x1]] * (1.0 - soft[..., :1])
    linear = np.clip(behind + soft[..., 1:], 0.0, 1.0)
    canvas[y0:y1, x0:x1] = levels[(linear * (len(levels) - 1) + 0.5).astype(np.int32)]


def _to_modules(eye: Floats, held: HeldBoard, board: Board) -> Floats:
    """From places on the playing surface to columns and rows of modules, 3 x 3.

    Both are planes seen from one eye, so a ray joins them by a homography.
    """
    across, up = np.array(held.across), np.array(held.up)
    from_middle = eye - np.array(held.middle_mm)
    normal = np.cross(across, up)
    rays = np.array([[1.0, 0.0, -eye[0]], [0.0, 1.0, -eye[1]], [0.0, 0.0, -eye[2]]])
    steep = normal @ rays
    reach = -(normal @ from_middle)
    wide, high = board.size_mm
    column = (from_middle @ across + wide / 2) * steep + reach * (across @ rays)
    row = (high / 2 - from_middle @ up) * steep - reach * (up @ rays)
    module = board.square_mm / MODULES
    return np.stack([column / module, row / module, steep])


@kept
@njit(cache=True, fastmath=True, error_model="numpy")
def _sheet(
    ground: NDArray[np.float32], to_modules: Floats, modules: NDArray[np.bool_]
) -> NDArray[np.float32]:
    """How much of each pixel the sheet covers, and the linear light it sends."""
    height, width = ground.shape[:2]
    sheet = np.zeros((height, width, 2), np.float32)
    rows, columns = modules.shape
    margin = MARGIN_MODULES
    share = np.float32(1.0 / (SUBPIXELS * SUBPIXELS))
    h = to_modules
    for y in range(height):
        down_to = y + 1 if y + 1 < height else y - 1
        for x in range(width):
            right_to = x + 1 if x + 1 < width else x - 1
            gx, gy = ground[y, x, 0], ground[y, x, 1]
            right_x = (ground[y, right_to, 0] - gx) * (right_to - x)
            right_y = (ground[y, right_to, 1] - gy) * (right_to - x)
            down_x = (ground[down_to, x, 0] - gx) * (down_to - y)
            down_y = (ground[down_to, x, 1] - gy) * (down_to - y)
            for sub in range(SUBPIXELS * SUBPIXELS):
                dx = ((sub % SUBPIXELS) + 0.5) / SUBPIXELS - 0.5
                dy = ((sub // SUBPIXELS) + 0.5) / SUBPIXELS - 0.5
                px = gx + dx * right_x + dy * down_x
                py = gy + dx * right_y + dy * down_y
                depth = h[2, 0] * px + h[2, 1] * py + h[2, 2]
                column = (h[0, 0] * px + h[0, 1] * py + h[0, 2]) / depth
                row = (h[1, 0] * px + h[1, 1] * py + h[1, 2]) / depth
                if not -margin <= column < columns + margin:
                    continue
                if not -margin <= row < rows + margin:
                    continue
                inside = 0 <= column < columns and 0 <= row < rows
                black = inside and modules[int(row), int(column)]
                sheet[y, x, 0] += share
                sheet[y, x, 1] += share * np.float32(BLACK if black else WHITE)
    return sheet
