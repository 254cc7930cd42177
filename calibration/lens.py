"""How a lens bends straight lines: radial distortion, given explicitly.

Brown's radial model as OpenCV writes it (`k1`, `k2`); tangential terms are below
a tenth of a pixel in the lenses a table camera uses and are left out.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
"""N x 2 float64."""


@dataclass(frozen=True, slots=True)
class Lens:
    """A lens with square pixels: focal length, principal point, radial terms."""

    focal_px: float
    centre_px: tuple[float, float]
    k1: float = 0.0
    k2: float = 0.0

    @property
    def is_straight(self) -> bool:
        """Whether straight lines stay straight in its picture."""
        return self.k1 == 0.0 and self.k2 == 0.0

    def distort(self, points_px: Points) -> Points:
        """Where the picture shows points of an ideal (pinhole) picture."""
        if self.is_straight:
            return points_px
        centre = np.array(self.centre_px)
        n = (points_px - centre) / self.focal_px
        r2 = np.sum(n * n, axis=-1, keepdims=True)
        bent: Points = centre + self.focal_px * n * (1 + r2 * (self.k1 + r2 * self.k2))
        return bent

    def undistort(self, points_px: Points) -> Points:
        """The ideal picture's points for points of the real picture."""
        if self.is_straight:
            return points_px
        centre = np.array(self.centre_px)
        seen = (points_px - centre) / self.focal_px
        n = seen
        for _ in range(UNDISTORT_STEPS):
            r2 = np.sum(n * n, axis=-1, keepdims=True)
            n = seen / (1 + r2 * (self.k1 + r2 * self.k2))
        ideal: Points = centre + self.focal_px * n
        return ideal


UNDISTORT_STEPS = 12
"""Fixed-point steps; k1 = -0.3 at the picture's corner is within 1e-4 px by then."""
