"""What decisions say to people, and small print of dues and cases."""

from dataclasses import replace

import pytest
import yaml

from calibration.table import Piece
from controller.rules.articles import explanation, sentence
from controller.rules.board import BySide, Finish, Side
from controller.rules.cases import run_case
from controller.rules.counting import CountingBoard, count, points
from controller.rules.decisions import (
    BoardVoid,
    BoardWon,
    BreakFailed,
    BreakMade,
    Decision,
    Disputed,
    DueIncurred,
    DuePaid,
    DuePostponed,
    DueWaived,
    FoulCalled,
    PenaltyIncurred,
    PiecesReplaced,
    PiecesReturned,
    PointsLost,
    QueenAwaitsCover,
    QueenCovered,
    QueenReturned,
    QueenToReturn,
    TurnKept,
    TurnPassed,
)
from controller.rules.dues import waive
from controller.rules.judge import judge
from controller.rules.notation import read_board, read_stroke
from controller.rules.rule_sets import rule_set
from controller.rules.stroke import Stroke

WHITE = Side.WHITE


@pytest.mark.parametrize(
    ("decision", "said"),
    [
        (TurnKept("x", WHITE), "white goes on"),
        (TurnPassed("x", WHITE), "white's turn is over, black is next"),
        (DueIncurred("x", WHITE, 1), "white owes 1 coin for the striker"),
        (PenaltyIncurred("x", WHITE, 2), "white owes 2 coins as a penalty"),
        (DuePaid("x", WHITE, 1, "umpire"), "the umpire places 1 coin of white"),
        (DueWaived("x", WHITE, 2), "white need not pay 2 coins"),
        (DuePostponed("x", WHITE, 1), "1 coin of white cannot be placed yet"),
        (PointsLost("x", WHITE, 10), "white loses 10 points"),
        (PiecesReturned("x", WHITE, 2, 0, 1), "2 white, 1 queen back to the table"),
        (
            PiecesReplaced("x", WHITE, (Piece.QUEEN, Piece.WHITE)),
            "queen, white to the centre circle",
        ),
        (QueenAwaitsCover("x", WHITE), "white must cover the queen"),
        (QueenCovered("x", WHITE), "white has covered the queen"),
        (QueenReturned("x", WHITE), "the queen goes back to the centre"),
        (QueenToReturn("x", WHITE), "the queen comes back when white's turn ends"),
        (BreakMade("x", WHITE), "white has broken"),
        (BreakFailed("x", WHITE, 2), "white missed the break, 2 attempts left"),
        (FoulCalled("x", WHITE, technical=True), "technical foul by white"),
        (FoulCalled("x", WHITE, technical=False), "foul by white"),
        (
            BoardWon("x", WHITE, 4, 3, 0, Finish.CLEARED),
            "white wins the board, 4 for coins and 3 for the queen",
        ),
        (BoardVoid("x", WHITE), "the board is void, white breaks again"),
        (Disputed("x", WHITE, "whose?"), 'the umpire is asked "whose?"'),
    ],
)
def test_each_decision_is_one_plain_sentence(decision: Decision, said: str) -> None:
    assert sentence(decision) == said


def test_waiving_some_of_the_coins_is_refused() -> None:
    with pytest.raises(ValueError, match="all or nothing"):
        waive(read_board("9w 9b q / white / due 2w 0b"), WHITE, 1)


def test_a_case_may_leave_a_section_empty() -> None:
    report = run_case(yaml.safe_load("{id: A, b: {x: 6}, st: , e: {turn: Y}}"))
    assert report.passed


def test_a_case_may_write_true_for_one() -> None:
    report = run_case(yaml.safe_load("{id: A, b: {x: 6}, st: {k: true}, e: {bx: 0}}"))
    assert report.passed


def table(players: int) -> CountingBoard:
    """A counting game about to begin."""
    empty = read_board("9w 9b q / white").purses.white
    return CountingBoard(purses=(empty,) * players)


def test_three_players_take_turns_and_collect_any_colour() -> None:
    laws = rule_set("point")
    board = table(3)
    for text in ("w b", "-", "2b", "-", "-"):
        board = count(board, read_stroke(text), laws, proper=True).board
    assert board.on_turn == 0
    assert [points(purse, laws) for purse in board.purses] == [3, 2, 0]


def test_a_coin_of_any_colour_covers_the_queen() -> None:
    laws = rule_set("point")
    sunk = count(table(3), read_stroke("q"), laws, proper=True)
    assert (sunk.board.queen_awaits, sunk.turn_kept) == (True, True)
    after = count(sunk.board, read_stroke("b"), laws, proper=True)
    assert points(after.board.purses[0], laws) == 6


def test_an_uncovered_queen_comes_back_in_a_counting_game() -> None:
    laws = rule_set("point")
    sunk = count(table(2), read_stroke("q"), laws, proper=True)
    missed = count(sunk.board, read_stroke("-"), laws, proper=True)
    assert (missed.queen_back, missed.turn_kept) == (True, False)
    assert not missed.board.purses[0].queen


def test_the_striker_takes_back_the_coins_of_its_stroke() -> None:
    laws = rule_set("point")
    after = count(table(2), read_stroke("w b s"), laws, proper=True)
    assert (after.white_back, after.black_back, after.turn_kept) == (1, 1, False)


@pytest.mark.parametrize(
    ("sunk", "back"), [("w", (1, 0)), ("w b", (0, 1)), ("-", (0, 0))]
)
def test_the_striker_alone_takes_back_the_cheapest_coin(
    sunk: str, back: tuple[int, int]
) -> None:
    laws = rule_set("point")
    board = table(1)
    board = count(board, read_stroke(sunk), laws, proper=True).board
    after = count(board, read_stroke("s"), laws, proper=True)
    assert (after.white_back, after.black_back) == back


def test_the_family_pays_ten_points_for_the_striker_and_keeps_the_coins() -> None:
    laws = rule_set("family")
    after = count(table(2), read_stroke("w s"), laws, proper=True)
    assert points(after.board.purses[0], laws) == 0
    assert (after.points_lost, after.white_back) == (10, 0)


def test_an_improper_stroke_brings_its_pieces_back_in_a_counting_game() -> None:
    laws = rule_set("family")
    after = count(table(2), read_stroke("w q"), laws, proper=False)
    assert (after.white_back, after.queen_back, after.points_lost) == (1, True, 0)


def test_the_queen_left_alone_needs_no_cover() -> None:
    laws = rule_set("point")
    board = read_board("0w 0b q / white / purse 9,0,0,0 0,9,0,0 / score 0-0")
    after, told = judge(board, Stroke(queen=True), replace(laws, game_points=None))
    assert isinstance(told[-1], BoardWon)
    assert after.result is not None
    assert (after.result.winner, after.result.points) == (WHITE, 23)


def test_a_race_ends_when_a_player_has_the_points() -> None:
    board = read_board("1w 9b q / white / purse 8,0,0,0 0,0,0,0")
    after, told = judge(board, read_stroke("w"), rule_set("point"))
    assert isinstance(told[-1], BoardWon)
    assert after.result is not None
    assert (after.result.points, after.result.loser_points) == (18, 0)


def test_both_sides_of_a_pair_are_kept_apart() -> None:
    assert BySide(1, 2).put(Side.BLACK, 5) == BySide(1, 5)


def test_a_late_stroke_of_a_counting_game_costs_the_turn_only() -> None:
    board = read_board("8w 9b q / white / purse 1,0,0,0 0,0,0,0")
    after, _ = judge(board, read_stroke("- t=11.0"), rule_set("freestyle"))
    assert (after.turn, after.coins.white) == (Side.BLACK, 8)


def explained(case: str) -> list[str]:
    """What `carrom judge --explain` prints below a case's name."""
    (step,) = run_case(yaml.safe_load(case)).steps
    laws = rule_set("icf")
    return [step.facts, *(explanation(decision, laws) for decision in step.decisions)]


def test_an_explained_case_names_facts_law_article_and_sentence() -> None:
    lines = explained("{id: A, b: {x: 6, y: 7, q: await, dy: 1, sx: 5}, st: {s: 1}}")
    assert lines[0] == (
        "white on turn, 6 own and 7 opposing coins up, white must cover the queen, "
        "black owes 1, scores 5 to 0; pocketed striker"
    )
    assert lines[-1] == (
        "white's turn is over, black is next: the striker falls instead of the cover "
        "[cover.striker; ICF 100a]"
    )


@pytest.mark.parametrize(
    ("case", "facts"),
    [
        (
            "{id: A, b: {phase: break}, st: {touched: false}}",
            "queen up, break attempt 1; touched false",
        ),
        (
            "{id: A, b: {x: 6, q: covY}, st: {imp: true, k: 1, m: 2}}",
            "queen covered by black; pocketed 1 own, 2 opposing; improper stroke",
        ),
        (
            "{id: A, b: {x: 6}, st: {q: 1, jumped: [own, opp], thumb: true}}",
            "queen up; pocketed queen; jumped own, opp; thumb",
        ),
        (
            "{id: A, b: {x: 6}, st: {breach: before_first_stroke}}",
            "queen up; breach before first stroke",
        ),
        ("{id: A, b: {x: 6}, st: {}}", "queen up; nothing pocketed"),
    ],
)
def test_the_facts_name_only_what_is_the_case(case: str, facts: str) -> None:
    assert explained(case)[0].endswith(facts)


def test_a_queen_to_come_back_is_a_fact_of_the_next_stroke() -> None:
    case = "{id: A, rules: uk, st: {q: 1}, then: {st: {k: 1}}}"
    _, second = run_case(yaml.safe_load(case)).steps
    assert "queen to come back" in second.facts
