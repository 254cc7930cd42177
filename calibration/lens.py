"""How a lens bends straight lines: Brown's model, as OpenCV writes it.

Radial terms `k1`, `k2`, `k3` and tangential terms `p1`, `p2` (a lens that sits
askew before its sensor). With radii r in units of the focal length:

    x' = x (1 + k1 r^2 + k2 r^4 + k3 r^6) + 2 p1 x y + p2 (r^2 + 2 x^2)
    y' = y (1 + k1 r^2 + k2 r^4 + k3 r^6) + p1 (r^2 + 2 y^2) + 2 p2 x y
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
"""N x 2 float64."""


@dataclass(frozen=True, slots=True)
class Lens:
    """A lens with square pixels: focal length, principal point, distortion."""

    focal_px: float
    centre_px: tuple[float, float]
    k1: float = 0.0
    k2: float = 0.0
    p1: float = 0.0
    p2: float = 0.0
    k3: float = 0.0

    @property
    def is_straight(self) -> bool:
        """Whether straight lines stay straight in its picture."""
        return not any((self.k1, self.k2, self.p1, self.p2, self.k3))

    @property
    def numbers(self) -> NDArray[np.float64]:
        """Focal length, centre x, y, k1, k2, p1, p2, k3: for compiled code."""
        return np.array(
            [
                *(self.focal_px, *self.centre_px),
                *(self.k1, self.k2, self.p1, self.p2, self.k3),
            ]
        )

    def distort(self, points_px: Points) -> Points:
        """Where the picture shows points of an ideal (pinhole) picture."""
        if self.is_straight:
            return points_px
        centre = np.array(self.centre_px)
        n = (points_px - centre) / self.focal_px
        bent: Points = centre + self.focal_px * (n * self._radial(n) + self._askew(n))
        return bent

    def undistort(self, points_px: Points) -> Points:
        """The ideal picture's points for points of the real picture."""
        if self.is_straight:
            return points_px
        centre = np.array(self.centre_px)
        seen = (points_px - centre) / self.focal_px
        n = seen
        for _ in range(UNDISTORT_STEPS):
            n = (seen - self._askew(n)) / self._radial(n)
        ideal: Points = centre + self.focal_px * n
        return ideal

    def _radial(self, n: Points) -> Points:
        r2 = np.sum(n * n, axis=-1, keepdims=True)
        gain: Points = 1 + r2 * (self.k1 + r2 * (self.k2 + r2 * self.k3))
        return gain

    def _askew(self, n: Points) -> Points:
        if not (self.p1 or self.p2):
            return np.zeros(2)
        lean = np.array([self.p2, self.p1])
        r2 = np.sum(n * n, axis=-1, keepdims=True)
        shift: Points = r2 * lean + 2 * n * np.sum(n * lean, axis=-1, keepdims=True)
        return shift


UNDISTORT_STEPS = 12
"""Fixed-point steps; k1 = -0.3 at the picture's corner is within 1e-4 px by then."""
