"""The Pico's real image in rp2040js, from Python.

rp2040js is an npm package: `CARROM_RP2040JS` names the folder whose node_modules has it.
"""

import os
import shutil
import subprocess
from pathlib import Path

from firmware.emulator.emulator import Emulator, build

HERE = Path(__file__).parent
FOLDER = "CARROM_RP2040JS"
VERSION = "1.4.1"


def missing() -> str | None:
    """What has to be installed before anything can be emulated; None when nothing."""
    absent = [t for t in ("arm-none-eabi-gcc", "node") if shutil.which(t) is None]
    folder = os.environ.get(FOLDER)
    if folder is None or not Path(folder, "node_modules/rp2040js").exists():
        absent.append(f"rp2040js (make rp2040, or {FOLDER}=folder)")
    return f"not installed: {', '.join(absent)}" if absent else None


def images() -> Path:
    """The folder of the Pico's image."""
    return build("rp2040")


class PicoEmulator(Emulator):
    """One emulated Pico, used as the Nano's; what only an AVR has, it has not."""

    def __init__(self, folder: Path, *, seed: int = 1) -> None:
        self.image = folder / "node-pico.bin"
        # Node looks for packages from where a script lies, so it is fed the script.
        modules = Path(os.environ[FOLDER], "node_modules").resolve()
        script = (HERE / "emulator.mjs").read_text(encoding="utf-8")
        main = f"{modules}/rp2040js/dist/esm/index.js"
        script = script.replace("from 'rp2040js'", f"from 'file://{main}'")
        self._process = subprocess.Popen(
            ["node", "--input-type=module", "-e", script, "emulator", str(self.image)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.port = None
        self._tell(f"seed {seed}")

    @property
    def kept(self) -> bytes:
        """The part of flash in which the node keeps what an AVR has in EEPROM."""
        return bytes.fromhex(self._tell("kept"))

    def keep(self, data: bytes) -> None:
        """Put it there, before the chip has begun."""
        self._tell(f"keep {data.hex()}")

    def hang(self) -> None:
        """Catch the main loop in an endless one; interrupts go on."""
        self._tell("hang")
