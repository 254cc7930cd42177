"""What the umpire enters between strokes, and the union of all that moves a match."""

from dataclasses import dataclass

from calibration.table import Seat
from controller.rules.board import Side
from controller.rules.happenings import Happening
from controller.rules.order import ByPlayer, Player
from controller.rules.toss import Choice


@dataclass(frozen=True, slots=True)
class Demand:
    """The winner demands so many of the additional points open to him (87b)."""

    points: int


@dataclass(frozen=True, slots=True)
class NextBoard:
    """The next board (or game) begins; `breaker` only where a toss decided it."""

    breaker: Player | None = None


@dataclass(frozen=True, slots=True)
class TieDecided:
    """A level game is decided; None where the rule set lets it be shared."""

    winner: Player | None


@dataclass(frozen=True, slots=True)
class ScoresCorrected:
    """The umpire corrects the running game's scores by hand."""

    scores: ByPlayer[int]
    reason: str


@dataclass(frozen=True, slots=True)
class MatchAwarded:
    """The match is lost by the other player: conceded or misconduct (139, 143)."""

    winner: Player
    reason: str


@dataclass(frozen=True, slots=True)
class ColourChosen:
    """The player on turn chooses his colour after a mixed first pot."""

    side: Side


@dataclass(frozen=True, slots=True)
class TossDecided:
    """The toss before the first board, or before an extra one (39, 56b).

    `seat`: where whoever may choose his seat wants to sit; None: as they sit.
    """

    winner: Player
    choice: Choice
    seat: Seat | None = None


Input = (
    Happening
    | Demand
    | NextBoard
    | TieDecided
    | ScoresCorrected
    | MatchAwarded
    | ColourChosen
    | TossDecided
)
"""Anything that changes a match."""
