"""The controller: one loop that joins eyes, pockets, record, feed and console.

Theory of operation. Everything that happens comes in through `Keeper.hear`: what the
eyes tell, what the pocket node reports, what the umpire rules, and the clock when
the session asked to be woken. It is written down first; then pocket reports are
acknowledged, the feed is told (numbered events from the record, the snapshot as it
stands) and the console's pages are drawn anew. Nothing else changes the match, so a
controller that is killed at any moment resumes from its journal; what the pocket
node still holds it sends again, what the eyes missed is a gap in the record.

The tasks are listed in controller/README.md. Any of them failing ends the program;
systemd starts it again.
"""

import asyncio
import contextlib
import logging
import signal
import time
from dataclasses import replace

from starlette.types import ASGIApp

from calibration.refusal import Refusal
from controller.app_calibration import CalibrationBench
from controller.app_desk import AppDesk
from controller.app_feed import Feed
from controller.app_health import Parts, health_of, status_of
from controller.app_keeper import Keeper
from controller.app_start import (
    SOFTWARE,
    VERSION,
    broker_for,
    calibration_of,
    eyes_setup,
    replaced,
    same_kernel_boot,
)
from controller.certificate_file import standing
from controller.config import Config, configured
from controller.console.access import Gate, Keyring
from controller.console.server import Serving, console
from controller.events import (
    Certified,
    Elapsed,
    Input,
    PocketReport,
    PocketState,
    Recalibrated,
    Restarted,
)
from controller.eyes import Eyes
from controller.eyes import Told as SeenByEyes
from controller.feed.delivery import Delivery
from controller.feed.models_table import Status, StatusWord
from controller.journal import Journal, open_journal
from controller.outcomes import Told
from controller.pockets.heard import (
    DeviceFault,
    DeviceRefused,
    DeviceUp,
    Heard,
    ReportsLost,
)
from controller.pockets.keys import read_key
from controller.pockets.link import PocketLink
from controller.pockets.port import PocketPort
from controller.service_manager import notify, watchdog_interval_s
from vision.reports import Positions
from vision.setup import Known, Setup

log = logging.getLogger(__name__)

HEALTH_S = 1.0
FAREWELL_S = 1.0
"""How long the last words may take to be acknowledged."""


def run_table(config: Config) -> None:
    """Run the table until SIGTERM or Ctrl-C; raises Refusal when it cannot start."""
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_run(config))


async def _run(config: Config) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop.set)
    setup = eyes_setup(config)
    serving = Serving(config.console.host, config.console.port)
    store = config.journal.path.absolute().parent / "broker"
    with open_journal(config.journal.path, config.journal.key) as journal:
        app = App(config, journal, setup)
        async with broker_for(config.broker, store) as broker_url:
            await app.run(serving, broker_url, stop)


class App:
    """One table's controller, put together from its configuration."""

    def __init__(self, config: Config, journal: Journal, setup: Setup) -> None:
        """Resume or begin the match; raises Refusal when it cannot."""
        software = f"{SOFTWARE} {VERSION}"
        self._calibration = calibration_of(config)
        first = replace(
            configured(config, time.monotonic(), software),
            calibration=self._calibration,
        )
        self.config = config
        self.folder = config.journal.path.absolute().parent
        self.keeper = Keeper(journal, first)
        self.desk = AppDesk(self.keeper)
        self.feed = Feed(
            self.keeper, self.folder / "feed.cursor", raw=config.broker.raw
        )
        self.eyes = Eyes(lambda: self._told_to_eyes(setup), self._see)
        self.bench = CalibrationBench(config, self.eyes, self._noted)
        self.port = self._pocket_port()
        self.keeper.on_told = self._tell
        if self.port is not None:
            self.keeper.on_safe = self.port.acknowledge
        self._alarm: asyncio.TimerHandle | None = None

    async def run(self, serving: Serving, broker_url: str, stop: asyncio.Event) -> None:
        """Play the match until stopped, then say goodbye."""
        pages = self._pages(serving)
        self._resume()
        delivery = self.feed.deliver_to(broker_url)
        self.feed.tell_status(Status(status=StatusWord.STARTING))
        parts = Parts(
            keeper=self.keeper,
            eyes=self.eyes,
            delivery=delivery,
            port=self.port,
            folder=self.folder,
        )
        async with asyncio.TaskGroup() as tasks:
            lasting = [
                tasks.create_task(self.eyes.run(), name="eyes"),
                tasks.create_task(serving.run(pages), name="console"),
                tasks.create_task(delivery.run(), name="feed"),
                tasks.create_task(self._beat(parts), name="health"),
            ]
            if self.port is not None:
                lasting.append(tasks.create_task(self.port.run(), name="pockets"))
            log.info("table up: %s", self._place(serving))
            notify("READY=1")
            await stop.wait()
            await self._say_goodbye(delivery)
            for task in lasting:
                task.cancel()
            await asyncio.gather(*lasting, return_exceptions=True)
            await self.bench.lens.close()
            self.keeper.note_told()

    def _resume(self) -> None:
        """Tell the record that we were away, when it is not new."""
        same_clock = same_kernel_boot(self.folder / "kernel.boot")
        if self.keeper.resumed:
            now_s = time.monotonic()
            self.keeper.hear(Restarted(now_s, same_clock, self._calibration))
            log.info("match resumed: %d entries", self.keeper.session.heard)
        self._note_certificate()

    def _note_certificate(self) -> None:
        """Put the certificate that stands for this table on record, once."""
        now_s = time.monotonic()
        try:
            stands = standing(self.config.profile, self._calibration, now_s)
        except Refusal as refusal:
            log.warning("%s", refusal)
            return
        if stands is not None and not self.keeper.knows(stands.certificate):
            self.keeper.hear(stands)

    def _pages(self, serving: Serving) -> ASGIApp:
        keyring = Keyring.kept_in(self.config.console.secret)
        gate = Gate.at(keyring, self.config.console.host, serving.port)
        return console(self.desk, gate, self.bench)

    def _place(self, serving: Serving) -> str:
        return (
            f"{self.config.table.name}, boot {self.feed.boot}, "
            f"console http://{self.config.console.host}:{serving.port}/"
        )

    def _pocket_port(self) -> PocketPort | None:
        pockets = self.config.pockets
        if pockets.source == "none":
            return None
        key = read_key(pockets.key_file) if pockets.key_file else None
        link = PocketLink(pockets.channels, key=key)
        for report in self.keeper.last_reports:
            link.resume(report.device, report.boot, report.sequence, report.tick_us)
        return PocketPort(pockets.port, link, self._feel, device=pockets.device)

    def _told_to_eyes(self, setup: Setup) -> Setup:
        """What the eyes are told when they start now: the record's knowledge, too.

        A profile that was replaced behind our back goes on record before it is used.
        """
        anew = replaced(self.config, self._calibration, time.monotonic())
        if anew is not None:
            log.warning("%s was replaced: on record now", self.config.profile)
            self._noted(anew)
        session = self.keeper.session
        book = session.book
        lying = None if book is None else (book.white, book.black, book.queen)
        known = Known(colours=session.observer.colours, lying=lying)
        return replace(setup, known=known, calibration=self._calibration)

    def _see(self, told: SeenByEyes) -> None:
        """The eyes told something."""
        if isinstance(told, Positions):
            self.feed.tell_positions(told)
        else:
            self.keeper.hear(told)

    def _noted(self, event: Recalibrated | Certified) -> str:
        """The calibration page saved or certified; why that is not on record yet."""
        self._calibration = event.calibration
        self.keeper.hear(event)
        return self.keeper.trouble

    def _feel(self, heard: Heard) -> None:
        """The pocket node told something."""
        match heard:
            case PocketReport():
                self.keeper.hear(heard)
                self.bench.feel(heard)
            case PocketState():
                self.keeper.hear(heard)
            case DeviceUp(device=device, build=build):
                log.info("pocket node: %s", heard)
                self.feed.tell_firmware(device, build)
            case ReportsLost() | DeviceFault() | DeviceRefused():
                log.warning("pocket node: %s", heard)
            case _:
                log.info("pocket node: %s", heard)

    def _tell(self, heard: Input, told: tuple[Told, ...]) -> None:
        """An input is on record: tell the feed and the pages, set the alarm."""
        self.feed.tell(heard, told)
        self.desk.touch()
        if self._alarm is not None:
            self._alarm.cancel()
        wake_s = self.keeper.session.wake_s
        if wake_s is not None:
            # The loop's clock is the host's monotonic clock.
            loop = asyncio.get_running_loop()
            self._alarm = loop.call_at(wake_s, self._wake, wake_s)

    def _wake(self, wake_s: float) -> None:
        self.keeper.hear(Elapsed(wake_s))

    async def _beat(self, parts: Parts) -> None:
        """Every second: the heartbeat, and systemd's watchdog while all is fresh."""
        fed_s = 0.0
        while True:
            self.keeper.try_again()
            self.keeper.note_told()
            health = health_of(parts)
            self.feed.tell_health(health, status_of(health))
            self.desk.tell_problems(health.problems)
            interval_s = watchdog_interval_s()
            due = interval_s is not None and time.monotonic() - fed_s >= interval_s
            if due and not self.keeper.trouble:
                fed_s = time.monotonic()
                notify("WATCHDOG=1")
            await asyncio.sleep(HEALTH_S)

    async def _say_goodbye(self, delivery: Delivery) -> None:
        notify("STOPPING=1")
        self.feed.tell_status(Status(status=StatusWord.STOPPING))
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(delivery.drained(), FAREWELL_S)
