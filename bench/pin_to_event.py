"""How soon the controller knows: from a beam's change to the event, at real speed.

    python bench/pin_to_event.py [--falls 200] [--usual-priority]

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
bytes has none: on a busy machine it waits for its turn. `bare terminal` shows what that
is worth: another terminal with nothing but a clock at its far end, read by the same
loop in the same seconds (bench/bare_terminal.py). `without waits` leaves `emulator` and
`kernel` out: node, line and decoding. Exit 1 when the p99 is above 5 ms, a fall is not
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

from bare_terminal import BareTerminal, hurry, quantiles
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


@dataclass(frozen=True, slots=True)
class Seen:
    """What was told, when each coin was through, what was sent, and the bare terminal."""

    told: list[Told]
    whole_us: list[float]
    sent: list[SentFrame]
    missed: int
    bare_ms: list[float]


async def measure(emulator: Emulator, falls: int, seed: int, hurried: bool) -> Seen:
    """Let so many coins fall."""
    assert emulator.port is not None
    watch = Stopwatch(emulator.port)
    running = asyncio.create_task(watch.port.run())
    await asyncio.sleep(STARTED_S)
    with BareTerminal() as bare:
        if hurried:
            hurry(bare.process_id)
        whole_us, sent = await let_fall(emulator, falls, Random(seed))
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    missed = watch.port.health.node_overruns
    return Seen(watch.told, whole_us, sent, missed, bare.took_ms)


async def let_fall(
    emulator: Emulator, falls: int, random: Random
) -> tuple[list[float], list[SentFrame]]:
    """One coin after the other: when each was through, and what the node sent."""
    whole_us, sent = [], []
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
    return whole_us, sent


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


def main() -> int:
    """Measure, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--falls", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--usual-priority", action="store_true")
    chosen = parser.parse_args()
    with Emulator(build(), realtime=True) as emulator:
        hurried = not chosen.usual_priority and hurry(0, *emulator.thread_ids)
        seen = asyncio.run(measure(emulator, chosen.falls, chosen.seed, hurried))
    parts = [
        stages_ms(told, at_us, carried_by(at_us, seen.sent), emulator.began_s)
        for told, at_us in zip(seen.told, seen.whole_us, strict=False)
    ]
    told = {
        "fell": chosen.falls,
        "told": len(seen.told),
        "missed_samples": seen.missed,
        "real_time_priority": hurried,
        "load": os.getloadavg()[0],
        "ms": {
            **{name: quantiles([one[name] for one in parts]) for name in parts[0]},
            "bare terminal": quantiles(seen.bare_ms),
        },
    }
    print(json.dumps(told, indent=1))
    late_ms = quantiles([one["pin to event"] for one in parts])["p99"]
    return not (len(parts) == chosen.falls and not seen.missed and late_ms <= GOAL_MS)


if __name__ == "__main__":
    sys.exit(main())
