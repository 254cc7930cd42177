"""The words of a law case turned into boards and happenings, and back.

`situation` reads the state before, `happen` plays what happens and answers every
question a case can ask about what follows.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from calibration.refusal import Refusal
from calibration.table import Piece, Placement, Seat
from controller.rules.board import (
    COINS_PER_SIDE,
    ON_TABLE,
    Board,
    BySide,
    Side,
    awaiting,
    covered,
)
from controller.rules.breaches import technical_foul
from controller.rules.choices import Overtime, Placer, Round, SideChange, Tie
from controller.rules.decisions import (
    BreakFailed,
    Decision,
    DueIncurred,
    DueWaived,
    FoulCalled,
    PenaltyIncurred,
    PiecesReplaced,
    QueenReturned,
    QueenToReturn,
)
from controller.rules.happenings import Breach, Happening, LateFall, SeatLeft, act
from controller.rules.laws import Laws
from controller.rules.order import (
    Player,
    Standing,
    breaker_of,
    changes_sides_in_game,
    next_seat,
    placing_seat,
    standing,
)
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
OUTCOME_KEYS = frozenset(
    [
        "turn",
        "bx",
        "by",
        "bq",
        "q",
        "dx",
        "dy",
        "win",
        "pts",
        "dem",
        "game_over",
        "game_winner",
        "extra_board",
        "toss",
        "breaker",
        "white",
        "next",
        "seen_from_above",
        "change_sides",
        "board_over",
        "attempts_left",
        "y_colour",
        "rearrange",
        "kind",
        "foul",
        "placed_centre",
        "placed_by",
        "placement",
        "counts_as",
        "stroke_counted",
        "left_where_it_lies",
        "allowed",
        "due_added",
    ]
)

Words = Mapping[str, object]
Decisions = tuple[Decision, ...]
X, Y = Side.WHITE, Side.BLACK
_LABEL = {X: "X", Y: "Y"}


@dataclass(frozen=True, slots=True)
class Situation:
    """A case's state: the board, its laws, and the words only order and score ask."""

    board: Board
    laws: Laws
    words: Words


@dataclass(frozen=True, slots=True)
class Aftermath:
    """What followed: the next situation, the decisions, an answer to every key."""

    situation: Situation
    decisions: Decisions
    outcome: dict[str, object]


def situation(words: Words, laws: Laws) -> Situation:
    """The state before. Raises ValueError for values the format does not know."""
    x, y = _number(words, "x", COINS_PER_SIDE), _number(words, "y", COINS_PER_SIDE)
    owed_by_y = _number(words, "dy", _number(words, "owed_to_X", 0))
    if "available" in words:
        y = COINS_PER_SIDE - _number(words, "available", 0)
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
        owed=BySide(_number(words, "dx", 0), owed_by_y),
        ever_down=BySide(bool(words.get("ever", x < COINS_PER_SIDE)), y < 9),
        scores=BySide(_number(words, "sx", 0), _number(words, "sy", 0)),
        break_attempt=_number(words, "break_attempt", 1) if breaking else 0,
        turns=2,
        turn_strokes=1 if queen == "await" else 0,
    )
    return Situation(board, laws, words)


def happen(before: Situation, words: Words) -> Aftermath:
    """Play what happens and answer what can be asked about it."""
    board, laws = before.board, before.laws
    after, told = _played(before, words)
    outcome = (
        _board_outcome(board, after, words)
        | _told_outcome(told, board.turn)
        | _game_outcome(before, after, asked_only=not words)
        | _order_outcome(before, after, told)
        | _question_outcome(before, words)
    )
    return Aftermath(Situation(after, laws, before.words), told, outcome)


def _played(before: Situation, words: Words) -> tuple[Board, Decisions]:
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
    coins = BySide(0, 0).put(side, _number(words, "k", 0))
    coins = coins.put(side.opponent, _number(words, "m", 0))
    legal = _placement(before.words) is not Placement.ILLEGAL
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
    waived = _number(words, "x_wants_to_waive", 0)
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


def _board_outcome(board: Board, after: Board, words: Words) -> dict[str, object]:
    side = board.turn
    sunk = BySide(0, 0).put(side, _number(words, "k", 0))
    sunk = sunk.put(side.opponent, _number(words, "m", 0))
    if words.get("hanging_own_coin_falls_later"):
        sunk = sunk.put(side, 1)
    back = {s: after.coins[s] - board.coins[s] + sunk[s] for s in Side}
    won = after.result
    return {
        "turn": "over" if won else _LABEL[after.turn],
        "bx": 0 if won else back[X],
        "by": 0 if won else back[Y],
        "q": _queen_word(after),
        "dx": after.owed[X],
        "dy": after.owed[Y],
        "board_over": won is not None,
        "win": _LABEL[won.winner] if won else None,
        "pts": won.points if won else None,
        "dem": won.demandable if won else 0,
        "y_colour": "black",
        "rearrange": False,
        "stroke_counted": words.get("slip") != "stayed",
    }


def _queen_word(after: Board) -> str:
    queen = after.queen
    if queen.covered:
        return "covX" if queen.covered_by(X) else "covY"
    return "await" if queen.awaits(X) or queen.awaits(Y) else "on"


def _told_outcome(told: Decisions, side: Side) -> dict[str, object]:
    outcome: dict[str, object] = {"foul": False, "kind": None, "bq": 0, "due_added": 0}
    added = 0
    for decision in told:
        match decision:
            case FoulCalled(technical=technical):
                outcome |= {
                    "foul": True,
                    "kind": "technical_foul" if technical else "foul",
                }
            case QueenReturned():
                outcome["bq"] = 1
            case QueenToReturn():
                outcome["bq"] = "at_end_of_turn"
            case DueIncurred(coins=coins) | PenaltyIncurred(coins=coins):
                added += coins
            case DueWaived(coins=coins):
                added -= coins
            case BreakFailed(attempts_left=left):
                outcome["attempts_left"] = left
            case PiecesReplaced(pieces=pieces):
                outcome["placed_centre"] = tuple(_word(p, side) for p in pieces)
            case _:
                pass
    return outcome | {"due_added": added}


def _game_outcome(
    before: Situation, after: Board, *, asked_only: bool
) -> dict[str, object]:
    """How the game stands: after the board that ended, or as the state tells it."""
    words, laws, won = before.words, before.laws, after.result
    scores = before.board.scores
    played = _number(words, "boards_played", 0)
    if won is not None:
        scores = scores.put(won.winner, scores[won.winner] + won.points)
        played += 1
    round_ = Round(str(words.get("round", "league")))
    stands = Standing.RUNNING
    if won is not None or asked_only:
        stands = standing(laws, round_, played, (scores.white, scores.black))
    leader = X if scores.white > scores.black else Y
    game_over = stands is Standing.WON
    game = _number(words, "game", 1)
    best = max(scores.white, scores.black)
    extra = stands is Standing.LEVEL and laws.tie is Tie.EXTRA_BOARD
    changes = changes_sides_in_game(laws, game, played, best, round_)
    if game_over:
        another = game < laws.games_per_match
        changes = another and laws.side_change is not SideChange.NEVER
    return {
        "game_over": game_over,
        "game_winner": _LABEL[leader] if game_over else None,
        "extra_board": extra,
        "toss": "break_only" if extra else None,
        "change_sides": changes,
    }


def _order_outcome(
    before: Situation, after: Board, told: Decisions
) -> dict[str, object]:
    words, laws = before.words, before.laws
    doubles = bool(words.get("doubles", False))
    seat = Seat(str(words.get("on_turn", "South")).lower())
    kept = after.turn is before.board.turn
    following = seat if kept else next_seat(seat, doubles=doubles)
    board_number = _number(words, "board", _number(words, "boards_played", 0) + 1)
    first = str(words.get("first_breaker_of_match", "X"))
    breaks = breaker_of(_number(words, "game", 1), board_number)
    breaker = first if breaks is Player.FIRST else {"X": "Y", "Y": "X"}[first]
    placed_by: str
    if laws.placer is Placer.UMPIRE or any(
        isinstance(decision, PiecesReplaced) for decision in told
    ):
        placed_by = "umpire"
    elif doubles:
        placed_by = placing_seat(seat, doubles=True).value.capitalize()
    else:
        placed_by = _LABEL[before.board.turn.opponent]
    return {
        "next": following.value.capitalize(),
        "seen_from_above": "anticlockwise",
        "breaker": breaker,
        "white": breaker,
        "placed_by": placed_by,
    }


def _question_outcome(before: Situation, words: Words) -> dict[str, object]:
    """Answers to single questions: placement, permission, hanging coins."""
    laws, asked = before.laws, before.words
    outcome: dict[str, object] = {
        "placement": _placement(asked).value,
        "left_where_it_lies": bool(words.get("via_lamp")),
        "counts_as": None,
        "allowed": True,
    }
    if words.get("hanging_own_coin_falls_later"):
        outcome["counts_as"] = "proper_pocket"
    if asked.get("hand_over_arrow"):
        outcome["allowed"] = laws.hand_over_arrow_allowed
    if words.get("thumb"):
        outcome["allowed"] = laws.thumb_allowed
    if "x_wants_to_waive" in words:
        waived = _number(words, "x_wants_to_waive", 0)
        outcome["allowed"] = waived in (0, before.board.owed[Y])
    if asked.get("queen_uncovered_missed_by_all") and asked.get("next_stroke_made"):
        outcome["q"] = "recorded_covered"
    return outcome


def _placement(words: Words) -> Placement:
    """Both base lines touched, a base circle all or nothing, the arrow clear (130)."""
    striker = words.get("striker")
    if not isinstance(striker, Mapping):
        return Placement.LEGAL
    both = striker.get(
        "touches_both",
        striker.get("touches_upper", True) and striker.get("touches_lower", True),
    )
    if not both or striker.get("touches_arrow", False):
        return Placement.ILLEGAL
    if striker.get("base_circle", "clear") == "partly_covered":
        return Placement.ILLEGAL
    return Placement.LEGAL


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


def _word(piece: Piece, side: Side) -> str:
    if piece is Piece.QUEEN:
        return "queen"
    return "own" if piece is side.coin else "opp"


def _number(words: Words, key: str, default: int) -> int:
    value = words.get(key, default)
    if isinstance(value, bool):
        return int(value)
    if not isinstance(value, int):
        raise Refusal(f"{key!r} must be a whole number, got {value!r}")
    return value
