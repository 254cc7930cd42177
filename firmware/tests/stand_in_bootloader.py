"""A board whose boot loader speaks STK500 version 1, at the end of a pseudo-terminal.

It stands in for Optiboot on a Nano: avrdude writes and reads a memory of 32 KB
through it. A pseudo-terminal has no DTR that could reset it: a boot loader's hail at
its speed does. After leaving it, or without it, the given node answers at 500,000 baud.
"""

import contextlib
import os
import pty
import select
import termios
import threading
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Protocol, Self

PAGE = 128
FLASH = 32 * 1024
ATMEGA328P = b"\x1e\x95\x0f"
OK, IN_SYNC, END = b"\x10", b"\x14", 0x20
HAIL = b"0 "
SPEEDS = {57600: termios.B57600, 115200: termios.B115200}
OSPEED = 5
STEP_S = 0.004


class Node(Protocol):
    """What runs when the boot loader does not."""

    def receive(self, data: bytes, at_s: float) -> None: ...
    def poll(self, at_s: float) -> bytes: ...
    def reset(self, at_s: float) -> None: ...


class StandIn:
    """One board; `flash` is what is in its memory.

    `wears` spoils each page as it is written, as worn memory would.
    """

    def __init__(
        self,
        node: Node,
        clock: Callable[[], float],
        *,
        baud: int = 115200,
        signature: bytes = ATMEGA328P,
        wears: bool = False,
    ) -> None:
        self.flash = bytearray(b"\xff" * FLASH)
        self._node, self._clock = node, clock
        self._speed, self._signature, self._wears = SPEEDS[baud], signature, wears
        self._loading = False
        self._partial = b""
        self._at = 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="stand-in")
        self.path = ""

    def __enter__(self) -> Self:
        self._far, self._near = pty.openpty()
        tty.setraw(self._near)
        self.path = os.ttyname(self._near)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        os.close(self._far)
        os.close(self._near)

    def named(self, link: Path) -> Path:
        """Give its port a name, as udev would."""
        link.symlink_to(self.path)
        return link

    def _serve(self) -> None:
        while not self._stop.is_set():
            ready, _, _ = select.select([self._far], [], [], STEP_S)
            data = os.read(self._far, 4096) if ready else b""
            self._step(data)

    def _step(self, data: bytes) -> None:
        speed = termios.tcgetattr(self._near)[OSPEED]
        if speed == self._speed and HAIL in data:
            self._loading = True
        if self._loading:
            self._partial += data
            while self._partial and (answer := self._command()) is not None:
                os.write(self._far, answer)
        elif speed == termios.B500000:
            self._node.receive(data, self._clock())
            if out := self._node.poll(self._clock()):
                with contextlib.suppress(BlockingIOError):
                    os.write(self._far, out)

    def _command(self) -> bytes | None:
        """The answer to the first whole command; None while it is not whole."""
        data = self._partial
        size = self._size(data)
        if size is None or len(data) < size:
            return None
        command, self._partial = data[:size], data[size:]
        if command[-1] != END:
            return b"\x15"
        return IN_SYNC + self._done(command) + OK

    def _size(self, data: bytes) -> int | None:
        """How many bytes the command has, as far as can be told."""
        fixed = {0x41: 3, 0x42: 22, 0x45: 7, 0x55: 4, 0x56: 6, 0x74: 5}
        if data[0] != 0x64:
            return fixed.get(data[0], 2)
        return None if len(data) < 4 else 5 + int.from_bytes(data[1:3], "big")

    def _done(self, command: bytes) -> bytes:
        match command[0]:
            case 0x41:
                return b"\x03"
            case 0x55:
                self._at = 2 * int.from_bytes(command[1:3], "little")
            case 0x56:
                return b"\x00"
            case 0x64:
                page = command[4:-1]
                worn = bytes([page[0] ^ 0x10]) + page[1:] if self._wears else page
                self.flash[self._at : self._at + len(page)] = worn
            case 0x74:
                size = int.from_bytes(command[1:3], "big")
                return bytes(self.flash[self._at : self._at + size])
            case 0x75:
                return self._signature
            case 0x51:
                self._loading = False
                self._node.reset(self._clock())
        return b""
