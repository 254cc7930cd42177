"""An open serial port joined to a link, on the asyncio loop.

Bytes are read when the loop says that there are some; a short tick notices silence.
Whatever goes wrong with the port ends the talk with a reason.
"""

import asyncio
import contextlib
import logging
import os
import termios
from collections.abc import Callable

from controller.pockets.heard import Heard
from controller.pockets.link import PocketLink
from controller.pockets.serial_port import PORT_ERRORS, Port, explain

TICK_S = 0.05

log = logging.getLogger(__name__)


class Line:
    """One opening of one port; `hear` is called with everything the link hears."""

    def __init__(
        self,
        path: str,
        port: Port,
        link: PocketLink,
        hear: Callable[[Heard], None],
        clock: Callable[[], float],
    ) -> None:
        self.path = path
        self.port = port
        self._link = link
        self._hear = hear
        self._clock = clock
        self._ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    async def talk(self) -> str:
        """Carry bytes both ways until the port fails or `end` is called; why."""
        loop = asyncio.get_running_loop()
        descriptor = self.port.fileno()
        loop.add_reader(descriptor, self._readable, descriptor)
        try:
            while not self._ended.done():
                self._receive(b"")
                await asyncio.wait([self._ended], timeout=TICK_S)
            return self._ended.result()
        finally:
            loop.remove_reader(descriptor)

    def end(self, reason: str) -> None:
        """Stop talking, for this reason if none came first."""
        if not self._ended.done():
            self._ended.set_result(reason)

    def send(self) -> None:
        """Write what is due; what the port does not take is sent again later."""
        data = self._link.to_send(self._clock())
        if not data or self._ended.done():
            return
        try:
            os.write(self.port.fileno(), data)
        except BlockingIOError:
            log.debug("pocket port full: %d bytes dropped", len(data))
        except OSError as error:
            self.end(explain(self.path, error))

    def close(self) -> None:
        """Let the port go, whatever state it is in."""
        with contextlib.suppress(*PORT_ERRORS):
            termios.tcflush(self.port.fileno(), termios.TCOFLUSH)
        with contextlib.suppress(*PORT_ERRORS):
            self.port.close()

    def _readable(self, descriptor: int) -> None:
        try:
            data = os.read(descriptor, 4096)
        except BlockingIOError:
            return
        except OSError as error:
            self.end(explain(self.path, error))
            return
        if data:
            self._receive(data)
        else:
            self.end(f"{self.path} hung up")

    def _receive(self, data: bytes) -> None:
        for heard in self._link.receive(data, self._clock()):
            self._hear(heard)
        self.send()
