"""`carrom census IMAGE`: what lies on the table in one picture."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from calibration.refusal import Refusal
from controller.commands.where import (
    Corners,
    PocketCentres,
    ProfileFile,
    SideMm,
    Where,
    spare,
)

if TYPE_CHECKING:
    from calibration.find import FoundTable
    from vision.frames import Image
    from vision.located import Located
    from vision.sightings import Census


def census(
    image: Annotated[
        Path | None, typer.Argument(help="A picture: JPEG, PNG, WebP, TIFF.")
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(help="Take the picture with this configuration's camera."),
    ] = None,
    corners: Corners = None,
    pocket_centres: PocketCentres = None,
    profile: ProfileFile = None,
    side_mm: SideMm = 740.0,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object for machines.")
    ] = False,
    overlay: Annotated[
        Path | None,
        typer.Option(metavar="OUT.png", help="Draw what was seen into a picture."),
    ] = None,
) -> None:
    """Say which pieces lie where in one picture of a table.

    Told nothing of the table's place, it finds the table itself, or says that there
    is none.
    """
    where = Where(corners, pocket_centres, profile, side_mm)
    spare("--overlay", overlay, image, profile)
    from vision.census import burnt_share, census_of
    from vision.outages import shows_nothing
    from vision.pictures import read_picture

    if (image is None) == (config is None):
        raise Refusal("name one picture, or --config FILE to take one with its camera")
    picture = _taken(config) if config is not None else read_picture(image or Path())
    located = where.locate(picture)
    if (blind := shows_nothing(picture[..., 1])) is not None:
        raise Refusal(f"{image or config}: {blind}")
    seen = census_of(picture, located)
    if (share := burnt_share(picture, located)) > MOST_BURNT:
        print(
            f"carrom: {image or config}: {share:.0%} of the table is white to the limit, "
            "so names are guesses: expose less",
            file=sys.stderr,
        )
    if overlay is not None:
        from vision.overlay import draw_census
        from vision.pictures import write_picture

        drawn = draw_census(picture, located.table, located.mapping, seen)
        write_picture(overlay, drawn)
    if as_json:
        print(json.dumps(_as_dict(located, seen)))
    else:
        _print(located, seen)


MOST_BURNT = 0.05
"""Share of a table at its limit from which that is said."""
SETTLED_FRAMES = 30
"""A camera's fixed values have reached the sensor by then."""


def _taken(config: Path) -> "Image":
    from controller.app_start import camera_setup
    from controller.config import load
    from vision.capture import capture

    settings = load(config)
    setup = camera_setup(settings.camera)
    return capture(setup, settings.table.geometry(), SETTLED_FRAMES)[-1].image


def _as_dict(located: "Located", seen: "Census") -> dict[str, object]:
    from vision.located import corners_px

    table: dict[str, object] = {
        "corners_px": [[round(x, 2), round(y, 2)] for x, y in corners_px(located)],
        "side_mm": located.table.side_mm,
    }
    if located.found is not None:
        table["found"] = {
            "sure": located.found.sure,
            "residual_mm": round(located.found.residual_mm, 2),
            "measured": _measured(located.found),
        }
    return {"table": table, "pieces": pieces_as_dicts(seen)}


def _measured(found: "FoundTable") -> dict[str, float]:
    """The sizes that the picture showed, by the table's own words for them."""
    return {name: getattr(found.table, name) for name in sorted(found.measured)}


def pieces_as_dicts(census: "Census") -> list[dict[str, object]]:
    """Every piece as the command line's JSON shows it."""
    return [
        {
            "piece": str(s.piece),
            "x_px": round(s.x_px, 2),
            "y_px": round(s.y_px, 2),
            "r_px": round(s.r_px, 2),
            "x_mm": round(s.at.x_mm, 2),
            "y_mm": round(s.at.y_mm, 2),
            "confidence": round(s.confidence, 3),
            "where": str(s.where),
        }
        for s in census.pieces
    ]


def _print(located: "Located", seen: "Census") -> None:
    """A table for people: a row a piece, then how many of each."""
    from rich.console import Console
    from rich.table import Table as Sheet

    from calibration.table import STOCK, Piece

    sheet = Sheet(box=None, pad_edge=False)
    sheet.add_column("piece")
    for column in ("x mm", "y mm", "sure"):
        sheet.add_column(column, justify="right")
    sheet.add_column("where")
    for s in sorted(seen.pieces, key=lambda s: list(Piece).index(s.piece)):
        place = (f"{s.at.x_mm:.0f}", f"{s.at.y_mm:.0f}", f"{s.confidence:.0%}")
        sheet.add_row(str(s.piece), *place, str(s.where))
    console = Console(highlight=False)
    console.print(sheet)
    counts = (f"{seen.count(p)} of {n} {p}" for p, n in STOCK.items())
    console.print("On the table: " + ", ".join(counts))
    if located.found is not None:
        console.print(_how_found(located.found))


def _how_found(found: "FoundTable") -> str:
    sizes = (
        f"{name.removesuffix('_mm').replace('_', ' ')} {size:.0f}"
        for name, size in _measured(found).items()
    )
    said = (
        f"Table found, {found.sure:.0%} sure; its marks fit to "
        f"{found.residual_mm:.1f} mm for a side of {found.table.side_mm:.0f} mm"
    )
    return ", ".join([said, *sizes])
