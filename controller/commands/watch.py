"""`carrom watch VIDEO`: the strokes of a recording, as JSON lines."""

import json
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from controller.commands.where import (
    Corners,
    PocketCentres,
    ProfileFile,
    SideMm,
    Where,
    spare,
)

if TYPE_CHECKING:
    from controller.events import Fallen
    from vision.frames import Frame
    from vision.sightings import Census, Observation, StrikerWay, StrokeSeen
    from vision.sources.recording import RecordingSource
    from vision.watch import Watcher


LONG_HAND_S = 30.0
"""No hand stays over a table for so long: something is taken for one."""


def watch(
    video: Annotated[Path, typer.Argument(help="A recording: MP4, MOV, MKV, AVI.")],
    corners: Corners = None,
    pocket_centres: PocketCentres = None,
    profile: ProfileFile = None,
    pockets: Annotated[
        Path | None,
        typer.Option(metavar="FILE.jsonl", help="What the pocket sensors reported."),
    ] = None,
    side_mm: SideMm = 740.0,
    rate: Annotated[
        float | None,
        typer.Option(
            metavar="HZ",
            min=1,
            max=1000,
            help="How many frames a second were really taken, when the file is wrong "
            "about it (slow motion, raw streams).",
        ),
    ] = None,
    overlay: Annotated[
        Path | None,
        typer.Option(metavar="OUT.mp4", help="Film what was believed, frame by frame."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json/--text", help="JSON lines, or lines for people.")
    ] = True,
) -> None:
    """Find every stroke in a recording: start, first contact, falls, rest."""
    where = Where(corners, pocket_centres, profile, side_mm)
    spare("--overlay", overlay, video, profile, pockets)
    from controller.recorded import Fusion, read_pockets
    from vision.sources.recording import RecordingSource

    reports = read_pockets(pockets) if pockets is not None else ()
    source = RecordingSource(video, rate_hz=rate)
    frames = source.frames()
    first = next(frames)
    watcher = _watcher(first, where)
    fusion = Fusion(watcher.table, reports)
    summary = _Summary(as_json)
    film = None if overlay is None else _Film(overlay, video, watcher)
    for frame in _with_progress(chain([first], frames), source):
        told = watcher.step(frame)
        for observation in told:
            fell = fusion.hear(observation)
            summary.add(observation, fell)
        if film is not None:
            film.add(frame, told)
    if film is not None:
        film.close()
    summary.close(watcher, source, frame.at_s)


class _Film:
    """`--overlay`: the recording with what was believed drawn in."""

    def __init__(self, path: Path, video: Path, watcher: "Watcher") -> None:
        from vision.overlay_film import FilmOverlay, FilmWriter

        self._watcher = watcher
        self._writer = FilmWriter(path)
        self._overlay = FilmOverlay(watcher.table)

    def add(self, frame: "Frame", told: "list[Observation]") -> None:
        """Draw one frame."""
        drawn = self._overlay.draw(frame, self._watcher.belief(), told)
        self._writer.write(drawn, frame.at_s)

    def close(self) -> None:
        """Finish the file."""
        self._writer.close()


def _watcher(first: "Frame", where: Where) -> "Watcher":
    """The watcher for a recording's table, found in its first frame if need be."""
    from math import inf

    from vision.compiled import use_one_core
    from vision.detect import Detector
    from vision.watch import Watcher

    use_one_core()
    known = where.locate(first.image)
    detector = Detector(known.table, known.mapping, empty=known.empty)
    return Watcher(
        known.table, known.mapping, detector, frozen_s=inf, doubt_mm=known.doubt_mm
    )


def _with_progress(
    frames: Iterable["Frame"], source: "RecordingSource"
) -> Iterator["Frame"]:
    """The frames, with a bar on standard error when that is a terminal."""
    from rich.console import Console
    from rich.progress import Progress

    with Progress(
        console=Console(stderr=True), disable=not sys.stderr.isatty(), transient=True
    ) as progress:
        shown = progress.add_task("watching", total=source.duration_s)
        for frame in frames:
            yield frame
            progress.update(shown, completed=frame.at_s)


class Hands:
    """How long something was taken for a hand: no stroke can be seen meanwhile."""

    def __init__(self) -> None:
        self._since_s: float | None = None
        self._long: list[tuple[float, float]] = []

    def see(self, at_s: float, *, present: bool) -> None:
        """A hand came or went."""
        if self._since_s is not None and at_s - self._since_s >= LONG_HAND_S:
            self._long.append((self._since_s, at_s))
        self._since_s = at_s if present else None

    def notes(self, end_s: float) -> list[str]:
        """A line for each time too long to be a hand, up to the recording's end."""
        self.see(end_s, present=False)
        return [
            f"from {since_s:.1f} s to {until_s:.1f} s something was taken for a hand: "
            "strokes in it were not seen; begin the recording with the pieces laid"
            for since_s, until_s in self._long
        ]


class _Summary:
    """Prints a line a stroke and, at the end, one for the whole recording."""

    def __init__(self, as_json: bool) -> None:
        self._as_json = as_json
        self._strokes = 0
        self._fallen = 0
        self._outages: list[dict[str, object]] = []
        self._unexplained: list[dict[str, object]] = []
        self._last: Census | None = None
        self._running_s: float | None = None
        self._hands = Hands()

    def add(
        self, observation: "Observation", fell: "tuple[Fallen, ...] | None"
    ) -> None:
        """Take an observation; `fell` belongs to a finished stroke."""
        from vision.sightings import (
            HandSeen,
            NotWatching,
            StrokeSeen,
            StrokeStarted,
            TableAtRest,
        )

        match observation:
            case StrokeStarted(at_s=at_s):
                self._running_s = at_s
            case StrokeSeen():
                self._running_s = None
                self._strokes += 1
                self._fallen += len(fell or ())
                self._last = observation.rest
                self._print(_stroke_record(observation, fell or ()))
            case TableAtRest(census=census):
                self._note_changes(census)
                self._last = census
            case NotWatching(at_s=at_s, reason=reason):
                self._outages.append({"at_s": round(at_s, 3), "reason": reason})
            case HandSeen(at_s=at_s, present=present):
                self._hands.see(at_s, present=present)
            case _:
                pass

    def _note_changes(self, census: "Census") -> None:
        """Pieces that came or went and belong to no stroke: by hand, or one missed."""
        from calibration.table import Piece

        if self._last is None or census.hidden or self._last.hidden:
            return
        now, then = census, self._last
        changes = {
            p.value: now.count(p) - then.count(p)
            for p in Piece
            if p is not Piece.STRIKER
        }
        came = sum(by for by in changes.values() if by > 0)
        moved = _lying_elsewhere(now, then) - came
        if any(changes.values()) or moved:
            changed = {piece: by for piece, by in changes.items() if by}
            at_s = round(census.at_s, 3)
            self._unexplained.append({"at_s": at_s, "more": changed, "moved": moved})

    def close(
        self, watcher: "Watcher", source: "RecordingSource", end_s: float
    ) -> None:
        """Print the summary; notes about the file go to standard error too."""
        health = watcher.health
        notes = [*source.notes, *self._hands.notes(end_s), *self._open_end()]
        self._print(
            {
                "record": "summary",
                "strokes": self._strokes,
                "fell": self._fallen,
                "frames": health.delivered,
                "frames_still": health.skipped,
                "not_watching": self._outages,
                "unexplained": self._unexplained,
                "notes": notes,
                "rest": None if self._last is None else _rest(self._last),
            }
        )
        for note in notes:
            print(f"carrom: {source.path}: {note}", file=sys.stderr)

    def _open_end(self) -> Iterator[str]:
        """What the recording leaves open."""
        if self._running_s is not None:
            yield f"the stroke begun at {self._running_s:.2f} s was not seen to its end"
        if self._last is None:
            yield "the table was never seen at rest: nothing was counted"
        if self._unexplained:
            times = ", ".join(f"{change['at_s']:.1f}" for change in self._unexplained)
            yield (
                f"the table had changed with no stroke seen at {times} s: by a hand, "
                "or a stroke was missed"
            )

    def _print(self, record: dict[str, object]) -> None:
        print(json.dumps(record) if self._as_json else _as_text(record), flush=True)


def _lying_elsewhere(now: "Census", then: "Census") -> int:
    """How many coins of a census lie where none of their kind lay before."""
    from calibration.table import Piece
    from vision.followed import CENSUS_MM

    return sum(
        not any(
            old.piece is new.piece and old.at.distance_mm(new.at) <= CENSUS_MM
            for old in then.pieces
        )
        for new in now.pieces
        if new.piece is not Piece.STRIKER
    )


def _stroke_record(
    stroke: "StrokeSeen", fell: "tuple[Fallen, ...]"
) -> dict[str, object]:
    contact = stroke.first_contact
    return {
        "record": "stroke",
        "from_s": round(stroke.from_s, 3),
        "to_s": round(stroke.to_s, 3),
        "seat": stroke.seat,
        "start": None if stroke.start is None else [round(v, 2) for v in stroke.start],
        "placement": stroke.placement and stroke.placement.placement,
        "first_contact": contact
        and {
            "piece": contact.piece,
            "at_s": round(contact.at_s, 3),
            "cluster": contact.cluster,
            "behind_base_line": contact.behind,
        },
        "way": stroke.way and _way_record(stroke.way),
        "touched": [
            {"piece": c.piece, "at_s": round(c.at_s, 3)} for c in stroke.touched
        ],
        "fell": [
            {
                "piece": fall.piece,
                "pocket": fall.pocket,
                "at_s": None if fall.at_s is None else round(fall.at_s, 3),
                "confidence": round(fall.confidence, 3),
            }
            for fall in fell
        ],
        "rest": _rest(stroke.rest),
    }


def _way_record(way: "StrikerWay") -> dict[str, object]:
    return {
        "places": [[round(v, 1) for v in place] for place in way.places],
        "direction": way.direction and [round(v, 4) for v in way.direction],
        "back_stroke": way.back,
        "cushions_s": [round(at_s, 3) for at_s in way.cushions_s],
        "struck_again_s": [round(at_s, 3) for at_s in way.again_s],
        "seen_all_the_way": way.whole,
    }


def _rest(census: "Census") -> dict[str, object]:
    from controller.commands.census import pieces_as_dicts

    return {"pieces": pieces_as_dicts(census)}


def _as_text(record: dict[str, object]) -> str:
    if record["record"] == "summary":
        return f"{record['strokes']} strokes, {record['fell']} pieces fell"
    fell = record["fell"]
    assert isinstance(fell, list)
    said = ", ".join(f"{f['piece']} {f['pocket']}" for f in fell) or "nothing fell"
    return f"{record['from_s']:8.2f} s  {record['seat'] or '?':>5}: {said}"
