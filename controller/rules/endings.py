"""Ends of a board: ICF 52, 53, 102 to 112, one function per table.

A board may end when a stroke takes the last coin of a side. Where the queen was
already settled and the stroke was not clean, the coins come back instead and the
board goes on (73, 77): then there is no ending.
"""

from enum import Enum, auto
from typing import NamedTuple, assert_never

from controller.rules.board import Board, Finish, Result, Side
from controller.rules.choices import BothLast, Cover, OwnLast
from controller.rules.laws import Laws
from controller.rules.scoring import bare_queen_points, queen_points, result
from controller.rules.stroke import Stroke
from controller.rules.verdict import queen_forbidden


class Ending(NamedTuple):
    """The board is over: by which law, how it counts, what the umpire is asked."""

    law: str
    result: Result
    dispute: str | None = None


class _Queen(Enum):
    """The queen as the striking side finds her at the end of the board."""

    ON = auto()
    AWAIT = auto()
    SUNK = auto()
    MINE = auto()
    HIS = auto()


class _Last(NamedTuple):
    """A stroke that took a last coin. `own`, `rival`: coins left after it."""

    board: Board
    laws: Laws
    side: Side
    own: int
    rival: int
    own_sunk: int
    queen: _Queen
    striker: bool
    proper: bool

    @property
    def clean(self) -> bool:
        return self.proper and not self.striker

    @property
    def demands(self) -> int:
        """One additional point for the striker, one for the breach (102b-112)."""
        return int(self.striker) + int(not self.proper)

    def queen_points(self, side: Side) -> int:
        return queen_points(self.laws, self.board.scores[side])

    def bare_queen(self, side: Side) -> int:
        return bare_queen_points(self.laws, self.board.scores[side])


def ending(board: Board, stroke: Stroke, laws: Laws, *, proper: bool) -> Ending | None:
    """How this stroke ends the board, or None when the board goes on."""
    side = board.turn
    own = board.coins[side] - stroke.coins(side)
    rival = board.coins[side.opponent] - stroke.coins(side.opponent)
    if own and rival:
        return None
    if stroke.striker and laws.striker_returns_rival:
        return None
    last = _Last(
        board,
        laws,
        side,
        own,
        rival,
        stroke.coins(side),
        _queen_at_end(board, stroke, laws, proper=proper),
        stroke.striker,
        proper,
    )
    if laws.cover is Cover.NOT_NEEDED:
        return _with_free_queen(last)
    return _by_table(last)


def _queen_at_end(board: Board, stroke: Stroke, laws: Laws, *, proper: bool) -> _Queen:
    """A queen sunk unallowed comes back: she counts as never taken (95b).

    Where the stroke was not clean all it sank comes back, allowed or not (64b, 98).
    """
    side = board.turn
    if stroke.queen:
        clean = proper and not stroke.striker
        own = stroke.coins(side)
        forbidden = clean and queen_forbidden(board, side, own, laws)
        return _Queen.ON if forbidden else _Queen.SUNK
    if board.queen.awaits(side):
        return _Queen.AWAIT
    if board.queen.covered:
        return _Queen.MINE if board.queen.covered_by(side) else _Queen.HIS
    return _Queen.ON


def _by_table(last: _Last) -> Ending | None:
    if last.rival:
        return _own_last(last)
    return _rivals_last(last) if last.own else _both_last(last)


def _won(last: _Last, coins: int, queen: int, law: str) -> Ending:
    """The striking side has cleared."""
    counted = result(last.laws, last.side, coins, queen, Finish.CLEARED)
    return Ending(law, counted)


def _own_last(last: _Last) -> Ending | None:
    """The striking side's last coin, the opponent still has some."""
    if last.queen is _Queen.ON:
        return _own_last_before_queen(last)
    if not last.clean:
        return None
    queen = 0 if last.queen is _Queen.HIS else last.queen_points(last.side)
    law = "end.cleared" if last.queen in (_Queen.MINE, _Queen.HIS) else "end.covering"
    return _won(last, last.rival, queen, law)


def _own_last_before_queen(last: _Last) -> Ending | None:
    """ICF 107, 108 and what other rule sets make of it."""
    laws, rival = last.laws, last.side.opponent
    match laws.own_last_before_queen:
        case OwnLast.WINS_COINS:
            if not last.clean:
                return None
            won = _won(last, last.rival, 0, "end.own-last")
            return won._replace(dispute="a board won with the queen on the table?")
        case OwnLast.BACK_AS_FOUL | OwnLast.PLAYS_ON:
            return None
        case OwnLast.LOSES_QUEEN_AND_COINS:
            coins = last.rival
        case OwnLast.LOSES_QUEEN:
            coins = 0
        case _:
            assert_never(laws.own_last_before_queen)
    law = "end.own-last-striker" if last.striker else "end.own-last"
    finish = Finish.OWN_LAST_BEFORE_QUEEN
    lost = result(laws, rival, coins, last.bare_queen(rival), finish, last.demands)
    return Ending(law, lost)


def _rivals_last(last: _Last) -> Ending:
    """The opponent's last coin, the striking side still has some."""
    rival = last.side.opponent
    # Own coins that fell with the striker would have come back (75).
    left = last.own + (last.own_sunk if last.striker else 0)
    queen = 0 if last.queen is _Queen.MINE else last.queen_points(rival)
    counted = result(last.laws, rival, left, queen, Finish.RIVALS_LAST, last.demands)
    dispute = None
    if last.clean and last.queen is _Queen.SUNK and last.own_sunk:
        dispute = "queen, own coin and the opponent's last: does she count for him?"
    return Ending(_rivals_last_law(last), counted, dispute)


def _rivals_last_law(last: _Last) -> str:
    if last.queen in (_Queen.MINE, _Queen.HIS):
        return "end.rivals-last-settled"
    if last.striker:
        return "end.rivals-last-striker"
    if last.queen is _Queen.ON:
        return "end.rivals-last"
    return "end.rivals-last-covering"


_BOTH_LAWS = {
    (_Queen.AWAIT, False): "end.both-covering",
    (_Queen.SUNK, False): "end.both-and-queen",
    (_Queen.ON, False): "end.both-before-queen",
    (_Queen.MINE, False): "end.both-mine",
    (_Queen.HIS, False): "end.both-his",
    (_Queen.AWAIT, True): "end.both-and-queen-striker",
    (_Queen.SUNK, True): "end.both-and-queen-striker",
    (_Queen.ON, True): "end.both-before-queen-striker",
    (_Queen.MINE, True): "end.both-mine-striker",
    (_Queen.HIS, True): "end.both-his-striker",
}


def _both_last(last: _Last) -> Ending:
    """One stroke takes the last coin of both sides."""
    law = _BOTH_LAWS[last.queen, last.striker]
    if last.clean and last.queen is not _Queen.ON:
        return _both_last_won(last, law)
    laws, rival = last.laws, last.side.opponent
    if last.queen is _Queen.MINE:
        points = laws.bare_queen_points
    else:
        points = last.bare_queen(rival)
        if last.queen is _Queen.HIS and last.striker and not laws.both_his_reduced:
            points = laws.queen_points
    lost = result(laws, rival, 0, points, Finish.BOTH_LAST, last.demands)
    return Ending(law, lost)


def _both_last_won(last: _Last, law: str) -> Ending:
    laws, side = last.laws, last.side
    dispute = None
    if last.queen is not _Queen.HIS:
        points = last.bare_queen(side)
    elif laws.both_last is BothLast.STRIKER_WINS:
        points = 0
    else:
        points = laws.bare_queen_points
        dispute = "both last coins, the opponent has the queen: won by one point?"
    counted = result(laws, side, 0, points, Finish.BOTH_LAST)
    return Ending(law, counted, dispute)


def _with_free_queen(last: _Last) -> Ending | None:
    """Premier league: the queen needs no cover and may be the very last piece."""
    if last.queen is _Queen.ON or (last.queen is _Queen.SUNK and not last.clean):
        return None
    if last.queen is not _Queen.SUNK:
        return _by_table(last)
    cleared_before = not last.board.coins[last.side.opponent]
    if cleared_before:
        return _won(last, 0, last.queen_points(last.side), "end.free-queen")
    return _by_table(last._replace(queen=_Queen.MINE))
