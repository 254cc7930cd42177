"""A camera call that never returns: the controller replaces the eyes process (C2)."""

import asyncio
import os
import time
from pathlib import Path

import pytest

from calibration.table import Table
from controller.eyes import RESTART_S, Eyes, Told
from controller.simulator.calibrated import write_profile
from vision.setup import CameraSetup, Setup
from vision.sightings import NotWatching, WatchingAgain
from vision.sources.rendering_camera import Camera

STANDIN = Path(__file__).parent / "standin"
LONG_S = 60.0


@pytest.mark.slow
async def test_a_call_that_hangs_ends_the_eyes_and_fresh_ones_see_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hang = tmp_path / "hang"
    monkeypatch.setenv("PICAMERA2_HANG", str(hang))
    path = os.pathsep.join([str(STANDIN), os.environ.get("PYTHONPATH", "")])
    monkeypatch.setenv("PYTHONPATH", path)
    camera = CameraSetup(
        source="picamera2",
        address="0",
        size_px=(1280, 720),
        rate_hz=10.0,
        exposure_us=1000,
        gain=4.0,
        colour_gains=(1.9, 1.6),
        pixels="YUV420",
    )
    profile = await asyncio.to_thread(
        write_profile, tmp_path, Table(), Camera.overhead()
    )
    told: list[tuple[float, Told]] = []
    eyes = Eyes(
        lambda: Setup(camera=camera, profile=profile),
        lambda what: told.append((time.monotonic(), what)),
    )
    running = asyncio.create_task(eyes.run())

    async def first(kind: type, after_s: float) -> float:
        async with asyncio.timeout(LONG_S):
            while True:
                for at_s, what in told:
                    if isinstance(what, kind) and at_s > after_s:
                        return at_s
                await asyncio.sleep(0.02)

    try:
        await first(WatchingAgain, 0.0)
        hung_s = time.monotonic()
        hang.touch()
        told_s = await first(NotWatching, hung_s)
        assert told_s - hung_s < RESTART_S
        while eyes.sight.restarts == 0:
            await asyncio.sleep(0.02)
        hang.unlink()
        await first(WatchingAgain, told_s)
        assert eyes.sight.faults == ()
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
