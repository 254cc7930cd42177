"""A Raspberry Pi camera through picamera2, every value of it fixed and checked.

Theory of operation. The camera is configured once per process (re-configuring leaks
memory, failures C8) for YUV: a picture's luma and chroma are views of the driver's
buffer, converted to BGR in one pass, and the buffer goes back at once. Exposure, gain and frame duration are fixed; so is white balance, at the
configured gains or at what the camera's own balance has found after `BALANCE_S`.
Each frame's metadata is compared with what was asked (C7): versions of
libcamera have ignored controls, and a control that drifts is told while it does.

A frame's time is its sensor's (C3, C5), moved to the middle of the exposure; lost
frames show as gaps of that time (C4). A call that never returns (C2) cannot be
noticed in here: the controller sees the frames' age and ends this process.
"""

import logging
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Frame, Image, SourceError, SourceState
from vision.setup import CameraSetup
from vision.sources.exposures import Exposures, RateMeter
from vision.sources.holders import held_by

log = logging.getLogger(__name__)

BUFFERS = 6
"""libcamera needs a few in flight; more would only hold older pictures."""
SETTLE_FRAMES = 12
"""Controls reach the sensor within so many frames; metadata is judged after."""
DRIFT_FRAMES = 3
BALANCE_S = 2.0
"""The Pi's automatic white balance has settled after this, from its cold start."""
LEAST_RATE = 0.9
LOST_S = 1.0
"""A sensor time further back than this is on another clock."""
TO_BGR = {"YUV420": cv2.COLOR_YUV2BGR_I420, "NV12": cv2.COLOR_YUV2BGR_NV12}

Metadata = Mapping[str, object]
Controls = dict[str, object]


class Request(Protocol):
    """What picamera2's CompletedRequest has that is used here."""

    def get_metadata(self) -> Metadata:
        """The frame's own values."""
        ...

    def release(self) -> None:
        """Give the buffers back."""
        ...


class Camera(Protocol):
    """What Picamera2 has that is used here, under its own names."""

    camera_controls: Mapping[str, object]

    def create_video_configuration(
        self, *, main: Controls, controls: Controls, buffer_count: int, queue: bool
    ) -> Mapping[str, object]:
        """A configuration to pass to `configure`."""
        ...

    def configure(self, camera_config: Mapping[str, object]) -> object:
        """Set the camera up; it may change what was asked."""
        ...

    def camera_configuration(self) -> Mapping[str, Mapping[str, object]]:
        """What the camera is set up to deliver."""
        ...

    def start(self) -> None:
        """Begin to deliver."""
        ...

    def capture_request(self) -> Request:
        """Wait for the next frame."""
        ...

    def set_controls(self, controls: Controls) -> None:
        """Change controls from the next frames on."""
        ...

    def stop(self) -> None:
        """Deliver no more."""
        ...

    def close(self) -> None:
        """Let go of the camera."""
        ...


class PicameraSource:
    """A FrameSource over one camera of a Raspberry Pi."""

    def __init__(self, setup: CameraSetup, camera: Camera | None = None) -> None:
        """Open, configure and start; raises SourceError naming what is wrong.

        `camera` stands in for an opened Picamera2.
        """
        self._setup = setup
        self._fixed = _Fixed(setup)
        self._exposures = Exposures(1.0 / setup.rate_hz)
        self._closed = False
        self._clock: int | None = None
        self.state = SourceState()
        self._camera = camera if camera is not None else _camera(int(setup.address))
        self._layout = _configured(self._camera, setup, self._fixed.controls)
        self._camera.start()

    def frames(self) -> Iterator[Frame]:
        """Frames until closed; raises SourceError when the camera gives too few."""
        meter = RateMeter()
        while not self._closed:
            image, metadata, arrived_s = self._next()
            at_s = self._time_of(metadata, arrived_s)
            self._check_rate(meter.measured(at_s))
            number = self._exposures.number(at_s)
            self._check(metadata, at_s)
            yield Frame(at_s, number, image)

    def close(self) -> None:
        """Stop the camera and let go of it; safe to call twice."""
        if not self._closed:
            self._closed = True
            self._camera.stop()
            self._camera.close()

    def _next(self) -> tuple[Image, Metadata, float]:
        """One picture, converted straight from its buffer; the buffer is returned."""
        request = self._camera.capture_request()
        arrived_s = time.monotonic()
        try:
            with _mapped(request) as planes:
                image = self._layout.picture(planes)
            return image, request.get_metadata(), arrived_s
        finally:
            request.release()

    def _time_of(self, metadata: Metadata, arrived_s: float) -> float:
        """The middle of the exposure on the monotonic clock."""
        stamp_ns = _number(metadata.get("SensorTimestamp"))
        exposed_us = _number(metadata.get("ExposureTime")) or self._setup.exposure_us
        exposed_s = exposed_us * 1e-6
        period_s = 1.0 / self._setup.rate_hz
        if stamp_ns is None:
            self._doubt(2 * period_s)
            return arrived_s - exposed_s / 2
        stamp_s = stamp_ns * 1e-9
        if self._clock is None:
            self._clock = _clock_of(stamp_s)
        if self._clock is None:
            self._doubt(2 * period_s)
            return arrived_s - exposed_s / 2
        return stamp_s - _ahead_s(self._clock) + exposed_s / 2

    def _doubt(self, doubt_s: float) -> None:
        if self.state.doubt_s != doubt_s:
            log.warning("the camera gives no usable times: arrival counts")
            self.state = replace(self.state, doubt_s=doubt_s)

    def _check_rate(self, measured_hz: float | None) -> None:
        asked_hz = self._setup.rate_hz
        if measured_hz is not None and measured_hz < LEAST_RATE * asked_hz:
            raise SourceError(
                f"the camera delivers {measured_hz:.1f} pictures a second, "
                f"camera.rate_hz is {asked_hz:g}: set {measured_hz:.0f}, or a "
                "smaller picture"
            )

    def _check(self, metadata: Metadata, at_s: float) -> None:
        if (gains := self._fixed.balanced(metadata, at_s)) is not None:
            self._camera.set_controls({"AwbEnable": False, "ColourGains": gains})
            log.info("white balance held at red %.2f, blue %.2f", *gains)
        faults = self._fixed.faults(metadata)
        if faults != self.state.faults:
            for fault in faults:
                log.warning("%s", fault)
            self.state = replace(self.state, faults=faults)


class _Fixed:
    """What was fixed, and which of it a frame's metadata contradicts."""

    def __init__(self, setup: CameraSetup) -> None:
        self._setup = setup
        self._gains = setup.colour_gains
        self._first_s: float | None = None
        self._frames = 0
        self._off: dict[str, int] = {}

    @property
    def controls(self) -> Controls:
        """What the camera is started with."""
        period_us = round(1e6 / self._setup.rate_hz)
        controls: Controls = {
            "FrameDurationLimits": (period_us, period_us),
            "AeEnable": False,
            "ExposureTime": self._setup.exposure_us,
            "AnalogueGain": self._setup.gain,
            "AwbEnable": self._gains is None,
        }
        if self._gains is not None:
            controls["ColourGains"] = self._gains
        return controls

    def balanced(self, metadata: Metadata, at_s: float) -> tuple[float, float] | None:
        """The colour gains to hold from now on, once: the camera found them."""
        self._frames += 1
        if self._first_s is None:
            self._first_s = at_s
        found = _pair(metadata.get("ColourGains"))
        waits = at_s - self._first_s < BALANCE_S
        if self._gains is not None or waits or found is None:
            return None
        self._gains = found
        self._frames = 0
        return self._gains

    def faults(self, metadata: Metadata) -> tuple[str, ...]:
        """A sentence for each value that has been off for several frames."""
        if self._frames < SETTLE_FRAMES:
            return ()
        found = []
        for name, stands, asked, slack in self._compared(metadata):
            off = stands is None or abs(stands - asked) > slack
            self._off[name] = self._off.get(name, 0) + 1 if off else 0
            if self._off[name] >= DRIFT_FRAMES:
                said = "is not told" if stands is None else f"stands at {stands:.4g}"
                found.append(f"the camera's {name} {said}, {asked:.4g} was asked")
        return tuple(found)

    def _compared(
        self, metadata: Metadata
    ) -> Iterator[tuple[str, float | None, float, float]]:
        """Name, value, what was asked, and how far off a sensor's steps may put it."""
        setup = self._setup
        exposure = _number(metadata.get("ExposureTime"))
        # Exposure counts whole rows of the sensor: up to 30 us each.
        asked_us = float(setup.exposure_us)
        yield "exposure (us)", exposure, asked_us, max(30.0, 0.05 * asked_us)
        gain = _number(metadata.get("AnalogueGain"))
        yield "gain", gain, setup.gain, 0.05 * setup.gain
        period_us = 1e6 / setup.rate_hz
        duration = _number(metadata.get("FrameDuration"))
        yield "frame duration (us)", duration, period_us, 0.02 * period_us
        if self._gains is not None:
            red, blue = _pair(metadata.get("ColourGains")) or (None, None)
            yield "red gain", red, self._gains[0], 0.02 * self._gains[0]
            yield "blue gain", blue, self._gains[1], 0.02 * self._gains[1]


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _pair(value: object) -> tuple[float, float] | None:
    match value:
        case (int() | float() as red, int() | float() as blue):
            return float(red), float(blue)
        case _:
            return None


class _Layout:
    """How one configured picture lies in its buffer."""

    def __init__(self, size_px: tuple[int, int], stride: int, pixels: str) -> None:
        self._width, self._height = size_px
        self._stride = stride
        self._to_bgr = TO_BGR[pixels]

    def picture(self, planes: NDArray[np.uint8]) -> Image:
        """BGR from a buffer with luma and chroma one after the other.

        In both formats the chroma rows of a padded picture fill rows as long as the
        luma's, so padding and all are converted in one pass and cut off afterwards.
        """
        rows = self._height * 3 // 2
        flat = planes.reshape(-1)[: rows * self._stride].reshape(rows, self._stride)
        padded = np.asarray(cv2.cvtColor(flat, self._to_bgr), np.uint8)
        return np.ascontiguousarray(padded[:, : self._width])


def _configured(camera: Camera, setup: CameraSetup, controls: Controls) -> _Layout:
    """Configure once, and read back what came of it."""
    wanted = camera.create_video_configuration(
        main={"size": setup.size_px, "format": setup.pixels},
        controls=_known(camera, controls),
        buffer_count=BUFFERS,
        queue=True,
    )
    camera.configure(wanted)
    given = camera.camera_configuration()["main"]
    stride, pixels = _number(given["stride"]), str(given["format"])
    if given["size"] != setup.size_px or pixels not in TO_BGR or stride is None:
        camera.close()
        raise SourceError(
            f"the camera gives {pixels} pictures of {given['size']}, asked were "
            f"{setup.pixels} of {setup.size_px}: set camera.width_px, height_px and "
            "pixels to what it has (rpicam-hello --list-cameras)"
        )
    return _Layout(setup.size_px, int(stride), pixels)


def _known(camera: Camera, controls: Controls) -> Controls:
    """The controls this camera has: picamera2 refuses any other."""
    has = camera.camera_controls
    missing = sorted(controls.keys() - has.keys())
    if missing:
        log.warning("this camera has no control for %s", ", ".join(missing))
    return {name: value for name, value in controls.items() if name in has}


@contextmanager
def _mapped(request: Request) -> Iterator[NDArray[np.uint8]]:
    """The request's buffer as bytes, without a copy, until the block ends."""
    from picamera2 import MappedArray

    with MappedArray(request, "main", reshape=False, write=False) as mapped:
        yield mapped.array


def _clock_of(stamp_s: float) -> int | None:
    """The clock a sensor time is on: libcamera says since boot, drivers differ."""
    for clock in (time.CLOCK_MONOTONIC, time.CLOCK_BOOTTIME):
        if -1e-3 <= time.clock_gettime(clock) - stamp_s < LOST_S:
            return clock
    return None


def _ahead_s(clock: int) -> float:
    """How far a clock is ahead of the monotonic one: the time the host has slept."""
    if clock == time.CLOCK_MONOTONIC:
        return 0.0
    return time.clock_gettime(clock) - time.monotonic()


def _camera(number: int) -> Camera:
    """An opened Picamera2; raises SourceError."""
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        raise SourceError(
            f"picamera2 cannot be used here ({error}): on Raspberry Pi OS run "
            "apt install python3-picamera2 and let the environment see it"
        ) from None
    found = Picamera2.global_camera_info()
    if number >= len(found):
        raise SourceError(
            f"no camera {number} on this machine ({len(found)} found): check the "
            "ribbon cable, then rpicam-hello --list-cameras"
        )
    try:
        camera: Camera = Picamera2(number)
    except (RuntimeError, IndexError) as error:
        raise SourceError(
            f"camera {number} cannot be opened ({error}): "
            f"{held_by(*Path('/dev').glob('media*'))}"
        ) from None
    return camera
