"""The firmware's link, compiled for this machine, in the place of a simulated node.

`CompiledNode` is used as `SimulatedNode` is: the same calls, but what answers is
firmware/src/link.c. Undefined behaviour in it ends the process at once.
"""

import shutil
import subprocess
import tempfile
from ctypes import (
    CDLL,
    POINTER,
    c_bool,
    c_char_p,
    c_size_t,
    c_uint8,
    c_uint16,
    c_uint32,
    c_uint64,
    c_void_p,
    create_string_buffer,
)
from functools import cache
from pathlib import Path

import pytest

from calibration.table import Pocket
from controller.pockets import messages as wire
from controller.pockets.simulated import COIN_WIDTH_US
from controller.pockets.siphash import KEY_BYTES

FIRMWARE = Path(__file__).resolve().parents[1]
STRICT = "-std=c99 -Wall -Wextra -pedantic -Wmissing-prototypes -Wconversion -Werror"
SANITIZERS = "-fsanitize=address,undefined -fno-sanitize-recover=all"
LINK = ("src/frame.c", "src/link.c", "src/siphash.c", "tests/bare_node.c")
NEEDS_GCC = pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
MOST = 4096
"""Bytes of the longest answer to one poll: 32 reports and what else is due."""
SIGNATURES = {
    "bare_new": (c_void_p, c_uint64, c_uint16, c_uint8, c_uint32),
    "bare_free": (None, c_void_p),
    "bare_restart": (None, c_void_p, c_uint8, c_uint32),
    "bare_receive": (None, c_void_p, c_char_p, c_size_t, c_uint32),
    "bare_poll": (c_size_t, c_void_p, c_uint32, c_char_p, c_size_t),
    "bare_report": (c_bool, c_void_p, c_uint8, c_uint8, c_uint32, c_uint32),
    "bare_health": (None, c_void_p, c_uint8, c_uint8),
    "bare_losses": (None, c_void_p, c_uint16, c_uint16, c_uint8),
    "bare_pending": (c_uint32, c_void_p),
    "bare_device": (c_uint64, c_void_p),
    "bare_boot": (c_uint16, c_void_p),
    "bare_bodies": (c_size_t, c_char_p, c_size_t, c_char_p, POINTER(c_uint32)),
    "bare_key": (c_bool, c_void_p, c_char_p),
    "bare_label": (c_uint8, c_void_p),
}


def build(
    sources: tuple[str, ...], program: Path, *options: str, firmware: Path = FIRMWARE
) -> Path:
    """Compile sources of the firmware for this machine; every warning is an error."""
    paths = [str(firmware / source) for source in sources]
    includes = [f"-I{firmware / folder}" for folder in ("src", "tests", "emulator")]
    command = ["gcc", *STRICT.split(), "-O1", "-g", *includes, *options, *paths]
    subprocess.run([*command, "-lm", "-o", str(program)], check=True)
    return program


@cache
def library(firmware: Path = FIRMWARE) -> CDLL:
    """The link as a shared library that traps on undefined behaviour."""
    traps = "-shared -fPIC -fsanitize=undefined -fsanitize-undefined-trap-on-error"
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "link.so"
        loaded = CDLL(str(build(LINK, made, *traps.split(), firmware=firmware)))
    for name, (result, *arguments) in SIGNATURES.items():
        function = getattr(loaded, name)
        function.restype, function.argtypes = result, arguments
    return loaded


def bodies(data: bytes) -> tuple[list[bytes], int]:
    """What the firmware's reader makes of these bytes: bodies, and how many damaged."""
    out, damaged = create_string_buffer(2 * len(data) + 2), c_uint32()
    size = library().bare_bodies(data, len(data), out, damaged)
    found, at = [], 0
    while at < size:
        end = at + 1 + out.raw[at]
        found.append(out.raw[at + 1 : end])
        at = end
    return found, damaged.value


class CompiledNode:
    """One node whose link is the firmware's; see SimulatedNode for the arguments.

    `firmware` is the folder it is built from.
    """

    def __init__(
        self,
        device: int = 0xCA44_0000_0000_0001,
        boot: int = 1,
        *,
        started_s: float = 0.0,
        drift: float = 0.0,
        tick_us: int = 0,
        firmware: Path = FIRMWARE,
    ) -> None:
        self._started_s = started_s
        self._drift = drift
        self._tick_us = tick_us
        self._c = library(firmware)
        self._out = create_string_buffer(MOST)
        power = wire.ResetCause.POWER
        self._node = self._c.bare_new(device, boot, power, self.tick_us(started_s))

    def __del__(self) -> None:
        if hasattr(self, "_node"):
            self._c.bare_free(self._node)

    @property
    def device(self) -> int:
        return int(self._c.bare_device(self._node))

    @property
    def boot(self) -> int:
        return int(self._c.bare_boot(self._node))

    @property
    def label(self) -> int:
        return int(self._c.bare_label(self._node))

    @property
    def key(self) -> bytes | None:
        """The key in its EEPROM."""
        key = create_string_buffer(KEY_BYTES)
        held = self._c.bare_key(self._node, key)
        return key.raw if held else None

    @property
    def pending(self) -> int:
        """How many reports wait for their acknowledgement."""
        return int(self._c.bare_pending(self._node))

    def pulse(
        self,
        pocket: Pocket,
        at_s: float,
        width_us: int = COIN_WIDTH_US,
        looks: wire.Looks = wire.Looks.ONE_COIN,
    ) -> None:
        """A piece broke this pocket's beam at `at_s`; the link has its report now."""
        channel = list(Pocket).index(pocket)
        tick_us = self.tick_us(at_s)
        self._c.bare_report(self._node, channel, looks, tick_us, width_us)

    def set_health(self, pocket: Pocket, health: wire.Health) -> None:
        """Put a pocket's sensor in another state."""
        self._c.bare_health(self._node, list(Pocket).index(pocket), health)

    def lose(
        self, *, overruns: int = 0, implausible: int = 0, channel: int = 0
    ) -> None:
        """Set the totals of what the sensors lost since the start."""
        self._c.bare_losses(self._node, overruns, implausible, channel)

    def reset(
        self, at_s: float, cause: wire.ResetCause = wire.ResetCause.EXTERNAL
    ) -> None:
        """Start anew: what was not acknowledged is gone, the boot counter goes up."""
        self._started_s, self._tick_us = at_s, 0
        self._c.bare_restart(self._node, cause, 0)

    def tick_us(self, at_s: float) -> int:
        """What the node's clock shows at a host time."""
        elapsed_us = round((at_s - self._started_s) * (1 + self._drift) * 1e6)
        return (self._tick_us + elapsed_us) % 2**32

    def receive(self, data: bytes, at_s: float) -> None:
        """Bytes from the host, cut anywhere."""
        self._c.bare_receive(self._node, data, len(data), self.tick_us(at_s))

    def poll(self, at_s: float) -> bytes:
        """The bytes the node sends by now."""
        size = self._c.bare_poll(self._node, self.tick_us(at_s), self._out, MOST)
        return self._out.raw[:size]
