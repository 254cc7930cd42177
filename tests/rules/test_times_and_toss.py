"""The toss, limits of time and errors that lapse."""

from dataclasses import replace

import pytest

from calibration.refusal import Refusal
from controller.rules.articles import explanation
from controller.rules.board import BySide, Finish, Side
from controller.rules.choices import Overtime
from controller.rules.decisions import Lapsed
from controller.rules.happenings import NoticedLate, act
from controller.rules.judge import judge
from controller.rules.lapse import LAPSING
from controller.rules.match import Match, advance
from controller.rules.notation import read_board, read_stroke
from controller.rules.order import ByPlayer, Player
from controller.rules.rule_sets import rule_set
from controller.rules.time_limits import (
    Call,
    game_calls,
    late_calls,
    placing_left_s,
    stroke_left_s,
)
from controller.rules.toss import Choice, Tossed, toss

FIRST, SECOND = Player.FIRST, Player.SECOND


@pytest.mark.parametrize(
    ("rules", "choice", "follows"),
    [
        ("icf", Choice.BREAK, Tossed(FIRST, SECOND)),
        ("icf", Choice.SIDE, Tossed(SECOND, FIRST)),
        ("standard", Choice.BREAK, Tossed(FIRST, None)),
        ("standard", Choice.BLACK, Tossed(SECOND, None)),
        ("tournament", Choice.BLACK, Tossed(SECOND, None)),
        ("basic", Choice.BREAK, Tossed(FIRST, None)),
    ],
)
def test_the_winner_of_the_toss_chooses(
    rules: str, choice: Choice, follows: Tossed
) -> None:
    assert toss(rule_set(rules), FIRST, choice) == follows


@pytest.mark.parametrize(
    ("rules", "choice"), [("icf", Choice.BLACK), ("standard", Choice.SIDE)]
)
def test_a_choice_that_is_not_offered_is_refused(rules: str, choice: Choice) -> None:
    with pytest.raises(Refusal, match="offers the winner of the toss no"):
        toss(rule_set(rules), FIRST, choice)


@pytest.mark.parametrize(
    ("before_s", "now_s", "calls"),
    [
        (0, 1199.9, ()),
        (1199.9, 1200, (Call.WARNING,)),
        (1200, 1499.9, ()),
        (1499.9, 1500, (Call.BELL,)),
        (1500, 9000, ()),
        (0, 9000, (Call.WARNING, Call.BELL)),
    ],
)
def test_a_tournament_game_is_warned_at_20_and_rung_off_at_25_minutes(
    before_s: float, now_s: float, calls: tuple[Call, ...]
) -> None:
    assert game_calls(rule_set("tournament"), before_s, now_s) == calls


def test_an_international_game_has_no_bell() -> None:
    assert game_calls(rule_set("icf"), 0, 90_000) == ()


@pytest.mark.parametrize(
    ("rules", "left_s"),
    [("icf", 5.0), ("tournament", 2.0), ("premier-league", 0.0), ("basic", None)],
)
def test_the_stroke_clock_after_ten_seconds(rules: str, left_s: float | None) -> None:
    assert stroke_left_s(rule_set(rules), 10.0) == left_s


def test_placing_has_a_limit_of_its_own() -> None:
    assert placing_left_s(rule_set("icf"), 16.0) == -1.0
    assert placing_left_s(rule_set("arena"), 16.0) is None


def test_only_a_wait_that_runs_can_be_late() -> None:
    icf = rule_set("icf")
    assert late_calls(icf, 15.1, None) == (Call.STROKE_LATE,)
    assert late_calls(icf, None, 15.1) == (Call.PLACING_LATE,)
    assert late_calls(icf, 15.0, 15.0) == ()
    assert late_calls(rule_set("basic"), 99.0, 99.0) == ()


@pytest.mark.parametrize(
    ("law", "article"),
    [
        ("turn.out", "51"),
        ("due.misplaced", "82b"),
        ("due.forfeited", "83"),
        ("queen.missed", "96"),
        ("turn.rival-coin", "125b"),
    ],
)
def test_an_error_noticed_too_late_is_recorded_and_changes_nothing(
    law: str, article: str
) -> None:
    board = read_board("6w 7b q=white / black / turn 3.0")
    after, told = act(board, NoticedLate(Side.WHITE, law), rule_set("icf"))
    assert after == board
    assert told == (Lapsed(law, Side.WHITE),)
    assert LAPSING[law] == article
    said = explanation(told[0], rule_set("icf"))
    assert said.startswith("noticed after the next stroke, what white did stands")


def test_what_never_lapses_is_corrected_instead() -> None:
    board = read_board("6w 7b q / black")
    with pytest.raises(ValueError, match="correct the record instead"):
        act(board, NoticedLate(Side.WHITE, "end.cleared"), rule_set("icf"))


LATE = "- t=11.0"


def test_the_third_lateness_loses_a_freestyle_game_whatever_the_points() -> None:
    match = Match(laws=rule_set("freestyle"), names=ByPlayer("Asha", "Bimal"))
    for text in ("w", "w", LATE, "-", LATE, "-", "w"):
        match, _ = advance(match, read_stroke(text))
    assert (match.board.late, match.winner) == (BySide(2, 0), None)
    match, told = advance(match, read_stroke(LATE))
    assert (told[-1].law, told[-1].side) == ("time.third", Side.BLACK)
    (record,) = match.records
    assert (record.finish, match.winner) == (Finish.LATE, SECOND)
    assert match.scores == ByPlayer(60, 0)


def test_a_board_game_that_counts_lateness_is_lost_by_the_third() -> None:
    laws = replace(rule_set("icf"), overtime=Overtime.THREE_LOSE)
    board = read_board("6w 7b q / white / late 2-1")
    after, told = judge(board, read_stroke("w t=16.0"), laws)
    assert told[-1].law == "time.third"
    assert after.result is not None
    assert (after.result.winner, after.result.points) == (Side.BLACK, 9)


def test_two_of_each_side_lose_nothing() -> None:
    laws = replace(rule_set("icf"), overtime=Overtime.THREE_LOSE)
    board = read_board("6w 7b q / white / late 1-2")
    after, _ = judge(board, read_stroke("w t=16.0"), laws)
    assert (after.over, after.late, after.turn) == (False, BySide(2, 2), Side.BLACK)
