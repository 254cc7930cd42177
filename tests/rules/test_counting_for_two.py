"""A counting game of two: whatever happens, a coin is on the table or in a purse."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.table import Piece
from controller.rules.board import Board, Finish, Side
from controller.rules.decisions import Decision, FoulCalled, PiecesReturned
from controller.rules.happenings import (
    Breach,
    Conceded,
    Disturbed,
    Happening,
    LateFall,
    Misplaced,
    NoRoom,
    Passed,
    SeatLeft,
    act,
)
from controller.rules.laws import Laws
from controller.rules.notation import read_board
from controller.rules.rule_sets import RULE_SETS, rule_set
from controller.rules.stroke import Stroke

WHITE, BLACK = Side.WHITE, Side.BLACK
COUNTING = [laws for laws in RULE_SETS.values() if laws.players_collect]


def after(
    state: str, happening: Happening, rules: str = "point"
) -> tuple[Board, tuple[Decision, ...]]:
    """The board after a happening, and what was decided."""
    return act(read_board(state), happening, rule_set(rules))


def test_a_breach_costs_the_cheapest_coin_of_the_purse() -> None:
    board, told = after("6w 7b q / white / purse 3,2,0,0 0,0,0,0", Breach(WHITE, True))
    assert board == read_board("6w 8b q / white / purse 3,1,0,0 0,0,0,0")
    assert told[:2] == (
        FoulCalled("foul.technical", WHITE, True),
        PiecesReturned("foul.technical", WHITE, 0, 1, 0),
    )


def test_a_breach_later_in_the_turn_costs_the_turn_too() -> None:
    state = "6w 9b q?white / white / turn 2.1 / purse 3,0,0,0 0,0,0,0"
    board, _ = after(state, Breach(WHITE, False))
    assert board == read_board("7w 9b q / black / turn 3.0 / purse 2,0,0,0 0,0,0,0")


def test_an_empty_purse_pays_nothing_and_owes_nothing() -> None:
    state = "6w 7b q / white / purse 0,0,0,0 3,2,0,0"
    board, told = after(state, Misplaced(WHITE))
    assert board == read_board(state)
    assert len(told) == 2


@pytest.mark.parametrize("lost", [SeatLeft(WHITE), Conceded(WHITE), Disturbed(WHITE)])
def test_who_loses_the_board_leaves_what_lies_there_to_the_other(
    lost: Happening,
) -> None:
    board, _ = after("5w 7b q?white / white / purse 3,2,0,0 1,0,0,0", lost)
    counted = board.result
    assert counted is not None
    assert (counted.winner, counted.loser_points) == (BLACK, 8)
    assert (counted.coin_points, counted.queen_points) == (2 * (1 + 5) + 7, 5)


def test_a_queen_covered_by_the_loser_stays_his() -> None:
    board, _ = after("5w 7b q=white / white / purse 3,2,1,0 1,0,0,0", Conceded(WHITE))
    assert board.result is not None
    assert (board.result.queen_points, board.result.loser_points) == (0, 13)


@pytest.mark.parametrize(
    ("turn", "purses"),
    [("2.1", "4,2,0,0 1,0,0,0"), ("2.0", "3,2,0,0 2,0,0,0")],
)
def test_a_coin_that_falls_later_belongs_to_who_struck_last(
    turn: str, purses: str
) -> None:
    state = f"5w 7b q / white / turn {turn} / purse 3,2,0,0 1,0,0,0"
    board, told = after(state, LateFall(Piece.WHITE))
    assert board == read_board(f"4w 7b q / white / turn {turn} / purse {purses}")
    assert told == ()


def test_a_coin_that_falls_later_can_win_the_race() -> None:
    state = "2w 9b q / white / turn 2.1 / purse 7,0,0,0 0,0,0,0 / score 1-0"
    board, _ = after(state, LateFall(Piece.WHITE))
    assert board.result is not None
    assert (board.result.winner, board.result.points) == (WHITE, 16)


def test_the_queen_that_falls_later_needs_a_cover_or_comes_back() -> None:
    running, _ = after("9w 9b q / white / turn 2.1", LateFall(Piece.QUEEN))
    assert running.queen.awaits(WHITE)
    passed, told = after("9w 9b q / white / turn 2.0", LateFall(Piece.QUEEN))
    assert passed.queen.on_table
    assert told[0] == PiecesReturned("fall.later-queen", BLACK, 0, 0, 1)


def test_nothing_falls_later_before_the_first_stroke() -> None:
    with pytest.raises(ValueError, match="nobody has struck yet"):
        after("9w 9b q / white", LateFall(Piece.WHITE))


def test_no_coin_is_owed_that_could_be_without_room() -> None:
    with pytest.raises(ValueError, match="point knows no coins owed"):
        after("6w 7b q / white", NoRoom(WHITE, 1))


@pytest.mark.parametrize(
    ("found", "then"),
    [
        ("5w 6b q / white", "4w 6b q / white / turn 0.1 / purse 1,0,0,0 0,0,0,0"),
        (
            "5w 6b q=black / white",
            "4w 6b q=black / white / turn 0.1 / purse 1,0,0,0 0,0,0,0",
        ),
        (
            "9w 9b q / white / purse 2,0,0,0 0,0,0,0",
            "8w 9b q / white / turn 0.1 / purse 3,0,0,0 0,0,0,0",
        ),
    ],
)
def test_a_table_the_umpire_found_otherwise_stays_as_he_found_it(
    found: str, then: str
) -> None:
    board, _ = after(found, Stroke(white=1))
    assert board == read_board(then)


def test_a_table_found_empty_but_for_one_coin_ends_with_it() -> None:
    board, _ = after("1w 0b q=black / white", Stroke(white=1))
    assert board.result is not None
    assert board.result.points == 2


SIDES = st.sampled_from(Side)
HAPPENINGS = st.one_of(
    st.builds(Breach, SIDES, st.booleans()),
    st.builds(Misplaced, SIDES),
    st.builds(LateFall, st.sampled_from([Piece.WHITE, Piece.BLACK, Piece.QUEEN])),
    st.just(Passed()),
    st.builds(Conceded, SIDES),
    st.builds(
        Stroke,
        white=st.integers(0, 2),
        black=st.integers(0, 2),
        queen=st.booleans(),
        striker=st.booleans(),
        proper=st.booleans(),
    ),
)


@settings(max_examples=120)
@given(st.sampled_from(COUNTING), st.lists(HAPPENINGS, max_size=40))
def test_every_coin_is_on_the_table_or_in_one_purse(
    laws: Laws, happenings: list[Happening]
) -> None:
    board = Board()
    for happening in happenings:
        try:
            board, _ = act(board, happening, laws)
        except ValueError:
            continue
        purses = (board.purses.white, board.purses.black)
        assert sum(purse.white for purse in purses) == board.down(WHITE)
        assert sum(purse.black for purse in purses) == board.down(BLACK)
        assert sum(purse.queen for purse in purses) == board.queen.covered
        assert board.owed.white == board.owed.black == 0
        if board.result is not None:
            assert board.result.finish in (Finish.CLEARED, Finish.CONCEDED)
            return


def test_the_stroke_that_ends_the_board_still_tells_what_it_collected() -> None:
    state = "0w 1b q?white / white / purse 9,0,0,0 0,8,0,0"
    _, told = after(state, Stroke(black=1), "family")
    assert [decision.law for decision in told] == ["queen.cover", "points.piece"]
