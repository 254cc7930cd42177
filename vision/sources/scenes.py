"""Scenes of a live simulated table, over a Unix socket, as a camera's frames.

The table lives in a process of its own. Its socket behaves like a camera that
exposes at a fixed rate: asked, it sends the next exposure's scene with its number,
and those nobody asked for in time are lost. The picture is rendered here, in the
eyes process, where a camera's pictures arrive. The socket lies in a folder only its
owner can enter; nothing else may be read this way (scenes travel as pickles).
"""

import pickle
import socket
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from vision.frames import Frame, SourceError, SourceState
from vision.sources.rendered import Renderer
from vision.sources.rendering_scene import Scene

ASK = b"?"
_LENGTH = struct.Struct(">I")


class Exposure(NamedTuple):
    """One scene as the simulated camera saw it; `sequence` counts exposures."""

    sequence: int
    scene: Scene


def pack(exposure: Exposure) -> bytes:
    """The bytes of one exposure on the socket."""
    body = pickle.dumps(exposure, protocol=pickle.HIGHEST_PROTOCOL)
    return _LENGTH.pack(len(body)) + body


class SceneSource:
    """A FrameSource: asks the table for exposures and renders them."""

    state = SourceState()

    def __init__(self, path: Path, renderer: Renderer) -> None:
        """Raises SourceError when no table answers at this socket."""
        self._path = path
        self._renderer = renderer
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self._socket.connect(str(path))
        except OSError as error:
            self._socket.close()
            raise SourceError(
                f"no simulated table at {path} ({error.strerror}): start carrom demo"
            ) from None
        self._stream = self._socket.makefile("rb")

    def frames(self) -> Iterator[Frame]:
        """Render exposures as they come, at their own times and numbers."""
        while True:
            exposure = self._next()
            image = self._renderer.render(exposure.scene, exposure.sequence)
            yield Frame(exposure.scene.at_s, exposure.sequence, image)

    def close(self) -> None:
        """Let go of the socket."""
        self._stream.close()
        self._socket.close()

    def _next(self) -> Exposure:
        try:
            self._socket.sendall(ASK)
            (length,) = _LENGTH.unpack(self._read(_LENGTH.size))
            exposure: Exposure = pickle.loads(self._read(length))
        except OSError as error:
            raise self._gone(error.strerror or "closed") from None
        return exposure

    def _read(self, count: int) -> bytes:
        data = self._stream.read(count)
        if len(data) < count:
            raise self._gone("closed")
        return data

    def _gone(self, why: str) -> SourceError:
        return SourceError(f"the simulated table at {self._path} has gone ({why})")
