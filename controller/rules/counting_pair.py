"""A counting game of two, played on the same `Board` as every other game.

The sides stand for the players; both collect both colours.
"""

from dataclasses import replace

from controller.rules.board import (
    ON_TABLE,
    Board,
    BySide,
    Finish,
    Queen,
    Result,
    Side,
    awaiting,
    covered,
)
from controller.rules.counting import Counted, CountingBoard, count, points
from controller.rules.decisions import (
    BoardWon,
    BreakMade,
    Decision,
    PiecesReturned,
    PointsLost,
    QueenAwaitsCover,
    QueenCovered,
    QueenReturned,
    TurnKept,
    TurnPassed,
)
from controller.rules.laws import Laws
from controller.rules.stroke import Stroke

_ORDER = (Side.WHITE, Side.BLACK)


def judge_counting(
    board: Board, stroke: Stroke, laws: Laws, *, proper: bool
) -> tuple[Board, tuple[Decision, ...]]:
    """Judge a stroke of a counting game of two."""
    table = CountingBoard(
        purses=(board.purses.white, board.purses.black),
        on_turn=_ORDER.index(board.turn),
        queen_awaits=board.queen.awaits(board.turn),
    )
    counted = count(table, stroke, laws, proper=proper)
    after = _board_after(board, counted)
    told = _told(board, stroke, counted, after.queen)
    scores = (board.scores.white, board.scores.black)
    if not counted.board.ends(laws, scores):
        return after, tuple(told)
    result = _result(after, laws, on_turn=board.turn)
    won = BoardWon(
        "points.piece",
        result.winner,
        result.coin_points,
        result.queen_points,
        0,
        result.finish,
    )
    return replace(after, result=result), (*told[:-1], won)


def _board_after(board: Board, counted: Counted) -> Board:
    table, side = counted.board, board.turn
    white, black = table.purses
    if table.queen_awaits:
        queen = awaiting(side)
    elif white.queen or black.queen:
        queen = covered(Side.WHITE if white.queen else Side.BLACK)
    else:
        queen = ON_TABLE
    kept = counted.turn_kept
    return replace(
        board,
        turn=side if kept else side.opponent,
        coins=BySide(table.white, table.black),
        queen=queen,
        break_attempt=0,
        turns=board.turns + (not kept),
        turn_strokes=board.turn_strokes + 1 if kept else 0,
        purses=BySide(white, black),
    )


def _told(
    board: Board, stroke: Stroke, counted: Counted, queen: Queen
) -> list[Decision]:
    side, law = board.turn, "points.piece"
    told: list[Decision] = [] if board.broken else [BreakMade("break.made", side)]
    if stroke.striker:
        law = "points.striker"
    back = (counted.white_back, counted.black_back, int(counted.queen_back))
    if any(back):
        told.append(PiecesReturned(law, side, *back))
    if counted.queen_back:
        told.append(QueenReturned("queen.missed", side))
    if counted.points_lost:
        told.append(PointsLost(law, side, counted.points_lost))
    if queen.awaits(side):
        told.append(QueenAwaitsCover("queen.sunk", side))
    elif queen.covered_by(side) and not board.queen.covered:
        told.append(QueenCovered("queen.cover", side))
    turn = TurnKept if counted.turn_kept else TurnPassed
    told.append(turn(law, side))
    return told


def _result(after: Board, laws: Laws, *, on_turn: Side) -> Result:
    """More points win; level boards go down to the side that ended them."""
    total = {
        side: points(after.purses[side], laws) + after.scores[side] for side in Side
    }
    rival = on_turn.opponent
    winner = on_turn if total[on_turn] >= total[rival] else rival
    return decided(after, winner, laws, Finish.CLEARED)


def decided(board: Board, winner: Side, laws: Laws, finish: Finish) -> Result:
    """A counting game of two as it ends: both keep what they have collected."""
    purse = board.purses[winner]
    queen = laws.queen_points if purse.queen else 0
    return Result(
        winner,
        points(purse, laws) - queen,
        queen,
        0,
        finish,
        loser_points=points(board.purses[winner.opponent], laws),
    )
