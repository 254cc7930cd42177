"""A USB camera through V4L2 and OpenCV, held to what was asked of it.

Theory of operation. The camera is opened by its stable name; format, size and rate
are set in the order drivers need (failures V3), read back, and the rate is measured
over the first second: a camera that delivers less than was asked is refused, for
nothing later would tell. Controls are fixed by ioctl (`usb_controls`). Pictures are
taken as the camera sent them and decoded here, so that a torn JPEG is dropped and
counted rather than filled up with grey.

Waiting for a frame is bounded. No frame within `STALL_S`, or a read that fails, is a
loss: said at once in `state.down`, then the camera is opened again by its stable
name, with waits that grow. A driver that never returns from a call cannot be helped
from inside; the controller sees the frames' age and ends the process.

Frame times are the driver's buffer times where they are on the monotonic clock (the
first frames tell), else times of arrival; `state.doubt_s` says how much earlier
the exposure may have been.
"""

import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from vision.frames import Frame, Image, SourceError, SourceState
from vision.setup import CameraSetup
from vision.sources import v4l2
from vision.sources.exposures import Exposures, RateMeter
from vision.sources.holders import held_by
from vision.sources.jpeg import decode
from vision.sources.usb_controls import drifted, fix_controls

log = logging.getLogger(__name__)

STALL_S = 0.5
"""30 periods at 60 Hz; the screens must say so within a second."""
FIRST_FRAME_S = 5.0
"""From starting the stream to the first frame; webcams take up to 2 s."""
LEAST_RATE = 0.9
"""Share of the asked rate that a camera must deliver."""
RECHECK_S = 5.0
"""How often the controls are read back."""
OLDEST_S = 0.5
"""A buffer time further back than this is on another clock."""
FIRST_WAIT_S, LONGEST_WAIT_S = 0.2, 2.0
"""Between attempts to open a lost camera."""


class _Lost(Exception):
    """No more frames come from this opening; says why."""


class UsbSource:
    """A FrameSource over one USB camera by its stable name."""

    def __init__(self, setup: CameraSetup, names: Path = v4l2.NAMES) -> None:
        """Open it; raises SourceError naming what is wrong and what is there."""
        self._setup = setup
        self._names = names
        self._path = v4l2.stable(setup.address, names)
        self._exposures = Exposures(1.0 / setup.rate_hz)
        self._closed = False
        self.state = SourceState()
        self._stream = self._opened()

    def frames(self) -> Iterator[Frame]:
        """Frames for as long as it takes, the camera opened again when it is lost."""
        while not self._closed:
            try:
                yield from self._until_lost()
            except _Lost as lost:
                self._open_again(str(lost))

    def close(self) -> None:
        """Let go of the camera."""
        self._closed = True
        self._stream.release()

    def _until_lost(self) -> Iterator[Frame]:
        stream, damaged = self._stream, 0
        meter = RateMeter()
        checked_s = time.monotonic()
        while not self._closed:
            at_s = stream.wait()
            self._check_rate(meter.measured(at_s))
            number = self._exposures.number(at_s)
            image = stream.picture()
            if image is None:
                damaged += 1
                if damaged == 1 or damaged % 100 == 0:
                    log.warning("%s: damaged pictures so far: %d", self._path, damaged)
                continue
            if self.state.down or self.state.doubt_s != stream.doubt_s:
                self.state = replace(self.state, down=None, doubt_s=stream.doubt_s)
            yield Frame(at_s, number, image)
            if time.monotonic() - checked_s > RECHECK_S:
                checked_s = time.monotonic()
                self._check_controls()

    def _check_rate(self, measured_hz: float | None) -> None:
        asked_hz = self._setup.rate_hz
        if measured_hz is None or measured_hz >= LEAST_RATE * asked_hz:
            return
        raise SourceError(
            f"camera {self._path} delivers {measured_hz:.1f} pictures a second, "
            f"camera.rate_hz is {asked_hz:g}: set {measured_hz:.0f}, a smaller picture, "
            "or a shorter camera.exposure_us"
        )

    def _check_controls(self) -> None:
        try:
            with v4l2.opened(self._path) as device:
                faults = drifted(device, self._setup)
        except (OSError, SourceError):
            return  # it is going away; the next wait says so
        if faults and faults != self.state.faults:
            log.warning("%s: %s", self._path, "; ".join(faults))
            with v4l2.opened(self._path) as device:
                fix_controls(device, self._setup)
        self.state = replace(self.state, faults=faults or self._stream.faults)

    def _open_again(self, reason: str) -> None:
        """Wait for the camera to come back; only `close` ends this."""
        self._say_down(reason)
        wait_s = FIRST_WAIT_S
        self._stream.release()
        while not self._closed:
            time.sleep(wait_s)
            wait_s = min(2 * wait_s, LONGEST_WAIT_S)
            try:
                self._stream = self._opened()
                return
            except SourceError as error:
                self._say_down(str(error))

    def _say_down(self, reason: str) -> None:
        if reason != self.state.down:
            log.warning("no pictures: %s", reason)
        self.state = replace(self.state, down=reason)

    def _opened(self) -> "_Stream":
        v4l2.stable(self._setup.address, self._names)
        stream = _Stream(self._path, self._setup)
        for fault in stream.faults:
            log.warning("%s: %s", self._path, fault)
        self.state = replace(self.state, faults=stream.faults)
        return stream


@dataclass(slots=True)
class _Stream:
    """One opening of the camera."""

    path: Path
    setup: CameraSetup
    faults: tuple[str, ...] = field(default=(), init=False)
    doubt_s: float = field(default=0.0, init=False)
    _capture: cv2.VideoCapture = field(init=False)
    _first: bool = field(default=True, init=False)
    _stamped: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        try:
            with v4l2.opened(self.path) as device:
                device.check_captures()
                self._capture = _open(self.path, self.setup)
                self.faults = fix_controls(device, self.setup)
        except OSError as error:
            raise SourceError(
                f"camera {self.path} does not answer ({error.strerror}): "
                "plug it in again"
            ) from None

    def wait(self) -> float:
        """Wait for the next frame; the middle of its exposure. Raises _Lost."""
        patience_s = FIRST_FRAME_S if self._first else STALL_S
        try:
            due, _ = cv2.VideoCapture.waitAny([self._capture], int(patience_s * 1e9))
            came = due and self._capture.grab()
        except cv2.error:
            came = due = False
        if not came:
            raise _Lost(self._loss(patience_s))
        arrived_s = time.monotonic()
        stamp_s = self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000.0
        if self._first:
            self._first = False
            self._stamped = 0.0 <= arrived_s - stamp_s < OLDEST_S
            self.doubt_s = (1.0 if self._stamped else 2.0) / self.setup.rate_hz
        half_exposed_s = self.setup.exposure_us * 0.5e-6
        return (stamp_s if self._stamped else arrived_s) - half_exposed_s

    def picture(self) -> Image | None:
        """The frame waited for, BGR; None when it is damaged."""
        came, raw = self._capture.retrieve()
        if not came:
            return None
        width, height = self.setup.size_px
        if self.setup.pixels == "MJPG":
            image = decode(np.asarray(raw, np.uint8))
            return (
                None if image is None or image.shape[:2] != (height, width) else image
            )
        if raw.size != height * width * 2:
            return None
        pairs = np.asarray(raw, np.uint8).reshape(height, width, 2)
        return np.asarray(cv2.cvtColor(pairs, cv2.COLOR_YUV2BGR_YUYV), np.uint8)

    def release(self) -> None:
        """Let go of the device."""
        self._capture.release()

    def _loss(self, patience_s: float) -> str:
        if not self.path.exists():
            return f"camera {self.path} was unplugged: plug it in again"
        return (
            f"camera {self.path} stopped ({patience_s:g} s without a picture): "
            "it is opened again; if that repeats, check cable and power"
        )


def _open(path: Path, setup: CameraSetup) -> cv2.VideoCapture:
    """Format, size, rate, in this order, each read back; raises SourceError."""
    capture = cv2.VideoCapture(str(path), cv2.CAP_V4L2)
    if not capture.isOpened():
        raise SourceError(f"camera {path} cannot be opened: {held_by(path)}")
    width, height = setup.size_px
    fourcc = cv2.VideoWriter.fourcc(*setup.pixels)
    for what, value in (
        (cv2.CAP_PROP_FOURCC, fourcc),
        (cv2.CAP_PROP_FRAME_WIDTH, width),
        (cv2.CAP_PROP_FRAME_HEIGHT, height),
        (cv2.CAP_PROP_FPS, setup.rate_hz),
        (cv2.CAP_PROP_CONVERT_RGB, 0),
    ):
        capture.set(what, value)
    read: Callable[[int], int] = lambda what: round(capture.get(what))
    given = (read(cv2.CAP_PROP_FRAME_WIDTH), read(cv2.CAP_PROP_FRAME_HEIGHT))
    sends = _word(read(cv2.CAP_PROP_FOURCC))
    refused = ""
    if sends != setup.pixels:
        refused = f"sends {sends}, camera.pixels is {setup.pixels}: set {sends}"
    elif given != setup.size_px:
        refused = (
            f"gives pictures of {given[0]} x {given[1]}, asked were {width} x {height}: "
            "set camera.width_px and height_px to a size it has (v4l2-ctl --list-formats-ext)"
        )
    if refused:
        capture.release()
        raise SourceError(f"camera {path} {refused}")
    return capture


def _word(fourcc: int) -> str:
    return fourcc.to_bytes(4, "little").decode("latin-1")
