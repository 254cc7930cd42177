"""Improper strokes that end no board: ICF 64, 72b, 76, 77, 98b-101b.

The turn is always lost, own coins come back, an uncovered queen comes back, and
the opponent's coins stay down. A break before "Play" costs one coin and the due (47).
"""

from controller.rules.board import ON_TABLE, Board
from controller.rules.laws import Laws
from controller.rules.stroke import Stroke
from controller.rules.verdict import Sunk, Verdict, sunk_by_turn


def improper(board: Board, stroke: Stroke, laws: Laws) -> Verdict:
    """What an improper stroke that ends no board calls for."""
    sunk = sunk_by_turn(board, stroke)
    queen_back = sunk.queen or board.queen.awaits(sunk.side)
    taken_out = sunk.queen or (stroke.fouled and sunk.own > 0)
    by_foul = taken_out and not sunk.striker
    law = "improper.queen" if by_foul else _law(board, sunk)
    queen_law = law if sunk.queen or sunk.striker else "queen.missed"
    if stroke.before_play:
        dues, penalties = int(sunk.striker), laws.foul_coins
    else:
        dues, penalties = _price(sunk, laws, taken_out, queen_at_stake=queen_back)
    rival_back = sunk.rival if sunk.striker and laws.striker_returns_rival else 0
    return Verdict(
        law,
        False,
        ON_TABLE if queen_back else board.queen,
        own_back=sunk.own,
        rival_back=rival_back,
        dues=dues,
        penalties=penalties,
        queen_law=queen_law if queen_back else None,
    )


def _price(
    sunk: Sunk, laws: Laws, taken_out: bool, *, queen_at_stake: bool
) -> tuple[int, int]:
    """Dues and penalties besides the coins that come back.

    `taken_out`: 64b names the price, not 77a. The editions differ: the later one adds a due for the striker to the penalty
    (72b, 77b) and a coin to pieces taken out (64b); that of 1993 adds neither,
    but names two coins where the striker falls with the queen at stake (98b-101b).
    """
    if not sunk.striker:
        return 0, laws.improper_queen_coins if taken_out else laws.foul_coins
    if queen_at_stake:
        return laws.improper_queen_striker_coins, laws.foul_coins
    return laws.improper_striker_coins, laws.foul_coins


def _law(board: Board, sunk: Sunk) -> str:
    if sunk.queen:
        return "improper.queen-striker-own" if sunk.own else "improper.queen-striker"
    if sunk.striker:
        if board.queen.awaits(sunk.side):
            return (
                "improper.cover-striker-own" if sunk.own else "improper.cover-striker"
            )
        return "improper.striker-own" if sunk.own else "improper.striker"
    if sunk.own:
        return "improper.own"
    return "improper.rival" if sunk.rival else "improper.nothing"
