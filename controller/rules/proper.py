"""Proper strokes that end no board: ICF 48, 72-75, 92-101 and their variants.

Each function is one table of the laws, read from the striking side.
"""

from dataclasses import replace

from controller.rules.board import (
    COINS_PER_SIDE,
    ON_TABLE,
    Board,
    Queen,
    QueenIs,
    awaiting,
    covered,
)
from controller.rules.choices import (
    Cover,
    EarlyQueen,
    JumpedTurn,
    MixedPot,
    QueenWithStriker,
    StrikerWithOwn,
)
from controller.rules.laws import Laws
from controller.rules.stroke import Stroke
from controller.rules.verdict import Sunk, Verdict, queen_forbidden, sunk_by_turn


def proper(board: Board, stroke: Stroke, laws: Laws) -> Verdict:
    """What a proper stroke that ends no board calls for."""
    sunk = sunk_by_turn(board, stroke)
    if sunk.striker:
        verdict = _with_striker(board, stroke, laws)
    elif sunk.queen:
        verdict = _queen(board, sunk, laws)
    elif board.queen.awaits(sunk.side):
        verdict = _cover(sunk)
    else:
        verdict = _coins(board, sunk)
    return _turn_lost_besides(verdict, sunk, stroke, laws)


def _coins(board: Board, sunk: Sunk) -> Verdict:
    """Only coins, or nothing, with the queen not at stake (48, 125a)."""
    if sunk.own:
        law = "turn.mixed" if sunk.rival else "turn.own-coin"
        return Verdict(law, True, board.queen)
    law = "turn.rival-coin" if sunk.rival else "turn.nothing"
    return Verdict(law, False, board.queen)


def _cover(sunk: Sunk) -> Verdict:
    """The stroke that has to cover the queen (15, 96)."""
    if sunk.own:
        return Verdict(
            "turn.own-coin", True, covered(sunk.side), queen_law="queen.cover"
        )
    law = "turn.rival-coin" if sunk.rival else "turn.nothing"
    return Verdict(law, False, ON_TABLE, queen_law="queen.missed")


def _queen(board: Board, sunk: Sunk, laws: Laws) -> Verdict:
    """The queen goes down without the striker (92, 95, 97)."""
    side = sunk.side
    forbidden = queen_forbidden(board, side, sunk.own, laws)
    if forbidden == "queen.early" and laws.early_queen is EarlyQueen.BACK_AT_TURN_END:
        coming_back = Queen(QueenIs.COMING_BACK, side)
        return Verdict("turn.queen", True, coming_back, queen_law="queen.early")
    if forbidden:
        return Verdict(forbidden, False, ON_TABLE, queen_law=forbidden)
    if laws.cover is Cover.NOT_NEEDED:
        verdict = Verdict("turn.queen", True, covered(side), queen_law="queen.free")
    elif sunk.own == 0:
        law = "queen.after-dues" if sunk.own_before == COINS_PER_SIDE else "queen.sunk"
        verdict = Verdict("turn.queen", True, awaiting(side), queen_law=law)
    elif _needs_two(sunk, laws) and sunk.own < 2:
        verdict = Verdict(
            "turn.queen", True, awaiting(side), queen_law="queen.all-nine-up"
        )
    else:
        verdict = Verdict(
            "turn.queen", True, covered(side), queen_law="queen.cover-together"
        )
    if sunk.rival and not sunk.own:
        return replace(verdict, dispute="queen and opposing coin: the turn goes on?")
    return verdict


def _needs_two(sunk: Sunk, laws: Laws) -> bool:
    return laws.two_to_cover_at_nine and sunk.own_before == COINS_PER_SIDE


def _with_striker(board: Board, stroke: Stroke, laws: Laws) -> Verdict:
    """The striker goes down in a proper stroke (72-75, 95d, 98-101)."""
    sunk = sunk_by_turn(board, stroke)
    if laws.striker_with_own is StrikerWithOwn.ONE_BACK_PASSES:
        return _striker_costs_one(board, sunk)
    if _is_double_foul(board, sunk, laws):
        return _double_foul(board, stroke)
    if sunk.queen:
        verdict = _queen_with_striker(board, sunk, laws)
    elif board.queen.awaits(sunk.side):
        verdict = _cover_with_striker(sunk)
    else:
        verdict = _coins_with_striker(board, sunk)
    if sunk.own:
        verdict = replace(
            verdict,
            own_back=sunk.own,
            dues=int(laws.striker_with_own_due),
            keeps_turn=verdict.keeps_turn
            and laws.striker_with_own is StrikerWithOwn.ALL_BACK_KEEPS,
        )
    if laws.striker_returns_rival and sunk.rival:
        question = "opposing coins fell with the striker: they come back?"
        return replace(verdict, rival_back=sunk.rival, dispute=question)
    return verdict


def _coins_with_striker(board: Board, sunk: Sunk) -> Verdict:
    if sunk.own:
        law = "striker.mixed" if sunk.rival else "striker.with-own"
        return Verdict(law, True, board.queen)
    law = "striker.with-rival" if sunk.rival else "striker.alone"
    return Verdict(law, False, board.queen, dues=1)


def _cover_with_striker(sunk: Sunk) -> Verdict:
    if sunk.own:
        return Verdict("cover.striker-own", True, awaiting(sunk.side))
    law = "cover.striker"
    return Verdict(law, False, ON_TABLE, dues=1, queen_law=law)


def _queen_with_striker(board: Board, sunk: Sunk, laws: Laws) -> Verdict:
    """The queen always comes back; who goes on is the question (95d, 98a, 99a)."""
    side = sunk.side
    if board.owed[side] and not laws.queen_while_owing:
        return Verdict(
            "queen.while-owing", False, ON_TABLE, dues=1, queen_law="queen.while-owing"
        )
    if sunk.own:
        law = "queen.striker-own"
        dispute = None
        if sunk.own_before == COINS_PER_SIDE:
            dispute = "queen, own coin and striker with all nine up: the turn goes on?"
        return Verdict(law, True, ON_TABLE, queen_law=law, dispute=dispute)
    if sunk.own_before == COINS_PER_SIDE:
        law = "queen.striker-nine-up"
        return Verdict(law, False, ON_TABLE, dues=1, queen_law=law)
    law = "queen.striker"
    keeps = laws.queen_with_striker is QueenWithStriker.KEEPS
    dispute = None
    if keeps and sunk.rival:
        dispute = "queen, opposing coin and striker: the turn goes on?"
    elif not keeps:
        dispute = "queen with the striker: the turn is lost?"
    return Verdict(law, keeps, ON_TABLE, dues=1, queen_law=law, dispute=dispute)


def _is_double_foul(board: Board, sunk: Sunk, laws: Laws) -> bool:
    """Own coins and striker where an event lets the player choose the price.

    The queen, and a last coin of either side, stay with 73, 98a and 101a.
    """
    chooses = laws.striker_with_own is StrikerWithOwn.DOUBLE_FOUL
    at_stake = sunk.queen or board.queen.awaits(sunk.side)
    return chooses and 0 < sunk.own < sunk.own_before and not at_stake


def _double_foul(board: Board, stroke: Stroke) -> Verdict:
    """Two coins and the turn goes on, or one coin and it passes."""
    law, keeps = "striker.double-foul", not stroke.passes_on
    question = "two coins and go on, or one coin and pass?" if keeps else None
    return Verdict(law, keeps, board.queen, dues=1 + keeps, dispute=question)


def _striker_costs_one(board: Board, sunk: Sunk) -> Verdict:
    """Tournament reading r14: the turn and one coin, whatever else fell."""
    returns = sunk.queen or board.queen.awaits(sunk.side)
    dispute = None
    if sunk.own:
        dispute = "own coin with the striker: only one coin back in all?"
    return Verdict(
        "striker.one-back",
        False,
        ON_TABLE if returns else board.queen,
        dues=1,
        queen_law="striker.one-back" if returns else None,
        dispute=dispute,
    )


def _turn_lost_besides(
    verdict: Verdict, sunk: Sunk, stroke: Stroke, laws: Laws
) -> Verdict:
    """Rule sets that end the turn for an opposing coin or a piece off the table."""
    if not verdict.keeps_turn:
        return verdict
    stays_down = sunk.rival > verdict.rival_back
    if stays_down and laws.mixed_pot is MixedPot.PASSES:
        return _passing(verdict, "turn.mixed", sunk)
    jumped_ends = laws.jumped_turn is JumpedTurn.OWN_COIN_ONLY
    if stroke.left_table and jumped_ends and not sunk.own:
        return _passing(verdict, "turn.off-table", sunk)
    return verdict


def _passing(verdict: Verdict, law: str, sunk: Sunk) -> Verdict:
    """The same verdict with the turn lost: a queen not yet covered comes back."""
    passed = replace(verdict, law=law, keeps_turn=False, dispute=None)
    if verdict.queen.awaits(sunk.side):
        return replace(passed, queen=ON_TABLE, queen_law="queen.missed")
    return passed
