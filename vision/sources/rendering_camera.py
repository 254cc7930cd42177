"""The rendered camera's own geometry: a pinhole with a lens, looking down.

Deliberately apart from the product's plane mapping: the simulator must not
repeat a mistake of the thing it tests.
"""

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from calibration.table import Table

Floats = NDArray[np.float64]
Vector = tuple[float, float, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Camera:
    """Where the camera hangs and what its lens does.

    World axes: x east, y north, z up, mm, origin at the table's centre on the
    playing surface. Camera axes: x right, y down, z forward. A point's camera
    coordinates are `rotation @ (point - position_mm)`. The lens is Brown's
    model: distorted = undistorted * (1 + k1 r^2 + k2 r^4), with r in units of
    the focal length, and tangential terms p1, p2 added.
    """

    width_px: int
    height_px: int
    focal_px: float
    centre_px: tuple[float, float]
    position_mm: Vector
    rotation: tuple[Vector, Vector, Vector]
    k1: float
    k2: float
    p1: float = 0.0
    p2: float = 0.0

    def shifted(self, east_mm: float) -> Self:
        """The same camera hung so much further east."""
        x, y, z = self.position_mm
        return replace(self, position_mm=(x + east_mm, y, z))

    @classmethod
    def overhead(
        cls,
        *,
        size_px: tuple[int, int] = (1280, 720),
        position_mm: Vector = (38.0, -64.0, 1200.0),
        aim_mm: tuple[float, float] = (4.0, -6.0),
        turn_deg: float = 0.8,
        span_mm: float = 915.0,
        lens: tuple[float, float] = (-0.12, 0.03),
    ) -> Self:
        """A camera on a club's lamp rail: a little off centre, tilted and turned.

        `span_mm` is what the picture's height covers on the playing surface.
        """
        width, height = size_px
        rotation = _looking_at(
            np.array(position_mm), np.array((*aim_mm, 0.0)), turn_deg
        )
        rows = [(float(a), float(b), float(c)) for a, b, c in rotation]
        return cls(
            width_px=width,
            height_px=height,
            focal_px=height / span_mm * position_mm[2],
            centre_px=(width / 2 - 0.5, height / 2 - 0.5),
            position_mm=position_mm,
            rotation=(rows[0], rows[1], rows[2]),
            k1=lens[0],
            k2=lens[1],
        )

    def project(self, points_mm: Floats) -> Floats:
        """Pixels of world points: (..., 3) mm to (..., 2) px."""
        seen = (points_mm - np.array(self.position_mm)) @ np.array(self.rotation).T
        flat = seen[..., :2] / seen[..., 2:]
        bent = flat * self._radial(flat) + self._tangential(flat)
        return np.asarray(bent * self.focal_px + np.array(self.centre_px))

    def ground(self, pixels: Floats) -> Floats:
        """Where the rays of pixels (..., 2) meet the playing surface: (..., 2) mm."""
        bent = (pixels - np.array(self.centre_px)) / self.focal_px
        flat = bent.copy()
        for _ in range(12):
            flat = (bent - self._tangential(flat)) / self._radial(flat)
        ahead = np.concatenate([flat, np.ones_like(flat[..., :1])], axis=-1)
        rays = ahead @ np.array(self.rotation)
        reach = -self.position_mm[2] / rays[..., 2:]
        return np.asarray(np.array(self.position_mm[:2]) + rays[..., :2] * reach)

    def corners_px(self, table: Table) -> tuple[tuple[float, float], ...]:
        """The playing surface's corners in the picture: TL TR BR BL."""
        corners = np.array([(x, y, 0.0) for x, y in table.corners])
        return tuple((float(x), float(y)) for x, y in self.project(corners))

    def _radial(self, flat: Floats) -> Floats:
        r2 = (flat[..., 0] ** 2 + flat[..., 1] ** 2)[..., None]
        return np.asarray(1 + self.k1 * r2 + self.k2 * r2 * r2)

    def _tangential(self, flat: Floats) -> Floats | float:
        if self.p1 == self.p2 == 0.0:
            return 0.0
        x, y = flat[..., 0], flat[..., 1]
        r2 = x * x + y * y
        across = 2 * self.p1 * x * y + self.p2 * (r2 + 2 * x * x)
        down = self.p1 * (r2 + 2 * y * y) + 2 * self.p2 * x * y
        return np.stack([across, down], -1)


def _looking_at(position: Floats, aim: Floats, turn_deg: float) -> Floats:
    forward = aim - position
    forward /= np.linalg.norm(forward)
    turn = np.radians(turn_deg)
    south = np.array((np.sin(turn), -np.cos(turn), 0.0))
    right = np.cross(south, forward)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(forward, right), forward])
