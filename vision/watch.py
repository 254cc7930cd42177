"""Watches the table: frames in, observations out.

Theory of operation. `step` is pure: time comes with the frames. Each frame passes
the tile gate; on a still table that is all. Otherwise hands are looked for, pieces
are followed, and the present phase goes on:

    UNSURE   what lies on the table has to be counted: at the first look, after a
             hand, after any motion without a stroke, after an outage
    RESTING  the last count stands
    STROKE   the striker led; pieces move or have not been counted since

A count needs a still table, no hand, and two censuses that agree. What follows from
it depends on the phase it ends: a stroke is told with the census before and after,
anything else as a table at rest, if it changed at all. While a hand delays the count,
what came to rest is kept (`vision.settling`): a count that differs from it is told
apart from the stroke. When the next stroke begins before the last could be counted
(a hand never left), that stands in for the census and its hidden parts are said.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum, auto
from math import inf

import numpy as np

from calibration.plane import PlaneMapping
from calibration.table import Piece, Point, Table
from vision.background import Background
from vision.counting import Count, census_of, changed
from vision.detect import Detector
from vision.followed import Followed
from vision.frames import Frame
from vision.hand_watch import HandWatch
from vision.hands import Hands, HandView
from vision.lessons import Lessons
from vision.outages import Outages
from vision.place import Moved, Place
from vision.reckoning import counted_stroke, stroke_seen
from vision.settling import as_sighting, settled
from vision.setup import Known
from vision.sightings import (
    Belief,
    CameraMoved,
    Census,
    NotWatching,
    Observation,
    StrokeStarted,
    TableAtRest,
    Track,
    Vanished,
    WatchingAgain,
)
from vision.stillness import Stillness, TileGate
from vision.strike import Beginnings
from vision.stroke import (
    FINGER_DOUBT_MM,
    RunningStroke,
    census_doubt_mm,
    seat_of,
)
from vision.tiles import Mask, Plane, Tiles
from vision.track import Glance, Tracker

QUIET_S = 0.3
"""Nothing has moved for this long: at 30 mm/s friction stops a piece in 30 ms."""
RESTLESS_S = 1.5
"""Pieces still for this long are at rest though something shades the table."""
DOUBT_TILES = 2
"""A change of fewer tiles is noise; any piece covers at least two."""
SHADOW_MM = 14.0
"""A piece's shadow reaches this far beyond its rim."""
IN_PLACE_MM = 0.4
"""A camera back within this is back in its place."""
TOUCH_SLACK_MM = 3.0
SAME_START_MM = 6.0
"""A fit beside a finger may be off this much."""


class Phase(Enum):
    """What the watcher is waiting for."""

    UNSURE = auto()
    RESTING = auto()
    STROKE = auto()


@dataclass(frozen=True, slots=True)
class WatchHealth:
    """How many frames came in, were worked on, and needed nothing."""

    delivered: int
    processed: int
    skipped: int
    watching: bool


class Watcher:
    """The eyes' memory of one table; feed it each frame of one camera in order."""

    def __init__(
        self,
        table: Table,
        mapping: PlaneMapping,
        detector: Detector,
        *,
        gap_s: float = 1.0,
        frozen_s: float = 0.5,
        doubt_mm: float = 0.0,
        known: Known | None = None,
    ) -> None:
        """`detector` is for the same table and mapping; it learns colours here.

        `gap_s` and `frozen_s` say when missing or repeated frames are an outage:
        infinity for a feed that leaves out frames of a still table, or compresses.
        `doubt_mm` is how far the calibration may put a striker off its lines, `known`
        what the record can tell eyes that start in mid-board.
        """
        self.table = table
        self._doubt_mm = census_doubt_mm(doubt_mm)
        self._detector = detector
        self._lessons = Lessons(detector, known or Known())
        self._place = Place(table, mapping, detector.empty)
        self._tiles = Tiles.around(table, mapping)
        self._gate = TileGate(self._tiles)
        self._hands = Hands(table, mapping, self._tiles)
        self._background = Background(self._tiles, self._hands.surface, detector.empty)
        self._tracker = Tracker(table, mapping, detector, self._tiles)
        self._outages = Outages(gap_s, frozen_s)
        self._beginnings = Beginnings(self._tracker)
        self._begun_s = -inf
        self._pieces_still = Stillness(QUIET_S)
        self._picture_still = Stillness(QUIET_S)
        self._count = Count()
        self._phase = Phase.UNSURE
        self._stroke: RunningStroke | None = None
        self._before: Census | None = None
        self._hand_watch = HandWatch()
        self._view = HandView(False, np.zeros(self._tiles.shape, np.bool_))
        self._tell_anyway = False
        self._delivered = self._processed = 0

    @property
    def health(self) -> WatchHealth:
        """Counts since the start; skipped frames showed a still table."""
        skipped = self._delivered - self._processed
        lost = self._hand_watch.obstructed or self._place.far
        watching = self._outages.reason is None and not lost
        return WatchHealth(self._delivered, self._processed, skipped, watching)

    @property
    def tracks(self) -> tuple[Track, ...]:
        """Every piece as it is held to be now."""
        return self._tracker.tracks

    def belief(self) -> Belief:
        """What is held to be so now, for live pictures; the law uses censuses."""
        hidden = self._hands.hidden(self._view.mask)
        return Belief(self._tracker.tracks, hidden, self._detector.mapping)

    def step(self, frame: Frame) -> list[Observation]:
        """Take one frame; what it shows that was not known before."""
        self._delivered += 1
        plane = self._tiles.plane(frame.image)
        fired = self._gate.fired(plane)
        told: list[Observation] = list(
            self._outages.judge(
                frame.at_s,
                plane,
                same_frames=self._gate.same_frames,
                still=not self._gate.count,
            )
        )
        if any(isinstance(t, NotWatching) for t in told):
            self._lose_sight()
            self._hands.forget_surface()
        if self._outages.reason is None and self._has_work():
            self._processed += 1
            told += self._work(frame, plane, fired)
        else:
            self._tracker.pass_over(frame.at_s)
        return told

    def _has_work(self) -> bool:
        if self._hand_watch.over_table or self._place.unsure:
            return True
        return self._phase is not Phase.RESTING or self._gate.count > 0

    def _work(self, frame: Frame, plane: Plane, fired: Mask) -> list[Observation]:
        at_s = frame.at_s
        if self._gate.count:
            explained = self._tracker.explained(SHADOW_MM)
            resting = self._tracker.lain_on(SHADOW_MM)
            self._view = self._hands.look(
                frame.image, plane, explained, resting, self._gate.usual
            )
        glance = Glance(frame.image, at_s, fired, self._view.mask)
        fallen = self._tracker.follow(glance)
        self._gate.accept(plane, fired)
        told: list[Observation] = self._tell_moved(frame)
        if self._place.far:
            return told
        told += self._tell_hands(at_s)
        told += self._tell_stroke_begun(at_s, fallen)
        if self._stroke is not None:
            hand = self._beginnings.hand_at_striker(self._view.mask)
            self._stroke.vanished += fallen
            self._stroke.note(self._tracker.followed, at_s, hand=hand)
            told += fallen
        still = self._is_still(at_s)
        if self._stroke is not None and self._stroke.settled is not None:
            self._stroke.delayed |= self._view.present
        if still:
            told += self._count_pieces(frame, plane)
        return told

    def _tell_moved(self, frame: Frame) -> list[Observation]:
        """Follow a camera that moved a little; say so when it moved too far."""
        if self._tracker.moving(frame.at_s):
            return []
        moved = self._place.look(frame.image, frame.at_s)
        return [] if moved is None else self._follow(moved, frame.at_s)

    def _follow(self, moved: Moved, at_s: float) -> list[Observation]:
        running = self._stroke is not None
        self._lose_sight()
        by = f"the camera has moved by {moved.shift_mm:.0f} mm"
        if moved.far:
            return [NotWatching(at_s, f"{by}: put it back or calibrate again")]
        self._detector.follow(moved.drift)
        mapping = self._detector.mapping
        self._tracker.look_through(mapping)
        self._hands.follow(mapping, moved.step)
        self._background.renew(self._detector.empty)
        self._gate.forget()
        aside = moved.shift_mm > IN_PLACE_MM
        told: list[Observation] = [CameraMoved(at_s, moved.shift_mm)] if aside else []
        if running:
            told.append(NotWatching(at_s, f"{by} during a stroke"))
        if running or moved.back:
            told.append(WatchingAgain(at_s))
        return told

    def _tell_hands(self, at_s: float) -> list[Observation]:
        """Say when a hand came or left; a visit makes the last count unsure."""
        present = self._view.present
        told: list[Observation] = []
        if (hand := self._hand_watch.hand(at_s, present)) is not None:
            told.append(hand)
            if hand.present:
                self._doubt()
        moving = self._gate.count > 0
        share = float(self._view.mask[self._hands.surface].mean())
        thing = self._hand_watch.obstruction(at_s, present, moving, share)
        if thing is not None:
            told.append(thing)
            if isinstance(thing, NotWatching):
                self._lose_sight()
        return told

    def _tell_stroke_begun(
        self, at_s: float, fallen: Sequence[Vanished]
    ) -> list[Observation]:
        begun = self._beginnings.struck(at_s, fallen, self._view.mask)
        if begun is None or begun[1].at_s <= self._begun_s:
            return []
        striker, struck = begun
        if seat_of(struck.at, self.table) is None:
            return []
        if self._stroke is not None and self._stroke.settled is None:
            return []
        told, later = self._close_unseen(struck.at_s)
        table = self.table
        touch = table.striker_radius_mm + table.coin_radius_mm + TOUCH_SLACK_MM
        start, doubt_mm = self._start_of(struck.at)
        before = self._beginnings.way_between(struck.at_s, at_s)
        self._stroke = RunningStroke(struck.at_s, start, touch, doubt_mm, before, later)
        self._begun_s = struck.at_s
        self._before = self._with_striker(striker, start)
        self._phase = Phase.STROKE
        self._count = Count()
        return [*told, StrokeStarted(struck.at_s, start)]

    def _start_of(self, left_at: Point) -> tuple[Point, float]:
        """Where the striker lay, and how far off that may be.

        By the last census, when it had it there: a census has no finger beside the
        striker; a fit just before the flick has.
        """
        pieces = self._before.pieces if self._before is not None else ()
        lay = [s.at for s in pieces if s.piece is Piece.STRIKER]
        for at in lay:
            if at.distance_mm(left_at) < SAME_START_MM:
                return at, self._doubt_mm
        return left_at, FINGER_DOUBT_MM

    def _is_still(self, at_s: float) -> bool:
        """Whether pieces, and the picture unless only shadows play, are at rest."""
        moving = self._tracker.moving(at_s)
        if moving:
            self._count = Count()
        if moving or self._gate.count >= DOUBT_TILES:
            self._doubt()
        pieces = self._pieces_still.at_rest(at_s, moving=moving)
        picture = self._picture_still.at_rest(at_s, moving=self._gate.count > 0)
        # Before anything was counted nobody knows a hand from the table's own picture.
        counted = self._before is not None
        restless = counted and at_s - self._pieces_still.moved_at_s > RESTLESS_S
        still = pieces and (picture or restless or self._hand_watch.over_table)
        if still:
            self._keep_places(at_s)
        return still

    def _keep_places(self, at_s: float) -> None:
        """Keep what lies there at the end of a stroke, before hands change it."""
        stroke, hand = self._stroke, self._view.present
        if stroke is None:
            return
        if stroke.settled is None or not (hand or stroke.delayed):
            hidden = self._hands.hidden(self._view.mask)
            stroke.settled = settled(self._tracker, at_s, hidden)

    def _doubt(self) -> None:
        if self._phase is Phase.RESTING:
            self._phase = Phase.UNSURE
            self._count = Count()

    def _lose_sight(self) -> None:
        """A stroke that ran is lost; what lies there then is told in any case."""
        self._stroke = None
        self._phase = Phase.UNSURE
        self._count = Count()
        self._tell_anyway = True

    def _count_pieces(self, frame: Frame, plane: Plane) -> list[Observation]:
        hand = self._hand_watch.over_table or self._view.present
        if hand or self._phase is Phase.RESTING or not self._count.due(frame.at_s):
            return []
        census = self._count.take(census_of(self._detector, self.table, frame))
        if census is None:
            return []
        if self._lessons.disproved(frame.image, census):
            self._count = Count()
            return []
        learned = self._lessons.learn(frame.image, census)
        gone = self._tracker.settle(census)
        held = self._tracker.explained(SHADOW_MM)
        self._hands.learn(frame.image, plane, held)
        self._place.learn(frame.image)
        self._background.learn(frame.image, self._hands.surface & ~held)
        if (empty := self._background.whole) is not None:
            self._detector.renew_empty(empty)
        self._gate.accept(plane, np.ones(self._tiles.shape, np.bool_))
        return [*learned, *self._conclude(census, gone)]

    def _conclude(self, census: Census, gone: Sequence[Followed]) -> list[Observation]:
        """What an agreed census ends: a stroke, a hand's visit, or nothing."""
        before, self._before = self._before, census
        stroke, self._stroke = self._stroke, None
        self._phase = Phase.RESTING
        self._count = Count()
        if stroke is not None:
            return counted_stroke(stroke, self.table, before, census, gone)
        tell_anyway, self._tell_anyway = self._tell_anyway, False
        if before is None or tell_anyway or changed(before, census):
            return [TableAtRest(census)]
        return []

    def _close_unseen(self, until_s: float) -> tuple[list[Observation], list[Vanished]]:
        """End a stroke that was never counted, and falls that the next one made.

        What came to rest stands for the census.
        """
        stroke, self._stroke = self._stroke, None
        if stroke is None or stroke.settled is None:
            return [], []
        later = [v for v in stroke.vanished if v.at_s > until_s]
        stroke.end(stroke.settled.at_s)
        rest = stroke.settled.census
        told = stroke_seen(stroke, self.table, self._before, rest, ())
        self._before = rest
        return [told], later

    def _with_striker(self, striker: Followed, start: Point) -> Census | None:
        """The last census, the striker where the stroke found it."""
        if self._before is None:
            return None
        others = [s for s in self._before.pieces if s.piece is not Piece.STRIKER]
        placed = replace(as_sighting(self._tracker, striker), at=start)
        return replace(self._before, pieces=(*others, placed))
