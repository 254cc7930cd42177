"""Evidence in three lines: a table, a stroke and its sources as an umpire's notes.

`9w 9b q s` is what a census shows, `w@NE` a white that ended in the north-east
pocket, `NE` (or `NE:striker`) a pulse there. Coins lie on a grid far from pockets.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from calibration.table import Piece, Pocket, Point, Table
from controller.events import (
    Counts,
    Evidence,
    Looks,
    PocketHealth,
    PocketReport,
    PocketState,
    StrokeFacts,
)
from controller.observer import Finding, Observer, StrokeDone, Unclear, observe
from controller.trust import Trust
from vision.sightings import (
    Census,
    Contact,
    Hidden,
    Sighting,
    StrokeSeen,
    StrokeStarted,
    TrackEnd,
    Vanished,
)

PIECES = {
    "w": Piece.WHITE,
    "b": Piece.BLACK,
    "q": Piece.QUEEN,
    "s": Piece.STRIKER,
}
LETTERS = {piece: letter for letter, piece in PIECES.items()}
POCKETS = {
    "NE": Pocket.NORTH_EAST,
    "SE": Pocket.SOUTH_EAST,
    "SW": Pocket.SOUTH_WEST,
    "NW": Pocket.NORTH_WEST,
}
ENDS = {"off": TrackEnd.OFF_TABLE, "hand": TrackEnd.HAND, "lost": TrackEnd.LOST}
NAMES = {pocket: name for name, pocket in POCKETS.items()}
HAND = Hidden((Point(0, 0), Point(50, 0), Point(0, 50)), "hand")


def counts(text: str) -> Counts:
    """`8w 9b q s` as counts."""
    return Counts.of(pieces(text))


def pieces(text: str) -> list[Piece]:
    """`2w q` as a list of pieces."""
    found = []
    for word in text.split():
        number = int(word[:-1]) if len(word) > 1 else 1
        found += [PIECES[word[-1]]] * number
    return found


def census(
    text: str, at_s: float = 0.0, shift_mm: float = 0.0, hidden: bool = False
) -> Census:
    """A census of these pieces on a grid; `shift_mm` moves every coin."""
    seen: dict[Piece, int] = {}
    sightings = []
    for piece in pieces(text):
        i = seen.get(piece, 0)
        seen[piece] = i + 1
        row = list(Piece).index(piece)
        at = Point(-200.0 + 45.0 * i + shift_mm, 150.0 - 100.0 * row)
        sightings.append(Sighting(piece, at, 0.0, 0.0, 9.0, 0.99))
    return Census(at_s, tuple(sightings), (HAND,) if hidden else ())


def vanished(text: str, at_s: float) -> tuple[Vanished, ...]:
    """`w@NE b@SW` as tracks that ended in pockets; `w@off` left the table.

    `w@hand` ended under a hand, `w@lost` out of sight on its way.
    """
    ends = []
    for i, word in enumerate(text.split()):
        letter, where = word.split("@")
        pocket = POCKETS.get(where)
        end = TrackEnd.POCKET if pocket else ENDS[where]
        when_s = at_s + 0.5 + 0.4 * i
        ends.append(Vanished(when_s, PIECES[letter], Point(0, 0), end, pocket, 0.97))
    return tuple(ends)


def pulses(text: str, at_s: float, first: int = 1) -> tuple[PocketReport, ...]:
    """`NE SW:striker` as pocket reports, in the order of the tracks' ends."""
    reports = []
    for i, word in enumerate(text.split()):
        name, _, looks = word.partition(":")
        when_s = at_s + 0.53 + 0.4 * i
        reports.append(
            PocketReport(
                device="node",
                boot=1,
                sequence=first + i,
                pocket=POCKETS[name],
                tick_us=int(when_s * 1e6),
                at_s=when_s,
                error_s=0.001,
                width_us=20_000,
                looks=Looks(looks or "one-coin"),
            )
        )
    return tuple(reports)


@dataclass(frozen=True)
class Played:
    """One stroke's evidence, cut into its parts."""

    start: StrokeStarted
    tracks: tuple[Vanished, ...]
    reports: tuple[PocketReport, ...]
    seen: StrokeSeen

    @property
    def evidence(self) -> list[Evidence]:
        """In the order of time."""
        within = sorted((*self.tracks, *self.reports), key=lambda e: e.at_s)
        return [self.start, *within, self.seen]


def played(
    before: str,
    tracks: str,
    reports: str,
    after: str,
    at_s: float = 10.0,
    hidden: bool = False,
) -> Played:
    """A stroke of three seconds that begins at `at_s`."""
    ends = vanished(tracks, at_s)
    seen = StrokeSeen(
        from_s=at_s,
        to_s=at_s + 3.0,
        seat=None,
        start=Point(0.0, -252.0),
        placement=None,
        first_contact=Contact(Piece.WHITE, at_s + 0.2),
        vanished=ends,
        before=census(before, at_s - 0.1),
        rest=census(after, at_s + 3.0, hidden=hidden),
    )
    start = StrokeStarted(at_s, seen.start)
    return Played(start, ends, pulses(reports, at_s), seen)


def watching(trust: Trust | None = None, fit: str = "NE SE SW NW") -> Observer:
    """An observer whose pockets named in `fit` count."""
    observer = Observer(table=Table(), trust=trust or Trust())
    for name in fit.split():
        state = PocketState(0.0, POCKETS[name], PocketHealth.CLEAR, "")
        observer, _ = observe(observer, 0, state, None)
    return observer


def walk(
    observer: Observer, evidence: Iterable[Evidence], book: str | None
) -> tuple[Observer, list[Finding]]:
    """Feed evidence in order; every finding."""
    lies = None if book is None else counts(book)
    found: list[Finding] = []
    for entry, one in enumerate(evidence, 1):
        observer, more = observe(observer, entry, one, lies)
        found += more
    return observer, found


def verdict(found: Iterable[Finding]) -> str:
    """`w@NE, jumped b` or `ask unsure` for the last stroke, `-` when none ended."""
    said = "-"
    for finding in found:
        match finding:
            case StrokeDone(facts=facts):
                said = told(facts)
            case Unclear(doubt=doubt):
                said = f"ask {doubt.value}"
            case _:
                pass
    return said


def told(facts: StrokeFacts) -> str:
    """A stroke's facts as notes: `w@NE b@?`, `nothing`, `jumped w`."""
    fell = sorted(
        f"{LETTERS[f.piece]}@{NAMES[f.pocket] if f.pocket else '?'}" for f in facts.fell
    )
    jumped = [f"jumped {LETTERS[piece]}" for piece in facts.jumped]
    off = ["striker off"] if facts.striker_off else []
    return " ".join((*fell, *jumped, *off)) or "nothing"


def without_contact(played: Played) -> Played:
    """The same stroke with no first contact seen."""
    return replace(played, seen=replace(played.seen, first_contact=None))


def sheet(text: str) -> Iterator[list[str]]:
    """The rows of a sheet, cell by cell."""
    for line in text.strip().splitlines():
        yield [cell.strip() for cell in line.split("|")]
