"""What this machine says of itself: heat, power, disk, and how good its clock is.

Each reading is None where the machine cannot tell; none of them ever raises.
"""

import ctypes
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from controller.feed.models import Clock

THERMAL = Path("/sys/class/thermal/thermal_zone0/temp")
THROTTLED = Path("/sys/devices/platform/soc/soc:firmware/get_throttled")
"""Bits 0-3: under-voltage, capped, throttled, hot now; 16-19: since the start."""
_UNSYNCHRONISED = 0x0040
_STATUS_AT = 40
_TIMEX_BYTES = 256
"""struct timex on 64-bit Linux: `status` is an int at byte 40."""


@dataclass(frozen=True, slots=True)
class Machine:
    """One reading."""

    temperature_c: float | None
    throttled: bool | None
    disk_free_mb: float | None


def read_machine(folder: Path) -> Machine:
    """The machine now; `folder` lies on the disk that matters."""
    heat = _number(THERMAL, 10)
    throttled = _number(THROTTLED, 16)
    try:
        free_mb: float | None = round(shutil.disk_usage(folder).free / 1e6)
    except OSError:
        free_mb = None
    return Machine(
        temperature_c=None if heat is None else heat / 1000,
        throttled=None if throttled is None else bool(throttled),
        disk_free_mb=free_mb,
    )


class WallClock:
    """Whether the wall time can be trusted, asked of the kernel (adjtimex)."""

    def __init__(self) -> None:
        self._was_synchronised = False

    @property
    def quality(self) -> Clock:
        """Synced now, synced earlier in this run, or never."""
        if _synchronised():
            self._was_synchronised = True
            return Clock.SYNCED
        return Clock.HOLDOVER if self._was_synchronised else Clock.UNSET


def _synchronised() -> bool:
    if sys.platform != "linux" or ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    timex = ctypes.create_string_buffer(_TIMEX_BYTES)
    if ctypes.CDLL(None).adjtimex(timex) < 0:
        return False
    status = ctypes.c_int.from_buffer(timex, _STATUS_AT).value
    return not status & _UNSYNCHRONISED


def _number(path: Path, base: int) -> int | None:
    try:
        return int(path.read_text().strip(), base)
    except (OSError, ValueError):
        return None
