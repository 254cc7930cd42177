"""Three players for points: reading r9 of the basic rules."""

from dataclasses import replace

import pytest

from calibration.refusal import Refusal
from controller.rules.counting_match import CountingMatch, begin, next_board, play
from controller.rules.notation import read_stroke
from controller.rules.rule_sets import rule_set

NAMES = ("Asha", "Bimal", "Chitra")


def played(match: CountingMatch, *strokes: str) -> CountingMatch:
    """The game after the strokes."""
    for text in strokes:
        match, _ = play(match, read_stroke(text))
    return match


def test_three_play_the_basic_rules_for_points() -> None:
    match = played(begin(rule_set("basic"), NAMES), "w b", "-", "2w", "-", "q", "b")
    assert match.totals == (3, 4, 6)
    assert match.board.on_turn == 2


def test_the_international_laws_know_no_third_player() -> None:
    with pytest.raises(Refusal, match="icf is played by 2 or 4, got 3 names"):
        begin(rule_set("icf"), NAMES)


def test_the_race_is_won_by_the_first_with_seventeen() -> None:
    match = played(begin(rule_set("point"), NAMES), "8w")
    assert not match.over
    match = played(match, "b")
    assert (match.over, match.leaders) == (True, (0,))
    with pytest.raises(ValueError, match="the board is over"):
        play(match, read_stroke("-"))
    with pytest.raises(ValueError, match="no next board"):
        next_board(match)


def test_the_next_player_breaks_the_next_board() -> None:
    laws = replace(rule_set("point"), game_points=None)
    match = played(begin(laws, NAMES), "9w", "q", "9b")
    assert (match.board.over, match.over) == (True, False)
    following = next_board(match)
    assert (following.board.on_turn, following.scores) == (1, (32, 0, 0))
    assert (following.board_number, following.totals) == (2, (32, 0, 0))


def test_a_running_board_is_not_left() -> None:
    with pytest.raises(ValueError, match="no next board"):
        next_board(begin(rule_set("point"), NAMES))


def test_equal_points_share_the_game() -> None:
    laws = replace(rule_set("family"), queen_points=45)
    match = played(begin(laws, ("Asha", "Bimal")), "9w", "-", "9b", "q")
    assert (match.over, match.totals, match.leaders) == (True, (90, 90), (0, 1))
