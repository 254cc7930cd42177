"""Keeps the link to one pocket node up over a serial port.

Everything runs on the controller's asyncio loop. Whatever goes wrong with a port
means that the link is down: close, tell, look for the node again a little later.
While the node is there, a port that appears beside it is asked too: a second node
with the same id is told aloud.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from pathlib import Path

from controller.events import PocketReport
from controller.pockets.finding import NotFound, ask, find, same_id
from controller.pockets.heard import (
    Command,
    DeviceRefused,
    DeviceUp,
    Heard,
    LinkHealth,
)
from controller.pockets.line import Line
from controller.pockets.link import PocketLink
from controller.pockets.serial_port import (
    PORT_ERRORS,
    candidates,
    explain,
    is_folder,
    open_port,
    stable_name,
)

WAITING = "waiting for the pocket node at"
FIRST_WAIT_S = 0.1
LONGEST_WAIT_S = 2.0
LOOK_EVERY_S = 1.0
"""How often ports that came while the link is up are looked for."""

log = logging.getLogger(__name__)


class PocketPort:
    """One pocket node: finds it, talks to it, and finds it again.

    `place` is a port, or a folder of ports among which the node is looked for; with an
    id `device` no other node is taken, not at a named port either. `hear` is called on the loop with everything
    that is heard; a report is to be acknowledged (`acknowledge`) once it is safely
    written down. A node that is not there is no error: its pockets are LOST until it
    is.
    """

    def __init__(
        self,
        place: str,
        link: PocketLink,
        hear: Callable[[Heard], None],
        clock: Callable[[], float] = time.monotonic,
        *,
        device: str = "",
    ) -> None:
        self._place = place
        self._link = link
        self._hear = hear
        self._clock = clock
        self._device = device
        self._line: Line | None = None

    @property
    def _asks(self) -> bool:
        """Whether it has to be heard first who is at a port."""
        return self._device != "" or is_folder(self._place)

    @property
    def health(self) -> LinkHealth:
        """State and counters of the link."""
        return self._link.health

    async def run(self) -> None:
        """Keep the link up until cancelled."""
        wait_s = FIRST_WAIT_S
        try:
            while True:
                was_up = await self._session()
                wait_s = next_wait_s(wait_s, was_up=was_up)
                await asyncio.sleep(wait_s)
        finally:
            self._close()

    def acknowledge(self, report: PocketReport) -> None:
        """This report is safely written down: the node may forget it."""
        self._link.acknowledge(report)
        self._send()

    def command(self, command: Command) -> None:
        """Send the node a setting, a self-test or an identity."""
        self._link.command(command)
        self._send()

    async def _session(self) -> bool:
        """From finding the node to losing it; whether it was heard at all."""
        if self._asks:
            self._wait()
        try:
            self._line = line = await self._open()
        except PORT_ERRORS as error:
            self._tell(explain(self._place, error))
            return False
        except NotFound as why:
            self._tell(str(why))
            return False
        self._wait()
        better = await asyncio.to_thread(stable_name, line.path)
        log.info("pocket port open: %s, stable name %s", line.path, better or "none")
        self._link.opened()
        looking = asyncio.create_task(self._look(line))
        try:
            reason = await line.talk()
        finally:
            looking.cancel()
        was_up = self._link.health.up
        self._close()
        log.info("pocket port down: %s: %s", line.path, reason)
        self._tell(reason)
        return was_up

    async def _open(self) -> Line:
        """The open line; raises NotFound or one of PORT_ERRORS."""
        link, hear, clock = self._link, self._hear, self._clock
        if self._asks:
            found = await find(self._place, self._device, clock)
            return Line(found.path, found.port, link, hear, clock)
        port = await asyncio.to_thread(open_port, self._place)
        return Line(self._place, port, link, hear, clock)

    async def _look(self, line: Line) -> None:
        """Ask ports that appear beside ours who they are."""
        known = frozenset(self._others(line))
        while is_folder(self._place):
            await asyncio.sleep(LOOK_EVERY_S)
            there = frozenset(self._others(line))
            for path in sorted(there - known):
                answer = await ask(path, self._clock)
                if answer.line is not None:
                    answer.line.close()
                self._meet(line, path, answer.up)
            known = there

    def _others(self, line: Line) -> set[str]:
        own = Path(line.path).resolve()
        return {p for p in candidates(self._place) if Path(p).resolve() != own}

    def _meet(self, line: Line, path: str, up: DeviceUp | None) -> None:
        if up is not None and up.device == self.health.device:
            reason = same_id(up.device, (line.path, path))
            self._hear(DeviceRefused(self._clock(), reason))

    def _send(self) -> None:
        if self._line is not None:
            self._line.send()

    def _close(self) -> None:
        line, self._line = self._line, None
        if line is not None:
            line.close()

    def _wait(self) -> None:
        """Have it said what is waited for, before anything else was."""
        if not self._link.told:
            self._tell(f"{WAITING} {self._place}")

    def _tell(self, reason: str) -> None:
        for heard in self._link.closed(self._clock(), reason):
            self._hear(heard)


def next_wait_s(wait_s: float, *, was_up: bool) -> float:
    """How long to wait before opening again, after having waited `wait_s`."""
    return FIRST_WAIT_S if was_up else min(2 * wait_s, LONGEST_WAIT_S)
