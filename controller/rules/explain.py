"""The facts a case was judged on, in plain words: the state, then what happened."""

from collections.abc import Mapping
from typing import assert_never

from controller.rules.board import Board, QueenIs, Side

_FELL = {"k": "own", "m": "opposing"}


def state_in_words(board: Board) -> str:
    """What the judge was given: who is on turn, what lies there, who owes."""
    side, rival = board.turn, board.turn.opponent
    words = [
        f"{side.value} on turn",
        f"{board.coins[side]} own and {board.coins[rival]} opposing coins up",
        _queen(board),
    ]
    if not board.broken:
        words.append(f"break attempt {board.break_attempt}")
    words += [f"{s.value} owes {board.owed[s]}" for s in Side if board.owed[s]]
    if board.scores.white or board.scores.black:
        words.append(f"scores {board.scores.white} to {board.scores.black}")
    return ", ".join(words)


def happening_in_words(words: Mapping[str, object]) -> str:
    """What happened, from the keys of a law case."""
    fell = [f"{words[key]} {name}" for key, name in _FELL.items() if words.get(key)]
    fell += ["queen"] if words.get("q") else []
    fell += ["striker"] if words.get("s") else []
    told = [f"pocketed {', '.join(fell)}"] if fell else []
    told += ["improper stroke"] if words.get("imp") else []
    known = {*_FELL, "q", "s", "imp"}
    told += [_plain(key, value) for key, value in words.items() if key not in known]
    return "; ".join(told) or "nothing pocketed"


def _plain(key: str, value: object) -> str:
    name = key.replace("_", " ")
    if value is True:
        return name
    shown = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    return f"{name} {shown.replace('_', ' ')}".lower()


def _queen(board: Board) -> str:
    queen = board.queen
    holder = queen.side.value if queen.side else ""
    match queen.state:
        case QueenIs.ON_TABLE:
            return "queen up"
        case QueenIs.AWAITING_COVER:
            return f"{holder} must cover the queen"
        case QueenIs.COVERED:
            return f"queen covered by {holder}"
        case QueenIs.COMING_BACK:
            return "queen to come back"
        case _:
            assert_never(queen.state)
