"""The notation prints and reads back every board and stroke, exactly."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.table import Piece
from controller.rules.board import (
    Board,
    BySide,
    Finish,
    Purse,
    Queen,
    QueenIs,
    Result,
    Side,
)
from controller.rules.notation import (
    NotationError,
    read_board,
    read_stroke,
    write_board,
    write_stroke,
)
from controller.rules.stroke import Stroke

SIDES = st.sampled_from(Side)
SMALL = st.integers(0, 9)
PIECES = st.lists(st.sampled_from([Piece.WHITE, Piece.BLACK, Piece.QUEEN]), max_size=3)


def both(values: st.SearchStrategy[object]) -> st.SearchStrategy[BySide[object]]:
    """A pair of such values."""
    return st.builds(BySide, values, values)


QUEENS = st.one_of(
    st.just(Queen(QueenIs.ON_TABLE, None)),
    st.builds(
        Queen,
        st.sampled_from([q for q in QueenIs if q is not QueenIs.ON_TABLE]),
        SIDES,
    ),
)
RESULTS = st.builds(
    Result,
    SIDES,
    SMALL,
    SMALL,
    st.integers(0, 2),
    st.sampled_from(Finish),
    st.booleans(),
    st.integers(0, 200),
)
BOARDS = st.builds(
    Board,
    turn=SIDES,
    coins=both(SMALL),
    queen=QUEENS,
    owed=both(st.integers(0, 12)),
    ever_down=both(st.booleans()),
    scores=both(st.integers(0, 40)),
    break_attempt=st.integers(0, 3),
    turns=st.integers(0, 99),
    turn_strokes=st.integers(0, 19),
    passes=st.integers(0, 5),
    late=both(st.integers(0, 2)),
    purses=both(st.builds(Purse, SMALL, SMALL, st.booleans(), st.integers(0, 90))),
    result=st.none() | RESULTS,
)
STROKES = st.builds(
    Stroke,
    white=SMALL,
    black=SMALL,
    queen=st.booleans(),
    striker=st.booleans(),
    proper=st.booleans(),
    touched=st.booleans(),
    left_table=PIECES.map(tuple),
    landed_back=PIECES.map(tuple),
    striker_left_table=st.booleans(),
    thumb=st.booleans(),
    back_stroke=st.booleans(),
    hand_over_arrow=st.booleans(),
    rival_first=st.booleans(),
    before_play=st.booleans(),
    fouled=st.booleans(),
    arrow_coin=st.booleans(),
    passes_on=st.booleans(),
    seconds=st.none() | st.floats(0, 600),
    struck_by=st.none() | SIDES,
)


@given(BOARDS)
def test_every_board_reads_back_the_same(board: Board) -> None:
    assert read_board(write_board(board)) == board


@given(STROKES)
def test_every_stroke_reads_back_the_same(stroke: Stroke) -> None:
    assert read_stroke(write_stroke(stroke)) == stroke


def test_a_board_about_to_be_broken_is_short() -> None:
    assert write_board(Board()) == "9w 9b q / white / break 1"


def test_nothing_pocketed_is_a_dash() -> None:
    assert write_stroke(Stroke()) == "-"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "9w 9b q",
        "9w 9b / white",
        "9w 10b q / white",
        "w 9b q / white",
        "9w 9b k / white",
        "9w 9b q?red / white",
        "9w 9b q / red",
        "9w 9b q / white / owed 1w",
        "9w 9b q / white / due many",
        "9w 9b q / white / turn 1",
    ],
)
def test_what_is_no_board_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        read_board(text)


@pytest.mark.parametrize(
    "text",
    [
        *("x", "nw", "12w", "jumped=x", "t=soon", "by=red"),
        *("", "w w", "2w 3w", "q q", "- w", "w -", "s s", "by=white by=black"),
        *("t=nan", "t=inf", "t=-1", "\u0662w", "1_0w", "-1w"),
    ],
)
def test_what_is_no_stroke_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        read_stroke(text)
