"""The simulated hall's own referee: the ICF laws, plainly and independently.

Written from the laws' decision list alone and never from the product's rules, so
that both can be compared. It knows the true facts of a stroke and says what comes
back, what is owed, who plays and how a board ends. Where the sources disagree it
reads them as the laws page decided; the player who may demand additional points
(87b) never does. Article numbers are those of the current ICF laws.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

BOARD_CAP = 12
GAME_POINTS = 25
GAME_BOARDS = 8
BREAK_ATTEMPTS = 3
CUT_OFF = 21
"""Above this score before the board the queen adds nothing (54)."""


class Queen(StrEnum):
    """The queen as the striking player X sees her."""

    ON = "on"
    AWAIT = "await"
    COVERED_X = "covered-x"
    COVERED_Y = "covered-y"


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The board before or after a stroke: X strikes, Y is the opponent.

    `x`, `y` coins on the board, `due_x`, `due_y` owed and unpaid, `score_x`,
    `score_y` points in this game before the board. `ever` says whether X has had
    a coin down in this board; one that came back with the striker or by an improper
    stroke is none (95a). `attempt` is 1 to 3 while the break is not made,
    else 0.
    """

    x: int = 9
    y: int = 9
    queen: Queen = Queen.ON
    due_x: int = 0
    due_y: int = 0
    score_x: int = 0
    score_y: int = 0
    ever: bool = False
    attempt: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What truly happened: own and opposing coins, queen and striker sunk."""

    own: int = 0
    other: int = 0
    queen: bool = False
    striker: bool = False
    improper: bool = False
    touched: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """What follows. `after` is seen from the same X, even when the turn passes.

    `back_x`, `back_y` coins that return to the table now, `queen_back` likewise.
    `winner_x` is None while the board goes on; `queen_points` are part of `points`.
    `demandable` are additional points the winner might demand.
    """

    after: Standing
    turn_passes: bool
    back_x: int = 0
    back_y: int = 0
    queen_back: bool = False
    winner_x: bool | None = None
    points: int = 0
    queen_points: int = 0
    demandable: int = 0


def rule(before: Standing, facts: Facts) -> Ruling:
    """Apply the ICF laws to one stroke."""
    if before.attempt and not facts.touched:
        return _failed_break(before, facts)
    made = replace(before, attempt=0)
    x_left, y_left = made.x - facts.own, made.y - facts.other
    if x_left == 0 and y_left == 0:
        return _both_finished(made, facts)
    if y_left == 0:
        return _other_finished(made, facts)
    if x_left == 0 and _own_end_counts(made, facts):
        return _own_finished(made, facts)
    return _goes_on(made, facts)


def _failed_break(before: Standing, facts: Facts) -> Ruling:
    """45: two more attempts, then the opponent's, who still plays black."""
    lost = facts.striker or facts.improper or before.attempt == BREAK_ATTEMPTS
    attempt = 1 if lost else before.attempt + 1
    return Ruling(after=replace(before, attempt=attempt), turn_passes=lost)


def _own_end_counts(before: Standing, facts: Facts) -> bool:
    """Whether X's last coin ends the board; 73, 77, 98, 101: not always."""
    if before.queen is Queen.ON and not facts.queen:
        return True
    return not facts.striker and not facts.improper


def _goes_on(before: Standing, facts: Facts) -> Ruling:
    """Nobody is finished: what returns, what the queen does, whose turn."""
    spoilt = facts.striker or facts.improper
    back = facts.own if spoilt else 0
    fresh_due = int(facts.striker) + int(facts.improper)
    queen, queen_back, keeps = _queen_and_turn(before, facts)
    after = replace(
        before,
        x=before.x - facts.own + back,
        y=before.y - facts.other,
        queen=queen,
        due_x=before.due_x + fresh_due,
        ever=before.ever or facts.own > back,
    )
    after, paid_x, paid_y = _pay(after)
    return Ruling(
        after=after,
        turn_passes=not keeps,
        back_x=back + paid_x,
        back_y=paid_y,
        queen_back=queen_back,
    )


def _pay(owing: Standing) -> tuple[Standing, int, int]:
    """72c, 78, 83: pay from the coins that are down, the rest stays owed."""
    paid_x = min(owing.due_x, 9 - owing.x)
    paid_y = min(owing.due_y, 9 - owing.y)
    paid = replace(
        owing,
        x=owing.x + paid_x,
        y=owing.y + paid_y,
        due_x=owing.due_x - paid_x,
        due_y=owing.due_y - paid_y,
    )
    return paid, paid_x, paid_y


def _queen_and_turn(before: Standing, facts: Facts) -> tuple[Queen, bool, bool]:
    """The queen after the stroke, whether she returns, whether X plays on."""
    if facts.improper:
        returns = facts.queen or before.queen is Queen.AWAIT
        return (Queen.ON if returns else before.queen), returns, False
    if facts.queen:
        return _queen_sunk(before, facts)
    if facts.own == 0:
        if before.queen is Queen.AWAIT:
            return Queen.ON, True, False
        return before.queen, False, False
    if before.queen is Queen.AWAIT and not facts.striker:
        return Queen.COVERED_X, False, True
    return before.queen, False, True


def _queen_sunk(before: Standing, facts: Facts) -> tuple[Queen, bool, bool]:
    if before.due_x > 0:
        return Queen.ON, True, False
    nine_up = before.x == 9
    if facts.striker:
        return Queen.ON, True, facts.own > 0 or not nine_up
    if nine_up and facts.own == 0 and not before.ever:
        return Queen.ON, True, False
    covers = facts.own >= (2 if nine_up else 1)
    return (Queen.COVERED_X if covers else Queen.AWAIT), False, True


def _own_finished(before: Standing, facts: Facts) -> Ruling:
    """52 to 54, 107, 108: X's last coin is down, Y has some left."""
    y_left = before.y - facts.other
    if _queen_left(before, facts):
        return _won(before, facts, by_x=False, coins=0, queen=_q1(before.score_y))
    if before.queen is Queen.COVERED_Y:
        return _won(before, facts, by_x=True, coins=y_left, queen=0)
    return _won(before, facts, by_x=True, coins=y_left, queen=_q3(before.score_x))


def _queen_left(before: Standing, facts: Facts) -> bool:
    """Whether she lies there still: untouched, or sunk against 95b and put back."""
    return before.queen is Queen.ON and (not facts.queen or before.due_x > 0)


def _other_finished(before: Standing, facts: Facts) -> Ruling:
    """52, 53, 103, 106, 111: X sank Y's last coin while some of his are up."""
    coins = before.x if facts.striker else before.x - facts.own
    covered_by_x = before.queen is Queen.COVERED_X
    queen = 0 if covered_by_x else _q3(before.score_y)
    return _won(before, facts, by_x=False, coins=coins, queen=queen)


def _both_finished(before: Standing, facts: Facts) -> Ruling:
    """102, 104, 105, 109, 110, 112: both last coins in one stroke."""
    spoilt = facts.striker or facts.improper
    if spoilt or _queen_left(before, facts):
        plain = spoilt and before.queen is Queen.COVERED_X
        queen = 1 if plain else _q1(before.score_y)
        return _won(before, facts, by_x=False, coins=0, queen=queen)
    by_opponent = before.queen is Queen.COVERED_Y
    queen = 1 if by_opponent else _q1(before.score_x)
    return _won(before, facts, by_x=True, coins=0, queen=queen)


def _won(
    before: Standing, facts: Facts, *, by_x: bool, coins: int, queen: int
) -> Ruling:
    after = replace(
        before,
        x=before.x - facts.own,
        y=before.y - facts.other,
        due_x=0,
        due_y=0,
    )
    points = min(coins + queen, BOARD_CAP)
    breaches = int(facts.striker) + int(facts.improper)
    return Ruling(
        after=after,
        turn_passes=False,
        winner_x=by_x,
        points=points,
        queen_points=queen,
        demandable=0 if by_x else min(breaches, BOARD_CAP - points),
    )


def _q3(score: int) -> int:
    return 3 if score <= CUT_OFF else 0


def _q1(score: int) -> int:
    return 3 if score <= CUT_OFF else 1


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchScore:
    """The match so far, by player 0 and 1; numbers of game and board from 1.

    `board` counts within the game.
    """

    first_breaker: int = 0
    game: int = 1
    board: int = 1
    points: tuple[int, int] = (0, 0)
    games: tuple[int, int] = (0, 0)
    sides_changed: bool = False
    """Whether the players sit the other way round than at the start."""
    changed_in_third: bool = False

    @property
    def breaker(self) -> int:
        """49: breaks alternate; game 2 begins with the other, game 3 as game 1."""
        return (self.first_breaker + self.game - 1 + self.board - 1) % 2

    @property
    def over(self) -> bool:
        """57: best of three."""
        return max(self.games) == 2


def board_won(score: MatchScore, winner: int, points: int) -> MatchScore:
    """Add a board; on the end of a game its winner, the new game, the new seats.

    56: 25 points or the leader after eight boards, then boards until one leads.
    59, 60: seats change after each game and in the third at 13 points or
    after four boards.
    """
    now = list(score.points)
    now[winner] += points
    reached = max(now) >= GAME_POINTS
    played_out = score.board >= GAME_BOARDS and now[0] != now[1]
    if not (reached or played_out):
        return _next_board(replace(score, points=(now[0], now[1])))
    games = list(score.games)
    games[0 if now[0] > now[1] else 1] += 1
    return replace(
        score,
        game=score.game + 1,
        board=1,
        points=(0, 0),
        games=(games[0], games[1]),
        sides_changed=not score.sides_changed,
    )


def _next_board(score: MatchScore) -> MatchScore:
    half_way = max(score.points) >= 13 or score.board >= 4
    turns = score.game == 3 and half_way and not score.changed_in_third
    return replace(
        score,
        board=score.board + 1,
        sides_changed=score.sides_changed != turns,
        changed_in_third=score.changed_in_third or turns,
    )
