"""The forms for everything the laws let an umpire rule, and the entry each becomes.

Players are 0 and 1 in the order of everything shown; which colour that is, the match
says.
"""

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

from calibration.table import Piece, Seat
from controller.rules.board import (
    COINS_PER_SIDE,
    ON_TABLE,
    BySide,
    Finish,
    Queen,
    Result,
    Side,
    awaiting,
    covered,
)
from controller.rules.entries import (
    ColourChosen,
    Demand,
    Input,
    MatchAwarded,
    TieDecided,
    TossDecided,
)
from controller.rules.happenings import (
    Bell,
    BoardRuled,
    BoardSet,
    Conceded,
    Disturbed,
    Forfeited,
    LateFall,
    Misplaced,
    NoRoom,
    NoticedLate,
    Passed,
    PlayedOn,
    SeatLeft,
    Voided,
    Waived,
)
from controller.rules.match import Match
from controller.rules.order import Player
from controller.rules.toss import Choice

PLAYERS = (Player.FIRST, Player.SECOND)
Index = Annotated[int, Field(ge=0, le=3)]
"""A player; from 2 on only where three or four play each for himself."""
Coins = Annotated[int, Field(ge=0, le=9)]
Points = Annotated[int, Field(ge=0, le=99)]
BY_PLAYER: dict[str, Callable[[Side], Input]] = {
    "waived": Waived,
    "forfeited": Forfeited,
    "misplaced": Misplaced,
    "seat-left": SeatLeft,
    "played-on": PlayedOn,
    "disturbed": Disturbed,
    "conceded": Conceded,
}
"""Rulings about one player and nothing else."""
LapsingLaw = Literal[
    "turn.out", "due.misplaced", "due.forfeited", "queen.missed", "turn.rival-coin"
]


class LawForm(BaseModel):
    """One ruling of the laws; unknown fields are refused."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @abstractmethod
    def entered(self, match: Match, reason: str) -> Input:
        """The entry it becomes in this match."""


class OfPlayer(LawForm):
    """Something a player did, or what he owes."""

    entry: Literal[
        "waived",
        "forfeited",
        "misplaced",
        "seat-left",
        "played-on",
        "disturbed",
        "conceded",
    ]
    player: Index

    def entered(self, match: Match, reason: str) -> Input:
        return BY_PLAYER[self.entry](_side(match, self.player))


class NoRoomFor(LawForm):
    """Coins of a player that cannot be placed wait in hand (79, 81)."""

    entry: Literal["no-room"]
    player: Index
    coins: Annotated[int, Field(ge=1, le=9)]

    def entered(self, match: Match, reason: str) -> Input:
        return NoRoom(_side(match, self.player), self.coins)


class Lapsed(LawForm):
    """A player's error that nobody claimed before the next stroke."""

    entry: Literal["noticed-late"]
    player: Index
    law: LapsingLaw

    def entered(self, match: Match, reason: str) -> Input:
        return NoticedLate(_side(match, self.player), self.law)


class Plain(LawForm):
    """The turn is given up, the bell counts, or the board is void."""

    entry: Literal["passed", "bell", "void"]

    def entered(self, match: Match, reason: str) -> Input:
        match self.entry:
            case "passed":
                return Passed()
            case "bell":
                return Bell()
            case "void":
                return Voided(match.side_of(match.breaker))


class FellLater(LawForm):
    """A piece hanging at a pocket fell after the stroke (71, 113)."""

    entry: Literal["fell-later"]
    piece: Literal[Piece.WHITE, Piece.BLACK, Piece.QUEEN]

    def entered(self, match: Match, reason: str) -> Input:
        return LateFall(self.piece)


class SetBoard(LawForm):
    """The board as it lies, set by hand."""

    entry: Literal["set-board"]
    white: Coins
    black: Coins
    queen: Literal["table", "awaiting", "covered"]
    queen_by: Index | None = None
    on_turn: Index
    owed: tuple[Coins, Coins] = (0, 0)

    def entered(self, match: Match, reason: str) -> Input:
        owed = {_side(match, i): coins for i, coins in enumerate(self.owed)}
        ever = match.board.ever_down
        board = replace(
            match.board,
            turn=_side(match, self.on_turn),
            coins=BySide(self.white, self.black),
            queen=self._queen(match),
            owed=BySide(owed[Side.WHITE], owed[Side.BLACK]),
            ever_down=BySide(
                ever.white or self.white < COINS_PER_SIDE,
                ever.black or self.black < COINS_PER_SIDE,
            ),
            break_attempt=0,
            turn_strokes=0,
            passes=0,
            result=None,
        )
        return BoardSet(board)

    def _queen(self, match: Match) -> Queen:
        if self.queen == "table":
            return ON_TABLE
        if self.queen_by is None:
            raise ValueError("say whose the queen is, or that she lies on the table")
        side = _side(match, self.queen_by)
        return covered(side) if self.queen == "covered" else awaiting(side)


class RuleBoard(LawForm):
    """How the board counts, decided by the umpire."""

    entry: Literal["rule-board"]
    player: Index
    coin_points: Points
    queen_points: Points

    def entered(self, match: Match, reason: str) -> Input:
        winner = _side(match, self.player)
        points = self.coin_points, self.queen_points
        return BoardRuled(Result(winner, *points, 0, Finish.RULED))


class Tie(LawForm):
    """Who won what decides a level game; nobody where it may be shared."""

    entry: Literal["tie"]
    player: Index | None = None

    def entered(self, match: Match, reason: str) -> Input:
        return TieDecided(None if self.player is None else _player(self.player))


class Award(LawForm):
    """The match is this player's: the other conceded or was disqualified."""

    entry: Literal["award"]
    player: Index

    def entered(self, match: Match, reason: str) -> Input:
        return MatchAwarded(_player(self.player), reason)


class Colour(LawForm):
    """After a mixed first pot: the colour whoever is on turn now plays."""

    entry: Literal["colour"]
    colour: Side

    def entered(self, match: Match, reason: str) -> Input:
        return ColourChosen(self.colour)


class Claim(LawForm):
    """Additional points the winner demands: all, some or none (87b)."""

    entry: Literal["demand"]
    points: Points

    def entered(self, match: Match, reason: str) -> Input:
        return Demand(self.points)


class Toss(LawForm):
    """Who won the toss, what he chose, and where whoever may choose sits."""

    entry: Literal["toss"]
    player: Index
    choice: Choice
    seat: Seat | None = None

    def entered(self, match: Match, reason: str) -> Input:
        return TossDecided(_player(self.player), self.choice, self.seat)


AnyLawForm = Annotated[
    OfPlayer
    | NoRoomFor
    | Lapsed
    | Plain
    | FellLater
    | SetBoard
    | RuleBoard
    | Tie
    | Award
    | Colour
    | Claim
    | Toss,
    Field(discriminator="entry"),
]


def _player(index: int) -> Player:
    if index >= len(PLAYERS):
        raise ValueError(f"two sides play: there is no player {index}")
    return PLAYERS[index]


def _side(match: Match, player: int) -> Side:
    return match.side_of(_player(player))
