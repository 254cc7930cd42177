"""Thousands of falls through the node's real image in the emulator.

Coins, pairs of coins that touch, and strikers fall through four pockets at once, at
0.3 to 3 m/s, accelerated anything from not at all to freely, tilted, off the beam's
middle, light and dark, down to 15 ms behind each other. The host's own link hears the
node and maps its clock. Every piece must be reported once and in order, its time good
to 1 ms, no sample missed; a piece on edge (tilted by up to 35 degrees) must be named
rightly in 99 of 100 falls. One that tumbles by more shows too little of itself to be
told from others: it may be `unsure`, and is counted apart.

    python bench/falls.py [--falls 10000] [--processes 2] [--seed 1]

Exit code 1 when a figure is missed.
"""

import argparse
import math
import random
import sys
from collections import Counter, deque
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from calibration.table import Pocket
from controller.events import Looks, PocketReport
from controller.pockets.link import PocketLink
from firmware.emulator.emulator import Emulator, Fall, build, missing

SPACING_MM = 10.0
THROAT_MM = 44.5
SLICE_US = 500.0
GAP_US = (15_000.0, 150_000.0)
ON_EDGE_DEG = 35.0
TUMBLING = 0.1
"""Part of the pieces that are tilted by more."""
LATE_US = 200_000.0
"""After this long a piece that was not reported is missing."""


@dataclass(frozen=True, slots=True)
class Passage:
    """What passes a pocket as one: a piece, or two coins that touch."""

    pieces: tuple[Fall, ...]
    looks: Looks

    @property
    def broke_us(self) -> float:
        """When its front covers half of the beam."""
        first = self.pieces[0]
        return first.at_us + _takes_us(first, SPACING_MM + _late_mm(first), SPACING_MM)

    @property
    def whole_us(self) -> float:
        """When its end uncovers it."""
        last = self.pieces[-1]
        way = SPACING_MM + 2 * _reach_mm(last, 0) - _late_mm(last)
        return last.at_us + _takes_us(last, way, SPACING_MM)

    @property
    def over_spot_us(self) -> tuple[float, float]:
        """When it comes to the light spot above the beam, and when it leaves it."""
        first, last = self.pieces[0], self.pieces[-1]
        comes = first.at_us - _takes_us(first, SPACING_MM, 0)
        goes = last.at_us + _takes_us(last, 2 * _reach_mm(last, 0), SPACING_MM)
        return comes, goes

    @property
    def on_edge(self) -> bool:
        return self.pieces[0].tilt_deg <= ON_EDGE_DEG


def _reach_mm(fall: Fall, offset_mm: float) -> float:
    """Half of how far a piece reaches along its way, beside its middle."""
    tilt = math.radians(fall.tilt_deg)
    chord = math.sqrt((fall.diameter_mm / 2) ** 2 - offset_mm**2)
    return math.cos(tilt) * chord + math.sin(tilt) * fall.thick_mm / 2


def _late_mm(fall: Fall) -> float:
    """How much later than its foremost point the beam meets a piece."""
    return _reach_mm(fall, 0) - _reach_mm(fall, fall.offset_mm)


def _takes_us(fall: Fall, to_mm: float, from_mm: float) -> float:
    """How long its front takes between two distances below the spot."""

    def seconds(way_mm: float) -> float:
        v, g = fall.speed_mm_s, fall.g_mm_s2
        if g < 1:
            return way_mm / v
        return (math.sqrt(v * v + 2 * g * way_mm) - v) / g

    return (seconds(to_mm) - seconds(from_mm)) * 1e6


def passages(chance: random.Random, pocket: int, from_us: float) -> Iterator[Passage]:
    """One after the other through one pocket, without end.

    The gap between two is kept at the beam and at the spot: pieces of different
    speeds would else pass through each other.
    """
    beam_free_us = spot_free_us = from_us
    while True:
        looks = chance.choices(
            [Looks.ONE_COIN, Looks.STRIKER, Looks.TWO_COINS], [5, 3, 2]
        )[0]
        passage = _passage(chance, pocket, looks)
        gap_us = chance.uniform(*GAP_US)
        shift_us = gap_us + max(
            beam_free_us - passage.broke_us, spot_free_us - passage.over_spot_us[0]
        )
        pieces = tuple(_at(piece, piece.at_us + shift_us) for piece in passage.pieces)
        passage = Passage(pieces, looks)
        beam_free_us, spot_free_us = passage.whole_us, passage.over_spot_us[1]
        yield passage


def _passage(chance: random.Random, pocket: int, looks: Looks) -> Passage:
    striker = looks is Looks.STRIKER
    tumbling = chance.random() < TUMBLING and looks is not Looks.TWO_COINS
    diameter_mm = chance.uniform(*((40.5, 41.3) if striker else (30.2, 31.8)))
    room_mm = (THROAT_MM - diameter_mm) / 2
    dark = chance.random() < 0.5
    piece = Fall(
        pocket=pocket,
        at_us=0.0,
        diameter_mm=diameter_mm,
        thick_mm=chance.uniform(*((8.0, 10.0) if striker else (7.0, 9.0))),
        tilt_deg=chance.uniform(*((35.0, 85.0) if tumbling else (0.0, ON_EDGE_DEG))),
        offset_mm=chance.uniform(-room_mm, room_mm),
        speed_mm_s=math.exp(chance.uniform(math.log(300), math.log(3000))),
        g_mm_s2=chance.uniform(0, 9810),
        albedo=chance.uniform(*((0.08, 0.2) if dark else (0.3, 0.8))),
        slope=chance.uniform(-0.15, 0.15),
    )
    if looks is not Looks.TWO_COINS:
        return Passage((piece,), looks)
    behind_mm = 2 * _reach_mm(piece, piece.offset_mm) * chance.uniform(0.75, 1.0)
    second = _at(piece, _takes_us(piece, SPACING_MM + behind_mm, SPACING_MM))
    return Passage((piece, second), looks)


def _at(piece: Fall, at_us: float) -> Fall:
    values = {name: getattr(piece, name) for name in piece.__slots__}
    return Fall(**{**values, "at_us": at_us})


@dataclass(slots=True)
class Outcome:
    """What became of the falls of one node."""

    passed: int = 0
    missing: int = 0
    extra: int = 0
    overruns: int = 0
    damaged: int = 0
    errors_us: list[float] = field(default_factory=list)
    named: Counter[tuple[bool, str, str]] = field(default_factory=Counter)
    simulated_s: float = 0.0

    def add(self, other: "Outcome") -> None:
        """Take another node's outcome in."""
        self.passed += other.passed
        self.missing += other.missing
        self.extra += other.extra
        self.overruns += other.overruns
        self.damaged += other.damaged
        self.errors_us += other.errors_us
        self.named += other.named
        self.simulated_s += other.simulated_s


class Session:
    """One emulated node, the host's link to it, and what is on its way."""

    def __init__(self, emulator: Emulator, seed: int) -> None:
        self.emulator = emulator
        self.link = PocketLink()
        self.link.opened()
        self.outcome = Outcome()
        self._awaited: list[deque[Passage]] = [deque() for _ in Pocket]
        self._chance = random.Random(seed)
        self._now_us = 0.0

    def run(self, falls: int) -> Outcome:
        """Let so many passages fall and be reported."""
        while not self.link.health.up or self._now_us < 3e6:
            self._slice()
        coming = [passages(self._chance, n, self._now_us + 50_000) for n in range(4)]
        ahead = [next(one) for one in coming]
        started = 0
        while started < falls or any(self._awaited):
            for n, one in enumerate(coming):
                if started < falls and ahead[n].broke_us < self._now_us + 300_000:
                    self._let_fall(n, ahead[n])
                    ahead[n] = next(one)
                    started += 1
            self._slice()
        self.outcome.passed = started
        health = self.link.health
        self.outcome.overruns = health.node_overruns
        self.outcome.damaged = health.damaged + health.node_damaged
        self.outcome.simulated_s = self._now_us / 1e6
        return self.outcome

    def _let_fall(self, pocket: int, passage: Passage) -> None:
        for piece in passage.pieces:
            self.emulator.fall(piece)
        self._awaited[pocket].append(passage)

    def _slice(self) -> None:
        self.emulator.send(self.link.to_send(self._now_us / 1e6))
        self._now_us += SLICE_US
        data = self.emulator.run_to(self._now_us)
        for heard in self.link.receive(data, self._now_us / 1e6):
            if isinstance(heard, PocketReport):
                self._report(heard)
                self.link.acknowledge(heard)
        for awaited in self._awaited:
            while awaited and awaited[0].whole_us + LATE_US < self._now_us:
                awaited.popleft()
                self.outcome.missing += 1

    def _report(self, report: PocketReport) -> None:
        awaited = self._awaited[list(Pocket).index(report.pocket)]
        if not awaited or awaited[0].whole_us > self._now_us:
            self.outcome.extra += 1
            return
        passage = awaited.popleft()
        self.outcome.errors_us.append(report.at_s * 1e6 - passage.broke_us)
        self.outcome.named[passage.on_edge, passage.looks, report.looks] += 1


def one_node(images: Path, falls: int, seed: int) -> Outcome:
    """So many falls through one node."""
    with Emulator(images, seed=seed) as emulator:
        return Session(emulator, seed).run(falls)


def main() -> int:
    """Run, print, and say whether every figure was met."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--falls", type=int, default=10_000)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    if lacking := missing():
        print(f"falls: {lacking}", file=sys.stderr)
        return 2
    images = build()
    parts = 4 * chosen.processes
    share = math.ceil(chosen.falls / parts)
    outcome = Outcome()
    with ProcessPoolExecutor(chosen.processes) as pool:
        seeds = [chosen.seed * 1000 + n for n in range(parts)]
        for part in pool.map(one_node, [images] * parts, [share] * parts, seeds):
            outcome.add(part)
    return report(outcome)


def report(outcome: Outcome) -> int:
    """Print an outcome; 0 when every figure was met."""
    errors = sorted(abs(error) for error in outcome.errors_us)
    print(f"{outcome.passed} passages in {outcome.simulated_s:.0f} simulated seconds")
    print(f"missing {outcome.missing}, extra {outcome.extra}")
    print(f"missed samples {outcome.overruns}, damaged frames {outcome.damaged}")
    print(
        f"time error: p50 {errors[len(errors) // 2]:.0f} us, "
        f"p99 {errors[len(errors) * 99 // 100]:.0f} us, worst {errors[-1]:.0f} us"
    )
    good = not (outcome.missing or outcome.extra or outcome.overruns)
    good = good and errors[-1] <= 1000
    for on_edge in (True, False):
        print("on edge:" if on_edge else "tumbling:")
        for looks in (Looks.ONE_COIN, Looks.TWO_COINS, Looks.STRIKER):
            good = _line(outcome, on_edge, looks) and good
    print("every figure met" if good else "a figure was missed")
    return 0 if good else 1


def _line(outcome: Outcome, on_edge: bool, looks: Looks) -> bool:
    """Print how pieces of one kind were named; whether that is good enough."""
    named = {name: outcome.named[on_edge, looks, name] for name in Looks}
    count = sum(named.values())
    if not count:
        return True
    right, unsure = named[looks], named[Looks.UNSURE]
    wrong = count - right - unsure
    print(
        f"  {looks:10} {count:6}: right {right / count:7.2%}, "
        f"unsure {unsure / count:7.2%}, wrong {wrong / count:7.2%}"
    )
    return not on_edge or right >= 0.99 * count


if __name__ == "__main__":
    sys.exit(main())
