"""A board as the laws see it: who is on turn, what still lies there, who owes.

`Board` is the whole state the judge needs between two strokes. It counts pieces
by law, not by sight: a coin that has to come back counts as back at once, even
while the opponent still holds it in his hand.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, NamedTuple, TypeVar

from calibration.table import Piece

COINS_PER_SIDE = 9

Value = TypeVar("Value")


class Side(StrEnum):
    """The colour a player has on this board."""

    WHITE = "white"
    BLACK = "black"

    @property
    def opponent(self) -> "Side":
        """The other side."""
        return Side.BLACK if self is Side.WHITE else Side.WHITE

    @property
    def coin(self) -> Piece:
        """The piece this side has to pocket."""
        return Piece.WHITE if self is Side.WHITE else Piece.BLACK


@dataclass(frozen=True, slots=True)
class BySide(Generic[Value]):
    """One value for each side: `board.coins[Side.WHITE]`."""

    white: Value
    black: Value

    def __getitem__(self, side: Side) -> Value:
        return self.white if side is Side.WHITE else self.black

    def put(self, side: Side, value: Value) -> "BySide[Value]":
        """The same pair with one side's value replaced."""
        if side is Side.WHITE:
            return BySide(value, self.black)
        return BySide(self.white, value)


class QueenIs(StrEnum):
    """Where the queen is under the laws."""

    ON_TABLE = "on-table"
    AWAITING_COVER = "awaiting-cover"
    COVERED = "covered"
    COMING_BACK = "coming-back"
    """Pocketed too early where that ends no turn: returns when the turn ends."""


class Queen(NamedTuple):
    """The queen: where she is, and for whom when she is not on the table."""

    state: QueenIs
    side: Side | None

    def awaits(self, side: Side) -> bool:
        """Whether this side must cover her with its next stroke."""
        return self.state is QueenIs.AWAITING_COVER and self.side is side

    def covered_by(self, side: Side) -> bool:
        """Whether this side has covered her."""
        return self.state is QueenIs.COVERED and self.side is side

    @property
    def on_table(self) -> bool:
        """Whether she lies on the table."""
        return self.state is QueenIs.ON_TABLE

    @property
    def covered(self) -> bool:
        """Whether either side has covered her."""
        return self.state is QueenIs.COVERED


ON_TABLE = Queen(QueenIs.ON_TABLE, None)


def awaiting(side: Side) -> Queen:
    """The queen pocketed by a side that must cover her now."""
    return Queen(QueenIs.AWAITING_COVER, side)


def covered(side: Side) -> Queen:
    """The queen covered by a side."""
    return Queen(QueenIs.COVERED, side)


class Finish(StrEnum):
    """How a board came to its end."""

    CLEARED = "cleared"
    """The winner's own stroke pocketed his last coin (or the free queen)."""
    OWN_LAST_BEFORE_QUEEN = "own-last-before-queen"
    """The loser's last coin went down with the queen not settled."""
    RIVALS_LAST = "rivals-last"
    """The loser pocketed the winner's last coin."""
    BOTH_LAST = "both-last"
    """One stroke pocketed the last coin of both sides."""
    OUT_OF_TURN = "out-of-turn"
    LEFT_SEAT = "left-seat"
    PLAYED_ON = "played-on"
    """Play went on during an appeal."""
    DISTURBED = "disturbed"
    TIME = "time"
    """The clock of a timed board ran out."""
    LATE = "late"
    """The loser was late for the third time; he loses the game, not just the board."""
    CENTURY = "century"
    """Cleared before the opponent had a coin down, which wins the game (events)."""
    CONCEDED = "conceded"
    RULED = "ruled"
    """The umpire set the result by hand."""

    @property
    def wins_game(self) -> bool:
        """Whether a board that ended so decides the whole game."""
        return self in (Finish.LATE, Finish.CENTURY)


@dataclass(frozen=True, slots=True)
class Result:
    """How a finished board counts.

    `demandable`: additional points the winner may demand, all or some
    (ICF 87b). `slam`: cleared within the side's first turn (ICF 26).
    """

    winner: Side
    coin_points: int
    queen_points: int
    demandable: int
    finish: Finish
    slam: bool = False
    loser_points: int = 0
    """Only in counting games, where both collect."""

    @property
    def points(self) -> int:
        """What the winner gets without demanding any."""
        return self.coin_points + self.queen_points


class Purse(NamedTuple):
    """What one player has collected. `lost`: points paid for the striker."""

    white: int = 0
    black: int = 0
    queen: bool = False
    lost: int = 0


EMPTY = Purse()


class Ledger(NamedTuple):
    """The two books of one stock: on the table by law, and pocketed."""

    on_table: dict[Piece, int]
    pocketed: dict[Piece, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Board:
    """One board between two strokes; the defaults are a board about to be broken.

    `coins`: on the table by law. `owed`: coins owed and not yet brought back
    (dues and penalties together). `ever_down`: whether the side has had a coin
    down in this board (ICF 95c). `scores`: game scores before this board.
    `break_attempt`: 1, 2, ... while the break is not made, 0 afterwards.
    `turns`: turns that have ended. `turn_strokes`: strokes made in this turn.
    `passes`: turns given up in a row (ICF 137). `late`: strokes made too late, where
    the third loses the game.
    `purses`: what each has collected in this board, in counting games only.
    """

    turn: Side = Side.WHITE
    coins: BySide[int] = BySide(COINS_PER_SIDE, COINS_PER_SIDE)
    queen: Queen = ON_TABLE
    owed: BySide[int] = BySide(0, 0)
    ever_down: BySide[bool] = BySide(False, False)
    scores: BySide[int] = BySide(0, 0)
    break_attempt: int = 1
    turns: int = 0
    turn_strokes: int = 0
    passes: int = 0
    late: BySide[int] = BySide(0, 0)
    purses: BySide[Purse] = BySide(EMPTY, EMPTY)
    result: Result | None = None

    @property
    def broken(self) -> bool:
        """Whether the break has been made."""
        return self.break_attempt == 0

    @property
    def over(self) -> bool:
        """Whether the board is finished."""
        return self.result is not None

    def down(self, side: Side) -> int:
        """How many coins of a side are pocketed."""
        return COINS_PER_SIDE - self.coins[side]

    def payable(self, side: Side) -> int:
        """How many of the coins a side owes could be placed now (ICF 83)."""
        return min(self.owed[side], self.down(side))

    @property
    def ledger(self) -> Ledger:
        """On the table and pocketed; together always 9 + 9 + 1."""
        queen_up = int(self.queen.on_table)
        return Ledger(
            {
                Piece.WHITE: self.coins.white,
                Piece.BLACK: self.coins.black,
                Piece.QUEEN: queen_up,
            },
            {
                Piece.WHITE: self.down(Side.WHITE),
                Piece.BLACK: self.down(Side.BLACK),
                Piece.QUEEN: 1 - queen_up,
            },
        )
