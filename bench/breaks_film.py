"""Strokes filmed for `bench/breaks.py`: through the eyes and the observer.

Each stroke is weighed twice: by the eyes alone, and with the pocket reports as in
play, over the simulated node's real wire.
"""

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import inf

from breaks_shots import TABLE, Stroke

from calibration.table import Piece, Point
from controller.events import Counts, Elapsed, Evidence, PocketReport, PocketState
from controller.observer import Finding, Observer, StrokeDone, Unclear, observe
from controller.pockets.link import PocketLink
from controller.pockets.simulated import SimulatedNode, exchange, looks_like
from controller.simulator.calibrated import mapping_of
from controller.trust import Trust
from vision.colours import PieceColours
from vision.detect import Detector
from vision.frames import Frame
from vision.sightings import StrikerWay, StrokeSeen, TableAtRest, Track
from vision.sources.rendered import Look, Renderer
from vision.sources.rendering_camera import Camera
from vision.watch import Watcher

NEAR_MM = 8.0
LINK_EVERY_S = 0.05


@dataclass(slots=True)
class Weighed:
    """The observer with one choice of sources, and what it made of a stroke."""

    observer: Observer
    found: list[Finding] = field(default_factory=list)
    entries: int = 0

    def hear(self, evidence: Evidence, book: Counts) -> None:
        """Take evidence, as the session would."""
        self.entries += 1
        self.observer, found = observe(self.observer, self.entries, evidence, book)
        self.found += found

    def verdict(self, truth: Counter[Piece]) -> str:
        """`right`, `asked` or `silent`."""
        done = [f for f in self.found if isinstance(f, StrokeDone)]
        if any(isinstance(f, Unclear) for f in self.found):
            return "asked"
        if len(done) != 1:
            return "silent"
        said = Counter(fallen.piece for fallen in done[0].facts.fell)
        return "right" if said == truth else "silent"


@dataclass(slots=True, kw_only=True)
class Seen:
    """One stroke as it was seen, beside how it was."""

    seed: int
    stroke: Stroke
    seen: StrokeSeen | None
    eyes: str
    fused: str
    names: tuple[int, int]
    """Pieces whose track kept its name, of all."""
    cpu_ms: list[float]
    sides: tuple[Weighed, Weighed]

    @property
    def way(self) -> StrikerWay | None:
        """The striker's way as it was seen."""
        return None if self.seen is None else self.seen.way


class Studio:
    """One camera's look and the eyes behind it, used for stroke after stroke."""

    def __init__(self, exposure_s: float) -> None:
        self._camera = Camera.overhead()
        self._renderer = Renderer(TABLE, self._camera, look=Look(exposure_s=exposure_s))
        self._mapping = mapping_of(self._camera, TABLE)
        self._colours = self._learned()

    def watcher(self) -> Watcher:
        """Fresh eyes that have the table's colours from its board's opening."""
        detector = Detector(
            TABLE,
            self._mapping,
            empty=self._renderer.empty(),
            colours=self._colours,
        )
        return Watcher(TABLE, self._mapping, detector, gap_s=inf, frozen_s=inf)

    def film(
        self, seed: int, rate_hz: float, *, rack: bool, gap_s: float = 0.0
    ) -> Seen:
        """Show one stroke to the eyes and weigh what they tell.

        From the strike on they look at pictures that are `gap_s` apart.
        """
        stroke = Stroke(seed, rack=rack)
        watcher, sensors = self.watcher(), _Pockets(stroke)
        book = _book(stroke)
        sides = Weighed(_observer()), Weighed(_observer())
        told = []
        first: tuple[Track, ...] = ()
        cpu_ms = []
        counted = False
        looked_s = -inf
        for number, scene in enumerate(stroke.scenes(rate_hz)):
            late = scene.at_s > stroke.flick_s - gap_s
            if late and scene.at_s < looked_s + gap_s - 1e-6:
                continue
            looked_s = scene.at_s
            image = self._renderer.render(scene, number)
            began_s = time.thread_time()
            now = watcher.step(Frame(scene.at_s, number, image))
            if stroke.flick_s and scene.at_s > stroke.flick_s:
                cpu_ms.append(1e3 * (time.thread_time() - began_s))
            told += now
            for one in now:
                for side in sides:
                    side.hear(one, book)
            for report in sensors.until(scene.at_s):
                sides[1].hear(report, book)
            for side in sides:
                wake_s = side.observer.wake_s
                if wake_s is not None and scene.at_s >= wake_s:
                    side.hear(Elapsed(scene.at_s), book)
            if any(isinstance(one, TableAtRest) for one in now) and not first:
                first = watcher.belief().tracks
            counted = counted or any(isinstance(one, StrokeSeen) for one in now)
            if counted and all(side.observer.held is None for side in sides):
                break
        seen = [one for one in told if isinstance(one, StrokeSeen)]
        truth = stroke.truth
        return Seen(
            seed=seed,
            stroke=stroke,
            seen=seen[0] if len(seen) == 1 else None,
            eyes=sides[0].verdict(truth.pieces),
            fused=sides[1].verdict(truth.pieces),
            names=_names(stroke, first, watcher.belief().tracks),
            cpu_ms=cpu_ms,
            sides=sides,
        )

    def _learned(self) -> PieceColours | None:
        """The colours a watcher learns from a rack at rest."""
        detector = Detector(TABLE, self._mapping, empty=self._renderer.empty())
        watcher = Watcher(TABLE, self._mapping, detector, gap_s=inf, frozen_s=inf)
        for number, scene in enumerate(Stroke(0, rack=True).scenes(30.0)):
            if watcher.step(Frame(scene.at_s, number, self._renderer.render(scene, 0))):
                break
        return detector.colours


class _Pockets:
    """The simulated node, its line, and the host's link."""

    def __init__(self, stroke: Stroke) -> None:
        self._stroke = stroke
        self._node, self._link = SimulatedNode(), PocketLink()
        self._link.opened()
        self._at_s = 0.0

    def until(self, to_s: float) -> Iterator[PocketReport | PocketState]:
        """What is heard up to a time."""
        while self._at_s < to_s:
            self._at_s = min(self._at_s + LINK_EVERY_S, to_s)
            for pulse in self._stroke.pulses(self._at_s):
                looks = looks_like(pulse.reach_mm)
                self._node.pulse(pulse.pocket, pulse.at_s, pulse.width_us, looks)
            for heard in exchange(self._node, self._link, self._at_s):
                if isinstance(heard, PocketReport | PocketState):
                    yield heard
                if isinstance(heard, PocketReport):
                    self._link.acknowledge(heard)


def _observer() -> Observer:
    return Observer(table=TABLE, trust=Trust())


def _book(stroke: Stroke) -> Counts:
    return Counts.of(k for k in stroke.kinds.values() if k is not Piece.STRIKER)


def _names(
    stroke: Stroke, first: Sequence[Track], last: Sequence[Track]
) -> tuple[int, int]:
    """How many pieces have at rest the track they had at the start, and of how many.

    One that fell has kept its name when its track is gone.
    """
    truth = stroke.truth
    begun = {key: _track_at(at, first) for key, at in truth.at_start.items()}
    ended = {key: _track_at(at, last) for key, at in truth.at_rest.items()}
    alive = {track.id for track in last}
    kept = 0
    for key, name in begun.items():
        if key in truth.at_rest:
            kept += name is not None and ended[key] == name
        else:
            kept += name not in alive
    return kept, len(begun)


def _track_at(at: Point, tracks: Sequence[Track]) -> int | None:
    near = min(tracks, key=lambda t: t.at.distance_mm(at), default=None)
    return near.id if near is not None and near.at.distance_mm(at) < NEAR_MM else None
