"""A drawn picture of a table: flat colours and discs, by OpenCV's own polygons.

It shares nothing with detector or mapping: the camera is a pinhole written out
here, each piece is drawn as a cylinder (side, then top), four times too large and
then averaged down.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Piece, Point, Seat, Table

COLOURS = {
    Piece.WHITE: (150, 195, 225),
    Piece.BLACK: (38, 36, 34),
    Piece.QUEEN: (50, 40, 190),
    Piece.STRIKER: (200, 220, 235),
}
WOOD = (120, 170, 205)
INK = (40, 45, 50)
RED = (60, 50, 180)
OVER = 4


@dataclass(frozen=True)
class Pinhole:
    """A camera over the table; `tilt` leans it towards the south, in radians."""

    size_px: tuple[int, int] = (1280, 720)
    focal_px: float = 960.0
    place_mm: tuple[float, float, float] = (15.0, -120.0, 1190.0)
    tilt: float = field(default=-0.1)

    def see(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Pixels (N x 2) of points (N x 3, mm)."""
        c, s = np.cos(self.tilt), np.sin(self.tilt)
        lean = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
        down = np.diag([1.0, -1.0, -1.0])
        at = (points - np.array(self.place_mm)) @ (lean @ down).T
        centre = (np.array(self.size_px) - 1) / 2
        return self.focal_px * at[:, :2] / at[:, 2:] + centre


def corners(camera: Pinhole, table: Table) -> list[tuple[float, float]]:
    """Where the playing surface's corners are seen."""
    flat = np.array([(*corner, 0.0) for corner in table.corners])
    return [(float(x), float(y)) for x, y in camera.see(flat)]


def draw(
    table: Table,
    pieces: Sequence[tuple[Piece, Point]],
    camera: Pinhole,
    seed: int = 0,
    noise: float = 2.0,
) -> NDArray[np.uint8]:
    """The picture (h x w x 3, BGR) of pieces lying on the table."""
    width, height = camera.size_px
    paper = np.full((height * OVER, width * OVER, 3), 30, np.uint8)
    half = table.half_mm
    _fill(paper, camera, _square(half + table.frame_width_mm), (25, 35, 50))
    _fill(paper, camera, _square(half), WOOD)
    _print(paper, camera, table)
    for centre in table.pocket_centres.values():
        _fill(paper, camera, _ring(centre, table.pocket_radius_mm, 0.0), (12, 12, 12))
    for piece, at in pieces:
        _piece(paper, camera, table, piece, at)
    small = cv2.resize(paper, (width, height), interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), 0.6).astype(np.float64)
    grain = np.random.default_rng(seed).normal(0, noise, soft.shape)
    return np.clip(soft + grain + 0.5, 0, 255).astype(np.uint8)


def _print(paper: NDArray[np.uint8], camera: Pinhole, table: Table) -> None:
    for seat in Seat:
        for line in table.base_lines(seat):
            along = np.array(line.end) - np.array(line.start)
            off = np.array([-along[1], along[0]]) / np.hypot(*along) * line.width_mm / 2
            ends = np.array([line.start, line.end], np.float64)
            area = np.concatenate([ends + off, ends[::-1] - off])
            _fill(paper, camera, np.column_stack([area, np.zeros(4)]), INK)
        for circle in table.base_circles(seat):
            _fill(paper, camera, _ring(circle.centre, circle.radius_mm, 0.0), INK)
            inner = circle.radius_mm - 1.2
            _fill(paper, camera, _ring(circle.centre, inner, 0.0), WOOD)
            red = table.base_circle_red_radius_mm
            _fill(paper, camera, _ring(circle.centre, red, 0.0), RED)
    middle, r = Point(0.0, 0.0), table.centre_circle_radius_mm
    _fill(paper, camera, _ring(middle, table.outer_circle_radius_mm, 0.0), INK)
    _fill(paper, camera, _ring(middle, table.outer_circle_radius_mm - 1.5, 0.0), WOOD)
    _fill(paper, camera, _ring(middle, r, 0.0), INK)
    _fill(paper, camera, _ring(middle, r - 1.2, 0.0), RED)


def _piece(
    paper: NDArray[np.uint8], camera: Pinhole, table: Table, piece: Piece, at: Point
) -> None:
    radius, top = table.radius_mm(piece), table.height_mm(piece)
    colour = COLOURS[piece]
    side = tuple(round(0.6 * c) for c in colour)
    for height in np.linspace(0.0, top, 6):
        _fill(paper, camera, _ring(at, radius, float(height)), side)
    _fill(paper, camera, _ring(at, radius, top), colour)
    _fill(paper, camera, _ring(at, 0.55 * radius, top), side)
    _fill(paper, camera, _ring(at, 0.5 * radius, top), colour)


def _square(half: float) -> NDArray[np.float64]:
    return np.array(
        [(-half, half, 0), (half, half, 0), (half, -half, 0), (-half, -half, 0)],
        np.float64,
    )


def _ring(centre: Point, radius: float, height: float) -> NDArray[np.float64]:
    angle = np.linspace(0, 2 * np.pi, 120, endpoint=False)
    x = centre.x_mm + radius * np.cos(angle)
    y = centre.y_mm + radius * np.sin(angle)
    return np.column_stack([x, y, np.full_like(x, height)])


def _fill(
    paper: NDArray[np.uint8],
    camera: Pinhole,
    outline: NDArray[np.float64],
    colour: tuple[int, ...],
) -> None:
    # Pixel centres: (x + 0.5) * OVER - 0.5 in the large picture.
    large = (camera.see(outline) + 0.5) * OVER - 0.5
    cv2.fillPoly(paper, [np.round(large * 16).astype(np.int32)], colour, shift=4)
