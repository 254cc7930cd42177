"""What can happen besides a plain stroke: conduct, accidents, clocks, rulings."""

from dataclasses import replace

import pytest

from calibration.table import Piece
from controller.rules.board import Board, Finish, Result, Side, covered
from controller.rules.choices import OwnLast
from controller.rules.decisions import (
    BoardVoid,
    BoardWon,
    Decision,
    Disputed,
    DuePostponed,
    DueWaived,
    FoulCalled,
    PenaltyIncurred,
    TurnKept,
)
from controller.rules.happenings import (
    Bell,
    BoardRuled,
    BoardSet,
    Breach,
    Conceded,
    Disturbed,
    Forfeited,
    Happening,
    LateFall,
    Misplaced,
    NoRoom,
    Passed,
    PlayedOn,
    SeatLeft,
    Voided,
    Waived,
    act,
)
from controller.rules.judge import judge
from controller.rules.notation import read_board, read_stroke, write_board
from controller.rules.rule_sets import rule_set
from controller.rules.stroke import Stroke

ICF = rule_set("icf")
WHITE, BLACK = Side.WHITE, Side.BLACK


def after(text: str, happening: Happening, rules: str = "icf") -> Board:
    """The board a happening leads to."""
    return act(read_board(text), happening, rule_set(rules))[0]


def told(text: str, happening: Happening, rules: str = "icf") -> tuple[Decision, ...]:
    """What a happening makes the judge decide."""
    return act(read_board(text), happening, rule_set(rules))[1]


@pytest.mark.parametrize(
    ("happening", "law"),
    [
        (SeatLeft(WHITE), "seat.left"),
        (PlayedOn(WHITE), "appeal.played-on"),
        (Disturbed(WHITE), "board.disturbed"),
        (Conceded(WHITE), "match.conceded"),
        (Stroke(struck_by=WHITE), "turn.out"),
    ],
)
@pytest.mark.parametrize(
    ("state", "points"),
    [
        ("6w 7b q / black", (6, 3)),
        ("6w 7b q / black / score 0-22", (6, 0)),
        ("6w 7b q=white / black", (6, 0)),
    ],
)
def test_a_lost_board_counts_the_losers_coins_and_the_queen_lying(
    happening: Happening, law: str, state: str, points: tuple[int, int]
) -> None:
    board, decisions = act(read_board(state), happening, ICF)
    won = decisions[0]
    assert isinstance(won, BoardWon)
    assert (won.law, won.side, won.coin_points, won.queen_points) == (
        law,
        BLACK,
        *points,
    )
    assert board.over


def test_a_disturbed_board_also_counts_a_queen_the_winner_covered() -> None:
    (won,) = told("6w 7b q=black / white", Disturbed(WHITE))
    assert isinstance(won, BoardWon)
    assert won.queen_points == 3


@pytest.mark.parametrize(
    ("rules", "happening", "law"),
    [
        ("club-29", SeatLeft(WHITE), "seat.warning"),
        ("tournament", SeatLeft(WHITE), "seat.warning"),
        ("club-29", Stroke(struck_by=BLACK), "turn.out"),
        ("tournament", Stroke(struck_by=BLACK), "turn.out"),
    ],
)
def test_where_no_board_is_lost_the_umpire_is_asked(
    rules: str, happening: Happening, law: str
) -> None:
    board, decisions = act(read_board("6w 7b q / white"), happening, rule_set(rules))
    assert board == read_board("6w 7b q / white")
    assert [type(d) for d in decisions] == [Disputed]
    assert decisions[0].law == law


def test_a_breach_off_turn_is_technical_and_leaves_the_turn() -> None:
    happening = Breach(BLACK, before_first_stroke=False)
    assert after("6w 7b q / white", happening) == read_board("6w 8b q / white")
    assert told("6w 7b q / white", happening)[0] == FoulCalled(
        "foul.technical", BLACK, True
    )


def test_a_breach_that_has_no_coin_to_pay_stays_outstanding() -> None:
    happening = Breach(WHITE, before_first_stroke=True)
    assert after("9w 7b q / white", happening) == read_board(
        "9w 7b q / white / due 1w 0b"
    )


def test_the_opponent_may_give_up_all_that_is_owed() -> None:
    owing = "9w 7b q / white / due 2w 0b"
    assert after(owing, Waived(WHITE)) == read_board("9w 7b q / white")
    assert told(owing, Waived(WHITE)) == (DueWaived("due.waived", WHITE, 2),)


def test_a_hanging_coin_counts_whenever_it_falls() -> None:
    assert after("6w 7b q / white", LateFall(Piece.BLACK)) == read_board(
        "6w 6b q / white"
    )


def test_a_hanging_coin_pays_what_is_outstanding() -> None:
    assert after("9w 7b q / black / due 1w 0b", LateFall(Piece.WHITE)) == read_board(
        "9w 7b q / black / ever white,black"
    )


def test_the_last_coin_may_fall_later_and_win() -> None:
    (won,) = told("1w 7b q=white / black", LateFall(Piece.WHITE))
    assert won == BoardWon("fall.later", WHITE, 7, 3, 0, Finish.CLEARED)


def test_the_last_coin_falling_later_before_the_queen_is_put_to_the_umpire() -> None:
    decisions = told("1w 7b q / black", LateFall(Piece.WHITE))
    assert [d.law for d in decisions if isinstance(d, Disputed)] == ["fall.later"]


def test_the_hanging_queen_is_put_to_the_umpire() -> None:
    assert [d.law for d in told("6w 7b q / white", LateFall(Piece.QUEEN))] == [
        "fall.later-queen"
    ]


@pytest.mark.parametrize(
    ("state", "piece"),
    [
        ("6w 7b q / white", Piece.STRIKER),
        ("0w 7b q / white", Piece.WHITE),
        ("6w 7b q=white / white", Piece.QUEEN),
    ],
)
def test_what_does_not_lie_on_the_table_cannot_fall_later(
    state: str, piece: Piece
) -> None:
    with pytest.raises(ValueError, match="fall"):
        after(state, LateFall(piece))


def test_a_void_board_is_racked_again_with_the_same_scores() -> None:
    board, decisions = act(
        read_board("3w 4b q / black / score 9-7"), Voided(WHITE), ICF
    )
    assert write_board(board) == "9w 9b q / white / score 9-7 / break 1"
    assert decisions == (BoardVoid("board.void", WHITE),)


def test_at_the_bell_most_coins_down_wins_and_the_table_counts() -> None:
    (won,) = told("3w 5b q=white / black", Bell(), "tournament")
    assert won == BoardWon("time.bell", WHITE, 5, 5, 0, Finish.TIME)


def test_at_the_bell_a_queen_covered_by_the_loser_counts_for_nobody() -> None:
    (won,) = told("3w 5b q=black / black", Bell(), "tournament")
    assert won == BoardWon("time.bell", WHITE, 5, 0, 0, Finish.TIME)


def test_equal_coins_at_the_bell_need_a_tie_break() -> None:
    board, decisions = act(
        read_board("4w 4b q / white"), Bell(), rule_set("tournament")
    )
    assert not board.over
    assert [d.law for d in decisions] == ["time.bell"]


def test_at_the_bell_of_a_counting_game_most_points_win() -> None:
    board = "8w 5b q / white / purse 1,0,0,0 0,4,0,0"
    (won,) = told(board, Bell(), "freestyle")
    assert (won.law, won.side) == ("time.bell", BLACK)
    result = after(board, Bell(), "freestyle").result
    assert result is not None
    assert (result.points, result.loser_points) == (40, 20)


def test_level_points_at_the_bell_of_a_counting_game_are_asked() -> None:
    (asked,) = told("8w 7b q / white / purse 1,0,0,0 0,2,0,0", Bell(), "freestyle")
    assert isinstance(asked, Disputed)


def test_a_coin_without_room_waits_and_is_placed_after_the_next_stroke() -> None:
    placed, _ = judge(read_board("6w 7b q / white"), read_stroke("s"), ICF)
    waiting, decisions = act(placed, NoRoom(WHITE, 1), ICF)
    assert decisions == (DuePostponed("due.no-room", WHITE, 1),)
    assert write_board(waiting) == "6w 7b q / black / due 1w 0b / turn 1.0"
    again, _ = judge(waiting, read_stroke("-"), ICF)
    assert write_board(again) == "7w 7b q / white / turn 2.0"


@pytest.mark.parametrize("coins", [0, 7])
def test_no_more_coins_are_lifted_than_lie_there(coins: int) -> None:
    with pytest.raises(ValueError, match="white has 6 coins up"):
        act(read_board("6w 7b q / white"), NoRoom(WHITE, coins), ICF)


@pytest.mark.parametrize("rules", ["icf", "icf-1993"])
@pytest.mark.parametrize(
    ("stroke", "coins"),
    [("- before-play", 7), ("s before-play", 8), ("q before-play", 7)],
)
def test_a_break_before_play_costs_a_coin_and_the_due(
    stroke: str, coins: int, rules: str
) -> None:
    board = after("6w 7b q / white", read_stroke(stroke), rules)
    assert (board.coins.white, board.queen.on_table) == (coins, True)


def test_the_umpire_sets_the_board_by_hand() -> None:
    by_hand = read_board("2w 2b q=white / black / due 0w 1b")
    assert after("6w 7b q / white", BoardSet(by_hand)) == by_hand


def test_the_umpire_decides_how_a_board_counts() -> None:
    counted = Result(BLACK, 4, 0, 0, Finish.RULED)
    board, (won,) = act(read_board("6w 7b q / white"), BoardRuled(counted), ICF)
    assert won == BoardWon("ruling.result", BLACK, 4, 0, 0, Finish.RULED)
    assert board.result == counted


def test_nothing_more_happens_on_a_finished_board() -> None:
    over, _ = judge(read_board("1w 4b q=white / white"), read_stroke("w"), ICF)
    with pytest.raises(ValueError, match="the board is over"):
        judge(over, Stroke(), ICF)
    with pytest.raises(ValueError, match="the board is over"):
        act(over, SeatLeft(WHITE), ICF)


@pytest.mark.parametrize(
    ("state", "played"),
    [
        ("1w 4b q / white", "2w"),
        ("1w 4b q / white", "5b"),
        ("1w 4b q=white / white", "q"),
    ],
)
def test_more_than_lies_on_the_table_cannot_be_pocketed(
    state: str, played: str
) -> None:
    with pytest.raises(ValueError, match="cannot pocket"):
        judge(read_board(state), read_stroke(played), ICF)


@pytest.mark.parametrize(
    ("rules", "fact", "law"),
    [
        ("tournament", "thumb", "stroke.thumb"),
        ("tournament", "back", "stroke.back"),
        ("tournament", "rival-first", "stroke.rival-first"),
        ("standard", "hand", "stroke.hand"),
        ("uk", "back", "stroke.back"),
        ("icf", "before-play", "break.before-play"),
    ],
)
def test_what_a_rule_set_forbids_makes_the_stroke_a_foul(
    rules: str, fact: str, law: str
) -> None:
    state = read_board("6w 7b q / white")
    board, decisions = judge(state, read_stroke(f"w {fact}"), rule_set(rules))
    assert board == replace(read_board("7w 7b q / black"), turns=1)
    assert FoulCalled(law, WHITE, False) in decisions


@pytest.mark.parametrize("fact", ["thumb", "back", "rival-first", "hand"])
def test_the_international_laws_forbid_none_of_these(fact: str) -> None:
    state = read_board("6w 7b q / white")
    board, decisions = judge(state, read_stroke(f"w {fact}"), ICF)
    assert board.turn is WHITE
    assert not [d for d in decisions if isinstance(d, FoulCalled)]


def test_an_option_makes_an_opposing_coin_a_foul() -> None:
    laws = replace(ICF, rival_coin_is_foul=True)
    board, decisions = judge(read_board("6w 7b q / white"), read_stroke("b"), laws)
    assert board == replace(read_board("7w 6b q / black"), turns=1)
    assert FoulCalled("turn.rival-foul", WHITE, False) in decisions


def test_an_option_brings_the_last_coin_back_before_the_queen() -> None:
    laws = replace(ICF, own_last_before_queen=OwnLast.BACK_AS_FOUL)
    board, decisions = judge(read_board("1w 7b q / white"), read_stroke("w"), laws)
    assert board == replace(read_board("2w 7b q / black"), turns=1)
    assert FoulCalled("end.own-last-back", WHITE, False) in decisions


def test_a_late_first_stroke_costs_a_coin_besides_what_it_pockets() -> None:
    state = read_board("6w 7b q / white")
    board, decisions = judge(state, read_stroke("w t=15.5"), ICF)
    assert board.coins.white == 6
    assert board.turn is WHITE
    assert decisions[:2] == (
        FoulCalled("time.first-stroke", WHITE, True),
        PenaltyIncurred("time.first-stroke", WHITE, 1),
    )
    assert TurnKept("turn.own-coin", WHITE) in decisions


def test_a_late_stroke_later_in_the_turn_is_a_foul() -> None:
    state = read_board("6w 7b q / white / turn 0.1")
    board, decisions = judge(state, read_stroke("w t=15.5"), ICF)
    assert board == replace(read_board("7w 7b q / black"), turns=1)
    assert FoulCalled("time.stroke", WHITE, False) in decisions


def test_an_option_warns_before_lateness_is_a_foul() -> None:
    laws = replace(ICF, overtime_warns_first=True)
    state = read_board("6w 7b q / white / turn 0.1")
    board, decisions = judge(state, read_stroke("w t=15.5"), laws)
    assert board.turn is WHITE
    assert [d.law for d in decisions if isinstance(d, Disputed)] == ["time.stroke"]


def test_a_queen_covered_stays_out_of_reach_of_a_foul() -> None:
    happening = Breach(WHITE, before_first_stroke=False)
    assert after("6w 7b q=white / white", happening).queen == covered(WHITE)


def test_coins_not_placed_in_time_need_not_be_paid() -> None:
    board, decisions = act(
        read_board("9w 7b q / white / due 2w 0b"), Forfeited(WHITE), ICF
    )
    assert board == read_board("9w 7b q / white")
    assert decisions == (DueWaived("due.forfeited", WHITE, 2),)


@pytest.mark.parametrize("happening", [Waived(WHITE), Forfeited(WHITE)])
def test_nothing_can_be_written_off_where_nothing_is_owed(
    happening: Happening,
) -> None:
    with pytest.raises(ValueError, match="owes nothing"):
        after("6w 7b q / white", happening)


def test_a_coin_placed_wrongly_costs_the_placer_one() -> None:
    board, decisions = act(read_board("6w 7b q / black"), Misplaced(BLACK), ICF)
    assert board == read_board("6w 8b q / black")
    assert decisions[0] == FoulCalled("due.misplaced", BLACK, True)


def test_a_turn_given_up_passes_and_an_uncovered_queen_comes_back() -> None:
    assert after("6w 7b q?white / white", Passed()) == read_board(
        "6w 7b q / black / turn 1.0 / passed 1"
    )


def test_both_giving_up_three_times_running_void_the_board() -> None:
    board = read_board("6w 7b q / white / score 3-4")
    for _ in range(5):
        board, decisions = act(board, Passed(), ICF)
        assert [d.law for d in decisions] == ["turn.given-up"]
    board, decisions = act(board, Passed(), ICF)
    assert write_board(board) == "9w 9b q / white / score 3-4 / break 1"
    assert decisions == (BoardVoid("board.void", WHITE),)


def test_a_stroke_between_starts_the_count_of_given_up_turns_again() -> None:
    board = after("6w 7b q / white / passed 5", Stroke())
    assert board.passes == 0


def test_a_late_stroke_that_clears_the_board_still_wins_it() -> None:
    state = read_board("1w 4b q=white / white / turn 2.0")
    board, decisions = judge(state, read_stroke("w t=15.5"), ICF)
    assert board.over
    assert not [d for d in decisions if isinstance(d, FoulCalled)]
