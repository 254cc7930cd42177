"""Boards and strokes as one line of text, exact both ways.

A board:  `8w 9b q?white / white / due 1w 0b / score 10-5`
A stroke: `2w b q s ! jumped=q,w t=12.5`

Board: coins on the table; the queen as `q` (on the table), `q?SIDE` (awaits her
cover), `q=SIDE` (covered) or `q<SIDE` (comes back when the turn ends); then the
side on turn; then what differs from a broken board in its first turn: `due`,
`ever` (sides that have had a coin down, where the count does not show it),
`score` white-black, `break N` (attempt), `turn TURNS.STROKES`, `passed N` (turns
given up in a row), `late` (strokes too late, white and black), `purse` (counting games: white,black,queen,lost of each) and
`won SIDE COINS+QUEEN DEMANDABLE finish [slam] [loser=POINTS]`.
Stroke: what fell, `-` for nothing, `!` improper, `untouched`, and what a rule
set may ask about. `docs/notation.md` describes the notation for players.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace

from calibration.table import Piece
from controller.rules.board import (
    COINS_PER_SIDE,
    EMPTY,
    Board,
    BySide,
    Finish,
    Purse,
    Queen,
    QueenIs,
    Result,
    Side,
)
from controller.rules.stroke import Stroke

_QUEEN_MARKS = {
    QueenIs.ON_TABLE: "",
    QueenIs.AWAITING_COVER: "?",
    QueenIs.COVERED: "=",
    QueenIs.COMING_BACK: "<",
}
LONGEST_MESSAGE = 240
_REMEDY = ": two white coins are 2w"
_LETTERS = {Piece.WHITE: "w", Piece.BLACK: "b", Piece.QUEEN: "q"}


class NotationError(ValueError):
    """Text that is no board or no stroke; the message quotes the word, cut to a line."""

    def __init__(self, message: str) -> None:
        fits = len(message) <= LONGEST_MESSAGE
        super().__init__(message if fits else message[: LONGEST_MESSAGE - 3] + "...")


def write_board(board: Board) -> str:
    """The board as text; `read_board` gives the same board back."""
    return " / ".join(_board_parts(board))


def read_board(text: str) -> Board:
    """The board a text describes. Raises NotationError."""
    pieces, *parts = (part.strip() for part in text.split("/"))
    if not parts:
        raise NotationError(f"a board names its pieces and its turn, got {text!r}")
    white, black, queen = _read_pieces(pieces)
    board = Board(
        turn=_side(parts[0]),
        coins=BySide(white, black),
        queen=queen,
        ever_down=BySide(white < COINS_PER_SIDE, black < COINS_PER_SIDE),
        break_attempt=0,
    )
    seen: set[str] = set()
    for part in parts[1:]:
        word, _, rest = part.partition(" ")
        if word not in _READERS:
            raise NotationError(f"a board has no part {word!r}: {text!r}")
        if word in seen:
            raise NotationError(f"{word!r} is said twice in {text!r}")
        seen.add(word)
        try:
            board = _READERS[word](board, rest)
        except (ValueError, IndexError) as error:
            raise NotationError(f"cannot read {part!r} in {text!r}") from error
    return board


def write_stroke(stroke: Stroke) -> str:
    """The stroke as text; `read_stroke` gives the same stroke back."""
    return " ".join(_stroke_words(stroke))


def read_stroke(text: str) -> Stroke:
    """The stroke a text describes. Raises NotationError."""
    words = text.split()
    if not words:
        raise NotationError("a stroke in which nothing fell is written -")
    stroke, seen = Stroke(), set[str]()
    for word in words:
        kind = _kind(word)
        if kind in seen:
            raise NotationError(f"{kind!r} is said twice in {text!r}{_REMEDY}")
        seen.add(kind)
        stroke = _read_stroke_word(stroke, word)
    if "-" in seen and any(stroke.pocketed.values()):
        raise NotationError(f"- says that nothing fell, but something did in {text!r}")
    return stroke


def whole(digits: str) -> int:
    """A number from 0 on, in plain digits. Raises ValueError for any other text."""
    if not (digits.isascii() and digits.isdecimal()):
        raise ValueError(f"{digits!r} is no whole number")
    return int(digits)


def seconds(text: str) -> float:
    """A time from 0 on. Raises ValueError for any other text."""
    value = float(text)
    if not 0 <= value < math.inf:
        raise ValueError(f"{text!r} is no time")
    return value


def _board_parts(board: Board) -> Iterator[str]:
    coins, owed, scores = board.coins, board.owed, board.scores
    queen = "q" + _QUEEN_MARKS[board.queen.state] + (board.queen.side or "")
    yield f"{coins.white}w {coins.black}b {queen}"
    yield board.turn.value
    if owed != BySide(0, 0):
        yield f"due {owed.white}w {owed.black}b"
    if board.ever_down != BySide(
        coins.white < COINS_PER_SIDE, coins.black < COINS_PER_SIDE
    ):
        yield "ever " + (",".join(s for s in Side if board.ever_down[s]) or "-")
    if scores != BySide(0, 0):
        yield f"score {scores.white}-{scores.black}"
    if board.break_attempt:
        yield f"break {board.break_attempt}"
    if board.turns or board.turn_strokes:
        yield f"turn {board.turns}.{board.turn_strokes}"
    if board.passes:
        yield f"passed {board.passes}"
    if board.late != BySide(0, 0):
        yield f"late {board.late.white}-{board.late.black}"
    if board.purses != BySide(EMPTY, EMPTY):
        purses = (board.purses.white, board.purses.black)
        yield "purse " + " ".join(_write_purse(purse) for purse in purses)
    if board.result is not None:
        yield "won " + write_result(board.result)


def write_result(result: Result) -> str:
    """How a board counts, as text; `read_result` gives the same result back."""
    words = [
        result.winner.value,
        f"{result.coin_points}+{result.queen_points}",
        str(result.demandable),
        result.finish.value,
    ]
    if result.slam:
        words.append("slam")
    if result.loser_points:
        words.append(f"loser={result.loser_points}")
    return " ".join(words)


def _write_purse(purse: Purse) -> str:
    return f"{purse.white},{purse.black},{int(purse.queen)},{purse.lost}"


def _read_pieces(text: str) -> tuple[int, int, Queen]:
    words = text.split()
    if len(words) != 3 or words[0][-1:] != "w" or words[1][-1:] != "b":
        raise NotationError(f"pieces are written like '9w 9b q', got {text!r}")
    white, black = (_count(word[:-1], word) for word in words[:2])
    if max(white, black) > COINS_PER_SIDE:
        raise NotationError(f"a side has 9 coins at most, got {text!r}")
    return white, black, _read_queen(words[2])


def _read_queen(word: str) -> Queen:
    for state, mark in _QUEEN_MARKS.items():
        if word == "q" and not mark:
            return Queen(state, None)
        if mark and word.startswith("q" + mark):
            return Queen(state, _side(word[2:]))
    raise NotationError(f"the queen is written q, q?SIDE, q=SIDE or q<SIDE: {word!r}")


def _side(word: str) -> Side:
    try:
        return Side(word)
    except ValueError:
        raise NotationError(f"a side is white or black, got {word!r}") from None


def _count(digits: str, word: str) -> int:
    try:
        return whole(digits)
    except ValueError:
        raise NotationError(f"a count is missing in {word!r}") from None


def _pair(text: str, mark: str) -> BySide[int]:
    white, black = text.split(mark)
    return BySide(int(white), int(black))


def _read_due(board: Board, rest: str) -> Board:
    white, black = rest.split()
    owed = BySide(whole(white.removesuffix("w")), whole(black.removesuffix("b")))
    return replace(board, owed=owed)


def _read_ever(board: Board, rest: str) -> Board:
    sides = [] if rest == "-" else [Side(word) for word in rest.split(",")]
    return replace(board, ever_down=BySide(Side.WHITE in sides, Side.BLACK in sides))


def _read_turn(board: Board, rest: str) -> Board:
    turns, strokes = rest.split(".")
    return replace(board, turns=whole(turns), turn_strokes=whole(strokes))


def _read_purses(board: Board, rest: str) -> Board:
    white, black = (
        Purse(whole(w), whole(b), bool(("0", "1").index(q)), whole(lost))
        for w, b, q, lost in (word.split(",") for word in rest.split())
    )
    return replace(board, purses=BySide(white, black))


def read_result(text: str) -> Result:
    """The result a text describes. Raises ValueError for what is none."""
    winner, points, demandable, finish, *more = text.split()
    coins, queen = points.split("+")
    slam = more[:1] == ["slam"]
    loser = more[slam:]
    if len(loser) > 1 or any(not word.startswith("loser=") for word in loser):
        raise ValueError(f"{more} does not follow how a board was won")
    return Result(
        Side(winner),
        int(coins),
        int(queen),
        whole(demandable),
        Finish(finish),
        slam,
        int(loser[0].removeprefix("loser=")) if loser else 0,
    )


_READERS: dict[str, Callable[[Board, str], Board]] = {
    "due": _read_due,
    "ever": _read_ever,
    "score": lambda board, rest: replace(board, scores=_pair(rest, "-")),
    "break": lambda board, rest: replace(board, break_attempt=whole(rest)),
    "turn": _read_turn,
    "passed": lambda board, rest: replace(board, passes=whole(rest)),
    "late": lambda board, rest: replace(board, late=_pair(rest, "-")),
    "purse": _read_purses,
    "won": lambda board, rest: replace(board, result=read_result(rest)),
}

Flag = tuple[Callable[[Stroke], bool], Callable[[Stroke], Stroke]]
_FELL: dict[str, Flag] = {
    "q": (lambda s: s.queen, lambda s: replace(s, queen=True)),
    "s": (lambda s: s.striker, lambda s: replace(s, striker=True)),
}
_FACTS: dict[str, Flag] = {
    "!": (lambda s: not s.proper, lambda s: replace(s, proper=False)),
    "untouched": (lambda s: not s.touched, lambda s: replace(s, touched=False)),
    "striker-off": (
        lambda s: s.striker_left_table,
        lambda s: replace(s, striker_left_table=True),
    ),
    "thumb": (lambda s: s.thumb, lambda s: replace(s, thumb=True)),
    "back": (lambda s: s.back_stroke, lambda s: replace(s, back_stroke=True)),
    "hand": (lambda s: s.hand_over_arrow, lambda s: replace(s, hand_over_arrow=True)),
    "rival-first": (lambda s: s.rival_first, lambda s: replace(s, rival_first=True)),
    "arrow": (lambda s: s.arrow_coin, lambda s: replace(s, arrow_coin=True)),
    "passes-on": (lambda s: s.passes_on, lambda s: replace(s, passes_on=True)),
    "before-play": (lambda s: s.before_play, lambda s: replace(s, before_play=True)),
    "foul": (lambda s: s.fouled, lambda s: replace(s, fouled=True)),
}
"""How each word of a stroke is seen in it and put into it."""

_WORDS = _FELL | _FACTS


def _stroke_words(stroke: Stroke) -> Iterator[str]:
    for letter, count in (("w", stroke.white), ("b", stroke.black)):
        if count:
            yield letter if count == 1 else f"{count}{letter}"
    yield from (word for word, (seen, _) in _FELL.items() if seen(stroke))
    if not any(stroke.pocketed.values()):
        yield "-"
    yield from (word for word, (seen, _) in _FACTS.items() if seen(stroke))
    if stroke.left_table:
        yield "jumped=" + _letters(stroke.left_table)
    if stroke.landed_back:
        yield "landed=" + _letters(stroke.landed_back)
    if stroke.seconds is not None:
        yield f"t={stroke.seconds!r}"
    if stroke.struck_by is not None:
        yield f"by={stroke.struck_by.value}"


def _letters(pieces: tuple[Piece, ...]) -> str:
    return ",".join(_LETTERS[piece] for piece in pieces)


def _pieces(letters: str) -> tuple[Piece, ...]:
    by_letter = {letter: piece for piece, letter in _LETTERS.items()}
    return tuple(by_letter[letter] for letter in letters.split(","))


def _kind(word: str) -> str:
    """What a word of a stroke is about: each can be said once."""
    name = word.partition("=")[0]
    counted = name[:-1].isdecimal() and name[-1] in "wb"
    return name[-1] if counted else name


def _read_stroke_word(stroke: Stroke, word: str) -> Stroke:
    name, _, value = word.partition("=")
    letter = name[-1:]
    try:
        if word == "-":
            return stroke
        if word in _WORDS:
            return _WORDS[word][1](stroke)
        if name == "jumped":
            return replace(stroke, left_table=_pieces(value))
        if name == "landed":
            return replace(stroke, landed_back=_pieces(value))
        if name == "t":
            return replace(stroke, seconds=seconds(value))
        if name == "by":
            return replace(stroke, struck_by=Side(value))
        if letter == "w":
            return replace(stroke, white=whole(name[:-1] or "1"))
        if letter == "b":
            return replace(stroke, black=whole(name[:-1] or "1"))
    except (ValueError, KeyError) as error:
        raise NotationError(f"cannot read {word!r} in a stroke") from error
    raise NotationError(f"a stroke has no word {word!r}")
