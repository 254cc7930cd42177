"""Does the rendered camera show things where its own geometry says?"""

import numpy as np
import pytest

from calibration.table import Piece, Pocket, Point, Table
from vision.sources.rendered import Look, RenderedSource, Renderer
from vision.sources.rendering_camera import Camera
from vision.sources.rendering_scene import (
    Bone,
    Joint,
    Limb,
    NetContent,
    Scene,
    ScenePiece,
)

TABLE = Table()
SKIN = (0.28, 0.40, 0.62)


SMALL = Camera.overhead(size_px=(480, 360), span_mm=930.0)


@pytest.fixture(scope="module")
def quiet() -> Renderer:
    return Renderer(TABLE, look=Look(noise_dn=0.0), seed=1)


@pytest.fixture(scope="module")
def small() -> Renderer:
    return Renderer(TABLE, SMALL, seed=1)


def difference(renderer: Renderer, scene: Scene) -> np.ndarray:
    picture = renderer.render(scene, 0).astype(float)
    return np.abs(picture - renderer.empty()).sum(-1)


def test_rays_and_places_are_inverse_of_each_other() -> None:
    camera = Camera.overhead()
    pixels = np.array([[0.0, 0.0], [640.0, 360.0], [1279.0, 719.0], [300.0, 650.0]])
    ground = np.concatenate([camera.ground(pixels), np.zeros((4, 1))], -1)
    assert np.abs(camera.project(ground) - pixels).max() < 0.01


def test_the_pictures_top_is_north_and_its_right_is_east() -> None:
    top_left, top_right, _, bottom_left = Camera.overhead().corners_px(TABLE)
    assert top_left[1] < bottom_left[1]
    assert top_left[0] < top_right[0]


@pytest.mark.parametrize("at", [Point(0, 120), Point(-325, 190), Point(310, 40)])
def test_a_black_coin_is_where_the_camera_projects_its_body(
    quiet: Renderer, at: Point
) -> None:
    change = difference(quiet, Scene(0.0, (ScenePiece(Piece.BLACK, at),)))
    dark = change > 0.5 * change.max()
    ys, xs = np.nonzero(dark)
    middle = quiet.camera.project(np.array([*at, TABLE.coin_height_mm / 2]))
    assert abs(xs.mean() - middle[0]) < 0.8
    assert abs(ys.mean() - middle[1]) < 0.8
    area_mm2 = len(xs) / (quiet.camera.focal_px / 1200.0) ** 2
    assert area_mm2 == pytest.approx(np.pi * 15.9**2, rel=0.15)


def test_moving_half_a_millimetre_moves_the_picture_by_as_much(quiet: Renderer) -> None:
    def centre(x: float) -> float:
        scene = Scene(0.0, (ScenePiece(Piece.BLACK, Point(x, 160.0)),))
        weight = difference(quiet, scene)
        return float((weight * np.arange(weight.shape[1])).sum() / weight.sum())

    scale = quiet.camera.focal_px / 1200.0
    assert centre(0.5) - centre(0.0) == pytest.approx(0.5 * scale, rel=0.2)


def test_a_fast_piece_is_smeared_along_its_way(quiet: Renderer) -> None:
    def width(speed: float) -> int:
        piece = ScenePiece(Piece.BLACK, Point(0, 160), Point(speed, 0.0))
        change = difference(quiet, Scene(0.0, (piece,)))
        return int((change > 0.1 * change.max()).any(0).sum())

    smear_px = 16_000.0 * 0.001 * quiet.camera.focal_px / 1200.0
    # The faint ends of the smear fall below the threshold.
    assert 0.5 * smear_px < width(16_000.0) - width(0.0) < 1.1 * smear_px


def test_the_same_scene_and_number_give_the_same_picture(small: Renderer) -> None:
    pieces = tuple(ScenePiece(piece, at) for piece, at in TABLE.opening_rack())
    scene = Scene(0.0, pieces)
    again = Renderer(TABLE, SMALL, seed=1)
    picture = small.render(scene, 7)
    assert np.array_equal(picture, again.render(scene, 7))
    assert not np.array_equal(picture, small.render(scene, 8))


def test_noise_is_as_strong_as_asked(small: Renderer) -> None:
    picture = small.render(Scene(0.0, ()), 3).astype(float)
    noise = (picture - small.empty())[100:250, 120:360]
    assert noise.std() == pytest.approx(2.0, abs=0.3)


def test_dimmer_lamps_make_a_darker_picture(small: Renderer) -> None:
    dim = small.render(Scene(0.0, (), light=0.7), 0)
    assert dim.mean() == pytest.approx(
        small.empty().mean() * 0.7 ** (1 / 2.2), rel=0.02
    )


def test_a_hand_hides_what_lies_under_it(quiet: Renderer) -> None:
    low, high = Joint(0, -20, 40, 60), Joint(0, 20, 40, 60)
    limb = Limb((Bone(low, high, SKIN),))
    coin = ScenePiece(Piece.BLACK, Point(0, 0))
    covered = quiet.render(Scene(0.0, (coin,), (limb,)), 0)
    bare = quiet.render(Scene(0.0, (), (limb,)), 0)
    assert np.array_equal(covered, bare)


def test_a_coin_in_a_net_shows_only_inside_its_pocket(quiet: Renderer) -> None:
    scene = Scene(0.0, (), nets=(NetContent(Pocket.NORTH_EAST, Piece.WHITE),))
    ys, xs = np.nonzero(difference(quiet, scene) > 8)
    centre = TABLE.pocket_centres[Pocket.NORTH_EAST]
    middle = quiet.camera.project(np.array([*centre, 0.0]))
    reach = 22.25 * quiet.camera.focal_px / 1200.0 + 2.0
    assert len(xs) > 20
    assert np.hypot(xs - middle[0], ys - middle[1]).max() <= reach


def test_a_source_delivers_scenes_as_numbered_frames(small: Renderer) -> None:
    source = RenderedSource((Scene(t / 60, ()) for t in range(3)), small)
    frames = list(source.frames())
    assert [frame.sequence for frame in frames] == [0, 1, 2]
    assert frames[2].at_s == 2 / 60
    assert frames[0].image.shape == (360, 480, 3)


def test_a_clubs_smaller_table_can_be_rendered() -> None:
    club = Renderer(Table.club_720(), SMALL, seed=2)
    assert club.render(Scene(0.0, ()), 0).shape == (360, 480, 3)
