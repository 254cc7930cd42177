"""A rendered table and its watcher, for tests that go through real pictures."""

from collections.abc import Iterable, Iterator
from math import inf
from pathlib import Path

import av
import numpy as np

from calibration.plane import PlaneMapping
from calibration.table import Piece, Point, Seat, Table
from controller.simulator.anatomy import SKINS, SLEEVES
from controller.simulator.calibrated import mapping_of
from controller.simulator.hands import Person, limb
from vision.detect import Detector
from vision.frames import Frame
from vision.sightings import Observation
from vision.sources.rendered import Renderer
from vision.sources.rendering_camera import Camera
from vision.sources.rendering_scene import Scene, ScenePiece
from vision.watch import Watcher

RATE_HZ = 60
TABLE = Table()


class Stand:
    """One renderer with the watcher that looks at its pictures."""

    def __init__(self) -> None:
        self.camera = Camera.overhead()
        self.renderer = Renderer(TABLE, self.camera)
        self._frame = 0

    @property
    def mapping(self) -> PlaneMapping:
        """The camera's true mapping, as a good calibration finds it."""
        return mapping_of(self.camera, TABLE)

    def watcher(self) -> Watcher:
        """A watcher that knows the empty table."""
        mapping = self.mapping
        detector = Detector(TABLE, mapping, empty=self.renderer.empty())
        return Watcher(TABLE, mapping, detector, gap_s=inf)

    def show(
        self, watcher: Watcher, scenes: Iterable[Scene], knocked_px: int = 0
    ) -> list[Observation]:
        """Let the watcher see scenes, by a camera knocked aside; what it observed."""
        seen: list[Observation] = []
        for scene in scenes:
            self._frame += 1
            image = self.renderer.render(scene, self._frame)
            image = np.ascontiguousarray(np.roll(image, knocked_px, axis=1))
            seen += watcher.step(Frame(scene.at_s, self._frame, image))
        return seen

    def film(self, path: Path, scenes: Iterable[Scene]) -> None:
        """Record scenes as H.264, as `carrom demo --record` does."""
        with av.open(str(path), "w") as container:
            stream = container.add_stream("libx264", rate=RATE_HZ)
            stream.width, stream.height = self.camera.width_px, self.camera.height_px
            stream.pix_fmt = "yuv420p"
            for number, scene in enumerate(scenes):
                image = self.renderer.render(scene, number)
                frame = av.VideoFrame.from_ndarray(image, format="bgr24")
                container.mux(stream.encode(frame))
            container.mux(stream.encode())


def lasting(
    from_s: float,
    seconds: float,
    pieces: list[tuple[Piece, Point]],
    tip: Point | None = None,
    rate_hz: int = RATE_HZ,
) -> Iterator[Scene]:
    """Nothing changes for some seconds; South's fingertips at `tip` if given."""
    lying = tuple(ScenePiece(piece, at) for piece, at in pieces)
    person = Person(Seat.SOUTH, SKINS[0], SLEEVES[0])
    limbs = () if tip is None else (limb(person, tip, 30.0),)
    for frame in range(round(seconds * rate_hz)):
        yield Scene(from_s + frame / rate_hz, lying, limbs)
