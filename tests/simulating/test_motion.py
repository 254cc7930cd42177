"""Does the simulated physics behave like wood on wood?"""

from math import hypot, sqrt

import pytest

from calibration.table import Piece, Pocket, Point, Table
from controller.simulator.motion import Motion, Pose

TABLE = Table()
STRIKER = 19


def lying(piece: Piece, x: float, y: float) -> tuple[Piece, Pose]:
    return piece, Pose(Point(x, y), Point(0.0, 0.0), 0.0, 0.0)


def struck(x: float, y: float, vx: float, vy: float) -> tuple[Piece, Pose]:
    return Piece.STRIKER, Pose(Point(x, y), Point(vx, vy), 0.0, 0.0)


def break_shot(speed: float) -> Motion:
    pieces = {
        key: lying(piece, *at) for key, (piece, at) in enumerate(TABLE.opening_rack())
    }
    pieces[STRIKER] = struck(12.0, -252.6, -60.0, speed)
    return Motion(TABLE, pieces)


def to_rest(motion: Motion) -> Motion:
    motion.advance(60.0)
    assert motion.rest_s is not None
    return motion


def test_a_free_striker_stops_after_the_way_constant_friction_allows() -> None:
    motion = to_rest(Motion(TABLE, {STRIKER: struck(0.0, -252.6, 0.0, 900.0)}))
    way_mm = motion.poses(motion.now_s)[STRIKER].at.y_mm + 252.6
    assert way_mm == pytest.approx(900.0**2 / (2 * 1000.0), rel=0.01)


def test_a_full_hit_passes_on_the_speed_that_momentum_and_bounce_demand() -> None:
    pieces = {0: lying(Piece.WHITE, 0.0, 0.0), STRIKER: struck(0.0, -60.0, 0.0, 1500.0)}
    motion = Motion(TABLE, pieces)
    while not motion.touches:
        motion.advance(motion.now_s + 0.001)
    meeting = sqrt(1500.0**2 - 2 * 1000.0 * (60.0 - 36.55))
    expected = meeting * (1 + 0.93**2) * 15.0 / (15.0 + 5.3)
    motion.advance(motion.now_s + 0.002)
    assert hypot(*motion.poses(motion.now_s)[0].velocity) == pytest.approx(
        expected, rel=0.02
    )


@pytest.mark.parametrize("speed", [1500.0, 3500.0, 6000.0])
def test_no_meeting_of_pieces_creates_energy(speed: float) -> None:
    motion = break_shot(speed)
    energy = motion.energy_uj
    while motion.rest_s is None:
        motion.advance(motion.now_s + 0.002)
        assert motion.energy_uj <= energy * (1 + 1e-9)
        energy = motion.energy_uj


@pytest.mark.parametrize("speed", [2500.0, 6000.0])
def test_every_piece_is_at_rest_apart_from_others_or_has_fallen(speed: float) -> None:
    motion = to_rest(break_shot(speed))
    rest = motion.poses(motion.now_s)
    assert sorted([*rest, *(fall.key for fall in motion.falls)]) == list(range(20))
    for key, pose in rest.items():
        radius = TABLE.striker_radius_mm if key == STRIKER else TABLE.coin_radius_mm
        assert max(map(abs, pose.at)) <= TABLE.half_mm - radius + 0.1
        for other in set(rest) - {key}:
            apart = pose.at.distance_mm(rest[other].at)
            assert apart >= 2 * TABLE.coin_radius_mm - 0.1


def test_a_slow_coin_falls_when_its_centre_has_passed_the_pockets_edge() -> None:
    pieces = {0: (Piece.WHITE, Pose(Point(250, 250), Point(450, 450), 0.0, 0.0))}
    motion = to_rest(Motion(TABLE, pieces))
    assert [(fall.key, fall.pocket) for fall in motion.falls] == [
        (0, Pocket.NORTH_EAST)
    ]
    edge = 347.75 * sqrt(2) - 22.25
    assert hypot(*motion.falls[0].at) > edge


def test_a_coin_that_stops_on_the_lip_stays_on_the_table() -> None:
    way = (347.75 - 250) * sqrt(2) - 22.25 - 1.0
    speed = sqrt(2 * 1000.0 * way / 2)
    pieces = {0: (Piece.WHITE, Pose(Point(250, 250), Point(speed, speed), 0.0, 0.0))}
    assert to_rest(Motion(TABLE, pieces)).falls == ()


def test_a_very_fast_coin_rattles_out_of_the_corner() -> None:
    pieces = {0: (Piece.WHITE, Pose(Point(200, 200), Point(4000, 4000), 0.0, 0.0))}
    motion = Motion(TABLE, pieces)
    motion.advance(0.08)
    assert motion.falls == ()


def test_one_seedless_stroke_is_the_same_however_time_is_stepped() -> None:
    at_once, by_frames = break_shot(4000.0), break_shot(4000.0)
    at_once.advance(30.0)
    while by_frames.rest_s is None:
        by_frames.advance(by_frames.now_s + 0.0167)
    assert at_once.poses(30.0) == by_frames.poses(30.0)
    assert at_once.falls == by_frames.falls
