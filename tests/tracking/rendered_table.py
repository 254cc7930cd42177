"""A rendered table and its watcher, for tests that go through real pictures."""

from collections.abc import Iterable, Iterator
from math import inf

from calibration.plane import PlaneMapping
from calibration.table import Piece, Point, Seat, Table
from controller.simulator.calibrated import mapping_of
from controller.simulator.hands import SKINS, SLEEVES, Person, limb
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

    def show(self, watcher: Watcher, scenes: Iterable[Scene]) -> list[Observation]:
        """Let the watcher see scenes; what it observed."""
        seen: list[Observation] = []
        for scene in scenes:
            self._frame += 1
            image = self.renderer.render(scene, self._frame)
            seen += watcher.step(Frame(scene.at_s, self._frame, image))
        return seen


def lasting(
    from_s: float,
    seconds: float,
    pieces: list[tuple[Piece, Point]],
    tip: Point | None = None,
) -> Iterator[Scene]:
    """Nothing changes for some seconds; South's fingertips at `tip` if given."""
    lying = tuple(ScenePiece(piece, at) for piece, at in pieces)
    person = Person(Seat.SOUTH, SKINS[0], SLEEVES[0])
    limbs = () if tip is None else (limb(person, tip, 30.0),)
    for frame in range(round(seconds * RATE_HZ)):
        yield Scene(from_s + frame / RATE_HZ, lying, limbs)
