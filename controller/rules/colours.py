"""Colours given by the first pot: an option of the basic rules (reading r6).

Until a stroke sinks exactly one colour the colours are open and the breaker plays
white provisionally. The one who sinks it plays that colour to the end of the
board; a mixed first pot leaves the choice to the player.
"""

from dataclasses import replace

from controller.rules.board import Board, BySide, Queen, Side
from controller.rules.stroke import Stroke


def first_pot(stroke: Stroke) -> Side | None:
    """The only colour a stroke sank, or None."""
    if bool(stroke.white) == bool(stroke.black):
        return None
    return Side.WHITE if stroke.white else Side.BLACK


def is_mixed(stroke: Stroke) -> bool:
    """Whether coins of both colours went down."""
    return stroke.white > 0 and stroke.black > 0


def exchange(board: Board) -> Board:
    """The same board with the players' colours exchanged.

    What belongs to a player (turn, debts, scores, a queen taken) moves to the other
    colour; the coins stay what they are.
    """
    queen = board.queen
    return replace(
        board,
        turn=board.turn.opponent,
        owed=_swapped(board.owed),
        scores=_swapped(board.scores),
        queen=Queen(queen.state, queen.side.opponent) if queen.side else queen,
    )


def _swapped(pair: BySide[int]) -> BySide[int]:
    return BySide(pair.black, pair.white)
