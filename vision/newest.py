"""Frames from a source that waits for nobody: the newest wins, the rest are counted.

A camera's driver keeps old pictures for a slow reader (docs/failures.md, V1), so a thread
of its own drains the source at full rate and keeps one frame. What is skipped is
skipped before detection, never after the tracker.
"""

import logging
from dataclasses import dataclass
from threading import Condition, Thread

from vision.frames import Frame, FrameSource, SourceError, SourceState

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Flow:
    """Frames so far: delivered by the source, taken, and overtaken by newer ones.

    `lost` ones were exposed and never delivered: the gaps in their numbers.
    """

    delivered: int = 0
    taken: int = 0
    skipped: int = 0
    lost: int = 0


class Newest:
    """Drains a source in a thread; `take` gives the newest frame not yet taken."""

    def __init__(self, source: FrameSource) -> None:
        self._source = source
        self._changed = Condition()
        self._frame: Frame | None = None
        self._delivered = 0
        self._taken = 0
        self._last: int | None = None
        self._lost = 0
        self._taken_at_s: float | None = None
        self._gap_s = 0.0
        self._ended: str | None = None
        self.newest_at_s: float | None = None
        """Exposure time of the newest frame, taken or not."""
        Thread(target=self._drain, name="camera", daemon=True).start()

    @property
    def flow(self) -> Flow:
        """The counts now."""
        with self._changed:
            waiting = self._frame is not None
            skipped = self._delivered - self._taken - waiting
            return Flow(self._delivered, self._taken, skipped, self._lost)

    def longest_gap_s(self) -> float:
        """The longest time between two frames taken since this was last asked."""
        gap_s, self._gap_s = self._gap_s, 0.0
        return gap_s

    @property
    def state(self) -> SourceState:
        """How the source does now."""
        return self._source.state

    def take(self, timeout_s: float) -> Frame | None:
        """The newest frame, waiting for one at most so long; None when none came.

        Raises SourceError once the source has failed or ended.
        """
        with self._changed:
            self._changed.wait_for(lambda: self._frame or self._ended, timeout_s)
            frame, self._frame = self._frame, None
            if frame is not None:
                self._taken += 1
                last_s, self._taken_at_s = self._taken_at_s, frame.at_s
                if last_s is not None:
                    self._gap_s = max(self._gap_s, frame.at_s - last_s)
            elif self._ended is not None:
                raise SourceError(self._ended)
            return frame

    def _drain(self) -> None:
        reason = "the camera's pictures have ended"
        try:
            for frame in self._source.frames():
                self._put(frame)
        except SourceError as error:
            reason = str(error)
        except Exception as error:
            log.exception("the camera thread failed")
            reason = f"the camera failed ({error!r}): it is opened again"
        with self._changed:
            self._ended = reason
            self._changed.notify()

    def _put(self, frame: Frame) -> None:
        with self._changed:
            self._frame = frame
            self._delivered += 1
            if self._last is not None:
                self._lost += max(frame.sequence - self._last - 1, 0)
            self._last = frame.sequence
            self.newest_at_s = frame.at_s
            self._changed.notify()
