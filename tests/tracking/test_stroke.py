"""When a stroke begins, whom the striker meets first, from where it was played."""

from math import cos, pi

import pytest

from calibration.table import Piece, Placement, Point, Seat
from tests.tracking.hand_made import FRAME_S, TABLE, census, sighting
from vision.followed import Followed
from vision.reckoning import stroke_seen
from vision.sightings import StrikerWay
from vision.strike import RunWatch, StrikeWatch, struck_from
from vision.striker_way import Step
from vision.stroke import RunningStroke, placement_of, seat_of

BASE = Point(0.0, -252.6)
TOUCH_MM = TABLE.striker_radius_mm + TABLE.coin_radius_mm + 3.0


def piece_at(piece: Piece, at: Point) -> Followed:
    """A piece that has lain there for a second."""
    followed = Followed(1, piece, at, 0.0, 0.9)
    followed.seen_s = 1.0
    return followed


def slide(followed: Followed, frame: int, at: Point) -> float:
    """Show a piece at a place in the nth frame after a second; the frame's time."""
    at_s = 1.0 + frame * FRAME_S
    followed.see(sighting(followed.piece, at), followed.at, Point(0, 0), at_s)
    return at_s


def began(speed_mm_s: float, *, clear: bool = True, frames: int = 6) -> int | None:
    """In which frame a striker sliding north at this speed begins a stroke."""
    striker, watch = piece_at(Piece.STRIKER, BASE), StrikeWatch()
    watch.began(striker, 1.0, clear=clear)
    for frame in range(1, frames):
        at = Point(BASE.x_mm, BASE.y_mm + speed_mm_s * FRAME_S * frame)
        at_s = slide(striker, frame, at)
        if watch.began(striker, at_s, clear=clear):
            return frame
    return None


@pytest.mark.parametrize("speed_mm_s", [700.0, 2000.0, 8000.0])
def test_a_flicked_striker_begins_a_stroke_within_two_frames(speed_mm_s: float) -> None:
    assert began(speed_mm_s) == 2


def test_a_striker_slid_along_the_line_by_a_finger_begins_nothing() -> None:
    assert began(200.0, frames=30) is None


def test_a_striker_in_a_hand_begins_nothing() -> None:
    assert began(1500.0, clear=False, frames=30) is None


def test_a_striker_carried_in_sight_gains_speed_and_begins_nothing() -> None:
    """A hand eases from place to place: 300 mm in 20 frames along a cosine."""
    striker, watch = piece_at(Piece.STRIKER, BASE), StrikeWatch()
    for frame in range(1, 21):
        north = BASE.y_mm + 150 * (1 - cos(pi * frame / 20))
        at_s = slide(striker, frame, Point(0.0, north))
        assert not watch.began(striker, at_s, clear=True)


def ran(speed_mm_s: float, *, clear: bool = True, wavers_mm: float = 0.0) -> bool:
    """Whether a coin sliding east at this speed is seen to run free."""
    coin, watch = piece_at(Piece.BLACK, Point(0.0, 0.0)), RunWatch()
    for frame in range(1, 12):
        to_and_fro = wavers_mm * (-1) ** frame
        at_s = slide(coin, frame, Point(speed_mm_s * FRAME_S * frame + to_and_fro, 0))
        if watch.runner([coin] if clear else [], at_s) is coin:
            return True
    return False


def test_a_coin_that_runs_clear_of_hands_was_struck() -> None:
    assert ran(900.0)


def test_a_coin_under_a_hand_or_pushed_or_seen_to_waver_was_not() -> None:
    assert not ran(900.0, clear=False)
    assert not ran(150.0)
    assert not ran(0.0, wavers_mm=12.0)


def test_a_struck_coin_tells_of_a_striker_that_fingers_hid() -> None:
    """The hand has hidden the striker; it was struck when the coin left at latest."""
    striker = piece_at(Piece.STRIKER, BASE)
    striker.hide()
    assert struck_from(striker, 1.6, coin_s=1.5) == Step(1.5, BASE)


def test_a_hidden_striker_was_struck_when_the_first_coin_left_not_the_one_that_ran() -> (
    None
):
    striker, first = piece_at(Piece.STRIKER, BASE), piece_at(Piece.WHITE, Point(0, 0))
    striker.hide()
    first.seen_s = 1.2
    first.see(sighting(Piece.WHITE, Point(9, 9)), first.at, Point(0, 0), 1.3)
    assert struck_from(striker, 1.6, 1.5, [striker, first]) == Step(1.2, BASE)


def test_a_struck_coin_tells_of_a_striker_that_left_too_oddly_for_a_flick() -> None:
    striker = piece_at(Piece.STRIKER, BASE)
    slide(striker, 1, Point(30.0, -290.0))
    assert struck_from(striker, 1.3, coin_s=1.2) == Step(1.0, BASE)


def test_a_coin_that_runs_while_the_striker_lies_was_not_struck_by_it() -> None:
    striker = piece_at(Piece.STRIKER, BASE)
    assert struck_from(striker, 1.3, coin_s=1.2) is None
    slide(striker, 1, Point(30.0, -290.0))
    assert struck_from(striker, 4.0, coin_s=3.9) is None


def test_a_place_seen_only_beside_fingers_is_not_called_illegal() -> None:
    placed = placement_of(Point(0.0, -252.6 - 14.0), TABLE, 12.0)
    assert placed is not None
    assert placed.placement is Placement.UNCERTAIN


def test_a_striker_set_down_elsewhere_begins_nothing() -> None:
    striker, watch = piece_at(Piece.STRIKER, BASE), StrikeWatch()
    for frame in range(1, 20):
        at_s = slide(striker, frame, Point(120.0, 252.6))
        assert not watch.began(striker, at_s, clear=True)


def stroke(*coins: Followed) -> RunningStroke:
    """The striker runs north at 3 m/s; coins leave when it reaches them."""
    running = RunningStroke(1.0, BASE, TOUCH_MM, 1.5)
    striker = piece_at(Piece.STRIKER, BASE)
    for frame in range(1, 12):
        north = BASE.y_mm + 3000 * FRAME_S * frame
        at_s = slide(striker, frame, Point(0.0, north))
        for coin in coins:
            if north > coin.stood.y_mm - TOUCH_MM:
                slide(coin, frame, Point(coin.at.x_mm + 8, coin.at.y_mm + 20))
        running.note([striker, *coins], at_s)
    running.close()
    return running


def test_the_first_contact_is_the_coin_the_striker_reaches_first() -> None:
    near = piece_at(Piece.BLACK, Point(5.0, -100.0))
    far = piece_at(Piece.WHITE, Point(-5.0, 60.0))
    contact = stroke(far, near).contact
    assert contact is not None
    assert contact.piece is Piece.BLACK
    reached_s = 1.0 + (152.6 - TOUCH_MM) / 3000
    assert contact.at_s == pytest.approx(reached_s, abs=0.004)


def test_a_coin_beside_the_way_is_not_the_contact_though_it_moves_at_once() -> None:
    met = piece_at(Piece.WHITE, Point(0.0, -100.0))
    beside = piece_at(Piece.BLACK, Point(70.0, -100.0))
    contact = stroke(beside, met).contact
    assert contact is not None
    assert contact.piece is Piece.WHITE


def test_coins_that_leave_at_once_are_all_named_when_no_meeting_was_seen() -> None:
    """The striker is seen to pass both by: it met one of them out of sight."""
    beside = piece_at(Piece.BLACK, Point(70.0, -100.0))
    other = piece_at(Piece.WHITE, Point(-70.0, -100.0))
    contact = stroke(beside, other).contact
    assert contact is not None
    assert contact.cluster == (Piece.BLACK, Piece.WHITE)


def test_a_stroke_that_meets_nothing_has_no_contact() -> None:
    assert stroke().contact is None


def bounced(unseen: range) -> StrikerWay:
    """The way told of a striker that meets a coin 90 mm ahead and bounces back aside.

    It runs north at 3 m/s (50 mm a frame) and meets the coin after 53 mm, then goes
    1 m/s back to the south-east; in the `unseen` frames it is not found.
    """
    running = RunningStroke(1.0, BASE, TOUCH_MM, 1.5)
    striker = piece_at(Piece.STRIKER, BASE)
    coin = piece_at(Piece.BLACK, Point(0.0, BASE.y_mm + 90.0))
    for frame in range(1, 12):
        after = frame - 53.0 / 50.0
        aside = max(after, 0.0) * 1000 * FRAME_S * 0.7
        north = 50.0 if after < 0 else 53.0 - aside
        at_s = slide(coin, frame, Point(0.0, coin.stood.y_mm + 20 * (after > 0)))
        if frame not in unseen:
            slide(striker, frame, Point(aside, BASE.y_mm + north))
        else:
            striker.miss(striker.at, Point(0, 0), at_s)
        running.note([striker, coin], at_s)
    rest = census((Piece.BLACK, coin.at), (Piece.STRIKER, striker.at), at_s=3.0)
    way = stroke_seen(running, TABLE, None, rest, ()).way
    assert way is not None
    return way


def test_a_direction_is_told_of_what_was_seen_before_the_first_contact() -> None:
    way = bounced(unseen=range(0))
    assert way.direction == Point(0.0, 1.0)
    assert way.back is False


def test_no_direction_is_told_of_a_bounce_whose_contact_was_not_seen() -> None:
    """All that was seen goes south-east: it looks like a back stroke, and is none."""
    way = bounced(unseen=range(1, 6))
    assert way.direction is None
    assert way.back is None


@pytest.mark.parametrize("seat", list(Seat))
def test_the_seat_is_whose_base_line_the_striker_left(seat: Seat) -> None:
    assert seat_of(seat.turn(Point(60.0, -248.0)), TABLE) is seat


def test_a_striker_away_from_all_base_lines_has_no_seat() -> None:
    assert seat_of(Point(30.0, -100.0), TABLE) is None


def test_a_striker_short_of_the_front_line_was_placed_illegally() -> None:
    """14 mm behind the middle of the lines it cannot touch the front one."""
    placed = placement_of(Point(0.0, -252.6 - 14.0), TABLE, 1.5)
    assert placed is not None
    assert placed.placement is Placement.ILLEGAL
