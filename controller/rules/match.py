"""A match: boards, games, who breaks, who leads, what is still open.

`Match` is everything a scoreboard needs. It changes only through `advance`, with
one `Input` at a time; the journal keeps the inputs, and taking one back is a
replay of the others (`history.py`).
"""

from dataclasses import dataclass, replace
from enum import StrEnum

from calibration.table import Seat
from controller.rules.board import Board, BySide, Finish, Result, Side
from controller.rules.choices import Round, SideChange, Tie, Toss
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
)
from controller.rules.happenings import Happening, act
from controller.rules.laws import Laws
from controller.rules.order import (
    ByPlayer,
    Player,
    Standing,
    board_limit,
    breaker_of,
    changes_sides_in_game,
    next_seat,
    standing,
)
from controller.rules.stroke import Stroke

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

NONE_YET = ByPlayer(0, 0)
RACKED = Board()


class Phase(StrEnum):
    """What the match waits for."""

    BREAK = "break"
    PLAY = "play"
    CLAIM = "claim"
    """The board's winner may demand additional points (87b)."""
    BOARD_OVER = "board-over"
    TIE = "tie"
    """Level after the last board: decided outside the boards."""
    GAME_OVER = "game-over"
    MATCH_OVER = "match-over"


@dataclass(frozen=True, slots=True)
class BoardRecord:
    """One row of the score card.

    `demanded`: additional points taken. `queen_by`: who had covered the queen,
    which need not be who got points for her. `totals`: game scores afterwards.
    """

    game: int
    number: int
    breaker: Player
    winner: Player
    coin_points: int
    queen_points: int
    demanded: int
    finish: Finish
    slam: bool
    queen_by: Player | None
    totals: ByPlayer[int]

    @property
    def points(self) -> int:
        """What the winner got for this board."""
        return self.coin_points + self.queen_points + self.demanded


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A match between two players (or pairs) at any moment.

    `scores`: points in the running game, the finished board's included. `games`:
    games won. `board_number`: 1 for the first board of a game. `claim`: additional
    points the last board's winner may still demand. `seat`: who is on turn.
    `break_seat`: who broke this board. `first_seat`: where the first player sits
    now. `sides_changed`: the deciding game's change of sides is done.
    `breaker_colour`, `colours_fixed`: only where the first pot gives the colours.
    """

    laws: Laws
    names: ByPlayer[str]
    doubles: bool = False
    round: Round = Round.LEAGUE
    game: int = 1
    board_number: int = 1
    breaker: Player = Player.FIRST
    scores: ByPlayer[int] = NONE_YET
    games: ByPlayer[int] = NONE_YET
    board: Board = RACKED
    claim: int = 0
    records: tuple[BoardRecord, ...] = ()
    seat: Seat = Seat.SOUTH
    break_seat: Seat = Seat.SOUTH
    first_seat: Seat = Seat.SOUTH
    sides_changed: bool = False
    breaker_colour: Side = Side.WHITE
    colours_fixed: bool = False
    game_winner: Player | None = None
    winner: Player | None = None
    drawn: bool = False

    @property
    def phase(self) -> Phase:
        """What the match waits for."""
        if self.winner is not None or self.drawn:
            return Phase.MATCH_OVER
        if self.board.result is None:
            return Phase.PLAY if self.board.broken else Phase.BREAK
        if self.claim:
            return Phase.CLAIM
        if self.game_winner is not None:
            return Phase.GAME_OVER
        if self.level and self.laws.tie is not Tie.EXTRA_BOARD:
            return Phase.TIE
        return Phase.BOARD_OVER

    @property
    def level(self) -> bool:
        """Whether the running game is level with its last board played."""
        return self.board.over and _standing(self) is Standing.LEVEL

    @property
    def extra_board_next(self) -> bool:
        """Whether an extra board follows, with a new toss for the break (56b)."""
        return self.phase is Phase.BOARD_OVER and self.level

    @property
    def on_turn(self) -> Player:
        """Who strikes next."""
        return self.player_of(self.board.turn)

    def side_of(self, player: Player) -> Side:
        """The player's colour on this board: the breaker has white (43)."""
        breaks = player is self.breaker
        return self.breaker_colour if breaks else self.breaker_colour.opponent

    def player_of(self, side: Side) -> Player:
        """Who has this colour on this board."""
        white = side is self.breaker_colour
        return self.breaker if white else self.breaker.opponent

    @property
    def colours_open(self) -> bool:
        """Whether the first pot has still to give the players their colours."""
        by_pot = self.laws.toss is Toss.COLOUR_BY_FIRST_POT
        return by_pot and not self.colours_fixed

    def seats_of(self, player: Player) -> tuple[Seat, ...]:
        """Where a player (or a pair) sits."""
        if not self.doubles:
            first = player is Player.FIRST
            return (self.first_seat if first else self.first_seat.opposite,)
        lead = self.first_seat if player is Player.FIRST else self.first_seat.right
        return lead, lead.opposite

    @property
    def shown_scores(self) -> ByPlayer[int]:
        """Scores as they are published: never more than the game's points."""
        most = self.laws.shown_points_max
        if most is None:
            return self.scores
        return ByPlayer(min(self.scores.first, most), min(self.scores.second, most))

    @property
    def change_of_sides_due(self) -> bool:
        """Whether the players change seats before the next board (58 to 61)."""
        if not self.board.over or self.phase is Phase.MATCH_OVER:
            return False
        if self.game_winner is not None:
            return self.laws.side_change is not SideChange.NEVER
        best = max(self.scores.first, self.scores.second)
        return not self.sides_changed and changes_sides_in_game(
            self.laws, self.game, self.board_number, best, self.round
        )


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
        case _:
            return play(match, entry)


def play(match: Match, happening: Happening) -> tuple[Match, tuple[Decision, ...]]:
    """The match after something happened on the running board.

    Raises ValueError when the board is over or it cannot happen.
    """
    if match.board.over:
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
    match = replace(match, board=board, seat=seat)
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
    if board_limit(match.laws, match.round) == 1 and not match.laws.players_collect:
        return _win_game(match, match.records[-1].winner)
    if _standing(match) is not Standing.WON:
        return match
    first, second = match.scores.first, match.scores.second
    return _win_game(match, Player.FIRST if first > second else Player.SECOND)


def _standing(match: Match) -> Standing:
    scores = match.scores.first, match.scores.second
    return standing(match.laws, match.round, match.board_number, scores)


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
    if match.phase is not Phase.TIE:
        raise ValueError(f"there is no tie to decide: phase {match.phase}")
    if winner is not None:
        return _win_game(match, winner)
    if match.laws.tie is not Tie.SHARED:
        raise ValueError(f"{match.laws.name} shares no game: a winner is needed")
    return replace(match, drawn=True)


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
