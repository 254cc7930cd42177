"""What the striker's way tells: direction, cushions, second strikes."""

from collections.abc import Callable
from math import inf

import pytest

from calibration.table import Piece, Point, Seat
from tests.tracking.hand_made import TABLE, census
from vision.reckoning import cluster_at
from vision.striker_way import (
    Step,
    bounces,
    direction,
    is_back_stroke,
    is_whole,
    struck_again,
    turns,
)

BASE = Point(0.0, -252.6)
REACH_MM = TABLE.half_mm - TABLE.striker_radius_mm
W, B = Piece.WHITE, Piece.BLACK


def walk(
    place: Callable[[float], Point],
    *,
    frames: int = 30,
    rate_hz: int = 60,
    gap_mm: float = inf,
    hand: bool = False,
) -> list[Step]:
    """Steps along a way that is a place by time."""
    times = [frame / rate_hz for frame in range(frames)]
    return [Step(at_s, place(at_s), gap_mm, hand) for at_s in times]


def from_wall(speed_mm_s: float) -> Callable[[float], Point]:
    """North from the base line, off the far frame, back at three quarters the speed."""
    met_s = (REACH_MM - BASE.y_mm) / speed_mm_s

    def place(at_s: float) -> Point:
        if at_s < met_s:
            return Point(0.0, BASE.y_mm + speed_mm_s * at_s)
        return Point(0.0, REACH_MM - 0.75 * speed_mm_s * (at_s - met_s))

    return place


def twice(second_mm_s: float) -> Callable[[float], Point]:
    """A slow striker that goes on at another speed after a quarter of a second."""

    def place(at_s: float) -> Point:
        first, then = min(at_s, 0.25), max(at_s - 0.25, 0.0)
        return Point(0.0, BASE.y_mm + 300.0 * first + second_mm_s * then)

    return place


@pytest.mark.parametrize("rate_hz", [30, 60])
@pytest.mark.parametrize("speed_mm_s", [900.0, 2500.0, 4000.0])
def test_a_bounce_is_told_once_at_its_time(speed_mm_s: float, rate_hz: int) -> None:
    way = walk(from_wall(speed_mm_s), frames=rate_hz, rate_hz=rate_hz)
    way = [step for step in way if step.at.y_mm > BASE.y_mm - 1]
    met_s = (REACH_MM - BASE.y_mm) / speed_mm_s
    assert bounces(way, TABLE) == (pytest.approx(met_s, abs=0.004),)


def test_a_striker_thrown_back_by_a_coin_has_met_no_cushion() -> None:
    way = walk(lambda at_s: Point(0.0, 150.0 - abs(at_s - 0.12) * 2000.0))
    assert bounces(way, TABLE) == ()


def test_a_corner_counts_as_two_cushions() -> None:
    def into_corner(at_s: float) -> Point:
        off = abs(at_s - 0.1) * 1000.0
        return Point(REACH_MM - off, REACH_MM - 0.98 * off)

    assert len(bounces(walk(into_corner, frames=12), TABLE)) == 2


@pytest.mark.parametrize(
    ("along", "back"),
    [
        (Point(0.6, 0.8), False),
        (Point(0.6, -0.8), True),
        (Point(1.0, 0.01), None),
    ],
)
@pytest.mark.parametrize("seat", list(Seat))
def test_a_back_stroke_goes_towards_the_players_own_frame(
    seat: Seat, along: Point, back: bool | None
) -> None:
    def place(at_s: float) -> Point:
        way_mm = 1500.0 * at_s
        x, y = BASE.x_mm + way_mm * along.x_mm, BASE.y_mm + way_mm * along.y_mm
        return seat.turn(Point(x, y))

    way = walk(place, frames=4)
    assert is_back_stroke(way, seat, 1.5) is back
    set_out, turned = direction(way, inf), seat.turn(along)
    assert set_out is not None
    assert set_out.distance_mm(turned) < 0.02


def test_no_direction_is_told_of_a_striker_first_seen_after_its_contact() -> None:
    assert direction(walk(from_wall(3000.0), frames=5), until_s=0.01) is None


def test_a_second_flick_is_told_when_a_hand_was_there() -> None:
    way = walk(twice(900.0), hand=True)
    assert struck_again(way, ()) == (pytest.approx(0.25, abs=0.06),)


@pytest.mark.parametrize(
    ("second_mm_s", "gap_mm", "hand"),
    [(900.0, inf, False), (900.0, 5.0, True), (280.0, inf, True)],
    ids=["no hand near", "a coin struck it", "it only slid on"],
)
def test_other_gains_are_no_second_strike(
    second_mm_s: float, gap_mm: float, hand: bool
) -> None:
    way = walk(twice(second_mm_s), gap_mm=gap_mm, hand=hand)
    assert struck_again(way, ()) == ()


def test_a_way_keeps_its_turns_only() -> None:
    way = walk(from_wall(2500.0), frames=20)
    start, turn, end = turns(way)
    assert (start, end) == (way[0].at, way[-1].at)
    assert turn.y_mm > REACH_MM - 2500.0 / 60


def test_a_way_with_a_hole_in_it_is_not_whole() -> None:
    way = walk(from_wall(2500.0))
    assert is_whole(way)
    assert not is_whole([*way[:2], *way[8:]])


def test_coins_that_touch_are_one_cluster_and_a_lone_one_is_none() -> None:
    d = 2 * TABLE.coin_radius_mm
    row = census((W, Point(0, 0)), (B, Point(d, 0)), (W, Point(2 * d, 0)))
    far = census((W, Point(0, 0)), (B, Point(d + 6, 0)))
    assert cluster_at(Point(0, 0), row, TABLE) == (B, W, W)
    assert cluster_at(Point(0, 0), far, TABLE) == ()
