"""What is told of how good the pictures are, and when it is not good enough.

Apart from what measures it (`picture_health`), so that the controller, which only
reads it, loads none of the eyes' compiled kernels.
"""

from dataclasses import dataclass

DIM_GREY = 45.0
"""Below this black pieces and the holes of the pockets are one to the noise."""
DIM_SHARE = 0.45
"""Of the calibrated light: at 0.48 every piece is found, at 0.35 three in four
(bench/health.py; grey values, not light)."""
CLIPPED_SHARE = 0.01
"""A hundredth of the surface is the area of seven coins: they could lie in it."""
BLUR_COINS = 0.17
"""Blur (sigma) over the coin's radius at which phantoms appear: 1 in 20 at 0.18, none at
0.15, names right at both (bench/health.py)."""
DEFOCUS_COINS = 0.075
"""Blur that came since the calibration: from 0.08 on one centre in twenty is more than
1.1 mm off; at 0.04 none is (bench/health.py)."""
FLICKER_SHARE = 0.015
"""At 0.010 a still table costs what it costs without. At 0.022 half the frames look as if
something moved, 30 times a second, and a count takes five times as long; 60 times a
second that comes at 0.043 (bench/health.py)."""
DRIFT_MM = 1.5
"""As far as a census may be off. The eyes follow small movements meanwhile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureHealth:
    """What one second of pictures was worth; None is what they did not tell.

    `light` is the surface's median grey (0 to 255), `clipped` the share of it that is
    white to the limit, `blur_px` the width (sigma) of the sharpest edges and `blur`
    the same over a coin's radius, `flicker` the amplitude over the light. `drift_mm`
    is how far the camera's view of the pockets has moved since it was calibrated, `marks`
    how many of at most sixteen marks on the table say so.
    """

    at_s: float
    light: float
    clipped: float
    blur_px: float | None
    blur: float | None
    flicker: float | None
    drift_mm: float | None
    marks: int
    lit: float | None = None
    """`light` over that of the calibrated view."""
    defocus: float | None = None
    """What was added to the calibrated view's blur, over a coin's radius."""
    blocked: bool = False
    """No mark has been recognised for a while, by light to see them in."""

    @property
    def problems(self) -> tuple[str, ...]:
        """A sentence with the remedy for each thing that is not good enough."""
        found = []
        if self.light < DIM_GREY or (self.lit or 1.0) < DIM_SHARE:
            found.append(
                f"the table is dim (grey {self.light:.0f} of 255): more light, or a "
                "higher camera.gain and a new calibration"
            )
        if self.clipped > CLIPPED_SHARE:
            found.append(
                f"{self.clipped:.0%} of the surface is white to the limit: shade the "
                "lamp, or a shorter camera.exposure_us"
            )
        if (self.blur or 0.0) > BLUR_COINS or (self.defocus or 0.0) > DEFOCUS_COINS:
            found.append(
                f"the picture is blurred ({self.blur_px:.1f} px): focus the lens or "
                "clean it"
            )
        if self.flicker is not None and self.flicker > FLICKER_SHARE:
            found.append(
                f"the light flickers by {self.flicker:.0%}: use lamps without flicker "
                "(DC), or camera.exposure_us of one lamp period (10000 at 50 Hz)"
            )
        if self.drift_mm is not None and self.drift_mm > DRIFT_MM:
            found.append(
                f"the camera has moved by {self.drift_mm:.1f} mm since it was calibrated: "
                "calibrate again before the next match"
            )
        if self.blocked:
            found.append(
                "the table's marks are not seen: clear the view, or calibrate again if "
                "the camera was moved far or turned"
            )
        return tuple(found)
