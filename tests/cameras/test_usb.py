"""A USB camera through OpenCV's real V4L2 code, on a pretend device.

`v4l2_device.c` is preloaded into a process of its own and answers as a kernel driver
would; what it is told to do, it does: unplug, stall, another clock, a missing control.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.frames import SourceError
from vision.setup import CameraSetup
from vision.sources.usb import STALL_S
from vision.sources.v4l2 import stable

HERE = Path(__file__).parent
GREYS = (40, 80, 120, 160)
PROJECT = HERE.parent.parent
Line = dict[str, object]

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")


@pytest.fixture(scope="session")
def preload(tmp_path_factory: pytest.TempPathFactory) -> Path:
    library = tmp_path_factory.mktemp("shim") / "v4l2_device.so"
    source = HERE / "v4l2_device.c"
    flags = ["-shared", "-fPIC", "-O1", "-Wall", "-Wextra", "-Werror"]
    subprocess.run(["gcc", *flags, "-o", library, source, "-ldl"], check=True)
    return library


@dataclass
class Bench:
    """One pretend camera and the process that reads it."""

    folder: Path
    preload: Path
    settings: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.link = self.folder / "by-id" / "usb-pretend-video-index0"
        self.setup = CameraSetup(
            source="usb",
            address=str(self.link),
            size_px=(640, 480),
            rate_hz=60.0,
            exposure_us=1000,
            white_balance_k=4000,
        )
        self.command = self.folder / "command"
        (self.folder / "video0").touch()
        self.plug_in()
        self.show([_jpeg(grey) for grey in GREYS])

    def plug_in(self) -> None:
        self.link.parent.mkdir(exist_ok=True)
        self.link.symlink_to("../video0")
        self.command.write_text("run")

    def unplug(self) -> None:
        """As udev and the kernel do it: the name goes, the handles fail."""
        self.link.unlink()
        self.command.write_text("unplugged")

    def show(self, pictures: list[bytes]) -> None:
        frames = self.folder / "frames"
        shutil.rmtree(frames, ignore_errors=True)
        frames.mkdir()
        for number, picture in enumerate(pictures):
            (frames / f"{number:03d}.raw").write_bytes(picture)

    def watch(self, frames: int) -> Iterator[Line]:
        """What the source does until it has delivered so many frames."""
        environment = os.environ | {
            "LD_PRELOAD": str(self.preload),
            "PYTHONPATH": str(PROJECT),
            "V4L2_DEVICE": str(self.folder / "video0"),
            "V4L2_FRAMES": str(self.folder / "frames"),
            "V4L2_COMMAND": str(self.command),
            "V4L2_SIZE": "640x480",
            **self.settings,
        }
        setup = json.dumps(asdict(self.setup))
        command = [sys.executable, HERE / "driver.py", setup, str(frames), self.folder]
        with subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as process:
            assert process.stdout is not None
            for line in process.stdout:
                yield json.loads(line)

    def frames(self, count: int) -> list[Line]:
        return [line for line in self.watch(count) if "number" in line]

    def end(self, count: int = 200) -> str:
        return str(list(self.watch(count))[-1]["ended"])


@pytest.fixture
def bench(tmp_path: Path, preload: Path) -> Bench:
    return Bench(tmp_path, preload)


def test_frames_carry_the_drivers_times_and_numbers_without_gaps(bench: Bench) -> None:
    lines = list(bench.watch(100))
    frames = [line for line in lines if "number" in line]
    assert lines[-1] == {
        "ended": "closed",
        "faults": [],
        "doubt_s": pytest.approx(1 / 60),
    }
    assert [frame["shape"] for frame in frames] == [[480, 640, 3]] * 100
    # OpenCV keeps the first picture to itself.
    greys = [frame["grey"] for frame in frames[:8]]
    assert greys == pytest.approx([*GREYS[1:], *GREYS, GREYS[0]], abs=1)
    times = np.array([frame["at_s"] for frame in frames], float)
    numbers = np.array([frame["number"] for frame in frames], int)
    # Numbers follow the times: whatever a busy machine lost is a gap in both.
    assert np.diff(numbers) == pytest.approx(
        np.maximum(1, np.rint(np.diff(times) * 60))
    )
    assert (np.diff(times) > 0).all()
    late = [float(f["now_s"]) - float(f["at_s"]) for f in frames]  # type: ignore[arg-type]
    assert min(late) > 0.0005  # half the exposure, and never from the future


def test_a_clock_of_its_own_is_found_out_and_arrival_counts(bench: Bench) -> None:
    bench.settings["V4L2_CLOCK"] = "wall"
    *lines, end = bench.watch(3)
    (frame, *_) = [line for line in lines if "number" in line]
    assert end["doubt_s"] == pytest.approx(2 / 60)
    assert abs(float(frame["now_s"]) - float(frame["at_s"])) < 0.5  # type: ignore[arg-type]


def test_uncompressed_pictures_are_read_too(bench: Bench) -> None:
    grey = np.full((480, 640, 2), 128, np.uint8)
    grey[..., 0] = 16 + 219 * 100 // 255  # studio luma of grey 100 (BT.601)
    bench.show([grey.tobytes()])
    bench.settings["V4L2_FORMAT"] = "YUYV"
    bench.setup = replace(bench.setup, pixels="YUYV")
    assert float(bench.frames(2)[0]["grey"]) == pytest.approx(100, abs=2)  # type: ignore[arg-type]


def test_a_torn_picture_is_dropped_and_leaves_a_gap(bench: Bench) -> None:
    whole = _jpeg(80)
    bench.show([whole, whole[: len(whole) // 2], whole])
    frames = bench.frames(12)
    assert all(frame["grey"] == pytest.approx(80, abs=1) for frame in frames)
    span = int(frames[-1]["number"]) - int(frames[0]["number"])  # type: ignore[call-overload]
    assert span >= 16


def test_a_camera_that_is_unplugged_is_told_and_comes_back(bench: Bench) -> None:
    told: list[Line] = []
    for line in bench.watch(60):
        told.append(line)
        seen = sum("number" in line for line in told)
        if seen == 30 and "number" in line:
            bench.unplug()
        if line.get("down") and not bench.link.exists():
            bench.plug_in()
    (first, *_) = [line for line in told if line.get("down")]
    assert f"{bench.link} was unplugged: plug it in" in str(first["down"])
    numbers = [line["number"] for line in told if "number" in line]
    assert len(numbers) == 60
    assert numbers == sorted(numbers)
    assert int(numbers[-1]) > 65  # type: ignore[call-overload]
    assert told[-1]["ended"] == "closed"


def test_a_camera_that_stalls_is_told_and_opened_again(bench: Bench) -> None:
    told: list[str] = []
    numbers: list[int] = []
    for line in bench.watch(40):
        if "number" in line:
            numbers.append(int(line["number"]))  # type: ignore[call-overload]
        if len(numbers) == 20 and not told:
            bench.command.write_text("stalled")
        if line.get("down"):
            told.append(str(line["down"]))
            bench.command.write_text("run")
    assert "stopped (0.5 s without a picture)" in told[0]
    assert len(numbers) == 40
    assert max(np.diff(numbers)) >= 60 * STALL_S  # what was lost leaves a gap
    assert STALL_S < 1.0  # the screens say so within a second


def test_a_control_the_driver_lacks_is_said(bench: Bench) -> None:
    bench.settings["V4L2_LACKS"] = "exposure"
    bench.setup = replace(bench.setup, white_balance_k=9000)
    assert list(bench.watch(1))[-1]["faults"] == [
        "the camera's exposure cannot be fixed",
        "the camera's white balance stands at 6500 K instead of 9000 K",
    ]


@pytest.mark.parametrize(
    ("settings", "asked", "said"),
    [
        # What is measured is this machine's pace: a busy one gives it less evenly.
        ({"V4L2_RATE": "20"}, {}, "pictures a second, camera.rate_hz is 60: set "),
        ({"V4L2_FORMAT": "YUYV"}, {}, "sends YUYV, camera.pixels is MJPG: set YUYV"),
        ({}, {"size_px": (1280, 720)}, "pictures of 640 x 480, asked were 1280 x 720"),
    ],
)
def test_what_the_camera_does_not_give_is_refused_with_the_remedy(
    bench: Bench,
    settings: dict[str, str],
    asked: dict[str, tuple[int, int]],
    said: str,
) -> None:
    bench.settings |= settings
    bench.setup = replace(bench.setup, **asked)  # type: ignore[arg-type]
    assert said in bench.end()


def test_a_bare_number_is_refused_with_what_is_plugged_in(bench: Bench) -> None:
    with pytest.raises(SourceError) as refused:
        stable("/dev/video0", bench.folder)
    assert "'/dev/video0': a camera's number changes" in str(refused.value)
    assert f"plugged in: {bench.link}" in str(refused.value)


def test_a_camera_that_is_not_there_is_refused_by_name(bench: Bench) -> None:
    bench.unplug()
    with pytest.raises(SourceError, match="plug it in; no camera is plugged in"):
        stable(bench.setup.address, bench.folder)


def _jpeg(grey: int) -> bytes:
    picture = np.full((480, 640, 3), grey, np.uint8)
    return cv2.imencode(".jpg", picture)[1].tobytes()
