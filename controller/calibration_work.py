"""What the calibration page's buttons set going: fitting, and writing the profile.

Each is a function of plain values that runs in a process of its own
(`controller.apart`), which is why everything heavy is imported inside.
"""

import math
import pickle
import shutil
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.profile import Fixed
from calibration.refusal import Refusal
from calibration.series import Series
from calibration.table import Pocket, Table
from vision.sightings import Where

if TYPE_CHECKING:
    from calibration.charuco import LensFit
    from calibration.steps import Calibrated

Corners = tuple[tuple[float, float], ...]
PICTURES = (".jpg", ".jpeg", ".png", ".webp", ".tif", ".tiff", ".bmp")
BY_HAND = "show all four corners of its surface, or set the corners by hand"
STILL_PX = 2.0
"""A camera whose corners moved less still sees what the old picture shows."""
EDGES = ("top", "right", "bottom", "left")
"""Sides of the picture, clockwise as its corners are: TL TR BR BL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What to fit, and what is known of it; see `calibration.steps.Asked`.

    `corners_px` are as seen: TL TR BR BL of the picture; `south` is the side of the
    picture at which South sits. `lens_folder` holds pictures of the ChArUco board,
    printed on `paper`; `lens_file` is the lens kept for `camera`. `fitted` is an
    earlier result whose measured sizes the fit begins with.
    """

    series: Series
    table: Table
    corners_px: Corners | None
    height_mm: float | None
    south: str = "bottom"
    lens_folder: Path | None = None
    paper: str = "A4"
    lens_file: Path | None = None
    camera: str = ""
    fitted: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """A fit: everything to show, and the whole of it to be saved later."""

    shown: dict[str, object]
    kept: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Keeping:
    """How a fit is to be saved; `cleared`: no pieces lay on the table."""

    kept: bytes
    path: Path
    camera: str
    by: str
    software: str
    fixed: Fixed
    cleared: bool
    pockets: dict[Pocket, int] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A profile that was written: its checksum, and where its forerunner is."""

    checksum: str
    former: Path | None
    trusted: str


TRUSTED = {
    "placement calls": "trusted for positions and placement calls",
    "positions": "trusted for positions, not for placement calls",
    "nothing": "not to be trusted",
}


def fit(wanted: Wanted) -> Result:
    """Find and fit the table; raises Refusal with the page's remedy when that fails."""
    from calibration.find import HAND_OVER

    try:
        return _fitted(wanted)
    except Refusal as refusal:
        raise Refusal(str(refusal).replace(HAND_OVER, BY_HAND)) from None


def _fitted(wanted: Wanted) -> Result:
    from calibration.find import find_table
    from calibration.steps import Asked, calibrate_series
    from controller.calibration_shown import as_dict, drawn

    table = wanted.table
    if wanted.fitted is not None:
        earlier: Calibrated = pickle.loads(wanted.fitted)
        table = _sizes_of(earlier.fitted.table, table)
    lens = _lens(wanted)
    corners = wanted.corners_px
    if corners is None and wanted.south != "bottom":
        found = find_table(wanted.series.image, table)
        table, corners = found.table, found.corners_px
    if corners is not None:
        corners = _rolled(corners, EDGES.index(wanted.south) - 2)
    asked = Asked(
        table=table, height_mm=wanted.height_mm, corners_px=corners, lens=lens
    )
    done = calibrate_series(wanted.series, asked)
    shown = {
        **as_dict(done),
        **drawn(done, EDGES.index(wanted.south) - 2),
        "south": wanted.south,
        "trusted": TRUSTED[done.verdict],
        "pieces": pieces_on(done),
    }
    return Result(shown=shown, kept=pickle.dumps(done))


def keep(keeping: Keeping) -> Kept:
    """Write the profile and its picture of the empty table; the old one is kept.

    Where pieces lay on the table, the old picture goes on, if the camera still hangs
    where it was taken. Raises Refusal when there is none or a file cannot be
    written; the old profile then still stands.
    """
    from calibration.profile import save
    from calibration.steps import Maker, profile_of
    from vision.pictures import write_picture

    done: Calibrated = pickle.loads(keeping.kept)
    path, now = keeping.path.absolute(), datetime.now(UTC)
    stamp = now.strftime("%Y%m%d-%H%M%S")
    empty = path.with_name(f"{path.stem}-empty-{stamp}.png")
    if not keeping.cleared:
        empty = _former_empty(path, done)
    maker = Maker(
        camera=keeping.camera,
        made_utc=now.isoformat(timespec="seconds"),
        by=keeping.by,
        software=keeping.software,
    )
    profile = profile_of(done, maker, keeping.fixed, empty)
    part = path.with_name(path.name + ".part")
    if keeping.cleared:
        write_picture(empty, done.image)
    checksum = save(replace(profile, pockets=keeping.pockets), part)
    former = path.with_name(f"{path.stem}-until-{stamp}{path.suffix}")
    try:
        if path.exists():
            shutil.copy2(path, former)
        part.replace(path)
    except OSError as error:
        raise Refusal(
            f"calibration profile {path} cannot be written ({error.strerror}): "
            "the old one still stands; free the disk or its permissions"
        ) from None
    return Kept(
        checksum=checksum,
        former=former if former.exists() else None,
        trusted=TRUSTED[done.verdict],
    )


def _former_empty(path: Path, done: "Calibrated") -> Path:
    """The old profile's picture of the empty table, if it still fits; else Refusal."""
    from calibration.profile import load

    refusal = Refusal(
        "pieces lie on the table, and there is no earlier picture of it empty from "
        "where the camera hangs now: clear it and find it again"
    )
    size_px = done.fitted.mapping.size_px
    try:
        former = load(path, size_px=size_px)
    except Refusal:
        raise refusal from None
    # Turned by quarters it is the same table: each corner to the nearest one.
    was = [former.mapping.point_to_px(corner) for corner in former.table.corners]
    now = [done.fitted.mapping.point_to_px(at) for at in done.fitted.table.corners]
    moved = max(min(math.dist(a, b) for b in was) for a in now)
    if former.empty is None or not former.empty.exists() or moved > STILL_PX:
        raise refusal
    return former.empty.absolute()


def _lens(wanted: Wanted) -> "LensFit | None":
    """The lens to begin with: of the folder, else the one kept, else none."""
    from calibration.lens_file import load_lens

    if wanted.lens_folder is not None:
        return lens_in(wanted.lens_folder, wanted.paper)
    if wanted.lens_file is None:
        return None
    height, width = wanted.series.image.shape[:2]
    size_px = width, height
    return load_lens(wanted.lens_file, camera=wanted.camera, size_px=size_px).fit


def lens_in(folder: Path, paper: str) -> "LensFit":
    """The lens from a folder of pictures of the ChArUco board; raises Refusal."""
    from calibration.charuco_board import Board, Paper
    from calibration.steps import measure_lens
    from vision.pictures import read_picture

    if not folder.is_dir():
        raise Refusal(
            f"no folder at {folder}: name one with 12 to 20 pictures of the ChArUco board"
        )
    files = sorted(p for p in folder.iterdir() if p.suffix.lower() in PICTURES)
    board = Board(Paper(paper).square_mm)
    return measure_lens(((p.name, read_picture(p)) for p in files), board)


def pieces_on(done: "Calibrated") -> int:
    """How many pieces lie on the table that should be empty."""
    from vision.detect_picture import census_of_picture

    fitted = done.fitted
    census = census_of_picture(done.image, fitted.table, fitted.mapping)
    return sum(piece.where is Where.TABLE for piece in census.pieces)


def _rolled(corners: Corners, by: int) -> Corners:
    """The picture's corners as the table's: north-west first (`by` = side of South)."""
    return tuple(corners[(n + by) % 4] for n in range(4))


def _sizes_of(measured: Table, asked: Table) -> Table:
    """The measured sizes with what people tell: the side, and the pieces' heights."""
    told = ("side_mm", "coin_height_mm", "striker_height_mm")
    values = {name: value for name, value in asdict(asked).items() if name in told}
    return replace(measured, **values)
