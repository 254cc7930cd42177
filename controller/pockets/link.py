"""The host's end of the link to one pocket node: knows bytes, not ports.

Theory of operation. `receive` takes bytes as they come, cut anywhere, and gives
back what they mean; `to_send` gives the bytes that are due. Both take the host's
monotonic time, so a test steps it and a serial port asks its clock.

Until a node's `hello` tells who it is, everything else it says is skipped, and
because nothing is acknowledged the node says it again. A `hello` with another
protocol number or definition is refused. A `hello` that nobody asked for means
that the node has just started and waits to be greeted.

Reports are named by (device, boot, sequence). They are handed on in order: one
that comes too early waits for its predecessor, which the node will send again.
A number the node dropped never comes; `oldest` in hello and heartbeat tells, and
the gap becomes `ReportsLost`. Nothing is acknowledged before the caller says
that it is safely written down (`acknowledge`), so a killed host is told again;
`resume` tells a new link what the journal of the old one holds.

The first report also waits for the first clock answer, as it could not say when
it fell. Whatever changes a pocket's health is told as `PocketState`; a link that
is down, silent or refused makes all its pockets LOST.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from math import inf

from calibration.table import Pocket
from controller.events import PocketReport
from controller.pockets import messages as wire
from controller.pockets.framing import DELIMITER, LARGEST, WireError, frame, unframe
from controller.pockets.heard import (
    Command,
    DeviceFault,
    DeviceRefused,
    Heard,
    LinkCounts,
    LinkHealth,
    ReportsLost,
    Unanswered,
    device_up,
)
from controller.pockets.order import NodeStart
from controller.pockets.proving import KEYLESS, UNPROVEN, Proving
from controller.pockets.queries import ClockQueries
from controller.pockets.questions import Questions
from controller.pockets.reasons import GARBLED, REPEATED, RESTARTED, UNANSWERED
from controller.pockets.states import PocketStates
from controller.pockets.versions import mismatch

GREET_EVERY_S = 0.2
BOOT_S = 2.5
"""Opening a port resets many boards; while nothing is heard their boot loader runs
and should not be talked to."""
SILENT_AFTER_S = 0.8
"""Four heartbeats: within the second in which every screen must say so."""
UNANSWERED_AFTER_S = 2 * BOOT_S
TOTALS = (
    wire.FaultKind.OVERFLOW,
    wire.FaultKind.LOOP_OVERRUN,
    wire.FaultKind.IMPLAUSIBLE_RATE,
)
"""Faults whose detail is a total that the heartbeat carries too."""
STRANGERS = 2
"""One may be damage that its check did not see; a true one is sent again at once."""
STARTS_KEPT = 16
"""Starts of nodes remembered, in case one comes back to the port."""


class PocketLink:
    """One pocket node as the host sees it.

    `pockets` says which pocket each of the node's channels watches; with a `key` (16
    bytes) no report counts before the node has proved that it holds the same.
    """

    def __init__(
        self, pockets: Sequence[Pocket] = tuple(Pocket), *, key: bytes | None = None
    ) -> None:
        self._pockets = tuple(pockets)
        self._key = key
        self._states = PocketStates(pockets)
        self._journaled: dict[str, tuple[int, int]] = {}
        self._ticks: dict[tuple[str, int], dict[int, int]] = {}
        self._starts: dict[tuple[str, int], NodeStart] = {}
        self._start: NodeStart | None = None
        self._hello_told: wire.Hello | None = None
        self._open = self._up = self._noisy = False
        self._refused: str | None = None
        self._partial = b""
        self._heard_s = self._greeted_s = -inf
        self._queries = ClockQueries()
        self._questions = Questions()
        self._greeting_due = self._ack_due = False
        self._counts = LinkCounts()

    @property
    def health(self) -> LinkHealth:
        """State and counters for the health topic."""
        start = self._start
        return LinkHealth(
            device=start.device if start else None,
            up=self._up,
            unacknowledged=start.unwritten if start else 0,
            asked=self._questions.waiting,
            **asdict(self._counts),
        )

    @property
    def told(self) -> bool:
        """Whether anything was said about the pockets yet."""
        return self._states.told

    def resume(
        self, device: str, boot: int, sequence: int, tick_us: int | None = None
    ) -> None:
        """Say which report of a device the journal holds, the last one last.

        With `tick_us` another fall that bears its number is told from it.
        """
        self._journaled[device] = (boot, sequence)
        if tick_us is not None:
            self._ticks.setdefault((device, boot), {})[sequence] = tick_us

    def opened(self) -> None:
        """A port was opened: whoever is at its end has to say hello first."""
        self._partial = b""
        self._open = True
        self._up = self._greeting_due = self._noisy = False
        self._refused = None
        self._queries.forget()
        self._queries.hurry()
        self._heard_s = self._greeted_s = -inf

    def closed(self, at_s: float, reason: str) -> list[Heard]:
        """The port is gone: every pocket is LOST until a node is heard again."""
        self._counts.closed += self._open
        self._open = self._up = self._greeting_due = False
        return list(self._states.lost(at_s, reason))

    def receive(self, data: bytes, at_s: float) -> list[Heard]:
        """Take bytes as they come; give back all they complete.

        Call it with no bytes too, every 100 ms or so: silence is news.
        """
        *frames, self._partial = (self._partial + data).split(DELIMITER)
        self._partial = self._partial[: LARGEST + 1]
        self._noisy = self._noisy or bool(data)
        heard: list[Heard] = []
        for piece in filter(None, frames):
            heard += self._frame(piece, at_s)
        heard += self._silence(at_s)
        if self._start and self._start.proving.overdue(at_s) and self._up:
            heard += self._refuse(UNPROVEN, at_s)
        heard += [Unanswered(at_s, one) for one in self._questions.given_up(at_s)]
        return heard

    def acknowledge(self, report: PocketReport) -> None:
        """This report is safely written down: the node may forget it."""
        if start := self._starts.get((report.device, report.boot)):
            start.write(report.sequence)
            self._ack_due = True

    def command(self, command: Command) -> None:
        """Have a command sent to the node until it answers; `Unanswered` if never."""
        self._questions.ask(command)

    def to_send(self, at_s: float) -> bytes:
        """The bytes due now; ask after every call of the other methods."""
        return b"".join(frame(message.pack()) for message in self._due(at_s))

    def _due(self, at_s: float) -> Iterator[wire.Message]:
        waited_s = at_s - self._greeted_s
        silent = not self._up and self._refused is None and waited_s >= BOOT_S
        if silent or (self._greeting_due and waited_s >= GREET_EVERY_S):
            self._greeted_s, self._greeting_due = at_s, False
            yield wire.Greeting(wire.PROTOCOL, wire.DEFINITION)
        start = self._start
        if start is None or not self._up:
            return
        if self._ack_due and start.written >= 0:
            yield wire.Ack(start.boot, start.written)
        self._ack_due = False
        if query := self._queries.due(at_s):
            yield query
        if challenge := start.proving.challenge(at_s):
            yield challenge
        yield from self._questions.due(at_s)

    def _frame(self, piece: bytes, at_s: float) -> Iterator[Heard]:
        try:
            body = unframe(piece)
        except WireError:
            self._counts.damaged += 1
            return
        if reason := mismatch(body):
            yield from self._refuse(reason, at_s)
            return
        try:
            message = wire.unpack(body)
        except WireError:
            self._counts.damaged += 1
            return
        self._counts.frames += 1
        if isinstance(message, wire.Hello):
            yield from self._hello(message, at_s)
        elif self._up and self._start:
            yield from self._message(message, self._start, at_s)
        else:
            self._counts.skipped += 1
            self._greeting_due = self._refused is None

    def _silence(self, at_s: float) -> Iterator[Heard]:
        """What is to be told of a node that says nothing."""
        quiet_s = at_s - self._heard_s
        if self._heard_s == -inf:
            self._heard_s = at_s
        elif self._up and quiet_s > SILENT_AFTER_S:
            self._up = False
            yield from self._states.lost(at_s, "the pocket node is silent")
        elif self._refused is None and quiet_s > UNANSWERED_AFTER_S:
            why = GARBLED if self._noisy else UNANSWERED
            yield from self._states.lost(at_s, why)

    def _refuse(self, reason: str, at_s: float) -> Iterator[Heard]:
        self._up = False
        if reason != self._refused:
            self._refused = reason
            yield DeviceRefused(at_s, reason)
        yield from self._states.lost(at_s, reason)

    def _hello(self, hello: wire.Hello, at_s: float) -> Iterator[Heard]:
        device, old = f"{hello.device:016x}", self._start
        self._heard_s = at_s
        self._greeting_due = at_s - self._greeted_s >= GREET_EVERY_S
        self._questions.take(hello)
        same = old is not None and old.named(device, hello.boot)
        if same and self._up:
            yield from self._renamed(hello, at_s)
            return
        if old and not same:
            yield from self._end(old, at_s, restarted=old.device == device)
        if self._key is not None and not hello.keyed:
            yield from self._refuse(KEYLESS, at_s)
            return
        boot = self._journaled.get(device, (hello.boot, -1))[0]
        restarted = not same and boot != hello.boot
        self._counts.restarts += restarted
        if old is None or not same:
            self._start = old = self._begin(device, hello)
        old.proving = Proving(self._key)
        self._up, self._refused = True, None
        self._queries.hurry()
        self._hello_told = hello
        yield device_up(hello, at_s, restarted=restarted)
        if restarted:
            cause = hello.reset_cause.name.lower().replace("_", " ")
            yield from self._states.lost(at_s, RESTARTED.format(cause=cause))
        yield from self._kept_from(old, hello.oldest, at_s)

    def _renamed(self, hello: wire.Hello, at_s: float) -> Iterator[Heard]:
        """The node got another label or its key while it is up."""
        told, self._hello_told = self._hello_told, hello
        if told and (told.label, told.keyed) != (hello.label, hello.keyed):
            yield device_up(hello, at_s, restarted=False)

    def _begin(self, device: str, hello: wire.Hello) -> NodeStart:
        """A start that came back, or a new one after the journal's last report."""
        self._queries.forget()
        if start := self._starts.get((device, hello.boot)):
            return start
        boot, sequence = self._journaled.get(device, (-1, -1))
        following = sequence + 1 if boot == hello.boot else hello.oldest
        watched = self._pockets[: hello.pockets]
        start = NodeStart(device, hello.boot, watched, following)
        for known, tick_us in self._ticks.get((device, hello.boot), {}).items():
            start.remember(known, tick_us)
        self._starts[device, hello.boot] = start
        if len(self._starts) > STARTS_KEPT:
            del self._starts[next(iter(self._starts))]
        return start

    def _end(
        self, start: NodeStart, at_s: float, *, restarted: bool
    ) -> Iterator[Heard]:
        """Another start is at the port; after a restart this one cannot come back."""
        start.ended()
        yield from self._release(start, at_s)
        if restarted:
            yield from self._count_lost(start.give_up(at_s))
        self._journaled[start.device] = (start.boot, start.written)

    def _message(
        self, message: wire.Message, start: NodeStart, at_s: float
    ) -> Iterator[Heard]:
        match message:
            case wire.PieceFell() | wire.Heartbeat() | wire.Fault() if (
                message.boot != start.boot
            ):
                self._counts.skipped += 1
                self._greeting_due = True
                return
            case wire.PieceFell():
                yield from self._piece_fell(message, start, at_s)
            case wire.Heartbeat():
                yield from self._heartbeat(message, start, at_s)
            case wire.ClockReply():
                yield from self._clock_reply(message, start, at_s)
            case wire.Fault():
                yield from self._fault(message, start, at_s)
            case wire.Proof():
                yield from self._proof(message, start, at_s)
            case (
                wire.SettingsNow()
                | wire.ValuesNow()
                | wire.SelfTestDone()
                | wire.KeyDone()
            ):
                self._questions.take(message)
                yield message
            case _:
                self._counts.skipped += 1
                return
        self._heard_s = at_s

    def _piece_fell(
        self, fell: wire.PieceFell, start: NodeStart, at_s: float
    ) -> Iterator[Heard]:
        if start.contradicts(fell):
            self._counts.damaged += 1
            if start.strangers >= STRANGERS:
                yield from self._refuse(REPEATED, at_s)
        elif start.knows(fell.sequence):
            self._counts.duplicates += 1
            self._ack_due = self._ack_due or fell.sequence <= start.written
        else:
            start.take(fell)
            yield from self._release(start, at_s)

    def _heartbeat(
        self, beat: wire.Heartbeat, start: NodeStart, at_s: float
    ) -> Iterator[Heard]:
        self._counts.take(beat)
        totals = (beat.dropped, beat.overruns, beat.implausible)
        for kind, total in zip(TOTALS, totals, strict=True):
            fault = DeviceFault(at_s, start.device, kind, None, total)
            yield from self._total(fault, start)
        yield from self._kept_from(start, beat.oldest, at_s)
        if start.proving.proved:
            yield from self._states.beat(at_s, start.pockets, beat)

    def _clock_reply(
        self, reply: wire.ClockReply, start: NodeStart, at_s: float
    ) -> Iterator[Heard]:
        sent_s = self._queries.answered(reply.token)
        if sent_s is not None:
            self._counts.round_trip_s = at_s - sent_s
            start.clock.answer(sent_s, at_s, reply.tick_us)
            yield from self._release(start, at_s)

    def _fault(
        self, fault: wire.Fault, start: NodeStart, at_s: float
    ) -> Iterator[Heard]:
        one = fault.pocket < len(start.pockets)
        pocket = start.pockets[fault.pocket] if one else None
        told = DeviceFault(at_s, start.device, fault.kind, pocket, fault.detail)
        if fault.kind in TOTALS:
            yield from self._total(told, start)
        else:
            yield told

    def _total(self, fault: DeviceFault, start: NodeStart) -> Iterator[Heard]:
        """Told once, whether the fault or the next heartbeat brings it."""
        if start.news(fault.kind, fault.detail):
            yield fault

    def _proof(
        self, proof: wire.Proof, start: NodeStart, at_s: float
    ) -> Iterator[Heard]:
        device = int(start.device, 16)
        if reason := start.proving.judge(proof, device, start.boot, at_s):
            yield from self._refuse(reason, at_s)
        else:
            yield from self._release(start, at_s)

    def _kept_from(self, start: NodeStart, oldest: int, at_s: float) -> Iterator[Heard]:
        if not start.kept_from(oldest):
            self._counts.damaged += 1
        yield from self._release(start, at_s)

    def _release(self, start: NodeStart, at_s: float) -> Iterator[Heard]:
        yield from self._count_lost(start.release(at_s))

    def _count_lost(
        self, told: Iterable[PocketReport | ReportsLost]
    ) -> Iterator[PocketReport | ReportsLost]:
        for one in told:
            if isinstance(one, ReportsLost):
                self._counts.lost += one.count
            yield one
