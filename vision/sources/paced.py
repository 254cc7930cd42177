"""A recording played as if it were a live camera: at its own pace, on our clock."""

import time
from collections.abc import Iterator
from dataclasses import replace

from vision.frames import Frame, FrameSource, SourceState


class Paced:
    """A FrameSource that delivers another's frames when they are due.

    The first frame is now; every later one keeps its distance in time.
    """

    def __init__(self, source: FrameSource) -> None:
        self._source = source

    @property
    def state(self) -> SourceState:
        """The source's own."""
        return self._source.state

    def frames(self) -> Iterator[Frame]:
        """The source's frames, with times on the host's monotonic clock."""
        offset_s: float | None = None
        for frame in self._source.frames():
            if offset_s is None:
                offset_s = time.monotonic() - frame.at_s
            due_s = frame.at_s + offset_s
            time.sleep(max(due_s - time.monotonic(), 0.0))
            yield replace(frame, at_s=due_s)

    def close(self) -> None:
        """Let go of the recording."""
        self._source.close()
