"""The eyes process is watched by the age of its pictures alone (C2, V2).

A real eyes process looks at a real (rendered) table through a socket that can be
made to hang, as camera calls do.
"""

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from calibration.refusal import Refusal
from calibration.table import Table
from controller.eyes import RESTART_S, Eyes, Told
from controller.simulator.calibrated import PROFILE, write_profile
from tests.whole.still_camera import LONG_S, StillCamera
from vision.eyes import UNCALIBRATED
from vision.setup import CameraSetup, Setup
from vision.sightings import NotWatching, TableAtRest, WatchingAgain
from vision.sources.rendering_camera import Camera
from vision.studio import FRAMES


@dataclass
class Heard:
    """What the eyes told so far, and when each was told."""

    told: list[tuple[float, Told]] = field(default_factory=list)

    def hear(self, told: Told) -> None:
        self.told.append((time.monotonic(), told))

    async def first(self, kind: type, after_s: float = 0.0) -> float:
        """When something of this kind was first told after a time."""
        async with asyncio.timeout(LONG_S):
            while True:
                for at_s, told in self.told:
                    if isinstance(told, kind) and at_s > after_s:
                        return at_s
                await asyncio.sleep(0.02)


@asynccontextmanager
async def watching(
    folder: Path, camera: StillCamera
) -> AsyncIterator[tuple[Eyes, Heard]]:
    """Eyes on a still camera, once they have counted the table."""
    await asyncio.to_thread(write_profile, folder, Table(), Camera.overhead())
    async with looking(folder, camera) as (eyes, heard):
        await heard.first(TableAtRest)
        yield eyes, heard


@asynccontextmanager
async def looking(
    folder: Path, camera: StillCamera
) -> AsyncIterator[tuple[Eyes, Heard]]:
    """Eyes on a still camera, calibrated if the folder holds a profile."""
    setup = Setup(
        camera=CameraSetup(
            source="rendered",
            address=str(folder / "scenes.sock"),
            size_px=(1280, 720),
            rate_hz=60.0,
            exposure_us=1000,
        ),
        profile=folder / PROFILE,
    )
    server = await asyncio.start_unix_server(camera.answer, setup.camera.address)
    heard = Heard()
    eyes = Eyes(lambda: setup, heard.hear)
    running = asyncio.create_task(eyes.run())
    try:
        yield eyes, heard
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        server.close()
        await camera.end()


def children() -> list[int]:
    """The eyes processes of this process."""
    found = []
    for task in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = task.read_text().rpartition(")")[2].split()
            command = (task.parent / "cmdline").read_bytes()
        except OSError:
            continue
        if int(fields[1]) == os.getpid() and b"vision.eyes" in command:
            found.append(int(task.parent.name))
    return found


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(LONG_S):
        while not true():
            await asyncio.sleep(0.02)


async def test_killed_eyes_are_started_again_and_the_gap_is_told(
    tmp_path: Path,
) -> None:
    async with watching(tmp_path, StillCamera()) as (eyes, heard):
        killed_s = time.monotonic()
        os.kill(children()[0], signal.SIGKILL)
        await heard.first(NotWatching, killed_s)
        await heard.first(WatchingAgain, killed_s)
        await heard.first(TableAtRest, killed_s)
        assert eyes.sight.restarts == 1
    assert children() == []


@pytest.mark.parametrize(
    "fault",
    ["camera hangs", pytest.param("process stopped", marks=pytest.mark.slow)],
)
async def test_pictures_that_stop_are_told_and_the_process_replaced(
    tmp_path: Path, fault: str
) -> None:
    camera = StillCamera()
    async with watching(tmp_path, camera) as (eyes, heard):
        stopped = children()[0]
        at_s = time.monotonic()
        if fault == "camera hangs":
            camera.hanging.set()
        else:
            os.kill(stopped, signal.SIGSTOP)
        told_s = await heard.first(NotWatching, at_s)
        camera.hanging.clear()
        await until(lambda: children() not in ([], [stopped]))
        await heard.first(TableAtRest, at_s)
        assert told_s - at_s < RESTART_S
        assert eyes.watching


async def test_an_uncalibrated_table_is_shown_not_watched_until_it_has_a_profile(
    tmp_path: Path,
) -> None:
    async with looking(tmp_path, StillCamera()) as (eyes, heard):
        await until(lambda: eyes.sight.fps_in is not None)
        jpeg, again = await asyncio.gather(eyes.picture(), eyes.picture())
        series = await eyes.series()
        assert jpeg[:2] == b"\xff\xd8"
        assert again == jpeg
        assert series.image.shape == (720, 1280, 3)
        assert len(series.levels) == FRAMES
        assert eyes.sight.reason == UNCALIBRATED
        assert not eyes.watching
        await asyncio.to_thread(write_profile, tmp_path, Table(), Camera.overhead())
        eyes.renew("calibrated anew")
        await heard.first(TableAtRest)
        assert eyes.sight.restarts == 0


async def test_pictures_of_eyes_that_are_gone_are_refused_in_one_line(
    tmp_path: Path,
) -> None:
    eyes = Eyes(b"", lambda _told: None)
    with pytest.raises(Refusal, match="no picture: the eyes are starting"):
        await eyes.picture()
