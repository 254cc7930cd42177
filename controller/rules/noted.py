"""What a match record may say besides what the laws need: when, who, where.

    [754.2 south] w s ; in ne,sw ; lie w10.5,-3.25 q0.0,0.0
    [760.0] : breach white early

The clock and the player stand before a line; after a stroke, the pockets in the order
of its words (`-`: not seen) and what lay on the table at rest. The judge ignores it
all; it prints and reads back exactly.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import isfinite
from typing import NamedTuple

from calibration.table import Piece, Pocket, Seat
from controller.rules.contest import Entry
from controller.rules.notation import NotationError
from controller.rules.stroke import Stroke

_POCKETS = {
    "ne": Pocket.NORTH_EAST,
    "se": Pocket.SOUTH_EAST,
    "sw": Pocket.SOUTH_WEST,
    "nw": Pocket.NORTH_WEST,
    "-": None,
}
_POCKET_NAMES = {pocket: name for name, pocket in _POCKETS.items()}
_PIECES = {
    "w": Piece.WHITE,
    "b": Piece.BLACK,
    "q": Piece.QUEEN,
    "s": Piece.STRIKER,
}
_PIECE_NAMES = {piece: name for name, piece in _PIECES.items()}


class Place(NamedTuple):
    """A piece and where it lies, in mm from the centre of the table."""

    piece: Piece
    x_mm: float
    y_mm: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """An entry with what was noted besides; None and empty mean "not noted".

    `at_s`: the match clock. `by`: the player's seat. `pockets`: where each fallen
    piece went, white, black, queen, striker. `lying`: the table afterwards.
    """

    entry: Entry
    at_s: float | None = None
    by: Seat | None = None
    pockets: tuple[Pocket | None, ...] = ()
    lying: tuple[Place, ...] = ()

    def __post_init__(self) -> None:
        details = self.pockets or self.lying
        if details and not isinstance(self.entry, Stroke):
            raise ValueError("pockets and places are noted of strokes only")
        if self.pockets and isinstance(self.entry, Stroke):
            fell = sum(self.entry.pocketed.values())
            if len(self.pockets) != fell:
                raise ValueError(f"{fell} pieces fell, {len(self.pockets)} pockets")


def before_line(noted: Noted) -> str:
    """The bracket before a line, with its space; nothing when nothing is noted."""
    words = [] if noted.at_s is None else [repr(noted.at_s)]
    words += [noted.by.value] if noted.by else []
    return f"[{' '.join(words)}] " if words else ""


def after_line(noted: Noted) -> str:
    """What follows a stroke."""
    text = ""
    if noted.pockets:
        text += " ; in " + ",".join(_POCKET_NAMES[pocket] for pocket in noted.pockets)
    if noted.lying:
        text += " ; lie " + " ".join(map(_place, noted.lying))
    return text


def apart(line: str) -> tuple[str, str, tuple[str, ...]]:
    """A line taken apart: the bracket's words, the entry, what follows a stroke."""
    before = ""
    if line.startswith("["):
        before, closed, line = line[1:].partition("]")
        if not closed:
            raise NotationError(f"a bracket is not closed in {line!r}")
        line = line.strip()
    if line.startswith(":"):
        return before, line, ()
    entry, *after = (part.strip() for part in line.split(";"))
    return before, entry, tuple(after)


def noted(entry: Entry, before: str, after: tuple[str, ...]) -> Entry | Noted:
    """The entry with what was noted; the bare entry when nothing was."""
    result = Noted(entry=entry)
    try:
        for word in before.split():
            result = _with_word(result, word)
        for part in after:
            result = _with_part(result, part)
    except NotationError:
        raise
    except (ValueError, KeyError) as error:
        raise NotationError(f"cannot read the note {before!r} {after!r}") from error
    return entry if result == Noted(entry=entry) else result


def _with_word(result: Noted, word: str) -> Noted:
    if word[0].isalpha():
        return replace(result, by=Seat(word))
    return replace(result, at_s=_finite(word))


def _with_part(result: Noted, part: str) -> Noted:
    name, _, rest = part.partition(" ")
    match name:
        case "in":
            pockets = tuple(_POCKETS[word] for word in rest.split(","))
            return replace(result, pockets=pockets)
        case "lie":
            return replace(result, lying=tuple(_places(rest)))
        case _:
            raise NotationError(f"after a stroke follows in or lie, got {name!r}")


def _place(place: Place) -> str:
    return f"{_PIECE_NAMES[place.piece]}{place.x_mm!r},{place.y_mm!r}"


def _places(text: str) -> Iterator[Place]:
    for word in text.split():
        x, y = word[1:].split(",")
        yield Place(_PIECES[word[0]], _finite(x), _finite(y))


def _finite(text: str) -> float:
    value = float(text)
    if not isfinite(value):
        raise ValueError(f"{text!r} is no number to note")
    return value
