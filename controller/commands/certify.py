"""`carrom certify`: the table and its set-up against the laws, before a match."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from calibration.refusal import Refusal

if TYPE_CHECKING:
    from controller.certificate import Item


def certify(
    config: Annotated[
        Path | None,
        typer.Option(help="The table's configuration: names its profile."),
    ] = None,
    profile: Annotated[
        Path | None, typer.Option(help="The table's calibration profile.")
    ] = None,
    recording: Annotated[
        Path | None,
        typer.Option(
            metavar="VIDEO",
            help="Play filmed by this camera: one hard stroke of the striker alone for "
            "the speed, a board or more for level and friction.",
        ),
    ] = None,
    html: Annotated[
        Path | None, typer.Option(help="Write the page to print as HTML.")
    ] = None,
    pdf: Annotated[
        Path | None, typer.Option(help="Write it as PDF (needs chromium).")
    ] = None,
    by: Annotated[str, typer.Option(help="Who certifies.")] = "",
    keep: Annotated[
        bool,
        typer.Option(help="Keep it beside the profile, for the next match's record."),
    ] = True,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object for machines.")
    ] = False,
) -> None:
    """Check a table before a match: sizes, speed, level, light and camera.

    From the calibration profile and, if there is one, a recording of play; what they
    cannot tell is listed as not measured. `carrom run` puts the certificate that is
    kept beside its profile on the match's record. Sizes are read from a picture, to
    about a millimetre; how hard a stroke was, only the player knows.
    """
    from controller.certificate import certify as check
    from controller.certificate_file import Certificate, write
    from controller.certificate_page import heading, page
    from controller.scoresheet.printing import print_page

    where = _profile(config, profile)
    from calibration.profile import checksum_of, load

    loaded = load(where)
    play = None
    if recording is not None:
        from controller.played import play_of

        play = play_of(recording, loaded)
    name = "" if play is None else play.name
    made = Certificate.of(check(loaded, play), checksum_of(where), by, name)
    head = heading(made, loaded)
    if html is not None:
        _write(html, page(made.items, head))
    if pdf is not None:
        print_page(page(made.items, head), pdf)
    if keep:
        write(made, where)
    print(json.dumps(made.as_dict())) if as_json else _show(made.items, made.summary)


def _profile(config: Path | None, profile: Path | None) -> Path:
    if (config is None) == (profile is None):
        raise Refusal("name the table: either --config FILE or --profile FILE")
    if profile is not None:
        return profile
    from controller.config import load

    assert config is not None
    return load(config).profile


def _write(path: Path, text: str) -> None:
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Refusal(f"cannot write {path}: {error.strerror}") from error


def _show(items: "tuple[Item, ...]", summary: str) -> None:
    from rich.console import Console
    from rich.table import Table as Grid

    console = Console(highlight=False)
    grid = Grid("", "measured", "should be", "finding")
    for item in items:
        measured = "\n".join(filter(None, (item.measured, f"[dim]{item.note}[/]")))
        grid.add_row(item.name, measured, item.limit, item.finding)
    console.print(grid)
    console.print(f"[bold]{summary}[/]")
