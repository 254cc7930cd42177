"""What `carrom demo` shows on the terminal while the hall runs."""

import asyncio
import fcntl
import logging
import os
import signal
import tempfile
import time
import webbrowser
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.request import Request, urlopen

from pydantic import BaseModel
from rich.console import Console
from rich.panel import Panel
from rich.table import Table as Grid

from calibration.refusal import Refusal
from controller.config_match import MatchSettings
from controller.simulator.hall import Hall, HallSettings

LOOK_EVERY_S = 0.5
ANSWER_WITHIN_S = 2.0
out = Console(highlight=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wishes:
    """What the command line asked for."""

    boards: int | None
    match: MatchSettings
    seed: int
    speed: float
    folder: Path | None
    port: int
    browser: bool
    calibrated: bool = True
    board_held: bool = False


class Line(BaseModel):
    """One line of the console's record."""

    seq: int
    time: str
    text: str
    article: str = ""


class Shown(BaseModel):
    """What the ticker reads off the console."""

    rev: int
    log: list[Line]


def evening(wishes: Wishes) -> None:
    """Run the hall until Ctrl-C, SIGTERM or a program that cannot start."""
    logging.basicConfig(level=logging.WARNING, format="demo: %(message)s")
    with _folder(wishes.folder) as folder:
        asyncio.run(_evening(wishes, folder))


async def _evening(wishes: Wishes, folder: Path) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        loop.add_signal_handler(number, stop.set)
    hall = Hall(
        HallSettings(
            folder=folder,
            seed=wishes.seed,
            boards=wishes.boards,
            match=wishes.match,
            speed=wishes.speed,
            scoreboard_port=wishes.port,
            console_port=wishes.port + 1,
            calibrated=wishes.calibrated,
            board_held=wishes.board_held,
        )
    )
    began_s = time.monotonic()
    out.print("[dim]setting up the simulated table ...[/]")
    running = asyncio.create_task(_show(hall, wishes, began_s))
    stopping = asyncio.create_task(stop.wait())
    await asyncio.wait((running, stopping), return_when=asyncio.FIRST_COMPLETED)
    stopping.cancel()
    running.cancel()
    out.print("[dim]ending ...[/]")
    try:
        await running
    except asyncio.CancelledError:
        return


async def _show(hall: Hall, wishes: Wishes, began_s: float) -> None:
    async with hall:
        out.print(_panel(hall, wishes, time.monotonic() - began_s))
        # Outside the frame: a narrow terminal would cut the token off.
        out.print(f"Umpire's console: {hall.addresses.console}", soft_wrap=True)
        out.print(f"Calibration page: {hall.addresses.calibration}", soft_wrap=True)
        if wishes.browser and _has_screen():
            webbrowser.open(hall.addresses.scoreboard)
            webbrowser.open(
                hall.addresses.console
                if wishes.calibrated
                else hall.addresses.calibration
            )
        ticker = asyncio.create_task(_tick(hall))
        try:
            await hall.failed()
        finally:
            ticker.cancel()


def _panel(hall: Hall, wishes: Wishes, took_s: float) -> Panel:
    where = hall.addresses
    grid = Grid.grid(padding=(0, 2))
    grid.add_row("[bold]Scoreboard", f"[link]{where.scoreboard}[/]")
    grid.add_row("Stream overlay", where.overlay)
    grid.add_row("MQTT", f"{where.broker}  topics carrom/v1/demo/#")
    grid.add_row("Files and logs", str(hall.settings.folder))
    if hall.scoreboard_port != wishes.port:
        grid.add_row("", f"[yellow]port {wishes.port} is in use, took the next free")
    return Panel(
        grid,
        title="[bold]carrom demo[/]: "
        + (
            "a match is running"
            if wishes.calibrated
            else "calibrate the table, then the match begins"
        ),
        subtitle=f"ready after {took_s:.1f} s, Ctrl-C ends it",
        expand=False,
    )


async def _tick(hall: Hall) -> None:
    """Print each new line of the record as it comes."""
    told = 0
    while True:
        await asyncio.sleep(LOOK_EVERY_S)
        try:
            shown = await asyncio.to_thread(_look, hall)
        except (OSError, ValueError):
            continue  # the controller is being started again
        for line in sorted(shown.log, key=lambda line: line.seq):
            if line.seq > told:
                told = line.seq
                article = f"  [dim]{line.article}[/]" if line.article else ""
                out.print(f"[dim]{line.time}[/]  {line.text}{article}")


def _look(hall: Hall) -> Shown:
    request = Request(
        f"http://127.0.0.1:{hall.console_port}/api/state",
        headers={"authorization": f"Bearer {hall.token}"},
    )
    with urlopen(request, timeout=ANSWER_WITHIN_S) as answer:
        return Shown.model_validate_json(answer.read())


@contextmanager
def _folder(chosen: Path | None) -> Iterator[Path]:
    """The chosen folder, kept; or one that goes when the demo ends."""
    if chosen is not None:
        try:
            chosen.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise Refusal(
                f"folder {chosen} cannot be made ({error.strerror}): choose another"
            ) from None
        with _alone_in(chosen):
            yield chosen.absolute()
        return
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    within = runtime if runtime and os.access(runtime, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="carrom-demo-", dir=within) as made:
        yield Path(made)


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Keeps other demos out of a folder: they would rename this one's journal."""
    try:
        held = (folder / "demo.lock").open("wb")
    except OSError as error:
        raise Refusal(
            f"folder {folder} cannot be written ({error.strerror}): choose another"
        ) from None
    with held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Refusal(
                f"another carrom demo runs in {folder}: stop it or choose another folder"
            ) from None
        yield


def _has_screen() -> bool:
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
