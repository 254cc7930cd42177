"""Games of players each for himself as text: what their lines say that others do not.

    : breach 2 early
    : out-of-turn 3 w b
    : points 12,-3,4 card was wrong
    : award 1 the others left
    : replayed
    : purses 2,1,0,0 0,0,1,10 0,0,0,0 / turn 2 / queen awaits

Players are numbered from 1 in the order of play. A purse is white, black, queen and
points lost; after the purses follows, each behind a slash, what differs from a board
that is broken with the first player on turn: `turn`, `break` (the attempt), `queen
awaits` (her cover), `strokes` (made in this turn), `struck` (who struck last), `astray` (white, black and queen that
are down and nobody's) and `over`.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TypeAlias, assert_never

from controller.rules.board import EMPTY, Purse
from controller.rules.counting import CountingBoard
from controller.rules.counting_entries import (
    GameAwarded,
    OutOfTurn,
    PlayerBreach,
    PointsCorrected,
    PursesSet,
    Replayed,
)
from controller.rules.free_text import read_free, write_free
from controller.rules.notation import NotationError, read_stroke, whole, write_stroke

OwnEntry: TypeAlias = (
    OutOfTurn | PlayerBreach | Replayed | PursesSet | PointsCorrected | GameAwarded
)
"""Entries that only such a game knows."""


def write_own(entry: OwnEntry) -> str:
    """The words of an entry, without the colon before them."""
    match entry:
        case OutOfTurn(player, stroke):
            return f"out-of-turn {player + 1} {write_stroke(stroke)}"
        case PlayerBreach(player, early):
            return f"breach {player + 1} {'early' if early else 'later'}"
        case Replayed():
            return "replayed"
        case PursesSet(board):
            return f"purses {write_counting_board(board)}"
        case PointsCorrected(points, reason):
            return f"points {','.join(map(str, points))} {write_free(reason)}".rstrip()
        case GameAwarded(player, reason):
            return f"award {player + 1} {write_free(reason)}".rstrip()
        case _:
            assert_never(entry)


def read_own(name: str, rest: str) -> OwnEntry | None:
    """The entry these words stand for; None for words of other games.

    Raises ValueError (NotationError among them) for words that cannot be read.
    """
    first, _, more = rest.partition(" ")
    if name in ("breach", "award") and not first.isdecimal():
        return None
    match name:
        case "out-of-turn":
            return OutOfTurn(_player(first), read_stroke(more))
        case "breach":
            if more not in ("early", "later"):
                raise NotationError(f"a breach is early or later, got {more!r}")
            return PlayerBreach(_player(first), more == "early")
        case "replayed" if not rest:
            return Replayed()
        case "purses":
            return PursesSet(read_counting_board(rest))
        case "points":
            return PointsCorrected(
                tuple(int(n) for n in first.split(",")), read_free(more)
            )
        case "award":
            return GameAwarded(_player(first), read_free(more))
        case _:
            return None


def write_counting_board(board: CountingBoard) -> str:
    """The board as text; `read_counting_board` gives the same board back."""
    return " / ".join(_parts(board))


def read_counting_board(text: str) -> CountingBoard:
    """The board a text describes. Raises NotationError."""
    purses, *parts = (part.strip() for part in text.split("/"))
    try:
        board = CountingBoard(
            purses=tuple(_read_purse(word) for word in purses.split()), break_attempt=0
        )
        if len({part.partition(" ")[0] for part in parts}) < len(parts):
            raise NotationError(f"something is said twice in {text!r}")
        for part in parts:
            word, _, rest = part.partition(" ")
            board = _READERS[word](board, rest)
    except (KeyError, ValueError) as error:
        raise NotationError(f"cannot read {text!r} as purses") from error
    return board


def _parts(board: CountingBoard) -> Iterator[str]:
    yield " ".join(_write_purse(purse) for purse in board.purses)
    if board.on_turn:
        yield f"turn {board.on_turn + 1}"
    if board.break_attempt:
        yield f"break {board.break_attempt}"
    if board.queen_awaits:
        yield "queen awaits"
    if board.turn_strokes:
        yield f"strokes {board.turn_strokes}"
    if board.struck is not None:
        yield f"struck {board.struck + 1}"
    if board.astray != EMPTY:
        yield f"astray {_write_purse(board.astray)}"
    if board.over:
        yield "over"


def _write_purse(purse: Purse) -> str:
    return f"{purse.white},{purse.black},{int(purse.queen)},{purse.lost}"


def _read_purse(word: str) -> Purse:
    white, black, queen, lost = word.split(",")
    return Purse(int(white), int(black), {"0": False, "1": True}[queen], whole(lost))


def _read_queen(board: CountingBoard, rest: str) -> CountingBoard:
    if rest != "awaits":
        raise NotationError(f"the queen awaits or is in a purse, got {rest!r}")
    return replace(board, queen_awaits=True)


def _read_over(board: CountingBoard, rest: str) -> CountingBoard:
    if rest:
        raise NotationError(f"nothing stands after over, got {rest!r}")
    return replace(board, over=True)


_READERS: dict[str, Callable[[CountingBoard, str], CountingBoard]] = {
    "turn": lambda board, rest: replace(board, on_turn=_player(rest)),
    "break": lambda board, rest: replace(board, break_attempt=whole(rest)),
    "queen": _read_queen,
    "strokes": lambda board, rest: replace(board, turn_strokes=whole(rest)),
    "struck": lambda board, rest: replace(board, struck=_player(rest)),
    "astray": lambda board, rest: replace(board, astray=_read_purse(rest)),
    "over": _read_over,
}


def _player(word: str) -> int:
    number = whole(word)
    if number < 1:
        raise NotationError(f"players are numbered from 1, got {word!r}")
    return number - 1
