"""What was seen, drawn over the picture it was seen in.

Every kind has a shape of its own as well as a colour (Okabe and Ito's set, which
colour-blind readers tell apart): white a plain ring with a dot, black a dashed ring
with a square, the queen a ring with a crown of rays and a diamond, the striker a
double ring with a cross. All strokes have a dark edge, so they read on wood and
on black.
"""

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from calibration.plane import PlaneMapping
from calibration.table import Piece, Point, Table
from vision.detect_fit import Floats
from vision.frames import Image
from vision.sightings import Census, Sighting, Where

Colour = tuple[int, int, int]

COLOURS: dict[Piece, Colour] = {
    Piece.WHITE: (233, 180, 86),
    Piece.BLACK: (0, 159, 230),
    Piece.QUEEN: (167, 121, 204),
    Piece.STRIKER: (115, 190, 20),
}
EDGE: Colour = (20, 20, 20)
INK: Colour = (235, 235, 235)
GRID: Colour = (255, 255, 255)
PANEL: Colour = (38, 34, 32)
GRID_MM = 100.0
SHORT_SIDE_PX = 1000
"""Small pictures are enlarged to this, so that lines and letters stay legible."""
DOUBTFUL = 0.6
"""Pieces less sure than this carry a question mark."""
FONT = cv2.FONT_HERSHEY_DUPLEX
NOWHERE = Point(0.0, 0.0)
SUB = 4
"""Fractional bits of drawing coordinates (sixteenths of a pixel)."""


def draw_census(
    image: Image, table: Table, mapping: PlaneMapping, census: Census
) -> Image:
    """The picture with grid, pieces and a legend, as large as is legible."""
    pen = Pen.for_picture(image)
    for line in grid(table, mapping):
        pen.line(line, GRID, 0.5, strength=0.28)
    pen.line(outline(table, mapping), GRID, 1.0, strength=0.9)
    label_axes(pen, table, mapping)
    for sighting in sorted(census.pieces, key=lambda s: s.confidence):
        draw_piece(pen, sighting)
    return _with_legend(pen, census)


@dataclass(slots=True, eq=False)
class Pen:
    """A canvas in which lengths are pixels of the original picture."""

    canvas: Image
    zoom: float
    unit: float
    """A fine line's width, canvas pixels."""

    @classmethod
    def for_picture(cls, image: Image) -> "Pen":
        zoom = max(1.0, SHORT_SIDE_PX / min(image.shape[:2]))
        canvas = image.copy()
        if zoom > 1.0:
            canvas = np.asarray(
                cv2.resize(
                    image, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC
                ),
                np.uint8,
            )
        return cls(canvas, zoom, max(1.0, min(canvas.shape[:2]) / 600))

    def line(
        self, points: Floats, colour: Colour, width: float, *, strength: float = 1.0
    ) -> None:
        """An open line through points (N x 2, picture pixels)."""
        large = ((points + 0.5) * self.zoom - 0.5) * (1 << SUB)
        path = [np.round(large).astype(np.int32).reshape(-1, 1, 2)]
        thick = max(1, round(width * self.unit))
        target = self.canvas if strength >= 1.0 else self.canvas.copy()
        if strength >= 1.0:
            edge = thick + max(2, round(self.unit * 1.2))
            cv2.polylines(target, path, False, EDGE, edge, cv2.LINE_AA, SUB)
        cv2.polylines(target, path, False, colour, thick, cv2.LINE_AA, SUB)
        if strength < 1.0:
            cv2.addWeighted(
                target, strength, self.canvas, 1 - strength, 0, dst=self.canvas
            )

    def filled(self, points: Floats, colour: Colour) -> None:
        """A filled shape with a dark edge."""
        large = ((points + 0.5) * self.zoom - 0.5) * (1 << SUB)
        path = [np.round(large).astype(np.int32).reshape(-1, 1, 2)]
        edge = max(2, round(self.unit * 2.2))
        cv2.polylines(self.canvas, path, True, EDGE, edge, cv2.LINE_AA, SUB)
        cv2.fillPoly(self.canvas, path, colour, cv2.LINE_AA, SUB)

    def text(
        self, words: str, at: tuple[float, float], size: float, colour: Colour = INK
    ) -> None:
        """Words with their middle at a place of the picture."""
        scale = size * self.unit
        thick = max(1, round(1.4 * scale))
        (wide, high), _ = cv2.getTextSize(words, FONT, scale, thick)
        rows, columns = self.canvas.shape[:2]
        x = round((at[0] + 0.5) * self.zoom - wide / 2)
        y = round((at[1] + 0.5) * self.zoom + high / 2)
        place = (min(max(x, 4), columns - wide - 4), min(max(y, high + 4), rows - 4))
        edge = thick + max(2, round(self.unit * 1.5))
        cv2.putText(self.canvas, words, place, FONT, scale, EDGE, edge, cv2.LINE_AA)
        cv2.putText(self.canvas, words, place, FONT, scale, colour, thick, cv2.LINE_AA)


def grid(table: Table, mapping: PlaneMapping) -> list[Floats]:
    """Lines every 100 mm over the surface, N x 2 pixels each."""
    half = table.half_mm
    along = np.linspace(-half, half, 41)
    lines = []
    for tick in ticks(table):
        across = np.full_like(along, tick)
        lines.append(mapping.to_px(np.column_stack([across, along])))
        lines.append(mapping.to_px(np.column_stack([along, across])))
    return lines


def ticks(table: Table) -> list[float]:
    most = int((table.half_mm - 1) // GRID_MM)
    return [GRID_MM * k for k in range(-most, most + 1)]


def outline(table: Table, mapping: PlaneMapping) -> Floats:
    """The playing surface's edge in the picture (N x 2, px), bent as the lens does."""
    corners = np.array([*table.corners, table.corners[0]], np.float64)
    share = np.linspace(0, 1, 21)[:, None]
    sides = [start + share * (end - start) for start, end in pairwise(corners)]
    return mapping.to_px(np.concatenate(sides))


def label_axes(pen: Pen, table: Table, mapping: PlaneMapping) -> None:
    """Millimetres along the south and west edges, just inside the surface."""
    inset = table.half_mm - 14.0
    for tick in ticks(table):
        ends = mapping.to_px(np.array([[tick, -inset], [-inset, tick]]))
        for x, y in ends:
            pen.text(f"{tick:g}", (float(x), float(y)), 0.3)


def draw_piece(pen: Pen, sighting: Sighting) -> None:
    """Rings and mark of one piece, and what is doubtful about it."""
    colour = COLOURS[sighting.piece]
    x, y, r = sighting.x_px, sighting.y_px, sighting.r_px
    for stroke in _rings(sighting.piece, x, y, r):
        pen.line(stroke, colour, 2.0)
    pen.filled(_mark(sighting.piece, x, y, 0.26 * r), colour)
    if sighting.where is Where.POCKET:
        pen.text("in pocket", (x, y + 1.45 * r), 0.4, colour)
    if sighting.confidence < DOUBTFUL:
        pen.text("?", (x + 1.05 * r, y - 0.95 * r), 0.8, colour)


def _rings(piece: Piece, x: float, y: float, r: float) -> list[Floats]:
    """The strokes around a piece that tell its kind by shape."""
    match piece:
        case Piece.WHITE:
            return [_arc(x, y, r, 0, 360)]
        case Piece.BLACK:
            return [_arc(x, y, r, start, start + 27) for start in range(0, 360, 45)]
        case Piece.QUEEN:
            rays = [
                np.array([_at(x, y, 1.05 * r, a), _at(x, y, 1.4 * r, a)])
                for a in range(0, 360, 45)
            ]
            return [_arc(x, y, r, 0, 360), *rays]
        case Piece.STRIKER:
            return [_arc(x, y, r, 0, 360), _arc(x, y, 0.78 * r, 0, 360)]


def _mark(piece: Piece, x: float, y: float, r: float) -> Floats:
    """The filled mark in a piece's middle."""
    match piece:
        case Piece.WHITE:
            return _arc(x, y, 0.8 * r, 0, 360)
        case Piece.BLACK:
            return np.array([_at(x, y, 1.15 * r, a) for a in (45, 135, 225, 315)])
        case Piece.QUEEN:
            return np.array([_at(x, y, 1.35 * r, a) for a in (0, 90, 180, 270)])
        case Piece.STRIKER:
            arms = [(1.5, -14), (1.5, 14), (0.52, 45)]
            return np.array(
                [
                    _at(x, y, far * r, quarter + a)
                    for quarter in (0, 90, 180, 270)
                    for far, a in arms
                ]
            )


def _at(x: float, y: float, r: float, degrees: float) -> tuple[float, float]:
    angle = np.radians(degrees)
    return float(x + r * np.cos(angle)), float(y + r * np.sin(angle))


def _arc(x: float, y: float, r: float, start: float, end: float) -> Floats:
    angle = np.radians(np.linspace(start, end, max(8, int(end - start) // 4)))
    return np.column_stack([x + r * np.cos(angle), y + r * np.sin(angle)])


def _with_legend(pen: Pen, census: Census) -> Image:
    """The canvas with a strip below it: each kind's mark, name and count."""
    width = pen.canvas.shape[1]
    size = min(pen.unit, width / 620)
    strip = np.full((round(44 * size), width, 3), PANEL, np.uint8)
    legend = Pen(strip, 1.0, size)
    for k, piece in enumerate(Piece):
        x, y, r = width * (0.06 + 0.25 * k), 22.0 * size, 10.0 * size
        sample = Sighting(piece, NOWHERE, x, y, r, 1.0)
        draw_piece(legend, sample)
        words = f"{piece.capitalize()}  {census.count(piece)}"
        scale, thick = 0.55 * size, max(1, round(0.9 * size))
        place = (round(x + 22 * size), round(y + 6 * size))
        cv2.putText(strip, words, place, FONT, scale, INK, thick, cv2.LINE_AA)
    return np.vstack([pen.canvas, strip])
