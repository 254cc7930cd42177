"""Who breaks, who sits where, who places, when sides change: ICF 49, 58 to 61, 78.

Seats are seen from above with South at the bottom; in doubles the turn goes to the
player on the right, which is anticlockwise.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar, assert_never

from calibration.table import Seat
from controller.rules.choices import Round, SideChange
from controller.rules.laws import Laws

Value = TypeVar("Value")


class Player(StrEnum):
    """A player (in doubles a pair), whatever the colour on this board.

    The first is the one who broke the first board of the match.
    """

    FIRST = "first"
    SECOND = "second"

    @property
    def opponent(self) -> "Player":
        """The other player."""
        return Player.SECOND if self is Player.FIRST else Player.FIRST


@dataclass(frozen=True, slots=True)
class ByPlayer(Generic[Value]):
    """One value for each player: `match.scores[Player.FIRST]`."""

    first: Value
    second: Value

    def __getitem__(self, player: Player) -> Value:
        return self.first if player is Player.FIRST else self.second

    def put(self, player: Player, value: Value) -> "ByPlayer[Value]":
        """The same pair with one player's value replaced."""
        if player is Player.FIRST:
            return ByPlayer(value, self.second)
        return ByPlayer(self.first, value)


def breaker_of(game: int, board_number: int) -> Player:
    """Who breaks: alternately, and each game opens with the other player (49a)."""
    return Player.FIRST if (game + board_number) % 2 == 0 else Player.SECOND


def next_seat(seat: Seat, *, doubles: bool) -> Seat:
    """Who plays after this seat's turn (49b); also who breaks the next board."""
    return seat.right if doubles else seat.opposite


def placing_seat(on_turn: Seat, *, doubles: bool) -> Seat:
    """Who places a coin that becomes due while this seat is on turn (78, 79)."""
    return next_seat(on_turn, doubles=doubles)


def board_limit(laws: Laws, round_: Round) -> int | None:
    """How many boards a game of this stage has at most (56)."""
    if laws.limit_ends_before and not round_.has_board_limit:
        return None
    return laws.boards_per_game


def changes_sides_in_game(
    laws: Laws, game: int, boards_played: int, best_score: int, round_: Round
) -> bool:
    """Whether the deciding game has reached its change of sides (60, 61).

    True from that board on; the match remembers whether it was done.
    """
    if game < laws.games_per_match or laws.games_per_match == 1:
        return False
    match laws.side_change:
        case SideChange.NEVER:
            return False
        case SideChange.THIRD_AFTER_TWO:
            return boards_played >= 2
        case SideChange.ICF:
            if best_score >= laws.change_at_points:
                return True
            limited = board_limit(laws, round_) is not None
            return limited and boards_played >= laws.change_at_board
        case _:
            assert_never(laws.side_change)


class Standing(StrEnum):
    """How a game stands after a board."""

    RUNNING = "running"
    WON = "won"
    """By the one who leads."""
    LEVEL = "level"
    """Its last board is played and nobody leads."""


def standing(
    laws: Laws, round_: Round, boards_played: int, scores: tuple[int, int]
) -> Standing:
    """Whether a game is decided after so many boards (56).

    `scores`: points, or boards won where those decide.
    """
    limit = board_limit(laws, round_)
    last_board = limit is not None and boards_played >= limit
    if scores[0] == scores[1]:
        return Standing.LEVEL if last_board else Standing.RUNNING
    target = laws.game_points if laws.boards_to_win is None else laws.boards_to_win
    reached = target is not None and max(scores) >= target
    if laws.stops_when_uncatchable and limit is not None:
        most = laws.board_points_max if laws.boards_to_win is None else 1
        lead = abs(scores[0] - scores[1])
        reached = reached or lead > most * (limit - boards_played)
    return Standing.WON if reached or last_board else Standing.RUNNING
