"""What the eyes process is told at its start: where pictures come from and go."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from pydantic import TypeAdapter


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """The camera and the calibration profile that fits it.

    `device` is a device file (usb), a video (recording) or the simulated table's
    socket (rendered).
    """

    source: Literal["rendered", "usb", "picamera2", "recording"]
    device: Path
    size_px: tuple[int, int]
    rate_hz: float
    exposure_us: int
    gain: float
    profile: Path


SETUP = TypeAdapter(Setup)
