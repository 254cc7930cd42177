"""Serial adapters that are plugged in but have no port.

brltty takes cheap adapters for Braille displays seconds after they were plugged in;
their ports then vanish.
"""

from pathlib import Path

USB = Path("/sys/bus/usb/devices")
MAKERS = {"1a86": "CH340", "10c4": "CP210x", "0403": "FTDI"}
"""Whose adapters brltty's rules name."""


def without_port(devices: Path = USB) -> tuple[str, ...]:
    """Adapters that no driver made a port for, as the system lists them."""
    found = []
    for device in sorted(devices.glob("*/idVendor")):
        kind = MAKERS.get(device.read_text(encoding="ascii").strip())
        ports = devices.glob(f"{device.parent.name}:*/ttyUSB*")
        if kind is not None and not any(ports):
            found.append(kind)
    return tuple(found)


def no_port(place: str, remedy: str, devices: Path = USB) -> str:
    """Why a folder holds no serial port, and what to do."""
    taken = without_port(devices)
    if not taken:
        return f"no serial port in {place}: {remedy}"
    return (
        f"no serial port in {place}, although an adapter is plugged in "
        f"({', '.join(taken)}): brltty may have taken it; sudo ln -s /dev/null "
        "/etc/udev/rules.d/90-brltty-usb-generic.rules, then plug it in again"
    )
