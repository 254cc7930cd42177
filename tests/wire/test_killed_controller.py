"""kill -9 of a process that holds the real port: nothing is lost or doubled."""

import subprocess
import sys
import time
from pathlib import Path
from random import Random

from calibration.table import Pocket
from controller.pockets.pty_node import PtyNode
from controller.pockets.simulated import SimulatedNode

KILLS = 5
CONTROLLER = """
import asyncio, os, sys
from controller.events import PocketReport
from controller.pockets.link import PocketLink
from controller.pockets.port import PocketPort

path, name = sys.argv[1:]
journal = open(name, "a")
link = PocketLink()
for line in open(name):
    device, boot, sequence = line.split()
    link.resume(device, int(boot), int(sequence))

def hear(heard):
    if isinstance(heard, PocketReport):
        print(heard.sequence, flush=True)
        journal.write(f"{heard.device} {heard.boot} {heard.sequence}\\n")
        journal.flush()
        os.fsync(journal.fileno())
        print("written", flush=True)
        port.acknowledge(heard)

port = PocketPort(path, link, hear)
asyncio.run(port.run())
"""


def test_a_controller_killed_at_any_moment_loses_and_doubles_nothing(
    tmp_path: Path,
) -> None:
    random, fallen = Random(3), 0
    journal = tmp_path / "journal"
    journal.touch()
    simulated = SimulatedNode(started_s=time.monotonic())
    with PtyNode(simulated, tmp_path / "node") as node:
        for kill in range(KILLS + 1):
            command = [sys.executable, "-c", CONTROLLER, node.path, str(journal)]
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
                for _ in range(random.randrange(1, 7)):
                    node.pulse(random.choice(list(Pocket)), time.monotonic(), 2000)
                    fallen += 1
                last = str(fallen - 1) if kill == KILLS else None
                read_until(child, last, lines=random.randrange(1, 4))
                child.kill()

    told = [int(line.split()[2]) for line in journal.read_text().splitlines()]
    assert told == list(range(fallen))


def read_until(child: subprocess.Popen[str], last: str | None, lines: int) -> None:
    """Read some lines, or until the last report was written when there is one."""
    assert child.stdout is not None
    seen = ""
    for number, line in enumerate(child.stdout, 1):
        if last is None and number >= lines:
            return
        if last is not None and (seen, line) == (f"{last}\n", "written\n"):
            return
        seen = line
