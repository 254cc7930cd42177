"""`carrom calibrate`: what this table and this camera are, and how far to trust it."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from calibration.refusal import Refusal
from controller.commands.where import Four, points_px, spare

if TYPE_CHECKING:
    from calibration.charuco import LensFit
    from calibration.profile import Fixed
    from calibration.steps import Calibrated
    from calibration.table import Table
    from controller.config import Config
    from vision.frames import Image


def calibrate(
    config: Annotated[
        Path | None,
        typer.Option(help="The table's configuration: its camera is used."),
    ] = None,
    image: Annotated[
        Path | None,
        typer.Option(help="A picture of the empty table instead of the camera."),
    ] = None,
    charuco: Annotated[
        Path | None,
        typer.Option(
            metavar="FOLDER", help="Pictures of the ChArUco board: measure the lens."
        ),
    ] = None,
    charuco_board: Annotated[
        Path | None,
        typer.Option(metavar="OUT.pdf", help="Write the board to print, and stop."),
    ] = None,
    paper: Annotated[
        Literal["A4", "A3"], typer.Option(help="What the board is printed on.")
    ] = "A4",
    corners: Annotated[
        Four | None,
        typer.Option(
            metavar="X,Y X,Y X,Y X,Y",
            help="The playing surface's corners: top left, right, bottom right, left. "
            "Left out: the table is searched.",
        ),
    ] = None,
    side_mm: Annotated[
        float | None,
        typer.Option(help="The playing surface's side, by ruler: all else follows."),
    ] = None,
    camera_height_mm: Annotated[
        float | None,
        typer.Option(help="Lens to playing surface, by tape; 3 % will do."),
    ] = None,
    coin_height_mm: Annotated[
        float | None, typer.Option(help="A coin's thickness (7 to 9).")
    ] = None,
    striker_height_mm: Annotated[
        float | None, typer.Option(help="The striker's thickness.")
    ] = None,
    profile: Annotated[
        Path | None,
        typer.Option(metavar="OUT.json", help="Write the calibration profile."),
    ] = None,
    camera: Annotated[
        str | None, typer.Option(help="The camera's name in the profile.")
    ] = None,
    by: Annotated[str, typer.Option(help="Who calibrates, for the profile.")] = "",
    overlay: Annotated[
        Path | None,
        typer.Option(metavar="OUT.png", help="Draw the fitted table over the picture."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object for machines.")
    ] = False,
) -> None:
    """Fit table, camera and lens to a picture of the empty table; say what it is worth.

    Without --image the camera of --config takes the pictures (without either, the
    simulated one). One view from straight above cannot tell how high a camera is:
    give --camera-height-mm or measure the lens with --charuco, or more error is
    stated. With --config, a lens measured on the calibration page is used. The side is
    the one length no picture tells: measure it. In a terminal it leads you through, and
    ends with the profile written.
    """
    if charuco_board is not None:
        _write_board(charuco_board, paper)
        return
    spare("--overlay", overlay, image, config, profile)
    spare("--profile", profile, image, config)
    from calibration.steps import Asked
    from calibration.steps import calibrate as fit
    from controller.calibration_shown import as_dict
    from controller.calibration_work import lens_in
    from controller.commands import calibrate_guide as guide
    from controller.commands.calibrate_report import print_lens, show
    from controller.config import Config, load

    settings = load(config) if config is not None else Config()
    table = _table(settings, side_mm, coin_height_mm, striker_height_mm)
    pointed = None if corners is None else tuple(points_px("--corners", corners))
    guided = not as_json and image is None and sys.stdin.isatty()
    lens = None if charuco is None else lens_in(charuco, paper)
    if lens is None and config is not None and image is None:
        lens = _kept_lens(settings)
    if lens is not None and not as_json:
        print_lens(lens)
    if lens is not None and image is None and config is None and profile is None:
        if as_json:
            print(json.dumps({"lens": asdict(lens)}))
        lens.usable()
        return
    asked = Asked(
        table=table, height_mm=camera_height_mm, corners_px=pointed, lens=lens
    )
    if guided:
        asked = guide.lead(asked, side_given=side_mm is not None)
        done = guide.fitted(lambda: fit(*_pictures(settings, None), asked))
    else:
        done = fit(*_pictures(settings, image), asked)
    if overlay is not None:
        from vision.overlay_fit import draw_fit
        from vision.pictures import write_picture

        write_picture(overlay, draw_fit(done))
    saved = None
    if profile is not None:
        name, fixed = _taken_with(settings, image)
        saved = _save(done, profile, camera or name, by, fixed)
    if as_json:
        print(json.dumps({**as_dict(done), "checksum": saved}))
    else:
        show(done, profile)
    if guided and profile is None:
        guide.offer_to_save(done, settings, by)


def _write_board(path: Path, paper: Literal["A4", "A3"]) -> None:
    from calibration.charuco_board import Paper, board_pdf

    try:
        path.write_bytes(board_pdf(Paper(paper)))
    except OSError as error:
        raise Refusal(
            f"{path} cannot be written ({error.strerror}); name another place"
        ) from None
    print(
        f"{path}: print it at 100 % on {paper}; both rulers must measure 150 mm, "
        "then glue it flat"
    )


def _table(
    settings: "Config",
    side_mm: float | None,
    coin_height_mm: float | None,
    striker_height_mm: float | None,
) -> "Table":
    from dataclasses import replace

    sizes = {
        "side_mm": side_mm,
        "coin_height_mm": coin_height_mm,
        "striker_height_mm": striker_height_mm,
    }
    given = {size: value for size, value in sizes.items() if value is not None}
    for size, value in given.items():
        if size != "side_mm" and not 3.0 <= value <= 15.0:
            option = f"--{size.replace('_', '-')}"
            raise Refusal(f"{option} must be 3 to 15 mm, got {value:g}")
    try:
        return replace(settings.table.geometry(), **given)
    except ValueError as error:
        raise Refusal(f"--side-mm: {error}") from None


def _kept_lens(settings: "Config") -> "LensFit | None":
    """The lens the calibration page measured for this camera; None: it did not."""
    if not settings.lens.exists():
        return None
    from calibration.lens_file import load_lens
    from controller.app_start import camera_name

    camera = settings.camera
    size_px = camera.width_px, camera.height_px
    return load_lens(settings.lens, camera=camera_name(camera), size_px=size_px).fit


def _pictures(
    settings: "Config", image: Path | None
) -> "tuple[list[Image], list[float]]":
    if image is not None:
        from vision.pictures import read_picture

        return [read_picture(image)], [0.0]
    from controller.app_start import camera_setup
    from vision.capture import capture

    frames = capture(camera_setup(settings.camera), settings.table.geometry())
    return [frame.image for frame in frames], [frame.at_s for frame in frames]


def _taken_with(settings: "Config", image: Path | None) -> "tuple[str, Fixed]":
    """The camera's name in the profile and what is fixed in it."""
    from calibration.profile import Fixed
    from controller.app_start import camera_name, fixed_in

    if image is not None:
        return f"picture {image.name}", Fixed()
    return camera_name(settings.camera), fixed_in(settings.camera)


def _save(done: "Calibrated", path: Path, camera: str, by: str, fixed: "Fixed") -> str:
    """Write the profile and, beside it, the picture of the empty table."""
    from datetime import UTC, datetime

    from calibration.profile import save
    from calibration.steps import Maker, profile_of
    from controller.app_start import SOFTWARE, VERSION
    from vision.pictures import write_picture

    empty = path.absolute().with_name(f"{path.stem}-empty.png")
    write_picture(empty, done.image)
    maker = Maker(
        camera=camera,
        made_utc=datetime.now(UTC).isoformat(timespec="seconds"),
        by=by,
        software=f"{SOFTWARE} {VERSION}",
    )
    return save(profile_of(done, maker, fixed, empty), path)
