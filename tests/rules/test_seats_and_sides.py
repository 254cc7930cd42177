"""Who plays which colour from which seat, and a table laid anew; ICF 39, 43, 58 to 61."""

from dataclasses import replace

import pytest

from calibration.table import Seat
from controller.rules.board import Side
from controller.rules.choices import Round, SideChange
from controller.rules.contest import relaid, side_at
from controller.rules.decisions import PiecesReturned, TurnKept, TurnPassed
from controller.rules.judge import judge
from controller.rules.match_state import Match
from controller.rules.notation import read_board, read_stroke, write_board
from controller.rules.order import ByPlayer, changes_sides_in_game
from controller.rules.rule_sets import rule_set

ICF = rule_set("icf")
PLAYING = Match(laws=ICF, names=ByPlayer("Asha", "Bimal"))


def test_the_breaker_in_the_south_plays_white_and_the_north_black() -> None:
    assert side_at(PLAYING, Seat.SOUTH) is Side.WHITE
    assert side_at(PLAYING, Seat.NORTH) is Side.BLACK


def test_nobody_plays_from_an_empty_seat() -> None:
    assert side_at(PLAYING, Seat.EAST) is None
    assert side_at(PLAYING, None) is None


def test_partners_share_a_colour() -> None:
    four = replace(PLAYING, doubles=True)
    assert side_at(four, Seat.SOUTH) is side_at(four, Seat.NORTH) is Side.WHITE
    assert side_at(four, Seat.EAST) is side_at(four, Seat.WEST) is Side.BLACK


def test_a_table_found_otherwise_is_taken_as_it_lies() -> None:
    board = read_board("6w 7b q=white / white")
    match = replace(PLAYING, board=board)
    found = relaid(match, 5, 7, queen=True)
    assert isinstance(found, Match)
    assert write_board(found.board) == "5w 7b q / white"


@pytest.mark.parametrize(
    ("when", "changes"), [(SideChange.ICF, True), (SideChange.NEVER, False)]
)
def test_sides_change_in_the_deciding_game_only_where_the_laws_say_so(
    when: SideChange, changes: bool
) -> None:
    """At 13 points of game three (59); a club may leave it out."""
    laws = replace(ICF, side_change=when)
    assert changes_sides_in_game(laws, 3, 3, 13, Round.FINAL) is changes


def test_a_foul_that_sinks_only_an_opposing_coin_takes_no_piece_out() -> None:
    """64b is about own pieces and the queen; here one penalty is the price (76)."""
    board = read_board("6w 7b q / white")
    _, told = judge(board, read_stroke("b foul"), ICF)
    assert not [each for each in told if isinstance(each, PiecesReturned)]
    assert "improper.queen" not in {each.law for each in told}


def test_in_a_points_game_a_piece_keeps_the_turn_and_nothing_passes_it() -> None:
    point = rule_set("point")
    board = read_board("9w 9b q / white / break 1 / purse 0,0,0,0 0,0,0,0")
    _, kept = judge(board, read_stroke("w"), point)
    assert [type(each) for each in kept][-1] is TurnKept
    _, passed = judge(board, read_stroke("-"), point)
    assert [type(each) for each in passed][-1] is TurnPassed
