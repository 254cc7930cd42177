"""Stands for picamera2 where libcamera cannot be had: the part that carrom uses.

It keeps the real one's contracts: sizes and strides as the Pi lays them out, a fixed
number of buffers that have to come back, controls that must exist, metadata with
every frame. `make cameras` runs the same source on the real picamera2.

The environment variable PICAMERA2_HANG names a file: while it exists,
`capture_request` does not return. PICAMERA2_PICTURE names the YUV420 rows (NumPy's
file format) that a live camera shows.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

ALIGN = 64
"""The Pi's image processor writes rows in multiples of this."""


class Request:
    """A completed request: one frame's buffer and metadata."""

    def __init__(self, camera: "Picamera2", buffer: Any, metadata: Any) -> None:
        self._camera = camera
        self.buffer = buffer
        self._metadata = metadata
        self.returned = False

    def get_metadata(self) -> dict[str, Any]:
        assert not self.returned, "metadata asked of a request that was released"
        return dict(self._metadata)

    def release(self) -> None:
        assert not self.returned, "released twice"
        self.returned = True
        self.buffer[:] = 0  # the camera writes into it again
        self._camera.out -= 1


class MappedArray:
    """The request's buffer in place, for as long as the block lasts."""

    def __init__(
        self, request: Request, stream: str, reshape: bool = True, write: bool = True
    ) -> None:
        assert stream == "main"
        assert not request.returned
        assert not reshape, "NV12 cannot be reshaped by picamera2"
        self.array = request.buffer

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        del self.array


class Picamera2:
    """One camera. `picture` makes each frame's YUV rows, unpadded."""

    cameras = 1
    busy = False

    @classmethod
    def global_camera_info(cls) -> list[dict[str, Any]]:
        return [{"Model": "imx296", "Num": n} for n in range(cls.cameras)]

    def __init__(self, number: int = 0) -> None:
        if self.busy:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        self.number = number
        self.camera_controls: dict[str, Any] = dict.fromkeys(
            (
                "FrameDurationLimits",
                "AeEnable",
                "ExposureTime",
                "AnalogueGain",
                "AwbEnable",
                "ColourGains",
            )
        )
        self.controls: dict[str, Any] = {}
        self.metadata: dict[str, Any] = {"ColourGains": (1.7, 2.1)}
        self.overrides: dict[str, Any] = {}
        self.lost: set[int] = set()
        self.size_given: tuple[int, int] | None = None
        self.out = 0
        self.frames = 0
        self.running = False
        self.closed = False
        self.clock = time.CLOCK_MONOTONIC
        self.picture: Callable[[int], NDArray[np.uint8]] | None = None
        if (shown := os.environ.get("PICAMERA2_PICTURE")) is not None:
            rows = np.load(shown)
            self.picture = lambda _: rows
        self.started_ns = 0

    def create_video_configuration(
        self, main: Any, controls: Any, buffer_count: int, queue: bool
    ) -> dict[str, Any]:
        return {"main": main, "controls": controls, "buffer_count": buffer_count}

    def configure(self, camera_config: dict[str, Any]) -> None:
        assert not self.running
        main = dict(camera_config["main"])
        main["size"] = self.size_given or main["size"]
        width, _ = main["size"]
        main["stride"] = (width + ALIGN - 1) // ALIGN * ALIGN
        self._main = main
        self._buffers = camera_config["buffer_count"]
        self.set_controls(camera_config["controls"])

    def camera_configuration(self) -> dict[str, Any]:
        return {"main": dict(self._main)}

    def set_controls(self, controls: dict[str, Any]) -> None:
        for name in controls:
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.controls |= controls

    def start(self) -> None:
        self.running = True
        self.started_ns = time.clock_gettime_ns(self.clock)

    def stop(self) -> None:
        self.running = False

    def close(self) -> None:
        self.closed = True

    def capture_request(self) -> Request:
        assert self.running
        assert self.out < self._buffers, "no buffer left: requests were not returned"
        hang = os.environ.get("PICAMERA2_HANG")
        while hang and Path(hang).exists():
            time.sleep(0.05)
        while self.frames in self.lost:
            self.frames += 1
        period_us = self.controls["FrameDurationLimits"][0]
        if hang or "PICAMERA2_PICTURE" in os.environ:  # a live camera
            stamp_ns = self._next_exposure_ns(period_us * 1000)
        else:
            stamp_ns = self.started_ns + self.frames * period_us * 1000
        self.metadata |= {
            "SensorTimestamp": stamp_ns,
            "ExposureTime": self.controls["ExposureTime"],
            "AnalogueGain": self.controls["AnalogueGain"],
            "FrameDuration": period_us,
        }
        if "ColourGains" in self.controls:
            self.metadata["ColourGains"] = self.controls["ColourGains"]
        buffer = self._padded(self.frames)
        self.frames += 1
        self.out += 1
        return Request(self, buffer, self.metadata | self.overrides)

    def _next_exposure_ns(self, period_ns: int) -> int:
        """Wait for the sensor, which keeps its pace however slowly it is read."""
        now_ns = time.clock_gettime_ns(self.clock)
        due_ns = self.started_ns + (self.frames + 1) * period_ns
        time.sleep(max(due_ns - now_ns, 0) * 1e-9)
        return due_ns if due_ns > now_ns else time.clock_gettime_ns(self.clock)

    def _padded(self, number: int) -> NDArray[np.uint8]:
        (width, height), stride = self._main["size"], self._main["stride"]
        if self.picture is None:
            rows = np.full((height * 3 // 2, width), 128, np.uint8)
            rows[:height] = np.random.default_rng(number).integers(90, 110)
        else:
            rows = self.picture(number)
        luma, chroma = rows[:height], rows[height:]
        across = width // 2 if self._main["format"] == "YUV420" else width
        pad = stride * across // width if across == width else stride // 2
        chroma = chroma.reshape(-1, across)
        whole = [
            np.pad(luma, ((0, 0), (0, stride - width)), constant_values=255).ravel(),
            np.pad(chroma, ((0, 0), (0, pad - across)), constant_values=255).ravel(),
        ]
        return np.concatenate(whole)
