"""One rendered camera over one table with a watcher: what `hands.py` shows hands to."""

from collections.abc import Callable
from math import inf

import numpy as np
from numpy.typing import NDArray

from calibration.table import Piece, Point, Table
from controller.simulator.calibrated import mapping_of
from vision.detect import Detector
from vision.frames import Frame, Image
from vision.sightings import Observation
from vision.sources.rendered import Look, Renderer
from vision.sources.rendering_camera import Camera
from vision.sources.rendering_scene import Limb, Scene, ScenePiece
from vision.watch import Watcher

RATE_HZ = 30
TABLE = Table()
OUT = TABLE.half_mm + TABLE.frame_width_mm
PIECES = (
    (Piece.WHITE, Point(-60.0, 40.0)),
    (Piece.BLACK, Point(90.0, -30.0)),
    (Piece.QUEEN, Point(0.0, 0.0)),
    (Piece.WHITE, Point(32.0, 0.0)),
    (Piece.BLACK, Point(-20.0, -120.0)),
    (Piece.WHITE, Point(40.0, -180.0)),
    (Piece.BLACK, Point(150.0, 230.0)),
    (Piece.WHITE, Point(-280.0, -40.0)),
    (Piece.BLACK, Point(310.0, 60.0)),
    (Piece.STRIKER, Point(60.0, -252.0)),
)

Field = NDArray[np.float32]


class Bench:
    """One camera over one table, one watcher, and a clock."""

    def __init__(self, noise_dn: float = 2.0, exposure_s: float = 0.002) -> None:
        self.camera = Camera.overhead()
        self._look = Look(noise_dn=noise_dn, exposure_s=exposure_s)
        self._renderer = Renderer(TABLE, self.camera, look=self._look)
        mapping = mapping_of(self.camera, TABLE)
        detector = Detector(TABLE, mapping, empty=self._renderer.empty())
        self.watcher = Watcher(TABLE, mapping, detector, gap_s=inf)
        self.now_s = 0.0
        self._frames = 0
        self._ground = self._pixels_mm()

    def show(
        self,
        pieces: tuple[ScenePiece, ...],
        limbs: tuple[Limb, ...] = (),
        light: float = 1.0,
        spoil: Callable[[Image], Image] | None = None,
    ) -> list[Observation]:
        """One frame of a scene; `spoil` changes its picture."""
        self._frames += 1
        self.now_s += 1 / RATE_HZ
        scene = Scene(self.now_s, pieces, limbs, light=light)
        image = self._renderer.render(scene, self._frames)
        image = image if spoil is None else spoil(image)
        return self.watcher.step(Frame(self.now_s, self._frames, image))

    def shade(self, image: Image, factor: Field) -> Image:
        """A picture in another light: `factor` (h x w) in linear light."""
        grey = np.power(factor, 1 / 2.2)[..., None]
        return np.clip(image * grey + 0.5, 0, 255).astype(np.uint8)

    def slope(self, by: float, axis: int = 0) -> Field:
        """Light that grows by so much from one side of the table to the other."""
        return np.asarray(1.0 + by * self._ground[..., axis] / (2 * OUT), np.float32)

    def shadow(self, edge_mm: float, depth: float, axis: int) -> Field:
        """A leaning player's soft shadow: all that lies beyond an edge is darker."""
        into = np.clip((edge_mm - self._ground[..., axis]) / 240.0 + 0.5, 0.0, 1.0)
        return np.asarray(1.0 - depth * into * into * (3 - 2 * into), np.float32)

    def cloth(self, image: Image, waver_mm: float) -> Image:
        """A towel that hangs over the frame's outer 16 mm."""
        x, y = self._ground[..., 0], self._ground[..., 1]
        on = (np.abs(x + 80.0) < 120.0) & (y < -OUT + 16.0 + waver_mm)
        out = image.copy()
        out[on] = (out[on] * 0.1 + np.array((180, 170, 160)) * 0.9).astype(np.uint8)
        return out

    def _pixels_mm(self) -> Field:
        rows, columns = self.camera.height_px, self.camera.width_px
        ys, xs = np.mgrid[0:rows, 0:columns].astype(np.float64)
        return self.camera.ground(np.stack([xs, ys], -1)).astype(np.float32)


def lying(stays: tuple[tuple[Piece, Point], ...] = PIECES) -> tuple[ScenePiece, ...]:
    """Pieces at rest."""
    return tuple(ScenePiece(piece, at) for piece, at in stays)


def rest(bench: Bench, spoil: Callable[[Image], Image] | None) -> list[Observation]:
    """The table alone until it must have been counted."""
    return [o for _ in range(26) for o in bench.show(lying(), spoil=spoil)]
