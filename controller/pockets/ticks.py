"""Turns a pocket node's microsecond ticks into the host's monotonic seconds.

Theory of operation. The host asks for the node's clock and notes when it sent
the query and when the answer came. The node read its clock somewhere between
the two, so each answer ties one tick to the middle of that interval, wrong by
at most half the round trip. A node's resonator may be half a percent off but
keeps its rate over seconds, so host time is a straight line over ticks; two
answers fix the line. The error of a line through two answers is at most

    |w1| * half1 + |w2| * half2    where tick = w1 * tick1 + w2 * tick2

because the true line passes within half1 and half2 of them. So the answer with
the smallest round trip from the older half of the window and the one from the
newer half are taken, the bound is stated with every time, and a slow answer
(a busy host, a resent byte) is simply never the smallest. While only one good
answer is there, the rate is taken as nominal, wrong by up to RATE_ERROR.

Ticks wrap after 2**32 us (71.6 minutes). Each answer is unwrapped to the turn
nearest to what the answer before it foretells, each report to the latest turn
that is not in the future.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import NamedTuple

WRAP_US = 2**32
WINDOW_S = 20.0
"""Older answers are forgotten, but for one: reports kept over a pulled cable lie
between it and the first answer after."""
SLOWEST_S = 0.25
"""A round trip longer than this says nothing worth keeping."""
RATE_ERROR = 0.006
"""Ceramic resonators of cheap boards are good to 0.5 percent."""
WANDER = 2e-5
"""How much a warm resonator's rate may change within the window."""
RESOLUTION_S = 4e-6
"""Step of the node's clock (Timer0 of an ATmega at 16 MHz, prescaler 64)."""
NEWEST = 8
"""Answers of the last two seconds."""
DISAGREEMENTS = 3
"""So many answers in a row against the line mean that the line is wrong."""


class Timed(NamedTuple):
    """A moment on the host's clock, and how far off it may be."""

    at_s: float
    error_s: float


class Answer(NamedTuple):
    """One clock reply: the unwrapped tick and the host times around it."""

    tick_us: int
    sent_s: float
    received_s: float

    @property
    def middle_s(self) -> float:
        """The best guess of when the node read its clock."""
        return (self.sent_s + self.received_s) / 2

    @property
    def half_s(self) -> float:
        """How far off that guess may be."""
        return (self.received_s - self.sent_s) / 2 + RESOLUTION_S


Halves = tuple[tuple[Answer, ...], tuple[Answer, ...]]


@dataclass(slots=True)
class TickClock:
    """One start of one node: its ticks in host time."""

    _answers: deque[Answer] = field(default_factory=deque, init=False)
    _against: list[Answer] = field(default_factory=list, init=False)
    _chosen: Halves = field(default=((), ()), init=False)
    """The best answers of the older and of the newer half of the window."""

    @property
    def ready(self) -> bool:
        """Whether any answer came yet."""
        return bool(self._answers)

    def answer(self, sent_s: float, received_s: float, tick_us: int) -> None:
        """Take one clock reply in; one too slow or against all others is dropped."""
        if not 0 <= received_s - sent_s <= SLOWEST_S:
            return
        answer = Answer(self._nearest(tick_us, sent_s), sent_s, received_s)
        if self.ready and not self._agrees(answer):
            self._against.append(answer)
            if len(self._against) < DISAGREEMENTS:
                return
            self._answers = deque(self._against)
        else:
            self._answers.append(answer)
        self._against.clear()
        while (
            len(self._answers) > 1 and self._answers[1].sent_s < received_s - WINDOW_S
        ):
            self._answers.popleft()
        self._chosen = best(self._answers)

    def at(self, tick_us: int, now_s: float) -> Timed:
        """When the node's clock showed this tick, the latest time before `now_s`.

        Raises IndexError before the first answer.
        """
        turned = self._nearest(tick_us, now_s)
        timed = self._time(turned)
        if timed.at_s - timed.error_s > now_s:
            timed = self._time(turned - WRAP_US)
        return timed

    def _nearest(self, tick_us: int, at_s: float) -> int:
        """The turn of a wrapped tick that lies nearest to a host time."""
        if not self._answers:
            return tick_us
        last = self._answers[-1]
        expected = last.tick_us + round((at_s - last.middle_s) * 1e6)
        behind = (expected - tick_us + WRAP_US // 2) % WRAP_US - WRAP_US // 2
        return expected - behind

    def _agrees(self, answer: Answer) -> bool:
        timed = self._time(answer.tick_us)
        return abs(timed.at_s - answer.middle_s) <= timed.error_s + answer.half_s

    def _time(self, tick_us: int) -> Timed:
        return min(self._candidates(tick_us), key=lambda timed: timed.error_s)

    def _candidates(self, tick_us: int) -> Iterator[Timed]:
        """Host times of a tick by one answer and by two; the bound decides."""
        old, new = self._chosen
        for one in (*old, *new):
            away_s = (tick_us - one.tick_us) / 1e6
            error_s = one.half_s + abs(away_s) * RATE_ERROR
            yield Timed(one.middle_s + away_s, error_s)
        for first, second in product(old, new):
            if second.tick_us > first.tick_us:
                yield _by_two(first, second, tick_us)


def best(answers: Iterable[Answer]) -> Halves:
    """The best answers of the older and of the newer half, in order of time.

    The newest few compete among themselves: a good answer long ago says less about
    now than a fair one of just now.
    """
    known = list(answers)
    middle_s = (known[0].middle_s + known[-1].middle_s) / 2
    old = [a for a in known if a.middle_s <= middle_s]
    new = [a for a in known if a.middle_s > middle_s]
    sets = [half for half in (new, new[-NEWEST:], new[-1:]) if half]
    return (min(old, key=_half_s),), tuple(min(some, key=_half_s) for some in sets)


def _half_s(answer: Answer) -> float:
    return answer.half_s


def _by_two(old: Answer, new: Answer, tick_us: int) -> Timed:
    """A tick on the line through two answers, with the bound of the module's top."""
    share = (tick_us - old.tick_us) / (new.tick_us - old.tick_us)
    span_s = new.middle_s - old.middle_s
    error_s = abs(1 - share) * old.half_s + abs(share) * new.half_s
    wander_s = WANDER * span_s * max(abs(share), abs(1 - share))
    return Timed(old.middle_s + share * span_s, error_s + wander_s)
