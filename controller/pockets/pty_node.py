"""A simulated pocket node at the end of a real serial device: a pseudo-terminal.

The node lives in the process that made it, so the controller may be killed and
come back to a node that kept its reports, as with real hardware.
"""

import contextlib
import os
import pty
import select
import threading
import time
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Self

from calibration.table import Pocket
from controller.pockets import messages as wire
from controller.pockets.simulated import COIN_WIDTH_US, SimulatedNode

STEP_S = 0.004


class PtyNode:
    """Serves a simulated node on a pseudo-terminal in real time, in a thread.

    `path` is what a controller opens: the given name, a symbolic link that is
    kept over unplugging, or the pseudo-terminal's own. `clock` must be the one
    the node was started by.
    """

    def __init__(
        self,
        node: SimulatedNode,
        name: Path | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._node = node
        self._name = name
        self._clock = clock
        self._lock = threading.Lock()
        self._ends: tuple[int, int] | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="pty-node")
        self.path = ""

    def __enter__(self) -> Self:
        self.plug()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        self.unplug()

    def pulse(
        self,
        pocket: Pocket,
        at_s: float,
        width_us: int = COIN_WIDTH_US,
        looks: wire.Looks = wire.Looks.ONE_COIN,
    ) -> None:
        """A piece breaks this pocket's beam."""
        with self._lock:
            self._node.pulse(pocket, at_s, width_us, looks)

    def set_health(self, pocket: Pocket, health: wire.Health) -> None:
        """Put a pocket's sensor in another state."""
        with self._lock:
            self._node.set_health(pocket, health)

    def reset(self) -> None:
        """The node starts anew, as when its reset line is pulled."""
        with self._lock:
            self._node.reset(self._clock())

    @property
    def pending(self) -> int:
        """How many reports wait for their acknowledgement."""
        with self._lock:
            return self._node.pending

    def plug(self) -> None:
        """Connect the node: its device appears.

        Both ends are held here: a terminal that nobody has open forgets that it
        is raw and would echo.
        """
        master, slave = pty.openpty()
        tty.setraw(slave)
        os.set_blocking(master, False)
        self.path = os.ttyname(slave)
        if self._name is not None:
            fresh = self._name.with_name(f"{self._name.name}.new")
            fresh.unlink(missing_ok=True)
            fresh.symlink_to(self.path)
            fresh.replace(self._name)
            self.path = str(self._name)
        with self._lock:
            self._ends = (master, slave)

    def unplug(self) -> None:
        """Pull the plug: the device vanishes under whoever has it open."""
        with self._lock:
            ends, self._ends = self._ends, None
        if ends is not None:
            if self._name is not None:
                self._name.unlink(missing_ok=True)
            for end in ends:
                os.close(end)

    def _serve(self) -> None:
        while not self._stop.is_set():
            with self._lock:
                master = self._ends[0] if self._ends else None
                if master is not None:
                    self._step(master)
            readers = [] if master is None else [master]
            with contextlib.suppress(OSError, ValueError):
                select.select(readers, [], [], STEP_S)

    def _step(self, master: int) -> None:
        """Carry what is there in both directions; nobody listening loses it."""
        at_s = self._clock()
        with contextlib.suppress(BlockingIOError):
            self._node.receive(os.read(master, 4096), at_s)
        out = self._node.poll(at_s)
        if out:
            with contextlib.suppress(BlockingIOError):
                os.write(master, out)
