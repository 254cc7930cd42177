"""The light beams in the simulated pockets: falls become pulses, faults included."""

from bisect import insort
from random import Random

from calibration.table import Piece, Pocket, Table
from controller.simulator.truth import Pulse

FALL_SPEED_MM_S = 1450.0
"""How fast a piece passes the beam: a coin darkens it for about 22 ms."""
BELOW_S = 0.045
"""From being caught to the beam."""
STRAY = 0.03
"""How much speed and time below differ from fall to fall (1 sigma)."""


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
        width_s = 2 * self._table.radius_mm(piece) / speed
        begin_s = at_s + BELOW_S * self._around_one()
        if self._random.random() >= self._miss:
            self._add(Pulse(pocket, begin_s, round(width_s * 1e6)))
        if self._random.random() < self._ghost:
            other = self._random.choice(list(Pocket))
            later_s = begin_s + self._random.uniform(0.1, 0.6)
            self._add(Pulse(other, later_s, self._random.randint(4_000, 30_000)))

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
                begin_s = min(old.at_s, pulse.at_s)
                end_s = max(_end_s(old), _end_s(pulse))
                pulse = Pulse(pulse.pocket, begin_s, round((end_s - begin_s) * 1e6))
                break
        insort(self._pulses, pulse, key=_begin)

    def _around_one(self) -> float:
        return min(max(self._random.gauss(1.0, STRAY), 0.9), 1.1)


def _begin(pulse: Pulse) -> float:
    return pulse.at_s


def _end_s(pulse: Pulse) -> float:
    return pulse.at_s + pulse.width_us / 1e6
