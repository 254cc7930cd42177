"""Where things of one table can be in one camera's picture.

Pure geometry: the window that shows the surface, the places where a piece can lie,
and how discs in millimetres would be seen.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.plane import PlaneMapping
from calibration.refusal import Refusal
from calibration.table import Piece, Point, Seat, Table
from vision.detect_fit import Floats, Places, places
from vision.detect_print import Flags
from vision.detect_votes import HALF, Window

EDGE_SLACK_MM = 4.0
"""A piece at the frame may seem this far inside it: mapping and fit error."""
MIN_WINDOW_PX = 16


class Layout:
    """One table through one mapping.

    Raises Refusal when the table lies outside the picture.
    """

    def __init__(self, table: Table, mapping: PlaneMapping) -> None:
        self.table, self.mapping = table, mapping
        self.window = _window(table, mapping)
        self.coin_px = mapping.radius_px(Point(0, 0), table.coin_radius_mm)
        self.printed_mm = _printed(table)
        self._pockets = np.array(list(table.pocket_centres.values()), np.float64)

    def widened(self, window: Window) -> Window:
        """A window with a piece's reach around it, within the table's own."""
        larger = self.table.striker_radius_mm / self.table.coin_radius_mm
        reach = round(self.coin_px * larger * 1.5)
        own = self.window
        left = min(max(window.left - reach, own.left), own.right - MIN_WINDOW_PX)
        top = min(max(window.top - reach, own.top), own.bottom - MIN_WINDOW_PX)
        return Window(
            left - (left - own.left) % HALF,
            top - (top - own.top) % HALF,
            max(min(window.right + reach, own.right), own.left + MIN_WINDOW_PX),
            max(min(window.bottom + reach, own.bottom), own.top + MIN_WINDOW_PX),
        )

    def on_surface(self, places_px: Floats) -> NDArray[np.bool_]:
        """Which groups of places (... x N x 2) lie on the surface and in no pocket."""
        places = self.mapping.to_mm(places_px.reshape(-1, 2))
        inside = np.abs(places).max(axis=1) <= self.table.half_mm
        gaps = np.linalg.norm(places[:, None] - self._pockets, axis=2).min(axis=1)
        inside &= gaps > self.table.pocket_radius_mm
        return np.asarray(inside.reshape(places_px.shape[:-1]).all(axis=-1))

    def can_lie(self, at_mm: Floats, radii_mm: Floats) -> NDArray[np.bool_]:
        """Which places (N x 2) hold a disc: inside the frame, over no pocket."""
        reach = self.table.half_mm - radii_mm + EDGE_SLACK_MM
        inside = np.abs(at_mm).max(axis=1) <= reach
        gaps = np.linalg.norm(at_mm[:, None] - self._pockets, axis=2)
        return np.asarray(inside & (gaps.min(axis=1) >= self.table.pocket_radius_mm))

    def expected(self, pieces: Sequence[tuple[Piece, Point]]) -> Places:
        """Where pieces would be seen, in their given order."""
        points = np.array([at for _, at in pieces], np.float64).reshape(-1, 2)
        is_striker = np.array([piece is Piece.STRIKER for piece, _ in pieces], bool)
        return self.discs(points, is_striker)

    def discs(self, points: Floats, is_striker: Flags) -> Places:
        table = self.table
        radii = np.where(is_striker, table.striker_radius_mm, table.coin_radius_mm)
        heights = np.where(is_striker, table.striker_height_mm, table.coin_height_mm)
        return places(self.mapping, points, radii, heights)


def _window(table: Table, mapping: PlaneMapping) -> Window:
    """The picture's part that shows the playing surface."""
    outline = np.array(table.corners, np.float64)
    seen = mapping.to_px(outline, table.striker_height_mm)
    width, height = mapping.size_px
    left, top = np.clip(np.floor(seen.min(axis=0)), 0, (width, height)).astype(int)
    right, low = np.clip(np.ceil(seen.max(axis=0)), 0, (width, height)).astype(int)
    if right - left < MIN_WINDOW_PX or low - top < MIN_WINDOW_PX:
        raise Refusal("the table lies outside the picture; check its corners")
    right, low = right - (right - left) % HALF, low - (low - top) % HALF
    return Window(int(left), int(top), int(right), int(low))


def _printed(table: Table) -> Floats:
    """Centre and base circles: a coin on one hides it and casts few net votes."""
    circles = [c.centre for seat in Seat for c in table.base_circles(seat)]
    return np.array([Point(0.0, 0.0), *circles], np.float64)
