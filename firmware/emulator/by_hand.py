"""An emulated node to try carrom's commands on, with pieces dropped by hand.

    python -m firmware.emulator.by_hand

It tells its port. Then 0 to 3 and Enter drop a coin through that channel, s0 to s3 a
striker, r resets the node; Ctrl-D or Ctrl-C ends it.
"""

import contextlib
import sys

from firmware.emulator.emulator import Emulator, Fall, build, missing

SOON_US = 100_000
EXTERNAL = 2
"""The reset pin's bit in MCUSR."""
STRIKER = {"diameter_mm": 41.3, "thick_mm": 9.0}
KEYS = "0 to 3: a coin there; s0 to s3: a striker; r: reset; Ctrl-D: end"


def obey(emulator: Emulator, line: str) -> None:
    """Do what one line says, or say what a line may be."""
    how = STRIKER if line.startswith("s") else {}
    channel = line.removeprefix("s")
    if line == "r":
        emulator.reset(EXTERNAL)
    elif channel in ("0", "1", "2", "3"):
        at_us = emulator.now_us + SOON_US
        emulator.fall(Fall(pocket=int(channel), at_us=at_us, **how))
    else:
        print(KEYS, flush=True)


def main() -> None:
    """Build, switch on, and do what is typed."""
    if lacking := missing():
        sys.exit(f"{lacking}: systemd/prepare test installs all of it")
    with Emulator(build(), realtime=True) as emulator:
        print(f"carrom pockets --port {emulator.port}\n{KEYS}", flush=True)
        with contextlib.suppress(KeyboardInterrupt):
            for line in sys.stdin:
                obey(emulator, line.strip())


if __name__ == "__main__":
    main()
