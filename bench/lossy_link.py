"""Ten simulated minutes on a cable that damages one byte in twenty and is pulled.

    python bench/lossy_link.py [--node core|image|simulated] [--minutes 10] [--seed 1]

`core` is firmware/src/link.c compiled for this machine, `image` the Nano's real image
in the emulator with pieces falling through its beams. Bytes are damaged, lost and
added both ways; every minute the cable is out for 10 s; in the third of these 50
pieces fall, and a node keeps 32. The host is the real one. Ends with what fell
and what was told, exit 1 when anything is lost, doubled or dropped uncounted.
"""

import argparse
import json
import sys
import time
from itertools import pairwise
from pathlib import Path
from random import Random

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "firmware/tests")]

from bad_cable import EVERY_S, PULLED_S, Cable
from compiled_node import CompiledNode

from calibration.table import Pocket
from controller.events import PocketReport
from controller.pockets.heard import DeviceFault, ReportsLost
from controller.pockets.link import PocketLink
from controller.pockets.messages import FaultKind
from controller.pockets.simulated import SimulatedNode
from firmware.emulator.emulator import Emulator, Fall, build

STEP_S = 0.005
STARTED_S = 3.0
"""Until then a node is left to start, as a player would."""
SETTLED_S = 20.0
LEAST_GAP_S = 0.15
STORM, STORM_GAP_S = 2, 0.2
"""In this pull, counted from 0, pieces fall so close that the node cannot keep all."""


class EmulatedNode:
    """The real image, as a node that is stepped by time."""

    def __init__(self, emulator: Emulator) -> None:
        self._emulator = emulator

    def pulse(self, pocket: Pocket, at_s: float, _width_us: int = 0) -> None:
        """Let a coin fall; it breaks the beam some hundredths of a second later."""
        channel = list(Pocket).index(pocket)
        self._emulator.fall(Fall(pocket=channel, at_us=at_s * 1e6 + 10_000))

    def receive(self, data: bytes, _at_s: float) -> None:
        self._emulator.send(data)

    def poll(self, at_s: float) -> bytes:
        return self._emulator.run_to(at_s * 1e6)


def falls(random: Random, end_s: float) -> dict[int, Pocket]:
    """When pieces fall, in steps, and where."""
    planned, at_s = {}, STARTED_S
    while at_s < end_s:
        turn, of_turn_s = divmod(at_s, EVERY_S)
        storm = int(turn) == STORM and of_turn_s > EVERY_S - PULLED_S
        planned[round(at_s / STEP_S)] = random.choice(list(Pocket))
        wait_s = STORM_GAP_S if storm else LEAST_GAP_S + random.expovariate(1 / 1.35)
        at_s += wait_s
    return planned


def play(cable: Cable, planned: dict[int, Pocket], end_s: float) -> None:
    """Let it all happen."""
    cable.link.opened()
    for step in range(round((end_s + SETTLED_S) / STEP_S)):
        at_s = step * STEP_S
        away = at_s < end_s and at_s % EVERY_S > EVERY_S - PULLED_S
        cable.plug(plugged=not away, at_s=at_s)
        if step in planned:
            cable.node.pulse(planned[step], at_s, 5000)
        cable.carry(at_s)


def result(cable: Cable, fallen: int) -> dict[str, object]:
    """What came of it."""
    told = [one.sequence for one in cable.heard if isinstance(one, PocketReport)]
    gaps = [one for one in cable.heard if isinstance(one, ReportsLost)]
    gone = [one.first + n for one in gaps for n in range(one.count)]
    faults = [
        one.detail
        for one in cable.heard
        if isinstance(one, DeviceFault) and one.kind is FaultKind.OVERFLOW
    ]
    health = cable.link.health
    return {
        "fell": fallen,
        "told": len(told),
        "told_twice_or_out_of_order": sum(b <= a for a, b in pairwise(told)),
        "dropped_and_counted": faults[-1] if faults else 0,
        "said_to_be_lost": len(gone),
        "neither_told_nor_counted": fallen - len(told) - len(gone),
        "all_numbers_accounted_for": sorted(told + gone) == list(range(fallen)),
        "frames": health.frames,
        "damaged_here": health.damaged,
        "damaged_at_the_node": health.node_damaged,
        "sent_again": health.node_resent,
        "unplugged": health.closed,
    }


def main() -> int:
    """Play, print, judge."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--node", choices=("core", "image", "simulated"), default="core"
    )
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    random, end_s = Random(chosen.seed), chosen.minutes * 60
    node: object
    match chosen.node:
        case "core":
            node = CompiledNode(drift=0.004)
        case "simulated":
            node = SimulatedNode(drift=0.004)
        case _:
            node = EmulatedNode(Emulator(build()))
    planned = falls(random, end_s)
    cable = Cable(node, PocketLink(), random, damaged=0.05)
    began_s = time.perf_counter()
    play(cable, planned, end_s)
    told = result(cable, len(planned))
    told["took_s"] = round(time.perf_counter() - began_s, 1)
    print(
        json.dumps({"node": chosen.node, "minutes": chosen.minutes, **told}, indent=1)
    )
    counted = told["dropped_and_counted"] == told["said_to_be_lost"]
    return not (told["all_numbers_accounted_for"] and counted)


if __name__ == "__main__":
    sys.exit(main())
