"""What can never go wrong, whatever is played: pieces, turns, points, endings."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.table import Piece
from controller.rules.articles import LAWS, explanation
from controller.rules.board import (
    ON_TABLE,
    Board,
    BySide,
    Queen,
    Side,
    awaiting,
    covered,
)
from controller.rules.decisions import (
    BoardWon,
    DuePaid,
    PiecesReturned,
    TurnKept,
    TurnPassed,
)
from controller.rules.judge import judge
from controller.rules.laws import Laws
from controller.rules.notation import read_board, write_board
from controller.rules.rule_sets import RULE_SETS
from controller.rules.stroke import Stroke

BOARD_GAMES = [laws for laws in RULE_SETS.values() if not laws.players_collect]
BOARD_NAMES = [laws.name for laws in BOARD_GAMES]
COUNTING_GAMES = [laws for laws in RULE_SETS.values() if laws.players_collect]
SIDES = st.sampled_from(Side)


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """Any board that play can lead to."""
    if draw(st.integers(0, 9)) == 0:
        return Board(turn=draw(SIDES), break_attempt=draw(st.integers(1, 3)))
    turn, white, black = draw(SIDES), draw(st.integers(1, 9)), draw(st.integers(1, 9))
    queens: list[Queen] = [ON_TABLE, awaiting(turn), *map(covered, Side)]
    owed = draw(st.integers(0, 3)) if white == 9 else 0
    ever = white < 9 or draw(st.booleans())
    return Board(
        turn=turn,
        coins=BySide(white, black),
        queen=draw(st.sampled_from(queens)),
        owed=BySide(owed, draw(st.integers(0, 2)) if black == 9 else 0),
        ever_down=BySide(ever, black < 9 or draw(st.booleans())),
        scores=BySide(draw(st.integers(0, 24)), draw(st.integers(0, 24))),
        break_attempt=0,
        turn_strokes=draw(st.integers(0, 2)),
    )


@st.composite
def strokes_on(draw: st.DrawFn, board: Board) -> Stroke:
    """Any stroke that can be made on this board."""
    touched = draw(st.booleans()) or board.broken
    coins = (
        (
            draw(st.integers(0, board.coins.white)),
            draw(st.integers(0, board.coins.black)),
        )
        if touched
        else (0, 0)
    )
    jumping = st.lists(st.sampled_from([Piece.WHITE, Piece.BLACK, Piece.QUEEN]))
    return Stroke(
        white=coins[0],
        black=coins[1],
        queen=touched and board.queen.on_table and draw(st.booleans()),
        striker=draw(st.booleans()),
        proper=draw(st.booleans()),
        touched=touched,
        left_table=tuple(draw(jumping))[:2],
        striker_left_table=draw(st.booleans()),
        thumb=draw(st.booleans()),
        hand_over_arrow=draw(st.booleans()),
        seconds=draw(st.sampled_from([None, 3.0, 20.0])),
    )


POSITIONS = boards().flatmap(lambda b: st.tuples(st.just(b), strokes_on(b)))


@settings(max_examples=150)
@given(POSITIONS, st.sampled_from(BOARD_NAMES))
def test_each_stroke_gets_exactly_one_verdict(
    position: tuple[Board, Stroke], rules: str
) -> None:
    board, told = judge(*position, RULE_SETS[rules])
    verdicts = [d for d in told if isinstance(d, TurnKept | TurnPassed | BoardWon)]
    assert len(verdicts) == 1
    assert board.over == isinstance(verdicts[0], BoardWon)


@settings(max_examples=150)
@given(POSITIONS, st.sampled_from(list(RULE_SETS)))
def test_no_piece_is_ever_lost_or_made(
    position: tuple[Board, Stroke], rules: str
) -> None:
    board, _ = judge(*position, RULE_SETS[rules])
    lying, pocketed = board.ledger
    whole = {Piece.WHITE: 9, Piece.BLACK: 9, Piece.QUEEN: 1}
    assert {piece: lying[piece] + pocketed[piece] for piece in whole} == whole
    assert min(lying.values()) >= 0
    assert min(pocketed.values()) >= 0


@settings(max_examples=150)
@given(POSITIONS, st.sampled_from(BOARD_NAMES))
def test_what_is_told_accounts_for_every_coin(
    position: tuple[Board, Stroke], rules: str
) -> None:
    before, stroke = position
    board, told = judge(before, stroke, RULE_SETS[rules])
    if board.over:
        return
    for side in Side:
        back = sum(getattr(d, side) for d in told if isinstance(d, PiecesReturned))
        paid = sum(d.coins for d in told if isinstance(d, DuePaid) and d.side is side)
        sunk = stroke.coins(side)
        assert board.coins[side] == before.coins[side] - sunk + back + paid


@settings(max_examples=150)
@given(POSITIONS, st.sampled_from(BOARD_NAMES))
def test_a_board_never_counts_more_than_its_most(
    position: tuple[Board, Stroke], rules: str
) -> None:
    board, _ = judge(*position, RULE_SETS[rules])
    if board.result is None:
        return
    most = RULE_SETS[rules].board_points_max
    assert 0 <= board.result.points + board.result.demandable <= most
    assert board.owed == BySide(0, 0)


@settings(max_examples=150)
@given(POSITIONS, st.sampled_from(BOARD_NAMES))
def test_owing_with_a_coin_down_never_lasts(
    position: tuple[Board, Stroke], rules: str
) -> None:
    board, _ = judge(*position, RULE_SETS[rules])
    for side in Side:
        assert board.payable(side) == 0 or board.over or not board.broken


@settings(max_examples=150)
@given(POSITIONS, st.sampled_from(BOARD_NAMES))
def test_a_queen_uncovered_waits_only_for_the_side_on_turn(
    position: tuple[Board, Stroke], rules: str
) -> None:
    board, _ = judge(*position, RULE_SETS[rules])
    assert board.over or not board.queen.awaits(board.turn.opponent)


def mirrored(board: Board) -> Board:
    """The same board with the colours exchanged."""
    side = board.queen.side
    return replace(
        board,
        turn=board.turn.opponent,
        coins=BySide(board.coins.black, board.coins.white),
        queen=Queen(board.queen.state, side.opponent if side else None),
        owed=BySide(board.owed.black, board.owed.white),
        ever_down=BySide(board.ever_down.black, board.ever_down.white),
        scores=BySide(board.scores.black, board.scores.white),
        result=None,
    )


@settings(max_examples=150)
@given(POSITIONS, st.sampled_from(BOARD_NAMES))
def test_the_laws_do_not_know_colours(
    position: tuple[Board, Stroke], rules: str
) -> None:
    before, stroke = position
    swapped = replace(stroke, white=stroke.black, black=stroke.white)
    one, _ = judge(before, stroke, RULE_SETS[rules])
    other, _ = judge(mirrored(before), swapped, RULE_SETS[rules])
    assert mirrored(other) == replace(one, result=None)
    if one.result is not None and other.result is not None:
        assert one.result.points == other.result.points
        assert one.result.winner is other.result.winner.opponent


@settings(max_examples=150)
@given(POSITIONS, st.sampled_from(list(RULE_SETS)))
def test_every_decision_is_a_law_and_can_be_explained(
    position: tuple[Board, Stroke], rules: str
) -> None:
    board, told = judge(*position, RULE_SETS[rules])
    for decision in told:
        assert decision.law in LAWS
        assert LAWS[decision.law].words in explanation(decision, RULE_SETS[rules])
    assert read_board(write_board(board)) == board


def random_stroke(board: Board, dice: random.Random) -> Stroke:
    """A stroke of a player who is out of luck now and then."""
    white = min(board.coins.white, dice.choices((0, 1, 2), (60, 35, 5))[0])
    black = min(board.coins.black, dice.choices((0, 1, 2), (60, 35, 5))[0])
    return Stroke(
        white=white,
        black=black,
        queen=board.queen.on_table and dice.random() < 0.1,
        striker=dice.random() < 0.05,
        proper=dice.random() > 0.02,
    )


@pytest.mark.parametrize("laws", BOARD_GAMES, ids=lambda laws: laws.name)
def test_random_boards_come_to_an_end_with_one_winner(laws: Laws) -> None:
    dice = random.Random(20)
    for _ in range(60):
        board, strokes = Board(), 0
        while not board.over:
            board, _ = judge(board, random_stroke(board, dice), laws)
            strokes += 1
            assert strokes < 2000
        assert board.result is not None
        assert board.result.winner in Side


@pytest.mark.parametrize("laws", COUNTING_GAMES, ids=lambda laws: laws.name)
def test_random_counting_games_share_out_the_whole_table(laws: Laws) -> None:
    dice = random.Random(21)
    whole = 9 * laws.white_points + 9 * laws.black_points + laws.queen_points
    endless = replace(laws, game_points=None)
    for _ in range(60):
        board = Board()
        while not board.over:
            board, _ = judge(board, random_stroke(board, dice), endless)
        result, purses = board.result, board.purses
        assert result is not None
        lost = purses.white.lost + purses.black.lost
        assert result.points + result.loser_points == whole - lost
        assert result.points + lost * 99 >= result.loser_points
