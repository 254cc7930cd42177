"""A match at any moment: everything a scoreboard needs, and nothing that changes it.

`match.py` advances it; here is what can be read from it.
"""

from dataclasses import dataclass
from enum import StrEnum

from calibration.table import Seat
from controller.rules.board import Board, Finish, Side
from controller.rules.choices import AtBell, Round, SideChange, Tie, Toss
from controller.rules.laws import Laws
from controller.rules.order import (
    ByPlayer,
    Player,
    Standing,
    changes_sides_in_game,
    standing,
)

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
    `bell_rung`: the running game's time is up.
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
    bell_rung: bool = False

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
        return self.board.over and standing_of(self) is Standing.LEVEL

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
        """The running game's scores as they are published."""
        return self.as_shown(self.scores)

    def as_shown(self, scores: ByPlayer[int]) -> ByPlayer[int]:
        """Scores as they are published: never more than the game's points."""
        most = self.laws.shown_points_max
        if most is None:
            return scores
        return ByPlayer(min(scores.first, most), min(scores.second, most))

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


def standing_of(match: Match) -> Standing:
    """How the running game stands after its last finished board (56)."""
    if match.bell_rung and match.laws.at_bell is AtBell.FINISH_BOARD:
        first, second = counted_for_game(match)
        return Standing.LEVEL if first == second else Standing.WON
    counted = counted_for_game(match)
    return standing(match.laws, match.round, match.board_number, counted)


def counted_for_game(match: Match) -> tuple[int, int]:
    """What decides the running game: points, or boards won where those decide."""
    if match.laws.boards_to_win is None:
        return match.scores.first, match.scores.second
    won = [record.winner for record in match.records if record.game == match.game]
    return won.count(Player.FIRST), won.count(Player.SECOND)
