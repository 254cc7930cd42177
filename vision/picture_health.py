"""How good the pictures are: light, clipping, blur, flicker, a moved camera.

Theory. Four things can be told from any picture of the table, wherever pieces and hands
are, once a second at the cost of a fraction of one frame:

- *Light and clipping* from a grid of points on the playing surface.
- *Blur* from the edges around the pockets: blurring an edge once more lowers its slope
  by a factor that says how wide it was (Zhuo and Sim, Pattern Recognition 44, 2011).
- *Flicker* from the brightness of eight bands of the surface over 64 frames: the
  strongest line above 5 Hz that most bands share. A hand darkens some bands slowly;
  a lamp on the mains beats in all of them, and under a rolling shutter as stripes.
- *Drift* of the camera from marks whose place is known (`registration`).
"""

from collections import deque

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import PlaneMapping
from calibration.table import Table
from vision.compiled import compiled
from vision.frames import Frame, Image
from vision.picture_report import DIM_GREY, PictureHealth
from vision.registration import Registration

EVERY_S = 1.0
BANDS, BAND_POINTS = 8, 64
RUN_PX = 4
"""For every frame's brightness so many neighbours are taken at every fourth point: what
costs is each place's way from memory."""
FLICKER_FRAMES = 64
SLOWEST_HZ = 5.0
"""Slower changes are hands, clouds and dimmers."""
BLUR_PATCH_PX = 96
CLIPPED_GREY = 250

BLOCKED_S = 6.0
"""Hands over most of the marks stay for less; a phone on the lens or a turned arm more."""


class PictureMeter:
    """Measures the pictures of one calibrated camera as they come."""

    def __init__(
        self, table: Table, mapping: PlaneMapping, empty: Image | None = None
    ) -> None:
        """`empty` is the calibrated view; without it the first picture stands for it."""
        self._green = _green_of(table, mapping)
        self._beat = _neighbours(self._green[:, ::RUN_PX])
        self._coin_px = _coin_px(table, mapping)
        self._pockets = mapping.to_px(np.array(list(table.pocket_centres.values())))
        self._table, self._mapping = table, mapping
        self._registration: Registration | None = None
        self._own_blur_px: float | None = None
        self._own_light: float | None = None
        if empty is not None:
            self._own_light = self._light(empty)
            self._registration = Registration(table, mapping, empty)
            self._own_blur_px = self._blur_px(empty)
        self._bands: deque[NDArray[np.float64]] = deque(maxlen=FLICKER_FRAMES)
        self._times_s: deque[float] = deque(maxlen=FLICKER_FRAMES)
        self._last_s: float | None = None
        self._marks_s: float | None = None

    def look(self, frame: Frame) -> PictureHealth | None:
        """Take every frame; once a second, what the last second was worth."""
        values = frame.image.reshape(-1)
        self._bands.append(_means(values, self._beat))
        self._times_s.append(frame.at_s)
        if self._last_s is not None and frame.at_s - self._last_s < EVERY_S:
            return None
        self._last_s = frame.at_s
        drift_mm, marks = self._drift(frame.image)
        if marks or self._marks_s is None:
            self._marks_s = frame.at_s
        blur_px = self._blur_px(frame.image)
        sample = values[self._green[..., None] + (-1, 0, 1)]
        light = self._light(frame.image)
        return PictureHealth(
            at_s=frame.at_s,
            light=light,
            lit=None if not self._own_light else light / self._own_light,
            clipped=float((sample.min(axis=2) >= CLIPPED_GREY).mean()),
            blur_px=blur_px,
            blur=None if blur_px is None else blur_px / self._coin_px,
            defocus=self._defocus(blur_px),
            flicker=self._flicker(),
            drift_mm=drift_mm,
            marks=marks,
            blocked=light >= DIM_GREY and frame.at_s - self._marks_s > BLOCKED_S,
        )

    def _light(self, image: Image) -> float:
        return float(np.median(image.reshape(-1)[self._green]))

    def _defocus(self, blur_px: float | None) -> float | None:
        """What a lens adds, adds by squares."""
        if blur_px is None or self._own_blur_px is None:
            return None
        added = max(blur_px**2 - self._own_blur_px**2, 0.0)
        return float(np.sqrt(added)) / self._coin_px

    def _drift(self, image: Image) -> tuple[float | None, int]:
        """How far the pockets have moved, mm, and how many marks say so."""
        if self._registration is None:
            self._registration = Registration(self._table, self._mapping, image)
        found = self._registration.measure(image)
        if found is None:
            return None, 0
        moved = self._mapping.to_mm(found.forward(self._pockets))
        off = moved - self._mapping.to_mm(self._pockets)
        return float(np.hypot(*off.T).max()), found.agreeing

    def _flicker(self) -> float | None:
        """Amplitude of the strongest common line over the light; None too early."""
        if len(self._bands) < FLICKER_FRAMES:
            return None
        bands = np.array(self._bands)
        light = bands.mean(axis=0)
        span_s = self._times_s[-1] - self._times_s[0]
        if span_s <= 0 or light.min() < 1.0:
            return None
        window = np.hanning(FLICKER_FRAMES)[:, None]
        lines = np.abs(np.fft.rfft((bands - light) * window, axis=0))
        shares = 2 * lines / window.sum() / light
        step_hz = (FLICKER_FRAMES - 1) / span_s / FLICKER_FRAMES
        first = int(np.ceil(SLOWEST_HZ / step_hz))
        common = np.median(shares, axis=1)[first:]
        return float(common.max()) if common.size else None

    def _blur_px(self, image: Image) -> float | None:
        """The median width of the edges around the pockets; None without edges."""
        found = []
        height, width = image.shape[:2]
        for x, y in self._pockets:
            left = min(max(round(float(x)) - BLUR_PATCH_PX // 2, 0), width)
            top = min(max(round(float(y)) - BLUR_PATCH_PX // 2, 0), height)
            patch = image[top : top + BLUR_PATCH_PX, left : left + BLUR_PATCH_PX, 1]
            sigma = _edge_width_px(patch)
            if sigma is not None:
                found.append(sigma)
        return float(np.median(found)) if found else None


EDGE_GREY = 25.0
"""A slope below this (Sobel, grey values) is grain or noise, no edge."""
AGAIN_PX = 2.0
"""How much an edge is blurred once more."""


def _edge_width_px(patch: NDArray[np.uint8]) -> float | None:
    grey = patch.astype(np.float32)
    slope = _slope(grey, 0.5)
    softer = _slope(grey, float(np.hypot(0.5, AGAIN_PX)))
    steep = slope > max(EDGE_GREY, float(np.percentile(slope, 97)))
    if steep.sum() < 20:
        return None
    ratio = float(np.median(slope[steep] / np.maximum(softer[steep], 1e-3)))
    if ratio <= 1.0:
        return None
    width_px = AGAIN_PX / np.sqrt(ratio**2 - 1.0)
    return float(np.sqrt(max(width_px**2 - 0.5**2, 0.0)))


def _slope(grey: NDArray[np.float32], blurred_px: float) -> NDArray[np.float32]:
    soft = cv2.GaussianBlur(grey, (0, 0), blurred_px)
    across = cv2.Sobel(soft, cv2.CV_32F, 1, 0, ksize=3, scale=0.25)
    down = cv2.Sobel(soft, cv2.CV_32F, 0, 1, ksize=3, scale=0.25)
    return np.asarray(cv2.magnitude(across, down), np.float32)


def _green_of(table: Table, mapping: PlaneMapping) -> NDArray[np.intp]:
    """Where in a picture's bytes the green of places all over the surface lies.

    BANDS x BAND_POINTS, for a contiguous picture as `Frame` promises it.
    """
    half = 0.95 * table.half_mm
    across = np.linspace(-half, half, BAND_POINTS // 4)
    height = 2 * half / BANDS
    bands = []
    for band in range(BANDS):
        up = half - height * (band + (np.arange(4) + 0.5) / 4)
        bands.append(np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2))
    pixels = np.rint(mapping.to_px(np.concatenate(bands))).astype(np.intp)
    width, rows = mapping.size_px
    x, y = np.clip(pixels, 0, (width - 1, rows - 1)).reshape(BANDS, BAND_POINTS, 2).T
    return np.asarray(3 * (y * width + x).T + 1, np.intp)


def _neighbours(green: NDArray[np.intp]) -> NDArray[np.intp]:
    """Runs of pixels that end at these, bands x points."""
    runs = green[..., None] - 3 * np.arange(RUN_PX)
    return np.asarray(np.maximum(runs, 1).reshape(len(green), -1), np.intp)


def _means(values: NDArray[np.uint8], where: NDArray[np.intp]) -> NDArray[np.float64]:
    """The mean of a picture's bytes over each row of `where`."""
    means = np.empty(len(where))
    _sum(values, where, means)
    return means


@compiled
def _sum(
    values: NDArray[np.uint8], where: NDArray[np.intp], means: NDArray[np.float64]
) -> None:
    for band in range(where.shape[0]):
        total = 0
        for point in range(where.shape[1]):
            total += values[where[band, point]]
        means[band] = total / where.shape[1]


def _coin_px(table: Table, mapping: PlaneMapping) -> float:
    """A coin's radius in the middle of the picture."""
    ends = mapping.to_px(np.array([(0.0, 0.0), (table.coin_radius_mm, 0.0)]))
    return float(np.hypot(*(ends[1] - ends[0])))
