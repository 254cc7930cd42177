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
from controller.rules.time_limits import Call, law_of, limit_s
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
    ("rules", "warning", "bell", "stroke", "placing"),
    [
        ("icf", None, None, 15.0, 15.0),
        ("tournament", 1200.0, 1500.0, 12.0, 15.0),
        ("premier-league", None, None, 10.0, 10.0),
        ("freestyle", None, 600.0, 10.0, None),
        ("basic", None, None, None, None),
    ],
)
def test_each_rule_set_has_its_limits_of_time(
    rules: str,
    warning: float | None,
    bell: float | None,
    stroke: float | None,
    placing: float | None,
) -> None:
    laws = rule_set(rules)
    limits = (warning, bell, stroke, placing)
    assert tuple(limit_s(laws, call) for call in Call) == limits


@pytest.mark.parametrize(
    ("rules", "call", "first_stroke", "law"),
    [
        ("tournament", Call.WARNING, True, "time.bell"),
        ("tournament", Call.BELL, False, "time.bell"),
        ("icf", Call.PLACING_LATE, False, "due.forfeited"),
        ("icf", Call.STROKE_LATE, True, "time.first-stroke"),
        ("icf", Call.STROKE_LATE, False, "time.stroke"),
        ("tournament", Call.STROKE_LATE, True, "time.turn-lost"),
        ("freestyle", Call.STROKE_LATE, False, "time.turn-lost"),
    ],
)
def test_a_call_names_the_law_it_rests_on(
    rules: str, call: Call, first_stroke: bool, law: str
) -> None:
    assert law_of(rule_set(rules), call, first_stroke=first_stroke) == law


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
