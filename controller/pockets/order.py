"""The reports of one start of one node: each once, in order, with its time."""

from collections.abc import Iterator, Sequence

from calibration.table import Pocket
from controller.events import Looks, PocketReport
from controller.pockets import messages as wire
from controller.pockets.heard import ReportsLost
from controller.pockets.proving import Proving
from controller.pockets.ticks import TickClock

MOST_EARLY = 64
"""Reports held for a predecessor: twice what a node can keep."""
MOST_DROPPED = 2**16
"""A node that says more were dropped at once than it can count is not believed."""


class NodeStart:
    """What is known of one start of one node; outlives the port's coming and going.

    `following` is the number of the first report not yet handed on; none is before
    `proving` is content.
    """

    def __init__(
        self, device: str, boot: int, pockets: Sequence[Pocket], following: int
    ) -> None:
        self.device = device
        self.boot = boot
        self.pockets = tuple(pockets)
        self.following = following
        self.told: dict[wire.FaultKind, int] = {}
        self.clock = TickClock()
        self.proving = Proving(None)
        self._oldest = 0
        self._early: dict[int, wire.PieceFell] = {}
        self._ticks: dict[int, int] = {}
        self.strangers = 0
        """Reports that bear the number of another fall."""
        self._unwritten: set[int] = set()

    @property
    def written(self) -> int:
        """All reports up to this number are safe; -1 for none."""
        return min(self._unwritten, default=self.following) - 1

    @property
    def unwritten(self) -> int:
        """How many reports were handed on and are not safe yet."""
        return len(self._unwritten)

    def news(self, kind: wire.FaultKind, total: int) -> bool:
        """Whether a total is above the last one told, by fault or heartbeat."""
        last = self.told.get(kind, 0)
        self.told[kind] = max(last, total)
        return total > last

    def named(self, device: str, boot: int) -> bool:
        """Whether this is that start of that device."""
        return (self.device, self.boot) == (device, boot)

    def write(self, sequence: int) -> None:
        """This report is safely written down."""
        self._unwritten.discard(sequence)

    def knows(self, sequence: int) -> bool:
        """Whether a report came before."""
        return sequence < self.following or sequence in self._early

    def remember(self, sequence: int, tick_us: int) -> None:
        """When the fall of this number was, to know it again."""
        self._ticks[sequence] = tick_us
        if len(self._ticks) > MOST_EARLY:
            del self._ticks[next(iter(self._ticks))]

    def contradicts(self, fell: wire.PieceFell) -> bool:
        """Whether its number was another fall's: the node counts anew, untold.

        A node keeps no report older than the newest MOST_EARLY.
        """
        early = self._early.get(fell.sequence)
        tick_us = early.tick_us if early else self._ticks.get(fell.sequence)
        older = fell.sequence < self.following - MOST_EARLY
        stranger = older or tick_us not in (None, fell.tick_us)
        self.strangers += stranger
        return stranger

    def take(self, fell: wire.PieceFell) -> None:
        """Keep a report until it can be handed on; one too many comes again."""
        if len(self._early) < MOST_EARLY or fell.sequence == self.following:
            self._early[fell.sequence] = fell

    def kept_from(self, oldest: int) -> bool:
        """The node keeps no report older than this one; whether that can be."""
        if oldest - self.following > MOST_DROPPED:
            return False
        self._oldest = max(self._oldest, oldest)
        return True

    def ended(self) -> None:
        """This start is over: what is missing will not come any more."""
        self.kept_from(max(self._early, default=0))

    def release(self, at_s: float) -> Iterator[PocketReport | ReportsLost]:
        """Hand on the reports whose predecessors came or will never come."""
        if not (self.clock.ready and self.proving.proved):
            return
        for sequence in sorted(self._early):
            if sequence > max(self.following, self._oldest):
                break
            yield from self._lost_before(sequence, at_s)
            fell = self._early.pop(sequence)
            if fell.pocket < len(self.pockets):
                yield self._report(fell, at_s)
            else:  # a channel that watches no pocket here: nobody knows what fell
                yield from self._lost_before(sequence + 1, at_s)
        yield from self._lost_before(self._oldest, at_s)

    def give_up(self, at_s: float) -> Iterator[ReportsLost]:
        """Say that what came and could not be handed on is lost."""
        last = max(self._early, default=-1)
        self._early.clear()
        yield from self._lost_before(last + 1, at_s)

    def _lost_before(self, sequence: int, at_s: float) -> Iterator[ReportsLost]:
        first, self.following = self.following, max(self.following, sequence)
        if first < sequence:
            count = sequence - first
            yield ReportsLost(at_s, self.device, self.boot, first, count)

    def _report(self, fell: wire.PieceFell, at_s: float) -> PocketReport:
        self.following = fell.sequence + 1
        self.remember(fell.sequence, fell.tick_us)
        self._unwritten.add(fell.sequence)
        timed = self.clock.at(fell.tick_us, at_s)
        return PocketReport(
            device=self.device,
            boot=self.boot,
            sequence=fell.sequence,
            pocket=self.pockets[fell.pocket],
            tick_us=fell.tick_us,
            at_s=timed.at_s,
            error_s=timed.error_s,
            width_us=fell.width_us,
            looks=Looks[fell.looks.name],
            depth=fell.depth,
            reflectance=fell.reflectance,
            ambient=fell.ambient,
        )
