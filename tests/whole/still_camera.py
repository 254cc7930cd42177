"""A camera's socket that shows a table nobody touches."""

import asyncio
import time
from contextlib import closing, suppress
from dataclasses import dataclass, field

from calibration.table import Table
from vision.sources.rendering_scene import Scene, ScenePiece
from vision.sources.scenes import Exposure, pack

RACK = tuple(ScenePiece(piece, at) for piece, at in Table().opening_rack())
LONG_S = 60.0


@dataclass
class StillCamera:
    """A socket that shows the racked table until `hanging` is set."""

    hanging: asyncio.Event = field(default_factory=asyncio.Event)
    asked: int = 0
    pieces: tuple[ScenePiece, ...] = RACK
    answering: "set[asyncio.Task[None]]" = field(default_factory=set)

    async def end(self) -> None:
        """Hang up on everybody."""
        for task in self.answering:
            task.cancel()
        await asyncio.gather(*self.answering, return_exceptions=True)

    async def answer(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        task = asyncio.current_task()
        assert task is not None
        self.answering.add(task)
        with suppress(ConnectionError), closing(writer):
            while await reader.read(1):
                if self.hanging.is_set():
                    await asyncio.sleep(LONG_S)
                await asyncio.sleep(1 / 60)
                self.asked += 1
                scene = Scene(time.monotonic(), self.pieces)
                writer.write(pack(Exposure(self.asked, scene)))
                await writer.drain()
