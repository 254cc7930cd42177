"""The break: ICF 44 to 47. Made as soon as any piece is touched."""

from dataclasses import replace

from controller.rules.board import Board
from controller.rules.choices import Rebreak
from controller.rules.decisions import (
    BreakFailed,
    Decision,
    Disputed,
    TurnKept,
    TurnPassed,
)
from controller.rules.laws import Laws
from controller.rules.stroke import Stroke


def missed_break(
    board: Board, stroke: Stroke, laws: Laws, *, proper: bool
) -> tuple[Board, tuple[Decision, ...]]:
    """A stroke that touched nothing before the break was made (45).

    The opponent then has the same attempts, with his own colour and the rack as
    it stands.
    """
    side = board.turn
    if stroke.striker or not proper:
        law, left = "break.striker", 0
    else:
        left = laws.break_attempts - board.break_attempt
        law = "break.repeat" if left else "break.lost"
    failed = BreakFailed(law, side, left)
    if left:
        again = replace(board, break_attempt=board.break_attempt + 1)
        kept = TurnKept(law, side)
        if laws.rebreak is Rebreak.OPPONENT_ASKS:
            question = "the opponent chooses: break again, or play on?"
            return again, (failed, kept, Disputed(law, side, question))
        return again, (failed, kept)
    passed = replace(
        board,
        turn=side.opponent,
        turns=board.turns + 1,
        turn_strokes=0,
        break_attempt=1,
    )
    return passed, (failed, TurnPassed(law, side))
