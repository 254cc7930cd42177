"""From which blur, light and flicker on do census and watcher leave their limits?

    python bench/health.py [--pictures 8] [--only blur light flicker]

The thresholds of `vision.picture_report` rest on these figures. The renderer takes the
pictures; what spoils them comes after the calibration, as it does in a hall: a lens
that loses its focus, lamps that go, a lamp on the mains.

- *blur*: the sharp empty table is the reference, the pieces are photographed with a
  wider lens; what the meter measures is set beside names and centres.
- *light*: the same for less and more light than calibrated, noise as it is.
- *flicker*: a camera that takes all rows at once sees a lamp of 100 or 120 Hz, 30 or 60
  times a second; told are what the meter measures, the share of frames of a still table
  on which the watcher had work, and whether the table was counted.
"""

import argparse
from collections.abc import Iterator, Sequence
from math import inf, sin, tau

import cv2
import numpy as np
from grid import Score, compare, racked, scattered

from calibration.table import Table
from controller.simulator.calibrated import mapping_of
from vision.detect import Detector
from vision.frames import Frame, Image
from vision.picture_health import PictureMeter
from vision.picture_report import PictureHealth
from vision.sightings import TableAtRest
from vision.sources.rendered import Look, Renderer
from vision.sources.rendering_camera import Camera
from vision.sources.rendering_scene import Scene, ScenePiece
from vision.watch import Watcher

TABLE, CAMERA = Table(), Camera.overhead()
MAPPING = mapping_of(CAMERA, TABLE)
OWN_PX = 0.7
BLURS_PX = (0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0)
"""Beside the lens's own; the two add by squares."""
LIGHTS = (0.02, 0.04, 0.06, 0.1, 0.2, 0.35, 0.5, 0.7, 1.0, 1.3, 1.6, 2.0, 2.5)
DEPTHS = (0.0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3)
LAMPS = ((100.0, 60.0), (100.0, 30.0), (120.0, 59.94), (120.0, 30.0))
STILL_S = 3.5


def lying(number: int) -> tuple[list[tuple[object, object]], tuple[ScenePiece, ...]]:
    """Pieces of one picture: every fourth is a rack."""
    chance = np.random.default_rng(number)
    truth = (scattered if number % 4 else racked)(chance)
    return truth, tuple(ScenePiece(piece, at) for piece, at in truth)


def row(label: str, health: PictureHealth, score: Score) -> str:
    """A condition: what the meter says, what the census came to."""
    misses = score.misses_mm or [inf]
    told = "; ".join(p.partition(":")[0] for p in health.problems) or "-"
    return (
        f"{label:8} light {health.light:4.0f} clipped {health.clipped:6.3f} "
        f"blur {health.blur_px or 0:4.2f} px ({health.blur or 0:5.3f} coins)  "
        f"recall {score.recall:.4f} precision {score.precision:.4f} "
        f"names {score.naming:.4f} p95 {np.percentile(misses, 95):.2f} mm "
        f"sure+wrong {score.wrong_and_sure}{'' if score.met() else ' MISSED'}  {told}"
    )


def censuses(
    renderer: Renderer, empty: Image, pictures: int, light: float
) -> tuple[PictureHealth, Score]:
    """Photograph and count so often; the health is the last picture's."""
    detector = Detector(TABLE, MAPPING, empty=empty)
    score, health = Score(), None
    for number in range(pictures):
        truth, pieces = lying(number)
        image = renderer.render(Scene(0.0, pieces, light=light), number)
        compare(detector.census([image], 0.0).pieces, truth, score)  # type: ignore[arg-type]
        health = PictureMeter(TABLE, MAPPING, empty).look(Frame(0.0, 0, image))
    assert health is not None
    return health, score


def blur(pictures: int) -> Iterator[str]:
    """Defocus after the calibration."""
    empty = Renderer(TABLE, CAMERA).empty()
    for sigma_px in BLURS_PX:
        look = Look(blur_px=float(np.hypot(OWN_PX, sigma_px)))
        found = censuses(Renderer(TABLE, CAMERA, look=look), empty, pictures, 1.0)
        yield row(f"{sigma_px:.1f} px", *found)


def light(pictures: int) -> Iterator[str]:
    """Less and more light than calibrated."""
    renderer = Renderer(TABLE, CAMERA)
    for share in LIGHTS:
        found = censuses(renderer, renderer.empty(), pictures, share)
        yield row(f"x {share:.2f}", *found)


def flicker(_pictures: int) -> Iterator[str]:
    """A lamp on the mains over a table at rest."""
    renderer = Renderer(TABLE, CAMERA)
    still = [renderer.render(Scene(0.0, lying(1)[1]), n) for n in range(8)]
    for lamp_hz, rate_hz in LAMPS:
        for depth in DEPTHS:
            yield f"{lamp_hz:g} Hz at {rate_hz:g}: " + _flickering(
                renderer.empty(), still, depth, lamp_hz, rate_hz
            )


def _flickering(
    empty: Image, still: Sequence[Image], depth: float, lamp_hz: float, rate_hz: float
) -> str:
    watcher = Watcher(
        TABLE, MAPPING, Detector(TABLE, MAPPING, empty=empty), frozen_s=inf
    )
    meter, health, counted = PictureMeter(TABLE, MAPPING, empty), None, "never counted"
    for number in range(round(STILL_S * rate_hz)):
        at_s = number / rate_hz
        gain = 1.0 + depth * sin(tau * lamp_hz * at_s + 1.0)
        image = _lit(still[number % len(still)], gain)
        for told in watcher.step(Frame(at_s, number, image)):
            if isinstance(told, TableAtRest):
                counted = f"counted {len(told.census.pieces)} at {at_s:.1f} s"
        health = meter.look(Frame(at_s, number, image)) or health
    assert health is not None
    told = watcher.health
    share = (told.delivered - told.skipped) / told.delivered
    measured = "-" if health.flicker is None else f"{health.flicker:.3f}"
    return f"depth {depth:.3f}  meter {measured}  work {share:4.0%}  {counted}"


def _lit(image: Image, gain: float) -> Image:
    """So much more light, as a sensor with gamma 2.2 shows it."""
    levels = np.clip((np.arange(256) / 255.0) ** 2.2 * gain, 0, 1) ** (1 / 2.2)
    return np.asarray(cv2.LUT(image, np.uint8(levels * 255 + 0.5)), np.uint8)


SWEEPS = {"blur": blur, "light": light, "flicker": flicker}


def main() -> None:
    """Print every sweep wanted."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", type=int, default=8)
    parser.add_argument("--only", nargs="*", default=list(SWEEPS), choices=SWEEPS)
    wanted = parser.parse_args()
    cv2.setNumThreads(1)
    for name in wanted.only:
        print(f"\n{name}")
        for line in SWEEPS[name](wanted.pictures):
            print(line, flush=True)


if __name__ == "__main__":
    main()
