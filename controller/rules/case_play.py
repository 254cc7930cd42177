"""The words of a law case turned into a board and a happening, and played."""

from collections.abc import Mapping
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
from controller.rules.choices import Overtime
from controller.rules.decisions import Decision, QueenReturned
from controller.rules.happenings import Breach, Happening, LateFall, SeatLeft, act
from controller.rules.laws import Laws
from controller.rules.stroke import Stroke

STATE_KEYS = frozenset(
    [
        "x",
        "y",
        "q",
        "ever",
        "dx",
        "dy",
        "sx",
        "sy",
        "phase",
        "break_attempt",
        "game",
        "board",
        "boards_played",
        "round",
        "first_breaker_of_match",
        "doubles",
        "on_turn",
        "owed_to_X",
        "available",
        "striker",
        "hand_over_arrow",
        "queen_uncovered_missed_by_all",
        "next_stroke_made",
    ]
)
HAPPENING_KEYS = frozenset(
    [
        "k",
        "m",
        "q",
        "s",
        "imp",
        "touched",
        "jumped",
        "jumped_and_fell_back",
        "via_lamp",
        "striker_off_board",
        "breach",
        "slip",
        "hanging_own_coin_falls_later",
        "thumb",
        "seconds",
        "leaves_seat",
        "x_wants_to_waive",
    ]
)
Words = Mapping[str, object]
Decisions = tuple[Decision, ...]
X, Y = Side.WHITE, Side.BLACK
UNCERTAIN = "uncertain"


@dataclass(frozen=True, slots=True)
class Situation:
    """A case's state: the board, its laws, and the words only order and score ask."""

    board: Board
    laws: Laws
    words: Words


def situation(words: Words, laws: Laws) -> Situation:
    """The state before. Raises ValueError for values the format does not know."""
    x, y = number(words, "x", COINS_PER_SIDE), number(words, "y", COINS_PER_SIDE)
    owed_by_y = number(words, "dy", number(words, "owed_to_X", 0))
    if "available" in words:
        y = COINS_PER_SIDE - number(words, "available", 0)
    if not (0 <= x <= COINS_PER_SIDE and 0 <= y <= COINS_PER_SIDE):
        raise Refusal(f"a side has 0 to 9 coins on the table, got {x} and {y}")
    breaking = words.get("phase") == "break" or "break_attempt" in words
    states = {
        "on": ON_TABLE,
        "await": awaiting(X),
        "covX": covered(X),
        "covY": covered(Y),
    }
    queen = str(words.get("q", "on"))
    if queen not in states:
        raise ValueError(f"q must be one of {', '.join(states)}, got {queen!r}")
    board = Board(
        turn=X,
        coins=BySide(x, y),
        queen=states[queen],
        owed=BySide(number(words, "dx", 0), owed_by_y),
        ever_down=BySide(bool(words.get("ever", x < COINS_PER_SIDE)), y < 9),
        scores=BySide(number(words, "sx", 0), number(words, "sy", 0)),
        break_attempt=number(words, "break_attempt", 1) if breaking else 0,
        turns=2,
        turn_strokes=1 if queen == "await" else 0,
    )
    if laws.players_collect:
        board = replace(board, purses=_purses(board))
    return Situation(board, laws, words)


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
    if "x_wants_to_waive" in words:
        return _waive(before, words)
    if before.words.get("queen_uncovered_missed_by_all"):
        return _missed_by_all(before)
    if words.get("slip") == "stayed":
        return board, ()
    if _only_late(words, before):
        return technical_foul(board, board.turn, laws, "time.first-stroke")
    return act(board, _happening(before, words), laws)


def _happening(before: Situation, words: Words) -> Happening:
    if "breach" in words:
        early = words["breach"] == "before_first_stroke"
        return Breach(before.board.turn, before_first_stroke=early)
    if "leaves_seat" in words:
        return SeatLeft(X if words["leaves_seat"] == "X" else Y)
    if words.get("hanging_own_coin_falls_later"):
        return LateFall(before.board.turn.coin)
    return _stroke(before, words)


def _stroke(before: Situation, words: Words) -> Stroke:
    side = before.board.turn
    coins = BySide(0, 0).put(side, number(words, "k", 0))
    coins = coins.put(side.opponent, number(words, "m", 0))
    legal = placement(before.words) is not Placement.ILLEGAL
    seconds = words.get("seconds")
    fell_back = () if words.get("via_lamp") else _fell_back(words, side)
    return Stroke(
        white=coins.white,
        black=coins.black,
        queen=bool(words.get("q", 0)),
        striker=bool(words.get("s", 0)),
        proper=not words.get("imp", False) and legal,
        touched=bool(words.get("touched", True)),
        left_table=_pieces(words.get("jumped"), side),
        landed_back=fell_back,
        striker_left_table=bool(words.get("striker_off_board", False)),
        thumb=bool(words.get("thumb", False)),
        hand_over_arrow=bool(before.words.get("hand_over_arrow", False)),
        seconds=float(seconds) if isinstance(seconds, int | float) else None,
    )


def _only_late(words: Words, before: Situation) -> bool:
    """Nothing but too long a time: a breach, and no stroke was made yet."""
    limit, seconds = before.laws.stroke_limit_s, words.get("seconds")
    return (
        set(words) == {"seconds"}
        and limit is not None
        and isinstance(seconds, int | float)
        and seconds > limit
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


def placement(words: Words) -> Placement:
    """Both base lines touched, a base circle all or nothing, the arrow clear (130).

    A fact given as "uncertain" leaves the placement so, unless another forbids it.
    """
    striker = words.get("striker")
    if not isinstance(striker, Mapping):
        return Placement.LEGAL
    circle = striker.get("base_circle", "clear")
    if circle not in ("clear", "covered", "partly_covered", UNCERTAIN):
        raise Refusal(f"base_circle is clear, covered or partly_covered: {circle!r}")
    arrow = striker.get("touches_arrow", False)
    lines = _lines_touched(striker)
    wrong = (arrow is True, circle == "partly_covered", False in lines)
    if any(wrong):
        return Placement.ILLEGAL
    if UNCERTAIN in (arrow, circle, *lines):
        return Placement.UNCERTAIN
    return Placement.LEGAL


def _lines_touched(striker: Words) -> tuple[object, ...]:
    """Whether each base line is touched; a case that names neither asks of others."""
    if "touches_both" in striker:
        return (striker["touches_both"],)
    if not {"touches_upper", "touches_lower"} & set(striker):
        return (True,)
    return striker.get("touches_upper", False), striker.get("touches_lower", False)


def _fell_back(words: Words, side: Side) -> tuple[Piece, ...]:
    fell = words.get("jumped_and_fell_back")
    return (side.coin,) if fell is True else _pieces(fell, side)


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


def number(words: Words, key: str, default: int) -> int:
    """A whole number of a case. Raises Refusal for anything else."""
    value = words.get(key, default)
    if isinstance(value, bool):
        return int(value)
    if not isinstance(value, int):
        raise Refusal(f"{key!r} must be a whole number, got {value!r}")
    return value
