"""A first guess of a lens from four corners: which bend makes the marks appear.

Corners alone say nothing of the lens, and a wide lens bends base lines by 20 mm away
from where straight corners put them: the fine fit would lock on to other edges. So a
few bends are tried; with the right one, the lines and the frame's edges are straight
and dark where they should be, and all their stations vote for one place.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.camera import LensPrior
from calibration.edges import Bytes, see
from calibration.lens import Lens
from calibration.marks import Kind, Mark, concrete, marks
from calibration.plane import PlaneMapping
from calibration.table import Table

BENDS = tuple(np.linspace(-0.45, 0.15, 13).tolist())
"""k1 from a wide-angle module's barrel to a long lens's cushion."""
REACH_MM = 14.0


def begin(
    image: Bytes,
    table: Table,
    corners_px: Sequence[tuple[float, float]],
    prior: LensPrior,
    height_mm: float | None = None,
) -> PlaneMapping:
    """The mapping to begin the fit with: corners TL TR BR BL, best of BENDS.

    A measured lens is taken as it is. Raises Refusal for corners that are none.
    """
    height, width = image.shape[:2]
    size_px = (width, height)

    def with_lens(lens: Lens) -> PlaneMapping:
        return PlaneMapping.from_corners(corners_px, size_px, table, lens)

    if prior.is_measured:
        return with_lens(prior.lens)
    lens = prior.lens
    if height_mm is not None:
        lens = replace(lens, focal_px=_focal_px(corners_px, table, height_mm))
    lined = [m for m in marks(concrete(table)) if m.kind in (Kind.LINE, Kind.FRAME)]
    tried = [with_lens(replace(lens, k1=bend, k2=0.3 * bend**2)) for bend in BENDS]
    return max(tried, key=lambda mapping: _loudness(image, mapping, lined))


def _loudness(image: Bytes, mapping: PlaneMapping, lined: Sequence[Mark]) -> float:
    return sum(see(image, mapping, mark, REACH_MM).votes for mark in lined)


def _focal_px(
    corners_px: Sequence[tuple[float, float]], table: Table, height_mm: float
) -> float:
    """From the table's size in the picture and the camera's height."""
    x, y = np.array(corners_px, np.float64).T
    area = 0.5 * abs(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))
    return float(np.sqrt(area)) / table.side_mm * height_mm
