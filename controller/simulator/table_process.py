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
import os
import pty
import signal
import sys
import time
import tty
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

from pydantic import TypeAdapter

from calibration.table import Table
from controller.pockets.messages import Looks
from controller.pockets.simulated import COIN_WIDTH_US, SimulatedNode
from controller.simulator.truth import Pulse, TrueStroke, as_line
from controller.simulator.umpire import SimulatedUmpire, UmpireSettings
from controller.simulator.world import Habits, World
from vision.sources.scenes import ASK, Exposure, pack

STEP_S = 0.004
"""How often the world moves on between exposures: what a pocket pulse may be late."""
TWO_COINS = 1.5
"""A beam dark for more than so many coins' time was broken by two."""
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
        self._period_s = 1.0 / settings.rate_hz
        self._truth = truth
        self._told = 0
        self.started_s = time.monotonic()
        self.node = SimulatedNode(started_s=self.started_s)
        self._sequence = 0
        self._exposed = asyncio.Event()
        self._exposure: Exposure | None = None
        truth.write(json.dumps({"record": "start", "at_s": self.started_s}) + "\n")

    async def run(self, stop: asyncio.Event) -> None:
        """Let time pass until stopped; an exposure at every period."""
        while not stop.is_set():
            now_s = time.monotonic() - self.started_s
            due_s = (self._sequence + 1) * self._period_s
            if now_s >= due_s:
                self._sequence = int(now_s / self._period_s)
                self._expose(self._sequence * self._period_s)
            self._world.advance(max(now_s, self._world.now_s))
            self._after_step()
            next_s = min(now_s + STEP_S, (self._sequence + 1) * self._period_s)
            pause_s = next_s - (time.monotonic() - self.started_s)
            await asyncio.sleep(max(pause_s, 0.0))

    def strokes(self) -> tuple[TrueStroke, ...]:
        """What really happened so far; for the umpire alone."""
        return self._world.truth.strokes

    async def next_exposure(self) -> Exposure:
        """The exposure that comes next: what a camera asked now would deliver."""
        await self._exposed.wait()
        assert self._exposure is not None
        return self._exposure

    def _expose(self, at_s: float) -> None:
        at_s = max(at_s, self._world.now_s)
        scene = self._world.scene_at(at_s)
        here = replace(scene, at_s=at_s + self.started_s)
        self._exposure = Exposure(self._sequence, here)
        self._exposed.set()
        self._exposed.clear()

    def _after_step(self) -> None:
        for pulse in self._world.take_pulses():
            at_s = pulse.at_s + self.started_s
            self.node.pulse(pulse.pocket, at_s, pulse.width_us, _looks(pulse))
        records = self._world.truth.records
        for record in records[self._told :]:
            self._truth.write(as_line(record) + "\n")
        if len(records) > self._told:
            self._told = len(records)
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


class NodePort:
    """The pocket node's serial line: a pseudo-terminal under a lasting name.

    Our own hold on the far end keeps the line alive while no controller has it open.
    """

    def __init__(self, node: SimulatedNode, name: Path) -> None:
        self._node = node
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        name.unlink(missing_ok=True)
        name.symlink_to(os.ttyname(self._slave))

    async def run(self, stop: asyncio.Event) -> None:
        """Carry bytes both ways until stopped."""
        loop = asyncio.get_running_loop()
        loop.add_reader(self._master, self._carry)
        try:
            while not stop.is_set():
                self._carry()
                await asyncio.sleep(STEP_S)
        finally:
            loop.remove_reader(self._master)

    def _carry(self) -> None:
        now_s = time.monotonic()
        with suppress(BlockingIOError):
            self._node.receive(os.read(self._master, 4096), now_s)
        if out := self._node.poll(now_s):
            # A full line loses bytes, as a UART nobody reads does.
            with suppress(BlockingIOError):
                os.write(self._master, out)


def _looks(pulse: Pulse) -> Looks:
    two = pulse.width_us > TWO_COINS * COIN_WIDTH_US
    return Looks.TWO_COINS if two else Looks.ONE_COIN


async def main(settings: TableSettings) -> None:
    """Run the table until SIGTERM or the one who started it has gone."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    with (settings.folder / TRUTH).open("w", encoding="utf-8") as truth:
        table = LiveTable(settings, truth)
        port = NodePort(table.node, settings.folder / POCKETS)
        server = await serve_scenes(table, settings.folder / SCENES)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(table.run(stop))
            tasks.create_task(port.run(stop))
            if settings.umpire is not None:
                umpire = SimulatedUmpire(
                    settings.umpire, table.strokes, table.started_s
                )
                tasks.create_task(umpire.run(stop))
            await stop.wait()
            server.close()


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="table: %(message)s")
    asyncio.run(main(SETTINGS.validate_json(Path(sys.argv[1]).read_bytes())))
