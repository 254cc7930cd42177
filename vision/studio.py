"""Pictures the controller asks the eyes for while they watch.

The eyes own the camera and nobody else can open it, so whoever wants to look asks
them: for the newest picture, as a JPEG or exact, or for a short series to calibrate with. Asked for
nothing, this costs nothing. Requests come as words, a line each, on standard input.
"""

from collections.abc import Iterator
from queue import SimpleQueue
from threading import Thread
from typing import BinaryIO

import cv2
import numpy as np

from calibration.series import SeriesMaker
from vision.frames import Frame
from vision.reports import Pictured, Plate, Report, SeriesTaken

PICTURE, PLATE, SERIES = b"picture\n", b"plate\n", b"series\n"
FRAMES = 48
"""Most of a second: long enough for the lamps' flicker to show its beat."""
QUALITY = 80
"""JPEG: 150 kB for 1280 x 720, edges stay where they are."""


class Studio:
    """Answers requests with the frames that pass by."""

    def __init__(self) -> None:
        self._asked: SimpleQueue[bytes] = SimpleQueue()
        self._series: SeriesMaker | None = None

    def listen(self, requests: BinaryIO) -> None:
        """Hear requests in a thread of its own, until the other end closes."""
        Thread(
            target=self._listen, args=(requests,), name="requests", daemon=True
        ).start()

    def ask(self, request: bytes) -> None:
        """Take one request; unknown ones are nobody's and are dropped."""
        self._asked.put(request)

    def look(self, frame: Frame) -> Iterator[Report]:
        """Answer what was asked for, as far as this frame can."""
        wanted = self._wanted()
        if PICTURE in wanted:
            yield Pictured(frame.at_s, _jpeg(frame))
        if PLATE in wanted:
            grey = cv2.cvtColor(frame.image, cv2.COLOR_BGR2GRAY)
            yield Plate(frame.at_s, np.asarray(grey, np.uint8))
        if SERIES in wanted and self._series is None:
            self._series = SeriesMaker()
        if self._series is not None:
            self._series.add(frame.image, frame.at_s)
            if len(self._series) >= FRAMES:
                yield SeriesTaken(self._series.made())
                self._series = None

    def _wanted(self) -> set[bytes]:
        wanted = set()
        while not self._asked.empty():
            wanted.add(self._asked.get_nowait())
        return wanted

    def _listen(self, requests: BinaryIO) -> None:
        for request in requests:
            self.ask(request)


def _jpeg(frame: Frame) -> bytes:
    _, data = cv2.imencode(".jpg", frame.image, (cv2.IMWRITE_JPEG_QUALITY, QUALITY))
    return data.tobytes()
