"""What a correction changed: two readings of one match, told in words."""

from collections.abc import Iterator
from typing import NamedTuple, assert_never

from controller.rules.board import Board, QueenIs
from controller.rules.match import BoardRecord, Match


class _Difference(NamedTuple):
    what: str
    was: str
    now: str


def differences(before: Match, after: Match) -> tuple[str, ...]:
    """Every difference that people can see: boards, scores, games, turn, pieces."""
    return tuple(f"{what} {was}, now {now}" for what, was, now in _all(before, after))


def in_one_sentence(before: Match, after: Match) -> str:
    """The same for one line of a record, without a full stop; never empty."""
    told = [f"{what} {now} (was {was})" for what, was, now in _all(before, after)]
    return f"now {', '.join(told)}" if told else "the standing is unchanged"


def _all(before: Match, after: Match) -> Iterator[_Difference]:
    yield from _boards(before, after)
    yield from _standing(before, after)


def _boards(before: Match, after: Match) -> Iterator[_Difference]:
    """Finished boards that came out otherwise, appeared or are gone."""
    old = {(record.game, record.number): record for record in before.records}
    new = {(record.game, record.number): record for record in after.records}
    for key in sorted(old.keys() | new.keys()):
        was, now = old.get(key), new.get(key)
        said = tuple(_won(before, one) if one else "not won" for one in (was, now))
        if said[0] != said[1]:
            game, number = key
            yield _Difference(f"game {game} board {number}:", *said)


def _won(match: Match, record: BoardRecord) -> str:
    return f"{match.names[record.winner]} by {record.points}"


def _standing(before: Match, after: Match) -> Iterator[_Difference]:
    old, new = _told(before), _told(after)
    for what in old:
        if old[what] != new[what]:
            yield _Difference(what, old[what], new[what])


def _told(match: Match) -> dict[str, str]:
    board = match.board
    return {
        "game": str(match.game),
        "board": str(match.board_number),
        "score": f"{match.scores.first}:{match.scores.second}",
        "games": f"{match.games.first}:{match.games.second}",
        "coins up": f"{board.coins.white} white {board.coins.black} black",
        "queen": _queen(board),
        "owed": f"{board.owed.white} white {board.owed.black} black",
        "on turn": "nobody" if board.over else _on_turn(match),
    }


def _on_turn(match: Match) -> str:
    return match.names[match.on_turn]


def _queen(board: Board) -> str:
    holder = board.queen.side
    match board.queen.state:
        case QueenIs.ON_TABLE:
            return "on the table"
        case QueenIs.AWAITING_COVER:
            return f"awaiting cover by {holder}"
        case QueenIs.COVERED:
            return f"covered by {holder}"
        case QueenIs.COMING_BACK:
            return "coming back"
        case _:
            assert_never(board.queen.state)
