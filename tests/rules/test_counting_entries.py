"""Each for himself: everything besides plain strokes that can happen in such a game."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.table import Piece, Seat
from controller.rules.board import Finish, Purse
from controller.rules.choices import AtBell, Tie
from controller.rules.contest import advance as advance_any
from controller.rules.contest import on_turn_at, relaid
from controller.rules.counting import CountingBoard
from controller.rules.counting_entries import (
    GameAwarded,
    OutOfTurn,
    PlayerBreach,
    PointsCorrected,
    PursesSet,
    Replayed,
)
from controller.rules.counting_match import advance, begin
from controller.rules.counting_state import CountingMatch, playing_order
from controller.rules.entries import Demand, NextBoard
from controller.rules.happenings import Bell, LateFall, Passed
from controller.rules.laws import Laws
from controller.rules.match_state import Phase
from controller.rules.notation import read_stroke
from controller.rules.overrides import changes_of, for_points, with_changes
from controller.rules.rule_sets import rule_set
from controller.rules.stroke import Stroke

NAMES = ("Asha", "Bimal", "Chitra")
POINT = rule_set("point")
TEN_POINTS = replace(POINT, striker_points=10, game_points=None)


def game(laws: Laws = POINT) -> CountingMatch:
    return begin(laws, NAMES)


def played(match: CountingMatch, *strokes: str) -> CountingMatch:
    for text in strokes:
        match, _ = advance(match, read_stroke(text))
    return match


def kinds(match: CountingMatch, stroke: str) -> list[str]:
    _, told = advance(match, read_stroke(stroke))
    return [type(each).__name__ for each in told]


def test_the_turn_goes_to_the_right_past_an_empty_seat() -> None:
    card = (Seat.SOUTH, Seat.WEST, Seat.EAST)
    assert playing_order(card, 0) == (0, 2, 1)
    assert playing_order(card, 1) == (1, 0, 2)


def test_a_stroke_tells_what_was_collected_and_who_is_next() -> None:
    assert kinds(game(), "w b") == ["PlayerBroke", "Collected", "PlaysOn"]
    assert kinds(played(game(), "w"), "-") == ["NextPlays"]


def test_the_queen_is_told_until_she_is_covered_or_lost() -> None:
    sunk = played(game(), "q")
    assert kinds(game(), "q") == ["PlayerBroke", "CoverNeeded", "PlaysOn"]
    assert kinds(sunk, "b") == ["Collected", "QueenCollected", "PlaysOn"]
    assert kinds(sunk, "-") == ["GivenBack", "QueenLost", "NextPlays"]


def test_the_striker_costs_ten_points_where_the_club_says_so() -> None:
    match = played(game(TEN_POINTS), "w", "w s")
    assert match.totals == (2 + 2 - 10, 0, 0)
    assert match.on_turn.name == "Bimal"
    assert kinds(played(game(TEN_POINTS), "w"), "s") == ["PointsPaid", "NextPlays"]


def test_the_striker_costs_a_coin_where_no_points_are_named() -> None:
    match = played(game(), "2w", "s")
    assert (match.totals, match.board.white) == ((2, 0, 0), 8)


def test_a_cleared_table_ends_the_board() -> None:
    endless = replace(POINT, game_points=None)
    match, told = advance(played(game(endless), "9w", "q"), read_stroke("9b"))
    assert (match.totals, match.phase) == ((32, 0, 0), Phase.BOARD_OVER)
    assert told[-1].law == "points.board"


def test_three_attempts_at_the_break_then_the_next_player_has_his() -> None:
    match = played(game(), "untouched", "untouched")
    assert (match.phase, match.on_turn.name) == (Phase.BREAK, "Asha")
    match = played(match, "untouched")
    assert (match.phase, match.on_turn.name) == (Phase.BREAK, "Bimal")
    assert match.board.break_attempt == 1


def test_a_foul_costs_a_collected_coin_and_the_turn() -> None:
    match, told = advance(played(game(), "w b"), PlayerBreach(0, False))
    assert (match.totals, match.on_turn.name) == ((2, 0, 0), "Bimal")
    assert [type(each).__name__ for each in told] == [
        "FoulBy",
        "GivenBack",
        "NextPlays",
    ]
    assert {each.law for each in told} == {"points.foul"}


def test_a_technical_foul_costs_a_coin_and_leaves_the_turn() -> None:
    match, _ = advance(played(game(), "w"), PlayerBreach(0, True))
    assert (match.totals, match.on_turn.name) == ((0, 0, 0), "Asha")


def test_a_foul_off_turn_leaves_the_turn() -> None:
    match, _ = advance(played(game(), "w", "-"), PlayerBreach(0, False))
    assert (match.totals, match.on_turn.name) == ((0, 0, 0), "Bimal")


def test_what_falls_out_of_turn_comes_back_and_the_turn_stays() -> None:
    before = played(game(), "w")
    match, told = advance(before, OutOfTurn(2, read_stroke("2b")))
    assert match == before
    assert [type(each).__name__ for each in told] == ["FoulBy", "GivenBack", "PlaysOn"]
    assert {each.law for each in told} == {"points.out-of-turn"}


def test_a_hanging_coin_counts_for_who_struck_last() -> None:
    match, _ = advance(played(game(), "w", "-"), LateFall(Piece.WHITE))
    assert (match.totals, match.on_turn.name) == ((4, 0, 0), "Bimal")


def test_a_hanging_queen_comes_back_once_the_turn_is_over() -> None:
    match, _ = advance(played(game(), "w", "-"), LateFall(Piece.QUEEN))
    assert match.board.queen_up
    match, _ = advance(played(game(), "w"), LateFall(Piece.QUEEN))
    assert match.board.queen_awaits


@pytest.mark.parametrize("piece", [Piece.STRIKER, Piece.WHITE])
def test_nothing_falls_later_before_a_stroke(piece: Piece) -> None:
    with pytest.raises(ValueError, match="fall later"):
        advance(game(), LateFall(piece))


def test_a_turn_can_be_given_up() -> None:
    match, told = advance(played(game(), "q"), Passed())
    assert (match.on_turn.name, match.board.queen_up) == ("Bimal", True)
    assert [type(each).__name__ for each in told][-1] == "NextPlays"


def test_at_the_bell_most_points_win() -> None:
    match, _ = advance(played(game(rule_set("freestyle")), "2w"), Bell())
    assert (match.winner, match.records[0].finish) == (0, Finish.TIME)


def test_at_the_bell_a_club_may_play_the_board_out() -> None:
    laws = replace(POINT, at_bell=AtBell.FINISH_BOARD, game_points=None)
    match, _ = advance(played(game(laws), "2w"), Bell())
    assert match.phase is Phase.PLAY
    match = played(match, "7w", "q", "9b")
    assert match.phase is Phase.MATCH_OVER


LEVEL = (PointsCorrected((6, 6, 1), "card"), Bell())


@pytest.mark.parametrize(
    ("tie", "phase", "drawn"),
    [
        (Tie.SHARED, Phase.MATCH_OVER, True),
        (Tie.EXTRA_BOARD, Phase.BOARD_OVER, False),
        (Tie.COIN_RACE, Phase.TIE, False),
    ],
)
def test_a_level_game_ends_as_the_rule_set_says(
    tie: Tie, phase: Phase, drawn: bool
) -> None:
    match = played(game(replace(POINT, tie=tie)), "w")
    for entry in LEVEL:
        match, _ = advance(match, entry)
    assert (match.phase, match.drawn, match.winner) == (phase, drawn, None)


def test_a_tie_that_is_not_shared_is_decided_by_the_umpire() -> None:
    match = played(game(replace(POINT, tie=Tie.COIN_RACE)), "w")
    for entry in (*LEVEL, GameAwarded(1, "coin race")):
        match, _ = advance(match, entry)
    assert (match.winner, match.phase) == (1, Phase.MATCH_OVER)


def test_a_board_that_does_not_count_is_broken_again_by_the_same() -> None:
    match, _ = advance(played(game(), "w", "-", "b"), Replayed())
    assert (match.totals, match.on_turn.name) == ((0, 0, 0), "Asha")
    assert match.phase is Phase.BREAK


def test_points_set_by_hand_stand_whatever_was_collected_before() -> None:
    match, _ = advance(played(game(), "w"), PointsCorrected((5, -3, 0), "card"))
    assert match.totals == (5, -3, 0)
    assert played(match, "b").totals == (6, -3, 0)


def test_points_set_by_hand_may_end_the_game() -> None:
    match, told = advance(played(game(), "w"), PointsCorrected((5, 17, 0), "card"))
    assert (match.winner, len(told)) == (1, 1)
    assert match.records[0].finish is Finish.RULED


@pytest.mark.parametrize(
    "entry",
    [
        PointsCorrected((1, 2), ""),
        PlayerBreach(3, True),
        GameAwarded(-1, ""),
        NextBoard(),
        PursesSet(CountingBoard(purses=(Purse(),) * 2)),
        PursesSet(CountingBoard(purses=(Purse(white=6), Purse(white=6), Purse()))),
        Stroke(white=9, black=9, queen=True, left_table=()),
    ],
    ids=str,
)
def test_what_does_not_fit_is_refused(entry: object) -> None:
    match = played(game(), "w") if isinstance(entry, Stroke) else game()
    with pytest.raises(ValueError):  # noqa: PT011  # each says what in its own words
        advance(match, entry)  # type: ignore[arg-type]


def test_what_only_two_sides_know_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="Demand is no entry of Point carrom"):
        advance_any(game(), Demand(1))


def test_nothing_happens_between_boards() -> None:
    laws = replace(POINT, game_points=None)
    match = played(game(laws), "9w", "q", "9b")
    with pytest.raises(ValueError, match="no board is running"):
        advance(match, Passed())


def test_three_by_the_basic_rules_take_the_values_of_point_carrom() -> None:
    laws = for_points(rule_set("basic"))
    assert (laws.name, laws.white_points, laws.queen_points) == ("basic", 2, 5)
    assert laws.game_points == 17
    assert laws.jumped_turn is rule_set("basic").jumped_turn


def test_what_a_club_changed_in_them_is_written_and_read_back() -> None:
    laws = replace(for_points(rule_set("basic")), striker_points=10)
    written = changes_of(laws)
    assert written == (("counting", "points"), ("striker_points", "10"))
    assert with_changes(rule_set("basic"), written) == laws


def test_who_is_on_turn_is_known_by_the_seat() -> None:
    match = begin(POINT, NAMES, (Seat.SOUTH, Seat.EAST, Seat.WEST))
    seats = (Seat.SOUTH, Seat.EAST, Seat.NORTH, None)
    assert [on_turn_at(match, seat) for seat in seats] == [True, False, None, None]


def test_a_table_found_otherwise_leaves_coins_that_are_nobodys() -> None:
    found = relaid(played(game(), "w"), 6, 9, queen=True)
    assert isinstance(found, CountingMatch)
    assert (found.board.white, found.totals) == (6, (2, 0, 0))
    assert found.board.ledger.on_table[Piece.WHITE] == 6


def test_a_queen_found_on_the_table_is_taken_out_of_the_purse() -> None:
    found = relaid(played(game(), "q", "w"), 8, 9, queen=True)
    assert isinstance(found, CountingMatch)
    assert (found.board.queen_up, found.totals) == (True, (2, 0, 0))


STROKES = st.builds(
    Stroke,
    white=st.integers(0, 3),
    black=st.integers(0, 3),
    queen=st.booleans(),
    striker=st.booleans(),
    proper=st.booleans(),
    touched=st.booleans(),
)


@given(st.lists(STROKES, max_size=60), st.sampled_from([POINT, TEN_POINTS]))
def test_the_ledger_always_adds_up_and_one_is_on_turn(
    strokes: list[Stroke], laws: Laws
) -> None:
    match = game(replace(laws, game_points=None))
    for stroke in strokes:
        if match.board.over:
            break
        try:
            match, _ = advance(match, stroke)
        except ValueError:
            continue
        book = match.board.ledger
        assert min(book.on_table.values()) >= 0
        held = sum(p.white + p.black + p.queen for p in match.board.purses)
        waiting = int(match.board.queen_awaits)
        assert sum(book.on_table.values()) + held + waiting == 19
        assert 0 <= match.board.on_turn < 3
        assert sum(purse.queen for purse in match.board.purses) <= 1
