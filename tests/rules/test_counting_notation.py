"""Games each for himself as text: every line reads back, and nonsense is refused."""

import pytest

from controller.rules.board import Purse
from controller.rules.counting import CountingBoard
from controller.rules.counting_entries import (
    GameAwarded,
    OutOfTurn,
    PlayerBreach,
    PointsCorrected,
    PursesSet,
    Replayed,
)
from controller.rules.counting_notation import (
    read_counting_board,
    write_counting_board,
)
from controller.rules.entries import MatchAwarded
from controller.rules.happenings import Breach
from controller.rules.match_notation import read_entry, write_entry
from controller.rules.notation import NotationError
from controller.rules.order import Player
from controller.rules.stroke import Stroke

BOARD = CountingBoard(purses=(Purse(2, 1), Purse(), Purse(0, 3, True, 10)), on_turn=1)

LINES = {
    ": breach 2 early": PlayerBreach(1, True),
    ": breach 1 later": PlayerBreach(0, False),
    ": out-of-turn 3 w b": OutOfTurn(2, Stroke(white=1, black=1)),
    ": points 12,-3,4 card was wrong": PointsCorrected((12, -3, 4), "card was wrong"),
    ": award 1 the others left": GameAwarded(0, "the others left"),
    ": award 3": GameAwarded(2, ""),
    ": replayed": Replayed(),
    ": purses 2,1,0,0 0,0,0,0 0,3,1,10 / turn 2 / break 1": PursesSet(BOARD),
}


@pytest.mark.parametrize("line", LINES)
def test_every_entry_of_such_a_game_is_written_and_read(line: str) -> None:
    assert read_entry(line) == LINES[line]
    assert write_entry(LINES[line]) == line


def test_the_same_words_of_a_match_of_two_are_not_taken_for_theirs() -> None:
    assert isinstance(read_entry(": breach white early"), Breach)
    assert read_entry(": award first late") == MatchAwarded(Player.FIRST, "late")


@pytest.mark.parametrize(
    "board",
    [
        "0,0,0,0 0,0,0,0 0,0,0,0",
        "1,0,0,0 0,0,0,0 0,0,0,0 / turn 3 / strokes 2 / struck 3",
        "1,0,0,0 0,0,0,0 0,0,0,0 / queen awaits / strokes 1 / struck 1",
        "1,0,1,20 0,2,0,0 0,0,0,0 0,0,0,0 / turn 2 / break 3",
        "5,0,0,0 0,5,0,0 0,0,0,0 / astray 2,-1,1,0 / over",
    ],
)
def test_every_such_board_is_written_and_read(board: str) -> None:
    assert write_counting_board(read_counting_board(board)) == board


@pytest.mark.parametrize(
    "line",
    [
        ": breach 2 soon",
        ": breach 0 early",
        ": out-of-turn x w",
        ": points 1,a,2",
        ": purses 1,2,3",
        ": purses 1,0,2,0",
        ": purses 1,0,0,0 / queen covered",
        ": purses 1,0,0,0 / over now",
        ": purses 1,0,0,0 / turn 1 / turn 2",
        ": purses 1,0,0,-1",
        ": replayed twice",
        ": award -1 x",
        ": purses 1,0,0,0 / king 1",
    ],
)
def test_what_such_a_game_cannot_say_is_refused(line: str) -> None:
    with pytest.raises(NotationError):
        read_entry(line)
