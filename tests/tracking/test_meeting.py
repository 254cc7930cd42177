"""Whom the striker met first, where pictures are too far apart to see it meet."""

from calibration.table import Piece, Point
from tests.tracking.hand_made import TABLE, sighting
from vision.followed import Followed
from vision.sightings import Contact, TrackEnd, Vanished
from vision.stroke import RunningStroke

W, B, Q, S = Piece.WHITE, Piece.BLACK, Piece.QUEEN, Piece.STRIKER
BASE = Point(0.0, -252.6)
TOUCH_MM = TABLE.striker_radius_mm + TABLE.coin_radius_mm + 3.0
AHEAD, BEYOND, ASIDE = Point(0.0, -50.0), Point(4.0, 60.0), Point(120.0, 30.0)
STRUCK_S = 1.0


def lay(piece: Piece, at: Point) -> Followed:
    """A piece that was seen to lie there until the strike."""
    followed = Followed(1, piece, at, 0.0, 0.9)
    followed.seen_s = STRUCK_S
    return followed


def contact(
    *coins: Followed,
    looked_s: tuple[float, ...],
    moved_s: float,
    fell: tuple[Vanished, ...] = (),
) -> Contact | None:
    """A striker north at 2 m/s, looked at only then; all coins have moved by `moved_s`.

    From then on it lies where a coin turned it.
    """
    running = RunningStroke(STRUCK_S, BASE, TOUCH_MM, 1.5)
    striker = lay(S, BASE)
    for at_s in (*looked_s, moved_s, moved_s + 0.1, moved_s + 0.2):
        north = BASE.y_mm + 2000.0 * (at_s - STRUCK_S)
        there = Point(20.0, 20.0) if at_s >= moved_s else Point(0.0, north)
        striker.see(sighting(S, there), striker.at, Point(0, 0), at_s)
        for coin in coins:
            if coin.hidden:
                continue
            off = 90.0 if at_s >= moved_s else 0.0
            at = Point(coin.stood.x_mm + off, coin.stood.y_mm)
            coin.see(sighting(coin.piece, at), coin.at, Point(0, 0), at_s)
        if at_s >= moved_s:
            running.vanished = list(fell)
        running.note([striker, *coins], at_s)
    running.close()
    return running.contact


def test_all_that_moved_in_a_long_gap_are_named_not_the_likeliest() -> None:
    """The leg from picture to picture leads to one of them; the striker may not have."""
    met = contact(lay(W, AHEAD), lay(B, ASIDE), looked_s=(), moved_s=1.25)
    assert met is not None
    assert {*met.cluster} == {W, B}


def test_the_only_coin_that_moved_in_a_long_gap_is_named() -> None:
    met = contact(lay(B, ASIDE), looked_s=(), moved_s=1.25)
    assert met is not None
    assert (met.piece, met.cluster) == (B, ())


def test_a_way_seen_up_to_the_gap_leads_to_the_coin_that_was_met() -> None:
    """Two pictures 40 ms apart aim at the one; the other lies off the line or beyond."""
    aimed = (1.02, 1.06)
    coins = lay(B, BEYOND), lay(W, AHEAD), lay(Q, ASIDE)
    met = contact(*coins, looked_s=aimed, moved_s=1.25)
    assert met is not None
    assert (met.piece, met.at, met.cluster) == (W, AHEAD, ())


def test_a_way_that_may_pass_on_either_side_names_both() -> None:
    """Two coins side by side, 2 mm apart in the order in which the line meets them."""
    left, right = Point(-24.0, -50.0), Point(24.0, -49.0)
    coins = lay(W, left), lay(B, right)
    met = contact(*coins, looked_s=(1.02, 1.06), moved_s=1.25)
    assert met is not None
    assert {*met.cluster} == {W, B}


def test_a_coin_that_fell_in_the_gap_may_have_been_the_first() -> None:
    fell = Vanished(1.25, Q, ASIDE, TrackEnd.LOST, None, 0.5)
    met = contact(lay(W, AHEAD), looked_s=(), moved_s=1.25, fell=(fell,))
    assert met is not None
    assert {*met.cluster} == {W, Q}


def test_a_coin_under_the_hand_in_the_gap_may_have_been_the_first() -> None:
    covered = lay(B, ASIDE)
    covered.hide()
    met = contact(lay(W, AHEAD), covered, looked_s=(), moved_s=1.25)
    assert met is not None
    assert {*met.cluster} == {W, B}


def test_coins_out_of_reach_in_the_gap_are_not_named() -> None:
    """At 2 m/s a striker slides 380 mm in 0.19 s, not 440; the other it just grazes."""
    grazed, far = lay(W, Point(TOUCH_MM, -50.0)), lay(B, Point(0.0, 350.0))
    met = contact(grazed, far, looked_s=(1.02, 1.06), moved_s=1.25)
    assert met is not None
    assert (met.piece, met.cluster) == (W, ())
