"""Does a known camera come back: pixel <-> millimetre at any height.

Expected pixels come from the rendered camera's own projection, which shares no
code with the mapping.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.lens import Lens
from calibration.plane import POCKET_ORDER, PlaneMapping
from calibration.refusal import Refusal
from calibration.table import Point, Table
from vision.sources.rendering_camera import Camera

TABLE = Table()
OVERHEAD = Camera.overhead()
STRAIGHT = Camera.overhead(lens=(0.0, 0.0))
TILTED = Camera.overhead(
    position_mm=(40.0, -700.0, 1150.0), span_mm=1100.0, lens=(0.0, 0.0)
)
PLACES = np.array(
    [(x, y) for x in np.linspace(-340, 340, 7) for y in np.linspace(-340, 340, 7)]
)


def lens_of(camera: Camera) -> Lens:
    return Lens(camera.focal_px, camera.centre_px, camera.k1, camera.k2)


def mapped(camera: Camera, lens: Lens | None = None) -> PlaneMapping:
    size = (camera.width_px, camera.height_px)
    return PlaneMapping.from_corners(camera.corners_px(TABLE), size, TABLE, lens)


def at_height(height_mm: float) -> np.ndarray:
    return np.column_stack([PLACES, np.full(len(PLACES), height_mm)])


@pytest.mark.parametrize("height_mm", [0.0, 7.0, 9.0, 22.0])
def test_a_camera_with_a_known_lens_comes_back_exactly(height_mm: float) -> None:
    seen = mapped(OVERHEAD, lens_of(OVERHEAD)).to_px(PLACES, height_mm)
    assert seen == pytest.approx(OVERHEAD.project(at_height(height_mm)), abs=0.01)


def test_the_cameras_place_comes_back_with_a_known_lens() -> None:
    place = mapped(OVERHEAD, lens_of(OVERHEAD)).camera_mm
    assert place == pytest.approx(OVERHEAD.position_mm, abs=0.1)


def test_a_tilted_view_tells_its_own_focal_length() -> None:
    focal = mapped(TILTED).lens.focal_px
    assert focal == pytest.approx(TILTED.focal_px, rel=0.02)


@pytest.mark.parametrize("camera", [STRAIGHT, TILTED], ids=["overhead", "tilted"])
def test_a_coins_top_is_placed_well_without_knowing_the_lens(camera: Camera) -> None:
    """The prior for the focal length costs at most half a millimetre at the edge."""
    back = mapped(camera).to_mm(camera.project(at_height(8.0)), 8.0)
    assert np.linalg.norm(back - PLACES, axis=1).max() < 0.5


def test_ignoring_the_height_would_cost_more_than_two_millimetres() -> None:
    back = mapped(STRAIGHT).to_mm(STRAIGHT.project(at_height(8.0)), 0.0)
    assert np.linalg.norm(back - PLACES, axis=1).max() > 2.0


@given(
    x=st.floats(-370, 370),
    y=st.floats(-370, 370),
    height=st.floats(0, 25),
)
def test_there_and_back_is_the_same_place(x: float, y: float, height: float) -> None:
    mapping = mapped(OVERHEAD, lens_of(OVERHEAD))
    back = mapping.point_to_mm(mapping.point_to_px(Point(x, y), height), height)
    assert back == pytest.approx((x, y), abs=1e-3)


def test_pocket_centres_say_the_same_as_corners() -> None:
    centres = [(*TABLE.pocket_centres[pocket], 0.0) for pocket in POCKET_ORDER]
    seen = [(float(x), float(y)) for x, y in TILTED.project(np.array(centres))]
    size = (TILTED.width_px, TILTED.height_px)
    mapping = PlaneMapping.from_pocket_centres(seen, size, TABLE)
    expected = TILTED.project(at_height(0.0))
    assert mapping.to_px(PLACES) == pytest.approx(expected, abs=0.01)


def test_a_discs_radius_is_that_of_a_circle_of_its_seen_area() -> None:
    at, radius, height = Point(200.0, 300.0), 15.9, 8.0
    angle = np.linspace(0, 2 * np.pi, 720, endpoint=False)
    rim = np.column_stack(
        [at.x_mm + radius * np.cos(angle), at.y_mm + radius * np.sin(angle)]
    )
    x, y = TILTED.project(np.column_stack([rim, np.full(720, height)])).T
    area = 0.5 * abs(np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)))
    seen = mapped(TILTED).radius_px(at, radius, height)
    assert seen == pytest.approx(np.sqrt(area / np.pi), rel=0.002)


CORNERS = [(100.0, 100.0), (900.0, 110.0), (890.0, 900.0), (105.0, 890.0)]


@pytest.mark.parametrize(
    "corners",
    [
        pytest.param([CORNERS[k] for k in (0, 2, 1, 3)], id="crossed"),
        pytest.param([CORNERS[k] for k in (1, 0, 3, 2)], id="mirrored"),
        pytest.param([*CORNERS[:3], (600.0, 500.0)], id="dented"),
        pytest.param([CORNERS[0]] * 4, id="one point"),
        pytest.param([(0.0, 0.0), (1.0, 1.0), (2.0, 2.0), (3.0, 3.0)], id="a line"),
        pytest.param([*CORNERS[:3], (float("nan"), 9.0)], id="no number"),
        pytest.param([(x * 1e300, y * 1e300) for x, y in CORNERS], id="far too far"),
        pytest.param([(x + 2000, y) for x, y in CORNERS], id="beside the picture"),
    ],
)
def test_corners_that_are_no_convex_quadrilateral_are_refused(
    corners: list[tuple[float, float]],
) -> None:
    with pytest.raises(Refusal, match="corners"):
        PlaneMapping.from_corners(corners, (1000, 1000), TABLE)


@pytest.mark.parametrize("turned", range(4))
def test_any_side_of_the_picture_may_be_north(turned: int) -> None:
    corners = [CORNERS[(k + turned) % 4] for k in range(4)]
    mapping = PlaneMapping.from_corners(corners, (1000, 1000), TABLE)
    north_west = TABLE.corners[0]
    assert mapping.point_to_px(north_west) == pytest.approx(corners[0], abs=1e-6)
