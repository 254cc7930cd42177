"""Which peaks of the votes in a small window are worth a fit, and where they lie.

A window around a missing piece is seen with a margin, so its votes show the pieces
beside it, too. Those are known; peaks that they exclude, or that lie outside the
window, are dropped before anything is fitted, and of the rest only the first few
are: the next frame looks again.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.lens import UNDISTORT_STEPS
from calibration.plane import PlaneMapping
from vision.compiled import compiled
from vision.detect_fit import REACH_MM
from vision.detect_select import OVERLAP_MM, Candidate
from vision.detect_votes import Window

Floats = NDArray[np.float64]


def on_table(mapping: PlaneMapping, pixels: Floats, height_mm: float) -> Floats:
    """`PlaneMapping.to_mm` for many small calls: N x 2 pixels to mm."""
    places = np.empty((len(pixels), 2))
    back = np.asarray(np.linalg.inv(mapping.matrix(height_mm)), np.float64)
    _to_mm(back, mapping.lens.numbers, np.ascontiguousarray(pixels), places)
    return places


def promising(
    places_mm: Floats,
    pixels: Floats,
    near: Window,
    beside_px: float,
    radius_mm: float,
    taken: Sequence[Candidate],
) -> NDArray[np.bool_]:
    """Which proposals (N x 2) lie in or beside a window, where no taken piece is."""
    low, high = np.array(near[:2]) - beside_px, np.array(near[2:]) + beside_px
    found = np.all((pixels >= low) & (pixels <= high), axis=1)
    if taken:
        others = np.array([t.at for t in taken], np.float64)
        radii = np.array([t.radius_mm for t in taken])
        reach = radii + radius_mm - OVERLAP_MM - REACH_MM
        off = places_mm[:, None] - others
        found &= np.all((off * off).sum(axis=2) >= reach * reach, axis=1)
    return np.asarray(found, np.bool_)


@compiled
def _to_mm(back: Floats, bend: Floats, pixels: Floats, places: Floats) -> None:
    focal, middle_x, middle_y = bend[0], bend[1], bend[2]
    for n in range(len(pixels)):
        seen_x, seen_y = (
            (pixels[n, 0] - middle_x) / focal,
            (pixels[n, 1] - middle_y) / focal,
        )
        x, y = seen_x, seen_y
        for _ in range(UNDISTORT_STEPS):
            r2 = x * x + y * y
            gain = 1.0 + r2 * (bend[3] + r2 * (bend[4] + r2 * bend[7]))
            askew = 2.0 * (bend[5] * y + bend[6] * x)
            dx, dy = r2 * bend[6] + x * askew, r2 * bend[5] + y * askew
            x, y = (seen_x - dx) / gain, (seen_y - dy) / gain
        u, v = middle_x + focal * x, middle_y + focal * y
        w = back[2, 0] * u + back[2, 1] * v + back[2, 2]
        places[n, 0] = (back[0, 0] * u + back[0, 1] * v + back[0, 2]) / w
        places[n, 1] = (back[1, 0] * u + back[1, 1] * v + back[1, 2]) / w
