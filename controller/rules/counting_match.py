"""A counting game of two to four players, each for himself (reading r9).

The basic rules allow three players "for points, regardless of the colour" and give
no values; point carrom's are taken.
"""

from dataclasses import dataclass, replace

from calibration.refusal import Refusal
from controller.rules.board import Purse
from controller.rules.counting import Counted, CountingBoard, count, points
from controller.rules.laws import Laws
from controller.rules.rule_sets import POINT
from controller.rules.stroke import Stroke


@dataclass(frozen=True, slots=True, kw_only=True)
class CountingMatch:
    """A counting game at any moment; players are numbered in playing order.

    `scores`: points of the boards before this one. `breaker`: who broke this board.
    """

    laws: Laws
    names: tuple[str, ...]
    board: CountingBoard
    scores: tuple[int, ...]
    breaker: int = 0
    board_number: int = 1

    @property
    def totals(self) -> tuple[int, ...]:
        """Every player's points, this board's included."""
        pairs = zip(self.board.purses, self.scores, strict=True)
        return tuple(points(purse, self.laws) + score for purse, score in pairs)

    @property
    def board_over(self) -> bool:
        """Whether the table is cleared or a player has the game's points."""
        return self.board.over(self.laws, self.scores)

    @property
    def over(self) -> bool:
        """Whether the game is decided: its points reached or its boards played."""
        target, limit = self.laws.game_points, self.laws.boards_per_game
        if target is not None and max(self.totals) >= target:
            return True
        return self.board_over and limit is not None and self.board_number >= limit

    @property
    def leaders(self) -> tuple[int, ...]:
        """Who has most points; more than one share the game."""
        best = max(self.totals)
        return tuple(i for i, total in enumerate(self.totals) if total == best)


def begin(laws: Laws, names: tuple[str, ...]) -> CountingMatch:
    """A counting game about to begin; the first named breaks.

    Raises Refusal when the rule set does not know so many players.
    """
    if len(names) not in laws.players:
        known = " or ".join(str(number) for number in laws.players)
        raise Refusal(f"{laws.name} is played by {known}, got {len(names)} names")
    values = laws if laws.players_collect else POINT
    board = CountingBoard(purses=(Purse(),) * len(names))
    return CountingMatch(
        laws=values, names=names, board=board, scores=(0,) * len(names)
    )


def play(
    match: CountingMatch, stroke: Stroke, *, proper: bool = True
) -> tuple[CountingMatch, Counted]:
    """The game after a stroke. Raises ValueError when the board is over."""
    if match.board_over:
        raise ValueError("the board is over: no stroke can be judged on it")
    counted = count(match.board, stroke, match.laws, proper=proper)
    return replace(match, board=counted.board), counted


def next_board(match: CountingMatch) -> CountingMatch:
    """The next board; the next player breaks. Raises ValueError while one runs."""
    if not match.board_over or match.over:
        raise ValueError("no next board begins: one runs, or the game is over")
    breaker = (match.breaker + 1) % len(match.names)
    purses = (Purse(),) * len(match.names)
    return replace(
        match,
        board=CountingBoard(purses=purses, on_turn=breaker),
        scores=match.totals,
        breaker=breaker,
        board_number=match.board_number + 1,
    )
