"""The simulated hall's own referee for points each for himself, plainly and apart.

Written from reading r9 of the laws page and never from the product's rules, so that
both can be compared: any coin counts for whoever sinks it; the queen wants a cover
by any coin in the same or the next stroke, unless nothing else is left; a sunk
striker ends the turn and costs points, or where the game names none, what fell with
it, else the cheapest coin sunk before; an improper stroke ends the turn and what it
sank comes back. At the break three attempts, as the ICF laws have it (45).
"""

from dataclasses import dataclass, replace

from calibration.table import Seat

BREAK_ATTEMPTS = 3
COINS = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class Points:
    """What the pieces are worth, what ends the game, who sits where, in playing order.

    `striker` 0: it costs a coin instead. `target` None: no race; `boards` None: as
    many as it takes.
    """

    white: int
    black: int
    queen: int
    striker: int
    target: int | None
    boards: int | None
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Pile:
    """What one player has sunk of this board; `paid`: points for the striker."""

    white: int = 0
    black: int = 0
    queen: bool = False
    paid: int = 0

    def worth(self, game: Points) -> int:
        """Its points."""
        coins = self.white * game.white + self.black * game.black
        return coins + (game.queen if self.queen else 0) - self.paid


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """A board between strokes: everyone's pile, whose turn, who must cover her now.

    `attempt` is 1 to 3 while the break is not made, else 0. `before`: points of the
    boards before this one.
    """

    piles: tuple[Pile, ...]
    before: tuple[int, ...]
    turn: int = 0
    must_cover: bool = False
    attempt: int = 1

    def left(self) -> tuple[int, int]:
        """White and black coins on the table."""
        white = COINS - sum(pile.white for pile in self.piles)
        return white, COINS - sum(pile.black for pile in self.piles)

    def queen_up(self) -> bool:
        """Whether she lies on the table."""
        return not self.must_cover and not any(pile.queen for pile in self.piles)

    def totals(self, game: Points) -> tuple[int, ...]:
        """Everyone's points, this board's included."""
        pairs = zip(self.piles, self.before, strict=True)
        return tuple(pile.worth(game) + points for pile, points in pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sunk:
    """What truly happened in a stroke."""

    white: int = 0
    black: int = 0
    queen: bool = False
    striker: bool = False
    improper: bool = False
    touched: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What follows: the board after it, what hands put back, whether it is over."""

    after: Round
    white_back: int = 0
    black_back: int = 0
    queen_back: bool = False
    turn_passes: bool
    over: bool = False


def rule(now: Round, sunk: Sunk, game: Points) -> Outcome:
    """Apply the rules of points to one stroke."""
    if now.attempt and not sunk.touched:
        return _failed_break(now, sunk)
    now = replace(now, attempt=0)
    if sunk.improper:
        return _nothing_won(now, sunk)
    if sunk.striker:
        return _striker(now, sunk, game)
    return _fair(now, sunk, game)


def _failed_break(now: Round, sunk: Sunk) -> Outcome:
    if sunk.striker or sunk.improper or now.attempt == BREAK_ATTEMPTS:
        after = replace(_next_turn(now), attempt=1)
        return Outcome(after=after, turn_passes=True)
    return Outcome(after=replace(now, attempt=now.attempt + 1), turn_passes=False)


def _fair(now: Round, sunk: Sunk, game: Points) -> Outcome:
    pile = now.piles[now.turn]
    fresh = sunk.white + sunk.black
    wanted = sunk.queen or now.must_cover
    nothing_else = sum(now.left()) == fresh
    crowned = wanted and (fresh > 0 or nothing_else)
    pile = Pile(
        pile.white + sunk.white,
        pile.black + sunk.black,
        pile.queen or crowned,
        pile.paid,
    )
    after = replace(_with_pile(now, pile), must_cover=sunk.queen and not crowned)
    passes = fresh == 0 and not sunk.queen
    over = _over(after, game)
    return Outcome(
        after=_next_turn(after) if passes else after,
        queen_back=now.must_cover and not crowned,
        turn_passes=passes,
        over=over,
    )


def _striker(now: Round, sunk: Sunk, game: Points) -> Outcome:
    if not game.striker:
        if sunk.white + sunk.black:
            return _nothing_won(now, sunk)
        return _coin_back(now, sunk, game)
    pile = now.piles[now.turn]
    pile = Pile(
        pile.white + sunk.white,
        pile.black + sunk.black,
        pile.queen,
        pile.paid + game.striker,
    )
    after = _next_turn(_with_pile(now, pile))
    lost = sunk.queen or now.must_cover
    over = _over(replace(after, must_cover=lost), game)
    return Outcome(after=after, queen_back=lost, turn_passes=True, over=over)


def _coin_back(now: Round, sunk: Sunk, game: Points) -> Outcome:
    """The striker alone: the cheapest coin of the pile, if there is one."""
    pile = now.piles[now.turn]
    kinds = [("black", game.black)] * pile.black + [("white", game.white)] * pile.white
    cheapest = min(kinds, key=lambda kind: kind[1], default=("", 0))[0]
    white, black = int(cheapest == "white"), int(cheapest == "black")
    pile = Pile(pile.white - white, pile.black - black, pile.queen, pile.paid)
    return Outcome(
        after=_next_turn(_with_pile(now, pile)),
        white_back=white,
        black_back=black,
        queen_back=sunk.queen or now.must_cover,
        turn_passes=True,
    )


def _nothing_won(now: Round, sunk: Sunk) -> Outcome:
    return Outcome(
        after=_next_turn(now),
        white_back=sunk.white,
        black_back=sunk.black,
        queen_back=sunk.queen or now.must_cover,
        turn_passes=True,
    )


def _with_pile(now: Round, pile: Pile) -> Round:
    piles = list(now.piles)
    piles[now.turn] = pile
    return replace(now, piles=tuple(piles))


def _next_turn(now: Round) -> Round:
    return replace(now, turn=(now.turn + 1) % len(now.piles), must_cover=False)


def _over(now: Round, game: Points) -> bool:
    """Whether the table is empty or somebody has reached the target."""
    empty = sum(now.left()) == 0 and not now.queen_up() and not now.must_cover
    reached = game.target is not None and max(now.totals(game)) >= game.target
    return empty or reached
