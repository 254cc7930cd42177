"""One lens from all views of a flat board at once: OpenCV's bundle adjustment.

It is a search downhill. From one start it stops beside the minimum for one lens in
ten (rendered cameras, 0.08 px of noise), a few percent wrong in the focal length, and
good pictures take the blame. So it starts from several focal lengths; the best wins.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.marks import Floats

Singles = NDArray[np.float32]

FOCAL_STARTS = (0.5, 0.75, 1.0, 1.5, 2.2)
"""Of the picture's longer side: a wide angle to a long lens."""
STEPS = 100
K3_PROOF = 5.0
"""How many times its doubt k3 must be to be believed."""
K3_DOUBT = 0.05


@dataclass(frozen=True, slots=True, eq=False)
class Bundle:
    """What fits all views best.

    `matrix` is OpenCV's camera matrix, `bends` k1 k2 p1 p2 k3, `turns` each view's
    rotation vector, `doubts` standard deviations in OpenCV's order (fx fy cx cy k1
    k2 p1 p2 k3 ...), `rms` and `view_rms` in pixels.
    """

    rms: float
    matrix: Floats
    bends: Floats
    turns: tuple[Floats, ...]
    doubts: Floats
    view_rms: Floats


def bundled(
    objects: list[Singles], seen: list[Singles], size_px: tuple[int, int]
) -> Bundle:
    """The lens that `seen` (N x 1 x 2 px a view) shows of `objects` (N x 3 mm).

    k3 is taken only where the views can tell it.
    """
    longer = float(max(size_px))
    starts = [_pinhole(share * longer, size_px) for share in FOCAL_STARTS]
    tried = [
        _calibrate(objects, seen, size_px, start, np.zeros(5), cv2.CALIB_FIX_K3)
        for start in starts
    ]
    plain = min(tried, key=lambda bundle: bundle.rms)
    full = _calibrate(objects, seen, size_px, plain.matrix, plain.bends, 0)
    k3, doubt = float(full.bends[4]), float(full.doubts[8])
    return full if abs(k3) > K3_PROOF * doubt and doubt < K3_DOUBT else plain


def _pinhole(focal_px: float, size_px: tuple[int, int]) -> Floats:
    x, y = size_px[0] / 2 - 0.5, size_px[1] / 2 - 0.5
    return np.array([[focal_px, 0, x], [0, focal_px, y], [0, 0, 1]])


def _calibrate(
    objects: list[Singles],
    seen: list[Singles],
    size_px: tuple[int, int],
    matrix: Floats,
    bends: Floats,
    flags: int,
) -> Bundle:
    # Square pixels: OpenCV keeps the start's fx / fy.
    flags |= cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_USE_INTRINSIC_GUESS
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, STEPS, 1e-9)
    rms, found, bent, turns, _, doubts, _, per_view = cv2.calibrateCameraExtended(
        objects, seen, size_px, matrix.copy(), bends.copy(), flags=flags, criteria=stop
    )
    return Bundle(
        float(rms),
        np.asarray(found, np.float64),
        np.asarray(bent, np.float64).ravel()[:5],
        tuple(np.asarray(turn, np.float64) for turn in turns),
        np.asarray(doubts, np.float64).ravel(),
        np.asarray(per_view, np.float64).ravel(),
    )
