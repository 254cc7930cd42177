"""A fitted table drawn over the picture it was fitted to, with residuals in mm.

Thin lines are where the fit has the table's marks and frame; each dot is a station
that was measured: round and blue within 0.2 mm, orange and square within 0.5, a
vermilion cross beyond or given up. Its tail is the residual, forty times enlarged.
"""

import cv2
import numpy as np

from calibration.accuracy import Verdict
from calibration.marks import Kind, concrete, marks
from calibration.steps import Calibrated
from vision.detect_fit import Floats
from vision.frames import Image
from vision.overlay import FONT, GRID, INK, PANEL, Pen, outline

BLUE, ORANGE, VERMILION = (233, 180, 86), (0, 159, 230), (0, 94, 213)
GOOD_MM, FAIR_MM = 0.2, 0.5
ENLARGED = 40.0
GIVEN_UP = 0.1
"""Weight below which a station no longer counts."""


def draw_fit(done: Calibrated) -> Image:
    """The picture with the fitted table, its stations and the verdict below."""
    fitted = done.fitted
    pen = Pen.for_picture(done.image)
    for mark in marks(concrete(fitted.table)):
        if mark.kind is not Kind.FRAME:
            path = mark.places.reshape(-1, 2)
            pen.line(fitted.mapping.to_px(path), GRID, 0.6, strength=0.6)
    pen.line(outline(fitted.table, fitted.mapping), GRID, 1.0, strength=0.9)
    away = fitted.places_px - fitted.expected_px
    rows = zip(fitted.places_px, away, fitted.rest_mm, fitted.weights, strict=True)
    for at, off, rest, weight in rows:
        _station(pen, at, off, abs(float(rest)), float(weight))
    return _with_words(pen.canvas, done)


def _station(pen: Pen, at: Floats, off: Floats, rest_mm: float, weight: float) -> None:
    r = 2.2 * pen.unit / pen.zoom
    if weight < GIVEN_UP or rest_mm > FAIR_MM:
        for sign in (1, -1):
            arm = np.array([[-r, -sign * r], [r, sign * r]])
            pen.line(at + arm, VERMILION, 1.2)
        return
    tail = np.array([at, at + ENLARGED * off])
    colour = BLUE if rest_mm <= GOOD_MM else ORANGE
    pen.line(tail, colour, 1.0)
    corners = 16 if rest_mm <= GOOD_MM else 4
    angle = 2 * np.pi * (np.arange(corners) + 0.5) / corners
    pen.filled(at + r * np.column_stack([np.cos(angle), np.sin(angle)]), colour)


def _with_words(canvas: Image, done: Calibrated) -> Image:
    width = canvas.shape[1]
    size = max(1.0, width / 900)
    strip = np.full((round(98 * size), width, 3), PANEL, np.uint8)
    trusted = {
        Verdict.PLACEMENT: "Trusted for positions and placement calls",
        Verdict.POSITIONS: "Trusted for positions, not for placement calls",
        Verdict.NOTHING: "Not to be trusted",
    }[done.verdict]
    a = done.accuracy
    expected = (
        f"A piece's place is expected right to {a.mean_mm:.2f} mm (mean), "
        f"{a.p95_mm:.2f} mm in 95 of 100"
    )
    beside = (
        f"By four corners alone it would be {a.four_corners_mean_mm:.1f} mm wrong, "
        f"without the pieces' height {a.no_height_mean_mm:.1f} mm"
    )
    legend = (
        f"Blue dot: within {GOOD_MM} mm   orange square: within {FAIR_MM} mm   "
        f"red cross: not used   tails: residual x {ENLARGED:.0f}"
    )
    lines = ((trusted, 0.62), (expected, 0.42), (beside, 0.42), (legend, 0.42))
    for k, (words, scale) in enumerate(lines):
        place = (round(14 * size), round((22 + 22 * k) * size))
        thick = max(1, round(size * scale * 1.6))
        cv2.putText(strip, words, place, FONT, scale * size, INK, thick, cv2.LINE_AA)
    return np.vstack([canvas, strip])
