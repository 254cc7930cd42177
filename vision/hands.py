"""Sees hands and arms without knowing what a hand looks like.

Theory. Two tests, either is enough. The tripwire (`vision.tripwire`): whoever reaches
onto the table crosses its frame, where nothing else ever lies. The foreign area: tiles
of the surface that differ from the last rest picture, are not explained by any piece,
and hang together with the frame.

Both compare in today's light (`vision.light_field`), which a lamp or a leaning player
changes smoothly and a hand does not. A harder shadow is told from a hand tile by
tile: it darkens all three colours by one factor and leaves the wood's grain and print
as they were, while a hand covers them, whatever its tone.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import PlaneMapping
from calibration.table import Point, Table
from vision.frames import Image
from vision.light_field import (
    Colours,
    Light,
    LightField,
    colours,
    lit_differences,
    own_light,
    tints,
)
from vision.registration import Drift
from vision.sightings import Hidden
from vision.tiles import Differences, Mask, Plane, Tiles
from vision.tripwire import Tripwire

Floats = NDArray[np.float64]

FOREIGN_GREY = 7.0
"""Mean difference of a tile of the surface, beyond its usual noise."""
COLOUR_GREY = 8.0
"""Change of a tile's mean colour that no noise and no light makes."""
SHAPE_GREY = 2.5
"""A shaded tile shows the same picture in its own light but for this and its noise."""
FOREIGN_TILES = 12
"""A hand covers at least this much; lost pieces cover up to nine tiles ..."""
WIDE_TILES = 5
"""... or it is this wide: pieces with their shadows are up to four."""


@dataclass(frozen=True, slots=True, eq=False)
class HandView:
    """What hands do in one frame.

    `present`: one reaches across the frame or into the surface. `mask`: the
    tiles it covers, with one tile's margin; empty when it only shades the frame.
    """

    present: bool
    mask: Mask


@dataclass(frozen=True, slots=True, eq=False)
class _Rest:
    """The table as it was at the last rest without hands."""

    image: Image
    plane: Plane
    colours: Colours
    held: Mask
    """Tiles that had a piece on them: they change when it leaves."""


class Hands:
    """Compares frames with the table as it was at the last rest without hands."""

    def __init__(self, table: Table, mapping: PlaneMapping, tiles: Tiles) -> None:
        self._table = table
        self._tiles = tiles
        self._light = LightField(tiles)
        self._look_through(mapping)
        self._rest: _Rest | None = None
        self._surface_known = False

    @property
    def surface(self) -> Mask:
        """The tiles of the playing surface."""
        return self._on_surface

    def learn(self, image: Image, plane: Plane, held: Mask) -> None:
        """Take this frame as the table at rest with no hand near it.

        `held` tiles have a piece on them: they will change when it leaves.
        """
        then = colours(image, self._tiles)
        self._rest = _Rest(image, plane.copy(), then, held)
        self._surface_known = True
        self._tripwire.learn(image)

    def follow(self, mapping: PlaneMapping, moved: Drift) -> None:
        """Look through another mapping once the picture has moved by so much."""
        self._look_through(mapping)
        if self._rest is not None:
            known = self._surface_known
            image = moved.ahead(self._rest.image)
            self.learn(image, self._tiles.plane(image), self._rest.held)
            self._surface_known = known

    def forget_surface(self) -> None:
        """What lies on the surface may be another than remembered; the frame is not."""
        self._surface_known = False

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
        rest, nothing = self._rest, np.zeros(self._tiles.shape, np.bool_)
        if rest is None:
            return HandView(False, nothing)
        if not self._surface_known:
            return HandView(self._tripped_by_gain(image), nothing)
        taken = explained | rest.held
        if not self._stirred(image, plane, ~taken, usual):
            return HandView(False, nothing)
        differs, shaded, light = self._differs(image, plane, taken, usual)
        foreign = _reaching_in(differs & ~taken, shaded, self._on_surface)
        mask = _with_covered(foreign, differs & resting)
        return HandView(bool(mask.any()) or self._tripped(image, light), mask)

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
        self._tripwire = Tripwire(self._table, mapping)
        self._frame_tiles = self._tiles.holding(self._tripwire.places_px)
        self._on_surface = _surface_tiles(self._table, mapping, self._tiles)

    def _stirred(
        self, image: Image, plane: Plane, bare: Mask, usual: Differences
    ) -> bool:
        """Whether there is anything to look into: most frames show pieces alone."""
        assert self._rest is not None
        change = self._tiles.differences(plane, self._rest.plane)
        if (bare & (change > 1.35 * usual + SHAPE_GREY)).any():
            return True
        return self._tripwire.tripped(image, self._tripwire.same_light)

    def _differs(
        self, image: Image, plane: Plane, taken: Mask, usual: Differences
    ) -> tuple[Mask, Mask, Light]:
        """The tiles that look different, those that may only be shaded, the light."""
        assert self._rest is not None
        then, now = self._rest.colours, colours(image, self._tiles)
        own, alike = own_light(now, then)
        light = self._light.fit(own, alike & ~taken)
        change = lit_differences(plane, self._rest.plane, light)
        shape = lit_differences(plane, self._rest.plane, own)
        tint = tints(now, then, light)
        shaded = alike & (shape < 1.35 * usual + SHAPE_GREY)
        differs = (change > 1.35 * usual + FOREIGN_GREY) | (tint > COLOUR_GREY)
        return differs, shaded, light

    def _tripped(self, image: Image, light: Light) -> bool:
        return self._tripwire.tripped(image, light[self._frame_tiles])

    def _tripped_by_gain(self, image: Image) -> bool:
        """Whether the frame looks different when that is all there is to go by."""
        gain = np.float32(self._tripwire.gain(image))
        return self._tripped(image, np.full(self._tiles.shape, gain, np.float32))


def _surface_tiles(table: Table, mapping: PlaneMapping, tiles: Tiles) -> Mask:
    """Tiles whose centre lies on the playing surface."""
    places = mapping.to_mm(tiles.centres_px().reshape(-1, 2))
    furthest = np.max(np.abs(places), axis=1)
    return np.asarray(furthest.reshape(tiles.shape) < table.half_mm, np.bool_)


def _reaching_in(foreign: Mask, shaded: Mask, on_surface: Mask) -> Mask:
    """Foreign areas that reach in from the surface's edge and show more than a shadow.

    More than a lost piece, too. A sleeve like the frame begins at its edge. A shadow that hangs together with a hand stays part of
    it: sleeves in the table's colour look like one.
    """
    off = cv2.dilate((~on_surface).astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    count, labels = cv2.connectedComponents(foreign.astype(np.uint8), connectivity=8)
    kept = np.zeros(foreign.shape, np.bool_)
    for label in range(1, count):
        area = labels == label
        reaches = (area & on_surface).any() and (area & off).any()
        if reaches and _large(area & ~shaded):
            kept |= area
    return kept


def _large(area: Mask) -> bool:
    """Whether these are more tiles, or further apart, than a piece's and its shadow's."""
    rows, columns = np.nonzero(area)
    if len(rows) >= FOREIGN_TILES:
        return True
    if not len(rows):
        return False
    return bool(max(np.ptp(rows), np.ptp(columns)) >= WIDE_TILES - 1)


def _with_covered(foreign: Mask, covered: Mask) -> Mask:
    """Hands with the `covered` tiles, of pieces, that hang together with them; grown."""
    if not foreign.any():
        return foreign
    both = (foreign | covered).astype(np.uint8)
    _, labels = cv2.connectedComponents(both, connectivity=8)
    under = np.isin(labels, np.unique(labels[foreign]))
    grown = cv2.dilate(under.astype(np.uint8), np.ones((3, 3), np.uint8))
    return np.asarray(grown, np.bool_)
