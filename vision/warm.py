"""Have every kernel compiled before the first real frame is due.

The first use of a kernel on a machine costs seconds (tens on a Pi), which must not
fall into a match, where it would look like a camera that hangs. A drawn stroke on
the profile's empty table goes through a watcher of its own; what it sees is thrown
away. Once compiled the kernels lie on disk and this takes about a second.
"""

from collections.abc import Iterator

import cv2
import numpy as np

from calibration.plane import PlaneMapping
from calibration.profile import Profile
from calibration.table import Piece, Point, Table
from vision.frames import Frame, Image
from vision.watch import Watcher

RATE_HZ = 60.0
STILL_FRAMES = 24
MOVING_FRAMES = 6
STEP_MM = 12.0
"""The striker's way from frame to frame: 0.7 m/s."""
COLOURS: dict[Piece, tuple[int, int, int]] = {
    Piece.WHITE: (190, 220, 230),
    Piece.BLACK: (45, 45, 50),
    Piece.QUEEN: (50, 40, 190),
    Piece.STRIKER: (235, 225, 210),
}
"""Blue, green, red."""


def warm_up(watcher: Watcher, empty: Image, profile: Profile) -> None:
    """Show a watcher, which is thrown away after it, a stroke into the rack."""
    for frame in _stroke(empty, profile.mapping, profile.table):
        watcher.step(frame)


def _stroke(empty: Image, mapping: PlaneMapping, table: Table) -> Iterator[Frame]:
    rng = np.random.default_rng(0)
    start = Point(60.0, table.lower_line_y_mm + table.base_line_gap_mm / 2)
    for sequence in range(STILL_FRAMES + MOVING_FRAMES):
        steps = min(max(sequence - STILL_FRAMES, 0), MOVING_FRAMES)
        striker = Point(start.x_mm, start.y_mm + STEP_MM * steps)
        pieces = [*table.opening_rack(), (Piece.STRIKER, striker)]
        image = empty.copy()
        for piece, at in pieces:
            _draw(image, mapping, table, piece, at)
        noise = rng.integers(-2, 3, image.shape, np.int16)
        noisy = np.clip(image + noise, 0, 255).astype(np.uint8)
        yield Frame(sequence / RATE_HZ, sequence, noisy)


def _draw(
    image: Image, mapping: PlaneMapping, table: Table, piece: Piece, at: Point
) -> None:
    height_mm = table.height_mm(piece)
    x, y = mapping.point_to_px(at, height_mm)
    radius = mapping.radius_px(at, table.radius_mm(piece), height_mm)
    cv2.circle(
        image, (round(x), round(y)), round(radius), COLOURS[piece], -1, cv2.LINE_AA
    )
