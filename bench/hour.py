"""An hour at 60 frames a second: does memory stay flat, and is every frame counted?

What the eyes process does, for as many frames as an hour has: a source that waits for
nobody behind the thread that keeps the newest (`vision.newest`), the watcher, the meter
of picture health. The source repeats rendered pictures of a table on which pieces move
now and then, each time with other noise, and is paced `--speed` times faster than life, so
that frames are overtaken too. Frame times are those of the hour.

    python bench/hour.py [--minutes 60] [--speed 2] [--size 640x360]

Every frame must be taken or counted as skipped, to the last; every tenth of the run is
a row with the resident memory. Exit code 1 when a frame is unaccounted for or memory
grew by more than 5 % after the first tenth.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import cycle

import numpy as np

from calibration.table import Piece, Point, Table
from controller.simulator.calibrated import mapping_of
from vision.compiled import use_one_core
from vision.detect import Detector
from vision.frames import Frame, Image, SourceError, SourceState
from vision.newest import Newest
from vision.picture_health import PictureMeter
from vision.sources.rendered import Renderer
from vision.sources.rendering_camera import Camera
from vision.sources.rendering_scene import Scene, ScenePiece
from vision.watch import Watcher

RATE_HZ = 60.0
PERIOD_S = 20.0
"""The table's life repeats after this: 18 s at rest, 2 s a coin slides about."""
MOVING_S = 2.0
NOISES = 16
GREW = 1.05


class Hour:
    """A FrameSource of so many frames, delivered when due, whoever takes them."""

    def __init__(self, pictures: list[Image], frames: int, speed: float) -> None:
        self.state = SourceState()
        self._pictures = pictures
        self._frames = frames
        self._apart_s = 1.0 / (RATE_HZ * speed)

    def frames(self) -> Iterator[Frame]:
        """The hour, frame by frame."""
        began_s = time.monotonic()
        for number, picture in zip(range(self._frames), cycle(self._pictures)):
            due_s = began_s + number * self._apart_s
            time.sleep(max(due_s - time.monotonic(), 0.0))
            yield Frame(number / RATE_HZ, number, picture)

    def close(self) -> None:
        """Nothing to let go of."""


def pictures(table: Table, renderer: Renderer) -> list[Image]:
    """One period of the table's life; at rest a few noises take turns."""
    rack = [*table.opening_rack()]
    lying = tuple(ScenePiece(piece, at) for piece, at in rack[1:])
    still = [renderer.render(Scene(0.0, _with(lying, 0.0)), n) for n in range(NOISES)]
    at_rest = round((PERIOD_S - MOVING_S) * RATE_HZ)
    found = [still[n % NOISES] for n in range(at_rest)]
    for step in range(round(MOVING_S * RATE_HZ)):
        turn = step / (MOVING_S * RATE_HZ)
        scene = Scene(0.0, _with(lying, turn))
        found.append(renderer.render(scene, NOISES + step))
    return found


def _with(lying: tuple[ScenePiece, ...], turn: float) -> tuple[ScenePiece, ...]:
    """The others, and one coin that goes round a ring once."""
    angle = 2 * np.pi * turn
    at = Point(200 * float(np.cos(angle)), 200 * float(np.sin(angle)))
    return (*lying, ScenePiece(Piece.BLACK, at))


def resident_mb() -> float:
    """The process's resident memory."""
    with open("/proc/self/statm") as statm:
        return int(statm.read().split()[1]) * 4096 / 2**20


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--speed", type=float, default=2.0)
    parser.add_argument("--size", default="640x360")
    given = parser.parse_args()
    use_one_core()
    width, height = (int(side) for side in given.size.split("x"))
    frames = round(given.minutes * 60 * RATE_HZ)
    table, camera = Table(), Camera.overhead(size_px=(width, height))
    renderer = Renderer(table, camera)
    mapping, empty = mapping_of(camera, table), renderer.empty()
    watcher = Watcher(
        table, mapping, Detector(table, mapping, empty=empty), frozen_s=float("inf")
    )
    meter = PictureMeter(table, mapping, empty)
    newest = Newest(Hour(pictures(table, renderer), frames, given.speed))
    print(f"{frames} frames of {width} x {height} at {given.speed:g} x 60 a second")
    print(f"{'minute':>6} {'taken':>8} {'skipped':>8} {'told':>6} {'MB':>7}")
    taken = told = 0
    memory: list[float] = []
    while True:
        try:
            frame = newest.take(10.0)
        except SourceError:
            break
        if frame is None:
            continue
        taken += 1
        told += len(watcher.step(frame))
        meter.look(frame)
        if frame.sequence >= len(memory) * frames / 10:
            memory.append(resident_mb())
            row = (frame.at_s / 60, taken, newest.flow.skipped, told, memory[-1])
            print("{:6.1f} {:8d} {:8d} {:6d} {:7.1f}".format(*row), flush=True)
    flow = newest.flow
    memory.append(resident_mb())
    missing = frames - flow.taken - flow.skipped
    print(
        f"delivered {flow.delivered}, taken {flow.taken}, skipped {flow.skipped}, "
        f"lost {flow.lost}, unaccounted {missing}"
    )
    print(f"memory {memory[1]:.1f} MB after a tenth, {memory[-1]:.1f} MB at the end")
    return int(missing != 0 or memory[-1] > GREW * memory[1])


if __name__ == "__main__":
    sys.exit(main())
