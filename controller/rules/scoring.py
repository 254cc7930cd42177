"""What a finished board is worth: ICF 52 to 55 and the queen's cut-off."""

from controller.rules.board import Board, Finish, Result, Side
from controller.rules.laws import Laws
from controller.rules.stroke import Stroke


def queen_counts(laws: Laws, score: int) -> bool:
    """Whether the queen still counts for a side with this score before the board."""
    return laws.queen_counts_to is None or score <= laws.queen_counts_to


def queen_points(laws: Laws, score: int) -> int:
    """The queen's points: all of them or none (52b, 54)."""
    return laws.queen_points if queen_counts(laws, score) else 0


def bare_queen_points(laws: Laws, score: int) -> int:
    """The queen's points where nothing else is left: never nothing (FIC 76)."""
    return laws.queen_points if queen_counts(laws, score) else laws.bare_queen_points


def result(
    laws: Laws,
    winner: Side,
    coins: int,
    queen: int,
    finish: Finish,
    demands: int = 0,
) -> Result:
    """A board's result: `coins` opposing coins left, `queen` points for the queen.

    `demands` additional points may be asked for, but never above the most a
    board can count (55, 87b).
    """
    points = coins * laws.coin_points
    room = max(0, laws.board_points_max - points - queen)
    return Result(winner, points, queen, min(demands, room), finish)


def is_slam(board: Board, winner: Side, finish: Finish) -> bool:
    """Whether the board was cleared within the winner's first turn (26)."""
    if finish is not Finish.CLEARED or winner is not board.turn:
        return False
    return board.turns == (0 if winner is Side.WHITE else 1)


CLEARING = ("end.cleared", "end.covering", "end.free-queen")
"""Laws by which the striking side clears with the queen settled."""


def is_century(board: Board, stroke: Stroke, law: str) -> bool:
    """Whether the striking side clears before its opponent has had a coin down."""
    rival = board.turn.opponent
    untouched = not board.ever_down[rival] and not stroke.coins(rival)
    return law in CLEARING and untouched
