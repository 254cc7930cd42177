"""What one stroke calls for, before it is carried out.

`proper.py` and `improper.py` find the verdict, `judge.py` carries it out: the
tables of the laws stay apart from the bookkeeping.
"""

from dataclasses import dataclass
from typing import NamedTuple

from controller.rules.board import ON_TABLE, Board, Queen, Side
from controller.rules.choices import EarlyQueen
from controller.rules.laws import Laws
from controller.rules.stroke import Stroke


class Sunk(NamedTuple):
    """A stroke from the striking side's point of view.

    `own`, `rival`: coins of that side and of its opponent that went down.
    `own_before`: the side's coins on the table before the stroke.
    """

    side: Side
    own: int
    rival: int
    queen: bool
    striker: bool
    own_before: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """The consequences of a stroke that does not end the board.

    `queen`: where she is afterwards. `own_back`, `rival_back`: coins of this
    stroke that come back; she does too where `queen_law` says why. `dues` are owed
    for the striker, `penalties` for a breach. `dispute`: what the umpire is asked.
    """

    law: str
    keeps_turn: bool
    queen: Queen
    own_back: int = 0
    rival_back: int = 0
    dues: int = 0
    penalties: int = 0
    queen_law: str | None = None
    dispute: str | None = None


def sunk_by_turn(board: Board, stroke: Stroke) -> Sunk:
    """The stroke as the side on turn sees it."""
    side = board.turn
    return Sunk(
        side,
        stroke.coins(side),
        stroke.coins(side.opponent),
        stroke.queen,
        stroke.striker,
        board.coins[side],
    )


def too_late(board: Board, stroke: Stroke) -> Verdict:
    """Where lateness costs the turn and nothing else, what fell comes back."""
    sunk = sunk_by_turn(board, stroke)
    queen_back = sunk.queen or board.queen.awaits(sunk.side)
    law = "time.turn-lost"
    return Verdict(
        law,
        False,
        ON_TABLE if queen_back else board.queen,
        own_back=sunk.own,
        rival_back=sunk.rival,
        queen_law=law if queen_back else None,
    )


def queen_forbidden(board: Board, side: Side, own: int, laws: Laws) -> str | None:
    """The law that forbids this side the queen now, or None (ICF 92, 95).

    `own`: coins of the side that go down in the same stroke.
    """
    if board.owed[side] and not laws.queen_while_owing:
        return "queen.while-owing"
    if own or laws.early_queen is EarlyQueen.NEVER_EARLY:
        return None
    return None if board.ever_down[side] else "queen.early"
