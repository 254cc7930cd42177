"""A counting game of two to four players, each for himself, at any moment.

`counting_match.py` advances it; here is what can be read from it. The order of play
goes to the right (49b): players are numbered in that order from who broke first.
"""

from dataclasses import dataclass
from itertools import accumulate

from calibration.table import Seat
from controller.rules.board import Finish, Purse
from controller.rules.choices import Tie
from controller.rules.counting import CountingBoard, points
from controller.rules.counting_decisions import Collector
from controller.rules.laws import Laws
from controller.rules.match_state import Phase

SHARED = frozenset({Tie.SHARED, Tie.MORE_POINTS})
"""Ways to settle a level game that leave it shared."""
GAME = 1
"""Players each for himself play one game."""


@dataclass(frozen=True, slots=True)
class CountedBoard:
    """One finished board. `purses` in playing order; `totals`: points afterwards."""

    number: int
    breaker: int
    purses: tuple[Purse, ...]
    totals: tuple[int, ...]
    finish: Finish


@dataclass(frozen=True, slots=True, kw_only=True)
class CountingMatch:
    """A counting game at any moment; players are numbered in playing order.

    `scores`: points of the boards before this one. `breaker`: who broke this board.
    `stopped`: the game's clock has run out. `awarded`: the umpire gave the game to
    this player.
    """

    laws: Laws
    names: tuple[str, ...]
    seats: tuple[Seat, ...]
    board: CountingBoard
    scores: tuple[int, ...]
    breaker: int = 0
    board_number: int = 1
    records: tuple[CountedBoard, ...] = ()
    stopped: bool = False
    awarded: int | None = None

    @property
    def game(self) -> int:
        """The number of the running game: there is only one."""
        return GAME

    @property
    def seat(self) -> Seat:
        """Where the player on turn sits."""
        return self.seats[self.board.on_turn]

    @property
    def totals(self) -> tuple[int, ...]:
        """Every player's points, this board's included."""
        pairs = zip(self.board.purses, self.scores, strict=True)
        return tuple(points(purse, self.laws) + score for purse, score in pairs)

    @property
    def leaders(self) -> tuple[int, ...]:
        """Who has most points, in playing order."""
        best = max(self.totals)
        return tuple(i for i, total in enumerate(self.totals) if total == best)

    @property
    def winner(self) -> int | None:
        """Who has won the game; None while it runs and when it is shared."""
        if self.awarded is not None:
            return self.awarded
        return self.leaders[0] if self._ended and len(self.leaders) == 1 else None

    @property
    def game_winner(self) -> int | None:
        """Who has won the running game, which is the whole match."""
        return self.winner

    @property
    def drawn(self) -> bool:
        """Whether those who lead share the game."""
        level = self._ended and len(self.leaders) > 1
        return level and self.awarded is None and self.laws.tie in SHARED

    @property
    def over(self) -> bool:
        """Whether the game is decided or shared."""
        return self.winner is not None or self.drawn

    @property
    def phase(self) -> Phase:
        """What the game waits for."""
        if self.over:
            return Phase.MATCH_OVER
        if not self.board.over:
            return Phase.PLAY if self.board.broken else Phase.BREAK
        extra = self.laws.tie is Tie.EXTRA_BOARD
        return Phase.TIE if self._ended and not extra else Phase.BOARD_OVER

    def player(self, number: int) -> Collector:
        """A player as decisions name him."""
        return Collector(number, self.names[number])

    @property
    def on_turn(self) -> Collector:
        """Who strikes next."""
        return self.player(self.board.on_turn)

    @property
    def _ended(self) -> bool:
        """Whether no board follows: points reached, boards played, time over."""
        target, limit = self.laws.game_points, self.laws.boards_per_game
        reached = target is not None and max(self.totals) >= target
        played = limit is not None and self.board_number >= limit
        return self.board.over and (reached or played or self.stopped)


def playing_order(seats: tuple[Seat, ...], first: int) -> tuple[int, ...]:
    """The players of the score card in the order of play, from who breaks first.

    Each turn goes to the next occupied seat on the right (49b).
    """
    around = accumulate(
        range(len(Seat)), lambda seat, _: seat.right, initial=seats[first]
    )
    return tuple(seats.index(seat) for seat in [*around][: len(Seat)] if seat in seats)
