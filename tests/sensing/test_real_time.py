"""The whole way in real time: light, the node's image, a terminal, the controller's port.

A busy machine makes the emulator late, and everything with it. So the node's share is
measured in the node's own time, and nothing else is: bench/pin_to_event.py does that.
A host that was late asks several things at once, whose answers then go before a report:
so it is the usual report that has to be quick.
"""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest

from calibration.table import Pocket
from controller.events import PocketHealth, PocketReport, PocketState
from controller.pockets.heard import Heard
from controller.pockets.link import PocketLink
from controller.pockets.messages import PieceFell
from controller.pockets.port import PocketPort
from firmware.emulator.emulator import Emulator, Fall

FALLS = 12
APART_US = 120_000
SPEED_MM_S = 1000.0
COIN_MM = 31.8
NODE_US = 4000
"""Of the 5 ms from pin to event: the rest is the host's."""


@pytest.fixture
def running(images: Path) -> Iterator[Emulator]:
    """A node that keeps to the wall clock, on a terminal."""
    with Emulator(images, realtime=True) as emulator:
        yield emulator


class Controller:
    """What a controller hears at the terminal; acknowledges every report."""

    def __init__(self, path: str) -> None:
        self.reports: list[PocketReport] = []
        self.clear, self.all_told = asyncio.Event(), asyncio.Event()
        self._states: dict[Pocket, PocketHealth] = {}
        self.port = PocketPort(path, PocketLink(), self._hear)

    def _hear(self, heard: Heard) -> None:
        if isinstance(heard, PocketState):
            self._states[heard.pocket] = heard.health
            if list(self._states.values()) == [PocketHealth.CLEAR] * len(Pocket):
                self.clear.set()
        if isinstance(heard, PocketReport):
            self.reports.append(heard)
            self.port.acknowledge(heard)
            if len(self.reports) == FALLS:
                self.all_told.set()


async def let_fall(emulator: Emulator) -> list[float]:
    """Coins at an even speed, one pocket after the other; when each has left its beam."""
    whole_us = []
    first_us = await asyncio.to_thread(lambda: emulator.now_us) + APART_US
    for number in range(FALLS):
        at_us = first_us + number * APART_US
        fall = Fall(pocket=number % 4, at_us=at_us, speed_mm_s=SPEED_MM_S, g_mm_s2=0)
        await asyncio.to_thread(emulator.fall, fall)
        whole_us.append(at_us + COIN_MM / SPEED_MM_S * 1e6)
    return whole_us


async def test_every_fall_goes_the_whole_way_in_order_and_the_node_is_quick(
    running: Emulator,
) -> None:
    assert running.port is not None
    controller = Controller(running.port)
    port = asyncio.create_task(controller.port.run())
    await controller.clear.wait()

    whole_us = await let_fall(running)
    await controller.all_told.wait()
    port.cancel()

    assert [report.sequence for report in controller.reports] == list(range(FALLS))
    assert [report.pocket for report in controller.reports] == [*Pocket] * (FALLS // 4)
    sent = [one for one in running.frames() if one.kind == PieceFell.ID]
    first = [next(one for one in sent if one.first_us > us) for us in whole_us]
    took_us = [one.last_us - us for one, us in zip(first, whole_us, strict=True)]
    assert median(took_us) <= NODE_US, took_us
    assert controller.port.health.node_overruns == 0
