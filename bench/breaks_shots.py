"""Simulated strokes with their truth, for `bench/breaks.py`: breaks and mid-game.

A break strikes the rack as hands lay it; a mid-game stroke strikes what a break has
left, as a club player would. Everything comes from the seed.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import hypot
from random import Random

from calibration.table import Piece, Point, Seat, Table
from controller.simulator.anatomy import SKINS, SLEEVES
from controller.simulator.beams import Beams
from controller.simulator.hands import Person
from controller.simulator.handwork import Handwork
from controller.simulator.motion import Motion, Pose, Surface
from controller.simulator.phases import Hands, Slide, resting
from controller.simulator.players import Lying, Player, Plight, Shot
from controller.simulator.stage import STRIKER_KEY, Stage
from controller.simulator.truth import Pulse
from vision.sources.rendering_scene import AT_REST, Scene

TABLE = Table()
STILL_S = 0.7
"""The eyes see the table for so long before the hand comes to flick."""
CALM_S = 0.1
"""Before the flick by more than this, only a hand moves."""
AFTER_S = 2.5
"""The eyes must have counted so long after everything is at rest and bare."""
SLOWING_MM_S2 = (500.0, 1000.0)
"""From a fast, well powdered board to a usual one."""
TIGHT_MM = 0.05
TOUCHING_MM = 1.0
"""Coins nearer than this to touching are one cluster."""
MOVED_MM = 3.0
WALL_MM = 3.0
SAMPLE_S = 0.001


@dataclass(slots=True)
class Truth:
    """What really happened in one stroke."""

    at_start: dict[int, Point]
    at_rest: dict[int, Point] = field(default_factory=dict)
    fell: Counter[tuple[Piece, str]] = field(default_factory=Counter)
    contact: tuple[int, float] | None = None
    cluster: frozenset[int] = frozenset()
    """The pieces that touch the first one met, itself included."""
    moved: frozenset[int] = frozenset()
    cushions: int = 0
    along: Point = AT_REST
    """The unit direction in which the striker was struck."""
    behind: bool = False
    """Whether the striker was struck backwards."""
    proper_mm: float = 0.0
    """By how much the striker stood well on its base lines."""

    @property
    def pieces(self) -> Counter[Piece]:
        """How many of each kind fell."""
        kinds: Counter[Piece] = Counter()
        for (piece, _), count in self.fell.items():
            kinds[piece] += count
        return kinds


class Stroke:
    """One stroke at a simulated table, shown frame by frame."""

    def __init__(self, seed: int, *, rack: bool) -> None:
        self._luck = Random(f"{seed}/breaks")
        self._seat = self._luck.choice((Seat.SOUTH, Seat.NORTH))
        self.stage = Stage(TABLE, Random(f"{seed}/pieces"))
        self._hands = Handwork(TABLE, self.stage, Random(f"{seed}/hands"), 1.0)
        self._person = Person(
            self._seat, self._luck.choice(SKINS), self._luck.choice(SLEEVES)
        )
        self._player = Player(TABLE, 0.8, Random(f"{seed}/player"))
        self._slowing = self._luck.uniform(*SLOWING_MM_S2)
        self._lay_rack()
        if not rack:
            self._break_up()
        self._shot = self._chosen(opening=rack)
        self._place(self._shot.start)
        self._beams = Beams(TABLE, Random(f"{seed}/beams"), miss=0, ghost=0, merge_s=0)
        self.kinds = {key: self.stage.kind(key) for key in self.stage.lying}
        self.truth = Truth(dict(self.stage.lying))
        self.flick_s = self.rest_s = 0.0

    def scenes(self, rate_hz: float) -> Iterator[Scene]:
        """What the camera sees; the truth is whole when the last has been given."""
        phase_s = self._luck.random() / rate_hz
        reach, self.flick_s = self._hands.flick(self._person, STILL_S, self._shot)
        slide: Hands | Slide = Hands(self.stage, reach, self.flick_s)
        frame, at_s, end_s = 0, phase_s, self.flick_s
        while at_s < end_s:
            if isinstance(slide, Hands) and at_s >= self.flick_s:
                slide = self._struck(slide)
            if isinstance(slide, Slide):
                self._watch(slide, at_s)
                end_s = self._end_s(slide)
            pieces = slide.pieces(at_s) if at_s > STILL_S else resting(self.stage)
            yield Scene(at_s, pieces, slide.limbs(at_s), nets=self.stage.net_contents())
            calm = at_s < self.flick_s - CALM_S
            frame += 2 if calm else 1
            at_s = phase_s + frame / rate_hz
            end_s = max(end_s, self.flick_s + 0.1)

    def pulses(self, now_s: float) -> tuple[Pulse, ...]:
        """What the pockets' beams have told by now."""
        return self._beams.take(now_s)

    def _lay_rack(self) -> None:
        """Half of the racks as a brisk hand lays them, half packed tight."""
        reach = self._hands.rack(self._person, 0.0)
        for deed in reach.deeds:
            self.stage.do(deed)
        if self._luck.random() < 0.5:
            spread = 1.0 + TIGHT_MM / (2 * TABLE.coin_radius_mm)
            for key, (_, at) in enumerate(TABLE.opening_rack(self._seat)):
                self.stage.lying[key] = Point(at.x_mm * spread, at.y_mm * spread)

    def _place(self, start: Point) -> None:
        reach = self._hands.place_striker(self._person, 0.0, start)
        for deed in reach.deeds:
            self.stage.do(deed)

    def _break_up(self) -> None:
        """Let a break go by unseen, and perhaps another stroke."""
        for _ in range(1 + self._luck.randrange(3)):
            shot = self._chosen(opening=len(self.stage.lying) >= 19)
            self._place(shot.start)
            motion = self._motion(shot)
            motion.advance(60.0)
            for fall in motion.falls:
                self.stage.fell(fall)
            self.stage.settle(motion.poses(motion.now_s))

    def _chosen(self, *, opening: bool) -> Shot:
        lying = tuple(
            Lying(self.stage.kind(key), at)
            for key, at in sorted(self.stage.lying.items())
            if key != STRIKER_KEY
        )
        plight = Plight(
            seat=self._seat,
            side=self._luck.choice((Piece.WHITE, Piece.BLACK)),
            lying=lying,
            own_left=9,
            queen_wanted=True,
            queen_first=False,
            must_cover=False,
            opening=opening,
        )
        return self._player.choose(plight)

    def _motion(self, shot: Shot) -> Motion:
        pieces = {
            key: (self.stage.kind(key), self.stage.pose(key))
            for key in self.stage.lying
        }
        pieces[STRIKER_KEY] = (
            Piece.STRIKER,
            self.stage.pose(STRIKER_KEY, shot.velocity),
        )
        return Motion(TABLE, pieces, Surface(self._slowing))

    def _struck(self, aiming: Hands) -> Slide:
        motion = self._motion(self._shot)
        truth = self.truth
        speed = hypot(*self._shot.velocity)
        truth.along = Point(
            self._shot.velocity.x_mm / speed, self._shot.velocity.y_mm / speed
        )
        away = self._seat.turn_back(self._shot.velocity)
        truth.behind = away.y_mm < 0
        place = TABLE.striker_place(self._seat, self._shot.start, doubt_mm=0.0)
        truth.proper_mm = place.margin_mm
        self._was: dict[int, Pose] = {}
        self._till_s = 0.0
        return Slide(self.stage, self._beams, motion, self.flick_s, aiming.reach)

    def _watch(self, slide: Slide, to_s: float) -> None:
        """Step the physics finely up to a time, keeping the truth."""
        while self._till_s < to_s - self.flick_s and slide.motion.rest_s is None:
            self._till_s = min(self._till_s + SAMPLE_S, to_s - self.flick_s)
            slide.motion.advance(self._till_s)
            poses = slide.motion.poses(self._till_s)
            self._note(poses)
        slide.advance(to_s)
        if slide.motion.rest_s is not None and not self.truth.at_rest:
            self._finish(slide)

    def _note(self, poses: dict[int, Pose]) -> None:
        truth = self.truth
        moved = {
            key
            for key, pose in poses.items()
            if key != STRIKER_KEY
            and pose.at.distance_mm(truth.at_start[key]) > MOVED_MM
        }
        truth.moved |= moved
        was, now = self._was.get(STRIKER_KEY), poses.get(STRIKER_KEY)
        if was is not None and now is not None:
            reach = TABLE.half_mm - TABLE.striker_radius_mm - WALL_MM
            for before, after, place in zip(
                was.velocity, now.velocity, now.at, strict=True
            ):
                truth.cushions += before * after < 0 and abs(place) > reach > 0
        self._was = poses

    def _finish(self, slide: Slide) -> None:
        truth = self.truth
        truth.at_rest = dict(self.stage.lying)
        self.rest_s = slide.rest_s
        for fall in slide.falls:
            truth.fell[self.stage.kind(fall.key), fall.pocket.value] += 1
        if slide.motion.touches:
            key, at_s = slide.motion.touches[0]
            truth.contact = (key, self.flick_s + at_s)
            truth.cluster = self._cluster(key)

    def _cluster(self, key: int) -> frozenset[int]:
        """All coins joined to one by coins that touch (or all but)."""
        joined, edge = {key}, [key]
        reach = 2 * TABLE.coin_radius_mm + TOUCHING_MM
        at = self.truth.at_start
        while edge:
            one = edge.pop()
            for other in at.keys() - joined - {STRIKER_KEY}:
                if at[one].distance_mm(at[other]) < reach:
                    joined.add(other)
                    edge.append(other)
        return frozenset(joined)

    def _end_s(self, slide: Slide) -> float:
        end_s = slide.end_s
        return float("inf") if end_s is None else end_s + AFTER_S
