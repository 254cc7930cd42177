"""A whole match as text: how it began, then one line for all that happened.

    laws icf
    first Asha
    second Bimal
    -
    2w
    q
    w
    : breach white early
    : demand 1
    : next

A line is a stroke in the notation of `notation.py`, or after a colon an entry in
words; `noted.py` adds when, by whom and where. Empty lines and lines that begin with `#` say nothing.
`docs/notation.md` lists every entry.
"""

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from calibration.table import Piece, Seat
from controller.rules.board import Side
from controller.rules.choices import Round
from controller.rules.contest import Contest, Decided, Entry, advance
from controller.rules.counting_match import begin as begin_counting
from controller.rules.counting_notation import read_own, write_own
from controller.rules.entries import (
    ColourChosen,
    Demand,
    MatchAwarded,
    NextBoard,
    ScoresCorrected,
    TieDecided,
    TossDecided,
)
from controller.rules.free_text import read_free, write_free
from controller.rules.happenings import (
    Bell,
    BoardRuled,
    BoardSet,
    Breach,
    Conceded,
    Disturbed,
    Forfeited,
    LateFall,
    Misplaced,
    NoRoom,
    NoticedLate,
    Passed,
    PlayedOn,
    SeatLeft,
    Voided,
    Waived,
)
from controller.rules.lapse import LAPSING
from controller.rules.match import Match
from controller.rules.notation import (
    NotationError,
    read_board,
    read_result,
    read_stroke,
    whole,
    write_board,
    write_result,
    write_stroke,
)
from controller.rules.noted import Noted, after_line, apart, before_line, noted
from controller.rules.order import ByPlayer, Player
from controller.rules.overrides import with_changes
from controller.rules.rule_sets import rule_set
from controller.rules.stroke import Stroke
from controller.rules.toss import Choice

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class MatchRecord:
    """How a match began and everything that happened in it, in order.

    `others`: the third and the fourth, where each plays for himself. `changes`: laws a
    club has changed in the set, as `overrides.changes_of` writes them.
    """

    laws: str
    first: str
    second: str
    doubles: bool = False
    round: Round = Round.LEAGUE
    entries: tuple[Entry | Noted, ...] = ()
    others: tuple[str, ...] = ()
    changes: tuple[tuple[str, str], ...] = ()
    lines: tuple[int, ...] = field(default=(), compare=False)
    """Where each entry stands in the text it was read from; empty for others."""

    def place(self, number: int) -> str:
        """Where the number-th entry (from 0) is found, in words."""
        return f"line {self.lines[number]}" if self.lines else f"entry {number + 1}"

    def opening(self) -> Contest:
        """The match before its first stroke.

        Raises Refusal for unknown laws, or laws that so many cannot play by.
        """
        laws = with_changes(rule_set(self.laws), self.changes)
        if self.others:
            return begin_counting(laws, (self.first, self.second, *self.others))
        return Match(
            laws=laws,
            names=ByPlayer(self.first, self.second),
            doubles=self.doubles,
            round=self.round,
        )

    def replayed(self) -> Contest:
        """The match after all that happened. Raises ValueError where it cannot."""
        last = deque(self.steps(), maxlen=1)
        return last[0][0] if last else self.opening()

    def steps(self) -> Iterator[tuple[Contest, Entry, tuple[Decided, ...]]]:
        """The match after each entry, the entry and what was decided on it.

        Raises ValueError, naming the place, where it cannot have been played so.
        """
        match = self.opening()
        for number, entry in enumerate(self.entries):
            bare = entry.entry if isinstance(entry, Noted) else entry
            try:
                match, decisions = advance(match, bare)
            except ValueError as error:
                raise ValueError(f"{self.place(number)}: {error}") from error
            yield match, bare, decisions


def write_match(record: MatchRecord) -> str:
    """The record as text; `read_match` gives the same record back."""
    head = [
        f"laws {record.laws}",
        *(f"law {name} {value}" for name, value in record.changes),
        f"first {write_free(record.first)}",
        f"second {write_free(record.second)}",
        *(
            f"{place} {write_free(name)}"
            for place, name in zip(_OTHERS, record.others, strict=False)
        ),
        f"round {record.round.value}",
    ]
    if record.doubles:
        head.append("doubles yes")
    return "\n".join([*head, *map(_write_line, record.entries)]) + "\n"


def read_match(text: str) -> MatchRecord:
    """The record a text describes. Raises NotationError, naming the line."""
    head: dict[str, str] = {}
    entries: list[Entry | Noted] = []
    lines: list[int] = []
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.strip()
        if not words or words.startswith("#"):
            continue
        try:
            if not entries and words.partition(" ")[0] in _HEAD:
                _read_head(head, words)
                continue
            entries.append(_read_line(words))
        except ValueError as error:
            raise NotationError(f"line {number}: {error}") from error
        lines.append(number)
    if missing := [name for name in _needed(head) if name not in head]:
        raise NotationError(f"a match names its {missing[0]} before its strokes")
    return MatchRecord(
        head["laws"],
        read_free(head["first"]),
        read_free(head["second"]),
        head.get("doubles") == "yes",
        Round(head.get("round", Round.LEAGUE.value)),
        tuple(entries),
        tuple(read_free(head[place]) for place in _OTHERS if place in head),
        tuple((name[4:], head[name]) for name in head if name.startswith("law ")),
        tuple(lines),
    )


_OTHERS = ("third", "fourth")
_NAMES_OF_PLAYERS = ("first", "second", *_OTHERS)
_HEAD = ("laws", "law", *_NAMES_OF_PLAYERS, "round", "doubles")


def _needed(head: Mapping[str, str]) -> tuple[str, ...]:
    """What the head of a match cannot do without."""
    third = ("third",) if "fourth" in head else ()
    return "laws", "first", "second", *third


def _read_head(head: dict[str, str], words: str) -> None:
    """Put a line of the head with the others. Raises ValueError."""
    name, _, value = words.partition(" ")
    value = value.strip()
    if name == "law":
        law, _, value = value.partition(" ")
        name, value = f"law {law}", value.strip()
        with_changes(rule_set(head.get("laws", "icf")), ((law, value),))
    if name in head:
        raise NotationError(f"{name!r} is said twice: keep one of them")
    if name == "laws":
        rule_set(value)
    if name in _NAMES_OF_PLAYERS:
        read_free(value)
    if name == "round":
        _value(Round, value)
    if name == "doubles" and value not in ("yes", "no"):
        raise NotationError(f"doubles is yes or no, got {value!r}")
    head[name] = value


def _write_line(entry: Entry | Noted) -> str:
    if isinstance(entry, Noted):
        return before_line(entry) + write_entry(entry.entry) + after_line(entry)
    return write_entry(entry)


def _read_line(line: str) -> Entry | Noted:
    before, words, after = apart(line)
    if not words:
        raise NotationError(f"a note stands beside a stroke or an entry: {line!r}")
    return noted(read_entry(words), before, after)


def write_entry(entry: Entry) -> str:
    """One line of a match."""
    match entry:
        case Stroke():
            return write_stroke(entry)
        case Breach(side, early):
            words = f"breach {side.value} {'early' if early else 'later'}"
        case Passed() | Bell():
            words = _NAMES[type(entry)]
        case LateFall(piece):
            words = f"fell-later {piece.value}"
        case BoardSet(board):
            words = f"set {write_board(board)}"
        case BoardRuled(result):
            words = f"ruled {write_result(result)}"
        case NoRoom(side, coins):
            words = f"no-room {side.value} {coins}"
        case NoticedLate(side, law):
            words = f"noticed-late {side.value} {law}"
        case Demand(points):
            words = f"demand {points}"
        case NextBoard(breaker):
            words = f"next {breaker.value}" if breaker else "next"
        case TieDecided(winner):
            words = f"tie {winner.value if winner else 'shared'}"
        case ScoresCorrected(scores, reason):
            stand = f"{scores.first}-{scores.second}"
            words = f"scores {stand} {write_free(reason)}".rstrip()
        case MatchAwarded(winner, reason):
            words = f"award {winner.value} {write_free(reason)}".rstrip()
        case TossDecided(winner, choice, seat):
            sits = f" {seat.value}" if seat else ""
            words = f"toss {winner.value} {choice.value}{sits}"
        case (
            SeatLeft(side)
            | PlayedOn(side)
            | Disturbed(side)
            | Conceded(side)
            | Waived(side)
            | Forfeited(side)
            | Misplaced(side)
            | Voided(side)
            | ColourChosen(side)
        ):
            words = f"{_NAMES[type(entry)]} {side.value}"
        case _:
            words = write_own(entry)
    return ": " + words


_BY_SIDE: dict[str, Callable[[Side], Entry]] = {
    "seat-left": SeatLeft,
    "played-on": PlayedOn,
    "disturbed": Disturbed,
    "conceded": Conceded,
    "waived": Waived,
    "forfeited": Forfeited,
    "misplaced": Misplaced,
    "void": Voided,
    "colour": ColourChosen,
}
_NAMES: dict[object, str] = {
    **{kind: name for name, kind in _BY_SIDE.items()},
    Passed: "passed",
    Bell: "bell",
}


def _read_breach(rest: str) -> Entry:
    side, _, when = rest.partition(" ")
    if when not in ("early", "later"):
        raise NotationError(f"a breach is early or later, got {when!r}")
    return Breach(_value(Side, side), before_first_stroke=when == "early")


def _read_no_room(rest: str) -> Entry:
    side, _, coins = rest.partition(" ")
    return NoRoom(_value(Side, side), whole(coins))


def _read_noticed_late(rest: str) -> Entry:
    side, _, law = rest.partition(" ")
    if law not in LAPSING:
        raise NotationError(f"an error that lapses is one of {', '.join(LAPSING)}")
    return NoticedLate(_value(Side, side), law)


def _read_scores(rest: str) -> Entry:
    scores, _, reason = rest.partition(" ")
    first, second = scores.split("-")
    return ScoresCorrected(ByPlayer(int(first), int(second)), read_free(reason))


def _read_award(rest: str) -> Entry:
    winner, _, reason = rest.partition(" ")
    return MatchAwarded(_value(Player, winner), read_free(reason))


def _alone(entry: Entry, rest: str) -> Entry:
    if rest:
        raise NotationError(f"nothing stands after this entry, got {rest!r}")
    return entry


def _read_toss(rest: str) -> Entry:
    winner, choice, *seat = rest.split()
    if seat[1:]:
        raise NotationError(f"a toss ends with the seat, got {rest!r}")
    sits = _value(Seat, seat[0]) if seat else None
    return TossDecided(_value(Player, winner), _value(Choice, choice), sits)


_READERS: dict[str, Callable[[str], Entry]] = {
    "breach": _read_breach,
    "no-room": _read_no_room,
    "noticed-late": _read_noticed_late,
    "passed": lambda rest: _alone(Passed(), rest),
    "bell": lambda rest: _alone(Bell(), rest),
    "fell-later": lambda rest: LateFall(_value(Piece, rest)),
    "set": lambda rest: BoardSet(read_board(rest)),
    "ruled": lambda rest: BoardRuled(read_result(rest)),
    "demand": lambda rest: Demand(whole(rest)),
    "next": lambda rest: NextBoard(_value(Player, rest) if rest else None),
    "tie": lambda rest: TieDecided(None if rest == "shared" else _value(Player, rest)),
    "scores": _read_scores,
    "award": _read_award,
    "toss": _read_toss,
}


def read_entry(line: str) -> Entry:
    """One line of a match as what happened. Raises NotationError."""
    if not line.startswith(":"):
        return read_stroke(line)
    name, _, rest = line[1:].strip().partition(" ")
    if name in _BY_SIDE:
        return _BY_SIDE[name](_value(Side, rest))
    reader = _READERS.get(name)
    try:
        own = read_own(name, rest)
        if own is not None:
            return own
        if reader is None:
            raise NotationError(f"a match has no entry {name!r}")
        return reader(rest)
    except NotationError:
        raise
    except ValueError as error:
        raise NotationError(f"cannot read {line!r}") from error


def _value(kind: Callable[[str], Value], word: str) -> Value:
    try:
        return kind(word)
    except ValueError as error:
        raise NotationError(f"{word!r} is none of those expected here") from error
