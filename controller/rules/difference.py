"""What a correction changed: two readings of one match, told in words."""

from collections.abc import Iterator
from typing import NamedTuple, assert_never

from controller.rules.board import Board, QueenIs
from controller.rules.contest import Contest
from controller.rules.counting_state import CountedBoard, CountingMatch
from controller.rules.match import BoardRecord, Match


class _Difference(NamedTuple):
    what: str
    was: str
    now: str


def differences(before: Contest, after: Contest) -> tuple[str, ...]:
    """Every difference that people can see: boards, scores, games, turn, pieces."""
    return tuple(f"{what} {was}, now {now}" for what, was, now in _all(before, after))


def in_one_sentence(before: Contest, after: Contest) -> str:
    """The same for one line of a record, without a full stop; never empty."""
    told = [f"{what} {now} (was {was})" for what, was, now in _all(before, after)]
    return f"now {', '.join(told)}" if told else "the standing is unchanged"


def _all(before: Contest, after: Contest) -> Iterator[_Difference]:
    match before, after:
        case Match(), Match():
            yield from _boards(before, after)
            yield from _standing(_told(before), _told(after))
        case CountingMatch(), CountingMatch():
            yield from _counted_boards(before, after)
            yield from _standing(_counting_told(before), _counting_told(after))
        case _:
            raise ValueError("two readings of one match are of one kind")


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


def _counted_boards(
    before: CountingMatch, after: CountingMatch
) -> Iterator[_Difference]:
    old = {record.number: _counted(record) for record in before.records}
    new = {record.number: _counted(record) for record in after.records}
    for number in sorted(old.keys() | new.keys()):
        was, now = old.get(number, "not over"), new.get(number, "not over")
        if was != now:
            yield _Difference(f"board {number}:", was, now)


def _counted(record: CountedBoard) -> str:
    return "points " + ":".join(map(str, record.totals))


def _standing(old: dict[str, str], new: dict[str, str]) -> Iterator[_Difference]:
    for what, was in old.items():
        if was != new[what]:
            yield _Difference(what, was, new[what])


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


def _counting_told(match: CountingMatch) -> dict[str, str]:
    board = match.board
    holders = [match.names[i] for i, purse in enumerate(board.purses) if purse.queen]
    if board.queen_awaits:
        queen = f"awaiting cover by {match.on_turn.name}"
    else:
        queen = f"covered by {holders[0]}" if holders else "on the table"
    return {
        "board": str(match.board_number),
        "points": ":".join(map(str, match.totals)),
        "coins up": f"{board.white} white {board.black} black",
        "queen": queen,
        "on turn": "nobody" if board.over else match.on_turn.name,
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
