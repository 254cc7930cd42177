"""What stands on the card of a game of points, each for himself.

No official card knows three players: this one has a row for each board like the
official one, and for each player the points of coins and queen, what the striker
cost, and the running total.
"""

from dataclasses import dataclass

from controller.rules.counting_state import CountedBoard, CountingMatch
from controller.rules.laws import Laws
from controller.scoresheet.card import FINISHES, Head
from controller.scoresheet.history import History
from controller.scoresheet.trail import Change


@dataclass(frozen=True, slots=True)
class Share:
    """One player's part of one row, in points. `most`: nobody got more."""

    coins: int
    queen: int
    striker: int
    total: int
    most: bool


@dataclass(frozen=True, slots=True)
class CountingRow:
    """One board: its number, who broke, every player's share, what is remarked."""

    number: int
    break_by: str
    shares: tuple[Share, ...]
    remark: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CountingCard:
    """A whole card; players in the order of play, who broke first comes first.

    `seats` are not known of a match that was written as text. `ends` says what ends the game; `winner` names all who share it.
    """

    head: Head
    laws: str
    table: str
    date: str | None
    start: str | None
    finish: str | None
    players: tuple[str, ...]
    seats: tuple[str, ...]
    rows: tuple[CountingRow, ...]
    rows_on_paper: int
    ends: str
    points: tuple[int, ...]
    winner: str | None
    trail: tuple[Change, ...] = ()


PAPER_ROWS = 6


def counting_card_of(
    match: CountingMatch, history: History, head: Head
) -> CountingCard:
    """The card of a game of points."""
    start, finish = history.times(match.game)
    limit = match.laws.boards_per_game or PAPER_ROWS
    return CountingCard(
        head=head,
        laws=match.laws.title,
        table=history.table,
        date=history.date,
        start=start,
        finish=finish,
        players=match.names,
        seats=tuple(seat.value for seat in match.seats) if history.table else (),
        rows=tuple(_row(match, record) for record in match.records),
        rows_on_paper=max(limit, len(match.records)),
        ends=_ends(match.laws),
        points=match.totals,
        winner=_winner(match),
        trail=history.trail,
    )


def _ends(laws: Laws) -> str:
    """What ends the game, in words."""
    ends = [] if laws.game_points is None else [f"{laws.game_points} points"]
    if laws.boards_per_game is not None:
        one = laws.boards_per_game == 1
        ends.append("1 board" if one else f"{laws.boards_per_game} boards")
    return " or ".join(ends) or "most points"


def _winner(match: CountingMatch) -> str | None:
    if match.winner is not None:
        return match.names[match.winner]
    if match.drawn:
        return " and ".join(match.names[number] for number in match.leaders)
    return None


def _row(match: CountingMatch, record: CountedBoard) -> CountingRow:
    laws = match.laws
    coins = [
        purse.white * laws.white_points + purse.black * laws.black_points
        for purse in record.purses
    ]
    queens = [laws.queen_points * purse.queen for purse in record.purses]
    lost = [purse.lost for purse in record.purses]
    won = [c + q - s for c, q, s in zip(coins, queens, lost, strict=True)]
    shares = tuple(
        Share(coins[i], queens[i], lost[i], total, won[i] == max(won))
        for i, total in enumerate(record.totals)
    )
    remark = FINISHES[record.finish]
    return CountingRow(record.number, match.names[record.breaker], shares, remark)
