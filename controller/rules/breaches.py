"""Breaches: what makes a stroke improper, and fouls and losses outside a stroke.

ICF 51, 62 to 64, 91, 121, 126, 143. A technical foul costs one coin and leaves
the turn; a foul costs one coin and the turn; a few breaches cost the whole board.
"""

from dataclasses import replace
from typing import assert_never

from controller.rules.board import ON_TABLE, Board, Finish, Result, Side
from controller.rules.choices import Leaving, OffTable, OutOfTurn, Overtime, OwnLast
from controller.rules.counting_pair import decided, forfeited, give_back
from controller.rules.decisions import (
    BoardWon,
    Decision,
    Disputed,
    FoulCalled,
    PenaltyIncurred,
    PiecesReturned,
    QueenReturned,
    TurnKept,
    TurnPassed,
)
from controller.rules.dues import owing, pay
from controller.rules.laws import Laws
from controller.rules.scoring import queen_points, result
from controller.rules.stroke import Stroke

Judged = tuple[Board, tuple[Decision, ...]]
LATENESSES_TO_LOSE = 3


def is_late(stroke: Stroke, laws: Laws) -> bool:
    """Whether the stroke took longer than the rule set allows."""
    limit = laws.stroke_limit_s
    return limit is not None and stroke.seconds is not None and stroke.seconds > limit


def breach_of(board: Board, stroke: Stroke, laws: Laws) -> str | None:
    """The law that makes this stroke improper, or None for a proper stroke.

    Lateness on the first stroke of a turn is a technical foul and is not judged
    here, nor is a rule set's "late means the turn is lost".
    """
    return forbidden(stroke, laws) or _breach_by_outcome(board, stroke, laws)


def forbidden(stroke: Stroke, laws: Laws) -> str | None:
    """The law that makes this stroke improper however it came out, or None."""
    if not stroke.proper:
        return "stroke.improper"
    if stroke.before_play:
        return "break.before-play"
    if stroke.fouled:
        return "foul.later"
    if stroke.thumb and not laws.thumb_allowed:
        return "stroke.thumb"
    if stroke.back_stroke and not laws.back_shots_allowed:
        return "stroke.back"
    if stroke.hand_over_arrow and not laws.hand_over_arrow_allowed:
        return "stroke.hand"
    if stroke.rival_first and not laws.rival_first_allowed:
        return "stroke.rival-first"
    if stroke.arrow_coin and not laws.arrow_coin_allowed:
        return "stroke.arrow-coin"
    if stroke.left_table and laws.off_table is OffTable.FOUL:
        return "off-table.foul"
    if stroke.striker_left_table and laws.striker_off_table is OffTable.FOUL:
        return "off-table.striker-foul"
    return None


def _breach_by_outcome(board: Board, stroke: Stroke, laws: Laws) -> str | None:
    side = board.turn
    if laws.rival_coin_is_foul and stroke.coins(side.opponent):
        return "turn.rival-foul"
    if (
        laws.own_last_before_queen is OwnLast.BACK_AS_FOUL
        and board.queen.on_table
        and not stroke.queen
        and stroke.coins(side) == board.coins[side]
    ):
        return "end.own-last-back"
    late_later = is_late(stroke, laws) and board.turn_strokes
    if late_later and laws.overtime is Overtime.BREACH:
        return None if laws.overtime_warns_first else "time.stroke"
    return None


def technical_foul(
    board: Board, side: Side, laws: Laws, law: str = "foul.technical"
) -> Judged:
    """A breach before the first stroke of the turn, or by the side not on turn."""
    board, told = _penalty(board, side, laws, law)
    return board, (FoulCalled(law, side, True), *told, TurnKept(law, board.turn))


def foul(board: Board, side: Side, laws: Laws, law: str = "foul.later") -> Judged:
    """A breach during the side's turn, outside a stroke: one coin and the turn.

    A queen that waits for her cover comes back, for the turn is over (96).
    """
    told: list[Decision] = [FoulCalled(law, side, False)]
    if board.queen.side is side and not board.queen.covered:
        board = replace(board, queen=ON_TABLE)
        told.append(PiecesReturned("queen.missed", side, 0, 0, 1))
        told.append(QueenReturned("queen.missed", side))
    board, paid = _penalty(board, side, laws, law)
    board = replace(board, turn=side.opponent, turns=board.turns + 1, turn_strokes=0)
    return board, (*told, *paid, TurnPassed(law, side))


def _penalty(
    board: Board, side: Side, laws: Laws, law: str
) -> tuple[Board, tuple[Decision, ...]]:
    if laws.players_collect:
        return give_back(board, side, laws, law)
    coins = laws.foul_coins
    board, told = pay(owing(board, side, coins), side, laws)
    return board, (PenaltyIncurred(law, side, coins), *told)


def breach(
    board: Board, side: Side, laws: Laws, *, before_first_stroke: bool
) -> Judged:
    """A breach outside a stroke: which kind of foul it is follows from the turn."""
    early = before_first_stroke and laws.technical_keeps_turn
    if early or side is not board.turn:
        return technical_foul(board, side, laws)
    return foul(board, side, laws)


def lose_board(board: Board, side: Side, laws: Laws, finish: Finish) -> Judged:
    """The side loses the whole board (51, 91, 121b, 126b, 139).

    Its opponent gets the loser's coins and the queen as they lie on the table;
    the queen only while she counts for him. A queen not yet covered lies there
    too: she has to come back.
    """
    winner = side.opponent
    if laws.players_collect:
        return _decide(board, forfeited(board, winner, laws, finish))
    lying = not board.queen.covered
    if finish is Finish.DISTURBED:
        lying = lying or board.queen.covered_by(winner)
    queen = queen_points(laws, board.scores[winner]) if lying else 0
    return _decide(board, result(laws, winner, board.coins[side], queen, finish))


def count_lateness(
    board: Board, side: Side, told: tuple[Decision, ...], laws: Laws
) -> Judged:
    """Where the third lateness loses the game: one more of this side."""
    late = board.late[side] + 1
    board = replace(board, late=board.late.put(side, late))
    if late < LATENESSES_TO_LOSE:
        return board, told
    winner = side.opponent
    if laws.players_collect:
        lost, won = _decide(board, decided(board, winner, laws, Finish.LATE))
    else:
        lost, won = lose_board(board, side, laws, Finish.LATE)
    return lost, (*told[:-1], *won)


_LOSS_LAWS = {
    Finish.OUT_OF_TURN: "turn.out",
    Finish.LEFT_SEAT: "seat.left",
    Finish.PLAYED_ON: "appeal.played-on",
    Finish.DISTURBED: "board.disturbed",
    Finish.CONCEDED: "match.conceded",
    Finish.LATE: "time.third",
}


def _decide(board: Board, counted: Result) -> Judged:
    won = BoardWon(
        _LOSS_LAWS[counted.finish],
        counted.winner,
        counted.coin_points,
        counted.queen_points,
        counted.demandable,
        counted.finish,
    )
    return replace(board, result=counted), (won,)


def leave_seat(board: Board, side: Side, laws: Laws) -> Judged:
    """A player leaves the seat during play (91)."""
    if laws.leaving is Leaving.WARNING:
        question = "a player left the seat: send back and warn"
        return board, (Disputed("seat.warning", side, question),)
    return lose_board(board, side, laws, Finish.LEFT_SEAT)


def strike_out_of_turn(board: Board, side: Side, laws: Laws) -> Judged:
    """A stroke by the side that is not on turn, noticed in time (51)."""
    match laws.out_of_turn:
        case OutOfTurn.LOSES_BOARD:
            return lose_board(board, side, laws, Finish.OUT_OF_TURN)
        case OutOfTurn.REPLAY:
            question = "struck out of turn: put everything back and replay"
        case OutOfTurn.UMPIRE:
            question = "struck out of turn: the referee decides"
        case _:
            assert_never(laws.out_of_turn)
    return board, (Disputed("turn.out", side, question),)
