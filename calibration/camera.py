"""A camera over a table as fourteen numbers that a fit can move.

Order: log focal length, centre x, centre y, k1, k2, p1, p2, k3, then the pose:
rotation vector and translation from table to camera axes (mm). `LensPrior` says
what is known of the first eight before a picture is looked at.
"""

from dataclasses import dataclass
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.plane import PRIOR_FOCAL, PRIOR_SPREAD, PlaneMapping
from calibration.refusal import Refusal

Floats = NDArray[np.float64]

LENS_NUMBERS = 8
NUMBERS = 14
CENTRE_SPREAD = 0.01
"""Of the longer side: how far a principal point usually is from the middle."""
K_SPREAD = (0.25, 0.15)
P_SPREAD = 0.001
NOT_FITTED = 1e-6


@dataclass(frozen=True, slots=True)
class LensPrior:
    """What is known of a lens: its numbers and how sure each is (both 8 long).

    `numbers` are log focal length, centre x, y, k1, k2, p1, p2, k3.
    """

    numbers: tuple[float, ...]
    spreads: tuple[float, ...]

    @classmethod
    def unknown(cls, size_px: tuple[int, int]) -> Self:
        """Any lens of a phone, webcam or camera module, nothing measured."""
        longer = float(max(size_px))
        centre = (size_px[0] / 2 - 0.5, size_px[1] / 2 - 0.5)
        off = CENTRE_SPREAD * longer
        return cls(
            (float(np.log(PRIOR_FOCAL * longer)), *centre, 0.0, 0.0, 0.0, 0.0, 0.0),
            (PRIOR_SPREAD, off, off, *K_SPREAD, P_SPREAD, P_SPREAD, NOT_FITTED),
        )

    @property
    def lens(self) -> Lens:
        """The lens as it is believed to be."""
        log_focal, x, y, k1, k2, p1, p2, k3 = self.numbers
        return Lens(float(np.exp(log_focal)), (x, y), k1, k2, p1, p2, k3)

    @property
    def is_measured(self) -> bool:
        """Whether the focal length was measured: known to better than 3 %."""
        return self.spreads[0] < 0.03


def numbers_of(mapping: PlaneMapping) -> Floats:
    """The fourteen numbers of a mapping; Refusal when no camera sees it so."""
    lens = mapping.lens
    f, (cx, cy) = lens.focal_px, lens.centre_px
    inverse = np.linalg.inv(np.array([[f, 0, cx], [0, f, cy], [0, 0, 1.0]]))
    pose = inverse @ np.array(mapping.surface).reshape(3, 3)
    pose /= np.sqrt(np.linalg.norm(pose[:, 0]) * np.linalg.norm(pose[:, 1]))
    pose *= np.sign(pose[2, 2])
    axes = np.column_stack([pose[:, 0], pose[:, 1], np.cross(pose[:, 0], pose[:, 1])])
    u, _, v = np.linalg.svd(axes)
    turn, _ = cv2.Rodrigues(np.asarray(u @ v))
    numbers = lens.numbers
    numbers[0] = np.log(f)
    return np.concatenate([numbers, turn[:, 0], pose[:, 2]])


def lens_of(numbers: Floats) -> Lens:
    """The lens in the first eight numbers."""
    log_focal, x, y, k1, k2, p1, p2, k3 = numbers[:LENS_NUMBERS].tolist()
    return Lens(float(np.exp(log_focal)), (x, y), k1, k2, p1, p2, k3)


def mapping_of(numbers: Floats, size_px: tuple[int, int]) -> PlaneMapping:
    """The plane mapping of a camera; Refusal when it is under the table."""
    lens = lens_of(numbers)
    f, (cx, cy) = lens.focal_px, lens.centre_px
    turn, _ = cv2.Rodrigues(numbers[8:11])
    away = numbers[11:14]
    inside = np.array([[f, 0, cx], [0, f, cy], [0, 0, 1.0]])
    surface = inside @ np.column_stack([turn[:, 0], turn[:, 1], away])
    x, y, z = (-turn.T @ away).tolist()
    if z <= 0:
        raise Refusal("the marks fit no camera above a table; give its four corners")
    return PlaneMapping(tuple(surface.ravel().tolist()), (x, y, z), lens, size_px)


def project(numbers: Floats, points_mm: Floats) -> Floats:
    """Pixels (N x 2) of points (N x 3, mm) for a camera."""
    turn, _ = cv2.Rodrigues(numbers[8:11])
    seen = points_mm @ turn.T + numbers[11:14]
    lens = lens_of(numbers)
    ideal = lens.focal_px * seen[:, :2] / seen[:, 2:] + np.array(lens.centre_px)
    return lens.distort(ideal)


def height_of(numbers: Floats) -> float:
    """How high the camera is above the surface, in mm."""
    turn, _ = cv2.Rodrigues(numbers[8:11])
    return float((-turn.T @ numbers[11:14])[2])


STEPS = np.array(
    [1e-6, 1e-3, 1e-3, 1e-6, 1e-6, 1e-7, 1e-7, 1e-6, *[1e-7] * 3, *[1e-3] * 3]
)


def derivative(numbers: Floats, points_mm: Floats) -> Floats:
    """How pixels move with the numbers: N x 2 x 14, by central differences."""
    moves = []
    for k, step in enumerate(STEPS):
        there, back = numbers.copy(), numbers.copy()
        there[k] += step
        back[k] -= step
        moves.append(
            (project(there, points_mm) - project(back, points_mm)) / (2 * step)
        )
    return np.stack(moves, axis=-1)
