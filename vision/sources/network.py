"""MJPEG over HTTP, as phones and ESP32 cameras send it: one JPEG after another.

The stream carries no exposure times, so a frame's time is that of its arrival;
`state.doubt_s` says how much earlier it may have been exposed. All that has
arrived is read before anything is decoded, and only the newest picture is: a slow
reader sees fewer pictures, never older ones.
"""

import logging
import select
import socket
import time
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from email.message import Message
from email.parser import HeaderParser
from urllib.parse import urlsplit

from vision.frames import Frame, SourceError, SourceState
from vision.setup import CameraSetup
from vision.sources.jpeg import decode

log = logging.getLogger(__name__)

CONNECT_S = 3.0
STALL_S = 0.5
"""Without a byte for so long the stream is down; screens say so within a second."""
SILENT_S = 2.0
"""Without a byte for so long it is connected anew: phones sleep, routers forget."""
FIRST_WAIT_S, LONGEST_WAIT_S = 0.2, 2.0
ARRIVAL_DOUBT_S = 0.15
"""Phones and ESP32 cameras encode and send for up to 150 ms after the exposure."""
CHUNK_BYTES = 1 << 18
LARGEST_HEAD = 1 << 16
LARGEST_BYTES = 1 << 23
"""A part larger than this is no picture of ours."""


class _Lost(Exception):
    """This connection is over; says why."""


@dataclass(slots=True)
class Parts:
    """Takes a multipart body in any pieces; gives the pictures it completes.

    Parts without a length end at the next boundary. Raises ValueError for what is
    no multipart stream.
    """

    boundary: bytes
    _rest: bytearray = field(default_factory=bytearray, init=False)

    def feed(self, data: bytes) -> list[bytes]:
        """The parts completed by these bytes, in order."""
        self._rest += data
        found: list[bytes] = []
        while (part := self._next()) is not None:
            found.append(part)
        if len(self._rest) > LARGEST_BYTES:
            raise ValueError("the parts are too large for pictures")
        return found

    def _next(self) -> bytes | None:
        start = self._rest.find(self.boundary)
        head_end = -1 if start < 0 else self._rest.find(b"\r\n\r\n", start)
        if head_end < 0:
            return None
        body = head_end + 4
        length = _length(bytes(self._rest[start:head_end]))
        if length is None:
            end = self._rest.find(b"\r\n" + self.boundary, body)
            if end < 0:
                return None
        else:
            end = body + length
            if length > LARGEST_BYTES:
                raise ValueError("the parts are too large for pictures")
            if len(self._rest) < end:
                return None
        part = bytes(self._rest[body:end])
        del self._rest[:end]
        return part


def _length(head: bytes) -> int | None:
    for line in head.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            return int(value)
    return None


class NetworkSource:
    """A FrameSource over one MJPEG stream, connected again whenever it is lost."""

    def __init__(self, setup: CameraSetup) -> None:
        """Connect; raises SourceError when nothing there sends MJPEG."""
        self._setup = setup
        self._url = setup.address
        self._closed = False
        self._sequence = -1
        self.damaged = 0
        """Pictures that arrived torn."""
        self.state = SourceState(doubt_s=ARRIVAL_DOUBT_S)
        self._stream = _Stream(self._url)

    def frames(self) -> Iterator[Frame]:
        """Frames for as long as it takes; overtaken ones leave a gap in sequence."""
        while not self._closed:
            try:
                yield from self._until_lost()
            except _Lost as lost:
                self._connect_again(str(lost))

    def close(self) -> None:
        """Hang up."""
        self._closed = True
        self._stream.close()

    def _until_lost(self) -> Iterator[Frame]:
        silent_s = 0.0
        while not self._closed:
            try:
                parts = self._stream.read()
                silent_s = 0.0
            except TimeoutError:
                silent_s += STALL_S
                self._say_down(f"no picture from {self._url} for {silent_s:g} s")
                if silent_s >= SILENT_S:
                    raise _Lost(f"{self._url} is silent") from None
                continue
            if parts:
                at_s = time.monotonic()
                self._sequence += len(parts)
                yield from self._frame(at_s, parts[-1])

    def _frame(self, at_s: float, part: bytes) -> Iterator[Frame]:
        image = decode(part)
        if image is None:
            self.damaged += 1
            return
        height, width = image.shape[:2]
        if (width, height) != self._setup.size_px:
            raise SourceError(
                f"{self._url} sends pictures of {width} x {height}: set "
                f"camera.width_px = {width} and height_px = {height}, or the camera's "
                "own size to what the calibration is for"
            )
        if self.state.down:
            self.state = replace(self.state, down=None)
        yield Frame(at_s, self._sequence, image)

    def _connect_again(self, reason: str) -> None:
        self._say_down(reason)
        self._stream.close()
        wait_s = FIRST_WAIT_S
        while not self._closed:
            time.sleep(wait_s)
            wait_s = min(2 * wait_s, LONGEST_WAIT_S)
            try:
                self._stream = _Stream(self._url)
                return
            except SourceError as error:
                self._say_down(str(error))

    def _say_down(self, reason: str) -> None:
        if self.state.down is None:
            log.warning("no pictures: %s", reason)
        self.state = replace(self.state, down=reason)


class _Stream:
    """One connection, from its header on."""

    def __init__(self, url: str) -> None:
        """Ask for the stream; raises SourceError for anything but MJPEG.

        By HTTP/1.0, under which no server may cut the answer into chunks.
        """
        self._url = url
        at = urlsplit(url)
        path = f"{at.path or '/'}?{at.query}" if at.query else at.path or "/"
        ask = f"GET {path} HTTP/1.0\r\nHost: {at.netloc}\r\n\r\n"
        try:
            place = (at.hostname or "", at.port or 80)
            self._socket = socket.create_connection(place, CONNECT_S)
            self._socket.sendall(ask.encode())
            status, head, body = self._head()
        except (OSError, ValueError) as error:
            self.close()
            why = getattr(error, "strerror", None) or str(error) or "no answer"
            raise SourceError(
                f"no camera answers at {url} ({why}): start its stream, "
                "or correct camera.url"
            ) from None
        if refused := _refused(url, status, head):
            self.close()
            raise SourceError(
                f"{refused}: set camera.url to the MJPEG stream's address"
            )
        name = str(head.get_param("boundary")).strip('"').removeprefix("--")
        self._parts = Parts(b"--" + name.encode())
        self._first = body
        self._socket.settimeout(STALL_S)

    def read(self) -> list[bytes]:
        """All parts that have arrived, waiting for the first bytes of them.

        Raises TimeoutError, or _Lost at the stream's end.
        """
        data, self._first = self._first, b""
        parts: list[bytes] = []
        try:
            taken = len(data := data or self._socket.recv(CHUNK_BYTES))
            parts += self._parts.feed(data)
            while data and taken < LARGEST_BYTES and _readable(self._socket):
                taken += len(data := self._socket.recv(CHUNK_BYTES))
                parts += self._parts.feed(data)
        except TimeoutError:
            raise
        except (OSError, ValueError) as error:
            raise _Lost(f"{self._url} was lost ({error})") from None
        if not data and not parts:
            raise _Lost(f"{self._url} ended its stream")
        return parts

    def close(self) -> None:
        """Hang up."""
        if hasattr(self, "_socket"):
            self._socket.close()

    def _head(self) -> tuple[str, Message, bytes]:
        """Status, header and the first of the body. Raises OSError, ValueError."""
        data = b""
        while b"\r\n\r\n" not in data:
            more = self._socket.recv(4096)
            if not more or len(data) > LARGEST_HEAD:
                raise ValueError("it speaks no HTTP")
            data += more
        head, body = data.split(b"\r\n\r\n", 1)
        line, _, fields = head.decode("latin-1").partition("\r\n")
        version, _, status = line.partition(" ")
        if not version.startswith("HTTP/"):
            raise ValueError("it speaks no HTTP")
        return status, HeaderParser().parsestr(fields), body


def _readable(link: socket.socket) -> bool:
    return bool(select.select([link], [], [], 0)[0])


def _refused(url: str, status: str, head: Message) -> str | None:
    """Why this answer is no stream of pictures; None when it is one."""
    kind = head.get_content_type()
    if not status.startswith("200"):
        return f"{url} answers {status}"
    if kind == "image/jpeg":
        return f"{url} gives one picture, not a stream"
    if kind != "multipart/x-mixed-replace" or not head.get_param("boundary"):
        return f"{url} sends {kind}, not MJPEG"
    return None
