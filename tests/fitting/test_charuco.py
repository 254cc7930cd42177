"""Is the lens measured from the board, and are useless pictures named with a remedy.

Views are the rendered camera's own projections of the board's corners, held as a
person would hold it; one is a rendered picture, one the printed page itself.
"""

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pypdfium2
import pytest

from calibration.charuco import LensFit, View, find_board, fit_lens
from calibration.charuco_board import COLUMNS, Board, Paper, board_pdf
from calibration.refusal import Refusal
from vision.sources.rendering_camera import Camera
from vision.sources.rendering_charuco import board_picture

BOARD = Board()
SIZE = (1280, 720)
FOCAL_PX = 944.0
PLACES = [(x, y) for y in (0.14, 0.5, 0.86) for x in (0.12, 0.37, 0.63, 0.88)]
"""Where in the picture the board's middle is held, in shares of the picture."""


def held(
    place: tuple[float, float],
    tilt_deg: float,
    towards_deg: float,
    focal_px: float = FOCAL_PX,
) -> Camera:
    """The camera with the board held at a place in its picture, tilted."""
    far, tilt, towards = 0.445 * focal_px, np.radians(tilt_deg), np.radians(towards_deg)
    away = far * np.tan(tilt)
    camera = Camera.overhead(
        size_px=SIZE,
        position_mm=(away * np.cos(towards), away * np.sin(towards), far),
        aim_mm=(0.0, 0.0),
        span_mm=SIZE[1] / focal_px * far,
    )
    across = np.arctan((place[0] - 0.5) * SIZE[0] / focal_px)
    down = np.arctan((place[1] - 0.5) * SIZE[1] / focal_px)
    level, _ = cv2.Rodrigues(np.array([-down, 0.0, 0.0]))
    upright, _ = cv2.Rodrigues(np.array([0.0, across, 0.0]))
    rows = (upright @ level @ np.array(camera.rotation)).tolist()
    turned = tuple((a, b, c) for a, b, c in rows)
    return replace(camera, rotation=turned, centre_px=(643.0, 356.0), p1=3e-4)


def corners(camera: Camera) -> np.ndarray:
    """Pixels of all the board's corners."""
    wide, high = BOARD.size_mm
    places = np.asarray(BOARD.pattern().getChessboardCorners(), np.float64)
    x, y = places[:, 0] - wide / 2, high / 2 - places[:, 1]
    return camera.project(np.column_stack([x, y, np.zeros(len(x))]))


def view(name: str, camera: Camera) -> View:
    """The corners inside the picture, seen with a twentieth of a pixel of noise."""
    noise = np.random.default_rng(len(name)).normal(0, 0.05, (BOARD.corners, 2))
    seen = corners(camera) + noise
    inside = np.flatnonzero(((seen > 4) & (seen < np.array(SIZE) - 4)).all(axis=1))
    return View(name, inside.astype(np.int32), seen[inside], 0.8, SIZE)


def taken(
    tilt_deg: float = 28.0,
    places: Sequence[tuple[float, float]] = PLACES,
    focal_px: float = FOCAL_PX,
) -> list[View]:
    """A whole set of views, tilted to every side in turn."""
    return [
        view(f"{n:02}.jpg", held(place, tilt_deg, 77.0 * n, focal_px))
        for n, place in enumerate(places)
    ]


def test_the_lens_comes_back() -> None:
    camera = held((0.5, 0.5), 0.0, 0.0)
    lens = fit_lens(taken(), BOARD).usable().lens
    assert lens.focal_px == pytest.approx(FOCAL_PX, rel=0.002)
    assert lens.centre_px == pytest.approx(camera.centre_px, abs=1.5)
    assert (lens.k1, lens.k2) == pytest.approx((camera.k1, camera.k2), abs=0.01)


@pytest.mark.parametrize("focal_px", [560.0, 700.0, 1650.0, 2600.0])
def test_any_lens_comes_back(focal_px: float) -> None:
    lens = fit_lens(taken(focal_px=focal_px), BOARD).usable().lens
    assert lens.focal_px == pytest.approx(focal_px, rel=0.003)


def said(views: Sequence[View]) -> str:
    fitted: LensFit = fit_lens(views, BOARD)
    with pytest.raises(Refusal) as refused:
        fitted.usable()
    return str(refused.value)


def level(place: tuple[float, float]) -> Camera:
    """The camera with the board held parallel to its sensor, anywhere in view."""
    far = 420.0
    x = (0.5 - place[0]) * SIZE[0] / FOCAL_PX * far
    y = (place[1] - 0.5) * SIZE[1] / FOCAL_PX * far
    span_mm = SIZE[1] / FOCAL_PX * far
    return Camera.overhead(
        size_px=SIZE, position_mm=(x, y, far), aim_mm=(x, y), span_mm=span_mm
    )


def test_parallel_views_are_refused() -> None:
    views = [view(f"{n}", level(place)) for n, place in enumerate(PLACES)]
    assert "all views are parallel" in said(views)


def test_a_corner_of_the_picture_without_the_board_is_named() -> None:
    left = [place for place in PLACES if place[0] < 0.5]
    assert "top right corner, bottom right corner" in said([*taken(places=left * 2)])


def test_too_few_pictures_are_refused() -> None:
    assert "3 usable pictures, at least 6" in said(taken()[:3])


def test_a_picture_with_few_corners_is_named_and_left_out() -> None:
    views = taken()
    cut = replace(views[4], ids=views[4].ids[:5], corners_px=views[4].corners_px[:5])
    fitted = fit_lens([*views[:4], cut, *views[5:]], BOARD)
    fault = fitted.views[4].fault
    assert fault is not None
    assert fault.startswith("5 of 48 corners seen")
    assert fitted.usable().is_measured


def test_a_bent_board_is_named_and_left_out() -> None:
    views = taken()
    bend = 8.0 * np.sin(np.linspace(0, 3, len(views[5].ids)))
    bent = replace(views[5], corners_px=views[5].corners_px + bend[:, None])
    fitted = fit_lens([*views[:5], bent, *views[6:]], BOARD)
    faults = [v.name for v in fitted.views if v.fault]
    assert faults == ["05.jpg"]
    assert fitted.usable().lens.focal_px == pytest.approx(FOCAL_PX, rel=0.002)


def test_a_blurred_picture_is_named() -> None:
    views = taken()
    fitted = fit_lens([replace(views[0], blur_px=3.1), *views[1:]], BOARD)
    fault = fitted.views[0].fault
    assert fault is not None
    assert fault.startswith("blurred (edges 3.1 px")


def test_no_pictures_are_refused() -> None:
    with pytest.raises(Refusal, match="no pictures of the ChArUco board"):
        fit_lens([], BOARD)


def test_corners_are_found_in_a_picture_to_a_fraction_of_a_pixel() -> None:
    camera = held((0.45, 0.5), 25.0, 40.0)
    found = find_board("a", board_picture(BOARD, camera, blur_px=0.9), BOARD)
    away = np.linalg.norm(found.corners_px - corners(camera)[found.ids], axis=1)
    assert len(found.ids) > 30
    assert np.sqrt(np.mean(away**2)) < 0.15
    assert found.blur_px == pytest.approx(0.9, abs=0.15)


@pytest.mark.parametrize("paper", Paper)
def test_the_printed_page_is_in_exact_millimetres(paper: Paper) -> None:
    page = pypdfium2.PdfDocument(board_pdf(paper))[0]
    size_mm = np.array(page.get_size()) * 25.4 / 72
    assert size_mm == pytest.approx(paper.size_mm, abs=0.01)
    image = np.ascontiguousarray(page.render(scale=150 / 72).to_numpy()[..., :3])
    found = find_board("page", image, Board(paper.square_mm))
    mm = found.corners_px.reshape(-1, COLUMNS - 1, 2) * 25.4 / 150
    assert len(found.ids) == BOARD.corners
    assert np.diff(mm[:, :, 0], axis=1) == pytest.approx(paper.square_mm, abs=0.2)
    whole = mm[0, -1, 0] - mm[0, 0, 0]
    assert whole == pytest.approx(paper.square_mm * (COLUMNS - 2), abs=0.2)
