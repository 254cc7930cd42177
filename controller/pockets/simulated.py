"""A pocket node without hardware: speaks the real wire, byte for byte.

It does what the firmware must do (PROTOCOL.md, "How a fall reaches the journal")
and shares only the framing and the generated messages with the host's link. Time is an
argument: nothing here waits, and the same calls give the same bytes.
"""

from collections import deque
from dataclasses import dataclass, field
from struct import pack

from calibration.table import Pocket
from controller.pockets import messages as wire
from controller.pockets.framing import DELIMITER, LARGEST, WireError, frame, unframe
from controller.pockets.heard import Heard
from controller.pockets.link import PocketLink
from controller.pockets.siphash import siphash

KEPT = 32
"""Reports a node keeps until they are acknowledged."""
RESEND_EVERY_S = 0.05
BEAT_EVERY_S = 0.2
HELLO_EVERY_S = 1.0
COIN_WIDTH_US = 22_000
"""A coin of 31.8 mm passing the beam at 1.45 m/s, 100 mm below the frame's top."""
DEPTH = 640
"""ADC counts: a resting beam, of which a coin leaves nothing."""
REACHES_UM = {
    wire.Looks.ONE_COIN: (25_000, 34_300),
    wire.Looks.STRIKER: (35_600, 45_500),
    wire.Looks.TWO_COINS: (47_000, 68_000),
}
"""How far each reaches along its way through the beam, least and most: the firmware's
own sizes (firmware/board.toml)."""
_FULL = 2**16 - 1


class SimulatedNode:
    """One node with four pockets, channel 0 north-east and then clockwise.

    `started_s` is the host's time of its start; its clock runs `drift` too fast
    (0.005 for half a percent) and starts at `tick_us`.
    """

    def __init__(
        self,
        device: int = 0xCA44_0000_0000_0001,
        boot: int = 1,
        *,
        started_s: float = 0.0,
        drift: float = 0.0,
        tick_us: int = 0,
    ) -> None:
        self.device = device
        self.boot = boot
        self.label = 1
        self.build = 0
        self.protocol = wire.PROTOCOL
        self.definition = wire.DEFINITION
        self.key: bytes | None = None
        self.self_tests = [wire.SelfTestResult.PASSED] * 4
        self._drift = drift
        self.settings = [
            wire.SettingsNow(n, 200, 60, 3000, 12_000, 10_000) for n in range(4)
        ]
        self._run = _Run(started_s, tick_us, wire.ResetCause.POWER)

    @property
    def pending(self) -> int:
        """How many reports wait for their acknowledgement."""
        return len(self._run.kept)

    def pulse(
        self,
        pocket: Pocket,
        at_s: float,
        width_us: int = COIN_WIDTH_US,
        looks: wire.Looks = wire.Looks.ONE_COIN,
    ) -> None:
        """A piece breaks this pocket's beam at `at_s` for `width_us`.

        It is sent once the beam is whole again; one too many is dropped as the
        firmware drops it.
        """
        channel = list(Pocket).index(pocket)
        self._run.deepest[channel] = DEPTH
        sequence, self._run.next = self._run.next, self._run.next + 1
        if len(self._run.kept) == KEPT:
            self._run.dropped = min(self._run.dropped + 1, _FULL)
            self._fault(wire.FaultKind.OVERFLOW, self._run.dropped)
            self._run.beat_s = None
            return
        report = wire.PieceFell(
            boot=self.boot,
            sequence=sequence,
            pocket=channel,
            looks=looks,
            tick_us=self.tick_us(at_s),
            width_us=width_us,
            depth=DEPTH,
            reflectance=310,
            ambient=40,
        )
        self._run.kept.append(_Kept(report, whole_s=at_s + width_us / 1e6))

    def set_health(self, pocket: Pocket, health: wire.Health) -> None:
        """Put a pocket's sensor in another state; the next poll tells."""
        self._run.health[list(Pocket).index(pocket)] = health
        self._run.beat_s = None

    def reset(
        self, at_s: float, cause: wire.ResetCause = wire.ResetCause.EXTERNAL
    ) -> None:
        """Start anew: what was not acknowledged is gone, the boot counter goes up."""
        self.boot += 1
        self._run = _Run(at_s, 0, cause)

    def tick_us(self, at_s: float) -> int:
        """What the node's clock shows at a host time."""
        elapsed_us = round((at_s - self._run.started_s) * (1 + self._drift) * 1e6)
        return (self._run.tick_us + elapsed_us) % 2**32

    def receive(self, data: bytes, at_s: float) -> None:
        """Bytes from the host, cut anywhere."""
        *frames, self._run.partial = (self._run.partial + data).split(DELIMITER)
        self._run.partial = self._run.partial[: LARGEST + 1]
        for piece in filter(None, frames):
            try:
                message = wire.unpack(unframe(piece))
            except WireError:
                self._run.damaged = min(self._run.damaged + 1, _FULL)
            else:
                self._message(message, at_s)

    def poll(self, at_s: float) -> bytes:
        """The bytes the node sends by now."""
        if not self._run.greeted and _due(self._run.hello_s, at_s, HELLO_EVERY_S):
            self._run.hello_s = at_s
            self._run.outgoing.append(self._hello())
        if self._run.greeted and _due(self._run.beat_s, at_s, BEAT_EVERY_S):
            self._run.beat_s = at_s
            self._run.outgoing.append(self._heartbeat())
        if self._run.greeted:
            self._send_kept(at_s)
        out, self._run.outgoing = self._run.outgoing, []
        return b"".join(frame(message.pack()) for message in out)

    def _send_kept(self, at_s: float) -> None:
        for kept in self._run.kept:
            if at_s >= kept.whole_s and _due(kept.sent_s, at_s, RESEND_EVERY_S):
                resent = kept.sent_s is not None
                self._run.resent = min(self._run.resent + resent, _FULL)
                kept.sent_s = at_s
                self._run.outgoing.append(kept.report)

    def _message(self, message: wire.Message, at_s: float) -> None:
        match message:
            case wire.Greeting():
                self._greeting(message)
            case wire.Ack(boot=boot, sequence=sequence) if boot == self.boot:
                while self._run.kept and self._run.kept[0].report.sequence <= sequence:
                    self._run.kept.popleft()
            case wire.ClockQuery(token=token):
                self._run.outgoing.append(wire.ClockReply(token, self.tick_us(at_s)))
            case wire.SettingsQuery(pocket=pocket):
                self._run.outgoing.append(self.settings[pocket])
            case wire.SettingsChange():
                self._change(message)
            case wire.SelfTest(pocket=pocket):
                result = self.self_tests[pocket]
                self._run.outgoing.append(wire.SelfTestDone(pocket, result, 700, 40))
            case wire.ValuesQuery(pocket=pocket):
                deepest, self._run.deepest[pocket] = self._run.deepest[pocket], 0
                values = wire.ValuesNow(pocket, DEPTH, DEPTH, 40, 0, deepest, 0)
                self._run.outgoing.append(values)
            case wire.Challenge(nonce=nonce):
                self._run.outgoing.append(self._proof(nonce))
            case wire.KeyChange():
                self._run.outgoing.append(self._key_change(message))
            case wire.Identity(device=device, label=label):
                self.device, self.label = device, label
                self._run.outgoing.append(self._hello())
            case _:
                pass

    def _greeting(self, greeting: wire.Greeting) -> None:
        host = (greeting.protocol, greeting.definition)
        self._run.greeted = host == (self.protocol, self.definition)
        self._run.beat_s = None
        self._run.outgoing.append(self._hello())
        for kept in self._run.kept:
            kept.sent_s = None
        if not self._run.greeted:
            self._fault(wire.FaultKind.HOST_REFUSED, greeting.protocol)

    def _change(self, change: wire.SettingsChange) -> None:
        self.settings[change.pocket] = wire.SettingsNow(
            change.pocket,
            change.threshold,
            change.hysteresis,
            change.least_width_us,
            change.rearm_us,
            change.spacing_um,
        )
        self._run.outgoing.append(self.settings[change.pocket])

    def _proof(self, nonce: int) -> wire.Proof:
        proven = pack("<QQHI", nonce, self.device, self.boot, self._run.next)
        mac = siphash(self.key, proven) if self.key else 0
        return wire.Proof(nonce, self.boot, self._run.next, mac)

    def _key_change(self, change: wire.KeyChange) -> wire.KeyDone:
        fresh = pack("<QQ", change.key_low, change.key_high)
        if self.key in (None, fresh) or change.proof == siphash(self.key, fresh):
            self.key = fresh
            return wire.KeyDone(wire.KeyResult.WRITTEN, siphash(fresh, b""))
        return wire.KeyDone(wire.KeyResult.REFUSED, siphash(self.key, b""))

    def _fault(self, kind: wire.FaultKind, detail: int) -> None:
        self._run.outgoing.append(wire.Fault(self.boot, kind, 255, detail))

    def _hello(self) -> wire.Hello:
        return wire.Hello(
            protocol=self.protocol,
            definition=self.definition,
            build=self.build,
            device=self.device,
            boot=self.boot,
            reset_cause=self._run.cause,
            pockets=4,
            label=self.label,
            board=wire.Board.HOST,
            keyed=int(self.key is not None),
            oldest=self._run.oldest,
        )

    def _heartbeat(self) -> wire.Heartbeat:
        return wire.Heartbeat(
            self.boot,
            self._run.oldest,
            self._run.health[0],
            self._run.health[1],
            self._run.health[2],
            self._run.health[3],
            self._run.dropped,
            self._run.resent,
            self._run.damaged,
            overruns=0,
            implausible=0,
        )


def looks_like(reach_mm: float) -> wire.Looks:
    """What the firmware takes a piece for that reaches so far along its way."""
    fitting = (
        looks
        for looks, (least_um, most_um) in REACHES_UM.items()
        if least_um <= 1e3 * reach_mm <= most_um
    )
    return next(fitting, wire.Looks.UNSURE)


def exchange(node: SimulatedNode, link: PocketLink, at_s: float) -> list[Heard]:
    """All that node and link have to say to each other now, over a perfect cable."""
    heard: list[Heard] = []
    while True:
        up = node.poll(at_s)
        heard += link.receive(up, at_s)
        down = link.to_send(at_s)
        node.receive(down, at_s)
        if not up and not down:
            return heard


@dataclass(slots=True)
class _Kept:
    """A report that waits for its acknowledgement."""

    report: wire.PieceFell
    whole_s: float
    sent_s: float | None = None


@dataclass(slots=True)
class _Run:
    """What one start of the node holds in memory: a reset forgets it."""

    started_s: float
    tick_us: int
    cause: wire.ResetCause
    kept: deque[_Kept] = field(default_factory=deque)
    next: int = 0
    dropped: int = 0
    resent: int = 0
    damaged: int = 0
    deepest: list[int] = field(default_factory=lambda: [0] * 4)
    health: list[wire.Health] = field(default_factory=lambda: [wire.Health.CLEAR] * 4)
    greeted: bool = False
    hello_s: float | None = None
    beat_s: float | None = None
    partial: bytes = b""
    outgoing: list[wire.Message] = field(default_factory=list)

    @property
    def oldest(self) -> int:
        """The oldest report kept; the next number when none is."""
        return self.kept[0].report.sequence if self.kept else self.next


def _due(last_s: float | None, at_s: float, every_s: float) -> bool:
    return last_s is None or at_s - last_s >= every_s
