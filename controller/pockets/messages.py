"""Generated from firmware/protocol/messages.toml by generate.py: do not edit."""

from dataclasses import dataclass
from enum import IntEnum
from struct import Struct
from typing import ClassVar, Self

from controller.pockets.framing import WireError

PROTOCOL = 2
DEFINITION = 0x7B3846C5


class ResetCause(IntEnum):
    """Why the node started."""

    POWER = 0
    EXTERNAL = 1
    BROWN_OUT = 2
    WATCHDOG = 3
    SOFTWARE = 4
    UNKNOWN = 5


class Board(IntEnum):
    """What the firmware was built for; `carrom flash` picks the image by it."""

    HOST = 0
    ATMEGA328P = 1
    RP2040 = 2


class Looks(IntEnum):
    """What the sensor took the falling piece for, by how far it reaches."""

    ONE_COIN = 0
    TWO_COINS = 1
    STRIKER = 2
    UNSURE = 3


class Health(IntEnum):
    """State of one pocket's sensor; a state is never a count."""

    CLEAR = 0
    BLOCKED = 1
    BLINDED = 2
    DEAD = 3


class FaultKind(IntEnum):
    """What went wrong inside the node."""

    OVERFLOW = 0
    IMPLAUSIBLE_RATE = 1
    LOOP_OVERRUN = 2
    MEMORY = 3
    HOST_REFUSED = 4


class SelfTestResult(IntEnum):
    """How a self-test of one pocket ended."""

    PASSED = 0
    STAYS_DARK = 1
    STAYS_LIT = 2
    BUSY = 3


class KeyResult(IntEnum):
    """How writing a key ended."""

    WRITTEN = 0
    REFUSED = 1


@dataclass(frozen=True, slots=True)
class Hello:
    """Sent at start once a second until greeted, and in answer to every greeting."""

    ID: ClassVar[int] = 1
    LAYOUT: ClassVar[Struct] = Struct("<BHIIQHBBBBBI")

    protocol: int
    """Protocol number of the firmware. (number)"""
    definition: int
    """Start of the SHA-256 of the firmware's messages.toml. (hash)"""
    build: int
    """Start of the commit the firmware was built from; 0 when unknown. (hash)"""
    device: int
    """Random id written once into the node's EEPROM. (id)"""
    boot: int
    """Starts of this node, kept in EEPROM. (count)"""
    reset_cause: ResetCause
    """Why this start happened. (reset_cause)"""
    pockets: int
    """Pockets wired to this node. (count)"""
    label: int
    """Number the builder wrote on the box; 0 for none. (number)"""
    board: Board
    """What the firmware was built for. (board)"""
    keyed: int
    """Whether the node holds a key and can answer a challenge. (bool)"""
    oldest: int
    """Oldest report still kept; the next number when none is. (sequence)"""

    def __post_init__(self) -> None:
        _check("pockets", self.pockets, 1, 4)
        _check("keyed", self.keyed, 0, 1)

    def pack(self) -> bytes:
        """The body, id first."""
        return self.LAYOUT.pack(
            self.ID,
            self.protocol,
            self.definition,
            self.build,
            self.device,
            self.boot,
            self.reset_cause,
            self.pockets,
            self.label,
            self.board,
            self.keyed,
            self.oldest,
        )

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """Read a body of the right size; ValueError for a bad value."""
        values = cls.LAYOUT.unpack(body)
        return cls(
            values[1],
            values[2],
            values[3],
            values[4],
            values[5],
            ResetCause(values[6]),
            values[7],
            values[8],
            Board(values[9]),
            values[10],
            values[11],
        )


@dataclass(frozen=True, slots=True)
class PieceFell:
    """Something passed a pocket's sensor; sent again until acknowledged."""

    ID: ClassVar[int] = 2
    LAYOUT: ClassVar[Struct] = Struct("<BHIBBIIHHH")

    boot: int
    """Start of the node in which it fell. (count)"""
    sequence: int
    """Counts up from 0 in each start; a dropped report uses up its number. (sequence)"""
    pocket: int
    """Channel: 0 north-east, then clockwise, unless the host is told otherwise. (channel)"""
    looks: Looks
    """What the node took it for. (looks)"""
    tick_us: int
    """Node's clock when the beam broke; wraps after 71.6 minutes. (us)"""
    width_us: int
    """How long the beam stayed broken. (us)"""
    depth: int
    """Deepest fall of the beam below its resting level. (ADC counts)"""
    reflectance: int
    """Light thrown back by the piece at its brightest. (ADC counts)"""
    ambient: int
    """Foreign light while it passed, emitter off. (ADC counts)"""

    def __post_init__(self) -> None:
        _check("pocket", self.pocket, 0, 3)
        _check("depth", self.depth, 0, 1023)
        _check("reflectance", self.reflectance, 0, 1023)
        _check("ambient", self.ambient, 0, 1023)

    def pack(self) -> bytes:
        """The body, id first."""
        return self.LAYOUT.pack(
            self.ID,
            self.boot,
            self.sequence,
            self.pocket,
            self.looks,
            self.tick_us,
            self.width_us,
            self.depth,
            self.reflectance,
            self.ambient,
        )

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """Read a body of the right size; ValueError for a bad value."""
        values = cls.LAYOUT.unpack(body)
        return cls(
            values[1],
            values[2],
            values[3],
            Looks(values[4]),
            values[5],
            values[6],
            values[7],
            values[8],
            values[9],
        )


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """Sent five times a second, and at once when a state or a counter of losses changes."""

    ID: ClassVar[int] = 3
    LAYOUT: ClassVar[Struct] = Struct("<BHIBBBBHHHHH")

    boot: int
    """Start of the node the counters belong to. (count)"""
    oldest: int
    """Oldest report still kept; the next number when none is. (sequence)"""
    health_0: Health
    """State of channel 0. (health)"""
    health_1: Health
    """State of channel 1. (health)"""
    health_2: Health
    """State of channel 2. (health)"""
    health_3: Health
    """State of channel 3. (health)"""
    dropped: int
    """Reports dropped since the start because 32 were waiting. (count)"""
    resent: int
    """Reports sent again since the start; stops at the maximum. (count)"""
    damaged: int
    """Damaged frames received since the start; stops at the maximum. (count)"""
    overruns: int
    """Samples the node's main loop came too late for; stops at the maximum. (count)"""
    implausible: int
    """Breaks not reported because more came than there are pieces; stops at the maximum. (count)"""

    def pack(self) -> bytes:
        """The body, id first."""
        return self.LAYOUT.pack(
            self.ID,
            self.boot,
            self.oldest,
            self.health_0,
            self.health_1,
            self.health_2,
            self.health_3,
            self.dropped,
            self.resent,
            self.damaged,
            self.overruns,
            self.implausible,
        )

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """Read a body of the right size; ValueError for a bad value."""
        values = cls.LAYOUT.unpack(body)
        return cls(
            values[1],
            values[2],
            Health(values[3]),
            Health(values[4]),
            Health(values[5]),
            Health(values[6]),
            values[7],
            values[8],
            values[9],
            values[10],
            values[11],
        )


@dataclass(frozen=True, slots=True)
class ClockReply:
    """Answers a clock query at once."""

    ID: ClassVar[int] = 4
    LAYOUT: ClassVar[Struct] = Struct("<BHI")

    token: int
    """The query's token. (number)"""
    tick_us: int
    """Node's clock when the query was read. (us)"""

    def pack(self) -> bytes:
        """The body, id first."""
        return self.LAYOUT.pack(
            self.ID,
            self.token,
            self.tick_us,
        )

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """Read a body of the right size; ValueError for a bad value."""
        values = cls.LAYOUT.unpack(body)
        return cls(
            values[1],
            values[2],
        )


@dataclass(frozen=True, slots=True)
class Fault:
    """Something went wrong inside the node; totals are in the heartbeat."""

    ID: ClassVar[int] = 5
    LAYOUT: ClassVar[Struct] = Struct("<BHBBI")

    boot: int
    """Start of the node in which it happened. (count)"""
    kind: FaultKind
    """What happened. (fault_kind)"""
    pocket: int
    """Channel concerned; 255 for the whole node. (channel)"""
    detail: int
    """overflow: reports dropped since the start; implausible_rate: breaks not reported since the start; loop_overrun: samples missed since the start; memory: 0; host_refused: the host's protocol number. (by kind)"""

    def pack(self) -> bytes:
        """The body, id first."""
        return self.LAYOUT.pack(
            self.ID,
            self.boot,
            self.kind,
            self.pocket,
            self.detail,
        )

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """Read a body of the right size; ValueError for a bad value."""
        values = cls.LAYOUT.unpack(body)
        return cls(
            values[1],
            FaultKind(values[2]),
            values[3],
            values[4],
        )


@dataclass(frozen=True, slots=True)
class SettingsNow:
    """Settings of one pocket as they are in force, after a query or a change."""

    ID: ClassVar[int] = 6
    LAYOUT: ClassVar[Struct] = Struct("<BBHHHHH")

    pocket: int
    """Channel. (channel)"""
    threshold: int
    """Fall of the beam below its resting level that counts as broken. (ADC counts)"""
    hysteresis: int
    """How far it must rise again above that to count as whole. (ADC counts)"""
    least_width_us: int
    """Shorter breaks are not reported. (us)"""
    rearm_us: int
    """Breaks this soon after another belong to it, unless they are seen to be a piece of their own. (us)"""
    spacing_um: int
    """How far the light spot of the reflectance sensor sits above the beam; 0 when there is none. (um)"""

    def __post_init__(self) -> None:
        _check("pocket", self.pocket, 0, 3)
        _check("threshold", self.threshold, 1, 1023)
        _check("hysteresis", self.hysteresis, 0, 1023)

    def pack(self) -> bytes:
        """The body, id first."""
        return self.LAYOUT.pack(
            self.ID,
            self.pocket,
            self.threshold,
            self.hysteresis,
            self.least_width_us,
            self.rearm_us,
            self.spacing_um,
        )

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """Read a body of the right size; ValueError for a bad value."""
        values = cls.LAYOUT.unpack(body)
        return cls(
            values[1],
            values[2],
            values[3],
            values[4],
            values[5],
            values[6],
        )


@dataclass(frozen=True, slots=True)
class SelfTestDone:
    """Result of a self-test."""

    ID: ClassVar[int] = 7
    LAYOUT: ClassVar[Struct] = Struct("<BBBHH")

    pocket: int
    """Channel. (channel)"""
    result: SelfTestResult
    """Whether the receiver followed the emitter. (self_test_result)"""
    lit: int
    """Receiver with the emitter on. (ADC counts)"""
    dark: int
    """Receiver with the emitter off. (ADC counts)"""

    def __post_init__(self) -> None:
        _check("pocket", self.pocket, 0, 3)
        _check("lit", self.lit, 0, 1023)
        _check("dark", self.dark, 0, 1023)

    def pack(self) -> bytes:
        """The body, id first."""
        return self.LAYOUT.pack(
            self.ID,
            self.pocket,
            self.result,
            self.lit,
            self.dark,
        )

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """Read a body of the right size; ValueError for a bad value."""
        values = cls.LAYOUT.unpack(body)
        return cls(
            values[1],
            SelfTestResult(values[2]),
            values[3],
            values[4],
        )


@dataclass(frozen=True, slots=True)
class ValuesNow:
    """What one pocket's sensor measures, after a query."""

    ID: ClassVar[int] = 8
    LAYOUT: ClassVar[Struct] = Struct("<BBHHHHHH")

    pocket: int
    """Channel. (channel)"""
    beam: int
    """Beam now: lit less dark. (ADC counts)"""
    resting: int
    """Resting level the beam is held against. (ADC counts)"""
    ambient: int
    """Foreign light now, emitter off. (ADC counts)"""
    reflectance: int
    """Light thrown back now: lit less dark. (ADC counts)"""
    deepest: int
    """Deepest fall below the resting level since the last query, reported or not. (ADC counts)"""
    breaks: int
    """Breaks of the beam since the start, also those too short or part of another; wraps. (count)"""

    def __post_init__(self) -> None:
        _check("pocket", self.pocket, 0, 3)
        _check("beam", self.beam, 0, 1023)
        _check("resting", self.resting, 0, 1023)
        _check("ambient", self.ambient, 0, 1023)
        _check("reflectance", self.reflectance, 0, 1023)
        _check("deepest", self.deepest, 0, 1023)

    def pack(self) -> bytes:
        """The body, id first."""
        return self.LAYOUT.pack(
            self.ID,
            self.pocket,
            self.beam,
            self.resting,
            self.ambient,
            self.reflectance,
            self.deepest,
            self.breaks,
        )

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """Read a body of the right size; ValueError for a bad value."""
        values = cls.LAYOUT.unpack(body)
        return cls(
            values[1],
            values[2],
            values[3],
            values[4],
            values[5],
            values[6],
            values[7],
        )


@dataclass(frozen=True, slots=True)
class Proof:
    """Answers a challenge. A node without a key answers with zeros for mac."""

    ID: ClassVar[int] = 9
    LAYOUT: ClassVar[Struct] = Struct("<BQHIQ")

    nonce: int
    """The challenge's nonce. (number)"""
    boot: int
    """Start of the node. (count)"""
    next: int
    """Number the next report will have. (sequence)"""
    mac: int
    """SipHash-2-4 by the node's key over nonce, device, boot and next, in this order, little-endian. (number)"""

    def pack(self) -> bytes:
        """The body, id first."""
        return self.LAYOUT.pack(
            self.ID,
            self.nonce,
            self.boot,
            self.next,
            self.mac,
        )

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """Read a body of the right size; ValueError for a bad value."""
        values = cls.LAYOUT.unpack(body)
        return cls(
            values[1],
            values[2],
            values[3],
            values[4],
        )


@dataclass(frozen=True, slots=True)
class KeyDone:
    """Result of writing a key."""

    ID: ClassVar[int] = 10
    LAYOUT: ClassVar[Struct] = Struct("<BBQ")

    result: KeyResult
    """Whether the new key is in force. (key_result)"""
    check: int
    """SipHash-2-4 by the key now in force over nothing: shows which one it is. (number)"""

    def pack(self) -> bytes:
        """The body, id first."""
        return self.LAYOUT.pack(
            self.ID,
            self.result,
            self.check,
        )

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """Read a body of the right size; ValueError for a bad value."""
        values = cls.LAYOUT.unpack(body)
        return cls(
            KeyResult(values[1]),
            values[2],
        )


@dataclass(frozen=True, slots=True)
class Greeting:
    """Asks for hello and tells the node whom it talks to; reports flow only after a matching one."""

    ID: ClassVar[int] = 65
    LAYOUT: ClassVar[Struct] = Struct("<BHI")

    protocol: int
    """Protocol number of the host. (number)"""
    definition: int
    """Start of the SHA-256 of the host's messages.toml. (hash)"""

    def pack(self) -> bytes:
        """The body, id first."""
        return self.LAYOUT.pack(
            self.ID,
            self.protocol,
            self.definition,
        )

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """Read a body of the right size; ValueError for a bad value."""
        values = cls.LAYOUT.unpack(body)
        return cls(
            values[1],
            values[2],
        )


@dataclass(frozen=True, slots=True)
class Ack:
    """Every report up to this number is safely written down and may be forgotten."""

    ID: ClassVar[int] = 66
    LAYOUT: ClassVar[Struct] = Struct("<BHI")

    boot: int
    """Start of the node; another start's acknowledgement is ignored. (count)"""
    sequence: int
    """Last report written down. (sequence)"""

    def pack(self) -> bytes:
        """The body, id first."""
        return self.LAYOUT.pack(
            self.ID,
            self.boot,
            self.sequence,
        )

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """Read a body of the right size; ValueError for a bad value."""
        values = cls.LAYOUT.unpack(body)
        return cls(
            values[1],
            values[2],
        )


@dataclass(frozen=True, slots=True)
class ClockQuery:
    """Asks for the node's clock."""

    ID: ClassVar[int] = 67
    LAYOUT: ClassVar[Struct] = Struct("<BH")

    token: int
    """Comes back in the reply. (number)"""

    def pack(self) -> bytes:
        """The body, id first."""
        return self.LAYOUT.pack(
            self.ID,
            self.token,
        )

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """Read a body of the right size; ValueError for a bad value."""
        values = cls.LAYOUT.unpack(body)
        return cls(
            values[1],
        )


@dataclass(frozen=True, slots=True)
class SettingsQuery:
    """Asks for the settings of one pocket."""

    ID: ClassVar[int] = 68
    LAYOUT: ClassVar[Struct] = Struct("<BB")

    pocket: int
    """Channel. (channel)"""

    def __post_init__(self) -> None:
        _check("pocket", self.pocket, 0, 3)

    def pack(self) -> bytes:
        """The body, id first."""
        return self.LAYOUT.pack(
            self.ID,
            self.pocket,
        )

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """Read a body of the right size; ValueError for a bad value."""
        values = cls.LAYOUT.unpack(body)
        return cls(
            values[1],
        )


@dataclass(frozen=True, slots=True)
class SettingsChange:
    """Puts settings of one pocket in force and keeps them in EEPROM."""

    ID: ClassVar[int] = 69
    LAYOUT: ClassVar[Struct] = Struct("<BBHHHHH")

    pocket: int
    """Channel. (channel)"""
    threshold: int
    """Fall of the beam below its resting level that counts as broken. (ADC counts)"""
    hysteresis: int
    """How far it must rise again above that to count as whole. (ADC counts)"""
    least_width_us: int
    """Shorter breaks are not reported. (us)"""
    rearm_us: int
    """Breaks this soon after another belong to it, unless they are seen to be a piece of their own. (us)"""
    spacing_um: int
    """How far the light spot of the reflectance sensor sits above the beam; 0 when there is none. (um)"""

    def __post_init__(self) -> None:
        _check("pocket", self.pocket, 0, 3)
        _check("threshold", self.threshold, 1, 1023)
        _check("hysteresis", self.hysteresis, 0, 1023)

    def pack(self) -> bytes:
        """The body, id first."""
        return self.LAYOUT.pack(
            self.ID,
            self.pocket,
            self.threshold,
            self.hysteresis,
            self.least_width_us,
            self.rearm_us,
            self.spacing_um,
        )

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """Read a body of the right size; ValueError for a bad value."""
        values = cls.LAYOUT.unpack(body)
        return cls(
            values[1],
            values[2],
            values[3],
            values[4],
            values[5],
            values[6],
        )


@dataclass(frozen=True, slots=True)
class SelfTest:
    """Asks for a self-test of one pocket; done only while nothing is falling."""

    ID: ClassVar[int] = 70
    LAYOUT: ClassVar[Struct] = Struct("<BB")

    pocket: int
    """Channel. (channel)"""

    def __post_init__(self) -> None:
        _check("pocket", self.pocket, 0, 3)

    def pack(self) -> bytes:
        """The body, id first."""
        return self.LAYOUT.pack(
            self.ID,
            self.pocket,
        )

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """Read a body of the right size; ValueError for a bad value."""
        values = cls.LAYOUT.unpack(body)
        return cls(
            values[1],
        )


@dataclass(frozen=True, slots=True)
class Identity:
    """Writes the node's id and label into its EEPROM; answered by hello."""

    ID: ClassVar[int] = 71
    LAYOUT: ClassVar[Struct] = Struct("<BQB")

    device: int
    """New id, random. (id)"""
    label: int
    """Number the builder wrote on the box; 0 for none. (number)"""

    def pack(self) -> bytes:
        """The body, id first."""
        return self.LAYOUT.pack(
            self.ID,
            self.device,
            self.label,
        )

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """Read a body of the right size; ValueError for a bad value."""
        values = cls.LAYOUT.unpack(body)
        return cls(
            values[1],
            values[2],
        )


@dataclass(frozen=True, slots=True)
class ValuesQuery:
    """Asks what one pocket's sensor measures."""

    ID: ClassVar[int] = 72
    LAYOUT: ClassVar[Struct] = Struct("<BB")

    pocket: int
    """Channel. (channel)"""

    def __post_init__(self) -> None:
        _check("pocket", self.pocket, 0, 3)

    def pack(self) -> bytes:
        """The body, id first."""
        return self.LAYOUT.pack(
            self.ID,
            self.pocket,
        )

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """Read a body of the right size; ValueError for a bad value."""
        values = cls.LAYOUT.unpack(body)
        return cls(
            values[1],
        )


@dataclass(frozen=True, slots=True)
class Challenge:
    """Asks the node to prove that it holds the key."""

    ID: ClassVar[int] = 73
    LAYOUT: ClassVar[Struct] = Struct("<BQ")

    nonce: int
    """Random, never used before. (number)"""

    def pack(self) -> bytes:
        """The body, id first."""
        return self.LAYOUT.pack(
            self.ID,
            self.nonce,
        )

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """Read a body of the right size; ValueError for a bad value."""
        values = cls.LAYOUT.unpack(body)
        return cls(
            values[1],
        )


@dataclass(frozen=True, slots=True)
class KeyChange:
    """Writes the node's key into its EEPROM; a node that holds one asks for proof of it."""

    ID: ClassVar[int] = 74
    LAYOUT: ClassVar[Struct] = Struct("<BQQQ")

    key_low: int
    """First eight bytes of the new key. (number)"""
    key_high: int
    """Last eight bytes of the new key. (number)"""
    proof: int
    """SipHash-2-4 by the key in force over the new one; anything when none is. (number)"""

    def pack(self) -> bytes:
        """The body, id first."""
        return self.LAYOUT.pack(
            self.ID,
            self.key_low,
            self.key_high,
            self.proof,
        )

    @classmethod
    def unpack(cls, body: bytes) -> Self:
        """Read a body of the right size; ValueError for a bad value."""
        values = cls.LAYOUT.unpack(body)
        return cls(
            values[1],
            values[2],
            values[3],
        )


Message = (
    Hello
    | PieceFell
    | Heartbeat
    | ClockReply
    | Fault
    | SettingsNow
    | SelfTestDone
    | ValuesNow
    | Proof
    | KeyDone
    | Greeting
    | Ack
    | ClockQuery
    | SettingsQuery
    | SettingsChange
    | SelfTest
    | Identity
    | ValuesQuery
    | Challenge
    | KeyChange
)

KINDS: dict[int, type[Message]] = {
    Hello.ID: Hello,
    PieceFell.ID: PieceFell,
    Heartbeat.ID: Heartbeat,
    ClockReply.ID: ClockReply,
    Fault.ID: Fault,
    SettingsNow.ID: SettingsNow,
    SelfTestDone.ID: SelfTestDone,
    ValuesNow.ID: ValuesNow,
    Proof.ID: Proof,
    KeyDone.ID: KeyDone,
    Greeting.ID: Greeting,
    Ack.ID: Ack,
    ClockQuery.ID: ClockQuery,
    SettingsQuery.ID: SettingsQuery,
    SettingsChange.ID: SettingsChange,
    SelfTest.ID: SelfTest,
    Identity.ID: Identity,
    ValuesQuery.ID: ValuesQuery,
    Challenge.ID: Challenge,
    KeyChange.ID: KeyChange,
}


def unpack(body: bytes) -> Message:
    """The message a frame's body holds; raises WireError when it is none."""
    kind = KINDS.get(body[0]) if body else None
    if kind is None or len(body) != kind.LAYOUT.size:
        raise WireError(f"no message starts {body[:1].hex()} and has {len(body)} bytes")
    try:
        return kind.unpack(body)
    except ValueError as error:
        raise WireError(str(error)) from error


def _check(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise ValueError(f"{name} is {value}, outside {low} to {high}")
