"""Hands and arms over the table: seen or not, where, and what they do to the count.

Four skin tones, five sleeves and a sixth in the frame's own colour, six poses from
all four sides, four lights: each hand comes, stays and goes before a watcher that
has counted the table without it. Truth is where the arm's bones hide the surface, by
geometry alone. A frame is rated once a hand has covered 1 cm2 of the playing surface
for 0.1 s, or once for 0.25 s no part of it has been over table or frame.

Without a hand: strokes with the hand left out, a leaning player's shadow, a lamp and
a one-sided light that change by 15 %, a cloth over the frame's outer edge, a coin
that goes.

    python bench/hands.py [--every N] [--seed 1]

`--every N` takes each Nth cell of the grid. Exit code 1 when a limit is missed.
"""

import argparse
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from math import inf, pi, sin
from random import Random

import cv2
import numpy as np
from hands_bare import report_bare, without_hands
from hands_stand import OUT, PIECES, RATE_HZ, TABLE, Bench, lying, rest
from numpy.typing import NDArray

from calibration.table import Point, Seat
from controller.simulator.anatomy import FRAME_LIKE, SKINS, SLEEVES, Pose
from controller.simulator.hands import Person, limb
from vision.frames import Image
from vision.sightings import HandSeen, Observation, StrokeSeen, TableAtRest
from vision.sources.rendering_camera import Camera
from vision.sources.rendering_scene import Limb

RIGHT = 0.99
STEP_MM = 5.0
HALF = TABLE.half_mm
SEEN_S = 1.5 / RATE_HZ
"""A piece in tiles that did not change was seen up to the frame before."""
COVERED = 0.6
"""A piece of which a hand hides this share cannot be seen."""
SKIN_NAMES = ("light", "wood-like", "brown", "dark")
SLEEVE_NAMES = ("bare", "black", "white", "wooden", "checked", "frame's")
LIGHTS = ("even", "lamp +-15 %", "noise x2.5", "one-sided")

Grid = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Act:
    """What hands do in one visit: pose, place of the tips, and how they get there."""

    name: str
    pose: Pose
    tip: Point
    lift_mm: float
    hands: int = 1
    sweep_mm: float = 0.0
    """The hand goes to and fro across the table instead of keeping still."""


ACTS = (
    Act("flicks", Pose.FLICK, Point(60.0, -292.0), 1.0),
    Act("reaches", Pose.SPREAD, Point(10.0, 30.0), 25.0),
    Act("picks up", Pose.PINCH, Point(40.0, -180.0), 0.0),
    Act("finger tips", Pose.SPREAD, Point(-120.0, -HALF + 25.0), 24.0),
    Act("two hands", Pose.SPREAD, Point(70.0, -60.0), 15.0, hands=2),
    Act("sweeps", Pose.SPREAD, Point(0.0, -110.0), 12.0, sweep_mm=160.0),
)


@dataclass(frozen=True, slots=True)
class Cell:
    """One visit of the grid."""

    skin: int
    sleeve: int
    act: Act
    light: str
    seat: Seat


@dataclass(slots=True)
class Score:
    """What was counted, for one group of cells."""

    rated: int = 0
    right: int = 0
    missed_s: float = 0.0
    iou: list[float] = field(default_factory=list)
    within: list[float] = field(default_factory=list)
    covered: int = 0
    unsaid: int = 0
    """Frames in which a covered piece was neither hidden nor seen."""
    gone: int = 0
    phantoms: int = 0
    others: int = 0
    """Anything told but hands: strokes, obstructions, changed tables."""

    @property
    def rate(self) -> float:
        """Share of rated frames in which presence was right."""
        return self.right / self.rated if self.rated else 1.0


def cells() -> list[Cell]:
    """The whole grid; the seat changes from cell to cell."""
    seats = list(Seat)
    every = product(range(4), range(6), ACTS, LIGHTS)
    return [
        Cell(skin, sleeve, act, light, seats[(n + n // 4 + n // 24) % 4])
        for n, (skin, sleeve, act, light) in enumerate(every)
    ]


def hidden_ground(limbs: tuple[Limb, ...], camera: Camera, reach_mm: float) -> Grid:
    """Which squares of the surface's plane hands hide, by the bones' outlines."""
    side = np.arange(-reach_mm, reach_mm, STEP_MM, np.float32) + STEP_MM / 2
    x, y = side[None, :], side[:, None]
    hidden = np.zeros((len(side), len(side)), np.bool_)
    fx, fy, high = camera.position_mm
    for a, b in ((bone.start, bone.end) for one in limbs for bone in one.bones):
        (ax, ay, ar), (bx, by, br) = (
            (
                fx + (j.x_mm - fx) * high / (high - j.height_mm),
                fy + (j.y_mm - fy) * high / (high - j.height_mm),
                j.radius_mm * high / (high - j.height_mm),
            )
            for j in (a, b)
        )
        long = max((bx - ax) ** 2 + (by - ay) ** 2, 1e-6)
        t = np.clip(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / long, 0.0, 1.0)
        gap = (x - ax - t * (bx - ax)) ** 2 + (y - ay - t * (by - ay)) ** 2
        hidden |= gap < (ar + t * (br - ar)) ** 2
    return hidden


def visit_tips(act: Act) -> Iterator[tuple[Point, float, Point]]:
    """Tips, lift and velocity in each frame: in from outside, stay, out again."""
    far = Point(act.tip.x_mm + 40.0, -640.0)
    for n in range(6):
        yield (*_between(far, act.tip, n / 6, 40.0, act.lift_mm), Point(0.0, 1800.0))
    for n in range(14):
        sway = act.sweep_mm * sin(2 * pi * n / 14)
        speed = act.sweep_mm * 2 * pi * RATE_HZ / 14 if act.sweep_mm else 0.0
        tremor = 0.4 * (n % 3)
        at = Point(act.tip.x_mm + sway + tremor, act.tip.y_mm + tremor)
        yield at, act.lift_mm, Point(speed, 0.0)
    for n in range(7):
        yield (*_between(act.tip, far, n / 6, act.lift_mm, 40.0), Point(0.0, -1800.0))


def _between(a: Point, b: Point, t: float, za: float, zb: float) -> tuple[Point, float]:
    at = Point(a.x_mm + t * (b.x_mm - a.x_mm), a.y_mm + t * (b.y_mm - a.y_mm))
    return at, za + t * (zb - za)


def limbs_of(cell: Cell, tip: Point, lift_mm: float, way: Point) -> tuple[Limb, ...]:
    """The arms of a visit at one time."""
    person = Person(cell.seat, SKINS[cell.skin], (*SLEEVES, FRAME_LIKE)[cell.sleeve])
    at, velocity = cell.seat.turn(tip), cell.seat.turn(way)
    arms = [limb(person, at, lift_mm, cell.act.pose, velocity=velocity)]
    if cell.act.hands == 2:
        other = cell.seat.turn(Point(-tip.x_mm, tip.y_mm - 30.0))
        arms.append(
            limb(person, other, lift_mm, Pose.FLICK, left=True, velocity=velocity)
        )
    return tuple(arms)


class Visit:
    """One hand's visit, rated frame by frame."""

    def __init__(self, bench: Bench, cell: Cell, told: bool) -> None:
        self.bench, self.cell, self.told = bench, cell, told
        self.score = Score()
        self._covers_s = self._away_s = inf
        self._up = Random(f"{cell}").random() < 0.5

    def run(self) -> Score:
        """The hand comes and goes; then the table is counted again."""
        base = self._spoil(0.0)
        for tip, lift, way in visit_tips(self.cell.act):
            limbs = limbs_of(self.cell, tip, lift, way)
            light = (1.15 if self._up else 0.85) if "lamp" in self.cell.light else 1.0
            seen = self.bench.show(lying(), limbs, light, self._spoil(0.12))
            self._rate(seen, limbs)
        for _ in range(26):
            self._rate(self.bench.show(lying(), spoil=base), ())
        return self.score

    def _spoil(self, more: float) -> Callable[[Image], Image] | None:
        if self.cell.light != "one-sided":
            return None
        factor = self.bench.slope(0.5) * self.bench.slope(more, axis=1)
        return lambda image: self.bench.shade(image, factor)

    def _rate(self, seen: list[Observation], limbs: tuple[Limb, ...]) -> None:
        now_s, score = self.bench.now_s, self.score
        for one in seen:
            self._take(one)
        ground = hidden_ground(limbs, self.bench.camera, OUT)
        edge = round((OUT - HALF) / STEP_MM)
        on_surface = ground[edge:-edge, edge:-edge]
        covers = on_surface.sum() * STEP_MM**2 >= 100.0
        self._covers_s = min(self._covers_s, now_s) if covers else inf
        self._away_s = min(self._away_s, now_s) if not ground.any() else inf
        present = now_s - self._covers_s >= 0.1
        absent = now_s - self._away_s >= 0.25
        if present or absent:
            score.rated += 1
            score.right += self.told is present
        if present:
            self._rate_outline(on_surface)
            self._rate_pieces(ground)

    def _take(self, one: Observation) -> None:
        score = self.score
        match one:
            case HandSeen(present=present):
                self.told = present
            case TableAtRest(census=census) | StrokeSeen(rest=census):
                score.phantoms += max(0, len(census.pieces) - len(PIECES))
                score.gone += max(0, len(PIECES) - len(census.pieces))
                score.others += 1
            case _:
                score.others += 1

    def _rate_outline(self, on_surface: Grid) -> None:
        seen = np.zeros(on_surface.shape, np.uint8)
        for area in self.bench.watcher.belief().hidden:
            corners = (np.array(area.outline) + HALF) / STEP_MM - 0.5
            cv2.fillPoly(seen, [np.rint(corners).astype(np.int32)], 1)
        both = (seen.astype(bool) & on_surface).sum()
        self.score.iou.append(float(both / (seen.astype(bool) | on_surface).sum()))
        self.score.within.append(float(both / on_surface.sum()))

    def _rate_pieces(self, ground: Grid) -> None:
        tracks = self.bench.watcher.belief().tracks
        for piece, at in PIECES:
            if _share(ground, at, TABLE.radius_mm(piece)) < COVERED:
                continue
            self.score.covered += 1
            own = [t for t in tracks if t.piece is piece and at.distance_mm(t.at) < 12]
            if not own:
                self.score.gone += 1
            elif not own[0].hidden and own[0].seen_s < self.bench.now_s - SEEN_S:
                self.score.unsaid += 1


def _share(ground: Grid, at: Point, radius_mm: float) -> float:
    side = np.arange(-OUT, OUT, STEP_MM) + STEP_MM / 2
    inside = np.hypot(*np.meshgrid(side - at.x_mm, side - at.y_mm)) < radius_mm
    return float(ground[inside].mean())


Scores = dict[str, Score]


def add(total: Score, one: Score) -> None:
    """Take one score into another."""
    for name in ("rated", "right", "covered", "unsaid", "gone", "phantoms", "others"):
        setattr(total, name, getattr(total, name) + getattr(one, name))
    total.iou += one.iou
    total.within += one.within


def with_hands(every: int) -> tuple[Scores, Scores]:
    """The grid; scores by group, and by single cell."""
    groups: Scores = defaultdict(Score)
    single: Scores = {}
    chosen = cells()[::every]
    for light in LIGHTS:
        bench = Bench(noise_dn=5.0 if "noise" in light else 2.0)
        told, started = False, False
        for cell in (c for c in chosen if c.light == light):
            visit = Visit(bench, cell, told)
            if not started:
                rest(bench, visit._spoil(0.0))
                started = True
            score = visit.run()
            told = visit.told
            names = (
                "all",
                f"light: {light}",
                f"skin: {SKIN_NAMES[cell.skin]}",
                f"sleeve: {SLEEVE_NAMES[cell.sleeve]}",
                f"pose: {cell.act.name}",
                f"{SKIN_NAMES[cell.skin]} in {SLEEVE_NAMES[cell.sleeve]}",
            )
            for name in names:
                add(groups[name], score)
            name = (
                f"{SKIN_NAMES[cell.skin]} / {SLEEVE_NAMES[cell.sleeve]} / "
                f"{cell.act.name} / {light} / {cell.seat.value}"
            )
            single[name] = score
    return groups, single


def report_hands(groups: Scores, single: Scores) -> bool:
    """Print the grid's figures; whether every limit holds."""
    good = True
    print(f"{'':28}{'frames':>8}{'right':>9}{'IoU':>7}{'inside':>8}", end="")
    print(f"{'covered':>9}{'unsaid':>8}{'gone':>6}{'phantom':>9}{'other':>7}")
    for name, s in groups.items():
        iou, within = (float(np.mean(v)) if v else 0.0 for v in (s.iou, s.within))
        print(f"{name:28}{s.rated:8}{s.rate:9.2%}{iou:7.2f}{within:8.2f}", end="")
        print(f"{s.covered:9}{s.unsaid:8}{s.gone:6}{s.phantoms:9}{s.others:7}")
        good &= s.rate >= RIGHT and not (s.gone or s.phantoms)
    print("\nworst cells:")
    for name, s in sorted(single.items(), key=lambda item: item[1].rate)[:12]:
        print(f"  {name}: {s.rate:.1%} of {s.rated}, gone {s.gone}, other {s.others}")
    return good


def main() -> int:
    """Run, print, and say whether every limit holds."""
    cv2.setNumThreads(1)
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    groups, single = with_hands(chosen.every)
    good = report_hands(groups, single)
    good = report_bare(without_hands(chosen.seed)) and good
    print("every limit holds" if good else "a limit is missed")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
