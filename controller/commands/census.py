"""`carrom census IMAGE`: what lies on the table in one picture."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from calibration.refusal import Refusal

if TYPE_CHECKING:
    from vision.census import Counted
    from vision.frames import Image
    from vision.sightings import Census

Four = tuple[str, str, str, str]


def census(
    image: Annotated[Path, typer.Argument(help="A picture: JPEG, PNG, WebP, TIFF.")],
    corners: Annotated[
        Four | None,
        typer.Option(
            metavar="X,Y X,Y X,Y X,Y",
            help="The playing surface's corners: top left, right, bottom right, left.",
        ),
    ] = None,
    pocket_centres: Annotated[
        Four | None,
        typer.Option(
            metavar="X,Y X,Y X,Y X,Y",
            help="The pockets' centres: top left, right, bottom right, left.",
        ),
    ] = None,
    profile: Annotated[
        Path | None, typer.Option(help="The fixed camera's calibration profile.")
    ] = None,
    side_mm: Annotated[
        float, typer.Option(help="The playing surface's side in millimetres.")
    ] = 740.0,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object for machines.")
    ] = False,
    overlay: Annotated[
        Path | None,
        typer.Option(metavar="OUT.png", help="Draw what was seen into a picture."),
    ] = None,
) -> None:
    """Say which pieces lie where in one picture of a table."""
    given = [corners is not None, pocket_centres is not None, profile is not None]
    if sum(given) > 1:
        raise Refusal("give only one of --corners, --pocket-centres and --profile")
    from vision.pictures import read_picture

    picture = read_picture(image)
    counted = _counted(picture, corners, pocket_centres, profile, side_mm)
    if overlay is not None:
        _draw(picture, counted, overlay)
    if as_json:
        print(json.dumps(_as_dict(counted)))
    else:
        _print(counted)


def _counted(
    picture: "Image",
    corners: Four | None,
    pocket_centres: Four | None,
    profile: Path | None,
    side_mm: float,
) -> "Counted":
    from calibration.table import Table
    from vision import census

    if profile is not None:
        from calibration.profile import load

        height, width = picture.shape[:2]
        return census.by_profile(picture, load(profile, size_px=(width, height)))
    try:
        table = Table(side_mm=side_mm)
    except ValueError as error:
        raise Refusal(f"--side-mm: {error}") from None
    if corners is not None:
        return census.by_corners(picture, table, points_px("--corners", corners))
    if pocket_centres is not None:
        centres = points_px("--pocket-centres", pocket_centres)
        return census.by_pocket_centres(picture, table, centres)
    return census.by_search(picture, table)


def points_px(option: str, words: Four) -> list[tuple[float, float]]:
    """Pixels from words X,Y; Refusal for any other word."""
    return [_point(option, word) for word in words]


def _point(option: str, word: str) -> tuple[float, float]:
    try:
        x, y = (float(number) for number in word.split(","))
    except ValueError:
        raise Refusal(
            f"{option} takes four words X,Y in pixels, got {word!r}"
        ) from None
    return x, y


def _draw(picture: "Image", counted: "Counted", path: Path) -> None:
    from vision.overlay import draw_census
    from vision.pictures import write_picture

    drawn = draw_census(picture, counted.table, counted.mapping, counted.census)
    write_picture(path, drawn)


def _as_dict(counted: "Counted") -> dict[str, object]:
    return {
        "table": {
            "corners_px": [[round(x, 2), round(y, 2)] for x, y in counted.corners_px],
            "side_mm": counted.table.side_mm,
        },
        "pieces": pieces_as_dicts(counted.census),
    }


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


def _print(counted: "Counted") -> None:
    """A table for people: a row a piece, then how many of each."""
    from rich.console import Console
    from rich.table import Table as Sheet

    from calibration.table import STOCK, Piece

    sheet = Sheet(box=None, pad_edge=False)
    sheet.add_column("piece")
    for column in ("x mm", "y mm", "sure"):
        sheet.add_column(column, justify="right")
    sheet.add_column("where")
    for s in sorted(counted.census.pieces, key=lambda s: list(Piece).index(s.piece)):
        place = (f"{s.at.x_mm:.0f}", f"{s.at.y_mm:.0f}", f"{s.confidence:.0%}")
        sheet.add_row(str(s.piece), *place, str(s.where))
    console = Console(highlight=False)
    console.print(sheet)
    counts = (f"{counted.census.count(p)} of {n} {p}" for p, n in STOCK.items())
    console.print("On the table: " + ", ".join(counts))
