"""Where a pixel lies on the table, at any height above it.

Theory. The playing surface is a plane, so a homography takes its millimetres to
pixels exactly. A coin's outline, however, is the rim of its top, 7 to 9 mm above
the surface: seen from 1.2 m, that rim appears up to 3.3 mm further out than the
coin lies. A point at height h is seen along the same ray
as the surface point `foot + (point - foot) * H / (H - h)`, with the camera H above
its foot point. So the surface homography plus the camera's position is all that
is needed, and every height has a homography of its own.

The camera's position comes from the surface homography once the focal length is
known. Four corners give the focal length only when the view is tilted; the
estimate is therefore joined with a prior, each weighted by its certainty. For a
view from straight above a focal length 20 % off puts the camera's height 20 % off
and a coin at the pocket 0.7 mm off at 1.2 m: hand over a lens to do better.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens, Points
from calibration.refusal import Refusal
from calibration.table import Pocket, Point, Table

Matrix = NDArray[np.float64]
"""3 x 3 float64."""

PRIOR_FOCAL = 0.78
"""Focal length over the longer side: a phone's or webcam's usual 60 to 70 degrees."""
PRIOR_SPREAD = 0.3
"""Standard deviation of its logarithm: 0.58 to 1.05 cover most lenses in use."""
POINTING_ERROR = 0.002
"""How well corners are pointed at, over the picture's longer side (2 px in 1000)."""

CORNER_NAMES = ("top left", "top right", "bottom right", "bottom left")
POCKET_ORDER = (
    Pocket.NORTH_WEST,
    Pocket.NORTH_EAST,
    Pocket.SOUTH_EAST,
    Pocket.SOUTH_WEST,
)
"""The picture's top left, top right, bottom right, bottom left pocket."""


@dataclass(frozen=True, slots=True)
class PlaneMapping:
    """Pixel <-> millimetre for one view of one table, at any height above it.

    `surface` is the homography of the playing surface (mm to ideal px), row by
    row; `camera_mm` the camera's place over the table (z up from the surface);
    `size_px` the picture's width and height.
    """

    surface: tuple[float, ...]
    camera_mm: tuple[float, float, float]
    lens: Lens
    size_px: tuple[int, int]

    @classmethod
    def from_corners(
        cls,
        corners_px: Sequence[tuple[float, float]],
        size_px: tuple[int, int],
        table: Table,
        lens: Lens | None = None,
    ) -> Self:
        """From the playing surface's corners: top left, right, bottom right, left.

        `lens` None: straight, focal length from the view and a prior.
        Raises Refusal when they are no convex quadrilateral in that order.
        """
        return cls.from_marks(table.corners, corners_px, size_px, lens)

    @classmethod
    def from_pocket_centres(
        cls,
        centres_px: Sequence[tuple[float, float]],
        size_px: tuple[int, int],
        table: Table,
        lens: Lens | None = None,
    ) -> Self:
        """From the pockets' centres: top left, right, bottom right, left.

        Raises Refusal when they are no convex quadrilateral in that order.
        """
        places = [table.pocket_centres[pocket] for pocket in POCKET_ORDER]
        return cls.from_marks(places, centres_px, size_px, lens)

    @classmethod
    def from_marks(
        cls,
        marks_mm: Sequence[Point],
        marks_px: Sequence[tuple[float, float]],
        size_px: tuple[int, int],
        lens: Lens | None = None,
    ) -> Self:
        """From four or more places on the surface and where the picture shows them.

        The first four must be a convex quadrilateral, clockwise in the picture;
        Refusal otherwise.
        """
        seen = np.array(marks_px, np.float64).reshape(-1, 2)
        places = np.array(marks_mm, np.float64).reshape(-1, 2)
        check_quadrilateral(seen[:4])
        _check_in_picture(seen[:4], size_px)
        if lens is None:
            surface = _homography(places, seen)
            focal = _focal_px(places, seen, size_px)
            lens = Lens(focal, (size_px[0] / 2 - 0.5, size_px[1] / 2 - 0.5))
        else:
            surface = _homography(places, lens.undistort(seen))
        camera = _camera_mm(surface, lens)
        return cls(tuple(surface.ravel().tolist()), camera, lens, size_px)

    @property
    def height_mm(self) -> float:
        """The camera's height above the playing surface."""
        return self.camera_mm[2]

    def moved(self, matrix: Sequence[Sequence[float]]) -> Self:
        """The mapping once the picture has moved by a small affine map (2 x 3, px).

        The camera's place over the table is kept: a shift of 10 mm changes what the
        height of a piece hides by less than 0.1 mm.
        """
        shift: Matrix = np.array([*matrix, (0.0, 0.0, 1.0)])
        surface = shift @ np.array(self.surface).reshape(3, 3)
        return replace(self, surface=tuple(surface.ravel().tolist()))

    def matrix(self, height_mm: float) -> Matrix:
        """The homography from mm at this height to ideal (undistorted) px."""
        x, y, z = self.camera_mm
        k = z / (z - height_mm)
        lift = np.array([[k, 0, x * (1 - k)], [0, k, y * (1 - k)], [0, 0, 1.0]])
        flat: Matrix = np.array(self.surface).reshape(3, 3) @ lift
        return flat

    def to_px(self, points_mm: Points, height_mm: float = 0.0) -> Points:
        """Where the picture shows points (N x 2, mm) at a height above the surface."""
        return self.lens.distort(_apply(self.matrix(height_mm), points_mm))

    def to_mm(self, points_px: Points, height_mm: float = 0.0) -> Points:
        """The places (N x 2, mm) at a height that the picture shows at these pixels."""
        ideal = self.lens.undistort(np.asarray(points_px, np.float64))
        back = np.asarray(np.linalg.inv(self.matrix(height_mm)), np.float64)
        return _apply(back, ideal)

    def point_to_px(self, at: Point, height_mm: float = 0.0) -> tuple[float, float]:
        """Where the picture shows one place at a height above the surface."""
        x, y = self.to_px(np.array([at], np.float64), height_mm)[0]
        return float(x), float(y)

    def point_to_mm(self, at_px: tuple[float, float], height_mm: float = 0.0) -> Point:
        """The place at a height that the picture shows at this pixel."""
        x, y = self.to_mm(np.array([at_px], np.float64), height_mm)[0]
        return Point(float(x), float(y))

    def radius_px(self, at: Point, radius_mm: float, height_mm: float = 0.0) -> float:
        """Radius of the circle as large as this disc's (elliptic) picture."""
        ring = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]], np.float64) * radius_mm
        east, north, west, south = self.to_px(ring + np.array(at), height_mm)
        along, across = (east - west) / 2, (north - south) / 2
        return float(abs(along[0] * across[1] - along[1] * across[0]) ** 0.5)


def check_quadrilateral(corners_px: Points) -> None:
    """Raise Refusal unless four pixels go clockwise round a convex area."""
    if corners_px.shape != (4, 2):
        raise Refusal(f"four corners X,Y are needed, got {len(corners_px)}")
    given = " ".join(f"{x:g},{y:g}" for x, y in corners_px)
    if not (np.abs(corners_px) < FARTHEST_PX).all():
        raise Refusal(
            f"corners {given} are no pixels; give X,Y as the picture shows it"
        )
    sides = np.roll(corners_px, -1, axis=0) - corners_px
    ahead = np.roll(sides, -1, axis=0)
    turns = sides[:, 0] * ahead[:, 1] - sides[:, 1] * ahead[:, 0]
    lengths = np.hypot(sides[:, 0], sides[:, 1])
    if (turns > MIN_TURN * lengths * np.roll(lengths, -1)).all() and lengths.min() > 8:
        return
    raise Refusal(
        f"corners {given} are no convex quadrilateral; "
        f"give them in the order {', '.join(CORNER_NAMES)}"
    )


def _check_in_picture(corners_px: Points, size_px: tuple[int, int]) -> None:
    """Raise Refusal when the picture does not even show the middle of the corners."""
    x, y = corners_px.mean(axis=0)
    width, height = size_px
    if not (0 <= x < width and 0 <= y < height):
        raise Refusal(
            f"corners {' '.join(f'{x:g},{y:g}' for x, y in corners_px)} lie outside "
            f"the picture of {width} x {height} px; give pixels of the picture as shown"
        )


FARTHEST_PX = 1e6
"""Nothing a camera shows lies farther from its picture's edge."""
MIN_TURN = 0.05
"""Sine of the least turn at a corner (3 degrees)."""


def _apply(matrix: Matrix, points: Points) -> Points:
    flat = np.asarray(points, np.float64) @ matrix[:, :2].T + matrix[:, 2]
    result: Points = flat[:, :2] / flat[:, 2:]
    return result


def _homography(places: Points, seen: Points) -> Matrix:
    """Least squares for more than four points; exact for four."""
    matrix, _ = cv2.findHomography(places, seen, 0)
    if matrix is None:
        raise Refusal("the marks lie on one line; give four corners of the table")
    return np.asarray(matrix, np.float64)


def _focal_px(places: Points, seen: Points, size_px: tuple[int, int]) -> float:
    """Focal length: the view's own estimate joined with the prior by certainty."""
    longer = float(max(size_px))
    prior = np.log(PRIOR_FOCAL * longer)
    centre = np.array(size_px) / 2 - 0.5
    best = _log_focal(places, seen - centre)
    if best is None:
        return float(np.exp(prior))
    step = POINTING_ERROR * longer
    variance = 0.0
    for index in np.ndindex(seen.shape):
        moved = seen - centre
        moved[index] += step
        there = _log_focal(places, moved)
        if there is None:
            return float(np.exp(prior))
        variance += (there - best) ** 2
    weight = PRIOR_SPREAD**2 / (PRIOR_SPREAD**2 + variance)
    return float(np.exp(prior + weight * (best - prior)))


def _log_focal(places: Points, centred: Points) -> float | None:
    """Logarithm of the focal length that makes the plane's axes square and equal.

    Zhang's two constraints with the principal point at the origin, linear in
    1/f^2; None when the view says nothing (no tilt) or contradicts itself.
    """
    (a1, a2, _), (b1, b2, _), (c1, c2, _) = _homography(places, centred)
    left = np.array([a1 * a2 + b1 * b2, (a1 * a1 + b1 * b1 - a2 * a2 - b2 * b2) / 2])
    right = -np.array([c1 * c2, (c1 * c1 - c2 * c2) / 2])
    norm = float(right @ right)
    if norm == 0.0:
        return None
    square = float(left @ right) / norm
    return float(np.log(square) / 2) if square > 0 else None


def _camera_mm(surface: Matrix, lens: Lens) -> tuple[float, float, float]:
    """Where the camera stands, from the surface's homography and the lens."""
    pose = _pose(surface, lens)
    pose /= np.sqrt(np.linalg.norm(pose[:, 0]) * np.linalg.norm(pose[:, 1]))
    pose *= np.sign(pose[2, 2])
    axes = np.column_stack([pose[:, 0], pose[:, 1], np.cross(pose[:, 0], pose[:, 1])])
    u, _, v = np.linalg.svd(axes)
    x, y, z = -(u @ v).T @ pose[:, 2]
    return float(x), float(y), float(abs(z))


def _pose(surface: Matrix, lens: Lens) -> Matrix:
    """The surface's axes and origin in camera directions, up to one scale."""
    f, (cx, cy) = lens.focal_px, lens.centre_px
    inverse = np.linalg.inv(np.array([[f, 0, cx], [0, f, cy], [0, 0, 1.0]]))
    return np.asarray(inverse @ surface, np.float64)
