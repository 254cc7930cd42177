"""The steps of a calibration, each a function of pictures with a record to show.

The terminal and the web page lead people through the same steps: measure the lens
(or not), find the table, fit it, judge the light, say what the result may be trusted
with. Nothing here asks, draws or writes.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from calibration.accuracy import Accuracy, Verdict, accuracy_of, verdict_of
from calibration.camera import LensPrior
from calibration.charuco import LensFit, find_board, fit_lens
from calibration.charuco_board import Board
from calibration.coarse import begin
from calibration.edges import Bytes
from calibration.find import find_table
from calibration.fit import Fitted, fit_table
from calibration.light import Light, light_of
from calibration.profile import Certificate, Fixed, Profile
from calibration.refusal import Refusal
from calibration.series import Series, series_of
from calibration.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What people tell a calibration; None: not known.

    `table` is what is expected, its side as measured; `height_mm` the camera's height
    above the surface by tape; `corners_px` TL TR BR BL where the table was pointed at.
    """

    table: Table
    height_mm: float | None = None
    corners_px: tuple[tuple[float, float], ...] | None = None
    lens: LensFit | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Calibrated:
    """A calibration's whole result: what was found and how good it is.

    `image` is the picture it was made from, `corners_px` where the fit began, `sure`
    how sure the search was of the table (0 to 1; None: it was pointed at).
    """

    image: Bytes
    corners_px: tuple[tuple[float, float], ...]
    sure: float | None
    lens: LensFit | None
    fitted: Fitted
    accuracy: Accuracy
    verdict: Verdict
    reason: str
    light: Light


@dataclass(frozen=True, slots=True, kw_only=True)
class Maker:
    """Who made a calibration, when, with what, for which camera."""

    camera: str
    made_utc: str
    by: str
    software: str


def measure_lens(pictures: Iterable[tuple[str, Bytes]], board: Board) -> LensFit:
    """The lens from named pictures of the ChArUco board; see `fit_lens`."""
    return fit_lens([find_board(name, image, board) for name, image in pictures], board)


def calibrate(
    images: Sequence[Bytes], times_s: Sequence[float], asked: Asked
) -> Calibrated:
    """Find and fit the table in pictures (BGR) of it, empty; see `calibrate_series`."""
    return calibrate_series(series_of(images, times_s), asked)


def calibrate_series(series: Series, asked: Asked) -> Calibrated:
    """Find and fit the table in a series of it, empty, from one fixed camera.

    Raises Refusal when there is no table, its marks are not seen, or the lens was
    measured with pictures of another size.
    """
    image = series.image
    size_px = (image.shape[1], image.shape[0])
    prior = LensPrior.unknown(size_px)
    if asked.lens is not None:
        prior = _lens_for(asked.lens, size_px)
    table, corners, sure = asked.table, asked.corners_px, None
    if corners is None:
        found = find_table(image, table)
        table, corners, sure = found.table, found.corners_px, found.sure
    start = begin(image, table, corners, prior, asked.height_mm)
    fitted = fit_table(image, table, start, prior, asked.height_mm)
    accuracy = accuracy_of(fitted)
    verdict, reason = verdict_of(fitted, accuracy)
    return Calibrated(
        image=image,
        corners_px=corners,
        sure=sure,
        lens=asked.lens,
        fitted=fitted,
        accuracy=accuracy,
        verdict=verdict,
        reason=reason,
        light=light_of(series, fitted.table, fitted.mapping),
    )


def profile_of(
    done: Calibrated, maker: Maker, fixed: Fixed, empty: Path | None
) -> Profile:
    """The profile that keeps a calibration; `empty` is where its picture is put."""
    return Profile(
        camera=maker.camera,
        made_utc=maker.made_utc,
        by=maker.by,
        software=maker.software,
        table=done.fitted.table,
        mapping=done.fitted.mapping,
        residual_mm=round(done.fitted.residual_mm, 4),
        certificate=Certificate(
            lens="marks" if done.lens is None else "charuco",
            verdict=done.verdict,
            reason=done.reason,
            accuracy=done.accuracy,
            marks=done.fitted.marks,
        ),
        light=done.light,
        fixed=fixed,
        empty=empty,
    )


def _lens_for(lens: LensFit, size_px: tuple[int, int]) -> LensPrior:
    if lens.size_px != size_px:
        raise Refusal(
            f"the ChArUco pictures are {lens.size_px[0]}x{lens.size_px[1]}, the table's "
            f"{size_px[0]}x{size_px[1]}: take both with the same camera at one size"
        )
    return lens.usable()
