"""What a recording of play shows of its table: speed, level, friction, frame rate."""

from itertools import chain, pairwise
from math import inf
from pathlib import Path

import numpy as np

from calibration.profile import Profile
from calibration.refusal import Refusal
from calibration.table import Piece
from controller.certificate import Play
from vision.compiled import use_one_core
from vision.detect import Detector
from vision.located import by_profile
from vision.sightings import StrokeSeen, TrackEnd
from vision.slides import Slides, Step, fastest_mm_s, runs, surface_of
from vision.sources.recording import RecordingSource
from vision.watch import Watcher


def play_of(recording: Path, profile: Profile) -> Play:
    """Watch a recording of the profile's table and camera.

    The stroke that counts is the one with the most runs. Raises Refusal for a file
    that is no recording of this camera.
    """
    use_one_core()
    frames = RecordingSource(recording).frames()
    first = next(frames, None)
    if first is None:
        raise Refusal(f"{recording} has no picture: name a recording of play")
    height, width = first.image.shape[:2]
    if (width, height) != profile.mapping.size_px:
        raise Refusal(
            f"{recording} is {width}x{height}, the profile is for "
            f"{'x'.join(map(str, profile.mapping.size_px))}: name a recording of "
            "this camera at its size"
        )
    known = by_profile(profile)
    detector = Detector(known.table, known.mapping, empty=known.empty)
    watcher = Watcher(
        known.table, known.mapping, detector, frozen_s=inf, doubt_mm=known.doubt_mm
    )
    slides, times_s = Slides(known.table), list[float]()
    strikers: list[Step] = []
    strokes: list[tuple[StrokeSeen, list[Step]]] = []
    for frame in chain([first], frames):
        times_s.append(frame.at_s)
        told = watcher.step(frame)
        tracks = watcher.belief().tracks
        slides.add(tracks, frame.at_s)
        strikers += [
            Step(frame.at_s, track.at)
            for track in tracks
            if track.piece is Piece.STRIKER and track.seen_s == frame.at_s
        ]
        for seen in told:
            if isinstance(seen, StrokeSeen):
                way = [s for s in strikers if seen.from_s <= s.at_s <= seen.to_s]
                strokes.append((seen, way))
                strikers.clear()
    stroke, way = max(
        strokes, key=lambda one: runs(one[1], known.table), default=(None, [])
    )
    steps_s = [b - a for a, b in pairwise(times_s)]
    return Play(
        name=recording.name,
        rate_hz=1 / float(np.median(steps_s)) if steps_s else 0.0,
        strokes=len(strokes),
        runs=None if stroke is None else runs(way, known.table),
        alone=stroke is not None and _alone(stroke),
        fastest_mm_s=None if stroke is None else fastest_mm_s(way),
        surface=surface_of(slides.free()),
    )


def _alone(stroke: StrokeSeen) -> bool:
    """Whether the striker met no piece and stayed on the table."""
    ended = {TrackEnd.POCKET, TrackEnd.OFF_TABLE, TrackEnd.LOST}
    fell = any(v.piece is Piece.STRIKER and v.end in ended for v in stroke.vanished)
    return stroke.first_contact is None and not fell
