"""Strokes and breaches in a game of players each for himself, told in decisions.

Where the counting games are silent the international laws hold: three attempts at
the break (45), the turn goes to the right (49b), a foul costs one coin (64). What
they say of two opponents is read for many: the coin goes back from the offender's
own purse, and a stroke out of turn brings back what it sank and leaves the turn.
"""

from dataclasses import replace

from calibration.table import Piece
from controller.rules.breaches import forbidden, is_late
from controller.rules.counting import Counted, CountingBoard, cheapest, count, points
from controller.rules.counting_decisions import (
    BreakMissed,
    Collected,
    Collector,
    CountingDecision,
    CoverNeeded,
    FoulBy,
    GivenBack,
    NextPlays,
    PlayerBroke,
    PlaysOn,
    PointsPaid,
    QueenCollected,
    QueenLost,
)
from controller.rules.counting_state import CountingMatch
from controller.rules.stroke import Stroke

Judged = tuple[CountingBoard, tuple[CountingDecision, ...]]


def strike(match: CountingMatch, stroke: Stroke) -> Judged:
    """The board after a stroke of the player on turn.

    Raises ValueError when more fell than lay there.
    """
    board, laws = match.board, match.laws
    _refuse_impossible(board, stroke)
    breach = forbidden(stroke, laws)
    if stroke.missed and not board.broken:
        return _missed_break(match, stroke, proper=breach is None)
    late = "time.turn-lost" if is_late(stroke, laws) else None
    counted = count(board, stroke, laws, proper=not (breach or late))
    return counted.board, _told(match, stroke, counted, breach or late)


def strike_out_of_turn(
    match: CountingMatch, player: int, stroke: Stroke
) -> tuple[CountingDecision, ...]:
    """What follows from a stroke by another player; the board stays as it was."""
    _refuse_impossible(match.board, stroke)
    who, law = match.player(player), "points.out-of-turn"
    back = (stroke.white, stroke.black, int(stroke.queen))
    told: tuple[CountingDecision, ...] = (FoulBy(law, who, True),)
    if any(back):
        told += (GivenBack(law, who, *back),)
    return (*told, PlaysOn(law, match.on_turn))


def breach(match: CountingMatch, player: int, *, before_first_stroke: bool) -> Judged:
    """A breach outside a stroke: a coin, and the turn of a player who had begun it."""
    board, who = match.board, match.player(player)
    early = before_first_stroke and match.laws.technical_keeps_turn
    technical = early or player != board.on_turn
    told: list[CountingDecision] = [FoulBy("points.foul", who, technical)]
    purse = board.purses[player]
    white, black = cheapest(purse, match.laws)
    if white + black:
        purse = purse._replace(white=purse.white - white, black=purse.black - black)
        board = board.with_purse(player, purse)
        told.append(GivenBack("points.foul", who, white, black, 0))
    if technical:
        return board, (*told, PlaysOn("points.foul", match.on_turn))
    return board.passed(), (*told, *_turn_lost(match, "points.foul"))


def give_up(match: CountingMatch) -> Judged:
    """The player on turn gives the turn up."""
    return match.board.passed(), _turn_lost(match, "turn.given-up")


def fall_later(match: CountingMatch, piece: Piece) -> Judged:
    """A hanging piece is pocketed by who struck last; the turn stays (71, 113).

    The queen then awaits that player's cover; if his turn is over she comes back.
    """
    board = match.board
    if piece is Piece.STRIKER:
        raise ValueError("only a coin or the queen can fall later")
    if match.board.ledger.on_table[piece] == 0:
        raise ValueError(f"no {piece.value} is left to fall")
    if board.struck is None:
        raise ValueError("nobody has struck yet: nothing can fall later")
    who = match.player(board.struck)
    if piece is Piece.QUEEN:
        if board.struck != board.on_turn:
            law = "fall.later-queen"
            return board, (GivenBack(law, who, 0, 0, 1), QueenLost(law, who))
        return replace(board, queen_awaits=True), (CoverNeeded("queen.sunk", who),)
    white, black = int(piece is Piece.WHITE), int(piece is Piece.BLACK)
    purse = board.purses[board.struck]
    purse = purse._replace(white=purse.white + white, black=purse.black + black)
    worth = points(purse, match.laws) - points(board.purses[board.struck], match.laws)
    told = (Collected("fall.later", who, white, black, worth),)
    return board.with_purse(board.struck, purse), told


def _missed_break(match: CountingMatch, stroke: Stroke, *, proper: bool) -> Judged:
    """Nothing touched: two more attempts, then the next player breaks (45)."""
    board, who = match.board, match.on_turn
    if stroke.striker or not proper:
        law, left = "break.striker", 0
    else:
        left = match.laws.break_attempts - board.break_attempt
        law = "break.repeat" if left else "break.lost"
    missed = BreakMissed(law, who, left)
    if left:
        again = replace(board, break_attempt=board.break_attempt + 1)
        return again, (missed, PlaysOn(law, who))
    passed = replace(board.passed(), break_attempt=1)
    return passed, (missed, NextPlays(law, who, _next(match)))


def _told(
    match: CountingMatch, stroke: Stroke, counted: Counted, breach: str | None
) -> tuple[CountingDecision, ...]:
    """Everything one stroke led to, in the order it happens at the table."""
    before, who = match.board, match.on_turn
    if stroke.striker:
        law = breach or "points.striker"
    else:
        law = breach or ("points.piece" if counted.turn_kept else "turn.nothing")
    told: list[CountingDecision] = []
    if not before.broken:
        told.append(PlayerBroke("break.made", who))
    if breach:
        told.append(FoulBy(breach, who, False))
    told += _purse_told(match, counted, law, who)
    if counted.queen_back:
        told.append(QueenLost("queen.missed", who))
    if counted.board.queen_awaits:
        told.append(CoverNeeded("queen.sunk", who))
    if counted.turn_kept:
        return (*told, PlaysOn(law, who))
    return (*told, NextPlays(law, who, _next(match)))


def _purse_told(
    match: CountingMatch, counted: Counted, law: str, who: Collector
) -> list[CountingDecision]:
    """What went into the player's purse and what came out of it."""
    laws = match.laws
    was, now = match.board.purses[who.number], counted.board.purses[who.number]
    told: list[CountingDecision] = []
    white, black = max(now.white - was.white, 0), max(now.black - was.black, 0)
    if white + black:
        worth = white * laws.white_points + black * laws.black_points
        told.append(Collected("points.piece", who, white, black, worth))
    if now.queen and not was.queen:
        told.append(QueenCollected("queen.cover", who, laws.queen_points))
    back = (counted.white_back, counted.black_back, int(counted.queen_back))
    if any(back):
        told.append(GivenBack(law, who, *back))
    if counted.points_lost:
        told.append(PointsPaid(law, who, counted.points_lost))
    return told


def _turn_lost(match: CountingMatch, law: str) -> tuple[CountingDecision, ...]:
    who = match.on_turn
    passes = NextPlays(law, who, _next(match))
    if not match.board.queen_awaits:
        return (passes,)
    missed = "queen.missed"
    return GivenBack(missed, who, 0, 0, 1), QueenLost(missed, who), passes


def _next(match: CountingMatch) -> Collector:
    return match.player(match.board.passed().on_turn)


def _refuse_impossible(board: CountingBoard, stroke: Stroke) -> None:
    if stroke.white > board.white or stroke.black > board.black:
        raise ValueError(
            f"a stroke cannot pocket {stroke.white} white and {stroke.black} black: "
            f"{board.white} and {board.black} are on the table"
        )
    if stroke.queen and not board.queen_up:
        raise ValueError("a stroke cannot pocket the queen: she is not on the table")
