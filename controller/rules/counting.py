"""Counting games: every piece counts for whoever pockets it (point, family, ...).

Two, three or four players, each for himself, any colour. The queen needs a cover
by any coin in the same or the next stroke. A pocketed striker ends the turn and
costs points, or where the rule set names none, the coins of that stroke (else one
coin sunk before). Reading r9 (docs/laws/readings.md); the sources say little more.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

from controller.rules.board import COINS_PER_SIDE, Purse
from controller.rules.laws import Laws
from controller.rules.stroke import Stroke


def points(purse: Purse, laws: Laws) -> int:
    """What a purse is worth under a rule set; may be negative."""
    return (
        purse.white * laws.white_points
        + purse.black * laws.black_points
        + purse.queen * laws.queen_points
        - purse.lost
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CountingBoard:
    """A counting game between two strokes; players are numbered in playing order.

    `queen_awaits`: the player on turn has pocketed her and must cover her now.
    """

    purses: tuple[Purse, ...]
    on_turn: int = 0
    queen_awaits: bool = False

    @property
    def white(self) -> int:
        """White coins on the table."""
        return COINS_PER_SIDE - sum(purse.white for purse in self.purses)

    @property
    def black(self) -> int:
        """Black coins on the table."""
        return COINS_PER_SIDE - sum(purse.black for purse in self.purses)

    @property
    def cleared(self) -> bool:
        """Whether nothing is left to collect."""
        return self.white + self.black == 0 and any(p.queen for p in self.purses)

    def over(self, laws: Laws, scores: tuple[int, ...]) -> bool:
        """Whether the table is cleared or a player has reached the game's points.

        `scores`: the players' points from earlier boards of the game.
        """
        target = laws.game_points
        totals = [
            points(purse, laws) + score
            for purse, score in zip(self.purses, scores, strict=True)
        ]
        return self.cleared or (target is not None and max(totals) >= target)


class Counted(NamedTuple):
    """What a stroke of a counting game came to.

    `white_back`, `black_back`, `queen_back`: pieces that return to the table;
    `points_lost`: paid for the striker; `turn_kept`: the player strikes again.
    """

    board: CountingBoard
    white_back: int
    black_back: int
    queen_back: bool
    points_lost: int
    turn_kept: bool


def count(board: CountingBoard, stroke: Stroke, laws: Laws, *, proper: bool) -> Counted:
    """Judge one stroke of a counting game."""
    if not proper:
        return _lost_stroke(board, stroke, laws, striker=False)
    if stroke.striker:
        return _lost_stroke(board, stroke, laws, striker=True)
    coins = stroke.white + stroke.black
    purse = board.purses[board.on_turn]
    purse = purse._replace(
        white=purse.white + stroke.white, black=purse.black + stroke.black
    )
    at_stake = stroke.queen or board.queen_awaits
    bare = board.white + board.black == coins
    if at_stake and (coins or bare):
        purse = purse._replace(queen=True)
    awaits = stroke.queen and not purse.queen
    kept = coins > 0 or stroke.queen
    following = replace(board, purses=_put(board, purse), queen_awaits=awaits)
    missed = board.queen_awaits and not purse.queen
    return Counted(_passed(following, kept=kept), 0, 0, missed, 0, kept)


def _lost_stroke(
    board: CountingBoard, stroke: Stroke, laws: Laws, *, striker: bool
) -> Counted:
    """The striker fell, or the stroke was improper or late: the turn is lost.

    What fell comes back, but for the points a striker costs where it costs points.
    """
    purse = board.purses[board.on_turn]
    white_back = black_back = lost = 0
    if striker and laws.striker_points:
        lost = laws.striker_points
        purse = purse._replace(
            white=purse.white + stroke.white,
            black=purse.black + stroke.black,
            lost=purse.lost + lost,
        )
    else:
        white_back, black_back = stroke.white, stroke.black
        if striker and not white_back + black_back:
            white_back, black_back = _cheapest(purse, laws)
            purse = purse._replace(
                white=purse.white - white_back, black=purse.black - black_back
            )
    at_stake = stroke.queen or board.queen_awaits
    following = replace(board, purses=_put(board, purse), queen_awaits=False)
    return Counted(
        _passed(following, kept=False), white_back, black_back, at_stake, lost, False
    )


def _cheapest(purse: Purse, laws: Laws) -> tuple[int, int]:
    """One coin of the purse, white and black: the cheaper colour goes first."""
    if purse.black and (laws.black_points <= laws.white_points or not purse.white):
        return 0, 1
    return (1, 0) if purse.white else (0, 0)


def _put(board: CountingBoard, purse: Purse) -> tuple[Purse, ...]:
    before, after = board.purses[: board.on_turn], board.purses[board.on_turn + 1 :]
    return (*before, purse, *after)


def _passed(board: CountingBoard, *, kept: bool) -> CountingBoard:
    if kept:
        return board
    return replace(board, on_turn=(board.on_turn + 1) % len(board.purses))
