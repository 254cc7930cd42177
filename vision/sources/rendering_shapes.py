"""Scene values as rows of numbers for the kernels, and the rectangles they touch."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from calibration.table import Point, Table
from vision.sources import rendering_kernels as kernels
from vision.sources.rendering_camera import Camera, Floats
from vision.sources.rendering_scene import Limb, NetContent, ScenePiece
from vision.sources.rendering_table import NET_DEPTH_MM

SHADOW_MM = 15.0
"""How far a resting piece's shadow may reach beyond it."""
_NET_PLACES = ((0.0, 0.0), (9.0, 4.0), (-6.0, 9.0), (-3.0, -9.0), (8.0, -7.0))


class Shapes:
    """Measures scene things for one table under one camera."""

    def __init__(self, table: Table, camera: Camera) -> None:
        self._table = table
        self._camera = camera
        self._foot = Point(*camera.position_mm[:2])
        self._height = camera.position_mm[2]
        self.px_per_mm = camera.focal_px / self._height

    def nearness(self, piece: ScenePiece) -> float:
        """Sort key that puts what the camera sees under others first."""
        return piece.lift_mm * 1000.0 - piece.at.distance_mm(self._foot)

    def piece_rows(self, pieces: Sequence[ScenePiece]) -> Floats:
        """One row of kernel columns per piece."""
        return np.array([self._piece_row(piece) for piece in pieces])

    def net_pieces(self, nets: tuple[NetContent, ...]) -> tuple[ScenePiece, ...]:
        """Pieces in the nets as things to draw, deep below the surface."""
        drawn, filled = [], dict.fromkeys(self._table.pocket_centres, 0)
        for pocket, piece in nets:
            level = filled[pocket]
            filled[pocket] += 1
            dx, dy = _NET_PLACES[level % len(_NET_PLACES)]
            centre = self._table.pocket_centres[pocket]
            at = Point(centre.x_mm + dx, centre.y_mm + dy)
            lift = 4.0 * min(level, 4) - NET_DEPTH_MM
            drawn.append(ScenePiece(piece, at, lift_mm=lift, turned_rad=0.7 * level))
        return tuple(drawn)

    def boxes(
        self, rows: Floats, exposure_s: float, *, margin_mm: float
    ) -> NDArray[np.int64]:
        """The pixels each piece and a margin around it may touch: x0, y0, x1, y1."""
        lift, tall = rows[:, kernels.LIFT], rows[:, kernels.HEIGHT]
        smear = rows[:, [kernels.VX, kernels.VY]] * (exposure_s / 2)
        reach = rows[:, kernels.RADIUS] + margin_mm + 2 * np.maximum(lift, 0.0)
        size = reach[:, None] + np.abs(smear)
        centre = rows[:, [kernels.X, kernels.Y]]
        low, high = centre - size, centre + size
        columns = [
            np.stack([a[:, 0], b[:, 1], z], -1)
            for a in (low, high)
            for b in (low, high)
            for z in (np.minimum(lift, 0.0), np.maximum(lift, 0.0) + tall)
        ]
        return self._box(np.stack(columns, 1))

    def bones(self, limb: Limb) -> Floats:
        """A limb's bones as their outlines on the ground plane, one row each."""
        rows = [
            (*self._grounded(bone.start), *self._grounded(bone.end))
            for bone in limb.bones
        ]
        out = np.zeros((len(rows), kernels.BONE_COLUMNS))
        for row, bone, place in zip(out, limb.bones, rows, strict=True):
            row[: kernels.AZ] = place
            row[kernels.AZ] = bone.start.height_mm
            row[kernels.BZ] = bone.end.height_mm
            row[kernels.BLUE : kernels.RED + 1] = bone.colour
            if bone.check is not None:
                row[kernels.SQUARE] = bone.check.square_mm
                row[kernels.CHECK_BLUE :] = bone.check.colour
        return out

    def limb_box(self, bones: Floats, *, margin_mm: float) -> NDArray[np.int64]:
        """The pixels a limb's outline touches, with a margin for its shadow."""
        ends = np.concatenate([bones[:, :3], bones[:, 3:6]])
        reach = ends[:, 2:] + margin_mm
        low, high = ends[:, :2] - reach, ends[:, :2] + reach
        flat = np.zeros((len(ends), 4, 3))
        flat[:, 0, :2], flat[:, 1, :2] = low, high
        flat[:, 2, 0], flat[:, 2, 1] = low[:, 0], high[:, 1]
        flat[:, 3, 0], flat[:, 3, 1] = high[:, 0], low[:, 1]
        # A lens model is only good near the table: keep far elbows from folding back.
        np.clip(flat[..., :2], -900.0, 900.0, out=flat[..., :2])
        return self._box(flat.reshape(1, -1, 3)).reshape(4)

    def _piece_row(self, piece: ScenePiece) -> tuple[float, ...]:
        hole = (0.0, 0.0, 0.0)
        if piece.lift_mm < 0.0:
            pocket = self._table.nearest_pocket(piece.at)
            centre = self._table.pocket_centres[pocket]
            hole = (*centre, self._table.pocket_radius_mm)
        return (
            *piece.at,
            *piece.velocity,
            self._table.radius_mm(piece.piece),
            self._table.height_mm(piece.piece),
            piece.lift_mm,
            piece.turned_rad,
            self.px_per_mm,
            *hole,
        )

    def _grounded(self, joint: tuple[float, float, float, float]) -> tuple[float, ...]:
        """A ball above the surface as the disc on the ground it hides."""
        x, y, height, radius = joint
        grow = self._height / (self._height - height)
        foot = self._foot
        return (
            foot.x_mm + (x - foot.x_mm) * grow,
            foot.y_mm + (y - foot.y_mm) * grow,
            radius * grow,
        )

    def _box(self, points: Floats) -> NDArray[np.int64]:
        """Pixel rectangles around groups of world points (n, k, 3)."""
        px = self._camera.project(points)
        limit = np.array([self._camera.width_px, self._camera.height_px])
        low = np.clip(np.floor(px.min(1)) - 2, 0, limit)
        high = np.clip(np.ceil(px.max(1)) + 3, 0, limit)
        boxes: NDArray[np.int64] = np.concatenate([low, high], -1).astype(np.int64)
        return boxes
