"""Linux's own word on a USB camera: its stable name, and its controls.

OpenCV reads the pictures; it cannot say which controls a driver has, in which
steps, or whether a value was taken, and its exposure property means something else
with every driver. So controls are set here by ioctl on a second handle of the device,
which V4L2 allows, and each is read back.
"""

import errno
import fcntl
import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from vision.frames import SourceError

NAMES = Path("/dev/v4l")
"""udev keeps the stable names here, in by-id and by-path."""

_CAPABILITY = struct.Struct("16s32s32sIII12x")
_QUERY = struct.Struct("II32siiiiI8x")
_CONTROL = struct.Struct("Ii")


def _request(direction: int, number: int, size: int) -> int:
    """An ioctl's number (asm-generic/ioctl.h); direction 2 reads, 3 reads and writes."""
    return direction << 30 | size << 16 | ord("V") << 8 | number


_QUERYCAP = _request(2, 0, _CAPABILITY.size)
_QUERYCTRL = _request(3, 36, _QUERY.size)
_G_CTRL = _request(3, 27, _CONTROL.size)
_S_CTRL = _request(3, 28, _CONTROL.size)
_CAPTURE = 0x1
_DEVICE_CAPS = 0x80000000
_DISABLED, _INACTIVE = 0x1, 0x10


@dataclass(frozen=True, slots=True)
class Control:
    """One control by the number in linux/v4l2-controls.h, and what to call it."""

    id: int
    name: str


AUTO_EXPOSURE = Control(0x009A0901, "automatic exposure")
EXPOSURE = Control(0x009A0902, "exposure")
DYNAMIC_RATE = Control(0x009A0903, "dynamic frame rate")
AUTO_GAIN = Control(0x00980912, "automatic gain")
GAIN = Control(0x00980913, "gain")
AUTO_WHITE = Control(0x0098090C, "automatic white balance")
WHITE_BALANCE = Control(0x0098091A, "white balance")
MAINS = Control(0x00980918, "power line frequency")
AUTO_FOCUS = Control(0x009A090C, "automatic focus")
BACKLIGHT = Control(0x0098091C, "backlight compensation")
MANUAL_EXPOSURE = 1
EXPOSURE_US = 100
"""V4L2's unit of exposure."""


@dataclass(frozen=True, slots=True)
class Range:
    """What a driver takes for one control."""

    least: int
    most: int
    step: int
    default: int

    def nearest(self, value: float) -> int:
        """The value it can take that is closest."""
        steps = round((value - self.least) / max(self.step, 1))
        return min(max(self.least + steps * max(self.step, 1), self.least), self.most)


def cameras(names: Path = NAMES) -> list[Path]:
    """Every camera by its stable name: by-id first, by-path for those without."""
    found: dict[Path, Path] = {}
    for kind in ("by-id", "by-path"):
        for link in sorted(names.glob(f"{kind}/*")):
            found.setdefault(link.resolve(), link)
    return sorted(found.values())


def stable(address: str, names: Path = NAMES) -> Path:
    """The device at a stable name that is there now; raises SourceError.

    Numbers (/dev/video0) change when another camera is plugged in (failures V4).
    """
    path = Path(address)
    if path.parent.name not in ("by-id", "by-path"):
        raise SourceError(
            f"camera.device = {address!r}: a camera's number changes, name it by "
            f"/dev/v4l/by-id/...; {_there(names)}"
        )
    if not path.exists():
        raise SourceError(f"no camera at {address}: plug it in; {_there(names)}")
    return path


def _there(names: Path) -> str:
    found = cameras(names)
    if not found:
        return "no camera is plugged in"
    return "plugged in: " + ", ".join(str(path) for path in found)


@dataclass(frozen=True, slots=True)
class Device:
    """An open handle of a camera, for its controls."""

    handle: int
    path: Path

    def check_captures(self) -> None:
        """Raise SourceError for a node that delivers no pictures (V4)."""
        answer = self._ask(_QUERYCAP, bytes(_CAPABILITY.size))
        capabilities, device = _CAPABILITY.unpack(answer)[4:6]
        if not (device if capabilities & _DEVICE_CAPS else capabilities) & _CAPTURE:
            raise SourceError(
                f"{self.path} delivers no pictures (a camera has several nodes): "
                "name the one that ends with video-index0"
            )

    def range_of(self, control: Control) -> Range | None:
        """What the driver takes; None when it does not have this control now."""
        asked = _QUERY.pack(control.id, 0, b"", 0, 0, 0, 0, 0)
        try:
            answer = self._ask(_QUERYCTRL, asked)
        except OSError:
            return None
        _, _, _, least, most, step, default, flags = _QUERY.unpack(answer)
        return None if flags & _DISABLED else Range(least, most, step, default)

    def value_of(self, control: Control) -> int:
        """What stands now; raises OSError."""
        answer = self._ask(_G_CTRL, _CONTROL.pack(control.id, 0))
        return int(_CONTROL.unpack(answer)[1])

    def fix(self, control: Control, value: int) -> int | None:
        """Set and read back: what stands afterwards; None when it was refused."""
        try:
            self._ask(_S_CTRL, _CONTROL.pack(control.id, value))
            return self.value_of(control)
        except OSError as error:
            if error.errno == errno.ENODEV:
                raise
            return None

    def _ask(self, request: int, argument: bytes) -> bytes:
        return fcntl.ioctl(self.handle, request, argument)


@contextmanager
def opened(path: Path) -> Iterator[Device]:
    """A handle for controls; raises SourceError when the device cannot be opened."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    except OSError as error:
        remedy = "plug it in"
        if error.errno == errno.EACCES:
            remedy = "add this user to the group video"
        raise SourceError(
            f"camera {path} cannot be opened ({error.strerror}): {remedy}"
        ) from None
    try:
        yield Device(handle, path)
    finally:
        os.close(handle)
