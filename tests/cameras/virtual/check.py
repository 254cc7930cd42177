"""What the source makes of the real picamera2, as one line of JSON.

Runs inside the folder that `prepare` made. The camera shows a red disc that is 100 px
further right in each of eight pictures.
"""

import json
import time
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from camera import VirtualCamera

from vision.frames import Frame, Image
from vision.newest import Newest
from vision.setup import CameraSetup
from vision.sources.picamera import PicameraSource

FRAMES = Path("/frames")
SETUP = CameraSetup(
    source="picamera2",
    address="0",
    size_px=(1280, 720),
    rate_hz=20.0,
    exposure_us=1000,
    pixels="NV12",
)


def draw() -> None:
    for number in range(8):
        picture = np.full((720, 1280, 3), 120, np.uint8)
        cv2.circle(picture, (100 + 100 * number, 300), 60, (0, 0, 220), -1)
        cv2.imwrite(str(FRAMES / f"{number:03d}.jpg"), picture)


def disc_at(image: Image) -> tuple[float, float]:
    """The red disc's centre, px."""
    red = image[..., 2].astype(int) - image[..., 1] > 60
    rows, columns = np.nonzero(red)
    return float(columns.mean()), float(rows.mean())


def summary(frames: list[Frame], arrived_s: list[float]) -> dict[str, object]:
    steps = np.diff([frame.at_s for frame in frames])
    late = np.array(arrived_s) - [frame.at_s for frame in frames]
    return {
        "shape": frames[0].image.shape,
        "discs": [disc_at(frame.image) for frame in frames[:40]],
        "least_step_s": float(steps.min()),
        "earliest_s": float(late.min()),
        "latest_s": float(late.max()),
        "numbers_rise": all(a.sequence < b.sequence for a, b in pairwise(frames)),
    }


def main() -> None:
    draw()
    source = PicameraSource(SETUP, VirtualCamera())
    frames, arrived_s = [], []
    for frame in source.frames():
        frames.append(frame)
        arrived_s.append(time.monotonic())
        if len(frames) == 200:
            break
    told = summary(frames, arrived_s) | {"faults": source.state.faults}
    newest = Newest(source)
    for _ in range(5):
        newest.take(5.0)
        time.sleep(0.1)  # a slow eye: frames pass it by
    flow = newest.flow
    told["flow"] = [flow.delivered, flow.taken, flow.skipped]
    print("RESULT", json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
