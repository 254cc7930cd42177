"""The words of the page: what the banner says and how sure the page is. Pure.

The page itself draws what it gets; every sentence on it that is not from the feed is
written here, where it can be tested.
"""

from dataclasses import dataclass
from enum import StrEnum
from math import ceil

from controller.feed.models_match import (
    BoardResult,
    MatchState,
    Phase,
    PlayerState,
    Queen,
)
from controller.feed.models_table import StatusWord
from controller.rules.board import Side
from controller.scoreboard.follower import Follower
from controller.words import minutes


class Tone(StrEnum):
    """How a caption looks; each has a mark of its own besides its colour."""

    CALM = "calm"
    PLAY = "play"
    QUEEN = "queen"
    ASK = "ask"
    WIN = "win"
    ALARM = "alarm"


@dataclass(frozen=True, slots=True)
class Caption:
    """A line for the whole hall, and a smaller one below it."""

    tone: Tone
    title: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Link:
    """How much the page may be trusted now: a word for the pill, a sentence, grey."""

    tone: Tone
    word: str
    sentence: str = ""
    grey: bool = False


def caption(state: MatchState) -> Caption:
    """What the hall is told in one line."""
    match state.phase:
        case Phase.NOT_WATCHING:
            return Caption(Tone.ALARM, "Not watching", state.reason)
        case Phase.ASKING_UMPIRE:
            text = state.question.text if state.question else state.reason
            return Caption(Tone.ASK, "Umpire's call", text)
        case Phase.MATCH_OVER:
            return _match_over(state)
        case Phase.GAME_OVER:
            return _game_over(state)
        case Phase.BOARD_OVER:
            return _board_over(state)
        case _:
            return _in_play(state)


def link(follower: Follower, *, broker: str, now_s: float) -> Link:
    """How fresh and whole the picture is; `broker` is empty while connected."""
    status = follower.status
    if broker:
        return Link(Tone.ALARM, "No broker", broker, grey=True)
    if status and status.status is StatusWord.LOST:
        return Link(
            Tone.ALARM, "Table lost", "The table's controller has gone.", grey=True
        )
    if status and status.status is StatusWord.STOPPING:
        return Link(Tone.CALM, "Closed", "The table has been closed.", grey=True)
    if follower.stale(now_s):
        return Link(Tone.ALARM, "No news", "The table has fallen silent.", grey=True)
    return _alive(follower)


def clock_line(follower: Follower, now_s: float) -> str:
    """The game's clock as the hall reads it now; empty where none is known to run."""
    clock = follower.state.game_clock if follower.state else None
    if clock is None:
        return ""
    gone_s = clock.elapsed_s
    if clock.running and clock.since_s is not None:
        if follower.ahead_s is None:
            return ""
        gone_s += now_s + follower.ahead_s - clock.since_s
    if clock.limit_s is None:
        return f"{minutes(gone_s)}{'' if clock.running else ' stopped'}"
    if gone_s >= clock.limit_s:
        return "Time"
    left = minutes(ceil(clock.limit_s - gone_s))
    return left if clock.running or not clock.started else f"{left} stopped"


def _alive(follower: Follower) -> Link:
    status, health = follower.status, follower.health
    if health and not health.watching:
        problem = health.problems[0] if health.problems else "The table is not seen."
        return Link(Tone.ALARM, "Not watching", problem)
    if follower.state is None:
        return Link(Tone.ASK, "Waiting", "Waiting for the table's first snapshot.")
    if follower.resyncing:
        return Link(Tone.ASK, "Resyncing", "A message was missed; catching up.")
    if status and status.status is StatusWord.DEGRADED:
        return Link(Tone.ASK, "Degraded", status.reason)
    if status and status.status is StatusWord.STARTING:
        return Link(Tone.ASK, "Starting", status.reason)
    return Link(Tone.PLAY, "Live")


def _in_play(state: MatchState) -> Caption:
    who = _striker(state)
    if who is None:
        return Caption(Tone.CALM, "Racking" if state.phase is Phase.RACKING else "")
    if state.queen is Queen.AWAITING_COVER:
        return Caption(Tone.QUEEN, f"{who.name} must cover the queen")
    match state.phase:
        case Phase.RACKING:
            return Caption(Tone.CALM, "Racking", f"{who.name} will break")
        case Phase.BREAK:
            return Caption(Tone.PLAY, f"{who.name} to break")
        case Phase.STROKE_RUNNING:
            return Caption(Tone.PLAY, f"{who.name} has struck")
        case _:
            return Caption(Tone.PLAY, f"{who.name} to play")


def _board_over(state: MatchState) -> Caption:
    if not state.history:
        return Caption(Tone.CALM, "Board over")
    last = state.history[-1]
    if last.points:
        return _counted_over(state, last)
    assert last.winner is not None
    points = last.coin_points + last.queen_points + last.additional_points
    slam = f"{_slam(last)} · " if last.slam else ""
    return Caption(
        Tone.WIN,
        f"Board {last.board} to {state.players[last.winner].name}",
        f"{slam}+{points}: {_made_of(last)}",
    )


def _counted_over(state: MatchState, last: BoardResult) -> Caption:
    """A board of players each for himself: what it brought every one of them."""
    pairs = zip(state.players, last.points, strict=True)
    brought = ", ".join(f"{player.name} +{points}" for player, points in pairs)
    return Caption(Tone.WIN, f"Board {last.board} is over", brought)


def _slam(board: BoardResult) -> str:
    return "White slam" if board.winner == board.breaker else "Black slam"


def _made_of(board: BoardResult) -> str:
    parts = [f"{board.coin_points} for coins"]
    if board.queen_points:
        parts.append(f"{board.queen_points} for the queen")
    if board.additional_points:
        parts.append(f"{board.additional_points} additional")
    return ", ".join(parts)


def _game_over(state: MatchState) -> Caption:
    first, second = (player.score for player in state.players)
    winner = state.players[0 if first > second else 1]
    score = f"{max(first, second)} – {min(first, second)}"
    return Caption(Tone.WIN, f"Game {state.game} to {winner.name}", score)


def _match_over(state: MatchState) -> Caption:
    if any(player.purse for player in state.players):
        return _counted_out(state)
    if state.winner is None:
        return Caption(Tone.WIN, "Match over", "Drawn" if state.drawn else "")
    won = state.players[state.winner].games_won
    lost = state.players[1 - state.winner].games_won
    winner = state.players[state.winner].name
    return Caption(Tone.WIN, f"{winner} wins the match", f"{won} – {lost} in games")


def _counted_out(state: MatchState) -> Caption:
    """A game of players each for himself: won by one, or shared by those who lead."""
    scores = sorted((player.score for player in state.players), reverse=True)
    detail = " – ".join(map(str, scores)) + " points"
    if state.winner is not None:
        return Caption(Tone.WIN, f"{state.players[state.winner].name} wins", detail)
    leading = [player.name for player in state.players if player.score == scores[0]]
    return Caption(Tone.WIN, f"{' and '.join(leading)} share the game", detail)


def queen_line(state: MatchState) -> str:
    """The queen's state for the small line beside her sign."""
    match state.queen:
        case Queen.ON_BOARD:
            return "on the board"
        case Queen.AWAITING_COVER:
            return "awaits her cover"
        case Queen.COVERED_BY_WHITE:
            holder = _with(state, Side.WHITE)
        case Queen.COVERED_BY_BLACK:
            holder = _with(state, Side.BLACK)
        case Queen.COVERED:
            crowned = (p for p in state.players if p.purse and p.purse.queen)
            holder = next(crowned, None)
    return f"covered by {holder.name}" if holder else "covered"


def _striker(state: MatchState) -> PlayerState | None:
    """Who is on turn: by colour, or by number where each plays for himself."""
    side = state.must_cover or state.turn
    if side is not None:
        return _with(state, side)
    return None if state.on_turn is None else state.players[state.on_turn]


def _with(state: MatchState, side: Side | None) -> PlayerState | None:
    """The player who has this colour on this board."""
    return next((p for p in state.players if side and p.colour is side), None)
