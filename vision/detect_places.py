"""Where many discs would be seen, as machine code: `PlaneMapping.to_px` in bulk.

Each disc gets its centre's pixel and the affine map around it, by which everything
about it is then measured in its own millimetres: over one piece the perspective adds
less than 0.05 px to it.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from calibration.plane import PlaneMapping
from vision.compiled import compiled

Floats = NDArray[np.float64]

NOMINAL_RADIUS_MM = 15.9


@lru_cache(maxsize=4)
def numbers_of(mapping: PlaneMapping) -> tuple[Floats, Floats, Floats]:
    """What the kernels need of a mapping: the surface's homography, camera and lens."""
    return np.array(mapping.surface), np.array(mapping.camera_mm), mapping.lens.numbers


@compiled
def _see(
    surface: Floats, camera: Floats, bend: Floats, x: float, y: float, h: float
) -> tuple[float, float]:
    """Where a point (mm) at height h is seen: `PlaneMapping.to_px` for one point."""
    k = camera[2] / (camera[2] - h)
    x, y = camera[0] + (x - camera[0]) * k, camera[1] + (y - camera[1]) * k
    w = surface[6] * x + surface[7] * y + surface[8]
    u = (surface[0] * x + surface[1] * y + surface[2]) / w
    v = (surface[3] * x + surface[4] * y + surface[5]) / w
    nx, ny = (u - bend[1]) / bend[0], (v - bend[2]) / bend[0]
    r2 = nx * nx + ny * ny
    gain = r2 * (bend[3] + r2 * (bend[4] + r2 * bend[7]))
    askew = 2.0 * (bend[5] * ny + bend[6] * nx)
    dx = nx * (gain + askew) + bend[6] * r2
    dy = ny * (gain + askew) + bend[5] * r2
    return u + bend[0] * dx, v + bend[0] * dy


@compiled
def place_all(
    surface: Floats,
    camera: Floats,
    bend: Floats,
    points: Floats,
    heights: Floats,
    centres: Floats,
    affines: Floats,
) -> None:
    reach = NOMINAL_RADIUS_MM
    for n in range(len(points)):
        x, y, h = points[n, 0], points[n, 1], heights[n]
        centres[n, 0], centres[n, 1] = _see(surface, camera, bend, x, y, h)
        for axis in range(2):
            dx, dy = (reach, 0.0) if axis == 0 else (0.0, reach)
            ahead = _see(surface, camera, bend, x + dx, y + dy, h)
            behind = _see(surface, camera, bend, x - dx, y - dy, h)
            affines[n, 0, axis] = (ahead[0] - behind[0]) / (2 * reach)
            affines[n, 1, axis] = (ahead[1] - behind[1]) / (2 * reach)


@compiled
def see_discs(
    surface: Floats,
    camera: Floats,
    bend: Floats,
    points: Floats,
    radii: Floats,
    height: float,
    seen: Floats,
) -> None:
    """Fill `seen` (N x 3: x, y, r in pixels) with discs at one height, as if round."""
    reach = NOMINAL_RADIUS_MM
    for n in range(len(points)):
        x, y = points[n, 0], points[n, 1]
        seen[n, 0], seen[n, 1] = _see(surface, camera, bend, x, y, height)
        ahead = _see(surface, camera, bend, x + reach, y, height)
        behind = _see(surface, camera, bend, x - reach, y, height)
        span = np.hypot(ahead[0] - behind[0], ahead[1] - behind[1])
        seen[n, 2] = radii[n] * span / (2 * reach)
