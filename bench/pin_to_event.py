"""How soon the controller knows: from a beam's change to the event, at real speed.

    python bench/pin_to_event.py [--falls 200]

The Nano's real image runs in the emulator at the speed of the wall clock; coins fall
through its beams; its serial line is a pseudo-terminal that the controller's own
PocketPort has open. A fall can be told when the beam is whole again: the change is
the moment when the piece's end uncovers half of the beam, worked out from its fall.
From there to the call with the event is the figure. It is given in its stages too:

    node      to the first byte of the report: the sensor's filter, in the node's time
    line      to the report's last byte: 500,000 baud, in the node's time
    emulator  by how much the emulator was late to write it to the terminal
    kernel    to the controller's read: terminal, scheduler, event loop
    decode    to the call with the event

Both ends ask for real-time priority, so that other programs' load counts as little as
can be; whether they got it is said. The kernel's own worker that carries a terminal's
bytes has none: on a busy machine it waits for its turn, and `kernel` shows it. So
`without waits` leaves `emulator` and `kernel` out: node, line and decoding. Exit 1 when the p99 is above 5 ms, a fall is not
told or the node's main loop missed a sample.
"""

import argparse
import asyncio
import json
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from falls import Passage

from controller.events import Looks, PocketReport
from controller.pockets.heard import Heard
from controller.pockets.link import PocketLink
from controller.pockets.messages import PieceFell
from controller.pockets.port import PocketPort
from firmware.emulator.emulator import Emulator, Fall, SentFrame, build

GOAL_MS = 5.0
STARTED_S = 4.0
GAP_S = 0.12
AHEAD_US = 30_000
PRIORITY = 10


@dataclass(frozen=True, slots=True)
class Told:
    """One report as the controller met it, seconds of its clock."""

    report: PocketReport
    read_s: float
    event_s: float


class Stopwatch:
    """Takes the time of every report, and acknowledges it."""

    def __init__(self, path: str) -> None:
        self.told: list[Told] = []
        self._read_s = 0.0
        self.port = PocketPort(path, PocketLink(), self._hear, self._clock)

    def _clock(self) -> float:
        """The port asks it as soon as it has read."""
        self._read_s = time.monotonic()
        return self._read_s

    def _hear(self, heard: Heard) -> None:
        now_s = time.monotonic()
        if isinstance(heard, PocketReport):
            self.told.append(Told(heard, self._read_s, now_s))
            self.port.acknowledge(heard)


def hurry(*processes: int) -> bool:
    """Ask for real-time priority; whether it was granted."""
    try:
        for process in processes:
            os.sched_setscheduler(process, os.SCHED_FIFO, os.sched_param(PRIORITY))
    except PermissionError:
        return False
    return True


async def measure(
    emulator: Emulator, falls: int, seed: int
) -> tuple[Stopwatch, list[float], list[SentFrame]]:
    """Let so many coins fall: what was told, when each was through, what was sent."""
    random, whole_us, sent = Random(seed), [], []
    assert emulator.port is not None
    watch = Stopwatch(emulator.port)
    running = asyncio.create_task(watch.port.run())
    await asyncio.sleep(STARTED_S)
    for number in range(falls):
        fall = Fall(
            pocket=number % 4,
            at_us=(time.monotonic() - emulator.began_s) * 1e6 + AHEAD_US,
            speed_mm_s=random.uniform(300, 2500),
        )
        await asyncio.to_thread(emulator.fall, fall)
        whole_us.append(Passage((fall,), Looks.ONE_COIN).whole_us)
        await asyncio.sleep(GAP_S)
        sent += await asyncio.to_thread(emulator.frames)
    await asyncio.sleep(1.0)
    sent += await asyncio.to_thread(emulator.frames)
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    return watch, whole_us, sent


def stages_ms(
    told: Told, whole_us: float, frame: SentFrame, began_s: float
) -> dict[str, float]:
    """One fall's way in its parts, and the whole."""
    due_s = began_s + frame.last_us / 1e6
    whole_s = began_s + whole_us / 1e6
    node_ms = (frame.first_us - whole_us) / 1e3
    line_ms = (frame.last_us - frame.first_us) / 1e3
    decode_ms = (told.event_s - told.read_s) * 1e3
    return {
        "node": node_ms,
        "line": line_ms,
        "emulator": (frame.wall_s - due_s) * 1e3,
        "kernel": (told.read_s - frame.wall_s) * 1e3,
        "decode": decode_ms,
        "without waits": node_ms + line_ms + decode_ms,
        "pin to event": (told.event_s - whole_s) * 1e3,
    }


def carried_by(whole_us: float, sent: list[SentFrame]) -> SentFrame:
    """The frame that told of a fall first."""
    reports = (one for one in sent if one.kind == PieceFell.ID)
    return next(one for one in reports if one.first_us > whole_us)


def share(values: list[float], part: float) -> float:
    """The value that this part of all do not exceed."""
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, int(part * len(ordered)))], 2)


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--falls", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    with Emulator(build(), realtime=True) as emulator:
        hurried = hurry(0, emulator.process_id)
        watch, whole_us, sent = asyncio.run(
            measure(emulator, chosen.falls, chosen.seed)
        )
    parts = [
        stages_ms(told, at_us, carried_by(at_us, sent), emulator.began_s)
        for told, at_us in zip(watch.told, whole_us, strict=False)
    ]
    missed = watch.port.health.node_overruns
    told = {
        "fell": chosen.falls,
        "told": len(watch.told),
        "missed_samples": missed,
        "real_time_priority": hurried,
        "load": os.getloadavg()[0],
        "ms": {
            name: {
                quantile: share([one[name] for one in parts], part)
                for quantile, part in {
                    "p50": 0.5,
                    "p95": 0.95,
                    "p99": 0.99,
                    "max": 1.0,
                }.items()
            }
            for name in parts[0]
        },
    }
    print(json.dumps(told, indent=1))
    late_ms = share([one["pin to event"] for one in parts], 0.99)
    return not (len(parts) == chosen.falls and missed == 0 and late_ms <= GOAL_MS)


if __name__ == "__main__":
    sys.exit(main())
