"""The toss, limits of time and errors that lapse."""

from dataclasses import replace

import pytest

from calibration.refusal import Refusal
from calibration.table import Seat
from controller.rules.articles import explanation
from controller.rules.board import BySide, Finish, Side
from controller.rules.choices import Overtime
from controller.rules.decisions import Lapsed
from controller.rules.happenings import Conceded, NoticedLate, act
from controller.rules.judge import judge
from controller.rules.lapse import LAPSING
from controller.rules.match import Match, NextBoard, ScoresCorrected, advance
from controller.rules.match_notation import read_entry
from controller.rules.notation import read_board, read_stroke
from controller.rules.order import ByPlayer, Player, breaker_of
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


ASHA_SOUTH = ByPlayer("Asha", "Bimal")


def opening(rules: str, **wishes: bool) -> Match:
    return Match(laws=rule_set(rules), names=ASHA_SOUTH, **wishes)


def tossed(match: Match, words: str) -> Match:
    return advance(match, read_entry(f": toss {words}"))[0]


def at_the_table(match: Match) -> tuple[str, str, str, str]:
    """Who breaks, who strikes, and where both sit."""
    seats = [match.seats_of(player)[0].value for player in Player]
    names = [match.names[player] for player in Player]
    sits = {name: seat for name, seat in zip(names, seats, strict=True)}
    striker = next(name for name in names if match.seat.value == sits[name])
    return match.names[match.breaker], striker, sits["Asha"], sits["Bimal"]


@pytest.mark.parametrize(
    ("rules", "words", "follows"),
    [
        ("icf", "first break", ("Asha", "Asha", "south", "north")),
        ("icf", "second break", ("Bimal", "Bimal", "south", "north")),
        ("icf", "first side", ("Bimal", "Bimal", "south", "north")),
        ("icf", "first side north", ("Bimal", "Bimal", "north", "south")),
        ("icf", "first break north", ("Asha", "Asha", "south", "north")),
        ("icf", "first break south", ("Asha", "Asha", "north", "south")),
        ("icf", "second break east", ("Bimal", "Bimal", "east", "west")),
        ("tournament", "first black", ("Bimal", "Bimal", "south", "north")),
        ("basic", "second black", ("Asha", "Asha", "south", "north")),
    ],
)
def test_the_toss_sets_breaker_and_seats(
    rules: str, words: str, follows: tuple[str, str, str, str]
) -> None:
    match = tossed(opening(rules), words)
    assert at_the_table(match) == follows
    assert match.breaker is Player.FIRST
    assert match.side_of(match.breaker) is Side.WHITE
    assert breaker_of(1, 2) is not match.breaker


def test_a_pair_that_chooses_seats_sits_face_to_face_there() -> None:
    match = tossed(opening("icf", doubles=True), "first side north")
    assert match.names == ByPlayer("Bimal", "Asha")
    assert match.seats_of(Player.SECOND) == (Seat.NORTH, Seat.SOUTH)
    assert match.seats_of(Player.FIRST) == (Seat.EAST, Seat.WEST)
    chosen = tossed(opening("icf", doubles=True), "second break west")
    assert chosen.seats_of(Player.FIRST) == (Seat.NORTH, Seat.SOUTH)
    assert chosen.seats_of(Player.SECOND) == (Seat.WEST, Seat.EAST)


@pytest.mark.parametrize(
    ("rules", "words", "why"),
    [
        ("icf", "first black", "offers the winner of the toss no 'black'"),
        ("tournament", "first break north", "gives nobody his seat"),
    ],
)
def test_a_toss_the_rule_set_does_not_offer_is_refused(
    rules: str, words: str, why: str
) -> None:
    with pytest.raises(ValueError, match=why):
        tossed(opening(rules), words)


@pytest.mark.parametrize("stroke", ["w", "- untouched"])
def test_after_the_first_attempt_at_the_break_no_toss_is_due(stroke: str) -> None:
    match, _ = advance(opening("icf"), read_stroke(stroke))
    with pytest.raises(ValueError, match="before the break"):
        tossed(match, "first break")


def test_a_later_board_has_no_toss() -> None:
    match, _ = advance(opening("icf"), Conceded(Side.BLACK))
    match, _ = advance(match, NextBoard())
    with pytest.raises(ValueError, match="Bimal breaks this one"):
        tossed(match, "first break")


def level() -> Match:
    """Level after eight boards; the extra board is about to be broken."""
    match = replace(opening("icf"), board_number=8)
    match, _ = advance(match, ScoresCorrected(ByPlayer(8, 20), ""))
    match, _ = advance(match, Conceded(match.side_of(Player.SECOND)))
    assert match.extra_board_next
    return advance(match, NextBoard())[0]


def test_an_extra_board_is_tossed_for_the_break_alone() -> None:
    match = level()
    assert (match.board_number, match.breaker) == (9, Player.FIRST)
    assert tossed(match, "first break") == match
    other = tossed(match, "second break")
    assert (other.breaker, other.seat) == (Player.SECOND, Seat.NORTH)
    assert (other.names, other.scores) == (match.names, match.scores)
    uneven = advance(match, ScoresCorrected(ByPlayer(20, 22), ""))[0]
    scores = tossed(uneven, "second break").board.scores
    assert (scores.white, scores.black) == (22, 20)
    for words in ("second side", "second break north"):
        with pytest.raises(ValueError, match="for the break alone"):
            tossed(match, words)


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
