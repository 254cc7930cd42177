"""A short series of pictures from whichever camera is set up."""

from itertools import islice
from pathlib import Path

from calibration.refusal import Refusal
from calibration.table import Table
from vision.frames import Frame, FrameSource
from vision.setup import CameraSetup
from vision.sources.opening import open_source
from vision.studio import FRAMES


def capture(setup: CameraSetup, table: Table, count: int = FRAMES) -> list[Frame]:
    """The next frames of the camera; the simulated table, when none runs, is empty.

    Raises Refusal when the camera cannot be had or gives no picture.
    """
    source = _source(setup, table, count)
    try:
        frames = list(islice(source.frames(), count))
    finally:
        source.close()
    if not frames:
        raise Refusal(f"camera {setup.source} {setup.address} gave no picture")
    return frames


def _source(setup: CameraSetup, table: Table, count: int) -> FrameSource:
    if setup.source == "recording":
        from vision.sources.recording import RecordingSource

        return RecordingSource(Path(setup.address))
    if setup.source == "rendered" and not setup.address:
        from vision.sources.rendered import RenderedSource, Renderer
        from vision.sources.rendering_camera import Camera
        from vision.sources.rendering_scene import Scene

        camera = Camera.overhead(size_px=setup.size_px)
        scenes = (Scene(n / setup.rate_hz, ()) for n in range(count))
        return RenderedSource(scenes, Renderer(table, camera))
    return open_source(setup)
