"""One question, two kinds of contest: a match of two sides, a game each for himself."""

from dataclasses import replace

import pytest

from calibration.table import Piece, Seat
from controller.rules.board import Purse, Side
from controller.rules.contest import (
    Contest,
    advance,
    breach_at,
    leading,
    name_at,
    names_of,
    needs_next_board,
    on_turn_at,
    out_of_turn,
    points_set,
    relaid,
    standing,
    with_turn_at,
)
from controller.rules.counting_decisions import FoulBy
from controller.rules.counting_match import CountingMatch, begin
from controller.rules.entries import NextBoard
from controller.rules.happenings import BoardSet
from controller.rules.match import Match
from controller.rules.notation import read_board, read_stroke, write_board
from controller.rules.order import ByPlayer
from controller.rules.rule_sets import rule_set
from controller.rules.stroke import Stroke

TWO = Match(laws=rule_set("icf"), names=ByPlayer("Asha", "Bimal"))
THREE = begin(
    rule_set("point"),
    ("Asha", "Bimal", "Chitra"),
    (Seat.SOUTH, Seat.EAST, Seat.WEST),
)


def lying(board: str, match: Match = TWO) -> Match:
    """The match with its board as the text describes it."""
    return as_match(advance(match, BoardSet(read_board(board)))[0])


def played(contest: Contest, *strokes: str) -> Contest:
    """The contest after the strokes."""
    for text in strokes:
        contest, _ = advance(contest, read_stroke(text))
    return contest


def as_match(contest: Contest) -> Match:
    assert isinstance(contest, Match)
    return contest


def as_game(contest: Contest) -> CountingMatch:
    assert isinstance(contest, CountingMatch)
    return contest


def test_who_plays_is_known_by_the_seat() -> None:
    assert name_at(TWO, Seat.NORTH) == "Bimal"
    assert name_at(THREE, Seat.WEST) == "Chitra"


@pytest.mark.parametrize("contest", [TWO, THREE])
def test_an_empty_seat_stands_for_who_is_on_turn(contest: Contest) -> None:
    empty = Seat.WEST if contest is TWO else Seat.NORTH
    missed = played(contest, "-")
    assert name_at(missed, empty) == name_at(missed, None) == "Bimal"


def test_the_seats_stay_when_the_other_breaks_and_the_colours_change() -> None:
    """The breaker has white (43), and the players break in turn (49a)."""
    second = advance(played(lying("1w 4b q=white / white"), "w"), NextBoard())[0]
    assert name_at(second, Seat.SOUTH) == "Asha"
    assert name_at(second, None) == "Bimal"
    seats = (Seat.NORTH, Seat.SOUTH, Seat.WEST)
    assert [on_turn_at(second, seat) for seat in seats] == [True, False, None]


def test_the_players_are_named_from_who_broke_first() -> None:
    assert names_of(TWO) == ("Asha", "Bimal")
    assert names_of(THREE) == ("Asha", "Bimal", "Chitra")


def test_the_score_is_told_in_words() -> None:
    """Four coins and a queen of three (52, 53); a white coin is two points."""
    won = played(lying("1w 4b q=white / white"), "w")
    assert standing(won) == "Asha 7 : 0 Bimal, games 0 : 0"
    assert standing(played(THREE, "w", "-", "b")) == "Asha 2, Bimal 1, Chitra 0"


def test_who_leads_alone_would_win_now() -> None:
    assert leading(lying("7w 8b q / white")) == "Asha"
    assert leading(lying("9w 8b q / white")) == "Bimal"
    assert leading(played(THREE, "w", "-", "b")) == "Asha"


def test_of_equals_nobody_leads() -> None:
    assert leading(lying("8w 8b q / white")) is None
    assert leading(played(THREE, "w", "-", "2b")) is None


def test_a_toss_after_a_level_eighth_board_is_for_a_board_to_come() -> None:
    """A ninth board with a toss for the break (56b)."""
    eighth = replace(TWO, board_number=8, scores=ByPlayer(0, 7))
    level = played(lying("1w 4b q=white / white", eighth), "w")
    assert needs_next_board(level)
    assert not needs_next_board(eighth)
    assert not needs_next_board(THREE)


def test_the_turn_taken_as_played_is_with_who_sits_there() -> None:
    match = as_match(with_turn_at(lying("6w 7b q / white / turn 2.1"), Seat.NORTH))
    assert (match.board.turn, match.board.turn_strokes) == (Side.BLACK, 0)
    assert (match.seat, name_at(match, None)) == (Seat.NORTH, "Bimal")
    game = as_game(with_turn_at(played(THREE, "w"), Seat.WEST))
    assert (game.seat, game.on_turn.name) == (Seat.WEST, "Chitra")
    assert game.board.turn_strokes == 0
    assert game.totals == (2, 0, 0)


def test_a_queen_whose_player_has_lost_the_turn_uncovered_comes_back() -> None:
    """96: the cover is missed."""
    match = with_turn_at(lying("6w 7b q?white / white"), Seat.NORTH)
    assert write_board(as_match(match).board) == "6w 7b q / black"
    assert as_game(with_turn_at(played(THREE, "q"), Seat.EAST)).board.queen_up


def test_a_covered_queen_stays_covered_whoever_takes_the_turn() -> None:
    match = with_turn_at(lying("6w 7b q=white / white"), Seat.NORTH)
    assert write_board(as_match(match).board) == "6w 7b q=white / black"
    game = as_game(with_turn_at(played(THREE, "q", "w"), Seat.EAST))
    assert game.board.purses[0] == Purse(white=1, queen=True)


def test_a_queen_who_was_not_found_on_the_table_stays_covered() -> None:
    match = relaid(lying("6w 7b q=white / white"), 5, 7, queen=False)
    assert write_board(as_match(match).board) == "5w 7b q=white / white"
    game = as_game(relaid(played(THREE, "q", "w"), 7, 9, queen=False))
    assert game.board.purses[0].queen


def test_a_table_can_be_found_otherwise_twice() -> None:
    """What was nobody's the first time is counted anew, not twice."""
    found = relaid(relaid(played(THREE, "w b"), 6, 5, queen=True), 7, 8, queen=True)
    table = as_game(found).board.ledger.on_table
    assert table == {Piece.WHITE: 7, Piece.BLACK: 8, Piece.QUEEN: 1}
    assert as_game(found).board.purses[0] == Purse(white=1, black=1)


def test_a_stroke_out_of_turn_costs_one_of_two_the_board() -> None:
    """51: his own seven coins and the queen, as they lie there."""
    match = lying("6w 7b q / white")
    after, _ = advance(match, out_of_turn(match, Seat.NORTH, Stroke(black=1)))
    assert as_match(after).scores == ByPlayer(7 + 3, 0)


def test_a_stroke_out_of_turn_is_a_foul_of_who_sits_there() -> None:
    after, told = advance(THREE, out_of_turn(THREE, Seat.WEST, Stroke(black=1)))
    assert after == THREE
    assert told[0] == FoulBy("points.out-of-turn", THREE.player(2), True)


def test_a_technical_foul_is_of_who_sits_there_and_leaves_the_turn() -> None:
    """63: one coin."""
    match = lying("6w 7b q / white")
    after, _ = advance(match, breach_at(match, Seat.NORTH, technical=True))
    assert write_board(as_match(after).board) == "6w 8b q / white"
    game = played(THREE, "w", "-", "b")
    after, _ = advance(game, breach_at(game, Seat.SOUTH, technical=True))
    assert (as_game(after).totals, as_game(after).on_turn.name) == ((0, 1, 0), "Bimal")


def test_a_foul_of_nobody_named_is_of_who_is_on_turn() -> None:
    """64: one coin and the turn."""
    match = lying("6w 7b q / white")
    after, _ = advance(match, breach_at(match, None, technical=False))
    assert write_board(as_match(after).board) == "7w 7b q / black / turn 1.0"
    game = played(THREE, "w", "-", "b")
    after, _ = advance(game, breach_at(game, None, technical=False))
    assert (as_game(after).totals, as_game(after).on_turn.name) == ((2, 0, 0), "Chitra")


def test_points_set_by_hand_are_those_of_the_running_game() -> None:
    match, _ = advance(TWO, points_set(TWO, (12, 9), "card"))
    assert standing(match) == "Asha 12 : 9 Bimal, games 0 : 0"
    game, _ = advance(THREE, points_set(THREE, (5, -3, 0), "card"))
    assert standing(game) == "Asha 5, Bimal -3, Chitra 0"


def test_two_sides_have_two_scores() -> None:
    with pytest.raises(ValueError, match="two sides play, got points for 3"):
        points_set(TWO, (12, 9, 4), "card")
