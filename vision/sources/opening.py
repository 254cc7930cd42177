"""Opens whichever camera is set up, behind the one `FrameSource` interface."""

from pathlib import Path
from typing import assert_never

from calibration.table import Table
from vision.frames import FrameSource
from vision.setup import CameraSetup


def open_source(setup: CameraSetup) -> FrameSource:
    """The camera that is set up; raises Refusal when it cannot be had.

    A rendered one shows the simulated table as it is, whatever sizes a calibration
    has measured: print drawn a millimetre larger than on the picture of the empty
    table was counted as a coin.
    """
    match setup.source:
        case "rendered":
            from vision.sources.rendered import Renderer
            from vision.sources.rendering_camera import Camera
            from vision.sources.scenes import SceneSource

            camera = Camera.overhead(size_px=setup.size_px)
            return SceneSource(Path(setup.address), Renderer(Table(), camera))
        case "recording":
            from vision.sources.paced import Paced
            from vision.sources.recording import RecordingSource

            return Paced(RecordingSource(Path(setup.address)))
        case "usb":
            from vision.sources.usb import UsbSource

            return UsbSource(setup)
        case "picamera2":
            from vision.sources.picamera import PicameraSource

            return PicameraSource(setup)
        case "network":
            from vision.sources.network import NetworkSource

            return NetworkSource(setup)
        case _:
            assert_never(setup.source)
