"""Where the table is in a picture nobody said anything about.

Theory. The playing surface is one large area of one material around the picture's
middle, bounded by four straight edges. So: take the middle's colour, keep the area
that shares it, and fit a line to each side of that area, by medians, because pieces,
pockets and hands bite into it. A table has pockets: unless the corners of what was
found look unlike its wood, it is no carrom table and nothing is claimed.
"""

from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import PlaneMapping
from calibration.refusal import Refusal
from calibration.table import Point, Table

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Line = tuple[float, float]

WORKING_PX = 480
"""The longer side of the picture while the area is grown."""
LEAST_AREA = 0.12
"""The surface's least share of the picture."""
SQUARE = (0.75, 1.33)
"""How unlike a square the area may seem: its sides are found to a few per cent."""
SIDE_SHARE = (0.15, 0.85)
"""Along a side, from here to here it is an edge; the rest may be pocket."""
BINS = 40

HAND_OVER = "hand over --corners X,Y X,Y X,Y X,Y (top left, right, bottom right, left)"


def find_corners(image: Bytes, table: Table) -> list[tuple[float, float]]:
    """The playing surface's corners (TL TR BR BL, pixels) in a picture (BGR).

    Raises Refusal when there is no area that could be a carrom table.
    """
    scale = WORKING_PX / max(image.shape[:2])
    small = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    area = _surface(np.asarray(small, np.uint8))
    if area.mean() < LEAST_AREA:
        raise Refusal(f"no table found in the picture; {HAND_OVER}")
    corners = [(float(x), float(y)) for x, y in _clockwise(_quadrilateral(area))]
    rows, columns = area.shape
    mapping = PlaneMapping.from_corners(corners, (columns, rows), table)
    if not SQUARE[0] < mapping.squareness < SQUARE[1] or not _has_pockets(
        area, table, mapping
    ):
        raise Refusal(f"the picture's largest area is no carrom table; {HAND_OVER}")
    return [((x + 0.5) / scale - 0.5, (y + 0.5) / scale - 0.5) for x, y in corners]


def _surface(small: Bytes) -> Mask:
    """The largest area that shares the colour of the picture's middle."""
    lab = cv2.cvtColor(cv2.medianBlur(small, 5), cv2.COLOR_BGR2LAB).astype(np.float32)
    rows, columns = lab.shape[:2]
    middle = lab[rows // 4 : 3 * rows // 4, columns // 4 : 3 * columns // 4]
    wood = np.median(middle.reshape(-1, 3), axis=0)
    # Light falls unevenly; lightness says less about the material than colour.
    away = np.linalg.norm((lab - wood) * (0.6, 1.0, 1.0), axis=2)
    level = np.clip(away, 0, 120).astype(np.uint8)
    limit, _ = cv2.threshold(level, 0, 255, cv2.THRESH_BINARY + cv2.THRESH_OTSU)
    alike = (level <= min(limit, MOST_AWAY)).astype(np.uint8)
    alike = cv2.morphologyEx(alike, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(alike)
    if count < 2:
        return np.zeros(level.shape, np.bool_)
    largest = 1 + int(np.argmax(stats[1:, cv2.CC_STAT_AREA]))
    return np.asarray(labels == largest, np.bool_)


MOST_AWAY = 60.0


def _quadrilateral(area: Mask) -> Floats:
    """The crossings (4 x 2) of the lines along an area's four sides."""
    y, x = np.nonzero(area)
    points = np.column_stack([x, y]).astype(np.float32)
    _, _, degrees = cv2.minAreaRect(points)
    angle = np.radians((degrees + 45.0) % 90.0 - 45.0)
    turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
    upright = points @ turn.T
    flipped = upright[:, ::-1]
    left, right = _sides(upright)
    top, bottom = _sides(flipped)
    crossings = [_crossing(*pair) for pair in product((left, right), (top, bottom))]
    return np.asarray(np.array(crossings) @ turn, np.float64)


def _sides(points: Floats) -> tuple[Line, Line]:
    """The lines u = a + b v along the least and the greatest u of points (u, v)."""
    u, v = points[:, 0], points[:, 1]
    low, high = float(v.min()), float(v.max())
    ends = low + np.array(SIDE_SHARE) * (high - low)
    edges = np.linspace(float(ends[0]), float(ends[1]), BINS + 1)
    bins = np.digitize(v, edges) - 1
    rows = [u[bins == k] for k in range(BINS)]
    middles = (edges[:-1] + edges[1:]) / 2
    seen = [k for k in range(BINS) if len(rows[k])]
    least = np.array([np.percentile(rows[k], 0.5) for k in seen])
    most = np.array([np.percentile(rows[k], 99.5) for k in seen])
    return _line(middles[seen], least), _line(middles[seen], most)


def _line(v: Floats, u: Floats) -> Line:
    """Theil and Sen's line through points: medians of slopes and of offsets."""
    first, second = np.triu_indices(len(v), 1)
    if not len(first):
        raise Refusal(f"no table found in the picture; {HAND_OVER}")
    slope = float(np.median((u[second] - u[first]) / (v[second] - v[first])))
    return float(np.median(u - slope * v)), slope


def _crossing(upright: Line, level: Line) -> tuple[float, float]:
    """Where x = a + b y meets y = c + d x."""
    (a, b), (c, d) = upright, level
    x = (a + b * c) / (1 - b * d)
    return x, c + d * x


def _clockwise(corners: Floats) -> Floats:
    """Top left first, then clockwise as the picture is seen."""
    middle = corners.mean(axis=0)
    angle = np.arctan2(corners[:, 1] - middle[1], corners[:, 0] - middle[0])
    ordered = corners[np.argsort(angle)]
    first = int(np.argmin(ordered.sum(axis=1)))
    return np.roll(ordered, -first, axis=0)


def _has_pockets(area: Mask, table: Table, mapping: PlaneMapping) -> bool:
    """Whether corners hold something other than wood, with wood beside them.

    A net may be as light as the wood, a corner may be cut off by the picture: so
    two corners and their sum count, not each.
    """
    holes, besides = [], []
    for x, y in table.pocket_centres.values():
        inward = Point(x * BESIDE, y * BESIDE)
        radius = table.pocket_radius_mm
        holes.append(1 - _wood_share(area, mapping, Point(x, y), 0.8 * radius))
        besides.append(_wood_share(area, mapping, inward, radius))
    bitten = sum(hole > 0.1 for hole in holes)
    return bitten >= 2 and sum(holes) > 0.8 and sum(b > 0.7 for b in besides) >= 3


BESIDE = 0.83
"""From the centre, in shares of the way to the pocket: clear of it, short of print."""


def _wood_share(
    area: Mask, mapping: PlaneMapping, at: Point, radius_mm: float
) -> float:
    """How much of a disc the area covers."""
    angle = np.arange(0, 2 * np.pi, np.pi / 8)
    rings = radius_mm * np.array([[0.35], [0.7], [1.0]])
    x = (at.x_mm + rings * np.cos(angle)).ravel()
    y = (at.y_mm + rings * np.sin(angle)).ravel()
    seen = np.round(mapping.to_px(np.column_stack([x, y]))).astype(int)
    rows, columns = area.shape
    inside = (seen >= 0).all(axis=1) & (seen < (columns, rows)).all(axis=1)
    return float(area[seen[inside, 1], seen[inside, 0]].sum() / len(seen))
