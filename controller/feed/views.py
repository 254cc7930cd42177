"""From the match as the rules engine has it to the payloads that show it. Pure."""

from collections.abc import Iterable, Sequence
from typing import assert_never

from controller.feed.counting_views import (
    COUNTING_TELLING,
    counting_state,
    counting_tally,
)
from controller.feed.models_match import (
    BoardResult,
    DecisionShown,
    Dues,
    MatchEvent,
    MatchState,
    PlayerState,
    Queen,
    Tally,
)
from controller.feed.scene import PHASES, Scene
from controller.rules import match as rules
from controller.rules.articles import LAWS, article, sentence
from controller.rules.board import Board, QueenIs, Side
from controller.rules.contest import Contest, Decided
from controller.rules.counting_decisions import CountingDecision
from controller.rules.counting_state import CountingMatch
from controller.rules.decisions import (
    BoardVoid,
    BoardWon,
    BreakFailed,
    BreakMade,
    DueIncurred,
    DuePaid,
    FoulCalled,
    PenaltyIncurred,
    PiecesReturned,
    QueenAwaitsCover,
    QueenCovered,
    QueenReturned,
    TurnPassed,
)
from controller.rules.laws import Laws
from controller.rules.order import ByPlayer, Player
from controller.rules.scoring import queen_points

PLAYERS = (Player.FIRST, Player.SECOND)
"""In the order of the score card: index 0 and 1 of everything published."""
TELLING: tuple[type[Decided], ...] = (
    BoardWon,
    BoardVoid,
    QueenCovered,
    QueenReturned,
    FoulCalled,
    PenaltyIncurred,
    DueIncurred,
    QueenAwaitsCover,
    PiecesReturned,
    DuePaid,
    BreakFailed,
    BreakMade,
    TurnPassed,
    *COUNTING_TELLING,
)
"""What a spectator wants to know first, of several decisions on one stroke."""


def match_state(contest: Contest, scene: Scene) -> MatchState:
    """The whole snapshot for topic `match/state`."""
    match contest:
        case rules.Match():
            return _two_sides(contest, scene)
        case CountingMatch():
            return counting_state(contest, scene)
        case _:
            assert_never(contest)


def _two_sides(match: rules.Match, scene: Scene) -> MatchState:
    awaiting = match.board.queen.state is QueenIs.AWAITING_COVER
    return MatchState(
        phase=scene.phase or PHASES[match.phase],
        reason=scene.reason,
        players=(
            _player(match, Player.FIRST, scene.affiliations[0]),
            _player(match, Player.SECOND, scene.affiliations[1]),
        ),
        game=match.game,
        board=match.board_number,
        games_to_win=match.laws.games_per_match // 2 + 1,
        game_points=match.laws.game_points,
        boards_per_game=match.laws.boards_per_game,
        queen=_queen(match.board),
        turn=None if match.board.over else match.board.turn,
        on_turn=None if match.board.over else PLAYERS.index(match.on_turn),
        must_cover=match.board.queen.side if awaiting else None,
        white_left=match.board.coins.white,
        black_left=match.board.coins.black,
        fallen=scene.fallen,
        pieces=scene.pieces,
        question=scene.question,
        last=scene.last,
        history=tuple(_row(match, record) for record in match.records),
        claim=match.claim,
        drawn=match.drawn,
        winner=None if match.winner is None else PLAYERS.index(match.winner),
    )


def match_event(
    decision: Decided,
    before: Contest,
    after: Contest,
    *,
    stroke: int | None = None,
    evidence: tuple[str, ...] = (),
    confidence: float = 1.0,
) -> MatchEvent:
    """One decision for topic `match/event`, with the tallies around its stroke."""
    return MatchEvent(
        kind=_kebab(type(decision).__name__),
        text=_capital(sentence(decision)),
        law=decision.law,
        article=article(decision.law, after.laws),
        side=_side(decision),
        player=_player_number(decision),
        game=before.game,
        board=before.board_number,
        stroke=stroke,
        before=tally(before),
        after=tally(after),
        evidence=evidence,
        confidence=confidence,
    )


def shown(decision: Decided, seq: int, laws: Laws) -> DecisionShown:
    """A decision as the scoreboard's last line: what happened, why, which article."""
    return DecisionShown(
        seq=seq,
        text=f"{_capital(sentence(decision))}: {LAWS[decision.law].words}",
        law=decision.law,
        article=article(decision.law, laws),
        side=_side(decision),
        player=_player_number(decision),
    )


def headline(decisions: Sequence[Decided]) -> Decided | None:
    """The decision to show when one stroke led to several; None for none."""
    return min(decisions, key=_rank, default=None)


def tally(contest: Contest) -> Tally:
    """The countable part of the position."""
    match contest:
        case rules.Match():
            return _tally(contest)
        case CountingMatch():
            return counting_tally(contest)
        case _:
            assert_never(contest)


def _side(decision: Decided) -> Side | None:
    return None if isinstance(decision, CountingDecision) else decision.side


def _player_number(decision: Decided) -> int | None:
    if isinstance(decision, CountingDecision):
        return decision.player.number
    return None


def _tally(match: rules.Match) -> Tally:
    board = match.board
    return Tally(
        white_left=board.coins.white,
        black_left=board.coins.black,
        queen=_queen(board),
        white_owes=board.owed.white,
        black_owes=board.owed.black,
        turn=None if board.over else board.turn,
        on_turn=None if board.over else PLAYERS.index(match.on_turn),
        scores=_pair(match.shown_scores),
    )


def _player(match: rules.Match, player: Player, affiliation: str) -> PlayerState:
    side = match.side_of(player)
    board = match.board
    return PlayerState(
        name=match.names[player],
        affiliation=affiliation,
        colour=side,
        seat=match.seats_of(player)[0],
        score=match.shown_scores[player],
        games_won=match.games[player],
        coins_left=board.coins[side],
        dues=Dues(owed=board.owed[side], payable=board.payable(side)),
        queen_worth=queen_points(match.laws, board.scores[side]),
        breaks=player is match.breaker,
    )


def _queen(board: Board) -> Queen:
    match board.queen.state, board.queen.side:
        case QueenIs.AWAITING_COVER, _:
            return Queen.AWAITING_COVER
        case QueenIs.COVERED, Side.BLACK:
            return Queen.COVERED_BY_BLACK
        case QueenIs.COVERED, _:
            return Queen.COVERED_BY_WHITE
        case _:
            return Queen.ON_BOARD


def _row(match: rules.Match, record: rules.BoardRecord) -> BoardResult:
    return BoardResult(
        game=record.game,
        board=record.number,
        breaker=PLAYERS.index(record.breaker),
        winner=PLAYERS.index(record.winner),
        coin_points=record.coin_points,
        queen_points=record.queen_points,
        additional_points=record.demanded,
        queen_to=None if record.queen_by is None else PLAYERS.index(record.queen_by),
        finish=record.finish.value,
        slam=record.slam,
        scores_after=_pair(match.as_shown(record.totals)),
    )


def _pair(scores: ByPlayer[int]) -> tuple[int, int]:
    return scores.first, scores.second


def _rank(decision: Decided) -> int:
    kinds: Iterable[type[Decided]] = TELLING
    ranks = [rank for rank, kind in enumerate(kinds) if isinstance(decision, kind)]
    return ranks[0] if ranks else len(TELLING)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _kebab(name: str) -> str:
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in name).lstrip("-")
