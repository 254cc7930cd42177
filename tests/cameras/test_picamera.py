"""A Raspberry Pi camera, on a stand-in that keeps picamera2's contracts.

`virtual/` runs the same source on the real picamera2 (`make cameras`).
"""

import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.frames import Frame, SourceError
from vision.setup import CameraSetup, Pixels
from vision.sources.picamera import PicameraSource

STANDIN = Path(__file__).parent / "standin"
SETUP = CameraSetup(
    source="picamera2",
    address="0",
    size_px=(200, 120),
    rate_hz=60.0,
    exposure_us=1000,
    gain=4.0,
    colour_gains=(1.9, 1.6),
    pixels="YUV420",
)
PERIOD_S = 0.016667


@pytest.fixture(autouse=True)
def standin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.syspath_prepend(str(STANDIN))
    yield
    sys.modules.pop("picamera2", None)


class Table:
    """A camera and the source that reads it."""

    def __init__(self, setup: CameraSetup = SETUP) -> None:
        from picamera2 import Picamera2

        self.camera = Picamera2()
        self.source = PicameraSource(setup, self.camera)
        self._frames = self.source.frames()

    def take(self, count: int) -> list[Frame]:
        return list(islice(self._frames, count))


def quarters() -> NDArray[np.uint8]:
    """Red, green, blue and white in the corners of a picture."""
    picture = np.zeros((120, 200, 3), np.uint8)
    picture[:60, :100], picture[:60, 100:] = (0, 0, 200), (0, 200, 0)
    picture[60:, :100], picture[60:, 100:] = (200, 0, 0), (220, 220, 220)
    return picture


def nv12(planar: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """YUV420's rows with blue and red side by side, as NV12 has them."""
    blue, red = planar[120:].reshape(2, -1)
    pairs = np.stack([blue, red], axis=1)
    return np.concatenate([planar[:120], pairs.reshape(-1, 200)])


@pytest.mark.parametrize("pixels", ["YUV420", "NV12"])
def test_padded_rows_become_the_picture_that_was_taken(pixels: Pixels) -> None:
    table = Table(replace(SETUP, pixels=pixels))
    planar = np.asarray(cv2.cvtColor(quarters(), cv2.COLOR_BGR2YUV_I420), np.uint8)
    rows = planar if pixels == "YUV420" else nv12(planar)
    table.camera.picture = lambda _: rows
    (frame,) = table.take(1)
    assert frame.image.shape == (120, 200, 3)
    assert frame.image.flags.c_contiguous
    off = np.abs(frame.image.astype(int) - quarters())
    assert off.max() <= 4  # 8 bits of luma and chroma, there and back


def test_every_buffer_goes_back_before_the_frame_is_looked_at() -> None:
    table = Table()
    frames = table.take(3)
    assert table.camera.out == 0
    assert frames[0].image.mean() > 50  # a copy: its buffer has been wiped


def test_a_frames_time_is_the_middle_of_its_exposure_by_the_sensor() -> None:
    table = Table(replace(SETUP, exposure_us=8000))
    frames = table.take(50)
    started_s = table.camera.started_ns * 1e-9
    expected_s = started_s + 0.004 + PERIOD_S * np.arange(50)
    assert [frame.at_s for frame in frames] == pytest.approx(expected_s, abs=1e-6)
    assert table.source.state.doubt_s == 0.0


def test_without_a_sensor_time_arrival_counts_and_the_doubt_is_said() -> None:
    table = Table()
    table.camera.overrides = {"SensorTimestamp": None}
    (frame,) = table.take(1)
    assert abs(frame.at_s - time.monotonic()) < 0.5
    assert table.source.state.doubt_s == pytest.approx(2 / 60)


def test_a_frame_the_camera_lost_leaves_a_gap() -> None:
    table = Table()
    table.camera.lost = {2, 3, 7}
    assert [frame.sequence for frame in table.take(6)] == [0, 1, 4, 5, 6, 8]


def test_everything_is_fixed_before_the_first_frame() -> None:
    assert Table().camera.controls == {
        "FrameDurationLimits": (16667, 16667),
        "AeEnable": False,
        "ExposureTime": 1000,
        "AnalogueGain": 4.0,
        "AwbEnable": False,
        "ColourGains": (1.9, 1.6),
    }


def test_without_gains_the_balance_is_found_once_and_held() -> None:
    table = Table(replace(SETUP, colour_gains=None))
    table.take(100)
    assert table.camera.controls["AwbEnable"] is True
    table.take(30)
    assert table.camera.controls["AwbEnable"] is False
    assert table.camera.controls["ColourGains"] == (1.7, 2.1)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"ExposureTime": 8000}, "exposure (us) stands at 8000, 1000 was asked"),
        ({"AnalogueGain": 8.0}, "gain stands at 8, 4 was asked"),
        ({"ColourGains": (1.9, 2.2)}, "blue gain stands at 2.2, 1.6 was asked"),
        ({"FrameDuration": 33333}, "frame duration (us) stands at 3.333e+04"),
        ({"AnalogueGain": None}, "gain is not told, 4 was asked"),
    ],
)
def test_a_control_that_drifts_is_told_while_it_does(
    wrong: dict[str, object], said: str
) -> None:
    table = Table()
    table.take(20)
    assert table.source.state.faults == ()
    table.camera.overrides = wrong
    table.take(5)
    assert said in table.source.state.faults[0]
    table.camera.overrides = {}
    table.take(1)
    assert table.source.state.faults == ()


def test_one_row_of_the_sensor_more_or_less_is_no_drift() -> None:
    table = Table()
    table.camera.overrides = {"ExposureTime": 985}
    table.take(30)
    assert table.source.state.faults == ()


def test_a_camera_slower_than_asked_is_refused() -> None:
    table = Table()
    table.camera.controls["FrameDurationLimits"] = (33333, 33333)
    with pytest.raises(SourceError, match=r"30\.0 pictures a second.*is 60: set 30"):
        table.take(60)


def test_another_size_than_asked_is_refused() -> None:
    from picamera2 import Picamera2

    camera = Picamera2()
    camera.size_given = (1456, 1088)
    with pytest.raises(SourceError, match=r"\(1456, 1088\), asked were YUV420 of"):
        PicameraSource(SETUP, camera)
    assert camera.closed


def test_a_camera_that_is_not_there_is_refused() -> None:
    with pytest.raises(SourceError, match="no camera 1 on this machine"):
        PicameraSource(replace(SETUP, address="1"))


def test_a_camera_in_use_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from picamera2 import Picamera2

    monkeypatch.setattr(Picamera2, "busy", True)
    with pytest.raises(SourceError, match="camera 0 cannot be opened"):
        PicameraSource(SETUP)


def test_closing_stops_the_camera_once() -> None:
    table = Table()
    table.source.close()
    table.source.close()
    assert (table.camera.running, table.camera.closed) == (False, True)


def test_without_picamera2_the_way_to_get_it_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(SourceError, match="apt install python3-picamera2"):
        PicameraSource(SETUP)
