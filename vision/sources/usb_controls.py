"""Holds a USB camera's exposure, gain and white balance still.

Left to itself a webcam brightens, tints and slows down as hands and pieces come and
go (docs/failures.md, C7, V5). Everything automatic is switched off on every opening and
read back; what the driver cannot fix is said, never passed over.
"""

from vision.setup import CameraSetup
from vision.sources import v4l2
from vision.sources.v4l2 import Control, Device

NEEDED = (v4l2.EXPOSURE, v4l2.GAIN, v4l2.WHITE_BALANCE)
"""What a fixed picture cannot do without; the others exist on some cameras only."""
UNITS: dict[Control, tuple[int, str]] = {
    v4l2.EXPOSURE: (v4l2.EXPOSURE_US, " us"),
    v4l2.WHITE_BALANCE: (1, " K"),
}


def fix_controls(device: Device, setup: CameraSetup) -> tuple[str, ...]:
    """Fix all that can be fixed; a sentence for each needed control that was not."""
    faults = []
    for control, wanted in _wanted(setup):
        within = device.range_of(control)
        if within is None:
            if control in NEEDED:
                faults.append(f"the camera's {control.name} cannot be fixed")
            continue
        value = within.nearest(within.default if wanted is None else wanted)
        stands = device.fix(control, value)
        if control in NEEDED:
            faults += _difference(control, wanted, value, stands)
    return tuple(faults)


def drifted(device: Device, setup: CameraSetup) -> tuple[str, ...]:
    """A sentence for each needed control that no longer stands as it was fixed."""
    faults = []
    for control, wanted in _wanted(setup):
        if control not in NEEDED or wanted is None:
            continue
        within = device.range_of(control)
        if within is not None:
            stands = device.value_of(control)
            faults += _difference(control, wanted, within.nearest(wanted), stands)
    return tuple(faults)


def _wanted(setup: CameraSetup) -> list[tuple[Control, float | None]]:
    """In the order that drivers need: automatics first. None is the default."""
    return [
        (v4l2.AUTO_EXPOSURE, v4l2.MANUAL_EXPOSURE),
        (v4l2.DYNAMIC_RATE, 0),
        (v4l2.EXPOSURE, setup.exposure_us / v4l2.EXPOSURE_US),
        (v4l2.AUTO_GAIN, 0),
        (v4l2.GAIN, setup.driver_gain),
        (v4l2.AUTO_WHITE, 0),
        (v4l2.WHITE_BALANCE, setup.white_balance_k),
        (v4l2.MAINS, 1 if setup.mains_hz == 50 else 2),
        (v4l2.AUTO_FOCUS, 0),
        (v4l2.BACKLIGHT, 0),
    ]


def _difference(
    control: Control, wanted: float | None, value: int, stands: int | None
) -> list[str]:
    scale, unit = UNITS.get(control, (1, ""))
    if stands is None:
        return [f"the camera's {control.name} cannot be fixed"]
    asked = float(value) if wanted is None else wanted
    if abs(stands - asked) <= max(0.5, 0.05 * asked):
        return []
    fault = (
        f"the camera's {control.name} stands at {stands * scale}{unit} "
        f"instead of {asked * scale:g}{unit}"
    )
    return [fault]
