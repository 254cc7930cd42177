"""A match as the umpire entered it, board after board, kept in a journal."""

from collections.abc import Iterable
from pathlib import Path

from calibration.table import Piece, Pocket
from controller.config import configured, parse
from controller.events import (
    BoardCalled,
    Corrected,
    Fallen,
    Input,
    Inserted,
    Ruled,
    ScoreSet,
    StrokeFacts,
    TakenBack,
)
from controller.journal import open_journal
from controller.recording import hear, open_match
from controller.rules.happenings import BoardSet
from controller.rules.match import Demand
from controller.rules.notation import read_board

NAMES = """
[match]
{rules}
[[match.players]]
name = "Asha <Rao>"
seat = "south"
[[match.players]]
name = "Bimal"
seat = "north"
"""
PIECES = {
    "w": Piece.WHITE,
    "b": Piece.BLACK,
    "q": Piece.QUEEN,
    "s": Piece.STRIKER,
}


def stroke(fell: str) -> StrokeFacts:
    """A stroke in which these pieces fell, one letter each."""
    falls = tuple(Fallen(PIECES[one], Pocket.NORTH_EAST, 1.0, 1.0) for one in fell)
    return StrokeFacts(from_s=0.0, to_s=1.0, fell=falls, touched=True)


def added(fell: str) -> Inserted:
    return Inserted(1.0, "umpire", None, stroke(fell), "")


def lying(board: str) -> Ruled:
    """The umpire sets the board, written as in docs/notation.md."""
    return Ruled(1.0, "umpire", BoardSet(read_board(board)), "set up")


def demand(points: int) -> Ruled:
    return Ruled(1.0, "umpire", Demand(points), "")


def corrected(entry: int, fell: str) -> Corrected:
    return Corrected(1.0, "chief", entry, stroke(fell), "seen on video")


def taken_back(entry: int | None) -> TakenBack:
    return TakenBack(1.0, "chief", entry, "wrong button")


def score(first: int, second: int) -> ScoreSet:
    return ScoreSet(1.0, "chief", (first, second), "card was wrong")


NEXT = BoardCalled(1.0, "umpire")


def journal(folder: Path, heard: Iterable[Input], rules: str = "") -> Path:
    """The journal of a match between Asha, who breaks, and Bimal."""
    path = folder / "match.journal"
    with open_journal(path, folder / "key") as kept:
        settings = parse(NAMES.format(rules=rules), "test")
        session = open_match(kept, configured(settings, 0.0, "test"))
        for one in heard:
            session = hear(kept, session, one).session
    return path
