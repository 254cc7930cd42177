"""Boards make games, games make a match: ICF 49, 52 to 61 and the score card."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from calibration.table import Seat
from controller.rules.board import Finish, Result, Side
from controller.rules.choices import Round, SideChange, Toss
from controller.rules.happenings import Bell, BoardRuled, BoardSet, SeatLeft, Voided
from controller.rules.match import (
    ColourChosen,
    Demand,
    Input,
    Match,
    MatchAwarded,
    NextBoard,
    Phase,
    ScoresCorrected,
    TieDecided,
    advance,
)
from controller.rules.notation import read_board, read_stroke
from controller.rules.order import ByPlayer, Player
from controller.rules.rule_sets import rule_set

FIRST, SECOND = Player.FIRST, Player.SECOND
NAMES = ByPlayer("Asha", "Bimal")


def match(rules: str = "icf", *, doubles: bool = False) -> Match:
    """A match about to begin."""
    return Match(laws=rule_set(rules), names=NAMES, doubles=doubles)


def played(start: Match, inputs: Sequence[Input]) -> Match:
    """The match after the inputs."""
    for entry in inputs:
        start, _ = advance(start, entry)
    return start


def board_won(running: Match, player: Player, coins: int, queen: int = 0) -> Match:
    """The running board won by a player, as the umpire rules it."""
    counted = Result(running.side_of(player), coins, queen, 0, Finish.RULED)
    return advance(running, BoardRuled(counted))[0]


def boards(start: Match, *wins: tuple[Player, int]) -> Match:
    """Boards won one after the other; the last one is left finished."""
    for number, (player, points) in enumerate(wins):
        start = start if number == 0 else advance(start, NextBoard())[0]
        start = board_won(start, player, points)
    return start


def test_the_first_player_breaks_with_white() -> None:
    start = match()
    assert (start.phase, start.on_turn, start.side_of(FIRST)) == (
        Phase.BREAK,
        FIRST,
        Side.WHITE,
    )


def test_a_won_board_enters_the_card_with_the_queen_apart() -> None:
    start = replace(match(), board=read_board("1w 4b q=white / white / turn 2.0"))
    after, _ = advance(start, read_stroke("w"))
    (record,) = after.records
    assert (record.winner, record.coin_points, record.queen_points) == (FIRST, 4, 3)
    assert (record.queen_by, record.totals) == (FIRST, ByPlayer(7, 0))
    assert (after.scores, after.phase) == (ByPlayer(7, 0), Phase.BOARD_OVER)


def test_a_board_can_be_won_with_no_coins_and_a_queen_never_sunk() -> None:
    start = replace(match(), board=read_board("1w 4b q / white / turn 2.0"))
    after, _ = advance(start, read_stroke("w"))
    (record,) = after.records
    assert (record.winner, record.points, record.queen_by) == (SECOND, 3, None)


def test_the_break_alternates_and_the_breaker_has_white() -> None:
    after = boards(match(), (FIRST, 2), (FIRST, 2))
    assert [record.breaker for record in after.records] == [FIRST, SECOND]
    assert after.side_of(SECOND) is Side.WHITE


@pytest.mark.parametrize("wanted", [0, 1, 2])
def test_additional_points_are_demanded_all_some_or_none(wanted: int) -> None:
    start = replace(match(), board=read_board("1w 4b q / white / turn 2.0"))
    claimed, _ = advance(start, read_stroke("w s !"))
    assert (claimed.phase, claimed.claim) == (Phase.CLAIM, 2)
    after, _ = advance(claimed, Demand(wanted))
    assert after.scores == ByPlayer(0, 3 + wanted)
    assert after.records[-1].demanded == wanted
    assert after.phase is Phase.BOARD_OVER


@pytest.mark.parametrize("wanted", [-1, 3])
def test_more_than_is_open_cannot_be_demanded(wanted: int) -> None:
    start = replace(match(), board=read_board("1w 4b q / white / turn 2.0"))
    claimed, _ = advance(start, read_stroke("w s !"))
    with pytest.raises(ValueError, match="between 0 and 2"):
        advance(claimed, Demand(wanted))


def test_demanded_points_can_win_the_game() -> None:
    board = read_board("1w 4b q / white / turn 2.0 / score 0-21")
    start = replace(match(), board=board, scores=ByPlayer(0, 21))
    claimed, _ = advance(start, read_stroke("w s"))
    after, _ = advance(claimed, Demand(1))
    assert (after.phase, after.game_winner) == (Phase.GAME_OVER, SECOND)


def test_twenty_five_points_win_the_game_and_the_other_breaks_the_next() -> None:
    after = boards(match(), (FIRST, 12), (FIRST, 12), (SECOND, 1), (FIRST, 3))
    assert (after.phase, after.games, after.scores) == (
        Phase.GAME_OVER,
        ByPlayer(1, 0),
        ByPlayer(27, 1),
    )
    assert after.shown_scores == ByPlayer(25, 1)
    following, _ = advance(after, NextBoard())
    assert (following.game, following.board_number, following.breaker) == (2, 1, SECOND)
    assert following.scores == ByPlayer(0, 0)


def test_the_leader_after_eight_boards_wins_the_game() -> None:
    after = boards(match(), *[(FIRST, 2)] * 4, *[(SECOND, 1)] * 4)
    assert (after.phase, after.game_winner) == (Phase.GAME_OVER, FIRST)


def test_level_after_eight_boards_a_toss_gives_the_break_of_a_ninth() -> None:
    after = boards(match(), *[(FIRST, 2)] * 4, *[(SECOND, 2)] * 4)
    assert after.extra_board_next
    ninth, _ = advance(after, NextBoard(breaker=SECOND))
    assert (ninth.board_number, ninth.breaker) == (9, SECOND)
    assert board_won(ninth, SECOND, 1).game_winner is SECOND


def test_from_the_quarter_finals_on_a_game_has_no_last_board() -> None:
    start = replace(match(), round=Round.QUARTER_FINAL)
    after = boards(start, *[(FIRST, 2)] * 8)
    assert (after.phase, after.extra_board_next) == (Phase.BOARD_OVER, False)


def test_two_games_win_the_match() -> None:
    after = boards(match(), (FIRST, 12), (FIRST, 12), (FIRST, 1))
    after = advance(after, NextBoard())[0]
    after = boards(after, (FIRST, 12), (FIRST, 12), (FIRST, 1))
    assert (after.phase, after.winner, after.games) == (
        Phase.MATCH_OVER,
        FIRST,
        ByPlayer(2, 0),
    )
    with pytest.raises(ValueError, match="cannot begin"):
        advance(after, NextBoard())


def test_players_change_seats_after_a_game() -> None:
    after = boards(match(), (FIRST, 12), (FIRST, 12), (FIRST, 1))
    assert after.change_of_sides_due
    following, _ = advance(after, NextBoard())
    assert following.seats_of(FIRST) == (Seat.NORTH,)
    assert following.seat in following.seats_of(SECOND)


def test_the_third_game_changes_sides_once_at_thirteen_points() -> None:
    third = replace(match(), game=3, games=ByPlayer(1, 1), round=Round.FINAL)
    after = boards(third, (FIRST, 12), (FIRST, 1))
    assert after.change_of_sides_due
    after = board_won(advance(after, NextBoard())[0], FIRST, 1)
    assert after.sides_changed
    assert not after.change_of_sides_due
    assert after.seats_of(FIRST) == (Seat.NORTH,)


def test_before_the_quarter_finals_it_changes_at_the_fourth_board() -> None:
    third = replace(match(), game=3, games=ByPlayer(1, 1))
    after = boards(third, *[(FIRST, 1)] * 4)
    assert after.change_of_sides_due


def test_in_one_game_sets_nobody_changes_sides() -> None:
    assert not boards(match("basic"), (FIRST, 12), (FIRST, 1)).change_of_sides_due


def test_singles_turns_go_across_the_table() -> None:
    after, _ = advance(match(), read_stroke("-"))
    assert (after.seat, after.on_turn) == (Seat.NORTH, SECOND)


def test_doubles_turns_and_breaks_go_to_the_right() -> None:
    start = match(doubles=True)
    seats = [start.seat]
    for _ in range(4):
        start, _ = advance(start, read_stroke("-"))
        seats.append(start.seat)
    assert seats == [Seat.SOUTH, Seat.EAST, Seat.NORTH, Seat.WEST, Seat.SOUTH]
    following, _ = advance(board_won(start, FIRST, 2), NextBoard())
    assert following.seat is Seat.EAST
    assert following.seats_of(SECOND) == (Seat.EAST, Seat.WEST)


def test_a_doubles_pair_sits_across() -> None:
    assert match(doubles=True).seats_of(FIRST) == (Seat.SOUTH, Seat.NORTH)


def test_doubles_move_one_seat_to_the_right_after_a_game() -> None:
    after = boards(match(doubles=True), (FIRST, 12), (FIRST, 12), (FIRST, 1))
    following, _ = advance(after, NextBoard())
    assert following.seats_of(FIRST) == (Seat.EAST, Seat.WEST)
    assert following.seat in following.seats_of(SECOND)


def test_corrected_scores_count_for_the_running_board() -> None:
    corrected = ScoresCorrected(ByPlayer(22, 4), "a board was entered twice")
    start = played(match(), [corrected])
    assert start.board.scores[Side.WHITE] == 22
    start = replace(
        start,
        board=replace(read_board("1w 4b q=white / white"), scores=start.board.scores),
    )
    after, _ = advance(start, read_stroke("w"))
    assert after.records[-1].queen_points == 0


def test_scores_cannot_be_corrected_below_zero() -> None:
    with pytest.raises(ValueError, match="negative"):
        advance(match(), ScoresCorrected(ByPlayer(-1, 0), "slip of the finger"))


def test_a_correction_after_the_board_changes_the_score_only() -> None:
    after = boards(match(), (FIRST, 5))
    after, _ = advance(after, ScoresCorrected(ByPlayer(4, 0), "recount"))
    assert (after.scores, after.phase) == (ByPlayer(4, 0), Phase.BOARD_OVER)


def test_a_match_can_be_lost_outright() -> None:
    after, _ = advance(match(), MatchAwarded(SECOND, "uncertified striker"))
    assert (after.phase, after.winner) == (Phase.MATCH_OVER, SECOND)


def test_a_lost_board_is_entered_for_the_opponent() -> None:
    start = replace(match(), board=read_board("6w 7b q / white / turn 2.0"))
    after, _ = advance(start, SeatLeft(Side.WHITE))
    assert (after.records[-1].winner, after.scores) == (SECOND, ByPlayer(0, 9))


def test_nothing_is_played_between_boards() -> None:
    after = boards(match(), (FIRST, 5))
    with pytest.raises(ValueError, match="no board is running"):
        advance(after, read_stroke("-"))


def test_the_next_board_waits_for_the_claim() -> None:
    start = replace(match(), board=read_board("1w 4b q / white / turn 2.0"))
    claimed, _ = advance(start, read_stroke("w s"))
    with pytest.raises(ValueError, match="phase claim"):
        advance(claimed, NextBoard())


def test_a_premier_league_tie_is_decided_outside_the_boards() -> None:
    after = boards(match("premier-league"), *[(FIRST, 2), (SECOND, 2)] * 2)
    assert after.phase is Phase.TIE
    with pytest.raises(ValueError, match="shares no game"):
        advance(after, TieDecided(None))
    assert advance(after, TieDecided(SECOND))[0].game_winner is SECOND


def test_a_family_game_can_be_shared() -> None:
    start = match("family")
    counted = Result(Side.WHITE, 80, 0, 0, Finish.CLEARED, loser_points=80)
    level, _ = advance(start, BoardRuled(counted))
    assert (level.phase, level.scores) == (Phase.TIE, ByPlayer(80, 80))
    shared, _ = advance(level, TieDecided(None))
    assert (shared.phase, shared.drawn) == (Phase.MATCH_OVER, True)


def test_a_game_level_at_the_bell_goes_to_the_winner_of_the_coin_race() -> None:
    level = read_board("4w 4b q=white / white")
    rung = played(match("tournament"), [BoardSet(level), Bell()])
    assert rung.phase is Phase.PLAY
    raced, _ = advance(rung, TieDecided(SECOND))
    (record,) = raced.records
    assert (record.finish, record.points, raced.winner) == (Finish.TIME, 4, SECOND)


def test_level_points_at_the_bell_can_be_shared_or_decided() -> None:
    level = read_board("8w 7b q / white / purse 1,0,0,0 0,2,0,0")
    rung = played(match("freestyle"), [BoardSet(level), Bell()])
    assert advance(rung, TieDecided(None))[0].drawn
    decided, _ = advance(rung, TieDecided(FIRST))
    assert (decided.winner, decided.scores) == (FIRST, ByPlayer(20, 20))


def test_a_timed_game_that_is_not_level_has_no_tie() -> None:
    ahead = played(match("tournament"), [BoardSet(read_board("3w 4b q / white"))])
    with pytest.raises(ValueError, match="no tie"):
        advance(ahead, TieDecided(FIRST))


def test_there_is_no_tie_to_decide_in_a_running_game() -> None:
    with pytest.raises(ValueError, match="no tie"):
        advance(match(), TieDecided(FIRST))


def test_one_tournament_board_decides_even_with_no_points() -> None:
    start = replace(match("tournament"), board=read_board("1w 1b q=black / white"))
    after, _ = advance(start, read_stroke("w b"))
    assert (after.phase, after.winner, after.scores) == (
        Phase.MATCH_OVER,
        FIRST,
        ByPlayer(0, 0),
    )


def test_scores_without_a_target_are_shown_as_they_are() -> None:
    assert boards(match("premier-league"), (FIRST, 11)).shown_scores == ByPlayer(11, 0)


def by_first_pot() -> Match:
    """A match whose colours the first pot gives."""
    start = match("basic")
    laws = replace(start.laws, toss=Toss.COLOUR_BY_FIRST_POT)
    return replace(start, laws=laws)


def test_the_first_pot_gives_the_colours() -> None:
    after = played(by_first_pot(), [read_stroke("b")])
    assert (after.side_of(FIRST), after.on_turn) == (Side.BLACK, FIRST)
    assert (after.board.coins[Side.BLACK], after.colours_open) == (8, False)


def test_the_second_player_may_sink_first() -> None:
    after = played(by_first_pot(), [read_stroke("-"), read_stroke("w")])
    assert (after.side_of(SECOND), after.on_turn) == (Side.WHITE, SECOND)


def test_a_debt_stays_with_the_player_when_colours_are_given() -> None:
    inputs = [read_stroke("s"), read_stroke("w")]
    after = played(by_first_pot(), inputs)
    assert after.board.owed[after.side_of(FIRST)] == 1
    assert after.side_of(FIRST) is Side.BLACK


def test_a_white_first_pot_changes_nothing() -> None:
    after = played(by_first_pot(), [read_stroke("w")])
    assert (after.side_of(FIRST), after.on_turn) == (Side.WHITE, FIRST)


def test_a_mixed_first_pot_leaves_the_choice_to_the_player() -> None:
    start, told = advance(by_first_pot(), read_stroke("w b"))
    assert told[0].law == "colour.mixed-pot"
    assert start.colours_open
    chosen = played(start, [ColourChosen(Side.WHITE)])
    assert (chosen.on_turn, chosen.side_of(SECOND)) == (SECOND, Side.WHITE)
    with pytest.raises(ValueError, match="are fixed"):
        advance(chosen, ColourChosen(Side.BLACK))


def test_colours_are_open_again_on_the_next_board() -> None:
    after = board_won(played(by_first_pot(), [read_stroke("b")]), FIRST, 2)
    following, _ = advance(after, NextBoard())
    assert following.colours_open
    assert following.side_of(SECOND) is Side.WHITE


def test_a_void_board_is_broken_by_the_same_player_again() -> None:
    start = played(match(), [read_stroke("-"), Voided(Side.WHITE)])
    assert (start.phase, start.seat, start.on_turn) == (Phase.BREAK, Seat.SOUTH, FIRST)


def test_undo_is_replay_without_the_input() -> None:
    inputs = [read_stroke(text) for text in ("w", "q", "w", "-", "b", "s", "-")]
    whole = played(match(), inputs)
    assert played(match(), [*inputs, read_stroke("s")][:-1]) == whole
    assert played(played(match(), inputs[:3]), inputs[3:]) == whole


def test_no_change_of_sides_is_due_while_a_board_runs() -> None:
    assert not match().change_of_sides_due


def test_a_set_may_keep_its_players_seated_for_three_games() -> None:
    laws = replace(rule_set("icf"), side_change=SideChange.NEVER)
    start = replace(match(), laws=laws, game=3, games=ByPlayer(1, 1))
    after = boards(start, (FIRST, 12), (FIRST, 12))
    assert not after.change_of_sides_due
