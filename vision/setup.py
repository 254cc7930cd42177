"""What the eyes process is told at its start: where pictures come from and go."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter

from vision.sightings import ColoursLearned

Source = Literal["rendered", "usb", "picamera2", "network", "recording"]
Pixels = Literal["MJPG", "YUYV", "YUV420", "NV12"]
"""How a camera sends its pictures: usb the first two, picamera2 the last two."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CameraSetup:
    """One camera and all that is fixed in it; None leaves a value to the driver.

    `address` is a device file by its stable name (usb), a number (picamera2), a URL
    (network), a video (recording) or the simulated table's socket (rendered).
    `gain` is a factor and picamera2's; `driver_gain` counts a usb driver's own steps.
    `colour_gains` are red and blue.
    """

    source: Source
    address: str
    size_px: tuple[int, int]
    rate_hz: float
    exposure_us: int
    gain: float = 1.0
    driver_gain: int | None = None
    white_balance_k: int | None = None
    colour_gains: tuple[float, float] | None = None
    mains_hz: Literal[50, 60] = 50
    pixels: Pixels = "MJPG"


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """What the record knows of the table that eyes starting in mid-board cannot see.

    `lying`: how many white, black and red coins lie there by the record; None while
    that is open.
    """

    colours: ColoursLearned | None = None
    lying: tuple[int, int, int] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """The camera, the calibration profile that fits it, and what is known already.

    There may be no file at `profile` yet: then the camera is shown and nothing seen.
    Any other file there than `calibration` (its checksum on record; empty: none is) or
    than that of the camera `identity` (None: it has none) is refused.
    """

    camera: CameraSetup
    profile: Path
    identity: str | None = None
    calibration: str = ""
    known: Known = Known()


SETUP = TypeAdapter(Setup)
