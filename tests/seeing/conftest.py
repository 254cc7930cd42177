"""A rendered table, seen by the product's own detector."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from calibration.lens import Lens
from calibration.plane import PlaneMapping
from calibration.table import STOCK, Piece, Point, Table
from vision.detect import Detector
from vision.frames import Image
from vision.sightings import Census
from vision.sources.rendered import Renderer
from vision.sources.rendering_scene import Scene, ScenePiece

Pieces = list[tuple[Piece, Point]]
Misread = Callable[[Census, Sequence[tuple[Piece, Point]]], list[str]]
NEAR_MM = 8.0


@dataclass(frozen=True)
class Rendered:
    """A table with a camera above it: pictures with their truth."""

    table: Table
    renderer: Renderer
    mapping: PlaneMapping

    def picture(self, pieces: Sequence[tuple[Piece, Point]], seed: int = 0) -> Image:
        turns = np.random.default_rng(seed).uniform(0, 6, len(pieces))
        lying = [
            ScenePiece(piece, at, turned_rad=float(turn))
            for (piece, at), turn in zip(pieces, turns, strict=True)
        ]
        return self.renderer.render(Scene(0.0, tuple(lying)), seed)

    def detector(self) -> Detector:
        return Detector(self.table, self.mapping, empty=self.renderer.empty())

    def scattered(self, seed: int) -> Pieces:
        """All twenty pieces anywhere on the surface, none overlapping."""
        rng = np.random.default_rng(seed)
        placed: Pieces = []
        for piece in [piece for piece, count in STOCK.items() for _ in range(count)]:
            placed.append((piece, self._free_place(rng, piece, placed)))
        return placed

    def _free_place(
        self, rng: np.random.Generator, piece: Piece, placed: Pieces
    ) -> Point:
        radius = self.table.radius_mm(piece)
        reach = self.table.half_mm - radius
        while True:
            x, y = rng.uniform(-reach, reach, 2).tolist()
            at = Point(x, y)
            clear = all(
                at.distance_mm(other) > radius + self.table.radius_mm(kind)
                for kind, other in placed
            )
            if clear and self.table.over_pocket(at) is None:
                return at


@pytest.fixture(scope="session")
def rendered() -> Rendered:
    table = Table()
    renderer = Renderer(table)
    camera = renderer.camera
    lens = Lens(camera.focal_px, camera.centre_px, camera.k1, camera.k2)
    size = (camera.width_px, camera.height_px)
    corners = camera.corners_px(table)
    mapping = PlaneMapping.from_corners(corners, size, table, lens)
    return Rendered(table, renderer, mapping)


def _misread(census: Census, truth: Sequence[tuple[Piece, Point]]) -> list[str]:
    """What a census got wrong, in words; empty when every piece is right."""
    faults = []
    left = list(census.pieces)
    for piece, at in truth:
        near = [s for s in left if s.at.distance_mm(at) < NEAR_MM]
        if not near:
            faults.append(f"missed {piece} at {at}")
            continue
        left.remove(near[0])
        if near[0].piece is not piece:
            faults.append(f"took {piece} at {at} for {near[0].piece}")
    return faults + [f"invented {s.piece} at {s.at}" for s in left]


@pytest.fixture(scope="session")
def misread() -> Misread:
    """The comparison of a census with the truth; tests of a folder share no imports."""
    return _misread
