"""A club's evening without hardware: everything around the unchanged product.

Three programs, each in a process of its own that dies with us: the simulated table
(camera, pocket node, simulated umpire), the controller (`carrom run`, exactly as at a
real table) and the scoreboard (`carrom scoreboard`). A program that dies is started
again at once, as systemd would do it. The hall only prepares the folder a calibrated
club would have (configuration, calibration profile, picture of the empty table) and
finds free ports.
"""

import asyncio
import json
import logging
import signal
import socket
import sys
import time
from asyncio.subprocess import STDOUT, Process
from collections.abc import Coroutine, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

from calibration.refusal import Refusal
from calibration.table import Table
from controller import processes
from controller.config import lens_beside
from controller.config_match import MatchSettings
from controller.console.access import Keyring, Role
from controller.simulator.games import match_of, with_game
from controller.simulator.table_process import (
    POCKETS,
    SCENES,
    SETTINGS,
    TableSettings,
)
from controller.simulator.umpire import UmpireSettings
from controller.simulator.world import Habits

log = logging.getLogger(__name__)

CONFIG = "demo.toml"
SECRET = "console.secret"
JOURNAL = "match.journal"
CONFIGURATION = """\
# Written by carrom demo; a real table's file looks the same.
{calibration}
[table]
name = "demo"

[match]
rules = {rules}
{players}
[camera]
source = "rendered"
device = {scenes}
rate_hz = {rate_hz}

[pockets]
source = "simulated"
port = {pockets}

[broker]
port = {broker_port}
raw = true

[console]
port = {console_port}
secret = {secret}

[scoreboard]
port = {scoreboard_port}

[journal]
path = {journal}
key = {key}
"""
PLAYER = """
[[match.players]]
name = {name}
seat = "{seat}"
"""
PORTS_TRIED = 50
REFUSED = 2
"""Exit code of a program that cannot use its input: no restart mends that."""
QUICK_S = 1.0
"""A program that ran shorter than this is started again after a pause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HallSettings:
    """What is played and where it is shown; a port of None takes a free one."""

    folder: Path
    seed: int = 1
    boards: int | None = None
    match: MatchSettings = field(default_factory=lambda: match_of(2, None))
    speed: float = 1.0
    rate_hz: float = 60.0
    scoreboard_port: int = 8000
    console_port: int = 8001
    broker_port: int = 1883
    skill: float = 0.8
    umpire: bool = True
    calibrated: bool = True
    """False: an empty table nobody has calibrated; play begins once somebody has."""
    board_held: bool = False
    """Uncalibrated only: a ChArUco board is held up first, until the lens is kept."""


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where everything can be found."""

    scoreboard: str
    overlay: str
    console: str
    calibration: str
    broker: str


@dataclass(slots=True)
class Program:
    """One of the hall's programs: how it is started, and its present process."""

    name: str
    command: list[str]
    log_path: Path
    process: Process | None = None
    starts: int = field(default=0)


class Hall:
    """The three programs; `async with` starts them and ends them in good order."""

    def __init__(self, settings: HallSettings) -> None:
        self.settings = settings
        folder = settings.folder
        taken: set[int] = set()
        self.scoreboard_port = free_port(settings.scoreboard_port, taken)
        self.console_port = free_port(settings.console_port, taken)
        self.broker_port = free_port(settings.broker_port, taken)
        keyring = Keyring.kept_in(folder / SECRET)
        self.token = keyring.token
        self._technician = keyring.token_of(Role.TECHNICIAN)
        carrom = [sys.executable, "-m", "controller"]
        config = str(folder / CONFIG)
        table = [sys.executable, "-m", "controller.simulator.table_process"]
        self.table = self._program("table", [*table, str(folder / "table.json")])
        self.controller = self._program(
            "controller", [*carrom, "run", "--config", config]
        )
        self.scoreboard = self._program(
            "scoreboard",
            [
                *carrom,
                "scoreboard",
                "--broker",
                f"mqtt://127.0.0.1:{self.broker_port}",
                "--table",
                "demo",
                "--port",
                str(self.scoreboard_port),
            ],
        )
        self._keepers: list[asyncio.Task[None]] = []

    @property
    def addresses(self) -> Addresses:
        """Where to look; the console's address lets its reader in."""
        page = f"http://127.0.0.1:{self.scoreboard_port}/"
        console = f"http://127.0.0.1:{self.console_port}"
        return Addresses(
            scoreboard=page,
            overlay=f"{page}overlay",
            console=f"{console}/?token={self.token}",
            calibration=f"{console}/calibration?token={self._technician}",
            broker=f"mqtt://127.0.0.1:{self.broker_port}",
        )

    @property
    def programs(self) -> tuple[Program, ...]:
        """In the order they are started."""
        return (self.table, self.controller, self.scoreboard)

    async def __aenter__(self) -> Self:
        """Prepare the folder and start everything; returns once all of it answers.

        Raises Refusal when a program cannot start.
        """
        await asyncio.to_thread(prepare, self)
        try:
            self._begin(self.table)
            await self._while_kept(_until_there(self.settings.folder / POCKETS))
            self._begin(self.controller)
            self._begin(self.scoreboard)
            ports = (self.console_port, self.broker_port, self.scoreboard_port)
            await self._while_kept(_until_they_listen(ports))
        except BaseException:
            await self._end()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        await self._end()

    async def failed(self) -> None:
        """Return never; raises Refusal when a program cannot be kept alive."""
        done, _ = await asyncio.wait(self._keepers, return_when=asyncio.FIRST_COMPLETED)
        for keeper in done:
            keeper.result()

    def _program(self, name: str, command: list[str]) -> Program:
        return Program(name, command, self.settings.folder / f"{name}.log")

    async def _keep(self, program: Program) -> None:
        """Start a program again whenever it dies."""
        while True:
            began_s = time.monotonic()
            with program.log_path.open("ab") as out:
                program.process = await processes.start(
                    program.command,
                    with_signal=signal.SIGTERM,
                    stdout=out.fileno(),
                    stderr=STDOUT,
                )
            program.starts += 1
            code = await program.process.wait()
            if code == REFUSED:
                raise Refusal(_last_line(program.log_path))
            log.warning("%s ended (%s): starting it again", program.name, _how(code))
            if time.monotonic() - began_s < QUICK_S:
                await asyncio.sleep(QUICK_S)

    def _begin(self, program: Program) -> None:
        self._keepers.append(asyncio.create_task(self._keep(program)))

    async def _while_kept(self, waiting: Coroutine[None, None, None]) -> None:
        """Wait for something; raises Refusal when a program cannot start."""
        waiter = asyncio.create_task(waiting)
        await asyncio.wait(
            (waiter, *self._keepers), return_when=asyncio.FIRST_COMPLETED
        )
        if not waiter.done():
            waiter.cancel()
            await self.failed()

    async def _end(self) -> None:
        """End scoreboard, controller and table, in this order."""
        for keeper in self._keepers:
            keeper.cancel()
        await asyncio.gather(*self._keepers, return_exceptions=True)
        for program in reversed(self.programs):
            if program.process is not None:
                await processes.stop(program.process)


def prepare(hall: Hall) -> None:
    """Write what a calibrated club has, and what its simulated table plays."""
    # Rendering compiles on the first run ever: only the demo pays for the import.
    from controller.simulator.calibrated import PROFILE, write_profile
    from vision.sources.rendering_camera import Camera

    settings, table = hall.settings, Table()
    _set_aside(settings.folder / JOURNAL)
    (settings.folder / POCKETS).unlink(missing_ok=True)
    profile = settings.folder / PROFILE
    lens = lens_beside(profile)
    if settings.calibrated:
        write_profile(settings.folder, table, Camera.overhead())
    else:
        profile.unlink(missing_ok=True)
        lens.unlink(missing_ok=True)
    (settings.folder / CONFIG).write_text(configuration(hall, profile))
    umpire = UmpireSettings(
        address=f"http://127.0.0.1:{hall.console_port}", token=hall.token
    )
    play = TableSettings(
        folder=settings.folder,
        table=table,
        seed=settings.seed,
        boards=settings.boards,
        rate_hz=settings.rate_hz,
        habits=with_game(
            Habits(skill=(settings.skill,) * 2, pace=settings.speed), settings.match
        ),
        umpire=umpire if settings.umpire else None,
        cleared_until=None if settings.calibrated else profile,
        board_until=lens if settings.board_held else None,
    )
    (settings.folder / "table.json").write_bytes(SETTINGS.dump_json(play))


def _set_aside(journal: Path) -> None:
    """Keep an earlier evening's record; tonight's match is another."""
    if journal.exists():
        stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime())
        for side in ("", "-wal", "-shm"):
            beside = journal.with_name(journal.name + side)
            if beside.exists():
                beside.rename(journal.with_name(f"{stamp}-{journal.name}{side}"))


def configuration(hall: Hall, profile: Path) -> str:
    """The configuration file of this hall's controller."""
    folder = hall.settings.folder
    players = "".join(
        PLAYER.format(name=json.dumps(player.name), seat=player.seat.value)
        for player in hall.settings.match.players
    )
    return CONFIGURATION.format(
        calibration=(
            f"calibration = {json.dumps(str(profile))}\n"
            if hall.settings.calibrated
            else "# Left out: the calibration page makes calibration.json here.\n"
        ),
        rules=json.dumps(hall.settings.match.rules),
        players=players,
        scenes=json.dumps(str(folder / SCENES)),
        rate_hz=float(hall.settings.rate_hz),
        pockets=json.dumps(str(folder / POCKETS)),
        broker_port=hall.broker_port,
        console_port=hall.console_port,
        secret=json.dumps(str(folder / SECRET)),
        scoreboard_port=hall.scoreboard_port,
        journal=json.dumps(str(folder / JOURNAL)),
        key=json.dumps(str(folder / "carrom.key")),
    )


def free_port(preferred: int, taken: set[int]) -> int:
    """The preferred port if nothing uses it, else the next free one.

    Raises Refusal when none of the next `PORTS_TRIED` is free.
    """
    for port in range(preferred, preferred + PORTS_TRIED):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        chosen = int(port)
        if chosen not in taken:
            taken.add(chosen)
            return chosen
    raise Refusal(
        f"no free port from {preferred} to {preferred + PORTS_TRIED - 1}: "
        "stop what uses them or give another with --port"
    )


async def _until_there(path: Path) -> None:
    while not path.exists():
        await asyncio.sleep(0.05)


async def _until_they_listen(ports: Iterable[int]) -> None:
    for port in ports:
        await until_it_listens(port)


async def until_it_listens(port: int) -> None:
    """Return once something accepts connections at a port of this machine."""
    while True:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            await asyncio.sleep(0.05)
        else:
            writer.close()
            return


def _last_line(path: Path) -> str:
    """What a refused program said last, without its name in front."""
    lines = path.read_text(errors="replace").strip().splitlines()
    return lines[-1].removeprefix("carrom: ") if lines else f"see {path}"


def _how(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"
