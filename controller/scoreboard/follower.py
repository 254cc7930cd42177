"""What a reader of the feed may believe: one table followed over MQTT. Pure.

Rules (FEED.md): messages repeat, overtake each other across topics and are kept by
the broker for readers who come late. A snapshot of an older `rev` and an event of a
`seq` already known are dropped; a jump in `seq` means something was missed, so the
page says "resyncing" until a snapshot covers it; another boot or match starts over;
a `lost` counts only for the boot that is current. Only live messages (not those the
broker had kept) prove that the table is alive.
"""

import json
from dataclasses import dataclass, field

from pydantic import BaseModel, ValidationError

from controller.feed.models import (
    PAYLOADS,
    RETAINED,
    Envelope,
    Payload,
    RawTrack,
    Topic,
)
from controller.feed.models_match import MatchEvent, MatchState
from controller.feed.models_table import Health, Info, Status, StatusWord

STALE_S = 5.0
"""Without a sign of life for so long, what is shown is no longer news (M7)."""

SHELVED_BOOTS = 4


class Unreadable(ValueError):
    """A message that is not of this feed."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message as it came from the broker; `kept` says it is not live."""

    topic: Topic
    envelope: Envelope
    payload: Payload
    kept: bool


def read(topic: str, payload: bytes, *, kept: bool) -> Message:
    """Understand one MQTT message; raises Unreadable."""
    try:
        level = Topic(topic.split("/", 3)[3])
        fields = json.loads(payload)
        return Message(
            level,
            Envelope.model_validate(fields),
            _model(level).model_validate(fields),
            kept,
        )
    except (IndexError, ValueError, ValidationError) as error:
        raise Unreadable(f"{topic}: {error}") from None


def _model(level: Topic) -> type[Payload]:
    return PAYLOADS[level]


@dataclass(slots=True)
class Follower:
    """One table as far as it is known. Memory only; give it every message in order."""

    boot: str | None = None
    match: str | None = None
    rev: int = -1
    seq: int = -1
    state: MatchState | None = None
    status: Status | None = None
    info: Info | None = None
    health: Health | None = None
    track: RawTrack | None = None
    alive_at_s: float | None = None
    """When the current boot was last heard live, on the reader's own clock."""
    ahead_s: float | None = None
    """The table's clock less the reader's, by its last live heartbeat."""
    ignored: int = 0
    """Messages dropped: repeated, overtaken, or of a boot that is not current."""
    _shelf: dict[str, dict[Topic, Message]] = field(default_factory=dict, init=False)
    _state_at_s: float = field(default=float("-inf"), init=False)
    _missed_seq: int | None = field(default=None, init=False)

    @property
    def resyncing(self) -> bool:
        """Whether an event was missed that no snapshot has covered yet."""
        return self._missed_seq is not None

    @property
    def incomplete(self) -> bool:
        """Whether something that a table retains has not been heard."""
        return self.status is None or self.info is None or self.state is None

    def stale(self, now_s: float) -> bool:
        """Whether too long ago anything came that proves the table alive."""
        return self.alive_at_s is None or now_s - self.alive_at_s > STALE_S

    def take(self, message: Message, now_s: float) -> bool:
        """Learn from one message; whether it counted."""
        if message.topic in RETAINED:
            self._shelve(message)
        if not self._belongs(message):
            self.ignored += 1
            return False
        counted = self._learn(message)
        self.ignored += not counted
        if not message.kept and not _is_will(message):
            self.alive_at_s = now_s
            if message.topic is Topic.HEALTH:
                self.ahead_s = message.envelope.t_mono_s - now_s
        return counted

    def _belongs(self, message: Message) -> bool:
        """Whether it is of the current boot; a newer boot makes us start over."""
        boot = message.envelope.boot
        if boot == self.boot:
            return True
        if _is_will(message):
            return self.boot is None
        speaks = message.topic is Topic.STATUS or not message.kept
        if self.boot is not None and not speaks:
            return False
        self._start_over(message)
        return True

    def _start_over(self, message: Message) -> None:
        """Forget the old boot; take up what the new one has said already."""
        self.boot = message.envelope.boot
        self.status = self.info = self.health = self.track = None
        self.alive_at_s = self.ahead_s = None
        self._forget_match(None)
        for earlier in self._shelf.get(self.boot, {}).values():
            if earlier is not message:
                self._learn(earlier)

    def _shelve(self, message: Message) -> None:
        """Keep it by its boot: kept messages of two boots come in any order."""
        boot = message.envelope.boot
        self._shelf.setdefault(boot, {})[message.topic] = message
        if len(self._shelf) > SHELVED_BOOTS:
            del self._shelf[next(iter(self._shelf))]

    def _forget_match(self, match: str | None) -> None:
        self.match = match
        self.rev = self.seq = -1
        self.state = None
        self._state_at_s = float("-inf")
        self._missed_seq = None

    def _learn(self, message: Message) -> bool:
        match message.payload:
            case MatchState() as state:
                return self._snapshot(message.envelope, state)
            case MatchEvent():
                return self._event(message.envelope)
            case Status() as status:
                self.status = status
            case Info() as info:
                self.info = info
            case Health() as health:
                self.health = health
            case RawTrack() as track:
                self.track = track
            case _:
                return False
        return True

    def _snapshot(self, envelope: Envelope, state: MatchState) -> bool:
        if envelope.match != self.match:
            self._forget_match(envelope.match)
        rev = envelope.rev or 0
        if (rev, envelope.t_mono_s) < (self.rev, self._state_at_s):
            return False
        self.state, self.rev, self._state_at_s = state, rev, envelope.t_mono_s
        self.seq = max(self.seq, rev)
        if self._missed_seq is not None and rev >= self._missed_seq:
            self._missed_seq = None
        return True

    def _event(self, envelope: Envelope) -> bool:
        if envelope.match != self.match:
            self._forget_match(envelope.match)
        seq = envelope.seq or 0
        if seq <= self.seq:
            return False
        if seq > self.seq + 1:
            self._missed_seq = seq
        self.seq = seq
        return True


def _is_will(message: Message) -> bool:
    payload: BaseModel = message.payload
    return isinstance(payload, Status) and payload.status is StatusWord.LOST
