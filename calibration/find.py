"""Where the table is in a picture nobody said anything about.

Theory. The playing surface is one large area of one material around the picture's
middle, bounded by four straight edges. So: take the middle's colour, grow the area
that shares it, wrap it in the smallest quadrilateral, then pull each side to the
strongest straight edge nearby. A table has pockets: unless the picture's corners of
the found area look unlike its wood, it is no carrom table and nothing is claimed.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import PlaneMapping
from calibration.refusal import Refusal
from calibration.table import Point, Table

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float64]

WORKING_PX = 480
"""The longer side of the picture while the area is grown."""
LEAST_AREA = 0.12
"""The surface's least share of the picture."""
POCKETS_NEEDED = 3
REACH = 0.025
"""How far a side is pulled, in shares of the picture's longer side."""

HAND_OVER = "hand over --corners X,Y X,Y X,Y X,Y (top left, right, bottom right, left)"


def find_corners(image: Bytes, table: Table) -> list[tuple[float, float]]:
    """The playing surface's corners (TL TR BR BL, pixels) in a picture (BGR).

    Raises Refusal when there is no area that could be a carrom table.
    """
    scale = WORKING_PX / max(image.shape[:2])
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    area = _surface(np.asarray(small, np.uint8))
    if (
        area is None
        or cv2.contourArea(area) < LEAST_AREA * small.shape[0] * small.shape[1]
    ):
        raise Refusal(f"no table found in the picture; {HAND_OVER}")
    rough = _clockwise(_quadrilateral(area))
    sides = _pulled(_luma(np.asarray(small, np.uint8)), rough)
    corners = (sides + 0.5) / scale - 0.5
    found = [(float(x), float(y)) for x, y in corners]
    if _pockets(image, table, found) < POCKETS_NEEDED:
        raise Refusal(f"the largest area in the picture has no pockets; {HAND_OVER}")
    return found


def _luma(image: Bytes) -> Floats:
    return np.asarray(image.mean(axis=2), np.float64)


def _surface(small: Bytes) -> NDArray[np.int32] | None:
    """The hull of the area that shares the middle's colour."""
    soft = cv2.medianBlur(small, 5)
    lab = cv2.cvtColor(soft, cv2.COLOR_BGR2LAB).astype(np.float32)
    rows, columns = lab.shape[:2]
    middle = lab[rows // 4 : 3 * rows // 4, columns // 4 : 3 * columns // 4]
    wood = np.median(middle.reshape(-1, 3), axis=0)
    away = np.linalg.norm((lab - wood) * (0.6, 1.0, 1.0), axis=2)
    level = np.clip(away, 0, 120).astype(np.uint8)
    limit, _ = cv2.threshold(level, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    alike = (level <= min(limit, 60.0)).astype(np.uint8)
    alike = cv2.morphologyEx(alike, cv2.MORPH_CLOSE, np.ones((15, 15), np.uint8))
    alike = cv2.morphologyEx(alike, cv2.MORPH_OPEN, np.ones((15, 15), np.uint8))
    outlines, _ = cv2.findContours(alike, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not outlines:
        return None
    largest = max(outlines, key=cv2.contourArea)
    return np.asarray(cv2.convexHull(largest), np.int32)


def _quadrilateral(hull: NDArray[np.int32]) -> Floats:
    """Four corners (4 x 2) of a small quadrilateral around a hull."""
    around = cv2.approxPolyN(hull, 4, ensure_convex=True)
    return np.asarray(around, np.float64).reshape(-1, 2)


def _clockwise(corners: Floats) -> Floats:
    """Top left first, then clockwise as the picture is seen."""
    middle = corners.mean(axis=0)
    angle = np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0])
    ordered = corners[np.argsort(angle)]
    first = int(np.argmin(ordered.sum(axis=1)))
    return np.roll(ordered, -first, axis=0)


def _pulled(luma: Floats, corners: Floats) -> Floats:
    """The quadrilateral with every side moved to the edge it lies beside."""
    slope_y, slope_x = np.gradient(cv2.GaussianBlur(luma, (0, 0), 1.0))
    lines = [
        _edge(slope_x, slope_y, corners[k], corners[(k + 1) % 4]) for k in range(4)
    ]
    return np.array([_crossing(lines[k - 1], lines[k]) for k in range(4)])


def _edge(slope_x: Floats, slope_y: Floats, start: Floats, end: Floats) -> Floats:
    """The line (normal, offset) near a side along which the picture steps most."""
    along = (end - start) / np.linalg.norm(end - start)
    normal = np.array([-along[1], along[0]])
    reach = REACH * max(slope_x.shape)
    offsets = np.linspace(-reach, reach, 41)
    # The ends are pockets; only the middle of a side is an edge.
    share = np.linspace(0.15, 0.85, 60)
    strength = np.zeros((41, 41))
    for i, first in enumerate(offsets):
        for j, last in enumerate(offsets):
            a, b = start + normal * first, end + normal * last
            points = a + share[:, None] * (b - a)
            strength[i, j] = _step_along(slope_x, slope_y, points, normal)
    i, j = np.unravel_index(int(np.argmax(strength)), strength.shape)
    a, b = start + normal * offsets[i], end + normal * offsets[j]
    across = np.array([-(b - a)[1], (b - a)[0]])
    across /= np.linalg.norm(across)
    return np.array([*across, across @ a])


def _step_along(
    slope_x: Floats, slope_y: Floats, points: Floats, normal: Floats
) -> float:
    x = np.clip(np.round(points[:, 0]).astype(int), 0, slope_x.shape[1] - 1)
    y = np.clip(np.round(points[:, 1]).astype(int), 0, slope_x.shape[0] - 1)
    steps = slope_x[y, x] * normal[0] + slope_y[y, x] * normal[1]
    return float(abs(np.clip(steps, -8, 8).mean()))


def _crossing(first: Floats, second: Floats) -> Floats:
    matrix = np.array([first[:2], second[:2]])
    if abs(np.linalg.det(matrix)) < 1e-6:
        raise Refusal(f"no table found in the picture; {HAND_OVER}")
    return np.asarray(np.linalg.solve(matrix, [first[2], second[2]]), np.float64)


def _pockets(image: Bytes, table: Table, corners: Sequence[tuple[float, float]]) -> int:
    """How many corners look unlike the wood between them."""
    height, width = image.shape[:2]
    mapping = PlaneMapping.from_corners(corners, (width, height), table)
    soft = cv2.GaussianBlur(image, (0, 0), max(image.shape) / 400)
    wood = np.array([_colour(soft, mapping, Point(x, y)) for x, y in _wood(table)])
    usual = np.median(wood, axis=0)
    spread = float(np.median(np.linalg.norm(wood - usual, axis=1)))
    seen = [_colour(soft, mapping, at) for at in table.pocket_centres.values()]
    unlike = [float(np.linalg.norm(colour - usual)) for colour in seen]
    return sum(gap > 25.0 + 2 * spread for gap in unlike)


def _wood(table: Table) -> list[tuple[float, float]]:
    """A lattice of places over the surface; most show bare wood."""
    reach = 0.8 * table.half_mm
    ticks = np.linspace(-reach, reach, 9).tolist()
    return [(x, y) for x in ticks for y in ticks]


def _colour(image: Bytes, mapping: PlaneMapping, at: Point) -> Floats:
    x, y = mapping.point_to_px(at)
    row = min(max(round(y), 0), image.shape[0] - 1)
    column = min(max(round(x), 0), image.shape[1] - 1)
    return np.asarray(image[row, column], np.float64)
