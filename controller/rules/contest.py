"""What is played at a table: a match of two sides, or a game each for himself.

A `Match` and a `CountingMatch` hold other things and obey other laws, but whoever
keeps a record asks both the same questions: who strikes from this seat, what lies
there, what follows from this entry. Here each question has its two answers, and
nobody else needs to ask which of the two is played.
"""

from dataclasses import replace
from typing import TypeAlias, assert_never

from calibration.table import Seat
from controller.rules.board import ON_TABLE, BySide, Purse, Side
from controller.rules.counting import CountingBoard
from controller.rules.counting_decisions import CountingDecision
from controller.rules.counting_entries import (
    CountingEntry,
    OutOfTurn,
    PlayerBreach,
    PointsCorrected,
    PursesSet,
)
from controller.rules.counting_match import CountingMatch
from controller.rules.counting_match import advance as advance_counting
from controller.rules.decisions import Decision
from controller.rules.entries import Input, ScoresCorrected
from controller.rules.happenings import BoardSet, Breach, leader
from controller.rules.match import Match
from controller.rules.match import advance as advance_match
from controller.rules.order import ByPlayer, Player
from controller.rules.stroke import Stroke

Contest: TypeAlias = Match | CountingMatch
Entry: TypeAlias = Input | CountingEntry
"""Anything that changes a contest; each kind refuses what only the other knows."""
Decided: TypeAlias = Decision | CountingDecision


def advance(contest: Contest, entry: Entry) -> tuple[Contest, tuple[Decided, ...]]:
    """The contest after one entry, and what was decided.

    Raises ValueError when the entry does not fit.
    """
    match contest:
        case Match() if isinstance(entry, Input):
            return advance_match(contest, entry)
        case CountingMatch() if isinstance(entry, CountingEntry):
            return advance_counting(contest, entry)
        case _:
            what = type(entry).__name__
            raise ValueError(f"{what} is no entry of {contest.laws.title} as played")


def on_turn_at(contest: Contest, seat: Seat | None) -> bool | None:
    """Whether who plays from a seat is on turn; None for a seat nobody plays from."""
    match contest:
        case Match():
            side = side_at(contest, seat)
            return None if side is None else side is contest.board.turn
        case CountingMatch():
            if seat not in contest.seats:
                return None
            return seat is contest.seat
        case _:
            assert_never(contest)


def name_at(contest: Contest, seat: Seat | None) -> str:
    """Who plays from a seat; who is on turn where nobody does."""
    match contest:
        case Match():
            side = side_at(contest, seat) or contest.board.turn
            return contest.names[contest.player_of(side)]
        case CountingMatch():
            return contest.names[_number_at(contest, seat)]
        case _:
            assert_never(contest)


def names_of(contest: Contest) -> tuple[str, ...]:
    """Who plays (pairs in doubles), who broke the first board first."""
    match contest:
        case Match():
            return contest.names.first, contest.names.second
        case CountingMatch():
            return contest.names
        case _:
            assert_never(contest)


def standing(contest: Contest) -> str:
    """The score in words: `Asha 12 : 9 Bimal, games 1 : 0`."""
    match contest:
        case Match():
            names, scores, games = contest.names, contest.scores, contest.games
            return (
                f"{names.first} {scores.first} : {scores.second} {names.second}, "
                f"games {games.first} : {games.second}"
            )
        case CountingMatch():
            pairs = zip(contest.names, contest.totals, strict=True)
            return ", ".join(f"{name} {total}" for name, total in pairs)
        case _:
            assert_never(contest)


def leading(contest: Contest) -> str | None:
    """Who would win if the clock ran out now; None when nobody leads alone."""
    match contest:
        case Match():
            side = leader(contest.board, contest.laws)
            return None if side is None else contest.names[contest.player_of(side)]
        case CountingMatch():
            first, *others = contest.leaders
            return None if others else contest.names[first]
        case _:
            assert_never(contest)


def needs_next_board(contest: Contest) -> bool:
    """Whether a toss now is for an extra board that has still to begin (56b)."""
    return isinstance(contest, Match) and contest.extra_board_next


def side_at(contest: Match, seat: Seat | None) -> Side | None:
    """Whose colour is played from a seat on this board; None if nobody's."""
    for player in Player:
        if seat in contest.seats_of(player):
            return contest.side_of(player)
    return None


def with_turn_at(contest: Contest, seat: Seat) -> Contest:
    """The contest with the turn given to who sits there; a cover missed is missed."""
    match contest:
        case Match():
            side = side_at(contest, seat)
            assert side is not None
            board = contest.board
            queen = ON_TABLE if board.queen.awaits(side.opponent) else board.queen
            board = replace(board, turn=side, queen=queen, turn_strokes=0)
            following, _ = advance_match(contest, BoardSet(board))
            return replace(following, seat=seat)
        case CountingMatch():
            number = _number_at(contest, seat)
            given = replace(
                contest.board, on_turn=number, queen_awaits=False, turn_strokes=0
            )
            return replace(contest, board=given)
        case _:
            assert_never(contest)


def relaid(contest: Contest, white: int, black: int, *, queen: bool) -> Contest:
    """The contest with the table as it was found to lie: so many coins, and she."""
    match contest:
        case Match():
            board = contest.board
            hers = ON_TABLE if queen and not board.queen.on_table else board.queen
            board = replace(board, coins=BySide(white, black), queen=hers)
            return advance_match(contest, BoardSet(board))[0]
        case CountingMatch():
            found = _as_found(contest.board, white, black, queen=queen)
            return advance_counting(contest, PursesSet(found))[0]
        case _:
            assert_never(contest)


def _as_found(
    board: CountingBoard, white: int, black: int, *, queen: bool
) -> CountingBoard:
    """Coins too few or too many are nobody's; a queen that lies there is on the table."""
    astray = board.astray
    if queen and not board.queen_up:
        purses = tuple(purse._replace(queen=False) for purse in board.purses)
        board = replace(board, purses=purses, queen_awaits=False)
        astray = astray._replace(queen=False)
    astray = Purse(
        astray.white + board.white - white,
        astray.black + board.black - black,
        astray.queen,
    )
    return replace(board, astray=astray)


def out_of_turn(contest: Contest, seat: Seat | None, stroke: Stroke) -> Entry:
    """A stroke by who sits there although another is on turn."""
    match contest:
        case Match():
            return replace(stroke, struck_by=side_at(contest, seat))
        case CountingMatch():
            return OutOfTurn(_number_at(contest, seat), stroke)
        case _:
            assert_never(contest)


def breach_at(contest: Contest, seat: Seat | None, *, technical: bool) -> Entry:
    """A breach by who sits there; by who is on turn where nobody does."""
    match contest:
        case Match():
            side = side_at(contest, seat) or contest.board.turn
            return Breach(side, technical)
        case CountingMatch():
            return PlayerBreach(_number_at(contest, seat), technical)
        case _:
            assert_never(contest)


def points_set(contest: Contest, points: tuple[int, ...], reason: str) -> Entry:
    """The running game's points set by hand, who broke the first board first.

    Raises ValueError when there are not as many as players.
    """
    match contest:
        case Match():
            if len(points) != len(Player):
                raise ValueError(f"two sides play, got points for {len(points)}")
            return ScoresCorrected(ByPlayer(points[0], points[1]), reason)
        case CountingMatch():
            return PointsCorrected(points, reason)
        case _:
            assert_never(contest)


def _number_at(contest: CountingMatch, seat: Seat | None) -> int:
    if seat is None or seat not in contest.seats:
        return contest.board.on_turn
    return contest.seats.index(seat)
