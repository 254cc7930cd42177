"""All that can change a board: strokes, breaches, accidents and the umpire's word.

`act` is the one door through which a board changes; the journal keeps these
records, and a board is a replay of them.
"""

from dataclasses import dataclass, replace
from typing import assert_never

from calibration.table import Piece
from controller.rules.board import (
    ON_TABLE,
    Board,
    Finish,
    Result,
    Side,
    awaiting,
)
from controller.rules.breaches import breach, leave_seat, lose_board, technical_foul
from controller.rules.choices import AtBell
from controller.rules.counting import points
from controller.rules.counting_pair import decided, fall_later
from controller.rules.decisions import (
    BoardVoid,
    BoardWon,
    Decision,
    Disputed,
    DuePostponed,
    DueWaived,
    PiecesReturned,
    QueenReturned,
    TurnPassed,
)
from controller.rules.dues import pay, waive
from controller.rules.judge import judge
from controller.rules.lapse import lapsed
from controller.rules.laws import Laws
from controller.rules.scoring import queen_points, result
from controller.rules.stroke import Stroke

Judged = tuple[Board, tuple[Decision, ...]]
PASSES_TO_VOID = 6


@dataclass(frozen=True, slots=True)
class Breach:
    """A breach outside a stroke (63, 64)."""

    side: Side
    before_first_stroke: bool


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A player left the seat during play (91)."""

    side: Side


@dataclass(frozen=True, slots=True)
class PlayedOn:
    """A player struck while an appeal was open (121b)."""

    side: Side


@dataclass(frozen=True, slots=True)
class Disturbed:
    """A player disturbed the board beyond repair (126b)."""

    side: Side


@dataclass(frozen=True, slots=True)
class Conceded:
    """A player gives up the board (139)."""

    side: Side


@dataclass(frozen=True, slots=True)
class LateFall:
    """A coin or the queen hanging at a pocket fell after the stroke (71, 113)."""

    piece: Piece


@dataclass(frozen=True, slots=True)
class Waived:
    """The opponent of `side` gives up every coin owed to him (87a)."""

    side: Side


@dataclass(frozen=True, slots=True)
class Forfeited:
    """Coins the side owed were not placed in time: the claim is lost (80, 83, 87)."""

    side: Side


@dataclass(frozen=True, slots=True)
class NoRoom:
    """Coins the side owed found no room: they wait until there is (79, 81)."""

    side: Side
    coins: int


@dataclass(frozen=True, slots=True)
class NoticedLate:
    """An error of the side that nobody claimed before the next stroke was made."""

    side: Side
    law: str


@dataclass(frozen=True, slots=True)
class Misplaced:
    """The side placed an opponent's coin wrongly: put right, and a foul.

    Wrong colour, outside the outer circle, on the centre circle, moving another
    coin, or making a shot with the queen (82, 85, 86, 89b, 114).
    """

    side: Side


@dataclass(frozen=True, slots=True)
class Passed:
    """The side on turn gives up its turn; both three times running void the board."""


@dataclass(frozen=True, slots=True)
class Voided:
    """The board does not count: base line blocked, all passed, force majeure.

    ICF 137, 140, 142. `side` broke the board and breaks it again.
    """

    side: Side


@dataclass(frozen=True, slots=True)
class Bell:
    """The clock of a timed board ran out: most coins pocketed wins."""


@dataclass(frozen=True, slots=True)
class BoardSet:
    """The umpire sets the board by hand."""

    board: Board


@dataclass(frozen=True, slots=True)
class BoardRuled:
    """The umpire decides how the board counts."""

    result: Result


Happening = (
    Stroke
    | Breach
    | SeatLeft
    | PlayedOn
    | Disturbed
    | Conceded
    | LateFall
    | Waived
    | Forfeited
    | NoRoom
    | NoticedLate
    | Misplaced
    | Passed
    | Voided
    | Bell
    | BoardSet
    | BoardRuled
)
"""Anything that changes a board."""


def act(board: Board, happening: Happening, laws: Laws) -> Judged:
    """The board after a happening, and what was decided.

    Raises ValueError when it cannot happen on this board.
    """
    match happening:
        case Stroke():
            return judge(board, happening, laws)
        case BoardSet(board=by_hand):
            return by_hand, ()
        case BoardRuled(result=counted):
            return _ruled(board, counted, "ruling.result")
        case _:
            pass
    if board.over:
        raise ValueError("the board is over: nothing more can happen on it")
    match happening:
        case Breach(side, before):
            return breach(board, side, laws, before_first_stroke=before)
        case SeatLeft(side):
            return leave_seat(board, side, laws)
        case PlayedOn(side):
            return lose_board(board, side, laws, Finish.PLAYED_ON)
        case Disturbed(side):
            return lose_board(board, side, laws, Finish.DISTURBED)
        case Conceded(side):
            return lose_board(board, side, laws, Finish.CONCEDED)
        case LateFall(piece):
            return _late_fall(board, piece, laws)
        case Waived(side):
            return _written_off(board, side, "due.waived")
        case Forfeited(side):
            return _written_off(board, side, "due.forfeited")
        case NoRoom(side, coins):
            return _no_room(board, side, coins, laws)
        case NoticedLate(side, law):
            return board, (lapsed(law, side),)
        case Misplaced(side):
            return technical_foul(board, side, laws, "due.misplaced")
        case Passed():
            return _pass(board)
        case Voided(side):
            fresh = Board(turn=side, scores=board.scores)
            return fresh, (BoardVoid("board.void", side),)
        case Bell():
            return _bell(board, laws)
        case _:
            assert_never(happening)


def _ruled(board: Board, counted: Result, law: str) -> Judged:
    won = BoardWon(
        law,
        counted.winner,
        counted.coin_points,
        counted.queen_points,
        counted.demandable,
        counted.finish,
        counted.slam,
    )
    return replace(board, result=counted), (won,)


def _written_off(board: Board, side: Side, law: str) -> Judged:
    """Everything a side owes is written off."""
    owed = board.owed[side]
    if not owed:
        raise ValueError(f"{side.value} owes nothing that could be written off")
    return waive(board, side, owed), (DueWaived(law, side, owed),)


def _no_room(board: Board, side: Side, coins: int, laws: Laws) -> Judged:
    if laws.players_collect:
        raise ValueError(f"{laws.name} knows no coins owed: none can be without room")
    if not 0 < coins <= board.coins[side]:
        raise ValueError(
            f"{side.value} has {board.coins[side]} coins up: {coins} cannot be lifted"
        )
    lifted = board.coins.put(side, board.coins[side] - coins)
    owed = board.owed.put(side, board.owed[side] + coins)
    told = (DuePostponed("due.no-room", side, coins),)
    return replace(board, coins=lifted, owed=owed), told


def _pass(board: Board) -> Judged:
    """A turn given up; the sixth in a row is the third of both (137)."""
    side = board.turn
    if board.passes + 1 == PASSES_TO_VOID:
        fresh = Board(turn=Side.WHITE, scores=board.scores)
        return fresh, (BoardVoid("board.void", Side.WHITE),)
    told: list[Decision] = []
    queen = board.queen
    if queen.side is side and not queen.covered:
        queen = ON_TABLE
        told.append(PiecesReturned("queen.missed", side, 0, 0, 1))
        told.append(QueenReturned("queen.missed", side))
    board = replace(
        board,
        turn=side.opponent,
        queen=queen,
        turns=board.turns + 1,
        turn_strokes=0,
        passes=board.passes + 1,
    )
    return board, (*told, TurnPassed("turn.given-up", side))


def _late_fall(board: Board, piece: Piece, laws: Laws) -> Judged:
    """A hanging piece is properly pocketed whenever it falls, turn unchanged.

    Its last coin clears a side only with the queen settled; otherwise, and for
    the queen, the umpire says what follows.
    """
    if piece is Piece.STRIKER:
        raise ValueError("only a coin or the queen can fall later")
    if piece is Piece.QUEEN:
        if not board.queen.on_table:
            raise ValueError("the queen cannot fall later: she is not on the table")
        if laws.players_collect:
            return fall_later(board, piece, laws)
        board = replace(board, queen=awaiting(board.turn))
        question = "the queen fell after the stroke: whose is she?"
        return board, (Disputed("fall.later-queen", board.turn, question),)
    side = Side.WHITE if piece is Piece.WHITE else Side.BLACK
    left = board.coins[side] - 1
    if left < 0:
        raise ValueError(f"no {piece.value} coin is left to fall")
    if laws.players_collect:
        return fall_later(board, piece, laws)
    if left == 0 and board.queen.covered:
        queen = queen_points(laws, board.scores[side])
        queen = queen if board.queen.covered_by(side) else 0
        rivals = board.coins[side.opponent]
        counted = result(laws, side, rivals, queen, Finish.CLEARED)
        cleared = replace(board, coins=board.coins.put(side, 0))
        return _ruled(cleared, counted, "fall.later")
    board = replace(
        board,
        coins=board.coins.put(side, left),
        ever_down=board.ever_down.put(side, True),
    )
    board, told = pay(board, side, laws)
    if board.coins[side] == 0:
        question = "the last coin fell later with the queen not settled"
        told = (*told, Disputed("fall.later", side, question))
    return board, told


def _bell(board: Board, laws: Laws) -> Judged:
    """The clock ran out (002: most coins down wins; counting games: most points).

    A draw is left open for the tie-break: the umpire is asked. Where the board is
    played out first, the match ends with it.
    """
    if laws.at_bell is AtBell.FINISH_BOARD:
        question = "the bell: this board is played out, then the game is over"
        return board, (Disputed("time.bell", board.turn, question),)
    winner = leader(board, laws)
    if winner is None:
        question = "level at the bell: tie-break"
        return board, (Disputed("time.bell", board.turn, question),)
    return stop(board, winner, laws)


def leader(board: Board, laws: Laws) -> Side | None:
    """Who would win if the clock ran out now; None when both are level."""
    if laws.players_collect:
        white, black = (
            points(board.purses[side], laws) + board.scores[side] for side in Side
        )
    else:
        white, black = (board.down(side) for side in Side)
    if white == black:
        return None
    return Side.WHITE if white > black else Side.BLACK


def stop(board: Board, winner: Side, laws: Laws) -> Judged:
    """The board ends by the clock; its points are those of the table."""
    if laws.players_collect:
        counted = decided(board, winner, laws, Finish.TIME)
        return _ruled(board, counted, "time.bell")
    queen = 0
    if board.queen.covered_by(winner):
        queen = queen_points(laws, board.scores[winner])
    rivals = board.coins[winner.opponent]
    counted = result(laws, winner, rivals, queen, Finish.TIME)
    return _ruled(board, counted, "time.bell")
