"""Falls told by tracks, set against the censuses before and after the stroke."""

import pytest

from calibration.table import Piece, Pocket, Point
from tests.tracking.hand_made import TABLE, census
from vision.followed import Followed
from vision.reckoning import DISPUTED, OTHER_KIND, Span, reckon
from vision.sightings import TrackEnd, Vanished

W, B, S = Piece.WHITE, Piece.BLACK, Piece.STRIKER
WHITE_AT, BLACK_AT = (W, Point(-50, 0)), (B, Point(50, 0))
STRIKER_AT = (S, Point(0, -250))
SPAN = Span(0.5, 2.5, TABLE)
ALL = census(WHITE_AT, BLACK_AT, STRIKER_AT)


def fell(piece: Piece, pocket: Pocket = Pocket.NORTH_EAST) -> Vanished:
    """A fall as the tracker tells it."""
    at = TABLE.pocket_centres[pocket]
    return Vanished(1.0, piece, at, TrackEnd.POCKET, pocket, 0.97)


def test_a_fall_both_witnesses_know_keeps_its_confidence() -> None:
    rest = census(BLACK_AT, STRIKER_AT, at_s=3.0)
    assert reckon(ALL, rest, [fell(W)], [], SPAN) == (fell(W),)


def test_a_fall_of_a_piece_that_still_lies_there_is_dropped() -> None:
    assert reckon(ALL, ALL, [fell(W)], [], SPAN) == ()


def test_a_fall_seen_in_another_colour_takes_the_colour_that_is_gone() -> None:
    rest = census(WHITE_AT, STRIKER_AT, at_s=3.0)
    (fall,) = reckon(ALL, rest, [fell(W)], [], SPAN)
    assert (fall.piece, fall.pocket) == (B, Pocket.NORTH_EAST)
    assert fall.confidence == OTHER_KIND


def test_a_piece_lost_on_its_way_is_given_to_the_pocket_it_slid_to() -> None:
    rest = census(BLACK_AT, STRIKER_AT, at_s=3.0)
    lost = Followed(7, W, Point(200, -200), 0.0, 0.9, Point(900, -900))
    (fall,) = reckon(ALL, rest, [], [lost], SPAN)
    assert (fall.end, fall.pocket) == (TrackEnd.POCKET, Pocket.SOUTH_EAST)
    assert fall.confidence == DISPUTED


@pytest.mark.parametrize(
    ("seen_s", "end"), [(2.0, TrackEnd.HAND), (0.4, TrackEnd.LOST)]
)
def test_a_hand_takes_what_was_seen_to_rest_not_what_it_covered_at_the_strike(
    seen_s: float, end: TrackEnd
) -> None:
    rest = census(BLACK_AT, STRIKER_AT, at_s=3.0)
    taken = Followed(7, W, Point(-50, 0), 0.0, 0.9)
    taken.seen_s = seen_s
    taken.hide()
    (gone,) = reckon(ALL, rest, [], [taken], SPAN)
    assert gone.end is end


def test_a_piece_that_is_gone_without_a_track_is_said_with_little_confidence() -> None:
    rest = census(BLACK_AT, STRIKER_AT, at_s=3.0)
    (gone,) = reckon(ALL, rest, [], [], SPAN)
    assert (gone.piece, gone.end, gone.confidence) == (W, TrackEnd.LOST, DISPUTED)


@pytest.mark.parametrize("told", [[], [fell(B)], [fell(B), fell(W)]])
def test_the_censuses_say_how_many_of_each_kind_are_gone(told: list[Vanished]) -> None:
    rest = census(WHITE_AT, STRIKER_AT, at_s=3.0)
    gone = reckon(ALL, rest, told, [], SPAN)
    assert [v.piece for v in gone] == [B]
