"""The simulated hall: its players, one table, four pockets, in stepped time.

It runs on simulated seconds from 0, never sleeps and never reads a clock. It asks
nobody what the laws say: its own naive referee decides what is returned and who
plays next, and `truth` records it, apart from all the product can see (`scene_at`
and `take_pulses`).

Theory: the match is a generator of phases (a pause, a hand at work, pieces
sliding). A phase knows its end or finds it while time passes; when it has ended, the
generator goes on with what follows from it. So the order of events reads top down
in `match.py`, and time is whatever the caller steps it to: in one stride or in a
thousand, the same seed gives the same match.
"""

from collections.abc import Iterator
from math import inf
from random import Random

from calibration.table import Table
from controller.simulator.beams import Beams
from controller.simulator.counting_play import CountingPlay
from controller.simulator.match import Match
from controller.simulator.phases import Pause, Phase, Slide, resting
from controller.simulator.stage import Ledger, Stage
from controller.simulator.tableside import Habits, Hall
from controller.simulator.truth import Pulse, Truth
from vision.sources.rendering_scene import Scene

__all__ = ["Habits", "Ledger", "World"]


class World:
    """One table's match as a machine that is stepped to any later time."""

    def __init__(
        self,
        table: Table,
        *,
        seed: int,
        boards: int | None = None,
        habits: Habits | None = None,
    ) -> None:
        """`boards` ends the match after so many boards; None plays to the end."""
        habits = habits or Habits()
        stage = Stage(table, Random(f"{seed}/pieces"))
        beams = Beams(
            table,
            Random(f"{seed}/beams"),
            miss=habits.miss,
            ghost=habits.ghost,
            merge_s=habits.merge_s,
        )
        self._hall = Hall(
            table=table,
            stage=stage,
            beams=beams,
            truth=Truth(),
            habits=habits,
            seed=seed,
            boards=boards,
        )
        self._now_s = 0.0
        self._phases = _phases(self._hall)
        self._phase: Phase | None = next(self._phases)

    @property
    def truth(self) -> Truth:
        """What really happened up to now; not for the product's eyes."""
        return self._hall.truth

    @property
    def now_s(self) -> float:
        """Simulated seconds since the start."""
        return self._now_s

    @property
    def finished(self) -> bool:
        """Whether the match (or the last board asked for) is over."""
        return self._phase is None

    @property
    def sliding(self) -> bool:
        """Whether a stroke is in progress: when a camera needs its full rate."""
        return isinstance(self._phase, Slide)

    def advance(self, to_s: float) -> None:
        """Let time pass up to `to_s`; ValueError when that lies in the past."""
        if to_s < self._now_s:
            raise ValueError(f"time cannot go back from {self._now_s} to {to_s} s")
        while self._phase is not None:
            self._phase.advance(to_s)
            end_s = self._phase.end_s
            if end_s is None or end_s > to_s:
                break
            self._hall.now_s = end_s
            self._phase = next(self._phases, None)
        self._now_s = to_s

    def scene_at(self, at_s: float) -> Scene:
        """Advance to a time and say what a camera sees then."""
        self.advance(at_s)
        nets = self._hall.stage.net_contents()
        if self._phase is None:
            return Scene(at_s, resting(self._hall.stage), nets=nets)
        pieces, limbs = self._phase.pieces(at_s), self._phase.limbs(at_s)
        return Scene(at_s, pieces, limbs, nets)

    def next_change_s(self) -> float:
        """When the picture changes next: `now_s` while anything moves.

        A headless runner may skip frames of a still table up to then (after it
        has seen enough of them to call it still). Infinity when finished.
        """
        match self._phase:
            case None:
                return inf
            case Pause(end_s=end_s):
                return end_s
            case _:
                return self._now_s

    def take_pulses(self) -> tuple[Pulse, ...]:
        """Pocket pulses that are over by now and were not yet taken, by time.

        A pulse is known when the beam is clear again, as on a real node.
        """
        return self._hall.beams.take(self._now_s)

    def ledger(self) -> Ledger:
        """Where every piece is now."""
        return self._hall.stage.ledger()

    def overlap_mm(self) -> float:
        """How far two pieces at rest overlap at most; negative: the smallest gap."""
        return self._hall.stage.overlap_mm()


def _phases(hall: Hall) -> Iterator[Phase]:
    points = hall.habits.points
    return (Match(hall) if points is None else CountingPlay(hall, points)).phases()
