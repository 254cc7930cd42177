"""Whatever ends the demo, nothing of it is left behind."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE
from pathlib import Path

import pytest

PATIENCE_S = 60.0


def running_in(folder: Path) -> list[int]:
    """Processes that were started with this folder in their command."""
    found = []
    for command in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = command.read_bytes()
        except OSError:
            continue
        if str(folder).encode() in words:
            found.append(int(command.parent.name))
    return found


@pytest.mark.timeout(180)
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGTERM], ids=str)
async def test_no_process_outlives_the_demo(
    tmp_path: Path, end: signal.Signals
) -> None:
    first = str(20000 + os.getpid() % 9000)
    demo = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "controller", "demo", "--no-browser"),
        *("--dir", str(tmp_path), "--port", first),
        stdout=PIPE,
        stderr=DEVNULL,
    )
    assert demo.stdout is not None
    async with asyncio.timeout(PATIENCE_S):
        while b"a match is running" not in await demo.stdout.readline():
            pass
    assert len(running_in(tmp_path)) >= 4
    demo.send_signal(end)
    async with asyncio.timeout(PATIENCE_S):
        while running_in(tmp_path):
            await asyncio.sleep(0.05)
    await demo.wait()
