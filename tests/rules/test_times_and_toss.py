"""The toss, limits of time and errors that lapse."""

import pytest

from calibration.refusal import Refusal
from controller.rules.articles import LAWS
from controller.rules.lapse import LAPSING, lapse
from controller.rules.order import Player
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


@pytest.mark.parametrize("law", LAPSING)
def test_some_errors_lapse_with_the_next_stroke(law: str) -> None:
    assert law in LAWS
    assert lapse(law, 0) is None
    lapsed = lapse(law, 1)
    assert lapsed is not None
    assert lapsed.article == LAPSING[law]


def test_other_errors_never_lapse() -> None:
    assert lapse("end.cleared", 3) is None
