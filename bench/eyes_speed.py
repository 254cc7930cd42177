"""What the eyes cost per frame, by what happens in it, beside two yardsticks.

All that `vision.eyes` does with each frame (watcher, picture health, positions, reports
packed for the pipe) over a rendered film: the table at rest, a hand over it, a break and
three mid-game strokes. Time is the thread's own CPU time, on one core.

Beside it in the same run, over the same pictures: the usual way (Hough's circles and HSV
ranges on the table's square of each frame) and the floor (one read of the picture's
luma plane, which nobody who looks at each frame can go below).

    python bench/eyes_speed.py [--size 1280x720 1456x1088] [--seed 7]

What happens when in the film is worked out once per seed and simulator and kept in the
temporary folder. A frame counts as `moving` when any piece slides or sinks in it, else as `hand`
when an arm is in the picture, else as `settling` for half a second and then as `rest`;
the frames in which the pieces are counted stand apart, and `census` is the counting
alone. Exit code 1 when a limit is missed.
"""

import argparse
import pickle
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from hashlib import sha256
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from controller.simulator.calibrated import mapping_of
from controller.simulator.world import World
from vision.compiled import use_one_core
from vision.detect import Detector
from vision.eyes import Lookout, settle
from vision.frames import Frame, Image
from vision.picture_health import PictureMeter
from vision.reports import pack
from vision.sources.rendered import Renderer
from vision.sources.rendering_camera import Camera
from vision.sources.rendering_scene import AT_REST, Scene
from vision.studio import Studio
from vision.watch import Watcher

RATE_HZ = 60
TABLE = Table()
BREAK, MID_GAME = 0, range(6, 9)
"""Strokes of the match that are filmed."""
BEFORE_S, AFTER_S = 2.5, 1.0
STILL_S = 4.0
"""So long the table rests before each take."""
SETTLING_S = 0.5
BUFFERS = 4
YARDSTICK_EVERY = 6
PHASES = (
    *("rest", "settling", "hand", "moving", "counted", "census"),
    *("usual way", "floor"),
)
LIMITS_MS = {
    ("1280x720", "rest", 50): 0.3,
    ("1280x720", "moving", 50): 2.5,
    ("1280x720", "moving", 95): 8.0,
    ("1280x720", "census", 50): 5.0,
    ("1456x1088", "rest", 50): 0.8,
}
"""By size, phase and percentile."""


def takes(seed: int) -> list[list[Scene]]:
    """The film as scenes: a break, then three strokes later in the same board."""
    kept = Path(tempfile.gettempdir()) / f"carrom-bench-{seed}-{_simulator()}.pickle"
    if kept.exists():
        found: list[list[Scene]] = pickle.loads(kept.read_bytes())
        return found
    found = [*_filmed(seed)]
    kept.write_bytes(pickle.dumps(found))
    return found


def _simulator() -> str:
    """Which simulator: other code plays another match."""
    root = Path(__file__).parents[1]
    sources = [
        *(root / "controller" / "simulator").glob("*.py"),
        root / "vision" / "sources" / "rendering_scene.py",
    ]
    return sha256(b"".join(p.read_bytes() for p in sorted(sources))).hexdigest()[:12]


def _filmed(seed: int) -> Iterator[list[Scene]]:
    scenes, strokes = _match(seed, MID_GAME.stop)
    for first, last in ((BREAK, BREAK), (MID_GAME.start, MID_GAME.stop - 1)):
        begin = max(strokes[first][0] - round(BEFORE_S * RATE_HZ), 0)
        end = strokes[last][1] + round(AFTER_S * RATE_HZ)
        take = scenes[begin:end]
        yield [*_still_before(take[0]), *take]


def _match(seed: int, strokes: int) -> tuple[list[Scene], list[tuple[int, int]]]:
    """A match's scenes, and from which to which of them pieces slid."""
    world = World(TABLE, seed=seed, boards=1)
    scenes: list[Scene] = []
    spans: list[tuple[int, int]] = []
    begun: int | None = None
    while len(spans) < strokes or len(scenes) < spans[-1][1] + 2 * RATE_HZ:
        scenes.append(world.scene_at(len(scenes) / RATE_HZ))
        if world.sliding and begun is None:
            begun = len(scenes)
        elif not world.sliding and begun is not None:
            spans.append((begun, len(scenes)))
            begun = None
    return scenes, spans


def _still_before(scene: Scene) -> Iterator[Scene]:
    lying = tuple(piece for piece in scene.pieces if piece.lift_mm == 0.0)
    for frame in range(round(STILL_S * RATE_HZ)):
        at_s = scene.at_s - STILL_S + frame / RATE_HZ
        yield replace(scene, at_s=at_s, pieces=lying, limbs=())


def phases(take: list[Scene]) -> Iterator[str]:
    """What happens in each frame, by what the scenes say."""
    still_s = take[0].at_s
    for scene in take:
        if any(p.velocity != AT_REST or p.lift_mm < 0.0 for p in scene.pieces):
            still_s = scene.at_s
            yield "moving"
        elif scene.limbs:
            still_s = scene.at_s
            yield "hand"
        else:
            yield "settling" if scene.at_s - still_s < SETTLING_S else "rest"


@dataclass
class Costs:
    """CPU milliseconds by phase."""

    ms: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def time(self, phase: str, work: Callable[[], object]) -> None:
        """Do something and note what it cost."""
        began_s = time.thread_time()
        work()
        self.ms[phase].append((time.thread_time() - began_s) * 1e3)

    def at(self, phase: str, percentile: float) -> float:
        """What so many of a phase's frames cost at most."""
        return float(np.percentile(self.ms[phase], percentile))


class CountingTimed:
    """A detector that notes when it counted and what that cost."""

    def __init__(self, detector: Detector, costs: Costs) -> None:
        self._detector, self._costs = detector, costs
        self.counted = False

    def __getattr__(self, name: str) -> object:
        return getattr(self._detector, name)

    def __setattr__(self, name: str, value: object) -> None:
        if name == "colours":
            self._detector.colours = value
        else:
            super().__setattr__(name, value)

    def census(self, *asked: object, **named: object) -> object:
        """The detector's census, timed."""
        began_s = time.thread_time()
        found = self._detector.census(*asked, **named)
        self._costs.ms["census"].append((time.thread_time() - began_s) * 1e3)
        self.counted = True
        return found


class Stage:
    """One size's renderer with the eyes that look at its pictures."""

    def __init__(self, size: str) -> None:
        width, height = (int(side) for side in size.split("x"))
        self.camera = Camera.overhead(size_px=(width, height))
        self.renderer = Renderer(TABLE, self.camera)
        self.mapping = mapping_of(self.camera, TABLE)
        self.costs = Costs()
        self._buffers = [self.renderer.empty() for _ in range(BUFFERS)]

    def look(self, take: list[Scene]) -> None:
        """Show one take to eyes that have just been opened."""
        empty = self.renderer.empty()
        detector = CountingTimed(Detector(TABLE, self.mapping, empty=empty), self.costs)
        watcher = Watcher(TABLE, self.mapping, detector)
        lookout = Lookout(watcher, PictureMeter(TABLE, self.mapping, empty), Studio())
        for number, (scene, phase) in enumerate(zip(take, phases(take), strict=True)):
            image = self._shown(scene, number)
            frame = Frame(scene.at_s, number, image)
            detector.counted = False
            began_s = time.thread_time()
            for report in lookout.look(frame):
                pack(report)
            took_ms = (time.thread_time() - began_s) * 1e3
            self.costs.ms["counted" if detector.counted else phase].append(took_ms)
            if number % YARDSTICK_EVERY == 0:
                self._yardsticks(image)

    def _shown(self, scene: Scene, number: int) -> Image:
        """The picture in one of a few buffers that take turns, as a camera's do."""
        buffer = self._buffers[number % BUFFERS]
        buffer[:] = self.renderer.render(scene, number)
        return buffer

    def _yardsticks(self, image: Image) -> None:
        luma = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        corners = np.array(self.camera.corners_px(TABLE))
        left, top = np.floor(corners.min(axis=0)).astype(int)
        right, low = np.ceil(corners.max(axis=0)).astype(int)
        square = image[top:low, left:right]
        radius = (right - left) / (2 * TABLE.half_mm) * TABLE.coin_radius_mm
        self.costs.time("usual way", lambda: usual_way(square, radius))
        self.costs.time("floor", lambda: cv2.norm(luma, cv2.NORM_L1))


def usual_way(square: Image, radius: float) -> list[NDArray[np.float32]]:
    """Circles by Hough's transform, named by ranges of HSV: what tutorials do."""
    grey = cv2.medianBlur(cv2.cvtColor(square, cv2.COLOR_BGR2GRAY), 5)
    circles = cv2.HoughCircles(
        grey,
        cv2.HOUGH_GRADIENT,
        dp=1.0,
        minDist=1.6 * radius,
        param1=100,
        param2=18,
        minRadius=round(0.8 * radius),
        maxRadius=round(1.5 * radius),
    )
    hsv = cv2.cvtColor(square, cv2.COLOR_BGR2HSV)
    ranges = (((0, 0, 170), (180, 70, 255)), ((0, 0, 0), (180, 255, 70)))
    masks = [cv2.inRange(hsv, low, high) for low, high in ranges]
    masks.append(cv2.inRange(hsv, (0, 120, 80), (8, 255, 255)))
    found = [] if circles is None else list(circles[0])
    for x, y, _ in found:
        _ = [mask[min(int(y), mask.shape[0] - 1), int(x) - 1] for mask in masks]
    return found


def report(size: str, costs: Costs) -> bool:
    """Print a size's table; whether it is within the limits."""
    floor, usual = costs.at("floor", 50), costs.at("usual way", 50)
    print(f"\n{size}, ms of CPU time per frame")
    print(
        f"{'':10} {'frames':>6} {'median':>8} {'p95':>8} {'max':>8}"
        f" {'/ floor':>8} {'/ usual':>8}"
    )
    good = True
    for phase in PHASES:
        median, p95, most = (costs.at(phase, p) for p in (50, 95, 100))
        print(
            f"{phase:10} {len(costs.ms[phase]):6d} {median:8.3f} {p95:8.3f} {most:8.3f}"
            f" {median / floor:8.2f} {median / usual:8.3f}"
        )
    for (of, phase, percentile), limit in LIMITS_MS.items():
        if of == size and (cost := costs.at(phase, percentile)) > limit:
            print(f"MISSED {phase} p{percentile}: {cost:.2f} ms, limit {limit:g} ms")
            good = False
    return good


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--size", nargs="+", default=["1280x720", "1456x1088"])
    parser.add_argument("--seed", type=int, default=7)
    given = parser.parse_args()
    use_one_core()
    film = takes(given.seed)
    good = True
    for size in given.size:
        stage = Stage(size)
        stage.look(film[0])
        stage.costs = Costs()
        settle()
        for take in film:
            stage.look(take)
        good &= report(size, stage.costs)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
