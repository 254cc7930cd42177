"""The words of a law case turned into a board and a happening, and played."""

from dataclasses import dataclass, replace

from calibration.refusal import Refusal
from calibration.table import Piece, Placement
from controller.rules.board import (
    COINS_PER_SIDE,
    ON_TABLE,
    Board,
    BySide,
    Purse,
    Side,
    awaiting,
    covered,
)
from controller.rules.breaches import technical_foul
from controller.rules.case_words import (
    HAPPENING_FLAGS,
    STATE_FLAGS,
    Words,
    number,
    one_of,
    placement,
    refuse_odd_flags,
    seconds,
)
from controller.rules.choices import Overtime
from controller.rules.decisions import Decision, QueenReturned
from controller.rules.happenings import Breach, Happening, LateFall, SeatLeft, act
from controller.rules.judge import judge
from controller.rules.laws import Laws
from controller.rules.stroke import Stroke

Decisions = tuple[Decision, ...]
X, Y = Side.WHITE, Side.BLACK


@dataclass(frozen=True, slots=True)
class Situation:
    """A case's state: the board, its laws, and the words only order and score ask."""

    board: Board
    laws: Laws
    words: Words


def situation(words: Words, laws: Laws) -> Situation:
    """The state before. Raises ValueError for values the format does not know."""
    refuse_odd_flags(words, STATE_FLAGS)
    x, y = number(words, "x", COINS_PER_SIDE), number(words, "y", COINS_PER_SIDE)
    owed_by_y = number(words, "dy", number(words, "owed_to_X", 0))
    if "available" in words:
        y = COINS_PER_SIDE - number(words, "available", 0)
    if not (0 <= x <= COINS_PER_SIDE and 0 <= y <= COINS_PER_SIDE):
        raise Refusal(f"a side has 0 to 9 coins on the table, got {x} and {y}")
    phase = one_of(words, "phase", ("play", "break"), "play")
    breaking = phase == "break" or "break_attempt" in words
    states = {
        "on": ON_TABLE,
        "await": awaiting(X),
        "covX": covered(X),
        "covY": covered(Y),
    }
    queen = one_of(words, "q", tuple(states), "on") or "on"
    board = Board(
        turn=X,
        coins=BySide(x, y),
        queen=states[queen],
        owed=BySide(number(words, "dx", 0), owed_by_y),
        ever_down=BySide(bool(words.get("ever", x < COINS_PER_SIDE)), y < 9),
        scores=BySide(number(words, "sx", 0), number(words, "sy", 0)),
        break_attempt=_attempt(words, laws) if breaking else 0,
        turns=2,
        turn_strokes=1 if queen == "await" else 0,
    )
    if laws.players_collect:
        board = replace(board, purses=_purses(board))
    return Situation(board, laws, words)


def _attempt(words: Words, laws: Laws) -> int:
    attempt = number(words, "break_attempt", 1)
    if not 1 <= attempt <= laws.break_attempts:
        most = laws.break_attempts
        raise Refusal(f"break_attempt is 1 to {most} under {laws.name}, got {attempt}")
    return attempt


def _purses(board: Board) -> BySide[Purse]:
    """In counting games each is taken to hold the coins of his own colour."""
    queen = board.queen
    return BySide(
        Purse(white=board.down(X), queen=queen.covered_by(X)),
        Purse(black=board.down(Y), queen=queen.covered_by(Y)),
    )


def played(before: Situation, words: Words) -> tuple[Board, Decisions]:
    """The board after the happening, and what was decided. Raises ValueError."""
    board, laws = before.board, before.laws
    refuse_odd_flags(words, HAPPENING_FLAGS)
    if "x_wants_to_waive" in words:
        return _waive(before, words)
    if before.words.get("queen_uncovered_missed_by_all"):
        return _missed_by_all(before)
    if one_of(words, "slip", ("left_base_line", "stayed")) == "stayed":
        return board, ()
    if _only_late(words, before):
        return technical_foul(board, board.turn, laws, "time.first-stroke")
    if STROKE_KEYS & set(words):
        return _with_stroke(before, words)
    return act(board, _happening(before, words), laws)


STROKE_KEYS = {"k", "m", "q", "s", "jumped", "jumped_and_fell_back"}
"""What only a stroke can bring about."""


def _happening(before: Situation, words: Words) -> Happening:
    if (early := _is_early(words)) is not None:
        return Breach(before.board.turn, before_first_stroke=early)
    if "leaves_seat" in words:
        leaver = one_of(words, "leaves_seat", ("X", "Y"))
        return SeatLeft(X if leaver == "X" else Y)
    if words.get("hanging_own_coin_falls_later"):
        return LateFall(before.board.turn.coin)
    return _stroke(before, words)


def _is_early(words: Words) -> bool | None:
    """Whether a breach came before the first stroke of the turn; None without one."""
    when = one_of(words, "breach", ("before_first_stroke", "after_first_stroke"))
    return when == "before_first_stroke" if when else None


def _with_stroke(before: Situation, words: Words) -> tuple[Board, Decisions]:
    """A stroke, and what else the case tells of: a breach, a coin that falls later."""
    board, laws = before.board, before.laws
    told: Decisions = ()
    side, stroke = board.turn, _stroke(before, words)
    early = _is_early(words)
    if early and laws.technical_keeps_turn:
        board, called = technical_foul(board, side, laws)
        told = called[:-1]
    elif early is not None:
        stroke = replace(stroke, fouled=True)
    board, judged = judge(board, stroke, laws)
    told = (*told, *judged)
    if words.get("hanging_own_coin_falls_later") and not board.over:
        board, later = act(board, LateFall(side.coin), laws)
        told = (*told, *later)
    return board, told


def _stroke(before: Situation, words: Words) -> Stroke:
    side = before.board.turn
    coins = BySide(0, 0).put(side, number(words, "k", 0))
    coins = coins.put(side.opponent, number(words, "m", 0))
    legal = placement(before.words) is not Placement.ILLEGAL
    left, fell_back = _jumped(words, side)
    return Stroke(
        white=coins.white,
        black=coins.black,
        queen=bool(words.get("q", 0)),
        striker=bool(words.get("s", 0)),
        proper=not words.get("imp", False) and legal,
        touched=bool(words.get("touched", True)),
        left_table=left,
        landed_back=fell_back,
        striker_left_table=bool(words.get("striker_off_board", False)),
        thumb=bool(words.get("thumb", False)),
        hand_over_arrow=bool(before.words.get("hand_over_arrow", False)),
        seconds=seconds(words),
    )


def _only_late(words: Words, before: Situation) -> bool:
    """Nothing but too long a time: a breach, and no stroke was made yet."""
    limit, taken_s = before.laws.stroke_limit_s, seconds(words)
    return (
        set(words) == {"seconds"}
        and limit is not None
        and taken_s is not None
        and taken_s > limit
        and before.laws.overtime is Overtime.BREACH
        and before.board.turn_strokes == 0
    )


def _waive(before: Situation, words: Words) -> tuple[Board, Decisions]:
    """X gives up coins due to him: all or none (87a); else they are placed."""
    board = before.board
    waived = number(words, "x_wants_to_waive", 0)
    if waived == board.owed[Y] and waived:
        return replace(board, owed=board.owed.put(Y, 0)), ()
    if waived:
        return board, ()
    paid = board.payable(Y)
    coins = board.coins.put(Y, board.coins[Y] + paid)
    return replace(board, coins=coins, owed=board.owed.put(Y, board.owed[Y] - paid)), ()


def _missed_by_all(before: Situation) -> tuple[Board, Decisions]:
    """An uncovered queen nobody noticed counts once the next stroke is made (96)."""
    board = before.board
    if before.words.get("next_stroke_made"):
        return replace(board, queen=covered(board.turn)), ()
    passed = replace(board, queen=ON_TABLE, turn=board.turn.opponent)
    return passed, (QueenReturned("queen.missed", board.turn),)


def _jumped(words: Words, side: Side) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """The pieces that left the table, and those that jumped and fell back on it.

    `jumped_and_fell_back: true` speaks of the pieces in `jumped`, else of an own
    coin. What came back off the lamp lies where it fell (66b).
    """
    left, fell = _pieces(words.get("jumped"), side), words.get("jumped_and_fell_back")
    back = _pieces(fell, side) if fell is not True else left or (side.coin,)
    if words.get("via_lamp"):
        return (left, ()) if back and fell is not True else ((), ())
    return (() if fell is True else left), back


def _pieces(names: object, side: Side) -> tuple[Piece, ...]:
    if not names:
        return ()
    listed = names if isinstance(names, list) else [names]
    return tuple(_piece(name, side) for name in listed)


def _piece(name: object, side: Side) -> Piece:
    match name:
        case "own":
            return side.coin
        case "opp":
            return side.opponent.coin
        case "queen":
            return Piece.QUEEN
        case _:
            raise Refusal(f"a jumped piece is own, opp or queen, got {name!r}")
