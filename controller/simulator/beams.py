"""The light beams in the simulated pockets: falls become pulses, faults included."""

from bisect import insort
from math import cos, radians, sin
from random import Random

from calibration.table import Piece, Pocket, Table
from controller.simulator.truth import Pulse

FALL_SPEED_MM_S = 1450.0
"""How fast a piece passes the beam: a coin darkens it for about 22 ms."""
BELOW_S = 0.045
"""From being caught to the beam."""
STRAY = 0.03
"""How much speed and time below differ from fall to fall (1 sigma)."""
TILT_DEG = 20.0
"""How far pieces tilt on their way down (1 sigma): of strikers, 2 in 100 so far that
the node cannot name them."""
GHOST_US = (4_000, 30_000)
"""How long a false pulse darkens the beam."""


class Beams:
    """Collects what the four pockets' sensors would tell, in order of time."""

    def __init__(
        self, table: Table, random: Random, *, miss: float, ghost: float, merge_s: float
    ) -> None:
        self._table = table
        self._random = random
        self._miss, self._ghost, self._merge_s = miss, ghost, merge_s
        self._pulses: list[Pulse] = []

    def fell(self, piece: Piece, pocket: Pocket, at_s: float) -> None:
        """A piece was caught by a pocket."""
        speed = FALL_SPEED_MM_S * self._around_one()
        reach_mm = self._reach_mm(piece)
        begin_s = at_s + BELOW_S * self._around_one()
        if self._random.random() >= self._miss:
            self._add(Pulse(pocket, begin_s, round(reach_mm / speed * 1e6), reach_mm))
        if self._random.random() < self._ghost:
            other = self._random.choice(list(Pocket))
            later_s = begin_s + self._random.uniform(0.1, 0.6)
            width_us = self._random.randint(*GHOST_US)
            reach_mm = width_us / 1e6 * FALL_SPEED_MM_S
            self._add(Pulse(other, later_s, width_us, reach_mm))

    def take(self, now_s: float) -> tuple[Pulse, ...]:
        """Pulses that are over by now (nothing can lengthen them) and untaken."""
        done = tuple(p for p in self._pulses if _end_s(p) + self._merge_s <= now_s)
        self._pulses = [p for p in self._pulses if p not in done]
        return done

    def _add(self, pulse: Pulse) -> None:
        """Add a pulse; a beam that is still dark stays dark for longer."""
        for old in self._pulses:
            apart_s = max(old.at_s, pulse.at_s) - min(_end_s(old), _end_s(pulse))
            if old.pocket is pulse.pocket and apart_s <= self._merge_s:
                self._pulses.remove(old)
                pulse = _merged(old, pulse)
                break
        insort(self._pulses, pulse, key=_begin)

    def _reach_mm(self, piece: Piece) -> float:
        """How far a piece that tumbles a little reaches along its way."""
        tilt = radians(min(abs(self._random.gauss(0.0, TILT_DEG)), 90.0))
        across_mm = 2 * self._table.radius_mm(piece)
        return cos(tilt) * across_mm + sin(tilt) * self._table.height_mm(piece)

    def _around_one(self) -> float:
        return min(max(self._random.gauss(1.0, STRAY), 0.9), 1.1)


def _merged(one: Pulse, other: Pulse) -> Pulse:
    """Two pulses of one beam, and the light between them, as one."""
    begin_s = min(one.at_s, other.at_s)
    width_us = round((max(_end_s(one), _end_s(other)) - begin_s) * 1e6)
    speed = (one.reach_mm + other.reach_mm) / (one.width_us + other.width_us)
    return Pulse(one.pocket, begin_s, width_us, speed * width_us)


def _begin(pulse: Pulse) -> float:
    return pulse.at_s


def _end_s(pulse: Pulse) -> float:
    return pulse.at_s + pulse.width_us / 1e6
