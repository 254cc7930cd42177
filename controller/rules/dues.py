"""Dues and penalties: owed, paid as soon as a coin is down, or outstanding.

ICF 72c, 78, 79, 83. Every coin owed is one that has to come back to the table;
those of the two sides never cancel.
"""

from dataclasses import replace

from controller.rules.board import Board, Side
from controller.rules.choices import Unpayable
from controller.rules.decisions import Decision, DuePaid, DueWaived
from controller.rules.laws import Laws


def owing(board: Board, side: Side, coins: int) -> Board:
    """The board with so many more coins owed by a side."""
    return replace(board, owed=board.owed.put(side, board.owed[side] + coins))


def pay(board: Board, side: Side, laws: Laws) -> tuple[Board, tuple[Decision, ...]]:
    """Bring back what the side owes and has down; the rest stays outstanding.

    Where a rule set knows no outstanding dues the rest is waived for good.
    """
    owed = board.owed[side]
    if not owed:
        return board, ()
    told: list[Decision] = []
    paid = board.payable(side)
    if paid:
        told.append(DuePaid("due.paid", side, paid, laws.placer.value))
    left = owed - paid
    if left and laws.unpayable is Unpayable.WAIVED:
        told.append(DueWaived("due.none-down", side, left))
        left = 0
    board = replace(
        board,
        coins=board.coins.put(side, board.coins[side] + paid),
        owed=board.owed.put(side, left),
    )
    return board, tuple(told)


def waive(board: Board, side: Side, coins: int) -> Board:
    """The side's opponent gives up coins owed to him: all of them or none (87a).

    Raises ValueError when only some are waived.
    """
    if coins not in (0, board.owed[side]):
        raise ValueError(
            f"waiving is all or nothing: {board.owed[side]} owed, got {coins}"
        )
    return replace(board, owed=board.owed.put(side, board.owed[side] - coins))
