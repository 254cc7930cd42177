"""Three strokes that stand on the record, for tests of what is said about them."""

from calibration.table import Piece, Pocket
from controller.events import (
    Fallen,
    Ruled,
    StrokeFacts,
)
from controller.rules.board import Side
from controller.rules.happenings import Conceded
from controller.session import Session, step
from tests.observing.match_sheet import (
    opened,
    run,
    strokes,
)

THREE = """
9w 9b q s | w@NE | 8w 9b q s
8w 9b q s |      | 8w 9b q s
8w 9b q s | b@SW | 8w 8b q s
"""


def white(pocket: Pocket | None = None) -> Fallen:
    return Fallen(Piece.WHITE, pocket, None, 1.0)


def facts(*fell: Fallen) -> StrokeFacts:
    return StrokeFacts(from_s=0.0, to_s=1.0, fell=fell)


def after_three() -> Session:
    return run(opened(), strokes(THREE))[0]


def conceded() -> Session:
    ruled = Ruled(99.0, "umpire", Conceded(Side.BLACK), "hurt")
    return step(after_three(), ruled)[0]


def entries_of(session: Session) -> list[int]:
    return [verdict.entry for verdict in session.verdicts]
