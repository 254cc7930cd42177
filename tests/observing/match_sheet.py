"""A match in a few lines: evidence and rulings through the whole session."""

from collections.abc import Iterable
from dataclasses import replace

from calibration.table import Piece, Pocket, Point, Table
from controller.config import Config, configured
from controller.events import Configured, Input, PocketHealth, PocketState
from controller.outcomes import Judged, Told, What
from controller.session import Session, begin, step
from tests.observing.score_sheet import Played, played, pulses
from vision.sightings import Census, Sighting, TableAtRest

BETWEEN_STROKES_S = 10.0


def setup() -> Configured:
    """South against North under the international laws, South breaks."""
    return configured(Config(), at_s=0.0, software="test")


def rack(at_s: float) -> Census:
    """All nineteen in the middle and the striker on South's base line."""
    lying = [*Table().opening_rack(), (Piece.STRIKER, Point(0.0, -252.0))]
    pieces = tuple(Sighting(piece, at, 0.0, 0.0, 9.0, 0.99) for piece, at in lying)
    return Census(at_s, pieces)


def ready() -> list[Input]:
    """Four fit pockets and a rack."""
    fit = [PocketState(0.0, pocket, PocketHealth.CLEAR, "") for pocket in Pocket]
    return [*fit, TableAtRest(rack(1.0))]


def stroke(number: int, before: str, fell: str, after: str) -> Played:
    """The number-th stroke of a match, all sources agreeing; number 1 breaks."""
    at_s = BETWEEN_STROKES_S * number
    reports = " ".join(
        f"{where}:striker" if piece == "s" else where
        for piece, where in (word.split("@") for word in fell.split())
    )
    made = played(before, fell, reports, after, at_s=at_s)
    made = replace(made, reports=pulses(reports, at_s, first=100 * number))
    if number > 1:
        return made
    return replace(made, seen=replace(made.seen, before=rack(at_s - 0.1)))


def strokes(sheet: str, first: int = 1) -> list[Input]:
    """Lines of `before | fell | after` as the evidence of strokes in a row."""
    inputs: list[Input] = []
    for number, line in enumerate(sheet.strip().splitlines(), first):
        before, fell, after = (cell.strip() for cell in line.split("|"))
        inputs += stroke(number, before, fell, after).evidence
    return inputs


def run(session: Session, inputs: Iterable[Input]) -> tuple[Session, list[Told]]:
    """The session after some inputs, and all it told."""
    told: list[Told] = []
    for heard in inputs:
        session, more = step(session, heard)
        told += more
    return session, told


def opened() -> Session:
    """A session whose rack is laid out."""
    return run(begin(setup()), ready())[0]


def standing(session: Session) -> str:
    """`8w 9b q / white / 0:0`: coins, turn and score by the record."""
    match = session.match
    board = match.board
    queen = " q" if board.queen.on_table else ""
    owed = "".join(
        f" owes {n}{side}"
        for side, n in (("w", board.owed.white), ("b", board.owed.black))
        if n
    )
    coins = f"{board.coins.white}w {board.coins.black}b{queen}{owed}"
    scores = f"{match.scores.first}:{match.scores.second}"
    return f"{coins} / {board.turn.value} / {scores}"


def kinds(told: Iterable[Told]) -> list[str]:
    """What was told, by name."""
    return [type(one.what).__name__ for one in told]


def decided(told: Iterable[Told]) -> list[str]:
    """All decisions, by name."""
    return [
        type(decision).__name__
        for one in told
        if isinstance(one.what, Judged)
        for decision in one.what.verdict.decisions
    ]


def only(told: Iterable[Told], kind: type[What]) -> What:
    """The one thing of a kind that was told."""
    (found,) = [one.what for one in told if isinstance(one.what, kind)]
    return found
