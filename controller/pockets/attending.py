"""Runs a pocket node for a person at the bench: no match, no journal.

What falls while this runs belongs to the person and is acknowledged. Reports that
were waiting before may belong to a match: as acknowledging covers all earlier ones
too, nothing is acknowledged while such a report waits, and the controller gets them
all. Only who says so (`forget`) has the node forget them.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable, Iterator
from itertools import cycle

from calibration.table import Pocket
from controller.config import PocketSettings
from controller.events import PocketReport
from controller.pockets import messages as wire
from controller.pockets.heard import Command, DeviceUp, Heard, LinkHealth
from controller.pockets.keys import read_key
from controller.pockets.link import PocketLink
from controller.pockets.port import PocketPort

VALUES_EVERY_S = 0.012
"""One channel after the other: each about 20 times a second."""


class Attending:
    """One node while somebody attends to it; `heard` yields what it tells.

    Raises Refusal for a key file that cannot be read.
    """

    def __init__(
        self,
        settings: PocketSettings,
        clock: Callable[[], float] = time.monotonic,
        *,
        forget: bool = False,
    ) -> None:
        key = read_key(settings.key_file) if settings.key_file else None
        link = PocketLink(settings.channels, key=key)
        self._queue: asyncio.Queue[Heard] = asyncio.Queue()
        self._clock = clock
        self._forget = forget
        self._port = PocketPort(
            settings.port, link, self._take, clock, device=settings.device
        )
        self._since_s: float | None = None
        self._channels = 0
        self.kept_for_a_match = 0
        """Reports that fell before and wait for the controller."""

    @property
    def health(self) -> LinkHealth:
        """State and counters of the link."""
        return self._port.health

    def command(self, command: Command) -> None:
        """Have the node do something; the answer comes in `heard`."""
        self._port.command(command)

    async def heard(self, within_s: float) -> Heard | None:
        """The next thing the node tells; None when nothing comes in time."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(within_s):
                return await self._queue.get()
        return None

    async def run(self) -> None:
        """Keep the link up and ask for values until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._port.run())
            tasks.create_task(self._poll())

    async def _poll(self) -> None:
        for number in cycle(range(len(Pocket))):
            await asyncio.sleep(VALUES_EVERY_S)
            health = self.health
            if health.up and health.asked == 0 and number < self._channels:
                self._port.command(wire.ValuesQuery(number))

    def _take(self, heard: Heard) -> None:
        self._queue.put_nowait(heard)
        match heard:
            case DeviceUp(pockets=pockets, at_s=at_s):
                self._channels = pockets
                self._since_s = at_s if self._since_s is None else self._since_s
                for command in settings_of(pockets):
                    self._port.command(command)
            case PocketReport(at_s=at_s, error_s=error_s):
                since_s = self._since_s or 0.0
                older = at_s + error_s < since_s
                self.kept_for_a_match += older and not self._forget
                if self.kept_for_a_match == 0:
                    self._port.acknowledge(heard)
            case _:
                pass


def settings_of(pockets: int) -> Iterator[wire.SettingsQuery]:
    """The questions for all of a node's settings."""
    return (wire.SettingsQuery(number) for number in range(pockets))
