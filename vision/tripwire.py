"""The frame as a tripwire: whoever reaches onto the table crosses it.

Nothing else ever lies there. Samples along the frame are compared with how they
looked at the last rest, in today's light, in bins of 16 mm. Each bin's mean change in
each colour is taken, so that noise cancels and a hand about as dark as the frame does
not: skin and cloth shift all of a bin's samples one way. What the light's surface leaves
of a soft shadow goes by the running median along the frame, which keeps whatever
rises and falls slower than an arm is wide.
"""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from calibration.plane import PlaneMapping
from calibration.table import Table
from vision.compiled import compiled
from vision.frames import Image

Samples = NDArray[np.float32]
"""samples x rings x 3: the frame's colours."""

RINGS_MM = (16.0, 30.0, 44.0)
"""Where the frame is sampled, outwards from the playing surface's edge."""
SAMPLE_MM = 4.0
BIN_SAMPLES = 4
"""Samples of each ring in one bin: 16 mm, narrower than a finger's shadow."""
TRIP_GREY = 6.0
"""Mean change of a bin that nothing but an object or its shadow makes ..."""
TRIP_USUAL = 4.0
"""... and so many times the change of the frame's middle bin: what noise makes."""
AROUND_BINS = 10
"""To both sides: 340 mm in all, twice a forearm that crosses at a slant."""


class Tripwire:
    """Compares the frame of one table with how it looked at the last rest."""

    def __init__(self, table: Table, mapping: PlaneMapping) -> None:
        self.places_px = _strip_px(table, mapping)
        """samples x rings x 2: the pixels looked at, those the picture shows fully."""
        self.same_light: Samples = np.ones(self.places_px.shape[:2], np.float32)
        """Every place as bright as at rest."""
        self._then: Samples | None = None

    @property
    def learnt(self) -> bool:
        """Whether the frame has been seen at rest."""
        return self._then is not None

    def learn(self, image: Image) -> None:
        """Take this picture as the frame with no hand near it."""
        self._then = self._seen(image)

    def gain(self, image: Image) -> float:
        """How much brighter the frame is; 1.0 when it cannot be said."""
        if self._then is None or not self._then.size:
            return 1.0
        now = self._seen(image)[::3]
        ratios = ((now + 8.0) / (self._then[::3] + 8.0)).ravel()
        return float(np.partition(ratios, len(ratios) // 2)[len(ratios) // 2])

    def tripped(self, image: Image, light: Samples) -> bool:
        """Whether two neighbouring bins look different than at rest.

        `light` (samples x rings): how many times as bright each place is now.
        """
        if self._then is None or len(self._then) < 2 * AROUND_BINS * BIN_SAMPLES:
            return False
        changes = np.empty((len(self._then) // BIN_SAMPLES, 3), np.float32)
        _changes(self._seen(image), self._then, light, changes)
        return _trips(changes) and _trips(changes - _slow(changes))

    def _seen(self, image: Image) -> Samples:
        seen = np.empty((*self.places_px.shape[:2], 3), np.float32)
        _sample(image, self.places_px, seen)
        return seen


@compiled
def _sample(image: Image, places: NDArray[np.intp], seen: Samples) -> None:
    for n in range(places.shape[0]):
        for ring in range(places.shape[1]):
            x, y = places[n, ring, 0], places[n, ring, 1]
            for c in range(3):
                seen[n, ring, c] = image[y, x, c]


@compiled
def _changes(now: Samples, then: Samples, light: Samples, changes: Samples) -> None:
    """Each bin's mean change of each colour."""
    rings = now.shape[1]
    for part in range(len(changes)):
        for c in range(3):
            total = np.float32(0.0)
            for n in range(part * BIN_SAMPLES, (part + 1) * BIN_SAMPLES):
                for ring in range(rings):
                    total += now[n, ring, c] - light[n, ring] * then[n, ring, c]
            changes[part, c] = total / (BIN_SAMPLES * rings)


def _trips(changes: Samples) -> bool:
    """Whether two neighbouring bins changed by more than noise, in any colour."""
    worst = np.abs(changes).max(axis=1)
    usual = float(np.partition(worst, len(worst) // 2)[len(worst) // 2])
    trips = worst > max(TRIP_GREY, TRIP_USUAL * usual)
    return bool((trips[1:] & trips[:-1]).any() or (trips[0] and trips[-1]))


def _slow(changes: Samples) -> Samples:
    """The running median round the frame."""
    around = np.pad(changes, ((AROUND_BINS, AROUND_BINS), (0, 0)), mode="wrap")
    windows = sliding_window_view(around, 2 * AROUND_BINS + 1, axis=0)
    return np.asarray(np.median(windows, axis=-1), np.float32)


def _strip_px(table: Table, mapping: PlaneMapping) -> NDArray[np.intp]:
    rings = [r for r in RINGS_MM if r < table.frame_width_mm]
    steps = np.arange(-table.half_mm, table.half_mm, SAMPLE_MM)
    sides = []
    for side in range(4):
        ring = [
            np.column_stack([steps, np.full_like(steps, table.half_mm + r)])
            for r in rings
        ]
        turn = np.array([[0, 1], [-1, 0]]) if side % 2 else np.eye(2)
        sides.append(np.stack(ring, axis=1) @ turn * (1 if side < 2 else -1))
    around = np.concatenate(sides)
    flat = mapping.to_px(around.reshape(-1, 2), table.frame_height_mm)
    pixels = np.rint(flat).astype(np.intp).reshape(around.shape)
    within = (pixels >= 0) & (pixels < np.array(mapping.size_px))
    inside = np.all(np.asarray(within, np.bool_), axis=(1, 2))
    return np.asarray(pixels[inside], np.intp)
