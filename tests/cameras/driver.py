"""Runs a USB source in a process of its own and says what it does, a line each.

    python driver.py SETUP.json FRAMES NAMES

A line a frame: number, time, mean grey; a line a change of the source's state; at
the end how it ended. LD_PRELOAD has to stand before a program starts, hence this.
"""

import json
import sys
import time
from pathlib import Path
from threading import Event, Thread

from pydantic import TypeAdapter

from vision.frames import SourceError
from vision.setup import CameraSetup
from vision.sources.usb import UsbSource

LOOK_S = 0.01


def tell(**what: object) -> None:
    """One line; a single write, so that two threads never mix theirs."""
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


def tell_states(source: UsbSource, ended: Event) -> None:
    """Ask for the state as the eyes' heartbeat does: from another thread."""
    before = None
    while not ended.wait(LOOK_S):
        state = source.state
        if state != before:
            before = state
            tell(
                state=True,
                down=state.down,
                faults=state.faults,
                doubt_s=state.doubt_s,
                at_s=time.monotonic(),
            )


def main(setup: CameraSetup, frames: int, names: Path) -> None:
    ended = Event()
    try:
        source = UsbSource(setup, names)
        Thread(target=tell_states, args=(source, ended), daemon=True).start()
        for count, frame in enumerate(source.frames(), 1):
            tell(
                number=frame.sequence,
                at_s=frame.at_s,
                now_s=time.monotonic(),
                grey=round(float(frame.image.mean()), 1),
                shape=frame.image.shape,
            )
            if count == frames:
                break
        source.close()
        ended.set()
        tell(ended="closed", faults=source.state.faults, doubt_s=source.state.doubt_s)
    except SourceError as error:
        ended.set()
        tell(ended=str(error))


if __name__ == "__main__":
    main(
        TypeAdapter(CameraSetup).validate_json(sys.argv[1]),
        int(sys.argv[2]),
        Path(sys.argv[3]),
    )
