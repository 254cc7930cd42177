"""What stands on the official score card of a match of two sides.

The card of the international laws: one row for each board with who broke and, for
either side, the queen's points, the coins and the running total. The winner of a
board, coins, queen and additional points are kept apart, so that a board won by three
points for a queen the winner never sank (107) stands on it like any other. What the
card does not ask and a referee wants to know follows: who covered the queen, how the
board ended, and everything that was corrected.
"""

from dataclasses import dataclass, field, replace

from controller.rules.board import Finish
from controller.rules.match import BoardRecord, Match
from controller.rules.order import ByPlayer, Player
from controller.scoresheet.history import History
from controller.scoresheet.trail import Change

FINISHES = {
    Finish.CLEARED: "",
    Finish.OWN_LAST_BEFORE_QUEEN: "last coin before the queen",
    Finish.RIVALS_LAST: "opponent's last coin sunk",
    Finish.BOTH_LAST: "both last coins in one stroke",
    Finish.OUT_OF_TURN: "stroke out of turn",
    Finish.LEFT_SEAT: "left the seat",
    Finish.PLAYED_ON: "played on during an appeal",
    Finish.DISTURBED: "board disturbed",
    Finish.TIME: "time",
    Finish.LATE: "late for the third time",
    Finish.CENTURY: "century board",
    Finish.CONCEDED: "conceded",
    Finish.RULED: "umpire's ruling",
}
CARD_ROWS = 8
GAMES_ON_PAPER = 3


@dataclass(frozen=True, slots=True)
class Entry:
    """One side of one row. `coins`: for opposing coins left; `added`: demanded.

    `total` is what was scored, `over` how much of it lies above what is published.
    """

    queen: int = 0
    coins: int = 0
    added: int = 0
    total: int = 0
    won: bool = False
    covered: bool = False
    over: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """One board: its number, who broke, both sides, what is remarked."""

    number: int
    break_by: str
    first: Entry
    second: Entry
    remark: str


@dataclass(frozen=True, slots=True)
class Game:
    """One game's rows; `rows_on_paper` are printed even when not played.

    `start`, `finish`: wall time (UTC, ISO 8601) of its first stroke and of its end.
    """

    number: int
    rows: tuple[Row, ...]
    rows_on_paper: int
    start: str | None
    finish: str | None
    winner: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """What only the organisers know; left empty it is a line to write on."""

    championship: str = ""
    match_no: str = ""
    umpire: str = ""
    toss_won_by: str = ""
    toss_choice: str = ""
    remarks: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """A whole score card. `first` broke the first board of the match."""

    head: Head
    laws: str
    table: str
    round: str
    date: str | None
    first: str
    second: str
    games: tuple[Game, ...]
    games_won: tuple[int, int]
    winner: str | None
    trail: tuple[Change, ...] = field(default=())


def card_of(history: History, head: Head) -> Card:
    """The card of a match of two sides."""
    match = history.contest
    assert isinstance(match, Match)
    return Card(
        head=_with_toss(head, history),
        laws=match.laws.title,
        table=history.table,
        round=match.round.value.replace("_", " "),
        date=history.date,
        first=match.names.first,
        second=match.names.second,
        games=_games(match, history),
        games_won=(match.games.first, match.games.second),
        winner=_name(match, match.winner),
        trail=history.trail,
    )


def _with_toss(head: Head, history: History) -> Head:
    """The head with the toss on record, unless the organisers gave another."""
    winner, choice = history.toss
    return replace(
        head,
        toss_won_by=head.toss_won_by or winner,
        toss_choice=head.toss_choice or choice,
    )


def _games(match: Match, history: History) -> tuple[Game, ...]:
    """Those played, and those that a match may have besides."""
    last = max(match.game, min(match.laws.games_per_match, GAMES_ON_PAPER))
    return tuple(_game(match, number, history) for number in range(1, last + 1))


def _game(match: Match, number: int, history: History) -> Game:
    records = [record for record in match.records if record.game == number]
    rows, before = [], ByPlayer(0, 0)
    for record in records:
        rows.append(_row(match, record, before))
        before = record.totals
    on_paper = match.laws.boards_per_game or CARD_ROWS
    times = history.times(number)
    winner = dict(history.winners).get(number)
    return Game(number, tuple(rows), max(on_paper, len(rows)), *times, winner)


def _row(match: Match, record: BoardRecord, before: ByPlayer[int]) -> Row:
    remarks = [FINISHES[record.finish]]
    if record.slam:
        white = record.winner is record.breaker
        remarks.append("white slam" if white else "black slam")
    if _over(match, record, record.winner):
        remarks.append(f"{record.totals[record.winner]} scored")
    return Row(
        record.number,
        match.names[record.breaker],
        _entry(match, record, Player.FIRST, before),
        _entry(match, record, Player.SECOND, before),
        ", ".join(filter(None, remarks)),
    )


def _entry(
    match: Match, record: BoardRecord, player: Player, before: ByPlayer[int]
) -> Entry:
    total, covered = record.totals[player], record.queen_by is player
    if record.winner is not player:
        collected = total - before[player] if match.laws.players_collect else 0
        over = _over(match, record, player)
        return Entry(coins=collected, total=total, covered=covered, over=over)
    return Entry(
        record.queen_points,
        record.coin_points,
        record.demanded,
        total,
        won=True,
        covered=covered,
        over=_over(match, record, player),
    )


def _over(match: Match, record: BoardRecord, player: Player) -> int:
    """Points above those that are ever published (a game of 25 shows 25)."""
    most = match.laws.shown_points_max
    return 0 if most is None else max(record.totals[player] - most, 0)


def _name(match: Match, player: Player | None) -> str | None:
    return None if player is None else match.names[player]
