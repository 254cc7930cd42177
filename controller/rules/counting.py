"""Counting games: every piece counts for whoever pockets it (point, family, ...).

Two, three or four players, each for himself, any colour. The queen needs a cover
by any coin in the same or the next stroke. A pocketed striker ends the turn and
costs points, or where the rule set names none, the coins of that stroke (else one
coin sunk before). Reading r9 (docs/laws/readings.md); the sources say little more.
"""

from dataclasses import dataclass, replace
from typing import NamedTuple

from calibration.table import Piece
from controller.rules.board import COINS_PER_SIDE, EMPTY, Ledger, Purse
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
    `break_attempt`: 1, 2, ... while the break is not made, 0 afterwards.
    `turn_strokes`: strokes made in this turn. `struck`: who made the last stroke. `astray`: pieces that are down and in nobody's purse,
    because the umpire found the table so (below zero: more lie there than the
    purses say). `over`: the board is finished.
    """

    purses: tuple[Purse, ...]
    on_turn: int = 0
    queen_awaits: bool = False
    break_attempt: int = 1
    turn_strokes: int = 0
    struck: int | None = None
    astray: Purse = EMPTY
    over: bool = False

    @property
    def broken(self) -> bool:
        """Whether the break has been made."""
        return self.break_attempt == 0

    @property
    def white(self) -> int:
        """White coins on the table."""
        down = sum(purse.white for purse in self.purses) + self.astray.white
        return COINS_PER_SIDE - down

    @property
    def black(self) -> int:
        """Black coins on the table."""
        down = sum(purse.black for purse in self.purses) + self.astray.black
        return COINS_PER_SIDE - down

    @property
    def queen_up(self) -> bool:
        """Whether the queen lies on the table."""
        return not (self.queen_awaits or self.astray.queen or self.queen_settled)

    @property
    def queen_settled(self) -> bool:
        """Whether a player has covered the queen."""
        return any(purse.queen for purse in self.purses)

    @property
    def cleared(self) -> bool:
        """Whether nothing is left to collect."""
        queen = self.queen_settled or self.astray.queen
        return self.white + self.black == 0 and queen

    @property
    def ledger(self) -> Ledger:
        """On the table and pocketed; together always 9 + 9 + 1."""
        up = (self.white, self.black, int(self.queen_up))
        stock = (COINS_PER_SIDE, COINS_PER_SIDE, 1)
        pieces = (Piece.WHITE, Piece.BLACK, Piece.QUEEN)
        return Ledger(
            dict(zip(pieces, up, strict=True)),
            {p: n - m for p, n, m in zip(pieces, stock, up, strict=True)},
        )

    def ends(self, laws: Laws, scores: tuple[int, ...]) -> bool:
        """Whether the table is cleared or a player has reached the game's points.

        `scores`: the players' points from earlier boards of the game.
        """
        target = laws.game_points
        totals = [
            points(purse, laws) + score
            for purse, score in zip(self.purses, scores, strict=True)
        ]
        return self.cleared or (target is not None and max(totals) >= target)

    def with_purse(self, player: int, purse: Purse) -> "CountingBoard":
        """The same board with one player's purse replaced."""
        before, after = self.purses[:player], self.purses[player + 1 :]
        return replace(self, purses=(*before, purse, *after))

    def passed(self) -> "CountingBoard":
        """The same board with the next player on turn, who has nothing to cover."""
        following = (self.on_turn + 1) % len(self.purses)
        return replace(self, on_turn=following, queen_awaits=False, turn_strokes=0)


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
    """Judge one stroke of a counting game that made the break or came after it."""
    board = replace(board, break_attempt=0, struck=board.on_turn)
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
    kept = coins > 0 or stroke.queen
    missed = board.queen_awaits and not purse.queen
    awaits = stroke.queen and not purse.queen
    following = replace(
        board.with_purse(board.on_turn, purse),
        queen_awaits=awaits,
        turn_strokes=board.turn_strokes + 1,
    )
    following = following if kept else following.passed()
    return Counted(following, 0, 0, missed, 0, kept)


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
            white_back, black_back = cheapest(purse, laws)
            purse = purse._replace(
                white=purse.white - white_back, black=purse.black - black_back
            )
    at_stake = stroke.queen or board.queen_awaits
    following = board.with_purse(board.on_turn, purse).passed()
    return Counted(following, white_back, black_back, at_stake, lost, False)


def cheapest(purse: Purse, laws: Laws) -> tuple[int, int]:
    """One coin of the purse, white and black: the cheaper colour goes first."""
    if purse.black and (laws.black_points <= laws.white_points or not purse.white):
        return 0, 1
    return (1, 0) if purse.white else (0, 0)
