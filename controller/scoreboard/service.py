"""The display service: one MQTT subscriber, one web server, any number of pages."""

import asyncio
import hashlib
import logging
import signal
import socket
import time
from importlib.resources import files
from pathlib import Path
from uuid import uuid4

import aiomqtt
import uvicorn

from calibration.refusal import Refusal
from controller.feed.connection import (
    Address,
    Protocol,
    connection,
    root,
    wrong_protocol,
)
from controller.feed.models import Topic
from controller.feed.publications import table_name, topic
from controller.scoreboard.audience import Audience
from controller.scoreboard.captions import clock_line
from controller.scoreboard.follower import Follower, Unreadable, read
from controller.scoreboard.pages import application
from controller.scoreboard.view import Board, track_view, view

log = logging.getLogger(__name__)

SUBSCRIPTIONS = {
    Topic.STATUS: 1,
    Topic.INFO: 1,
    Topic.HEALTH: 0,
    Topic.STATE: 1,
    Topic.EVENT: 1,
    Topic.RAW_TRACK: 0,
}
"""What a display reads, and at which quality of service."""
PULSE_S = 1.0
"""How often pages hear how old the data is."""
ENDING_S = 0.1
ASK_AGAIN_S = 3.0
FIRST_RETRY_S, LAST_RETRY_S = 0.2, 2.0
STATIC = Path(str(files("controller.scoreboard"))) / "static"


class Scoreboard:
    """Follows one table at one broker and tells its audience.

    Raises Refusal for an unusable broker URL or table name.
    """

    def __init__(self, broker_url: str, table: str) -> None:
        self._address = Address.parse(broker_url)
        self._table = table_name(table)
        self._board = Board(table=table, version=version_of(STATIC))
        self._protocol = Protocol.V5
        self._follower = Follower()
        self._broker_fault = f"Connecting to the message broker at {self._address}."
        self.audience = Audience()

    async def follow(self) -> None:
        """Subscribe for ever, over as many connections as it takes."""
        retry_s = FIRST_RETRY_S
        while True:
            ended = root(await self._one_connection())
            if wrong_protocol(ended) and self._protocol is Protocol.V5:
                self._protocol = Protocol.V311
                continue
            if not self._broker_fault:
                retry_s = FIRST_RETRY_S
            fault = f"No message broker at {self._address} ({ended}); trying again."
            if fault != self._broker_fault:
                log.info("broker: %s", fault)
            self._broker_fault = fault
            self._show()
            await asyncio.sleep(retry_s)
            retry_s = min(2 * retry_s, LAST_RETRY_S)

    async def pulse(self) -> None:
        """Say every second how old the data is, and what the clock shows."""
        while True:
            self._show()
            now_s, alive = time.monotonic(), self._follower.alive_at_s
            age = None if alive is None else round(now_s - alive, 2)
            clock = clock_line(self._follower, now_s)
            self.audience.tell("pulse", {"age_s": age, "clock": clock}, keep=False)
            await asyncio.sleep(PULSE_S)

    async def _one_connection(self) -> aiomqtt.MqttError:
        # Displays come and go in any number: an id of their own each time (M5).
        client_id = f"scoreboard-{self._table}-{uuid4().hex[:8]}"
        client = connection(self._address, self._protocol, client_id=client_id)
        ended = None
        try:
            async with client, asyncio.TaskGroup() as tasks:
                await self._subscribe(client)
                log.info("following %s at %s", self._table, self._address)
                self._broker_fault = ""
                self._show()
                tasks.create_task(self._ask_again(client))
                tasks.create_task(self._listen(client))
        except* aiomqtt.MqttError as errors:
            first = errors.exceptions[0]
            ended = first if isinstance(first, aiomqtt.MqttError) else None
        return ended or aiomqtt.MqttError("the connection ended")

    async def _subscribe(self, client: aiomqtt.Client) -> None:
        await client.subscribe(
            [(topic(self._table, each), qos) for each, qos in SUBSCRIPTIONS.items()]
        )

    async def _ask_again(self, client: aiomqtt.Client) -> None:
        """Subscribe again while something retained is missing.

        A message published in the instant of a subscription can reach a reader
        neither as live nor as retained (seen once with nats-server 2.15).
        """
        while True:
            await asyncio.sleep(ASK_AGAIN_S)
            if self._follower.incomplete:
                await self._subscribe(client)

    async def _listen(self, client: aiomqtt.Client) -> None:
        async for message in client.messages:
            self._take(message)

    def _take(self, raw: aiomqtt.Message) -> None:
        payload = raw.payload if isinstance(raw.payload, bytes) else b""
        try:
            message = read(str(raw.topic), payload, kept=bool(raw.retain))
        except Unreadable as error:
            log.warning("not understood: %s", error)
            return
        counted = self._follower.take(message, time.monotonic())
        if message.topic is Topic.RAW_TRACK and self._follower.track and counted:
            moving = track_view(self._follower.track)
            self.audience.tell("track", moving, keep=False)
        else:
            self._show()

    def _show(self) -> None:
        shown = view(
            self._follower,
            self._board,
            broker=self._broker_fault,
            now_s=time.monotonic(),
        )
        self.audience.tell("view", shown)


async def serve(scoreboard: Scoreboard, listener: socket.socket) -> None:
    """Run the display service until it is told to end.

    A broker that is away is no reason to end: the page says so and comes back
    with it.
    """
    server = uvicorn.Server(
        uvicorn.Config(
            application(scoreboard.audience, STATIC),
            log_config=None,
            access_log=False,
            lifespan="off",
            timeout_graceful_shutdown=1,
            timeout_keep_alive=30,
        )
    )
    _end_in_order()
    tasks = [
        asyncio.create_task(scoreboard.follow(), name="scoreboard follower"),
        asyncio.create_task(scoreboard.pulse(), name="scoreboard pulse"),
        asyncio.create_task(server.serve(sockets=[listener]), name="scoreboard pages"),
    ]
    ending = asyncio.create_task(_dismiss_when_ending(server, scoreboard.audience))
    done, others = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    others.add(ending)
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    for task in done:
        task.result()


async def _dismiss_when_ending(server: uvicorn.Server, audience: Audience) -> None:
    """Event streams never end by themselves, and the server waits for them."""
    while not server.should_exit:
        await asyncio.sleep(ENDING_S)
    audience.dismiss()


def _end_in_order() -> None:
    """Let a signal end the server, not the process.

    uvicorn ends at SIGINT and SIGTERM, then raises the signal again for whoever
    handled it before: with no handler of ours it would kill us with tasks open.
    """
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, lambda: None)


def listening(host: str, port: int) -> socket.socket:
    """A bound socket for the pages; raises Refusal when the port cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise Refusal(
            f"scoreboard port {port} on {host} cannot be used ({error.strerror}): "
            "stop the program that has it, or choose another with --port"
        ) from None
    return listener


def version_of(folder: Path) -> str:
    """A short fingerprint of the pages: a page of another version reloads itself."""
    digest = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]
