"""What a correction changed, told in words."""

from dataclasses import replace

import pytest

from controller.rules.counting_match import CountingMatch, begin
from controller.rules.counting_match import play as play_counting
from controller.rules.difference import differences, in_one_sentence
from controller.rules.happenings import BoardSet
from controller.rules.match import Match, NextBoard, ScoresCorrected, advance
from controller.rules.notation import read_board, read_stroke
from controller.rules.order import ByPlayer
from controller.rules.rule_sets import rule_set

START = Match(laws=rule_set("icf"), names=ByPlayer("Asha", "Bimal"))


def lying(board: str) -> Match:
    return advance(START, BoardSet(read_board(board)))[0]


def won(board: str, stroke: str) -> Match:
    return advance(lying(board), read_stroke(stroke))[0]


def test_nothing_changed_is_nothing_told() -> None:
    assert differences(START, START) == ()


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (
            "9w 9b q / white",
            "8w 7b q / white",
            "coins up 9 white 9 black, now 8 white 7 black",
        ),
        ("9w 9b q / white", "9w 9b q / black", "on turn Asha, now Bimal"),
        (
            "8w 9b q / white",
            "8w 9b q?white / white",
            "queen on the table, now awaiting cover by white",
        ),
        (
            "8w 9b q=black / white",
            "8w 9b q<white / white",
            "queen covered by black, now coming back",
        ),
        (
            "9w 9b q / white",
            "9w 9b q / white / due 1w 2b",
            "owed 0 white 0 black, now 1 white 2 black",
        ),
    ],
)
def test_a_changed_board_is_told_thing_by_thing(
    before: str, after: str, told: str
) -> None:
    assert differences(lying(before), lying(after)) == (told,)


def test_a_board_that_came_out_otherwise_is_named_with_winner_and_points() -> None:
    before = won("1w 4b q=white / white", "w")
    after = won("1w 4b q / white", "w")
    assert differences(before, after) == (
        "game 1 board 1: Asha by 7, now Bimal by 3",
        "score 7:0, now 0:3",
        "queen covered by white, now on the table",
    )


def test_a_board_that_was_not_won_after_all_is_told_with_its_turn() -> None:
    before = won("1w 4b q=white / white", "w")
    after = won("1w 4b q=white / white", "-")
    told = differences(before, after)
    assert "game 1 board 1: Asha by 7, now not won" in told
    assert "on turn nobody, now Bimal" in told
    assert differences(after, before)[0] == "game 1 board 1: not won, now Asha by 7"


def test_scores_boards_and_games_are_told() -> None:
    first = won("1w 4b q=white / white", "w")
    later = advance(first, NextBoard())[0]
    corrected, _ = advance(later, ScoresCorrected(ByPlayer(8, 0), "counted again"))
    assert "board 1, now 2" in differences(first, later)
    assert differences(later, corrected) == ("score 7:0, now 8:0",)
    moved = replace(later, game=2, games=ByPlayer(1, 0))
    assert differences(later, moved) == ("game 1, now 2", "games 0:0, now 1:0")


def test_what_changed_is_one_sentence() -> None:
    before = won("1w 4b q=white / white", "w")
    after = won("1w 4b q=white / white", "-")
    assert in_one_sentence(before, after) == (
        "now game 1 board 1: not won (was Asha by 7), score 0:0 (was 7:0), "
        "coins up 1 white 4 black (was 0 white 4 black), on turn Bimal (was nobody)"
    )
    assert in_one_sentence(after, after) == "the standing is unchanged"


THREE = begin(rule_set("point"), ("Asha", "Bimal", "Chitra"))


def counted(*strokes: str) -> CountingMatch:
    match = THREE
    for text in strokes:
        match, _ = play_counting(match, read_stroke(text))
    return match


def test_each_for_himself_the_queen_is_told_with_who_has_her() -> None:
    assert differences(THREE, counted("q")) == (
        "queen on the table, now awaiting cover by Asha",
    )
    assert differences(counted("q"), counted("q", "w")) == (
        "points 0:0:0, now 7:0:0",
        "coins up 9 white 9 black, now 8 white 9 black",
        "queen awaiting cover by Asha, now covered by Asha",
    )


def test_a_match_of_two_sides_is_no_other_reading_of_a_game_of_three() -> None:
    with pytest.raises(ValueError, match="of one kind"):
        differences(START, THREE)
