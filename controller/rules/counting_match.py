"""A counting game of two to four players, each for himself (reading r9).

The basic rules allow three players "for points, regardless of the colour" and give
no values; point carrom's are taken. `CountingMatch` (`counting_state.py`) changes
only through `advance`, with one `CountingEntry` at a time.
"""

from dataclasses import replace
from typing import assert_never

from calibration.refusal import Refusal
from calibration.table import Piece, Seat
from controller.rules.board import Finish, Purse
from controller.rules.choices import AtBell
from controller.rules.counting import CountingBoard, points
from controller.rules.counting_decisions import (
    BoardCounted,
    BoardReplayed,
    CountingDecision,
)
from controller.rules.counting_entries import (
    CountingEntry,
    GameAwarded,
    OutOfTurn,
    PlayerBreach,
    PointsCorrected,
    PursesSet,
    Replayed,
)
from controller.rules.counting_state import CountedBoard, CountingMatch
from controller.rules.counting_stroke import (
    breach,
    fall_later,
    give_up,
    strike,
    strike_out_of_turn,
)
from controller.rules.entries import NextBoard
from controller.rules.happenings import Bell, LateFall, Passed
from controller.rules.laws import Laws
from controller.rules.match_state import Phase
from controller.rules.overrides import for_points
from controller.rules.stroke import Stroke

__all__ = [
    "CountingMatch",
    "advance",
    "begin",
    "each_for_himself",
    "next_board",
    "play",
]

Advanced = tuple[CountingMatch, tuple[CountingDecision, ...]]
USUAL_SEATS = {
    2: (Seat.SOUTH, Seat.NORTH),
    3: (Seat.SOUTH, Seat.EAST, Seat.WEST),
    4: tuple(Seat),
}


def each_for_himself(laws: Laws, players: int) -> bool:
    """Whether so many play a `CountingMatch`: two do it as the two sides of a match."""
    return laws.players_collect and players > 2


def begin(
    laws: Laws, names: tuple[str, ...], seats: tuple[Seat, ...] = ()
) -> CountingMatch:
    """A counting game about to begin; the first named breaks.

    Names and seats in the order of play; without seats the usual ones. Raises
    Refusal when the rule set does not know so many players.
    """
    if len(names) not in laws.players:
        known = " or ".join(str(number) for number in laws.players)
        raise Refusal(f"{laws.name} is played by {known}, got {len(names)} names")
    return CountingMatch(
        laws=for_points(laws),
        names=names,
        seats=seats or USUAL_SEATS[len(names)],
        board=CountingBoard(purses=(Purse(),) * len(names)),
        scores=(0,) * len(names),
    )


def advance(match: CountingMatch, entry: CountingEntry) -> Advanced:
    """The game after one entry, and what was decided.

    Raises ValueError when the entry does not fit the phase.
    """
    match entry:
        case NextBoard(breaker=None):
            return next_board(match), ()
        case NextBoard():
            raise ValueError("in a game of three or four the next player breaks")
        case PursesSet(board=board):
            return _set(match, board)
        case PointsCorrected(points=totals):
            return _correct(match, totals)
        case GameAwarded(player=player):
            _refuse_nobody(match, player)
            return replace(match, awarded=player), ()
        case _:
            return _happen(match, entry)


Happened = Stroke | OutOfTurn | PlayerBreach | LateFall | Passed | Bell | Replayed


def _happen(match: CountingMatch, entry: Happened) -> Advanced:
    if match.board.over or match.over:
        raise ValueError(f"no board is running: the game is in phase {match.phase}")
    match entry:
        case Stroke():
            return play(match, entry)
        case OutOfTurn(player, stroke):
            _refuse_nobody(match, player)
            return match, strike_out_of_turn(match, player, stroke)
        case PlayerBreach(player, early):
            _refuse_nobody(match, player)
            board, told = breach(match, player, before_first_stroke=early)
            return replace(match, board=board), told
        case LateFall(piece):
            return _fall_later(match, piece)
        case Passed():
            board, told = give_up(match)
            return replace(match, board=board), told
        case Bell():
            stopped = replace(match, stopped=True)
            if match.laws.at_bell is AtBell.FINISH_BOARD:
                return stopped, ()
            return _close(stopped, (), "time.bell", Finish.TIME)
        case Replayed():
            told = (BoardReplayed("board.void", match.player(match.breaker)),)
            return replace(match, board=_racked(match, match.breaker)), told
        case _:
            assert_never(entry)


def play(match: CountingMatch, stroke: Stroke) -> Advanced:
    """The game after a stroke. Raises ValueError when it cannot have been made."""
    if match.board.over:
        raise ValueError("the board is over: no stroke can be judged on it")
    board, told = strike(match, stroke)
    return _seen(replace(match, board=board), told)


def next_board(match: CountingMatch) -> CountingMatch:
    """The next board; the next player breaks. Raises ValueError while one runs."""
    if match.phase is not Phase.BOARD_OVER:
        raise ValueError("no next board begins: one runs, or the game is over")
    breaker = (match.breaker + 1) % len(match.names)
    return replace(
        match,
        board=_racked(match, breaker),
        scores=match.totals,
        breaker=breaker,
        board_number=match.board_number + 1,
    )


def _racked(match: CountingMatch, breaker: int) -> CountingBoard:
    return CountingBoard(purses=(Purse(),) * len(match.names), on_turn=breaker)


def _fall_later(match: CountingMatch, piece: Piece) -> Advanced:
    board, told = fall_later(match, piece)
    return _seen(replace(match, board=board), told)


def _set(match: CountingMatch, board: CountingBoard) -> Advanced:
    _refuse_nobody(match, board.on_turn)
    if len(board.purses) != len(match.names):
        raise ValueError(f"{len(match.names)} play, got {len(board.purses)} purses")
    if min(board.white, board.black) < 0:
        raise ValueError("the purses hold more than nine coins of a colour")
    return _seen(replace(match, board=board), (), Finish.RULED)


def _correct(match: CountingMatch, totals: tuple[int, ...]) -> Advanced:
    """The game's points are as given from now on, this board's included."""
    if len(totals) != len(match.names):
        raise ValueError(f"{len(match.names)} play, got points for {len(totals)}")
    won = [points(purse, match.laws) for purse in match.board.purses]
    scores = tuple(total - here for total, here in zip(totals, won, strict=True))
    return _seen(replace(match, scores=scores), (), Finish.RULED)


def _seen(
    match: CountingMatch,
    told: tuple[CountingDecision, ...],
    finish: Finish = Finish.CLEARED,
) -> Advanced:
    """See whether the board is over: the table cleared or the points reached."""
    if match.board.over or not match.board.ends(match.laws, match.scores):
        return match, told
    return _close(match, told, "points.board", finish)


def _close(
    match: CountingMatch,
    told: tuple[CountingDecision, ...],
    law: str,
    finish: Finish,
) -> Advanced:
    """Enter the finished board; nobody is on turn any more."""
    match = replace(match, board=replace(match.board, over=True, queen_awaits=False))
    won = tuple(points(purse, match.laws) for purse in match.board.purses)
    record = CountedBoard(
        match.board_number, match.breaker, match.board.purses, match.totals, finish
    )
    first = match.player(won.index(max(won)))
    counted = BoardCounted(law, first, won, won.count(max(won)) > 1, finish)
    return replace(match, records=(*match.records, record)), (*told, counted)


def _refuse_nobody(match: CountingMatch, player: int) -> None:
    if not 0 <= player < len(match.names):
        raise ValueError(f"players are numbered 0 to {len(match.names) - 1}")
