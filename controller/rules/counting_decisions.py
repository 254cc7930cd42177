"""What is decided in a counting game of players each for himself.

Every record carries `law` as the decisions of two sides do, and `player`, whom it
concerns. The order in a tuple of decisions is the order in which they happen.
"""

from dataclasses import dataclass
from typing import NamedTuple, assert_never

from controller.rules.board import Finish


class Collector(NamedTuple):
    """A player who collects for himself: the number in playing order, the name."""

    number: int
    name: str


@dataclass(frozen=True, slots=True)
class PlayerBroke:
    """The player has broken the rack."""

    law: str
    player: Collector


@dataclass(frozen=True, slots=True)
class BreakMissed:
    """The player touched nothing; 0 attempts left means the next player breaks."""

    law: str
    player: Collector
    attempts_left: int


@dataclass(frozen=True, slots=True)
class Collected:
    """Coins that went into the player's purse, and what they are worth."""

    law: str
    player: Collector
    white: int
    black: int
    points: int


@dataclass(frozen=True, slots=True)
class GivenBack:
    """Pieces that come back to the table, of this stroke or out of the purse."""

    law: str
    player: Collector
    white: int
    black: int
    queen: int


@dataclass(frozen=True, slots=True)
class PointsPaid:
    """Points the player loses for the striker."""

    law: str
    player: Collector
    points: int


@dataclass(frozen=True, slots=True)
class CoverNeeded:
    """The player has pocketed the queen and must cover her with the next stroke."""

    law: str
    player: Collector


@dataclass(frozen=True, slots=True)
class QueenCollected:
    """The player has covered the queen: she is worth so many points."""

    law: str
    player: Collector
    points: int


@dataclass(frozen=True, slots=True)
class QueenLost:
    """Why the queen the player had pocketed goes back to the centre circle."""

    law: str
    player: Collector


@dataclass(frozen=True, slots=True)
class PlaysOn:
    """The player strikes again."""

    law: str
    player: Collector


@dataclass(frozen=True, slots=True)
class NextPlays:
    """The player's turn is over; `to`, on the right, strikes next."""

    law: str
    player: Collector
    to: Collector


@dataclass(frozen=True, slots=True)
class FoulBy:
    """A breach by the player; a technical foul leaves the turn as it is."""

    law: str
    player: Collector
    technical: bool


@dataclass(frozen=True, slots=True)
class BoardCounted:
    """The board is over: what it brought each; `player` got most, the first of equals.

    `points` are in playing order; `level`: others got as many.
    """

    law: str
    player: Collector
    points: tuple[int, ...]
    level: bool
    finish: Finish


@dataclass(frozen=True, slots=True)
class BoardReplayed:
    """The board does not count and is played again; `player` breaks."""

    law: str
    player: Collector


CountingDecision = (
    PlayerBroke
    | BreakMissed
    | Collected
    | GivenBack
    | PointsPaid
    | CoverNeeded
    | QueenCollected
    | QueenLost
    | PlaysOn
    | NextPlays
    | FoulBy
    | BoardCounted
    | BoardReplayed
)
"""Anything that can be decided in such a game."""


def spoken(decision: CountingDecision) -> str:
    """What a decision means at the table, in plain words."""
    name = decision.player.name
    match decision:
        case PlayerBroke():
            return f"{name} has broken"
        case BreakMissed(attempts_left=left):
            return f"{name} missed the break, {left} attempts left"
        case Collected(white=white, black=black, points=points):
            return f"{name} collects {_pieces(white, black)}: {_points(points)}"
        case GivenBack(white=white, black=black, queen=queen):
            return f"{_pieces(white, black, queen)} back to the table"
        case PointsPaid(points=points):
            return f"{name} loses {_points(points)}"
        case CoverNeeded():
            return f"{name} must cover the queen"
        case QueenCollected(points=points):
            return f"{name} has covered the queen: {_points(points)}"
        case QueenLost():
            return "the queen goes back to the centre"
        case PlaysOn():
            return f"{name} goes on"
        case NextPlays(to=to):
            return f"{name}'s turn is over, {to.name} is next"
        case FoulBy(technical=technical):
            return f"{'technical foul' if technical else 'foul'} by {name}"
        case BoardCounted(points=points, level=level):
            most = _points(points[decision.player.number])
            more = " like others" if level else ""
            return f"the board is over, {name} has most with {most}{more}"
        case BoardReplayed():
            return f"the board is void, {name} breaks again"
        case _:
            assert_never(decision)


def _pieces(white: int, black: int, queen: int = 0) -> str:
    counts = ((white, "white"), (black, "black"), (queen, "queen"))
    return ", ".join(f"{n} {name}" for n, name in counts if n)


def _points(count: int) -> str:
    return "1 point" if count == 1 else f"{count} points"
