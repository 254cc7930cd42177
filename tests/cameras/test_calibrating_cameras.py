"""`carrom calibrate --config` with real camera sources on pretend devices.

A USB camera through OpenCV's own V4L2 code, a Raspberry Pi camera through picamera2's
stand-in: both show the empty table, and the profile knows which camera that was.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profile import Profile, load
from calibration.table import Table
from vision.frames import Image
from vision.sources.rendered import Renderer
from vision.sources.rendering_camera import Camera
from vision.sources.rendering_scene import Scene

HERE = Path(__file__).parent
PROJECT = HERE.parent.parent
SIZE_PX = 640, 480
HEIGHT_MM = 1200.0
EITHER = """
[camera]
width_px = 640
height_px = 480
exposure_us = 1000
"""
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def pictures() -> list[Image]:
    renderer = Renderer(Table(), Camera.overhead(size_px=SIZE_PX))
    return [renderer.render(Scene(0.0, ()), number) for number in range(2)]


def calibrated(
    folder: Path, camera: str, settings: dict[str, str], name: str
) -> Profile:
    """What the command makes of this camera, its profile loaded as the eyes do."""
    (folder / "table.toml").write_text(EITHER + camera)
    words = ["--config", "table.toml", "--profile", "club.json", "--json"]
    words += ["--camera-height-mm", str(HEIGHT_MM)]
    done = subprocess.run(
        [sys.executable, "-m", "controller", "calibrate", *words],
        env=os.environ | settings,
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["verdict"] != "nothing"
    return load(folder / "club.json", size_px=SIZE_PX, camera=name)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_a_usb_camera_is_calibrated_under_its_stable_name(
    tmp_path: Path, pictures: list[Image]
) -> None:
    library, frames = tmp_path / "v4l2_device.so", tmp_path / "frames"
    flags = ["-shared", "-fPIC", "-O1", "-o", library, HERE / "v4l2_device.c", "-ldl"]
    subprocess.run(["gcc", *flags], check=True)
    frames.mkdir()
    for number, picture in enumerate(pictures):
        jpeg = cv2.imencode(".jpg", picture)[1]
        (frames / f"{number:03d}.raw").write_bytes(jpeg.tobytes())
    (tmp_path / "video0").touch()
    (tmp_path / "command").write_text("run")
    (tmp_path / "by-id").mkdir()
    device = tmp_path / "by-id" / "usb-club-video-index0"
    device.symlink_to("../video0")
    settings = {
        "PYTHONPATH": str(PROJECT),
        "LD_PRELOAD": str(library),
        "V4L2_DEVICE": str(tmp_path / "video0"),
        "V4L2_FRAMES": str(frames),
        "V4L2_COMMAND": str(tmp_path / "command"),
        "V4L2_SIZE": "640x480",
        "V4L2_RATE": "20",
    }
    camera = f'source = "usb"\ndevice = "{device}"\nrate_hz = 20.0\n'
    camera += "white_balance_k = 4000\n"
    profile = calibrated(tmp_path, camera, settings, f"usb {device}")
    assert profile.fixed.exposure_us == 1000
    assert profile.mapping.camera_mm[2] == pytest.approx(HEIGHT_MM, rel=0.03)


def test_a_raspberry_pi_camera_is_calibrated_with_its_light_written_down(
    tmp_path: Path, pictures: list[Image]
) -> None:
    rows = cv2.cvtColor(pictures[0], cv2.COLOR_BGR2YUV_I420)
    np.save(tmp_path / "rows.npy", rows)
    settings = {
        "PYTHONPATH": os.pathsep.join([str(PROJECT), str(HERE / "standin")]),
        "PICAMERA2_PICTURE": str(tmp_path / "rows.npy"),
    }
    camera = (
        'source = "picamera2"\nrate_hz = 20.0\ngain = 4.0\ncolour_gains = [1.9, 1.6]\n'
    )
    profile = calibrated(tmp_path, camera, settings, "picamera2 0")
    assert (profile.fixed.exposure_us, profile.fixed.gain) == (1000, 4.0)
    assert profile.fixed.white_balance == "red 1.9, blue 1.6"
    assert profile.mapping.camera_mm[2] == pytest.approx(HEIGHT_MM, rel=0.03)
