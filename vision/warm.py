"""Have every kernel compiled before the first real frame is due.

The first use of a kernel on a machine costs seconds (tens on a Pi), which must not
fall into a match, where it would look like a camera that hangs. A drawn stroke on
the empty table, with a coin that jumps aside and an arm that reaches in, goes through
eyes of its own; what they see is thrown away. Once compiled the kernels lie on disk
and this takes about a second.
"""

from collections.abc import Callable, Iterable, Iterator

import cv2
import numpy as np

from calibration.plane import PlaneMapping
from calibration.profile import Profile
from calibration.table import Piece, Point, Table
from vision.frames import Frame, Image

RATE_HZ = 60.0
STILL_FRAMES = 24
MOVING_FRAMES = 6
REACHING_FRAMES = 4
STEP_MM = 12.0
"""The striker's way from frame to frame: 0.7 m/s."""
JUMP_MM = 60.0
"""Too far to be found by following: it has to be searched for."""
WOOD, ARM = (140, 170, 200), (90, 120, 180)
COLOURS: dict[Piece, tuple[int, int, int]] = {
    Piece.WHITE: (190, 220, 230),
    Piece.BLACK: (45, 45, 50),
    Piece.QUEEN: (50, 40, 190),
    Piece.STRIKER: (235, 225, 210),
}
"""Blue, green, red."""


def warm_up(
    look: Callable[[Frame], Iterable[object]], empty: Image, profile: Profile
) -> None:
    """Show eyes, which are thrown away after it, a stroke into the rack and an arm."""
    for frame in _film(empty, profile.mapping, profile.table):
        for _ in look(frame):
            pass


def plain(profile: Profile) -> Image:
    """Stands for a picture of the empty table where there is none."""
    width, height = profile.mapping.size_px
    return np.full((height, width, 3), WOOD, np.uint8)


def _film(empty: Image, mapping: PlaneMapping, table: Table) -> Iterator[Frame]:
    rng = np.random.default_rng(0)
    for sequence in range(STILL_FRAMES + MOVING_FRAMES + REACHING_FRAMES):
        moved = min(max(sequence - STILL_FRAMES, 0), MOVING_FRAMES)
        image = empty.copy()
        for piece, at in _pieces(table, moved):
            _draw(image, mapping, table, piece, at)
        if sequence >= STILL_FRAMES + MOVING_FRAMES:
            _reach_in(image, mapping, table)
        noise = rng.integers(-2, 3, image.shape, np.int16)
        noisy = np.clip(image + noise, 0, 255).astype(np.uint8)
        yield Frame(sequence / RATE_HZ, sequence, noisy)


def _pieces(table: Table, moved: int) -> Iterator[tuple[Piece, Point]]:
    """The rack, its last coin aside once anything has moved, and the striker."""
    *rack, (last, (x, y)) = table.opening_rack()
    yield from rack
    yield last, Point(x + (JUMP_MM if moved else 0.0), y)
    start_y = table.lower_line_y_mm + table.base_line_gap_mm / 2
    yield Piece.STRIKER, Point(60.0, start_y + STEP_MM * moved)


def _reach_in(image: Image, mapping: PlaneMapping, table: Table) -> None:
    outside = Point(0.0, -table.half_mm - table.frame_width_mm)
    ends = (mapping.point_to_px(at) for at in (outside, Point(0.0, -80.0)))
    (x0, y0), (x1, y1) = ends
    width = round(2 * mapping.radius_px(Point(0.0, 0.0), 35.0))
    cv2.line(image, (round(x0), round(y0)), (round(x1), round(y1)), ARM, width)


def _draw(
    image: Image, mapping: PlaneMapping, table: Table, piece: Piece, at: Point
) -> None:
    height_mm = table.height_mm(piece)
    x, y = mapping.point_to_px(at, height_mm)
    radius = mapping.radius_px(at, table.radius_mm(piece), height_mm)
    cv2.circle(
        image, (round(x), round(y)), round(radius), COLOURS[piece], -1, cv2.LINE_AA
    )
