"""What this machine's own pseudo-terminal takes, without node, emulator and controller.

    python bench/bare_terminal.py [--seconds 30] [--usual-priority]

A second process writes the time into one end as often as a node tells of something;
the other end is read on an asyncio loop, as PocketPort does. What lies between is the
kernel's: its worker that carries a terminal's bytes, and the scheduler.
"""

import argparse
import asyncio
import os
import pty
import struct
import subprocess
import sys
import time
import tty
from typing import Self

BYTES = 31
"""Of a report on the line."""
EVERY_S = 0.05
SAID = struct.Struct("<d23x")
PRIORITY = 10


def hurry(*processes: int) -> bool:
    """Ask for real-time priority; whether it was granted."""
    try:
        for process in processes:
            os.sched_setscheduler(process, os.SCHED_FIFO, os.sched_param(PRIORITY))
    except PermissionError:
        return False
    return True


def share(values: list[float], part: float) -> float:
    """The value that this part of all do not exceed."""
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, int(part * len(ordered)))], 2)


def quantiles(values: list[float]) -> dict[str, float]:
    """What is told of some times."""
    parts = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "max": 1.0}
    return {name: share(values, part) for name, part in parts.items()}


class BareTerminal:
    """A terminal with a writer at its other end; collects how long bytes took."""

    def __init__(self) -> None:
        self.took_ms: list[float] = []
        self._held = b""
        far, self._near = pty.openpty()
        tty.setraw(self._near)
        os.set_blocking(self._near, False)
        command = [sys.executable, __file__, "--write-to", str(far)]
        self._writer = subprocess.Popen(command, pass_fds=(far,))
        self.process_id = self._writer.pid
        os.close(far)

    def __enter__(self) -> Self:
        asyncio.get_running_loop().add_reader(self._near, self._read)
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.get_running_loop().remove_reader(self._near)
        self._writer.kill()
        self._writer.wait()
        os.close(self._near)

    def _read(self) -> None:
        self._held += os.read(self._near, 4096)
        now_s = time.monotonic()
        while len(self._held) >= SAID.size:
            (said_s,) = SAID.unpack(self._held[: SAID.size])
            self._held = self._held[SAID.size :]
            self.took_ms.append((now_s - said_s) * 1e3)


def write_to(terminal: int) -> None:
    """Write the time, again and again."""
    while True:
        time.sleep(EVERY_S)
        os.write(terminal, SAID.pack(time.monotonic()))


async def listen(seconds: float, *, hurried: bool) -> list[float]:
    """What a terminal took in so many seconds."""
    with BareTerminal() as terminal:
        if hurried:
            hurry(0, terminal.process_id)
        await asyncio.sleep(seconds)
    return terminal.took_ms


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--usual-priority", action="store_true")
    parser.add_argument("--write-to", type=int, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.write_to is not None:
        write_to(chosen.write_to)
    took_ms = asyncio.run(listen(chosen.seconds, hurried=not chosen.usual_priority))
    print(len(took_ms), "times, ms:", quantiles(took_ms), "load", os.getloadavg()[0])


if __name__ == "__main__":
    main()
