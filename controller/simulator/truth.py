"""What really happened on the simulated table, kept apart from what is seen.

The product never reads these while it runs; `demo --headless` and the tests
compare with them afterwards, and a simulated umpire answers from them.
"""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import NamedTuple, TextIO

from calibration.table import Piece, Pocket, Point, Seat


class Pulse(NamedTuple):
    """A pocket's light beam was dark: when it began, on world time, how long.

    `reach_mm`: how far what passed reaches along its way.
    """

    pocket: Pocket
    at_s: float
    width_us: int
    reach_mm: float


class TrueFall(NamedTuple):
    """A piece really fell: the time it sank below the surface."""

    piece: Piece
    pocket: Pocket
    at_s: float


class TrueContact(NamedTuple):
    """The first piece the striker touched."""

    piece: Piece
    at_s: float


class QueenState(StrEnum):
    """Where the queen stands in law, by player."""

    ON_BOARD = "on-board"
    AWAITS_COVER = "awaits-cover"
    COVERED = "covered"


@dataclass(frozen=True, slots=True)
class TrueStroke:
    """One stroke and what the laws made of it.

    `number` counts from 1 over the whole match, `board` from 1 over the match.
    `player` counts from 0; `side` is the colour he plays, None where each plays for
    himself. `white_back`, `black_back`
    and `queen_back` are what hands put back on the table after it; `white_due`
    and `black_due` what stays owed. `turn_passes` is false when the board ended.
    """

    number: int
    game: int
    board: int
    player: int
    seat: Seat
    side: Piece | None
    from_s: float
    to_s: float
    start: Point
    proper: bool
    first_contact: TrueContact | None
    fell: tuple[TrueFall, ...]
    opening: bool
    queen: QueenState
    queen_by: Piece | None
    white_back: int
    black_back: int
    queen_back: bool
    white_due: int
    black_due: int
    turn_passes: bool
    board_over: bool

    def count(self, piece: Piece) -> int:
        """How many of a piece fell in this stroke."""
        return sum(fall.piece is piece for fall in self.fell)


@dataclass(frozen=True, slots=True)
class TrueBoard:
    """One finished board: who won, how much, and the score after it.

    `queen_points` is what the queen added, `queen_by` who had covered her.
    `scores` are all players' points in this game, `games` the games won. Where each
    plays for himself nobody has a side, and `winner` is the first who got most.
    """

    game: int
    board: int
    breaker: int
    breaker_seat: Seat
    winner: int
    winner_side: Piece | None
    points: int
    queen_points: int
    queen_by: Piece | None
    strokes: int
    at_s: float
    scores: tuple[int, ...]
    games: tuple[int, ...]
    game_over: bool
    match_over: bool


TrueRecord = TrueStroke | TrueBoard


class Truth:
    """The log of all true strokes and boards of one world, in order."""

    def __init__(self) -> None:
        self._records: list[TrueRecord] = []

    def add(self, record: TrueRecord) -> None:
        """Append one record."""
        self._records.append(record)

    @property
    def records(self) -> tuple[TrueRecord, ...]:
        """Strokes and boards as they ended."""
        return tuple(self._records)

    @property
    def strokes(self) -> tuple[TrueStroke, ...]:
        """All finished strokes."""
        return tuple(r for r in self._records if isinstance(r, TrueStroke))

    @property
    def boards(self) -> tuple[TrueBoard, ...]:
        """All finished boards."""
        return tuple(r for r in self._records if isinstance(r, TrueBoard))

    def of(self, number: int) -> TrueStroke | None:
        """The stroke with this number over the match, None when not yet made."""
        return next((s for s in self.strokes if s.number == number), None)

    def at(self, at_s: float) -> TrueStroke | None:
        """The last stroke that began at or before a time, None before the first."""
        begun = [s for s in self.strokes if s.from_s <= at_s]
        return begun[-1] if begun else None

    def lines(self) -> Iterator[str]:
        """Each record as one line of JSON, with `record` naming its kind."""
        return (as_line(record) for record in self._records)

    def write(self, file: TextIO) -> None:
        """Write all records as JSON lines."""
        file.writelines(line + "\n" for line in self.lines())


def as_line(record: TrueRecord) -> str:
    """One record as one line of JSON, keys sorted."""
    kind = "stroke" if isinstance(record, TrueStroke) else "board"
    return json.dumps({"record": kind, **asdict(record)}, sort_keys=True)
