"""A journal with a match in it, for what power, hands and forgers do to one."""

from pathlib import Path

from calibration.table import Pocket
from controller.config import Config, configured
from controller.events import (
    Looks,
    PocketReport,
)
from controller.journal import Journal, open_journal
from controller.recording import hear, open_match
from controller.session import Session
from tests.observing.match_sheet import ready, strokes

THREE = """
9w 9b q s | w@NE | 8w 9b q s
8w 9b q s |      | 8w 9b q s
8w 9b q s | b@SW | 8w 8b q s
"""


def opened(folder: Path) -> Journal:
    return open_journal(folder / "match.journal", folder / "key")


def report(sequence: int) -> PocketReport:
    return PocketReport(
        device="node",
        boot=1,
        sequence=sequence,
        pocket=Pocket.NORTH_EAST,
        tick_us=sequence,
        at_s=float(sequence),
        error_s=0.001,
        width_us=20_000,
        looks=Looks.ONE_COIN,
    )


def play(folder: Path) -> Session:
    """A match of three strokes, recorded and closed."""
    with opened(folder) as journal:
        session = open_match(journal, configured(Config(), 0.0, "test"))
        for heard in [*ready(), *strokes(THREE)]:
            session = hear(journal, session, heard).session
    return session


def flip_a_byte(path: Path) -> None:
    data = path.read_bytes()
    at = data.index(b'"from_s":10')
    path.write_bytes(data[: at + 9] + b"2" + data[at + 10 :])
