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

from calibration.table import Table
from vision.frames import Frame, Image
from vision.sources.rendering_camera import Camera
from vision.sources.rendering_scene import Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """What varies from hall to hall: exposure, noise, light and materials.

    `noise_dn` is the standard deviation of the sensor noise in grey levels,
    `blur_px` the lens's point spread (sigma), `glare` the lamps' reflection
    (1.0 is a waxed table under two shaded lamps).
    """

    exposure_s: float = 0.001
    noise_dn: float = 2.0
    blur_px: float = 0.7
    glare: float = 1.0


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
        raise NotImplementedError

    def render(self, scene: Scene, sequence: int) -> Image:
        """The picture of a scene: height x width x 3, BGR, uint8, a new array."""
        raise NotImplementedError

    def empty(self) -> Image:
        """The empty table without noise: a reference as a club would average it."""
        raise NotImplementedError


class RenderedSource:
    """A FrameSource over a stream of scenes in order of time."""

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
