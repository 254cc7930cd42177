"""Carries publications to one MQTT broker and never pretends that it has.

Theory of operation. `publish` only sorts what it is given into three places:

- a retained topic keeps its newest message for ever, and is *due* until the broker
  has acknowledged that one; older ones are dropped, which is what a snapshot is for;
- a numbered event is not kept at all: the journal keeps it. Events go out from the
  journal's cursor, in order, a few at a time, and the cursor moves with the
  acknowledgements, so an outage of any length costs neither memory nor events;
- the rest (raw tracks, alerts, proposals) is worth something only now: a handful
  waits, and what cannot be sent while offline is dropped and counted.

`run` makes a new client for each connection, so no half-dead client is ever mended.
On each connection all retained topics go out again, `status` last, whatever the
broker may remember. The last will says `lost` with our boot id.

A client's "connected" flag proves nothing, and a broker that forbids us to write
acknowledges all the same (3.1.1 cannot say no, aiomqtt does not look). So we
subscribe to our own `status`: its echo proves that readers get what we write, a
`lost` from an earlier boot that overtook our greeting is answered with our status,
and a second controller that speaks for the same table is heard and reported.
"""

import asyncio
import json
import logging
import math
import random
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import aiomqtt

from controller.feed.connection import (
    ACKNOWLEDGE_S,
    Address,
    Protocol,
    connection,
    root,
    wrong_protocol,
)
from controller.feed.models import Topic
from controller.feed.models_table import StatusWord
from controller.feed.publications import Publication

log = logging.getLogger(__name__)

EventsAfter = Callable[[int], Sequence[Publication]]
"""The journal's cursor: the next events with `seq` greater than the one given, in
order. It may give only the first of them; an empty answer means there are none."""

BATCH = 6
"""Events in flight at once: with the retained topics fewer than the 10 at which
aiomqtt warns and the 20 that brokers grant."""
PASSING = 32
"""Messages that wait though they are worth something only now."""
FIRST_RETRY_S, LAST_RETRY_S = 0.1, 5.0
RIVAL_WINDOW_S = 60.0
RIVAL_COUNT, LOST_COUNT = 2, 4
"""Messages from a second controller, and lost connections, within the window before
they are reported (M5). Brokers rarely say "taken over" in a way that reaches us."""
STEADY_S = 5.0
"""A connection that lasted is worth returning to at once."""


@dataclass(frozen=True, slots=True)
class DeliveryHealth:
    """What delivery knows of itself; only acknowledgements count as being heard.

    `echoed` is whether our own status came back on this connection. `trouble` is
    one sentence with its remedy, empty while all is well.
    """

    connected: bool
    echoed: bool
    acknowledged: int
    acknowledged_at_s: float | None
    last_seq: int
    dropped: int
    lost_connections: int
    trouble: str


@dataclass(slots=True)
class _Counts:
    acknowledged: int = 0
    acknowledged_at_s: float | None = None
    dropped: int = 0
    lost_connections: int = 0
    lost_at_s: deque[float] = field(default_factory=lambda: deque(maxlen=LOST_COUNT))
    rivals_at_s: deque[float] = field(default_factory=lambda: deque(maxlen=RIVAL_COUNT))


class Delivery:
    """Keeps one table's topics up to date at one broker.

    `will` also tells which boot and status topic are ours. `cursor` is the seq of
    the last event known to have been delivered. Raises Refusal for an unusable URL.
    """

    def __init__(
        self,
        broker_url: str,
        *,
        will: Publication,
        events_after: EventsAfter,
        client_id: str,
        cursor: int = 0,
    ) -> None:
        self._address = Address.parse(broker_url)
        self._will = will
        self._boot = str(json.loads(will.payload)["boot"])
        self._client_id = client_id
        self._events_after = events_after
        self._cursor = cursor
        self._retained: dict[str, Publication] = {}
        self._due: dict[str, Publication] = {}
        self._passing: deque[Publication] = deque(maxlen=PASSING)
        self._events_due = True
        self._protocol = Protocol.V5
        self._connected = False
        self._echoed = False
        self._trouble = "not connected yet"
        self._counts = _Counts()
        self._news = asyncio.Event()
        self._idle = asyncio.Event()

    def publish(self, publications: Iterable[Publication]) -> None:
        """Take what is to be told; returns at once. Call it in the event loop.

        A retained topic replaces what waited for it; a numbered event only says
        that `events_after` has news; anything else goes out now or not at all.
        """
        for publication in publications:
            if publication.retain:
                self._retained[publication.topic] = publication
                self._due[publication.topic] = publication
            elif publication.seq is not None:
                self._events_due = True
            else:
                self._let_pass(publication)
            self._idle.clear()
            self._news.set()

    async def run(self) -> None:
        """Deliver until cancelled, over as many connections as it takes.

        Publish `status: stopping` and await `drained` before cancelling: a client
        that leaves in good order has no will.
        """
        retry_s = FIRST_RETRY_S
        while True:
            began_s = time.monotonic()
            ended = root(await self._one_connection())
            if wrong_protocol(ended) and self._protocol is Protocol.V5:
                self._protocol = Protocol.V311
                continue
            if time.monotonic() - began_s > STEADY_S:
                retry_s = FIRST_RETRY_S
            self._note_end(ended)
            # Jitter: the tables of a hall must not all return in one instant.
            await asyncio.sleep(retry_s * random.uniform(0.5, 1.0))
            retry_s = min(2 * retry_s, LAST_RETRY_S)

    async def drained(self) -> None:
        """Return once everything handed over has been acknowledged."""
        await self._idle.wait()

    @property
    def health(self) -> DeliveryHealth:
        """How delivery stands now."""
        return DeliveryHealth(
            connected=self._connected,
            echoed=self._echoed,
            acknowledged=self._counts.acknowledged,
            acknowledged_at_s=self._counts.acknowledged_at_s,
            last_seq=self._cursor,
            dropped=self._counts.dropped,
            lost_connections=self._counts.lost_connections,
            trouble=self._trouble,
        )

    async def _one_connection(self) -> aiomqtt.MqttError:
        """Serve one connection to its end; the answer says how it ended."""
        client = connection(
            self._address,
            self._protocol,
            client_id=self._client_id,
            will=aiomqtt.Will(self._will.topic, self._will.payload, qos=1, retain=True),
        )
        try:
            async with client:
                await client.subscribe(self._will.topic, qos=1)
                self._connected = True
                self._report("")
                log.info("feed up: %s %s", self._address, self._protocol.name)
                return await self._serve(client)
        except aiomqtt.MqttError as error:
            return error

    async def _serve(self, client: aiomqtt.Client) -> aiomqtt.MqttError:
        """Speak and listen at once, until either finds the connection broken.

        A pending publish does not notice a disconnect, the listener does.
        """
        self._due = _status_last(self._retained, self._will.topic)
        self._events_due = True
        self._news.set()
        ended = None
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._speak(client))
                tasks.create_task(self._listen(client))
                tasks.create_task(self._probe())
        except* aiomqtt.MqttError as errors:
            first = errors.exceptions[0]
            ended = first if isinstance(first, aiomqtt.MqttError) else None
        return ended or aiomqtt.MqttError("connection ended")

    async def _speak(self, client: aiomqtt.Client) -> None:
        while True:
            await self._news.wait()
            self._news.clear()
            while batch := self._next_batch():
                await asyncio.gather(*(self._send(client, each) for each in batch))
                self._settle(batch)
            self._idle.set()

    def _next_batch(self) -> list[Publication]:
        """What goes next, in order: a few events, the retained topics, the rest.

        Events go before the snapshot that contains them: a reader drops an event
        whose seq the snapshot already covers.
        """
        events = self._events_after(self._cursor)[:BATCH] if self._events_due else ()
        self._events_due = bool(events)
        return [*events, *self._due.values(), *self._passing]

    async def _send(self, client: aiomqtt.Client, publication: Publication) -> None:
        await client.publish(
            publication.topic,
            publication.payload,
            qos=publication.qos,
            retain=publication.retain,
        )
        if publication.qos > 0:
            self._counts.acknowledged += 1
            self._counts.acknowledged_at_s = time.monotonic()

    def _settle(self, batch: Iterable[Publication]) -> None:
        for sent in batch:
            if sent.seq is not None:
                self._cursor = sent.seq
            if self._due.get(sent.topic) is sent:
                del self._due[sent.topic]
            if sent in self._passing:
                self._passing.remove(sent)

    def _let_pass(self, publication: Publication) -> None:
        if not self._connected:
            self._counts.dropped += 1
            return
        if len(self._passing) == PASSING:
            self._counts.dropped += 1
        self._passing.append(publication)

    async def _listen(self, client: aiomqtt.Client) -> None:
        async for message in client.messages:
            boot, word = _status_of(message.payload)
            if boot == self._boot and word != StatusWord.LOST:
                self._echoed = True
                if self._trouble == _UNHEARD:
                    self._report("")
            elif word == StatusWord.LOST:  # the will of an earlier boot hides us
                self._say_status_again()
            elif not message.retain:
                self._note_rival(boot)

    async def _probe(self) -> None:
        """Make sure that silence means a quiet table and not a deaf broker.

        Says our status again when nothing was acknowledged lately, and reports when
        it does not come back though it was acknowledged.
        """
        while True:
            await asyncio.sleep(ACKNOWLEDGE_S)
            if not self._echoed and self._will.topic in self._retained:
                self._report(_UNHEARD)
            heard_s = self._counts.acknowledged_at_s or -math.inf
            if time.monotonic() - heard_s > ACKNOWLEDGE_S:
                self._say_status_again()

    def _say_status_again(self) -> None:
        if status := self._retained.get(self._will.topic):
            self.publish([status])

    def _note_end(self, ended: aiomqtt.MqttError) -> None:
        """Report why there is no connection; too many short ones mean a rival."""
        trouble = f"broker {self._address} cannot be reached: {ended}"
        if self._connected:
            trouble = f"broker {self._address} has gone: {ended}"
            self._counts.lost_connections += 1
            lost = self._counts.lost_at_s
            lost.append(time.monotonic())
            if len(lost) == LOST_COUNT and lost[-1] - lost[0] < RIVAL_WINDOW_S:
                trouble = (
                    f"broker {self._address} drops every connection soon: is another "
                    f"program connected with the client id {self._client_id}?"
                )
        self._connected = self._echoed = False
        self._report(trouble)

    def _note_rival(self, boot: str) -> None:
        seen = self._counts.rivals_at_s
        seen.append(time.monotonic())
        if len(seen) == RIVAL_COUNT and seen[-1] - seen[0] < RIVAL_WINDOW_S:
            self._report(
                f"another controller (boot {boot}) speaks on {self._will.topic}: "
                "stop it, or give one of the two another table name"
            )

    def _report(self, trouble: str) -> None:
        if trouble and trouble != self._trouble:
            log.error("feed: %s", trouble)
        self._trouble = trouble


_UNHEARD = (
    "the broker takes our messages and does not pass them on: "
    f"allow this user to write and read carrom/v1/<table>/{Topic.STATUS} and below"
)


def _status_last(
    retained: dict[str, Publication], status_topic: str
) -> dict[str, Publication]:
    ordered = sorted(retained, key=lambda topic: topic == status_topic)
    return {topic: retained[topic] for topic in ordered}


def _status_of(payload: object) -> tuple[str, str]:
    """Boot and word of a status message; empty when it is not one of ours."""
    try:
        fields = json.loads(payload) if isinstance(payload, bytes | str) else {}
    except ValueError:
        fields = {}
    if not isinstance(fields, dict):
        return "", ""
    return str(fields.get("boot", "")), str(fields.get("status", ""))
