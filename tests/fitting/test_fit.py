"""Does a known camera come back from the table's own marks, print and all.

The truth is the rendered camera's own projection, which shares no code with the fit;
the picture has a lens, grain, noise, glare and marks printed up to 0.5 mm off.
"""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

from calibration.accuracy import Verdict, accuracy_of, grid, verdict_of
from calibration.camera import LensPrior
from calibration.coarse import begin
from calibration.fit import Fitted, fit_table
from calibration.refusal import Refusal
from calibration.table import Piece, Point, Table
from vision.frames import Image
from vision.sources.rendered import Look, Renderer
from vision.sources.rendering_camera import Camera
from vision.sources.rendering_scene import Scene, ScenePiece

TABLE = Table()
SIZE = (1280, 720)
HEIGHT_MM = 1000.0
WIDE = replace(
    Camera.overhead(
        position_mm=(120.0, -90.0, HEIGHT_MM), span_mm=880.0, lens=(-0.30, 0.09)
    ),
    centre_px=(644.0, 355.0),
    p1=3e-4,
)


class Seen(NamedTuple):
    """A rendered, misprinted table and what was fitted to its picture."""

    renderer: Renderer
    fitted: Fitted


def fit(image: Image, *, tape_mm: float | None = 1.02 * HEIGHT_MM) -> Fitted:
    """From corners pointed at 5 mm wrong, and a tape measure 2 % wrong."""
    random = np.random.default_rng(3)
    corners = np.array(WIDE.corners_px(TABLE)) + random.normal(0, 4.0, (4, 2))
    pointed = [(float(x), float(y)) for x, y in corners]
    prior = LensPrior.unknown(SIZE)
    return fit_table(
        image, TABLE, begin(image, TABLE, pointed, prior, tape_mm), prior, tape_mm
    )


@pytest.fixture(scope="module")
def seen() -> Seen:
    renderer = Renderer(TABLE, WIDE, look=Look(misprint_mm=0.5), seed=4)
    return Seen(renderer, fit(renderer.render(Scene(0.0, ()), 0)))


def errors_mm(fitted: Fitted, height_mm: float = 8.0) -> np.ndarray:
    """How far coins' centres all over the table are put from the truth."""
    places = grid(TABLE)
    tops = np.column_stack([places, np.full(len(places), 8.0)])
    put = fitted.mapping.to_mm(WIDE.project(tops), height_mm)
    return np.asarray(np.linalg.norm(put - places, axis=1))


def test_a_coins_centre_comes_back_from_the_marks_alone(seen: Seen) -> None:
    errors = errors_mm(seen.fitted)
    assert (errors.mean() < 0.4, np.quantile(errors, 0.95) < 0.9) == (True, True)


def test_the_stated_error_is_neither_boast_nor_alarm(seen: Seen) -> None:
    stated, true = accuracy_of(seen.fitted), errors_mm(seen.fitted)
    assert 0.5 < stated.mean_mm / true.mean() < 3.0
    assert stated.p95_mm > np.quantile(true, 0.95)


def test_what_simpler_mappings_would_cost_stands_beside_it(seen: Seen) -> None:
    stated = accuracy_of(seen.fitted)
    assert stated.four_corners_mean_mm > 5.0
    low = errors_mm(seen.fitted, height_mm=0.0).mean()
    assert stated.no_height_mean_mm == pytest.approx(low, abs=0.3)


def test_a_good_fit_is_trusted_with_placement_calls(seen: Seen) -> None:
    verdict, _ = verdict_of(seen.fitted, accuracy_of(seen.fitted))
    assert verdict is Verdict.PLACEMENT


def test_the_tables_own_sizes_are_measured(seen: Seen) -> None:
    table = seen.fitted.table
    assert table.base_line_inset_mm == pytest.approx(TABLE.base_line_inset_mm, abs=0.6)
    assert table.base_line_gap_mm == pytest.approx(TABLE.base_line_gap_mm, abs=0.4)


def test_pieces_on_the_marks_cost_their_stations_only(seen: Seen) -> None:
    lying = tuple(ScenePiece(piece, at) for piece, at in TABLE.opening_rack())
    lying += (ScenePiece(Piece.STRIKER, Point(0.0, TABLE.lower_line_y_mm + 16.0)),)
    fitted = fit(seen.renderer.render(Scene(0.0, lying), 0))
    assert errors_mm(fitted).mean() < 0.4


def test_without_tape_or_lens_more_error_is_stated(seen: Seen) -> None:
    untaped = fit(seen.renderer.render(Scene(0.0, ()), 0), tape_mm=None)
    assert accuracy_of(untaped).mean_mm > accuracy_of(seen.fitted).mean_mm


def test_a_picture_without_marks_is_refused() -> None:
    bare = np.full((720, 1280, 3), 120, np.uint8)
    with pytest.raises(Refusal, match="are seen where they should be"):
        fit(bare)


def test_pockets_too_narrow_for_a_striker_are_refused() -> None:
    tiny = replace(TABLE, striker_radius_mm=13.0, coin_radius_mm=12.0)
    narrow = replace(tiny, pocket_radius_mm=17.5)
    image = Renderer(narrow, WIDE, seed=4).render(Scene(0.0, ()), 0)
    with pytest.raises(Refusal, match="fit no carrom table"):
        fit(image)
