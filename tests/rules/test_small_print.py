"""Small print: what a board remembers after rulings that are seldom met."""

import pytest

from controller.rules.board import (
    ON_TABLE,
    Board,
    Queen,
    Side,
    awaiting,
    covered,
)
from controller.rules.contest import leading
from controller.rules.counting_decisions import FoulBy, GivenBack
from controller.rules.counting_entries import PlayerBreach
from controller.rules.counting_match import advance, begin
from controller.rules.decisions import Decision, PiecesReturned, QueenReturned
from controller.rules.difference import differences
from controller.rules.happenings import (
    Bell,
    Breach,
    Happening,
    LateFall,
    Passed,
    act,
)
from controller.rules.judge import judge
from controller.rules.match import Match
from controller.rules.match_notation import MatchRecord, read_match, write_match
from controller.rules.notation import read_board, read_stroke, write_board
from controller.rules.order import ByPlayer
from controller.rules.rule_sets import rule_set

WHITE = Side.WHITE


def after(
    state: str, happening: Happening, rules: str = "icf"
) -> tuple[Board, tuple[Decision, ...]]:
    """The board after a happening, and what was decided."""
    return act(read_board(state), happening, rule_set(rules))


def test_a_turn_given_up_before_the_cover_returns_the_queen_and_nothing_else() -> None:
    board, told = after("6w 7b q?white / white / turn 2.1", Passed())
    assert board == read_board("6w 7b q / black / turn 3.0 / passed 1")
    assert told[:2] == (
        PiecesReturned("queen.missed", WHITE, 0, 0, 1),
        QueenReturned("queen.missed", WHITE),
    )


def test_a_board_cleared_by_a_late_fall_has_no_coin_of_the_winner_left() -> None:
    board, _ = after("1w 4b q=white / black", LateFall(WHITE.coin))
    assert (board.coins.white, board.coins.black) == (0, 4)


@pytest.mark.parametrize("rules", ["icf", "point"])
def test_strokes_of_a_turn_are_counted_from_one(rules: str) -> None:
    laws = rule_set(rules)
    board = read_board("9w 9b q / white")
    for strokes in (1, 2, 3):
        board, _ = judge(board, read_stroke("w"), laws)
        assert (board.turns, board.turn_strokes) == (0, strokes)
    board, _ = judge(board, read_stroke("-"), laws)
    assert (board.turns, board.turn_strokes) == (1, 0)
    assert write_board(board).startswith("6w 9b q / black")


@pytest.mark.parametrize("others", [(), ("Chandra",), ("Chandra", "Dev")])
def test_the_names_of_all_who_play_stand_at_the_top(others: tuple[str, ...]) -> None:
    record = MatchRecord("point", "Asha", "Bimal", others=others)
    assert read_match(write_match(record)) == record
    assert [name in write_match(record) for name in others] == [True] * len(others)


@pytest.mark.parametrize(
    ("board", "leads"),
    [("4w 6b q / white", "Asha"), ("6w 4b q / white", "Bimal"), ("5w 5b q", None)],
)
def test_who_would_win_at_the_bell_is_named_and_nobody_when_level(
    board: str, leads: str | None
) -> None:
    names = ByPlayer("Asha", "Bimal")
    state = read_board(board if "/" in board else f"{board} / white")
    match = Match(laws=rule_set("tournament"), names=names, board=state)
    assert leading(match) == leads


def test_a_foul_of_one_of_three_gives_one_coin_back_and_no_queen() -> None:
    game = begin(rule_set("point"), ("Asha", "Bimal", "Chandra"))
    for played in ("w b", "-"):
        game, _ = advance(game, read_stroke(played))
    _, told = advance(game, PlayerBreach(0, True))
    asha = game.player(0)
    assert told[:2] == (
        FoulBy("points.foul", asha, True),
        GivenBack("points.foul", asha, 0, 1, 0),
    )


def test_a_foul_before_the_cover_returns_the_queen_and_nothing_else() -> None:
    board, told = after("6w 7b q?white / white / turn 2.1", Breach(WHITE, False))
    assert board == read_board("7w 7b q / black / turn 3.0")
    assert told[1:3] == (
        PiecesReturned("queen.missed", WHITE, 0, 0, 1),
        QueenReturned("queen.missed", WHITE),
    )


def test_a_board_of_three_that_is_over_is_told_once_and_only_if_it_changed() -> None:
    game = begin(rule_set("point"), ("Asha", "Bimal", "Chandra"))
    for played in ("w b", "-"):
        game, _ = advance(game, read_stroke(played))
    over, _ = advance(game, Bell())
    told = [text for text in differences(game, over) if text.startswith("board 1:")]
    assert len(told) == 1
    assert differences(over, over) == ()


@pytest.mark.parametrize(
    ("state", "played", "queen"),
    [
        ("1w 4b q?white / white", "w", covered(WHITE)),
        ("1w 4b q / white", "w q", covered(WHITE)),
        ("5w 1b q?white / white", "b", awaiting(WHITE)),
        ("1w 4b q=black / white", "w", covered(WHITE.opponent)),
        ("1w 4b q / white", "w", ON_TABLE),
    ],
)
def test_a_finished_board_says_what_became_of_the_queen(
    state: str, played: str, queen: Queen
) -> None:
    board, _ = judge(read_board(state), read_stroke(played), rule_set("icf"))
    assert board.over
    assert board.queen == queen
