"""What changes a counting game of players each for himself.

Strokes, hanging pieces, a turn given up, the bell and the next board are the same
records as between two sides; a breach, a stroke out of turn and what the umpire sets
by hand name the player by his number in playing order.
"""

from dataclasses import dataclass

from controller.rules.counting import CountingBoard
from controller.rules.entries import NextBoard
from controller.rules.happenings import Bell, LateFall, Passed
from controller.rules.stroke import Stroke


@dataclass(frozen=True, slots=True)
class OutOfTurn:
    """A stroke by a player who was not on turn."""

    player: int
    stroke: Stroke


@dataclass(frozen=True, slots=True)
class PlayerBreach:
    """A breach by a player outside a stroke."""

    player: int
    before_first_stroke: bool


@dataclass(frozen=True, slots=True)
class Replayed:
    """The board does not count; who broke it breaks again."""


@dataclass(frozen=True, slots=True)
class PursesSet:
    """The umpire sets by hand what lies there and who has what."""

    board: CountingBoard


@dataclass(frozen=True, slots=True)
class PointsCorrected:
    """The umpire corrects the game's points by hand, in playing order."""

    points: tuple[int, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class GameAwarded:
    """The umpire gives the game to a player: conceded, misconduct, a tie decided."""

    player: int
    reason: str


CountingEntry = (
    Stroke
    | OutOfTurn
    | PlayerBreach
    | LateFall
    | Passed
    | Bell
    | Replayed
    | PursesSet
    | NextBoard
    | PointsCorrected
    | GameAwarded
)
"""Anything that changes such a game."""
