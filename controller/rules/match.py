"""A match: boards, games, who breaks, who leads, what is still open.

`Match` (`match_state.py`) changes only through `advance`, with one `Input` at a time;
the journal keeps the inputs, and taking one back is a replay of the others.
"""

from dataclasses import replace

from controller.rules.board import Board, BySide, Result, Side
from controller.rules.choices import AtBell, Tie
from controller.rules.colours import exchange, first_pot, is_mixed
from controller.rules.decisions import BoardVoid, Decision, Disputed, TurnPassed
from controller.rules.entries import (
    ColourChosen,
    Demand,
    Input,
    MatchAwarded,
    NextBoard,
    ScoresCorrected,
    TieDecided,
    TossDecided,
)
from controller.rules.happenings import Bell, Happening, act, leader, stop
from controller.rules.match_state import (
    NONE_YET,
    BoardRecord,
    Match,
    Phase,
    counted_for_game,
    standing_of,
)
from controller.rules.order import (
    ByPlayer,
    Player,
    Standing,
    board_limit,
    breaker_of,
    next_seat,
)
from controller.rules.stroke import Stroke
from controller.rules.toss import with_toss

__all__ = [
    "BoardRecord",
    "ColourChosen",
    "Demand",
    "Input",
    "Match",
    "MatchAwarded",
    "NextBoard",
    "Phase",
    "ScoresCorrected",
    "TieDecided",
    "advance",
    "play",
]


def advance(match: Match, entry: Input) -> tuple[Match, tuple[Decision, ...]]:
    """The match after one input, and what was decided.

    Raises ValueError when the input does not fit the phase.
    """
    match entry:
        case Demand(points):
            return _demand(match, points), ()
        case NextBoard(breaker):
            return _next_board(match, breaker), ()
        case TieDecided(winner):
            return _decide_tie(match, winner), ()
        case ScoresCorrected(scores):
            return _correct(match, scores), ()
        case MatchAwarded(winner):
            return replace(match, winner=winner, claim=0), ()
        case ColourChosen(side):
            return _choose_colour(match, side), ()
        case TossDecided(winner, choice, seat):
            return with_toss(match, winner, choice, seat), ()
        case _:
            return play(match, entry)


def play(match: Match, happening: Happening) -> tuple[Match, tuple[Decision, ...]]:
    """The match after something happened on the running board.

    Raises ValueError when the board is over or it cannot happen.
    """
    if match.board.over or match.phase is Phase.MATCH_OVER:
        raise ValueError(f"no board is running: the match is in phase {match.phase}")
    told: tuple[Decision, ...] = ()
    if match.colours_open and isinstance(happening, Stroke):
        match, told = _see_first_pot(match, happening)
    board, judged = act(match.board, happening, match.laws)
    told += judged
    seat = match.seat
    for decision in told:
        match decision:
            case TurnPassed():
                seat = next_seat(seat, doubles=match.doubles)
            case BoardVoid():
                seat = match.break_seat
            case _:
                pass
    rung = match.bell_rung or isinstance(happening, Bell)
    match = replace(match, board=board, seat=seat, bell_rung=rung)
    # A board set by hand may give the turn to the other side without a turn passing.
    if seat not in match.seats_of(match.on_turn):
        match = replace(match, seat=next_seat(seat, doubles=match.doubles))
    if board.result is None:
        return match, told
    return _close_board(match, board.result), told


def _see_first_pot(match: Match, stroke: Stroke) -> tuple[Match, tuple[Decision, ...]]:
    """The first stroke to sink one colour gives the player that colour."""
    colour, side = first_pot(stroke), match.board.turn
    if colour is not None:
        return _choose_colour(match, colour), ()
    if is_mixed(stroke):
        return match, (Disputed("colour.mixed-pot", side, "which colour is chosen?"),)
    return match, ()


def _choose_colour(match: Match, side: Side) -> Match:
    """The player on turn plays this colour; the other one the other."""
    if not match.colours_open:
        raise ValueError("the colours of this board are fixed")
    match = replace(match, colours_fixed=True)
    if side is match.board.turn:
        return match
    board, colour = exchange(match.board), match.breaker_colour.opponent
    return replace(match, board=board, breaker_colour=colour)


def _close_board(match: Match, counted: Result) -> Match:
    """Enter the finished board on the card and see whether the game is won."""
    winner = match.player_of(counted.winner)
    totals = match.scores.put(winner, match.scores[winner] + counted.points)
    loser = winner.opponent
    totals = totals.put(loser, totals[loser] + counted.loser_points)
    holder = match.board.queen
    record = BoardRecord(
        match.game,
        match.board_number,
        match.breaker,
        winner,
        counted.coin_points,
        counted.queen_points,
        0,
        counted.finish,
        counted.slam,
        match.player_of(holder.side) if holder.covered and holder.side else None,
        totals,
    )
    match = replace(
        match,
        scores=totals,
        records=(*match.records, record),
        claim=counted.demandable,
    )
    return match if match.claim else _see_game(match)


def _demand(match: Match, points: int) -> Match:
    if not 0 <= points <= match.claim or not match.claim:
        raise ValueError(
            f"between 0 and {match.claim} additional points can be demanded, "
            f"got {points}"
        )
    *earlier, last = match.records
    totals = last.totals.put(last.winner, last.totals[last.winner] + points)
    record = replace(last, demanded=points, totals=totals)
    return _see_game(replace(match, claim=0, scores=totals, records=(*earlier, record)))


def _see_game(match: Match) -> Match:
    """Whether the game, and with it the match, is won (56, 57)."""
    last, one_board = match.records[-1], board_limit(match.laws, match.round) == 1
    if last.finish.wins_game or (one_board and not match.laws.players_collect):
        return _win_game(match, last.winner)
    if standing_of(match) is not Standing.WON:
        return match
    first, second = counted_for_game(match)
    return _win_game(match, Player.FIRST if first > second else Player.SECOND)


def _win_game(match: Match, player: Player) -> Match:
    games = match.games.put(player, match.games[player] + 1)
    enough = games[player] > match.laws.games_per_match // 2
    return replace(
        match,
        games=games,
        game_winner=player,
        winner=player if enough else None,
    )


def _decide_tie(match: Match, winner: Player | None) -> Match:
    at_bell = _level_at_bell(match)
    if match.phase is not Phase.TIE and not at_bell:
        raise ValueError(f"there is no tie to decide: phase {match.phase}")
    if winner is not None and at_bell:
        board, _ = stop(match.board, match.side_of(winner), match.laws)
        assert board.result is not None
        closed = _close_board(replace(match, board=board), board.result)
        return closed if closed.game_winner else _win_game(closed, winner)
    if winner is not None:
        return _win_game(match, winner)
    if match.laws.tie not in (Tie.SHARED, Tie.MORE_POINTS):
        raise ValueError(f"{match.laws.name} shares no game: a winner is needed")
    return replace(match, drawn=True)


def _level_at_bell(match: Match) -> bool:
    """Whether the running board of a timed game is level, as at the bell."""
    stops = match.laws.at_bell is AtBell.STOP
    timed = stops and match.laws.game_limit_s is not None
    running = match.phase is Phase.PLAY
    return timed and running and leader(match.board, match.laws) is None


def _correct(match: Match, scores: ByPlayer[int]) -> Match:
    """The running board is judged by the corrected scores from now on."""
    if min(scores.first, scores.second) < 0:
        raise ValueError(f"scores cannot be negative, got {scores}")
    match = replace(match, scores=scores)
    if match.board.over:
        return match
    before = _scores_by_side(match)
    return replace(match, board=replace(match.board, scores=before))


def _scores_by_side(match: Match) -> BySide[int]:
    return BySide(
        match.scores[match.player_of(Side.WHITE)],
        match.scores[match.player_of(Side.BLACK)],
    )


def _next_board(match: Match, breaker: Player | None) -> Match:
    if match.phase not in (Phase.BOARD_OVER, Phase.GAME_OVER):
        raise ValueError(f"the next board cannot begin yet: phase {match.phase}")
    changing = match.change_of_sides_due
    if match.game_winner is not None:
        match = replace(
            match,
            game=match.game + 1,
            board_number=1,
            scores=NONE_YET,
            game_winner=None,
            sides_changed=False,
            bell_rung=False,
        )
    else:
        match = replace(
            match,
            board_number=match.board_number + 1,
            sides_changed=match.sides_changed or changing,
        )
    match = _change_sides(match) if changing else match
    to_break = breaker or breaker_of(match.game, match.board_number)
    return _open_board(match, to_break)


def _change_sides(match: Match) -> Match:
    """Singles swap seats; in doubles each moves one seat to the right (59)."""
    moved = next_seat(match.first_seat, doubles=match.doubles)
    broke = next_seat(match.break_seat, doubles=match.doubles)
    return replace(match, first_seat=moved, break_seat=broke)


def _open_board(match: Match, breaker: Player) -> Match:
    seat = next_seat(match.break_seat, doubles=match.doubles)
    while seat not in match.seats_of(breaker):
        seat = next_seat(seat, doubles=match.doubles)
    match = replace(
        match,
        breaker=breaker,
        seat=seat,
        break_seat=seat,
        breaker_colour=Side.WHITE,
        colours_fixed=False,
    )
    return replace(match, board=Board(scores=_scores_by_side(match)))
