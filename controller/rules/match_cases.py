"""Law cases written as a whole match: what is played, in the notation, and its end.

A state of X and Y cannot say how three players stand; a match in the notation of
docs/notation.md can, and a match of two sides as well.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import assert_never

from controller.rules.contest import Contest, Decided
from controller.rules.counting_state import CountingMatch
from controller.rules.match import Match
from controller.rules.match_notation import MatchRecord, read_match, write_entry

RESULT_KEYS = frozenset(
    ["points", "phase", "next", "winner", "white", "black", "queen", "board"]
)


@dataclass(frozen=True, slots=True)
class Played:
    """One entry of the match as it was written, and what was decided on it."""

    entry: str
    decisions: tuple[Decided, ...]


def played(text: str) -> tuple[Contest, tuple[Played, ...]]:
    """The contest at its end, and every entry. Raises ValueError where it cannot be."""
    record: MatchRecord = read_match(text)
    steps = tuple(record.steps())
    ended = steps[-1][0] if steps else record.opening()
    return ended, tuple(Played(write_entry(entry), told) for _, entry, told in steps)


def result_of(contest: Contest) -> Mapping[str, object]:
    """How the contest stands; players by the order of the notation's first lines."""
    match contest:
        case Match():
            return dict(_two_sides(contest))
        case CountingMatch():
            return dict(_each_for_himself(contest))
        case _:
            assert_never(contest)


def _two_sides(match: Match) -> Iterator[tuple[str, object]]:
    board = match.board
    yield "points", (match.scores.first, match.scores.second)
    yield "phase", match.phase.value
    yield "next", None if board.over else match.names[match.on_turn]
    yield "winner", None if match.winner is None else match.names[match.winner]
    yield "white", board.coins.white
    yield "black", board.coins.black
    holder = board.queen.side
    yield "queen", None if holder is None else match.names[match.player_of(holder)]
    yield "board", match.board_number


def _each_for_himself(match: CountingMatch) -> Iterator[tuple[str, object]]:
    board = match.board
    yield "points", match.totals
    yield "phase", match.phase.value
    yield "next", None if board.over else match.on_turn.name
    yield "winner", None if match.winner is None else match.names[match.winner]
    yield "white", board.white
    yield "black", board.black
    yield "queen", _queen_holder(match)
    yield "board", match.board_number


def _queen_holder(match: CountingMatch) -> str | None:
    if match.board.queen_awaits:
        return match.on_turn.name
    held = [match.names[i] for i, p in enumerate(match.board.purses) if p.queen]
    return held[0] if held else None
