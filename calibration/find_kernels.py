"""The hot loops of finding a table, compiled: edges along very many paths."""

import numpy as np
from numba import njit
from numpy.typing import NDArray

from calibration.find_edges import Edges, Floats
from calibration.kernels import kept

HIT = 0.5
"""How much an edge must stand out to count."""
OBLIQUE = 0.5
"""An edge may run askew of its path by this much (tangent)."""

PRIOR_FOCAL = 0.78
"""Unit of the lens's bend: focal length over the picture's longer side."""

Marks = NDArray[np.uint8]


def edge_hits(
    homographies: Floats,
    points: Floats,
    directions: Floats,
    edges: Edges,
    bend: float = 0.0,
) -> tuple[Marks, Marks]:
    """Whether edges run along paths: hits and seen, N x M of 0 or 1.

    N homographies take M points to pixels; a path runs in `directions` (M x 2)
    there. A hit lies within a pixel of its point; a point outside is not seen.
    `bend` is the lens's k1 in units of PRIOR_FOCAL.
    """
    shape = (len(homographies), len(points))
    hits, seen = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    if len(homographies):
        _edge_hits(
            np.ascontiguousarray(homographies, np.float64),
            np.ascontiguousarray(points, np.float64),
            np.ascontiguousarray(directions, np.float64),
            edges.across,
            edges.down,
            bend / (PRIOR_FOCAL * max(edges.across.shape)) ** 2,
            hits,
            seen,
        )
    return hits, seen


@kept
@njit(cache=True, nogil=True, error_model="numpy")
def _edge_hits(
    homographies: Floats,
    points: Floats,
    directions: Floats,
    across: NDArray[np.float32],
    down: NDArray[np.float32],
    bend: float,
    hits: Marks,
    seen: Marks,
) -> None:
    rows, columns = across.shape
    for n in range(homographies.shape[0]):
        h = homographies[n]
        for m in range(points.shape[0]):
            px, py = points[m, 0], points[m, 1]
            w = h[2, 0] * px + h[2, 1] * py + h[2, 2]
            if w <= 1e-9:
                continue
            x = (h[0, 0] * px + h[0, 1] * py + h[0, 2]) / w
            y = (h[1, 0] * px + h[1, 1] * py + h[1, 2]) / w
            cx, cy = x - 0.5 * (columns - 1), y - 0.5 * (rows - 1)
            bx, by = x, y
            if bend != 0.0:
                stretch = bend * (cx * cx + cy * cy)
                bx, by = x + stretch * cx, y + stretch * cy
            if not (2.0 <= bx < columns - 3.0 and 2.0 <= by < rows - 3.0):
                continue
            seen[n, m] = 1
            dx, dy = directions[m, 0], directions[m, 1]
            dw = h[2, 0] * dx + h[2, 1] * dy
            tx = h[0, 0] * dx + h[0, 1] * dy - x * dw
            ty = h[1, 0] * dx + h[1, 1] * dy - y * dw
            length = np.sqrt(tx * tx + ty * ty)
            tx, ty = tx / length, ty / length
            for step in range(-1, 2):
                column = int(bx - step * ty + 0.5)
                row = int(by + step * tx + 0.5)
                ex, ey = across[row, column], down[row, column]
                through = abs(ey * tx - ex * ty)
                if through > HIT and abs(ex * tx + ey * ty) < OBLIQUE * through:
                    hits[n, m] = 1
                    break
