"""The node's real image in an emulated ATmega328P, from Python.

`build` makes image and emulator once for each state of their sources; `Emulator`
starts one. Times are microseconds of the chip's crystal since power came on.
"""

import hashlib
import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

FIRMWARE = Path(__file__).parents[1]
NEEDS = ("avr-gcc", "gcc", "make")
RAM_BYTES = 2048
FLASH_BYTES = 32768
EEPROM_BYTES = 1024


def missing() -> str | None:
    """What has to be installed before anything can be emulated; None when nothing."""
    absent = [tool for tool in NEEDS if shutil.which(tool) is None]
    if not Path("/usr/include/simavr/sim_avr.h").exists():
        absent.append("libsimavr-dev")
    return f"not installed: {', '.join(absent)}" if absent else None


def build(target: str = "avr emulator") -> Path:
    """Make images; the folder they are in, named after their sources."""
    kinds = {".c", ".h", ".S", ".ld"}
    sources = sorted(p for p in FIRMWARE.rglob("*") if p.suffix in kinds)
    digest = hashlib.sha256()
    for path in [*sources, FIRMWARE / "port/rp2040/uf2.py", FIRMWARE / "Makefile"]:
        digest.update(str(path.relative_to(FIRMWARE)).encode() + path.read_bytes())
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache"))
    folder = cache / "carrom-umpire" / f"{digest.hexdigest()[:16]}-{target.split()[-1]}"
    if not folder.exists():
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent) as fresh:
            command = [
                "make",
                "-C",
                str(FIRMWARE),
                f"OUT={fresh}/made",
                *target.split(),
            ]
            made = subprocess.run(command, capture_output=True, text=True, check=False)
            if made.returncode != 0:
                raise RuntimeError(made.stderr)
            if not folder.exists():
                Path(fresh, "made").rename(folder)
    return folder


@dataclass(frozen=True, slots=True, kw_only=True)
class Fall:
    """A round piece on its way through a pocket; see optics.h."""

    pocket: int
    at_us: float
    diameter_mm: float = 31.8
    thick_mm: float = 8.0
    tilt_deg: float = 0.0
    offset_mm: float = 0.0
    speed_mm_s: float = 1000.0
    g_mm_s2: float = 9810.0
    albedo: float = 0.7
    slope: float = 0.0
    floor_mm: float = 60.0
    bounce: float = 0.0


@dataclass(frozen=True, slots=True)
class SentFrame:
    """A frame on its way out: the node's times, and when the terminal had it."""

    kind: int
    first_us: float
    last_us: float
    wall_s: float


class Emulator:
    """One emulated node; `realtime` has it keep to the wall clock on a terminal.

    There it is at `port`, and its crystal began to swing at `began_s`, in seconds of
    the host's monotonic clock.
    """

    def __init__(self, folder: Path, *, realtime: bool = False, seed: int = 1) -> None:
        self.image = folder / "node-nano.elf"
        command = [str(folder / "emulator"), str(self.image)]
        self._process = subprocess.Popen(
            [*command, *(["realtime"] if realtime else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.port: str | None = None
        if realtime:
            self.port, began_s = self._answer().split()
            self.began_s = float(began_s)
        self._tell(f"seed {seed}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Switch it off."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    @property
    def now_us(self) -> float:
        """The emulated time."""
        return float(self._tell("time"))

    def run_to(self, at_us: float) -> bytes:
        """Run until a time; the bytes the node has sent."""
        self._tell(f"run {at_us:.3f}")
        return bytes.fromhex(self._tell("take"))

    def send(self, data: bytes) -> None:
        """Have the host's bytes arrive from now on, as fast as the line carries them."""
        if data:
            self._tell(f"bytes {data.hex()}")

    def frames(self) -> list[SentFrame]:
        """The frames that went to the terminal since this was asked last."""
        told = self._tell("frames")
        each = (one.split() for one in told.split(",") if one)
        return [SentFrame(int(kind), *map(float, times)) for kind, *times in each]

    @property
    def thread_ids(self) -> list[int]:
        """Its threads as the system numbers them."""
        return [
            int(one.name) for one in Path(f"/proc/{self._process.pid}/task").iterdir()
        ]

    def fall(self, fall: Fall) -> None:
        """Let a piece fall."""
        self._tell(
            f"fall {fall.pocket} {fall.at_us:.3f} {fall.diameter_mm} {fall.thick_mm} "
            f"{fall.tilt_deg} {fall.offset_mm} {fall.speed_mm_s} {fall.g_mm_s2} "
            f"{fall.albedo} {fall.slope} {fall.floor_mm} {fall.bounce}"
        )

    def change(self, pocket: int, at_us: float, **values: float) -> None:
        """Change a pocket's parts or surroundings at a time; names as in optics.h."""
        for name, value in values.items():
            self._tell(f"set {pocket} {at_us:.3f} {name} {value}")

    def reset(self, flags: int) -> None:
        """Reset the chip; `flags` as MCUSR tells them (1 power, 2 pin, 4 brown-out)."""
        self._tell(f"reset {flags}")

    def hang(self) -> None:
        """Catch the main loop in an endless one."""
        self._tell(f"jump {self.symbol('__stop_program')}")

    def write_eeprom(self, address: int, data: bytes) -> None:
        """Put bytes into the EEPROM."""
        self._tell(f"eeprom {address} {data.hex()}")

    def read_eeprom(self, address: int, count: int) -> bytes:
        """Bytes of the EEPROM."""
        whole = bytes.fromhex(self._tell("eeprom"))
        return whole[address : address + count]

    def peek(self, address: int) -> int:
        """One byte of data memory."""
        return int(self._tell(f"peek {address}"))

    def paint_stack(self) -> None:
        """Fill the memory between variables and stack with a pattern."""
        self._tell(f"paint {self.symbol('_end')}")

    def stack_used(self) -> int:
        """Bytes of the stack that were written since it was painted."""
        return int(self._tell(f"unpainted {self.symbol('_end')}"))

    def symbol(self, name: str) -> int:
        """A symbol's address, data addresses as the chip counts them."""
        listed = subprocess.run(
            ["avr-nm", str(self.image)], capture_output=True, text=True, check=True
        ).stdout
        for line in listed.splitlines():
            address, *_, found = line.split()
            if found == name:
                return int(address, 16) & 0xFFFF
        raise KeyError(name)

    def _tell(self, command: str) -> str:
        assert self._process.stdin is not None
        self._process.stdin.write(command + "\n")
        self._process.stdin.flush()
        return self._answer()

    def _answer(self) -> str:
        assert self._process.stdout is not None
        answer = self._process.stdout.readline()
        if not answer or answer.startswith("error"):
            raise RuntimeError(f"emulator: {answer.strip() or 'it stopped'}")
        return answer.strip()
