"""A camera that exists only in memory: scenes in, frames out.

It stands for the real camera in demos and tests, behind the same `FrameSource`
interface. Theory: the empty table is painted once, with the lens and the height
of every part; each frame copies it and draws pieces and hands into small
rectangles by following each pixel's ray to the height of what it hits (see
`rendering_kernels`), then adds noise from a pool made beforehand. The same seed,
scene and sequence number give the same picture, bit for bit.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Piece, Point, Table
from vision.frames import Frame, Image, SourceState
from vision.sources import rendering_kernels as kernels
from vision.sources.rendering_camera import Camera
from vision.sources.rendering_held import HeldBoard, draw_held
from vision.sources.rendering_materials import GLOSS, grain, paints, slopes
from vision.sources.rendering_scene import (
    Bone,
    Colour,
    Joint,
    Limb,
    NetContent,
    Scene,
    ScenePiece,
)
from vision.sources.rendering_shapes import SHADOW_MM, Shapes
from vision.sources.rendering_table import LAMPS_MM, paint

NOISE_ROWS = 64
"""Spare rows of the noise pool: how far a frame's noise may be shifted."""
SMEAR_PX = 0.9
"""A moving piece is drawn once for each so many pixels it crosses."""
LIMB_REACH_MM = 90.0
"""How far a moving hand and its shadow reach beyond its bones."""
LIMB_SMEAR_PX = 1.5
"""A hand's edges are softer: its blur needs fewer pictures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What varies from hall to hall: exposure, noise, light and materials.

    `noise_dn` is the standard deviation of the sensor noise in grey levels,
    `blur_px` the lens's point spread (sigma), `glare` the lamps' reflection
    (1.0 is a waxed table under two shaded lamps), `white` the white coins'
    reflectance (None: light sycamore), `misprint_mm` how far marks and pockets may
    lie beside their right places.
    """

    exposure_s: float = 0.001
    noise_dn: float = 2.0
    blur_px: float = 0.7
    glare: float = 1.0
    white: Colour | None = None
    misprint_mm: float = 0.0


EVERY_KERNEL = Scene(
    0.0,
    (ScenePiece(Piece.WHITE, Point(0.0, 0.0), velocity=Point(300.0, 0.0)),),
    (
        Limb(
            (
                Bone(
                    Joint(0.0, -300.0, 40.0, 20.0),
                    Joint(0.0, -200.0, 30.0, 10.0),
                    (0.3, 0.4, 0.6),
                ),
            )
        ),
    ),
)
"""A moving piece and a hand: once drawn, no later picture waits for a compiler."""


class Renderer:
    """Turns scenes of one table into pictures of one camera.

    Construction paints the empty table (about a second) and compiles the
    kernels on the first run on a machine (cached on disk after that).
    """

    def __init__(
        self,
        table: Table,
        camera: Camera | None = None,
        *,
        look: Look | None = None,
        seed: int = 0,
    ) -> None:
        """`camera` None is `Camera.overhead()`; `seed` fixes wood, coins and noise."""
        self.table = table
        self.camera = camera or Camera.overhead()
        self.look = look or Look()
        self._seed = seed
        self._shapes = Shapes(table, self.camera)
        self._bare = paint(
            table,
            self.camera,
            glare=self.look.glare,
            blur_px=self.look.blur_px,
            misprint_mm=self.look.misprint_mm,
            seed=seed,
        )
        self._grey, self._levels = kernels.tables()
        self._lamps = np.array(LAMPS_MM)
        self._foot = np.array(self.camera.position_mm)
        self._grain = grain(seed)
        self._paints, self._slopes = paints(self.look.white), slopes()
        self._noise = self._noise_pool()
        self._empty = self._grey_levels()
        self._still: tuple[tuple[ScenePiece, ...], tuple[NetContent, ...]] = ((), ())
        self._still_canvas = self._empty
        self.render(EVERY_KERNEL, 0)

    def render(self, scene: Scene, sequence: int) -> Image:
        """The picture of a scene: height x width x 3, BGR, uint8, a new array."""
        canvas = self._canvas(scene)
        for limb in scene.limbs:
            self._draw_limb(canvas, limb)
        if scene.board is not None:
            canvas = self._with_board(canvas, scene.board)
        if scene.light != 1.0:
            canvas = self._dimmed(canvas, scene.light)
        if scene.knocked_px:
            canvas = np.roll(canvas, scene.knocked_px, axis=1)
        shift = (sequence * 7919 + self._seed * 104729) % (
            NOISE_ROWS * self.camera.width_px
        )
        return kernels.add_noise(canvas, self._noise, 3 * shift)

    def empty(self) -> Image:
        """The empty table without noise: a reference as a club would average it."""
        return self._empty.copy()

    def _canvas(self, scene: Scene) -> Image:
        """Table and pieces without hands; resting pieces are drawn only once."""
        still = tuple(p for p in scene.pieces if _rests(p))
        moving = tuple(p for p in scene.pieces if not _rests(p))
        if (still, scene.nets) != self._still:
            canvas = self._empty.copy()
            self._draw_pieces(canvas, self._shapes.net_pieces(scene.nets))
            self._draw_pieces(canvas, still)
            self._still, self._still_canvas = (still, scene.nets), canvas
        if not moving and not scene.limbs:
            return self._still_canvas
        canvas = self._still_canvas.copy()
        self._draw_pieces(canvas, moving)
        return canvas

    def _with_board(self, canvas: Image, board: HeldBoard) -> Image:
        covered = canvas.copy()
        ground, tables = self._bare.ground, (self._grey, self._levels)
        draw_held(covered, ground, self.camera, board, self.look.blur_px, tables)
        return covered

    def _draw_pieces(self, canvas: Image, pieces: tuple[ScenePiece, ...]) -> None:
        """All shadows, then all bodies, the farthest from the camera first."""
        if not pieces:
            return
        order = sorted(pieces, key=self._shapes.nearness)
        rows = self._shapes.piece_rows(order)
        exposure_s = self.look.exposure_s
        boxes = self._shapes.boxes(rows, exposure_s, margin_mm=SHADOW_MM)
        for row, box in zip(rows, boxes, strict=True):
            if row[kernels.LIFT] >= 0.0:
                self._draw_shadow(canvas, row, box)
        boxes = self._shapes.boxes(rows, exposure_s, margin_mm=1.5)
        for piece, row, box in zip(order, rows, boxes, strict=True):
            self._draw_piece(canvas, piece.piece, row, box)

    def _draw_shadow(
        self, canvas: Image, row: kernels.Rows, box: NDArray[np.int64]
    ) -> None:
        kernels.draw_shadow(
            canvas,
            self._bare.ground,
            box,
            row,
            self._lamps,
            self._moments(row, 3 * SMEAR_PX),
            self._grey,
            self._levels,
        )

    def _draw_piece(
        self,
        canvas: Image,
        piece: Piece,
        row: kernels.Rows,
        box: NDArray[np.int64],
    ) -> None:
        kernels.draw_piece(
            canvas,
            self._bare.ground,
            self._bare.light,
            self._bare.glare,
            box,
            row,
            self._paints[piece],
            self._slopes[piece],
            self._grain,
            self._foot,
            self._lamps,
            self._moments(row, SMEAR_PX),
            0.75 + 0.6 * self.look.blur_px,
            GLOSS[piece],
            self._grey,
            self._levels,
        )

    def _moments(self, row: kernels.Rows, apart_px: float) -> kernels.Rows:
        """Times within the exposure at which a piece is drawn, so far apart."""
        speed = float(np.hypot(row[kernels.VX], row[kernels.VY]))
        smear_px = speed * self.look.exposure_s * float(row[kernels.PX_PER_MM])
        count = 1 + min(int(smear_px / apart_px), 40)
        steps = (np.arange(count) + 0.5) / count - 0.5
        return np.asarray(steps * self.look.exposure_s)

    def _draw_limb(self, canvas: Image, limb: Limb) -> None:
        """A moving limb is the mean of itself at times within the exposure."""
        bones = self._shapes.bones(limb)
        way = np.array(limb.velocity)
        smear_px = float(np.hypot(*way)) * self.look.exposure_s * self._shapes.px_per_mm
        count = 1 + min(int(smear_px / LIMB_SMEAR_PX), 12)
        if count == 1:
            self._draw_limb_at(canvas, bones)
            return
        x0, y0, x1, y1 = self._shapes.limb_box(bones, margin_mm=LIMB_REACH_MM)
        total = np.zeros((y1 - y0, x1 - x0, 3), np.float32)
        for step in (np.arange(count) + 0.5) / count - 0.5:
            there, moved = canvas.copy(), bones.copy()
            moved[:, [kernels.AX, kernels.AY]] += way * step * self.look.exposure_s
            moved[:, [kernels.BX, kernels.BY]] += way * step * self.look.exposure_s
            self._draw_limb_at(there, moved)
            total += there[y0:y1, x0:x1]
        canvas[y0:y1, x0:x1] = np.round(total / count)

    def _draw_limb_at(self, canvas: Image, bones: kernels.Rows) -> None:
        bare, levels = self._bare, self._levels
        box = self._shapes.limb_box(bones, margin_mm=60.0)
        kernels.draw_limb_shadow(
            canvas, bare.ground, box, bones, self._lamps, self._grey, levels
        )
        kernels.draw_limb(
            canvas,
            bare.ground,
            bare.light,
            self._shapes.limb_box(bones, margin_mm=4.0),
            bones,
            self._grain,
            self._shapes.px_per_mm,
            0.75 + 0.6 * self.look.blur_px,
            self._grey,
            levels,
        )

    def _dimmed(self, canvas: Image, light: float) -> Image:
        linear = np.clip(self._grey * light, 0.0, kernels.WHITE)
        dim = self._levels[np.round(linear * (kernels.LEVELS - 1)).astype(np.int64)]
        return np.asarray(cv2.LUT(canvas, dim), np.uint8)

    def _noise_pool(self) -> NDArray[np.int8]:
        """Flat noise whose neighbours are alike, as a Bayer sensor's are."""
        shape = (self.camera.height_px + NOISE_ROWS, self.camera.width_px, 3)
        random = np.random.default_rng(self._seed + 1)
        soft = cv2.GaussianBlur(random.standard_normal(shape, np.float32), (0, 0), 0.55)
        noise = np.asarray(soft * (self.look.noise_dn / soft.std()), np.float32)
        return np.clip(np.round(noise), -127, 127).astype(np.int8).reshape(-1)

    def _grey_levels(self) -> Image:
        at = np.clip(self._bare.linear, 0.0, 1.0) * (kernels.LEVELS - 1)
        return self._levels[np.round(at).astype(np.int64)]


def _rests(piece: ScenePiece) -> bool:
    return piece.velocity == Point(0.0, 0.0) and piece.lift_mm == 0.0


class RenderedSource:
    """A FrameSource over a stream of scenes in order of time."""

    state = SourceState()

    def __init__(self, scenes: Iterable[Scene], renderer: Renderer) -> None:
        self._scenes = scenes
        self._renderer = renderer
        self._closed = False

    def frames(self) -> Iterator[Frame]:
        """Render each scene as it comes, sequence counting from 0."""
        for sequence, scene in enumerate(self._scenes):
            if self._closed:
                return
            yield Frame(scene.at_s, sequence, self._renderer.render(scene, sequence))

    def close(self) -> None:
        """End the stream at the next frame."""
        self._closed = True
