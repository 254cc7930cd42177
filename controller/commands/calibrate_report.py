"""What `carrom calibrate` says: for people, and as one JSON object."""

from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table as Grid

from controller.calibration_shown import SIZES

if TYPE_CHECKING:
    from calibration.charuco import LensFit
    from calibration.steps import Calibrated


def print_lens(lens: "LensFit") -> None:
    """Every view, the coverage map, and what the lens is or lacks."""
    console = Console(highlight=False)
    grid = Grid("picture", "corners", "blur px", "residual px", "what is wrong")
    for view in lens.views:
        rms = "" if view.rms_px is None else f"{view.rms_px:.2f}"
        corners = str(view.corners)
        grid.add_row(
            view.name, corners, f"{view.blur_px:.1f}", rms, view.fault or "nothing"
        )
    console.print(grid)
    console.print("Corners seen in each part of the picture:")
    for row in lens.coverage:
        console.print("  " + " ".join(f"{count:5}" for count in row))
    if lens.prior is not None and lens.rms_px is not None and not lens.faults:
        found = lens.prior.lens
        console.print(
            f"Lens measured to {lens.rms_px:.2f} px: focal length {found.focal_px:.1f} "
            f"px, k1 {found.k1:+.3f}, k2 {found.k2:+.3f}"
        )


def show(done: "Calibrated", saved: Path | None) -> None:
    """The verdict first, then the figures it rests on."""
    console = Console(highlight=False)
    fitted, a = done.fitted, done.accuracy
    words = {
        "placement calls": "[bold]Trusted for positions and placement calls[/]",
        "positions": "[bold]Trusted for positions, not for placement calls[/]",
        "nothing": "[bold]Not to be trusted[/]",
    }
    console.print(words[done.verdict] + f": {done.reason}.")
    grid = Grid("a coin's centre would be wrong by", "mean mm", "95 of 100, mm")
    grid.add_row("this calibration (expected)", f"{a.mean_mm:.2f}", f"{a.p95_mm:.2f}")
    grid.add_row(
        "this camera, height of the pieces ignored",
        *(f"{a.no_height_mean_mm:.2f}", f"{a.no_height_p95_mm:.2f}"),
    )
    grid.add_row(
        "four corners alone (homography)",
        *(f"{a.four_corners_mean_mm:.2f}", f"{a.four_corners_p95_mm:.2f}"),
    )
    console.print(grid)
    x, y, z = fitted.mapping.camera_mm
    lens = fitted.mapping.lens
    told = "the ChArUco board" if done.lens is not None else "the table's marks"
    console.print(
        f"Camera {z:.0f} mm above the surface, over {x:+.0f}, {y:+.0f} mm; lens from "
        f"{told}: focal length {lens.focal_px:.0f} px, k1 {lens.k1:+.3f}, k2 {lens.k2:+.3f}"
    )
    _show_sizes(console, done)
    _show_marks(console, done)
    _show_light(console, done)
    if saved is not None:
        console.print(f'Profile written: {saved} (set calibration = "{saved}")')


def _show_sizes(console: Console, done: "Calibrated") -> None:
    grid = Grid("this table's sizes", "mm")
    for size, words in SIZES.items():
        grid.add_row(words, f"{getattr(done.fitted.table, size):.1f}")
    console.print(grid)


def _show_marks(console: Console, done: "Calibrated") -> None:
    """Marks that stand out; the rest in one line."""
    grid = Grid("mark", "seen", "printed off, mm", "residual, mm")
    for mark in done.fitted.marks:
        if mark.seen < mark.stations or mark.off_mm > 0.5 or mark.rest_mm > 0.3:
            seen = f"{mark.seen} of {mark.stations}"
            grid.add_row(mark.name, seen, f"{mark.off_mm:.2f}", f"{mark.rest_mm:.2f}")
    count = len(done.fitted.marks)
    console.print(
        f"{count - grid.row_count} of {count} marks seen whole and in place; "
        f"residual {done.fitted.residual_mm:.2f} mm"
    )
    if grid.row_count:
        console.print(grid)


def _show_light(console: Console, done: "Calibrated") -> None:
    light = done.light
    darkest = min(share for row in light.evenness for share in row)
    flicker = "not told by these pictures"
    if light.flicker is not None:
        flicker = f"{light.flicker:.1%} ({light.flicker_mains_hz} Hz mains)"
    blur = "not seen" if light.blur_px is None else f"{light.blur_px:.1f} px"
    console.print(
        f"Light: wood at {light.wood_grey:.0f} of 255, darkest part {darkest:.0%} of the "
        f"brightest, flicker {flicker}, edges {blur} soft"
    )
    for remedy in light.remedies or ("nothing to change",):
        console.print(f"  - {remedy}")
