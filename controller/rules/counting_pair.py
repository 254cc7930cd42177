"""A counting game of two, played on the same `Board` as every other game.

The sides stand for the players; both collect both colours.
"""

from dataclasses import replace

from calibration.table import Piece
from controller.rules.board import (
    COINS_PER_SIDE,
    ON_TABLE,
    Board,
    BySide,
    Finish,
    Purse,
    Queen,
    Result,
    Side,
    awaiting,
    covered,
)
from controller.rules.counting import Counted, CountingBoard, cheapest, count, points
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
    counted = count(_table(board), stroke, laws, proper=proper)
    after = _board_after(board, counted)
    told = _told(board, stroke, counted, after.queen)
    ended, won = _see_end(after, laws, by=board.turn)
    return (ended, (*told[:-1], *won)) if won else (after, tuple(told))


def _table(board: Board) -> CountingBoard:
    """The same board as players see it; what is down and in no purse is astray."""
    purses = (board.purses.white, board.purses.black)
    astray = Purse(
        white=board.down(Side.WHITE) - sum(purse.white for purse in purses),
        black=board.down(Side.BLACK) - sum(purse.black for purse in purses),
        queen=board.queen.covered and not any(purse.queen for purse in purses),
    )
    return CountingBoard(
        purses=purses,
        on_turn=_ORDER.index(board.turn),
        queen_awaits=board.queen.awaits(board.turn),
        astray=astray,
    )


def _see_end(
    board: Board, laws: Laws, *, by: Side
) -> tuple[Board, tuple[BoardWon, ...]]:
    """The board ended, where the table is cleared or a player has the points."""
    scores = (board.scores.white, board.scores.black)
    if not _table(board).ends(laws, scores):
        return board, ()
    result = _result(board, laws, on_turn=by)
    won = BoardWon(
        "points.piece",
        result.winner,
        result.coin_points,
        result.queen_points,
        0,
        result.finish,
    )
    return replace(board, result=result), (won,)


def give_back(
    board: Board, side: Side, laws: Laws, law: str
) -> tuple[Board, tuple[Decision, ...]]:
    """A foul costs the player one coin of his purse, the cheapest, if he has any."""
    purse = board.purses[side]
    white, black = cheapest(purse, laws)
    if not white + black:
        return board, ()
    purse = purse._replace(white=purse.white - white, black=purse.black - black)
    coins = BySide(board.coins.white + white, board.coins.black + black)
    board = replace(board, coins=coins, purses=board.purses.put(side, purse))
    return board, (PiecesReturned(law, side, white, black, 0),)


def fall_later(
    board: Board, piece: Piece, laws: Laws
) -> tuple[Board, tuple[Decision, ...]]:
    """A hanging piece is pocketed by who struck last; the turn stays (71, 113).

    The queen awaits that player's cover; if his turn is over she comes back. Raises
    ValueError when nobody can have brought it down.
    """
    if not board.turns + board.turn_strokes:
        raise ValueError("nobody has struck yet: nothing can fall later")
    side = board.turn if board.turn_strokes else board.turn.opponent
    if piece is Piece.QUEEN:
        if side is board.turn:
            board = replace(board, queen=awaiting(side))
            return board, (QueenAwaitsCover("queen.sunk", side),)
        law = "fall.later-queen"
        return board, (PiecesReturned(law, side, 0, 0, 1), QueenReturned(law, side))
    white, black = int(piece is Piece.WHITE), int(piece is Piece.BLACK)
    purse = board.purses[side]
    purse = purse._replace(white=purse.white + white, black=purse.black + black)
    coins = BySide(board.coins.white - white, board.coins.black - black)
    board = replace(board, coins=coins, purses=board.purses.put(side, purse))
    return _see_end(board, laws, by=side)


def _board_after(board: Board, counted: Counted) -> Board:
    table, side = counted.board, board.turn
    white, black = table.purses
    if table.queen_awaits:
        queen = awaiting(side)
    elif white.queen or black.queen:
        queen = covered(Side.WHITE if white.queen else Side.BLACK)
    elif table.astray.queen:
        queen = board.queen
    else:
        queen = ON_TABLE
    kept = counted.turn_kept
    return replace(
        board,
        turn=side if kept else side.opponent,
        coins=BySide(table.white, table.black),
        queen=queen,
        ever_down=BySide(
            board.ever_down.white or table.white < COINS_PER_SIDE,
            board.ever_down.black or table.black < COINS_PER_SIDE,
        ),
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


def forfeited(board: Board, winner: Side, laws: Laws, finish: Finish) -> Result:
    """A board its player lost outright: what still lies there goes to the other."""
    coins, purse = board.coins, board.purses[winner]
    lying = not board.queen.covered
    white, black = purse.white + coins.white, purse.black + coins.black
    purse = Purse(white, black, purse.queen or lying, purse.lost)
    all_his = replace(board, purses=board.purses.put(winner, purse))
    return decided(all_his, winner, laws, finish)
