"""Starts the eyes process, hears what it sees, and starts it again when it dies.

Theory of operation. A camera call may hang for ever, crash or be killed by the
kernel, so camera and vision live in a process of their own that is trusted with
nothing: all that counts is the age of the newest frame, on the host's monotonic
clock. Older than `WARN_S`, the session hears NotWatching, which is loud on every
screen; older than `RESTART_S`, the process is killed and a fresh one started
(reopening a camera within a process is unreliable: docs/failures.md, C1). A process
that has just started may take `WARM_S` to get ready and `START_S` for its first frame. Restarts back off from
`FIRST_WAIT_S` to `LONGEST_WAIT_S` and begin small again after a minute of good
sight; they never end. Three in ten minutes point at the cable (C2).

Pictures that come, but too far apart, are still sight; that a stroke may go unseen
between them is a fault (`eyes_late`).
"""

import asyncio
import logging
import os
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from calibration.series import Series
from controller import processes
from controller.eyes_late import Lateness
from controller.eyes_pictures import Requests
from vision.picture_report import PictureHealth
from vision.reports import (
    LENGTH_BYTES,
    Beat,
    Failed,
    Measured,
    Opened,
    Pictured,
    Plate,
    Positions,
    Report,
    Seen,
    SeriesTaken,
    Warming,
    length,
    unpack,
)
from vision.setup import SETUP, Setup
from vision.sightings import NotWatching, Observation, WatchingAgain
from vision.studio import PICTURE, PLATE, SERIES

log = logging.getLogger(__name__)

WARN_S = 1.0
RESTART_S = 3.0
START_S = 20.0
"""From opening the camera to its first frame."""
WARM_S = 300.0
"""Compiling all kernels on a new machine: 40 s on a busy PC, minutes on a Pi."""
FIRST_WAIT_S = 0.2
LONGEST_WAIT_S = 10.0
CHECK_S = 0.1
PICTURE_S = 3.0
SERIES_S = 15.0
"""A picture, and 48 of them at five a second, with time to spare."""
OFTEN = 3
OFTEN_WITHIN_S = 600.0

Told = Observation | Positions


@dataclass(frozen=True, slots=True)
class Sight:
    """How well the eyes see, for the health topic. Rates are per second."""

    frame_age_s: float | None
    fps_in: float | None
    fps_processed: float | None
    fps_skipped: float | None
    frames_lost: int | None
    """Exposed and never delivered since the eyes process started."""
    doubt_s: float | None
    """How much earlier than told a frame may have been exposed."""
    faults: tuple[str, ...]
    """What is wrong with camera or pictures though they come."""
    picture: PictureHealth | None
    restarts: int
    watching: bool
    reason: str


class Eyes:
    """The eyes as the controller knows them: what they tell, and how fresh it is."""

    def __init__(
        self, setup: Callable[[], Setup], tell: Callable[[Told], None]
    ) -> None:
        """`setup` says at each start what the eyes are told; `tell` gets what is seen."""
        self._setup = setup
        self._requests = Requests()
        self._renewal = ""
        self._tell = tell
        self._beats: deque[tuple[float, Beat]] = deque(maxlen=12)
        self._late = Lateness()
        self._starts: deque[float] = deque(maxlen=OFTEN + 1)
        self._frame_at_s: float | None = None
        self._down: str | None = None
        self._picture: PictureHealth | None = None
        self._first_limit_s = WARM_S
        self._since_s = time.monotonic()
        self._watching = True
        self._reason = ""
        self._blind: str | None = None

    @property
    def watching(self) -> bool:
        """Whether pictures are fresh and show the table."""
        fresh = self._watching and self._frame_at_s is not None
        return fresh and self._blind is None

    @property
    def sight(self) -> Sight:
        """The numbers as they are now."""
        now_s = time.monotonic()
        rates = _rates(self._beats)
        age_s = None if self._frame_at_s is None else now_s - self._frame_at_s
        beat = self._beats[-1][1] if self._beats else None
        return Sight(
            frame_age_s=age_s,
            fps_in=rates[0],
            fps_processed=rates[1],
            fps_skipped=rates[2],
            frames_lost=None if beat is None else beat.lost,
            doubt_s=None if beat is None else beat.camera.doubt_s,
            faults=(
                *(() if beat is None else beat.camera.faults),
                *(() if self._picture is None else self._picture.problems),
                *self._late.faults(now_s),
            ),
            picture=self._picture,
            restarts=max(0, len(self._starts) - 1),
            watching=self.watching,
            reason=self._reason or self._blind or "",
        )

    async def picture(self) -> bytes:
        """The newest picture as JPEG; raises Refusal when none comes."""
        report = await self._requests.ask(PICTURE, PICTURE_S, self._reason)
        assert isinstance(report, Pictured)
        return report.jpeg

    async def plate(self) -> Plate:
        """The newest picture, exact, in grey levels; Refusal when none comes."""
        report = await self._requests.ask(PLATE, PICTURE_S, self._reason)
        assert isinstance(report, Plate)
        return report

    async def series(self) -> Series:
        """A short series of pictures to calibrate with; Refusal when none comes."""
        report = await self._requests.ask(SERIES, SERIES_S, self._reason)
        assert isinstance(report, SeriesTaken)
        return report.series

    def renew(self, why: str) -> None:
        """Start the eyes again with the profile as it now is; the gap is told."""
        self._renewal = why

    async def run(self) -> None:
        """Keep an eyes process going until cancelled; then end it."""
        self._lose_sight(
            "the eyes are starting; the first time that takes a minute or two"
        )
        wait_s = FIRST_WAIT_S
        while True:
            began_s = time.monotonic()
            reason = await self._one_life()
            if self._renewal:
                self._starts.clear()
                self._lose_sight(self._renewal)
                self._renewal = ""
                continue
            lived_s = time.monotonic() - began_s
            wait_s = FIRST_WAIT_S if lived_s > 60 else min(wait_s * 2, LONGEST_WAIT_S)
            self._lose_sight(self._often() or reason)
            log.warning("eyes ended: %s; again in %.1f s", reason, wait_s)
            await asyncio.sleep(wait_s)

    async def _one_life(self) -> str:
        """Start the process and hear it to its end; why it ended."""
        self._starts.append(time.monotonic())
        self._since_s = time.monotonic()
        self._beats.clear()
        self._late = Lateness()
        self._frame_at_s = self._down = self._picture = self._blind = None
        self._first_limit_s = WARM_S
        child, reader, transport = await self._start()
        assert child.stdin is not None
        self._requests.open(child.stdin)
        hearing = asyncio.create_task(self._hear(reader))
        try:
            return await self._watch_over(hearing)
        finally:
            self._requests.close(self._reason)
            hearing.cancel()
            transport.close()
            await processes.stop(child, patience_s=0.5)

    async def _start(
        self,
    ) -> tuple[Process, asyncio.StreamReader, asyncio.BaseTransport]:
        ours, theirs = os.pipe()
        child = await processes.start(
            [sys.executable, "-m", "vision.eyes", str(theirs)],
            pass_fds=(theirs,),
            stdin=PIPE,
        )
        os.close(theirs)
        assert child.stdin is not None
        child.stdin.write(SETUP.dump_json(self._setup()) + b"\n")
        reader = asyncio.StreamReader(limit=2**20)
        transport, _ = await asyncio.get_running_loop().connect_read_pipe(
            lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(ours, "rb")
        )
        return child, reader, transport

    async def _watch_over(self, hearing: "asyncio.Task[str]") -> str:
        """Look at the frames' age until the process ends or has to be ended."""
        while True:
            done, _ = await asyncio.wait((hearing,), timeout=CHECK_S)
            if done:
                return hearing.result()
            if self._renewal:
                return self._renewal
            newest_s = self._frame_at_s
            limit_s = self._first_limit_s if newest_s is None else RESTART_S
            age_s = time.monotonic() - (newest_s or self._since_s)
            if age_s > limit_s:
                return self._down or f"no picture for {age_s:.1f} s"
            if newest_s is not None and (self._down or age_s > WARN_S):
                self._lose_sight(self._down or f"no picture for {age_s:.1f} s")
            elif newest_s is not None and self._blind is None:
                self._regain_sight(newest_s)

    async def _hear(self, reader: asyncio.StreamReader) -> str:
        """Pass on what the process says until it says no more; why that was."""
        while True:
            try:
                head = await reader.readexactly(LENGTH_BYTES)
                report = unpack(await reader.readexactly(length(head)))
            except asyncio.IncompleteReadError:
                return "the eyes process died"
            if isinstance(report, Failed):
                return report.reason
            self._take(report)

    def _take(self, report: Report) -> None:
        match report:
            case Seen(observation):
                self._see(observation)
            case Positions():
                self._tell(report)
            case Warming():
                self._reason = "the eyes are getting ready"
            case Opened():
                self._since_s = time.monotonic()
                self._first_limit_s = START_S
            case Measured(health):
                self._picture = health
            case Pictured():
                self._requests.answer(PICTURE, report)
            case Plate():
                self._requests.answer(PLATE, report)
            case SeriesTaken():
                self._requests.answer(SERIES, report)
            case Beat():
                now_s = time.monotonic()
                self._beats.append((now_s, report))
                self._late.note(now_s, report.gap_s)
                self._frame_at_s = report.frame_at_s
                self._down = report.camera.down

    def _see(self, observation: Observation) -> None:
        """Pass on what was seen; fresh pictures that show no table are no sight."""
        match observation:
            case NotWatching(reason=reason):
                self._blind = reason
            case WatchingAgain():
                self._blind = None
            case _:
                pass
        self._tell(observation)

    def _lose_sight(self, reason: str) -> None:
        """Nothing is seen any more: not since the newest picture."""
        self._reason = reason
        if self._watching:
            self._watching = False
            log.info("not watching: %s", reason)
            self._tell(NotWatching(self._frame_at_s or time.monotonic(), reason))

    def _regain_sight(self, at_s: float) -> None:
        if not self._watching:
            self._watching = True
            self._reason = ""
            log.info("watching again")
            self._tell(WatchingAgain(at_s))

    def _often(self) -> str | None:
        """A hint when the process was started too often lately."""
        starts = self._starts
        if len(starts) <= OFTEN or starts[-1] - starts[0] > OFTEN_WITHIN_S:
            return None
        return "the eyes keep dying: check the camera's cable and power"


def _rates(
    beats: deque[tuple[float, Beat]],
) -> tuple[float | None, float | None, float | None]:
    """Frames delivered, processed and skipped per second over the last beats."""
    if len(beats) < 2:
        return None, None, None
    (from_s, first), (to_s, last) = beats[0], beats[-1]
    span_s = max(to_s - from_s, 1e-6)
    return (
        (last.delivered - first.delivered) / span_s,
        (last.processed - first.processed) / span_s,
        (last.skipped - first.skipped) / span_s,
    )
