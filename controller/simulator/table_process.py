"""The simulated table as a process of its own, in real time.

It owns the world and everything a hall would have around the controller: the
camera's exposures on a Unix socket, the pocket node at the far end of a
pseudo-terminal (with a name that survives the controller), and a file of what
really happened, which the product never reads. The world's seconds are mapped once
to the host's monotonic clock; hands may be quick (`pace`), pieces slide as they must.

    python -m controller.simulator.table_process SETTINGS.json
"""

import asyncio
import json
import logging
import signal
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

from pydantic import TypeAdapter

from calibration.table import Table
from controller.pockets.pty_node import PtyNode
from controller.pockets.simulated import SimulatedNode
from controller.simulator.board_holder import held_at
from controller.simulator.pulses import pass_on
from controller.simulator.truth import TrueStroke, as_line
from controller.simulator.umpire import SimulatedUmpire, UmpireSettings
from controller.simulator.world import Habits, World
from vision.sources.rendering_camera import Camera
from vision.sources.rendering_held import HeldBoard
from vision.sources.rendering_scene import Scene
from vision.sources.scenes import ASK, Exposure, pack

STEP_S = 0.004
"""How often the world moves on between exposures: what a pocket pulse may be late."""
FIRST_FLICK_S = 20.0
SETTLED_S = 2.0
"""Players start when the camera has been looking at the rack for so long."""
SCENES = "scenes.sock"
POCKETS = "pockets.tty"
TRUTH = "truth.jsonl"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableSettings:
    """What the table process is told at its start."""

    folder: Path
    table: Table
    seed: int
    boards: int | None
    rate_hz: float
    habits: Habits
    umpire: UmpireSettings | None
    cleared_until: Path | None = None
    """The table stays empty until there is such a file: its calibration profile."""
    board_until: Path | None = None
    """Before that, a ChArUco board is held before the camera until there is this one."""


SETTINGS = TypeAdapter(TableSettings)


class LiveTable:
    """The world in real time: one object steps it, everything else reads it."""

    def __init__(self, settings: TableSettings, truth: TextIO) -> None:
        self._world = World(
            settings.table,
            seed=settings.seed,
            boards=settings.boards,
            habits=settings.habits,
        )
        # Kernels are compiled at the first flick: not while somebody watches.
        World(settings.table, seed=settings.seed).advance(FIRST_FLICK_S)
        self._period_s = 1.0 / settings.rate_hz
        self._cleared_until = settings.cleared_until
        self._board_until = settings.board_until
        self._truth = truth
        self._told = 0
        self._watched_s: float | None = None
        self._started_s = time.monotonic()
        simulated = SimulatedNode(started_s=self._started_s)
        self.node = PtyNode(simulated, settings.folder / POCKETS)
        self._sequence = 0
        self._exposed = asyncio.Event()
        self._exposure: Exposure | None = None

    async def run(self, stop: asyncio.Event) -> None:
        """Let time pass until stopped; an exposure at every period.

        Play begins when somebody has watched the racked table for a while.
        """
        await self._wait_for_watchers(stop)
        self._started_s = time.monotonic()
        self._write({"record": "start", "at_s": self._started_s})
        due_s = self._period_s
        while not stop.is_set():
            now_s = time.monotonic() - self._started_s
            if now_s >= due_s:
                late = int((now_s - due_s) / self._period_s)
                self._sequence += 1 + late
                self._expose(due_s + late * self._period_s)
                due_s += (1 + late) * self._period_s
            self._world.advance(max(now_s, self._world.now_s))
            self._after_step()
            next_s = min(now_s + STEP_S, due_s)
            pause_s = next_s - (time.monotonic() - self._started_s)
            await asyncio.sleep(max(pause_s, 0.0))

    def strokes(self, from_s: float, to_s: float) -> list[TrueStroke]:
        """What was played between two times of the host (by its middle).

        For the umpire alone.
        """
        first, last = from_s - self._started_s, to_s - self._started_s
        strokes = self._world.truth.strokes
        return [s for s in strokes if first <= (s.from_s + s.to_s) / 2 <= last]

    async def next_exposure(self) -> Exposure:
        """The exposure that comes next: what a camera asked now would deliver."""
        if self._watched_s is None:
            self._watched_s = time.monotonic()
        await self._exposed.wait()
        assert self._exposure is not None
        return self._exposure

    async def _wait_for_watchers(self, stop: asyncio.Event) -> None:
        """Show the racked table, time standing still, until it is watched.

        Before that, the empty one until it is calibrated.
        """
        while self._uncalibrated() and not stop.is_set():
            self._sequence += 1
            now_s = time.monotonic()
            self._show(Exposure(self._sequence, Scene(now_s, (), board=self._held())))
            self._watched_s = None
            await asyncio.sleep(self._period_s)
        while not stop.is_set():
            now_s = time.monotonic()
            if self._watched_s is not None and now_s - self._watched_s > SETTLED_S:
                return
            self._sequence += 1
            scene = replace(self._world.scene_at(0.0), at_s=now_s)
            self._show(Exposure(self._sequence, scene))
            await asyncio.sleep(self._period_s)

    def _uncalibrated(self) -> bool:
        return self._cleared_until is not None and not self._cleared_until.exists()

    def _held(self) -> HeldBoard | None:
        """The calibration board, while somebody holds it."""
        if self._board_until is None or self._board_until.exists():
            return None
        return held_at(Camera.overhead(), time.monotonic() - self._started_s)

    def _expose(self, at_s: float) -> None:
        scene = self._world.scene_at(max(at_s, self._world.now_s))
        here = replace(scene, at_s=scene.at_s + self._started_s)
        self._show(Exposure(self._sequence, here))

    def _show(self, exposure: Exposure) -> None:
        self._exposure = exposure
        self._exposed.set()
        self._exposed.clear()

    def _after_step(self) -> None:
        pass_on(self._world, self.node, self._started_s)
        records = self._world.truth.records
        for record in records[self._told :]:
            self._truth.write(as_line(record) + "\n")
        if len(records) > self._told:
            self._told = len(records)
            self._truth.flush()

    def _write(self, record: dict[str, object]) -> None:
        self._truth.write(json.dumps(record) + "\n")
        self._truth.flush()


async def serve_scenes(table: LiveTable, path: Path) -> asyncio.Server:
    """The camera's socket: one exposure for each time somebody asks."""

    async def answer(
        reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        with suppress(ConnectionError):
            while await reader.read(1) == ASK:
                writer.write(pack(await table.next_exposure()))
                await writer.drain()
        writer.close()

    path.unlink(missing_ok=True)
    return await asyncio.start_unix_server(answer, path)


async def main(settings: TableSettings) -> None:
    """Run the table until SIGTERM or the one who started it has gone."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    with (settings.folder / TRUTH).open("w", encoding="utf-8") as truth:
        table = LiveTable(settings, truth)
        server = await serve_scenes(table, settings.folder / SCENES)
        with table.node:
            await _until_stopped(settings, table, stop)
        server.close()


async def _until_stopped(
    settings: TableSettings, table: LiveTable, stop: asyncio.Event
) -> None:
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(table.run(stop))
        if settings.umpire is not None:
            umpire = SimulatedUmpire(settings.umpire, table.strokes)
            tasks.create_task(umpire.run(stop))
        await stop.wait()


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="table: %(message)s")
    asyncio.run(main(SETTINGS.validate_json(Path(sys.argv[1]).read_bytes())))
