"""From a game of players each for himself to the payloads that show it. Pure."""

from controller.feed.models_match import (
    BoardResult,
    MatchState,
    PlayerState,
    Purse,
    Queen,
    Tally,
)
from controller.feed.scene import PHASES, Scene
from controller.rules.board import Purse as LawPurse
from controller.rules.counting import CountingBoard, points
from controller.rules.counting_decisions import (
    BoardCounted,
    BoardReplayed,
    BreakMissed,
    Collected,
    CountingDecision,
    CoverNeeded,
    FoulBy,
    GivenBack,
    NextPlays,
    PlayerBroke,
    PointsPaid,
    QueenCollected,
    QueenLost,
)
from controller.rules.counting_state import CountedBoard, CountingMatch
from controller.rules.laws import Laws

COUNTING_TELLING: tuple[type[CountingDecision], ...] = (
    BoardCounted,
    BoardReplayed,
    QueenCollected,
    QueenLost,
    PointsPaid,
    FoulBy,
    CoverNeeded,
    GivenBack,
    Collected,
    BreakMissed,
    PlayerBroke,
    NextPlays,
)
"""What a spectator wants to know first, of several decisions on one stroke."""


def counting_state(match: CountingMatch, scene: Scene) -> MatchState:
    """The whole snapshot for topic `match/state`, players in the order of play."""
    board, laws = match.board, match.laws
    numbers = range(len(match.names))
    return MatchState(
        phase=scene.phase or PHASES[match.phase],
        reason=scene.reason,
        players=tuple(_player(match, number) for number in numbers),
        game=match.game,
        board=match.board_number,
        games_to_win=1,
        game_points=laws.game_points,
        boards_per_game=laws.boards_per_game,
        queen=_queen(board),
        turn=None,
        on_turn=None if board.over else board.on_turn,
        white_left=board.white,
        black_left=board.black,
        fallen=scene.fallen,
        pieces=scene.pieces,
        question=scene.question,
        last=scene.last,
        history=tuple(_row(record, laws) for record in match.records),
        drawn=match.drawn,
        winner=match.winner,
    )


def counting_tally(match: CountingMatch) -> Tally:
    """The countable part of the position; nobody owes anything here."""
    board = match.board
    return Tally(
        white_left=board.white,
        black_left=board.black,
        queen=_queen(board),
        white_owes=0,
        black_owes=0,
        turn=None,
        on_turn=None if board.over else board.on_turn,
        scores=match.totals,
    )


def _player(match: CountingMatch, number: int) -> PlayerState:
    purse = match.board.purses[number]
    return PlayerState(
        name=match.names[number],
        colour=None,
        seat=match.seats[number],
        score=match.totals[number],
        games_won=int(number == match.winner),
        coins_left=None,
        purse=_purse(purse, match.laws),
        queen_worth=match.laws.queen_points,
        breaks=number == match.breaker,
    )


def _purse(purse: LawPurse, laws: Laws) -> Purse:
    return Purse(
        white=purse.white,
        black=purse.black,
        queen=purse.queen,
        points_lost=purse.lost,
        points=points(purse, laws),
    )


def _queen(board: CountingBoard) -> Queen:
    if board.queen_awaits:
        return Queen.AWAITING_COVER
    return Queen.ON_BOARD if board.queen_up else Queen.COVERED


def _row(record: CountedBoard, laws: Laws) -> BoardResult:
    won = tuple(points(purse, laws) for purse in record.purses)
    best = won.index(max(won))
    queen_to = [i for i, purse in enumerate(record.purses) if purse.queen]
    queen = laws.queen_points if best in queen_to else 0
    return BoardResult(
        game=1,
        board=record.number,
        breaker=record.breaker,
        winner=best if won.count(won[best]) == 1 else None,
        coin_points=won[best] - queen,
        queen_points=queen,
        queen_to=queen_to[0] if queen_to else None,
        finish=record.finish.value,
        points=won,
        scores_after=record.totals,
    )
