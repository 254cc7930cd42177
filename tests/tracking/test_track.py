"""The tracker on hand-made tables: motion, hits, misses, hands, pockets."""

import numpy as np
import pytest

from calibration.table import Piece, Pocket, Point
from tests.tracking.hand_made import (
    MAPPING,
    TABLE,
    TILES,
    SeenTable,
    census,
    still,
    straight,
)
from vision.sightings import TrackEnd
from vision.tiles import discs_px

CORNER = TABLE.pocket_centres[Pocket.NORTH_EAST]


def test_a_sliding_piece_keeps_its_identity_and_speed() -> None:
    table = SeenTable([(Piece.WHITE, straight(Point(-300, 0), Point(900, 200)))])
    tracker = table.tracker()
    table.play(tracker, 0.4)
    (track,) = tracker.tracks
    assert (track.id, track.piece) == (1, Piece.WHITE)
    assert track.at.distance_mm(Point(60, 80)) < 1
    assert track.velocity == pytest.approx((900, 200), rel=0.07)


def test_a_piece_hit_out_of_rest_is_found_again() -> None:
    """5 m/s from one frame to the next: 83 mm, far beyond the edge fit's reach."""
    table = SeenTable([(Piece.BLACK, straight(Point(-200, 50), Point(5000, 0)))])
    tracker = table.tracker()
    table.play(tracker, 1 / 60)
    assert tracker.tracks[0].at.distance_mm(Point(-200 + 5000 / 60, 50)) < 1


def test_two_pieces_that_pass_each_other_are_not_exchanged() -> None:
    table = SeenTable(
        [
            (Piece.WHITE, straight(Point(-200, 18), Point(1200, 0))),
            (Piece.BLACK, straight(Point(200, -18), Point(-1200, 0))),
        ]
    )
    tracker = table.tracker()
    table.play(tracker, 0.3)
    ends = {track.piece: track.at.x_mm for track in tracker.tracks}
    assert ends[Piece.WHITE] > 100 > -100 > ends[Piece.BLACK]


def test_a_piece_that_vanishes_at_a_pocket_has_fallen_there() -> None:
    way = straight(Point(200, 200), Point(800, 800), until=CORNER)
    table = SeenTable([(Piece.QUEEN, way)])
    (fallen,) = table.play(table.tracker(), 0.5)
    assert (fallen.piece, fallen.pocket) == (Piece.QUEEN, Pocket.NORTH_EAST)
    assert fallen.end is TrackEnd.POCKET
    true_s = (CORNER.x_mm - 200) / 800
    assert true_s - 0.05 < fallen.at_s < true_s + 0.05


def test_a_piece_that_vanishes_in_the_middle_stays_missing() -> None:
    """A blurred frame or two is no reason to lose a piece: the census decides."""
    way = straight(Point(-100, 0), Point(500, 0), until=Point(0, 0))
    table = SeenTable([(Piece.WHITE, way)])
    tracker = table.tracker()
    assert table.play(tracker, 0.6) == []
    assert tracker.missing


def test_a_piece_that_stops_at_the_brink_has_not_fallen() -> None:
    """Its centre is 1 mm outside the hole: the board still holds it."""
    along = (TABLE.pocket_radius_mm + 1) / 2**0.5
    brink = Point(CORNER.x_mm - along, CORNER.y_mm - along)
    table = SeenTable([(Piece.WHITE, still(brink))])
    assert table.play(table.tracker(), 0.5) == []


def test_a_piece_under_a_hand_is_hidden_and_not_gone() -> None:
    place = Point(50, -100)
    table = SeenTable([(Piece.WHITE, lambda at_s: None if at_s > 0 else place)])
    disc = discs_px(MAPPING, np.array([place]), np.array([60.0]), 8.0)
    tracker = table.tracker()
    assert table.play(tracker, 0.5, hand=TILES.under(disc)) == []
    assert tracker.followed[0].hidden
    assert not tracker.missing


def test_a_census_names_the_pieces_that_are_gone() -> None:
    there = [(Piece.WHITE, Point(0, 0)), (Piece.BLACK, Point(100, 0))]
    table = SeenTable([(piece, still(at)) for piece, at in there])
    tracker = table.tracker()
    (gone,) = tracker.settle(census(there[1], at_s=1.0))
    assert gone.piece is Piece.WHITE
    assert [track.piece for track in tracker.tracks] == [Piece.BLACK]
