"""Sees hands and arms without knowing what a hand looks like.

Theory. Two tests, either is enough. The tripwire: whoever
reaches onto the table crosses its frame, where nothing else ever lies; samples
along the frame are compared with how they looked at the last rest, in bins of
16 mm. The foreign area: tiles of the surface that differ from the last rest
picture, are not explained by any piece, and hang together with the frame.

Both compare after taking out how much brighter the light is now, estimated as
the median over the frame: an arm covers little of it, a lamp all of it.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import PlaneMapping
from calibration.table import Point, Table
from vision.compiled import compiled
from vision.frames import Image
from vision.registration import Drift
from vision.sightings import Hidden
from vision.tiles import Differences, Mask, Plane, Tiles

Floats = NDArray[np.float64]

RINGS_MM = (16.0, 30.0, 44.0)
"""Where the frame is sampled, outwards from the playing surface's edge."""
SAMPLE_MM = 4.0
BIN_SAMPLES = 4
"""Samples of each ring in one bin: 16 mm, narrower than a finger's shadow."""
GAIN_EVERY = 3
"""Every third sample tells how bright the light is."""
TRIP_GREY = 14.0
"""Mean difference of a bin that nothing but an object or its shadow makes."""
FOREIGN_GREY = 7.0
"""Mean difference of a tile of the surface, beyond its usual noise."""
FOREIGN_TILES = 12
"""A hand covers at least this much; lost pieces cover up to nine tiles."""


@dataclass(frozen=True, slots=True, eq=False)
class HandView:
    """What hands do in one frame.

    `present`: one reaches across the frame or into the surface. `mask`: the
    tiles it covers, with one tile's margin; empty when it only shades the frame.
    """

    present: bool
    mask: Mask


class Hands:
    """Compares frames with the table as it was at the last rest without hands."""

    def __init__(self, table: Table, mapping: PlaneMapping, tiles: Tiles) -> None:
        self._table = table
        self._tiles = tiles
        self._look_through(mapping)
        self._image_then: Image | None = None
        self._frame_then: NDArray[np.float32] | None = None
        self._plane_then: Plane | None = None
        self._held_then = np.zeros(tiles.shape, np.bool_)

    @property
    def surface(self) -> Mask:
        """The tiles of the playing surface."""
        return self._on_surface

    def learn(self, image: Image, plane: Plane, held: Mask) -> None:
        """Take this frame as the table at rest with no hand near it.

        `held` tiles have a piece on them: they will change when it leaves.
        """
        self._held_then = held
        self._image_then = image
        self._frame_then = self._frame(image)
        self._plane_then = plane.copy()

    def follow(self, mapping: PlaneMapping, moved: Drift) -> None:
        """Look through another mapping once the picture has moved by so much."""
        self._look_through(mapping)
        if self._image_then is not None:
            self._image_then = moved.ahead(self._image_then)
            self._frame_then = self._frame(self._image_then)
            if self._plane_then is not None:
                self._plane_then = self._tiles.plane(self._image_then)

    def forget_surface(self) -> None:
        """What lies on the surface may be another than remembered; the frame is not."""
        self._plane_then = None

    def look(
        self,
        image: Image,
        plane: Plane,
        explained: Mask,
        resting: Mask,
        usual: Differences,
    ) -> HandView:
        """Whether and where hands are.

        `explained` tiles hold known pieces, `resting` ones pieces that lie still: if
        these look different beside a hand, the hand covers them.
        """
        nothing = np.zeros(self._tiles.shape, np.bool_)
        if self._frame_then is None:
            return HandView(False, nothing)
        frame = self._frame(image)
        gain = _gain(frame, self._frame_then)
        tripped = self._tripped(frame, gain)
        if self._plane_then is None:
            return HandView(tripped, nothing)
        change = self._tiles.differences(plane, self._plane_then, gain)
        differs = change > 1.35 * usual + FOREIGN_GREY
        foreign = differs & ~explained & ~self._held_then
        mask = _hanging_together(foreign, differs & resting, self._on_surface)
        return HandView(bool(tripped or mask.any()), mask)

    def hidden(self, mask: Mask) -> tuple[Hidden, ...]:
        """The areas under hands as outlines on the surface, one for each hand."""
        outlines, _ = cv2.findContours(
            mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE
        )
        centres = self._tiles.centres_px()
        return tuple(self._area(centres[o[:, 0, 1], o[:, 0, 0]]) for o in outlines)

    def _area(self, outline_px: Floats) -> Hidden:
        places = self._mapping.to_mm(outline_px)
        return Hidden(tuple(Point(float(x), float(y)) for x, y in places), "hand")

    def _look_through(self, mapping: PlaneMapping) -> None:
        self._mapping = mapping
        self._strip = _strip_px(self._table, mapping)
        self._on_surface = _surface_tiles(self._table, mapping, self._tiles)

    def _frame(self, image: Image) -> NDArray[np.float32]:
        """The frame's colours: samples x rings x 3."""
        seen = np.empty((*self._strip.shape[:2], 3), np.float32)
        _sample(image, self._strip, seen)
        return seen

    def _tripped(self, frame: NDArray[np.float32], gain: float) -> bool:
        """Whether two neighbouring bins of the frame look different than at rest."""
        assert self._frame_then is not None
        trips = np.zeros(len(frame) // BIN_SAMPLES, np.bool_)
        _trip(frame, self._frame_then, gain, trips)
        return bool((trips & np.roll(trips, 1)).any())


@compiled
def _sample(image: Image, strip: NDArray[np.intp], seen: NDArray[np.float32]) -> None:
    for n in range(strip.shape[0]):
        for ring in range(strip.shape[1]):
            x, y = strip[n, ring, 0], strip[n, ring, 1]
            for c in range(3):
                seen[n, ring, c] = image[y, x, c]


@compiled
def _trip(
    now: NDArray[np.float32],
    then: NDArray[np.float32],
    gain: float,
    trips: NDArray[np.bool_],
) -> None:
    """Which bins of the frame differ, by the mean of each sample's worst colour."""
    rings = now.shape[1]
    for part in range(len(trips)):
        total = 0.0
        for n in range(part * BIN_SAMPLES, (part + 1) * BIN_SAMPLES):
            for ring in range(rings):
                worst = 0.0
                for c in range(3):
                    off = abs(now[n, ring, c] - gain * then[n, ring, c])
                    worst = max(worst, off)
                total += worst
        trips[part] = total > TRIP_GREY * BIN_SAMPLES * rings


def _strip_px(table: Table, mapping: PlaneMapping) -> NDArray[np.intp]:
    """samples x rings x 2 pixels round the frame, those the picture shows fully."""
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


def _surface_tiles(table: Table, mapping: PlaneMapping, tiles: Tiles) -> Mask:
    """Tiles whose centre lies on the playing surface."""
    places = mapping.to_mm(tiles.centres_px().reshape(-1, 2))
    furthest = np.max(np.abs(places), axis=1)
    return np.asarray(furthest.reshape(tiles.shape) < table.half_mm, np.bool_)


def _gain(now: NDArray[np.float32], then: NDArray[np.float32]) -> float:
    """How much brighter the frame is than it was; 1.0 when it cannot be said."""
    if not now.size:
        return 1.0
    now, then = now[::GAIN_EVERY], then[::GAIN_EVERY]
    ratios = ((now + 8.0) / (then + 8.0)).ravel()
    return float(np.partition(ratios, len(ratios) // 2)[len(ratios) // 2])


def _hanging_together(foreign: Mask, covered: Mask, on_surface: Mask) -> Mask:
    """Foreign areas large enough for a hand that reach in from the frame, grown.

    `covered` tiles hold pieces that may lie under a hand: those that hang together
    with one do.
    """
    count, labels = cv2.connectedComponents(foreign.astype(np.uint8), connectivity=8)
    kept = np.zeros(foreign.shape, np.bool_)
    for label in range(1, count):
        area = labels == label
        reaches_in = (area & on_surface).any() and (area & ~on_surface).any()
        if reaches_in and area.sum() >= FOREIGN_TILES:
            kept |= area
    if not kept.any():
        return kept
    both = (kept | covered).astype(np.uint8)
    _, labels = cv2.connectedComponents(both, connectivity=8)
    under = np.isin(labels, np.unique(labels[kept]))
    grown = cv2.dilate(under.astype(np.uint8), np.ones((3, 3), np.uint8))
    return np.asarray(grown, np.bool_)
