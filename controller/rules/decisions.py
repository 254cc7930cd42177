"""What the judge decides: each consequence of the laws as a frozen record.

Every record carries `law`, a stable id of ours (`articles.py` gives its words and
its article number in each edition), and `side`, the side it concerns. The order
in a tuple of decisions is the order in which they happen at the table.
"""

from dataclasses import dataclass
from typing import Literal

from calibration.table import Piece
from controller.rules.board import Finish, Side


@dataclass(frozen=True, slots=True)
class TurnKept:
    """The side strikes again."""

    law: str
    side: Side


@dataclass(frozen=True, slots=True)
class TurnPassed:
    """The side's turn is over; its opponent (`to`) strikes next."""

    law: str
    side: Side

    @property
    def to(self) -> Side:
        """Who strikes next."""
        return self.side.opponent


@dataclass(frozen=True, slots=True)
class DueIncurred:
    """The side owes coins for pocketing the striker."""

    law: str
    side: Side
    coins: int


@dataclass(frozen=True, slots=True)
class PenaltyIncurred:
    """The side owes coins for another breach."""

    law: str
    side: Side
    coins: int


@dataclass(frozen=True, slots=True)
class DuePaid:
    """Coins owed by the side are placed on the table now (dues or penalties)."""

    law: str
    side: Side
    coins: int
    placed_by: Literal["opponent", "umpire"]


@dataclass(frozen=True, slots=True)
class PointsLost:
    """The side loses points, in counting games."""

    law: str
    side: Side
    points: int


@dataclass(frozen=True, slots=True)
class DueWaived:
    """Coins owed by the side that will never be placed."""

    law: str
    side: Side
    coins: int


@dataclass(frozen=True, slots=True)
class DuePostponed:
    """Coins the side owes found no room: they lie in hand again and stay owed."""

    law: str
    side: Side
    coins: int


@dataclass(frozen=True, slots=True)
class Lapsed:
    """An error of the side was noticed after the next stroke: it stands."""

    law: str
    side: Side


@dataclass(frozen=True, slots=True)
class PiecesReturned:
    """Pieces pocketed by this stroke of the side that come back to the table."""

    law: str
    side: Side
    white: int
    black: int
    queen: int


@dataclass(frozen=True, slots=True)
class PiecesReplaced:
    """Pieces that left the table: the umpire puts them on the centre circle.

    `pieces` in the order of placing: queen first, then the side's own coins
    (ICF 65).
    """

    law: str
    side: Side
    pieces: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class QueenAwaitsCover:
    """The side has pocketed the queen and must cover her with the next stroke."""

    law: str
    side: Side


@dataclass(frozen=True, slots=True)
class QueenCovered:
    """The side has covered the queen."""

    law: str
    side: Side


@dataclass(frozen=True, slots=True)
class QueenReturned:
    """Why the queen the side had pocketed goes back to the centre circle.

    The piece itself is counted in `PiecesReturned`, which always comes before.
    """

    law: str
    side: Side


@dataclass(frozen=True, slots=True)
class QueenToReturn:
    """The side pocketed the queen too early: she comes back when its turn ends."""

    law: str
    side: Side


@dataclass(frozen=True, slots=True)
class BreakMade:
    """The side has broken the rack."""

    law: str
    side: Side


@dataclass(frozen=True, slots=True)
class BreakFailed:
    """The side touched nothing; 0 attempts left means the other side breaks."""

    law: str
    side: Side
    attempts_left: int


@dataclass(frozen=True, slots=True)
class FoulCalled:
    """A breach by the side; a technical foul leaves the turn as it is (ICF 63)."""

    law: str
    side: Side
    technical: bool


@dataclass(frozen=True, slots=True)
class BoardWon:
    """The board is over and `side` has won it.

    `demandable`: additional points the winner may demand, all or some, capped so
    that the board never counts more than the rule set's maximum.
    """

    law: str
    side: Side
    coin_points: int
    queen_points: int
    demandable: int
    finish: Finish
    slam: bool = False


@dataclass(frozen=True, slots=True)
class BoardVoid:
    """The board does not count and is played again."""

    law: str
    side: Side


@dataclass(frozen=True, slots=True)
class Disputed:
    """The sources disagree here: the umpire confirms the reading taken."""

    law: str
    side: Side
    question: str


Decision = (
    TurnKept
    | TurnPassed
    | DueIncurred
    | PenaltyIncurred
    | DuePaid
    | DueWaived
    | DuePostponed
    | Lapsed
    | PointsLost
    | PiecesReturned
    | PiecesReplaced
    | QueenAwaitsCover
    | QueenCovered
    | QueenReturned
    | QueenToReturn
    | BreakMade
    | BreakFailed
    | FoulCalled
    | BoardWon
    | BoardVoid
    | Disputed
)
"""Anything the judge can decide."""
