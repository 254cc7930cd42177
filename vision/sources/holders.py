"""Who has a device open: a camera that is busy is held by somebody (C1)."""

import os
from pathlib import Path

PROCESSES = Path("/proc")


def holders(device: Path, processes: Path = PROCESSES) -> list[str]:
    """Other processes that have this device open, as `name (number)`.

    Only those whose handles this user may look at.
    """
    real = str(device.resolve())
    found = []
    for process in processes.glob("[0-9]*"):
        if process.name == str(os.getpid()):
            continue
        try:
            handles = [os.readlink(handle) for handle in (process / "fd").iterdir()]
            name = (process / "comm").read_text().strip()
        except OSError:
            continue
        if real in handles:
            found.append(f"{name} ({process.name})")
    return sorted(found)


def held_by(*devices: Path) -> str:
    """The end of a sentence about devices that will not open: who to end."""
    found = sorted({name for device in devices for name in holders(device)})
    if not found:
        return "plug it in again, or start this machine again"
    return f"it is held by {', '.join(found)}: end that first"
