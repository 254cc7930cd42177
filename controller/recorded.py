"""Strokes of a recording, with pocket reports that were recorded beside it.

The same observer as in a match weighs camera against sensors; the book it audits
against is simply what the camera counted before, for a recording knows no laws.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from calibration.refusal import Refusal
from calibration.table import Piece, Pocket, Table
from controller.events import Counts, Elapsed, Evidence, Fallen, Looks, PocketReport
from controller.observer import Finding, Observer, StrokeDone, Unclear, observe
from controller.trust import Trust
from vision.sightings import (
    Census,
    Observation,
    StrokeSeen,
    TableAtRest,
    TrackEnd,
    Where,
)

ONE_COIN_US = 30_000


def read_pockets(path: Path) -> tuple[PocketReport, ...]:
    """Reports from JSON lines, by time; each needs `pocket` and `at_s`.

    `at_s` is on the recording's clock; `looks` and `width_us` may be given.
    Raises Refusal, naming the line, for anything else.
    """
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise Refusal(
            f"{path}: cannot be read ({error}); name a file of reports"
        ) from (None)
    reports = [
        _report(path, number, line) for number, line in enumerate(lines, 1) if line
    ]
    return tuple(sorted(reports, key=lambda report: report.at_s))


def fallen_by_camera(stroke: StrokeSeen) -> tuple[Fallen, ...]:
    """What the camera alone says went into pockets."""
    return tuple(
        Fallen(v.piece, v.pocket, v.at_s, v.confidence)
        for v in stroke.vanished
        if v.end in (TrackEnd.POCKET, TrackEnd.LOST)
    )


@dataclass(slots=True, eq=False)
class Fusion:
    """Weighs each stroke's falls with the reports; without reports the camera's stand.

    A stroke comes out once its reports are in: at once in a recording.
    """

    table: Table
    reports: Sequence[PocketReport]
    _observer: Observer = field(init=False)
    _book: Counts | None = field(default=None, init=False)
    _entry: int = field(default=0, init=False)
    _told: int = field(default=0, init=False)

    def __post_init__(self) -> None:
        self._observer = Observer(table=self.table, trust=Trust())

    def hear(self, observation: Observation) -> tuple[Fallen, ...] | None:
        """Take an observation; for a finished stroke, what fell in it."""
        match observation:
            case StrokeSeen():
                found = self._weigh(observation) if self.reports else []
                settled = _settled(found)
                return fallen_by_camera(observation) if settled is None else settled
            case TableAtRest(census=census) if self.reports:
                self._hear_reports(census.at_s)
                self._take(observation)
                self._book = _coins(census)
            case _ if self.reports:
                self._take(observation)
        return None

    def _weigh(self, stroke: StrokeSeen) -> list[Finding]:
        """Let the observer settle a stroke with every report that belongs to it."""
        if stroke.before is not None:
            self._book = _coins(stroke.before)
        wait_s = Trust().pulse_wait_s
        self._hear_reports(stroke.to_s)
        found = [
            *self._take(stroke),
            *self._hear_reports(stroke.to_s + wait_s),
            *self._take(Elapsed(stroke.rest.at_s + wait_s)),
        ]
        self._book = _coins(stroke.rest)
        return found

    def _hear_reports(self, until_s: float) -> list[Finding]:
        found: list[Finding] = []
        while self._told < len(self.reports):
            report = self.reports[self._told]
            if report.at_s > until_s:
                break
            self._told += 1
            found += self._take(report)
        return found

    def _take(self, evidence: Evidence) -> list[Finding]:
        self._entry += 1
        self._observer, found = observe(
            self._observer, self._entry, evidence, self._book
        )
        return list(found)


def _settled(found: Sequence[Finding]) -> tuple[Fallen, ...] | None:
    """What fell by the observer's word; its likeliest reading when it is in doubt."""
    for finding in found:
        match finding:
            case StrokeDone(facts=facts):
                return facts.fell
            case Unclear(readings=readings) if readings:
                return readings[0].facts.fell
            case _:
                continue
    return None


def _coins(census: Census) -> Counts:
    lying = [s.piece for s in census.pieces if s.where is Where.TABLE]
    return Counts.of(piece for piece in lying if piece is not Piece.STRIKER)


def _report(path: Path, number: int, line: str) -> PocketReport:
    try:
        said = json.loads(line)
        return PocketReport(
            device=str(said.get("device", "recorded")),
            boot=int(said.get("boot", 0)),
            sequence=int(said.get("sequence", number)),
            pocket=Pocket(said["pocket"]),
            tick_us=int(said.get("tick_us", 0)),
            at_s=float(said["at_s"]),
            error_s=float(said.get("error_s", 0.0)),
            width_us=int(said.get("width_us", ONE_COIN_US)),
            looks=Looks(said.get("looks", Looks.UNSURE)),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Refusal(
            f"{path}: line {number} is no pocket report ({error}); "
            'write {"pocket": "north-east", "at_s": 12.34}'
        ) from None
