"""Keeps the link to one pocket node up over a serial port.

Everything runs on the controller's asyncio loop: bytes are read when the loop
says that there are some, a short tick notices silence. Whatever goes wrong with
a port - pyserial raises SerialException, a bare OSError or termios.error for the
same pulled plug - means that the link is down: close, tell, open again later.
Only this module knows pyserial.
"""

import asyncio
import contextlib
import errno
import logging
import os
import termios
import time
from collections.abc import Callable
from pathlib import Path

import serial

from controller.events import PocketReport
from controller.pockets.heard import Command, Heard, LinkHealth
from controller.pockets.link import PocketLink

BAUD = 500_000
"""Exact for a 16 MHz ATmega; 115,200 would be 2.1 percent off."""
TICK_S = 0.05
FIRST_WAIT_S = 0.1
LONGEST_WAIT_S = 2.0
PORT_ERRORS = (OSError, termios.error, ValueError)
"""SerialException is an OSError, termios.error is not; pyserial says ValueError for
a port whose driver takes no such speed."""

log = logging.getLogger(__name__)


class PocketPort:
    """One pocket node at one port: opens it, talks, and opens it again.

    `hear` is called on the loop with everything that is heard; a report is to be
    acknowledged (`acknowledge`) once it is safely written down. A port that does
    not exist is no error: its pockets are LOST until it does.
    """

    def __init__(
        self,
        path: str,
        link: PocketLink,
        hear: Callable[[Heard], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._path = path
        self._link = link
        self._hear = hear
        self._clock = clock
        self._port: serial.Serial | None = None
        self._down: asyncio.Future[str] | None = None

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
        """From opening the port to losing it; whether a node was heard at all."""
        try:
            self._port = await asyncio.to_thread(open_port, self._path)
        except PORT_ERRORS as error:
            self._tell(explain(self._path, error))
            return False
        if not self._link.told:
            self._tell(f"waiting for the pocket node at {self._path}")
        better = await asyncio.to_thread(stable_name, self._path)
        log.info("pocket port open: %s, stable name %s", self._path, better or "none")
        self._link.opened()
        reason = await self._talk(self._port)
        was_up = self._link.health.up
        self._close()
        log.info("pocket port down: %s: %s", self._path, reason)
        self._tell(reason)
        return was_up

    async def _talk(self, port: serial.Serial) -> str:
        """Read and write until the port fails; why it did."""
        loop = asyncio.get_running_loop()
        self._down = loop.create_future()
        descriptor = port.fileno()
        loop.add_reader(descriptor, self._readable, descriptor)
        try:
            while not self._down.done():
                self._receive(b"")
                await asyncio.wait([self._down], timeout=TICK_S)
            return self._down.result()
        finally:
            loop.remove_reader(descriptor)

    def _readable(self, descriptor: int) -> None:
        try:
            data = os.read(descriptor, 4096)
        except BlockingIOError:
            return
        except OSError as error:
            self._fail(explain(self._path, error))
            return
        if data:
            self._receive(data)
        else:
            self._fail(f"{self._path} hung up")

    def _receive(self, data: bytes) -> None:
        for heard in self._link.receive(data, self._clock()):
            self._hear(heard)
        self._send()

    def _send(self) -> None:
        """Write what is due; what the port does not take is sent again later."""
        if self._port is None:
            return
        data = self._link.to_send(self._clock())
        if not data:
            return
        try:
            os.write(self._port.fileno(), data)
        except BlockingIOError:
            log.debug("pocket port full: %d bytes dropped", len(data))
        except OSError as error:
            self._fail(explain(self._path, error))

    def _fail(self, reason: str) -> None:
        if self._down is not None and not self._down.done():
            self._down.set_result(reason)

    def _close(self) -> None:
        port, self._port = self._port, None
        if port is not None:
            with contextlib.suppress(*PORT_ERRORS):
                port.reset_output_buffer()
            with contextlib.suppress(*PORT_ERRORS):
                port.close()

    def _tell(self, reason: str) -> None:
        for heard in self._link.closed(self._clock(), reason):
            self._hear(heard)


def next_wait_s(wait_s: float, *, was_up: bool) -> float:
    """How long to wait before opening again, after having waited `wait_s`."""
    return FIRST_WAIT_S if was_up else min(2 * wait_s, LONGEST_WAIT_S)


def open_port(path: str) -> serial.Serial:
    """Open a port for ourselves alone, its old input thrown away.

    Raises one of PORT_ERRORS.
    """
    return serial.Serial(path, BAUD, timeout=0, exclusive=True)


def stable_name(path: str, links: Path = Path("/dev/serial")) -> str | None:
    """A name of this port that stays when ports are renumbered, if there is one.

    by-path first: cheap adapters of one kind share a single by-id name.
    """
    for folder in ("by-path", "by-id"):
        for link in sorted((links / folder).glob("*")):
            if link.resolve() == Path(path).resolve() and str(link) != path:
                return str(link)
    return None


def explain(path: str, error: Exception) -> str:
    """What a failed port needs, in one line."""
    match getattr(error, "errno", None):
        case errno.ENOENT:
            return f"no port {path}: plug the pocket node in or correct the setting"
        case errno.EACCES | errno.EPERM:
            return f"no access to {path}: add this account to the group dialout"
        case errno.EAGAIN | errno.EBUSY:
            return f"{path} is in use by another program: end that one first"
        case _:
            return f"{path} failed: {error}"
