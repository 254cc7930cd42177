"""The judge: one finished stroke in, the board that follows and why out.

Theory of operation. A stroke is judged in the order of the laws: out of turn,
then the break, then the end of the board, then what the stroke calls for, then
lateness. The last is found as a `Verdict` from the tables of proper and
improper strokes and carried out step by step: pieces back, queen, dues, pieces
that left the table, turn. Nothing is kept between calls; the same board, stroke
and rule set always give the same answer.
"""

from dataclasses import replace

from calibration.table import Piece
from controller.rules.board import (
    COINS_PER_SIDE,
    ON_TABLE,
    Board,
    BySide,
    Finish,
    Queen,
    QueenIs,
    Result,
    Side,
    awaiting,
    covered,
)
from controller.rules.breaches import (
    breach_of,
    count_lateness,
    is_late,
    strike_out_of_turn,
    technical_foul,
)
from controller.rules.breaking import missed_break
from controller.rules.choices import Overtime
from controller.rules.counting_pair import judge_counting
from controller.rules.decisions import (
    BoardWon,
    BreakMade,
    Decision,
    Disputed,
    DueIncurred,
    FoulCalled,
    PenaltyIncurred,
    PiecesReplaced,
    PiecesReturned,
    QueenAwaitsCover,
    QueenCovered,
    QueenReturned,
    QueenToReturn,
    TurnKept,
    TurnPassed,
)
from controller.rules.dues import pay
from controller.rules.endings import Ending, ending
from controller.rules.improper import improper
from controller.rules.laws import Laws
from controller.rules.proper import proper
from controller.rules.scoring import is_century, is_slam
from controller.rules.stroke import Stroke
from controller.rules.verdict import Verdict, too_late

Judged = tuple[Board, tuple[Decision, ...]]


def judge(board: Board, stroke: Stroke, laws: Laws) -> Judged:
    """Judge one finished stroke: the board that follows, and what was decided.

    Raises ValueError when the board is already over or the stroke pockets more
    than lies on the table.
    """
    _refuse_impossible(board, stroke)
    if stroke.struck_by not in (None, board.turn):
        return strike_out_of_turn(board, board.turn.opponent, laws)
    breach = breach_of(board, stroke, laws)
    after, told = _judge_stroke(board, stroke, laws, breach)
    if after.over or not is_late(stroke, laws):
        return after, told
    if laws.overtime is Overtime.THREE_LOSE:
        return count_lateness(after, board.turn, told, laws)
    return _late_besides(board, after, told, laws)


def _judge_stroke(
    board: Board, stroke: Stroke, laws: Laws, breach: str | None
) -> Judged:
    is_proper = breach is None
    if not board.broken and stroke.missed:
        return missed_break(board, stroke, laws, proper=is_proper)
    if laws.players_collect:
        in_time = not is_late(stroke, laws)
        return judge_counting(board, stroke, laws, proper=is_proper and in_time)
    if is_late(stroke, laws) and laws.overtime is not Overtime.BREACH:
        return _carry_out(board, stroke, too_late(board, stroke), laws)
    end = ending(board, stroke, laws, proper=is_proper)
    if end is not None:
        return _finish(board, stroke, end, laws)
    verdict = (proper if is_proper else improper)(board, stroke, laws)
    return _carry_out(board, stroke, verdict, laws, breach)


def _refuse_impossible(board: Board, stroke: Stroke) -> None:
    if board.result is not None:
        raise ValueError("the board is over: no stroke can be judged on it")
    if stroke.white > board.coins.white or stroke.black > board.coins.black:
        raise ValueError(
            f"a stroke cannot pocket {stroke.white} white and {stroke.black} black: "
            f"{board.coins.white} and {board.coins.black} are on the table"
        )
    if stroke.queen and not board.queen.on_table:
        raise ValueError("a stroke cannot pocket the queen: she is not on the table")


def _late_besides(
    before: Board, after: Board, told: tuple[Decision, ...], laws: Laws
) -> Judged:
    """Late on the first stroke of a turn: a technical foul besides (63a).

    Its coin is placed when the stroke is done; who strikes next is settled already.
    """
    side = before.turn
    if laws.overtime is not Overtime.BREACH:
        return after, told
    if laws.overtime_warns_first:
        question = "late: warn, and call a foul if already warned"
        return after, (Disputed("time.stroke", side, question), *told)
    if before.turn_strokes:
        return after, told
    after, besides = technical_foul(after, side, laws, "time.first-stroke")
    return after, (*besides[:-1], *told)


def _finish(board: Board, stroke: Stroke, end: Ending, laws: Laws) -> Judged:
    """The board is over: what is still owed is written off (55)."""
    side, counted = board.turn, end.result
    slam = is_slam(board, counted.winner, counted.finish)
    century = laws.century_board and is_century(board, stroke, end.law)
    finish = Finish.CENTURY if century else counted.finish
    counted = replace(counted, slam=slam, finish=finish)
    told: list[Decision] = [] if board.broken else [BreakMade("break.made", side)]
    won = BoardWon(
        "end.century" if century else end.law,
        counted.winner,
        counted.coin_points,
        counted.queen_points,
        counted.demandable,
        counted.finish,
        slam,
    )
    told.append(won)
    if end.dispute is not None:
        told.append(Disputed(end.law, side, end.dispute))
    return _ended(board, stroke, counted), tuple(told)


def _carry_out(
    board: Board,
    stroke: Stroke,
    verdict: Verdict,
    laws: Laws,
    breach: str | None = None,
) -> Judged:
    """Do what the verdict says, in the order of the table."""
    side = board.turn
    told: list[Decision] = [] if board.broken else [BreakMade("break.made", side)]
    if breach is not None:
        told.append(FoulCalled(breach, side, False))
    elif stroke.striker and laws.striker_is_foul:
        told.append(FoulCalled(verdict.law, side, False))
    told += _returns(board, stroke, verdict)
    if verdict.dues:
        told.append(DueIncurred(verdict.law, side, verdict.dues))
    if verdict.penalties:
        told.append(PenaltyIncurred(verdict.law, side, verdict.penalties))
    board = _after(board, stroke, verdict)
    for debtor in (side, side.opponent):
        board, paid = pay(board, debtor, laws)
        told += paid
    if jumped := stroke.left_table + stroke.landed_back:
        order = placing_order(jumped, side)
        told.append(PiecesReplaced("off-table.placing", side, order))
    if verdict.dispute is not None:
        told.append(Disputed(verdict.law, side, verdict.dispute))
    turn = TurnKept if verdict.keeps_turn else TurnPassed
    told.append(turn(verdict.law, side))
    return board, tuple(told)


def placing_order(pieces: tuple[Piece, ...], side: Side) -> tuple[Piece, ...]:
    """Queen first, then the striking side's coins, then the rest (65b-d)."""
    rank = {Piece.QUEEN: 0, side.coin: 1, side.opponent.coin: 2}
    return tuple(sorted(pieces, key=lambda piece: rank[piece]))


def _queen_after(verdict: Verdict) -> Queen:
    """A queen pocketed too early comes back when the turn ends."""
    if verdict.queen.state is QueenIs.COMING_BACK and not verdict.keeps_turn:
        return ON_TABLE
    return verdict.queen


def _returns(board: Board, stroke: Stroke, verdict: Verdict) -> list[Decision]:
    """Pieces of this stroke that come back, and what became of the queen."""
    side = board.turn
    told: list[Decision] = []
    queen, law = _queen_after(verdict), verdict.queen_law
    was_away = stroke.queen or (board.queen.side is side and not board.queen.covered)
    queen_back = was_away and queen.on_table
    if verdict.own_back or verdict.rival_back or queen_back:
        back = BySide(0, 0).put(side, verdict.own_back)
        back = back.put(side.opponent, verdict.rival_back)
        told.append(
            PiecesReturned(verdict.law, side, back.white, back.black, int(queen_back))
        )
    if queen_back:
        told.append(QueenReturned(law or "queen.early", side))
    elif law is not None:
        told.append(_queen_decision(queen, law, side))
    return told


def _queen_decision(queen: Queen, law: str, side: Side) -> Decision:
    match queen.state:
        case QueenIs.COVERED:
            return QueenCovered(law, side)
        case QueenIs.COMING_BACK:
            return QueenToReturn(law, side)
        case _:
            return QueenAwaitsCover(law, side)


def _after(board: Board, stroke: Stroke, verdict: Verdict) -> Board:
    """The board with the verdict's pieces, debts and turn, before any payment."""
    side, rival = board.turn, board.turn.opponent
    own = board.coins[side] - stroke.coins(side) + verdict.own_back
    other = board.coins[rival] - stroke.coins(rival) + verdict.rival_back
    coins = BySide(own, other) if side is Side.WHITE else BySide(other, own)
    ever = board.ever_down
    owed = board.owed[side] + verdict.dues + verdict.penalties
    keeps = verdict.keeps_turn
    return replace(
        board,
        turn=side if keeps else rival,
        coins=coins,
        queen=_queen_after(verdict),
        owed=board.owed.put(side, owed),
        ever_down=BySide(
            ever.white or coins.white < COINS_PER_SIDE,
            ever.black or coins.black < COINS_PER_SIDE,
        ),
        break_attempt=0,
        turns=board.turns + (not keeps),
        turn_strokes=board.turn_strokes + 1 if keeps else 0,
        passes=0,
    )


def _ended(board: Board, stroke: Stroke, counted: Result) -> Board:
    """The board as it lies at its end; nothing is owed any more."""
    side = board.turn
    queen = board.queen
    if stroke.queen or queen.awaits(side):
        queen = covered(side) if counted.winner is side else awaiting(side)
    return replace(
        board,
        coins=BySide(
            board.coins.white - stroke.white, board.coins.black - stroke.black
        ),
        queen=queen,
        owed=BySide(0, 0),
        break_attempt=0,
        result=counted,
    )
