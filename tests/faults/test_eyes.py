"""What spoils the camera's sight, on the real app: told in time, and nothing scored.

`carrom run` with its eyes process looks at a table through a socket; the broker it
starts is read with another make of client. Faults happen to the table or to the
socket. While the eyes cannot see, a coin is taken away.
"""

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from calibration.table import Table
from controller.simulator.calibrated import write_profile
from tests.feeds.listening import Reader, free_port, until_open
from vision.outages import LIVELY_FRAMES
from vision.sources.rendering_camera import Camera
from vision.sources.rendering_scene import Scene, ScenePiece
from vision.sources.scenes import Exposure, pack

TABLE = Table()
RATE_HZ = 20.0
ARMED = LIVELY_FRAMES + 20
"""Pictures after which a camera that repeats one can be told from a noiseless one."""
LYING = tuple(ScenePiece(piece, at) for piece, at in TABLE.opening_rack())


@dataclass(eq=False)
class Lens:
    """The camera's end of the socket, with what goes wrong at it."""

    path: Path
    scene: Scene = field(default_factory=lambda: Scene(0.0, LYING))
    frozen: bool = False
    asked: int = 0
    going: threading.Event = field(default_factory=threading.Event)
    _server: socket.socket | None = None
    _connected: list[socket.socket] = field(default_factory=list)

    def plug_in(self) -> None:
        """Answer whoever connects."""
        self.going.set()
        self.path.unlink(missing_ok=True)
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(self.path))
        self._server.listen()
        threading.Thread(target=self._accept, args=(self._server,), daemon=True).start()

    def unplug(self) -> None:
        """Hang up and be gone."""
        assert self._server is not None
        self.path.unlink()
        for one in (self._server, *self._connected):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()
        self._connected.clear()

    def _accept(self, server: socket.socket) -> None:
        with suppress(OSError):
            while True:
                connection, _ = server.accept()
                self._connected.append(connection)
                threading.Thread(
                    target=self._answer, args=(connection,), daemon=True
                ).start()

    def _answer(self, connection: socket.socket) -> None:
        with suppress(OSError):
            while connection.recv(1):
                self.going.wait()
                time.sleep(1.0 / RATE_HZ)
                self.asked += not self.frozen
                scene = replace(self.scene, at_s=time.monotonic())
                connection.sendall(pack(Exposure(self.asked, scene)))


@dataclass(frozen=True, slots=True)
class Fault:
    """How it begins and ends, and what the feed has to call it."""

    begin: Callable[[Lens], None]
    end: Callable[[Lens], None]
    says: str
    after_pictures: int = 1


def seen(**changes: object) -> Callable[[Lens], None]:
    def change(lens: Lens) -> None:
        lens.scene = replace(lens.scene, **changes)  # type: ignore[arg-type]

    return change


def frozen(on: bool) -> Callable[[Lens], None]:
    def freeze(lens: Lens) -> None:
        lens.frozen = on

    return freeze


FAULTS = {
    "the lamp goes off": Fault(seen(light=0.0), seen(light=1.0), "is dark"),
    "the camera is turned away": Fault(
        seen(knocked_px=400), seen(knocked_px=0), "the table is not in the picture"
    ),
    "v2 the camera repeats one picture": Fault(
        frozen(True), frozen(False), "repeats one picture", after_pictures=ARMED
    ),
    "the camera is knocked": Fault(
        seen(knocked_px=14), seen(knocked_px=0), "the camera has moved by"
    ),
    "c2 the pictures stop": Fault(
        lambda lens: lens.going.clear(),
        lambda lens: lens.going.set(),
        "no picture for",
    ),
    "v2 the camera is unplugged": Fault(
        Lens.unplug, Lens.plug_in, "simulated table at"
    ),
}


RESTARTED = {"c2 the pictures stop", "v2 the camera is unplugged"}
"""The eyes are started anew, which takes its time."""


@dataclass(frozen=True, slots=True)
class App:
    """The running product, seen from its two ends."""

    lens: Lens
    reader: Reader

    def state(self) -> dict[str, object]:
        return self.reader.on("match/state")[-1]

    def sees(self) -> bool:
        healths, states = self.reader.on("health"), self.reader.on("match/state")
        if not healths or not states or not healths[-1]["watching"]:
            return False
        return states[-1]["phase"] != "not-watching"


CONFIG = """
calibration = "calibration.json"
[camera]
source = "rendered"
device = "{lens}"
rate_hz = {rate_hz}
[pockets]
source = "none"
[broker]
port = {broker}
[console]
port = {console}
"""


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """The product on the racked table, once it watches it."""
    folder = tmp_path_factory.mktemp("app")
    write_profile(folder, TABLE, Camera.overhead())
    lens = Lens(folder / "lens")
    lens.plug_in()
    broker, console = free_port(), free_port()
    config = folder / "carrom.toml"
    config.write_text(
        CONFIG.format(lens=lens.path, rate_hz=RATE_HZ, broker=broker, console=console)
    )
    command = [sys.executable, "-m", "controller", "run", "--config", str(config)]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, stderr=log)
    try:
        until_open(broker)
        reader = Reader(broker)
        app = App(lens, reader)
        for _ in range(5):  # the first start on a machine compiles all kernels
            with suppress(AssertionError):
                reader.until(lambda _: app.sees())
                break
        yield app
        reader.close()
    finally:
        process.terminate()
        process.wait()


def books(state: dict[str, object]) -> tuple[object, ...]:
    """All that a wrong score would change."""
    return tuple(state[name] for name in ("players", "board", "queen"))


@pytest.mark.timeout(400)
@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(
            FAULTS[name], id=name, marks=[pytest.mark.slow] if name in RESTARTED else []
        )
        for name in FAULTS
    ],
)
def test_sight_that_is_lost_is_told_in_time_and_nothing_is_scored(
    app: App, fault: Fault
) -> None:
    reader, lens = app.reader, app.lens
    reader.until(lambda _: app.sees())
    before, heard = books(app.state()), len(reader.heard)
    asked = lens.asked
    reader.until(lambda _: lens.asked > asked + fault.after_pictures)
    fault.begin(lens)

    def told() -> list[dict[str, object]]:
        states = [f for topic, f, _ in reader.heard[heard:] if topic.endswith("/state")]
        return [
            s
            for s in states
            if s["phase"] == "not-watching" and fault.says in str(s["reason"])
        ]

    reader.until(lambda _: bool(told()))
    reader.until(lambda r: fault.says in str(r.on("health")[-1]["problems"]))
    lens.scene = replace(lens.scene, pieces=lens.scene.pieces[1:])
    fault.end(lens)
    reader.until(lambda _: app.sees())
    lens.scene = replace(lens.scene, pieces=LYING)
    assert books(app.state()) == before
