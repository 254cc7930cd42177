"""`carrom calibrate` in a terminal: leads a person from a cleared table to a profile.

Asks only for what a picture cannot tell, one thing at a time; a slip of the keys is
asked again. A profile that is replaced is kept beside the new one, as on the page.
"""

import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import typer

from calibration.refusal import Refusal
from calibration.table import Pocket, Table

if TYPE_CHECKING:
    from calibration.steps import Asked, Calibrated
    from controller.config import Config

SIDE_MM, HEIGHT_MM = (300.0, 1200.0), (200.0, 5000.0)


def lead(asked: "Asked", *, side_given: bool) -> "Asked":
    """What has to be so before the pictures, and the lengths only a person knows.

    `side_given`: the side was named on the command line and is not asked for.
    """
    typer.echo("Clear the table: no pieces, no hands, no powder heaps.")
    typer.echo("Light it as in play; focus the camera and fix the focus.")
    table, height_mm = asked.table, asked.height_mm
    if not side_given:
        table = _side_of(table)
    if height_mm is None and asked.lens is None:
        height_mm = typer.prompt(
            "Lens to surface by tape, in mm (Enter: not known)",
            default="",
            show_default=False,
            value_proc=lambda said: _length(said, HEIGHT_MM) if said.strip() else None,
        )
    return replace(asked, table=table, height_mm=height_mm)


def fitted(fit: "Callable[[], Calibrated]") -> "Calibrated":
    """Take the pictures and fit, again and again while the person wants to.

    Raises the last Refusal once not.
    """
    while True:
        typer.prompt("Press Enter to take the pictures", default="", show_default=False)
        typer.echo("Taking pictures, then fitting: some seconds ...")
        try:
            return fit()
        except Refusal as refusal:
            typer.echo(f"{refusal}.")
            if not typer.confirm("Try again?", default=True):
                raise


def offer_to_save(done: "Calibrated", settings: "Config", by: str) -> None:
    """Write the profile if the person wants it, where the configuration has it.

    Raises Refusal when it cannot be written.
    """
    if done.verdict == "nothing":
        typer.echo("Not saved: it is not to be trusted. Change what is named above.")
        return
    path = settings.profile
    if not typer.confirm(f"Write the profile {path}?", default=True):
        return
    if not by:
        by = typer.prompt(
            "Who calibrates, for the record (Enter: nobody)",
            default="",
            show_default=False,
        )
    _keep(done, settings, by.strip())


def _keep(done: "Calibrated", settings: "Config", by: str) -> None:
    from controller.app_start import SOFTWARE, VERSION, camera_name, fixed_in
    from controller.calibration_work import Keeping, keep, pieces_on

    camera = settings.camera
    kept = keep(
        Keeping(
            kept=pickle.dumps(done),
            path=settings.profile,
            camera=camera_name(camera),
            by=by,
            software=f"{SOFTWARE} {VERSION}",
            fixed=fixed_in(camera),
            cleared=not pieces_on(done),
            pockets=_proved(settings),
        )
    )
    former = "" if kept.former is None else f"; the old one is {kept.former.name}"
    typer.echo(f"Saved {settings.profile}, {kept.trusted}{former}.")
    typer.echo("A match that runs takes it up at its next start.")


def _proved(settings: "Config") -> dict[Pocket, int] | None:
    """The pockets proved in the profile in use, if South still sits at the bottom."""
    from controller.app_start import profile_in_use
    from controller.pocket_proofs import PocketProofs

    proofs = PocketProofs(settings.pockets.channels, profile_in_use(settings))
    proofs.seat("bottom")
    return proofs.whole


def _side_of(table: Table) -> Table:
    side_mm: float = typer.prompt(
        "Side of the playing surface by ruler, frame to frame, in mm",
        default=f"{table.side_mm:g}",
        value_proc=lambda said: _length(said, SIDE_MM),
    )
    return replace(table, side_mm=side_mm)


def _length(said: str, within: tuple[float, float]) -> float:
    """A length as typed; typer asks again when it is none."""
    least, most = within
    try:
        length = float(said.strip().removesuffix("mm").replace(",", "."))
    except ValueError:
        raise typer.BadParameter(f"a number in mm, got {said.strip()!r}") from None
    if not least <= length <= most:
        raise typer.BadParameter(f"{least:g} to {most:g} mm, got {length:g}")
    return length
