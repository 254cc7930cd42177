"""The eyes process: camera and vision, apart from everything that must not stop.

Started by `controller.eyes` with its `Setup` as one line of JSON on standard input,
where requests for pictures follow (`vision.studio`), and the number of a pipe to
report on. Whatever goes wrong here ends the process; the controller starts a fresh
one. Without a calibration profile the camera runs and its pictures can be asked for;
nothing is watched, and every beat says so.

    python -m vision.eyes PIPE < SETUP.json
"""

import gc
import logging
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import inf

from calibration.profile import Profile, checksum_of, load
from calibration.refusal import Refusal
from vision.compiled import use_one_core
from vision.detect import Detector
from vision.frames import Frame, Image
from vision.newest import Newest
from vision.picture_health import PictureMeter
from vision.pictures import read_picture
from vision.reports import (
    Beat,
    Failed,
    Measured,
    Opened,
    Positions,
    Report,
    Seen,
    Warming,
    pack,
)
from vision.setup import SETUP, Known, Setup
from vision.sources.opening import open_source
from vision.studio import Studio
from vision.warm import plain, warm_up
from vision.watch import Watcher

log = logging.getLogger(__name__)

BEAT_S = 0.2
POSITIONS_S = 0.1
UNCALIBRATED = "the table is not calibrated: open the calibration page"


class Lookout:
    """All that is done with each frame of a calibrated table, in one place."""

    def __init__(self, watcher: Watcher, meter: PictureMeter, studio: Studio) -> None:
        self._watcher = watcher
        self._meter = meter
        self._studio = studio
        self._positions_s = -inf

    def look(self, frame: Frame) -> Iterator[Report]:
        """What one frame is worth telling."""
        for observation in self._watcher.step(frame):
            yield Seen(observation)
        if (health := self._meter.look(frame)) is not None:
            yield Measured(health)
        if frame.at_s - self._positions_s >= POSITIONS_S:
            self._positions_s = frame.at_s
            yield Positions(frame.at_s, self._watcher.tracks)
        yield from self._studio.look(frame)


def watch(newest: Newest, lookout: Lookout, tell: Callable[[Report], None]) -> None:
    """Look at the newest frame again and again; raises SourceError at the end."""
    beat_s = 0.0
    while True:
        frame = newest.take(BEAT_S)
        if frame is not None:
            for report in lookout.look(frame):
                tell(report)
        now_s = time.monotonic()
        if now_s - beat_s >= BEAT_S:
            beat_s = now_s
            tell(_beat(newest))


def show(newest: Newest, studio: Studio, tell: Callable[[Report], None]) -> None:
    """Only give pictures out: the table is not calibrated; SourceError at the end."""
    beat_s = 0.0
    while True:
        frame = newest.take(BEAT_S)
        if frame is not None:
            for report in studio.look(frame):
                tell(report)
        now_s = time.monotonic()
        if now_s - beat_s >= BEAT_S:
            beat_s = now_s
            beat = _beat(newest)
            down = beat.camera.down or UNCALIBRATED
            tell(replace(beat, camera=replace(beat.camera, down=down)))


def _beat(newest: Newest) -> Beat:
    flow = newest.flow
    return Beat(
        frame_at_s=newest.newest_at_s,
        delivered=flow.delivered,
        processed=flow.taken,
        skipped=flow.skipped,
        lost=flow.lost,
        gap_s=newest.longest_gap_s(),
        camera=newest.state,
    )


def lookout_of(
    profile: Profile, empty: Image | None, studio: Studio, known: Known | None = None
) -> Lookout:
    """The eyes of a calibrated table; `known`: what the record can tell them."""
    table, mapping = profile.table, profile.mapping
    detector = Detector(table, mapping, empty=empty)
    doubt_mm = profile.doubt_mm or 0.0
    watcher = Watcher(table, mapping, detector, doubt_mm=doubt_mm, known=known)
    return Lookout(watcher, PictureMeter(table, mapping, empty), studio)


def warm(profile: Profile, empty: Image | None) -> None:
    """Compile all that the eyes will run; without an empty table both ways to count."""
    shown = plain(profile) if empty is None else empty
    if empty is None:
        warm_up(lookout_of(profile, None, Studio()).look, shown, profile)
    warm_up(lookout_of(profile, shown, Studio()).look, shown, profile)


def settle() -> None:
    """Leave all that is loaded by now out of garbage collections.

    Modules and kernels are some 100,000 objects that stay: to look through them stops
    the eyes for 60 ms now and then, four frames.
    """
    gc.collect()
    gc.freeze()


def empty_table(profile: Profile) -> Image | None:
    """The picture of the empty table, if there is one; raises Refusal."""
    return None if profile.empty is None else read_picture(profile.empty)


def on_record(setup: Setup) -> Profile:
    """The profile that the record names; raises Refusal when another lies there."""
    size_px = setup.camera.size_px
    profile = load(setup.profile, size_px=size_px, camera=setup.identity)
    if setup.calibration and checksum_of(setup.profile) != setup.calibration:
        raise Refusal(
            f"calibration profile {setup.profile} is not the one on record: it was "
            "replaced just now"
        )
    return profile


def main(pipe: int) -> None:
    """Watch until the source ends; the last report says why."""
    use_one_core()

    def tell(report: Report) -> None:
        data = memoryview(pack(report))
        while data:
            data = data[os.write(pipe, data) :]

    try:
        setup = SETUP.validate_json(sys.stdin.buffer.readline())
        studio = Studio()
        studio.listen(sys.stdin.buffer)
        if not setup.profile.exists():
            newest = Newest(open_source(setup.camera))
            tell(Opened())
            show(newest, studio, tell)
        profile = on_record(setup)
        empty = empty_table(profile)
        tell(Warming())
        warm(profile, empty)
        settle()
        source = open_source(setup.camera)
        tell(Opened())
        lookout = lookout_of(profile, empty, studio, setup.known)
        watch(Newest(source), lookout, tell)
    except Refusal as refusal:
        tell(Failed(str(refusal)))
    except BrokenPipeError:
        log.warning("the controller has gone")


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO, format="eyes: %(levelname)s %(message)s")
    main(int(sys.argv[1]))
