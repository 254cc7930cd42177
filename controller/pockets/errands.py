"""What `carrom pockets` does with a node: each errand is one coroutine."""

import asyncio
import json
import secrets
import sys
import time
from collections.abc import Callable, Coroutine
from dataclasses import asdict
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.live import Live

from calibration.refusal import Refusal
from controller.config import PocketSettings
from controller.events import PocketHealth, PocketReport, PocketState
from controller.pockets import messages as wire
from controller.pockets.attending import Attending
from controller.pockets.channels import write_channels
from controller.pockets.dropping import ASK, DropTest
from controller.pockets.heard import DeviceRefused, DeviceUp, Heard, Unanswered
from controller.pockets.keys import make_key, read_key
from controller.pockets.port import WAITING
from controller.pockets.siphash import siphash
from controller.pockets.telling import as_json, screen, who
from controller.pockets.tuning import ENOUGH, Dips, advise, histogram
from controller.pockets.watching import Watching

REFRESH_S = 0.1
ANSWER_S = 12.0
"""A port is found in 5 s, a node answers a command within another 5."""
QUIET_S = 5.0
PATIENCE_S = 120.0
BUSY_TRIES = 10
BUSY_WAIT_S = 0.3
"""A self-test waits until nothing falls; a coin that stays is told as busy."""
NO_TERMINAL = (
    "the live screen needs a terminal: give --seconds for one look, or --json for lines"
)
KEPT = (
    "falls that no controller wrote down wait in the node ({count}): of a match, "
    "start carrom run, it gets them; of none (a hand, a test), add --forget"
)

Kind = TypeVar("Kind", bound=Heard)


def _print(line: str) -> None:
    print(line, flush=True)


class Errands:
    """Errands for one node; each ends by itself, or raises Refusal.

    `run` keeps the node attended while one is done; `out` takes each line told.
    """

    def __init__(
        self,
        node: Attending,
        settings: PocketSettings,
        *,
        as_json: bool,
        out: Callable[[str], None] = _print,
    ) -> None:
        self._node = node
        self._settings = settings
        self._json = as_json
        self._out = out
        self._watching = Watching(settings.channels)

    async def run(self, errand: Coroutine[None, None, None]) -> None:
        """Do one errand; raises what it raises."""
        attending = asyncio.create_task(self._node.run())
        try:
            await errand
        finally:
            attending.cancel()
            await asyncio.gather(attending, return_exceptions=True)

    async def watch(self, seconds: float | None) -> None:
        """Show states and values until time is up; Refusal when nothing answers."""
        ends_s = None if seconds is None else time.monotonic() + seconds
        if not self._json and not sys.stdout.isatty():
            if seconds is None:
                raise Refusal(NO_TERMINAL)
            await self._listen(seconds)
            if self._watching.node is not None:
                self._snapshot()
        elif self._json:
            await self._listen(seconds)
        else:
            await self._live(ends_s)
        if self._watching.node is None:
            raise Refusal(self._watching.trouble or "no pocket node answers")

    async def drop(self, config: Path | None, seconds: float | None) -> None:
        """Learn the channels from one coin in each pocket, and write them down."""
        await self._ready()
        test = DropTest(self._settings.channels)
        while (asked := test.asked) is not None:
            self._say("ask", ASK.format(pocket=asked.value), pocket=asked.value)
            report = await self._next(PocketReport, seconds or PATIENCE_S, aloud=True)
            if report is None:
                raise Refusal(
                    f"no coin was seen in the {asked.value} pocket: look at its state "
                    "with carrom pockets, then drop again"
                )
            self._say("seen", test.hear(report), pocket=report.pocket.value)
        assert self._watching.node is not None
        names = [pocket.value for pocket in test.learnt]
        device = self._watching.node.device
        lines = f'device = "{device}", channels = {json.dumps(names)}'
        where = f"written to {config}" if config else "put this under [pockets]"
        try:
            if config is not None:
                write_channels(config, device, test.learnt)
        except Refusal as why:
            raise Refusal(f"{why}; put this under [pockets]: {lines}") from None
        self._say("channels", f"{where}: {lines}", device=device, channels=names)

    async def tune(self, seconds: float | None, *, yes: bool) -> None:
        """Gather dips without and with coins, advise, and write what is agreed."""
        node = await self._ready()
        await self._looked(node.pockets)
        dips = [Dips() for _ in self._watching.channels]
        quiet_s = QUIET_S if seconds is None else seconds / 4
        self._say("quiet", f"leave the table alone for {quiet_s:g} s")
        await self._gather(dips, quiet_s, noise=True)
        self._say("coins", f"now drop {ENOUGH} coins or more into each pocket")
        await self._gather(dips, seconds or PATIENCE_S, noise=False)
        for channel, gathered in zip(self._watching.channels, dips, strict=True):
            now = channel.settings
            if now is None:
                raise Refusal("the node does not tell its settings: plug it in again")
            advice = advise(gathered, now)
            self._say("dips", f"{channel.pocket.value}: {advice.why}")
            if not self._json:
                self._out("\n".join(histogram(gathered, now.threshold)))
            if advice.change is not None:
                await self._agree(now, advice.change, yes=yes)

    async def self_test(self) -> None:
        """Have every channel tested; Refusal when one does not pass."""
        node = await self._ready()
        failed = []
        for number in range(node.pockets):
            done = await self._tested(number)
            result = done.result.name.lower().replace("_", " ")
            pocket = self._settings.channels[number].value
            text = f"{pocket}: {result}, lit {done.lit}, dark {done.dark}"
            self._say("self-test", text, pocket=pocket, result=result)
            if done.result is not wire.SelfTestResult.PASSED:
                failed.append(pocket)
        if failed:
            raise Refusal(
                f"self-test failed: {', '.join(failed)}; check wiring and line-up there"
            )

    async def identify(self, label: int | None, *, new_id: bool) -> None:
        """Write label and id into the node."""
        node = await self._ready()
        device = secrets.randbits(64) if new_id else int(node.device, 16)
        named = node.label if label is None else label
        self._node.command(wire.Identity(device, named))
        while f"{device:016x}" != node.device or named != node.label:
            node = await self._answer(DeviceUp)
        self._say("identity", f"now it is node {node.device}, box {node.label}")

    async def write_key(self, path: Path) -> None:
        """Make a key, write it into file and node; the old one comes from key_file."""
        await self._ready()
        old = self._settings.key_file
        proven = read_key(old) if old else None
        key = make_key(path)
        low, high = (int.from_bytes(half, "little") for half in (key[:8], key[8:]))
        proof = siphash(proven, key) if proven else 0
        self._node.command(wire.KeyChange(low, high, proof))
        try:
            done = await self._answer(wire.KeyDone)
        except Refusal as why:
            kept = f"keep {path}, the node may hold its key already"
            raise Refusal(f"{why}; {kept}") from None
        if done.result is wire.KeyResult.REFUSED:
            path.unlink()
            raise Refusal(
                "the node holds another key: name its file as key_file in [pockets] "
                "and give --config"
            )
        self._say("key", f"the node holds the key in {path}: name it as key_file")

    async def _looked(self, channels: int) -> None:
        """Have each channel tell its deepest dip since the last look: not of now."""
        missing = set(range(channels))
        while missing:
            missing.discard((await self._answer(wire.ValuesNow)).pocket)

    async def _agree(
        self, now: wire.SettingsNow, change: wire.SettingsChange, *, yes: bool
    ) -> None:
        text = (
            f"threshold {now.threshold} -> {change.threshold}, "
            f"hysteresis {now.hysteresis} -> {change.hysteresis}"
        )
        asking = not yes and not self._json and sys.stdin.isatty()
        if asking:
            yes = await _confirmed(f"{text}: write it?")
        if not yes:
            self._say("advice", f"{text}: --yes writes it")
            return
        self._node.command(change)
        while wire.SettingsChange(**asdict(now)) != change:
            now = await self._answer(wire.SettingsNow)
        self._say(
            "written",
            f"written: {text}",
            pocket=self._settings.channels[change.pocket].value,
        )

    async def _gather(self, dips: list[Dips], within_s: float, *, noise: bool) -> None:
        """Collect dips; with coins, until each channel had enough of them."""
        ends_s = time.monotonic() + within_s
        while (left_s := ends_s - time.monotonic()) > 0:
            match await self._hear_aloud(min(left_s, 1.0)):
                case wire.ValuesNow(pocket=number, deepest=deepest) if noise:
                    dips[number].noise.append(deepest)
                case PocketReport(pocket=pocket, depth=int(depth)) if not noise:
                    channel = self._watching.of(pocket).number
                    dips[channel].coins.append(depth)
                    self._say("coin", f"{pocket.value}: {depth}", pocket=pocket.value)
                case _:
                    pass
            if not noise and all(len(one.coins) >= ENOUGH for one in dips):
                return

    async def _ready(self) -> DeviceUp:
        """The node once it is up and nothing of a match waits in it."""
        while (node := self._watching.node) is None:
            heard = await self._hear(ANSWER_S)
            if why := dead(heard):
                raise Refusal(why)
        await self._answer(wire.SettingsNow)
        if waiting := self._node.kept_for_a_match:
            raise Refusal(KEPT.format(count=waiting))
        self._say("node", who(self._watching))
        return node

    async def _answer(self, kind: type[Kind]) -> Kind:
        """The next of a kind; Refusal when it does not come."""
        heard = await self._next(kind, ANSWER_S)
        if heard is None:
            raise Refusal(self._watching.trouble or "the pocket node does not answer")
        return heard

    async def _next(
        self, kind: type[Kind], within_s: float, *, aloud: bool = False
    ) -> Kind | None:
        hear = self._hear_aloud if aloud else self._hear
        ends_s = time.monotonic() + within_s
        while (left_s := ends_s - time.monotonic()) > 0:
            heard = await hear(left_s)
            if isinstance(heard, kind):
                return heard
            if isinstance(heard, Unanswered):
                return None
        return None

    async def _hear(self, within_s: float) -> Heard | None:
        heard = await self._node.heard(within_s)
        if heard is not None:
            self._watching.hear(heard)
        return heard

    async def _hear_aloud(self, within_s: float) -> Heard | None:
        """Hear while a person is busy at the table: trouble is told as it comes."""
        before = self._watching.trouble
        heard = await self._hear(within_s)
        if (trouble := self._watching.trouble) != before:
            self._say("trouble", trouble or "all is well again: go on")
        return heard

    async def _tested(self, number: int) -> wire.SelfTestDone:
        """What a channel's self-test found, once nothing falls there."""
        for _ in range(BUSY_TRIES):
            self._node.command(wire.SelfTest(number))
            done = await self._answer(wire.SelfTestDone)
            while done.pocket != number:  # one that was asked for twice
                done = await self._answer(wire.SelfTestDone)
            if done.result is not wire.SelfTestResult.BUSY:
                break
            await asyncio.sleep(BUSY_WAIT_S)
        return done

    async def _listen(self, seconds: float | None) -> None:
        """Hear everything; tell it when lines for machines are wanted."""
        ends_s = None if seconds is None else time.monotonic() + seconds
        while ends_s is None or time.monotonic() < ends_s:
            heard = await self._hear(REFRESH_S)
            if heard is not None and self._json:
                self._out(as_json(heard))

    async def _live(self, ends_s: float | None) -> None:
        console = Console()
        with Live(console=console, refresh_per_second=1 / REFRESH_S) as live:
            while ends_s is None or time.monotonic() < ends_s:
                await self._hear(REFRESH_S)
                now = screen(self._watching, self._node.health, console.width)
                live.update(now)

    def _snapshot(self) -> None:
        Console().print(screen(self._watching, self._node.health))

    def _say(self, record: str, text: str, **more: object) -> None:
        if self._json:
            self._out(json.dumps({"record": record, "text": text, **more}))
        else:
            self._out(text)


async def _confirmed(question: str) -> bool:
    """Ask at the terminal. Ctrl-C ends it, which it would not in a thread."""
    print(f"{question} [y/N]: ", end="", flush=True)
    loop = asyncio.get_running_loop()
    ready = asyncio.Event()
    loop.add_reader(sys.stdin, ready.set)
    try:
        await ready.wait()
        return sys.stdin.readline().strip().lower() in ("y", "yes")
    finally:
        loop.remove_reader(sys.stdin)


def dead(heard: Heard | None) -> str:
    """Why no node comes up here before somebody does something; empty if one may."""
    match heard:
        case None:
            return "the pocket node does not answer"
        case DeviceRefused(reason=reason):
            return reason
        case PocketState(health=PocketHealth.LOST, reason=reason) if (
            not reason.startswith(WAITING)
        ):
            return reason
        case _:
            return ""
