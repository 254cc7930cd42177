"""What the pieces are made of: paint and tilt from centre to rim, and grain.

Numbers are chosen by eye after club sets: turned sycamore and ebony-stained coins
with two grooves and a rounded rim, a red queen, an ivory striker with a blue band.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Piece
from vision.sources.rendering_kernels import RINGS
from vision.sources.rendering_scene import Colour

Plane = NDArray[np.float32]

GLOSS = {
    Piece.WHITE: 0.06,
    Piece.BLACK: 0.07,
    Piece.QUEEN: 0.06,
    Piece.STRIKER: 0.10,
}
"""How much of the lamps' mirror image each piece's top gives back."""

_BODY = {
    Piece.WHITE: (0.47, 0.66, 0.76),
    Piece.BLACK: (0.016, 0.019, 0.026),
    Piece.QUEEN: (0.045, 0.035, 0.43),
    Piece.STRIKER: (0.66, 0.75, 0.79),
}
_BAND = (0.42, 0.13, 0.06)
_COIN_GROOVES = (0.30, 0.62)
_STRIKER_GROOVES = (0.42, 0.80)


def paints(white: Colour | None = None) -> dict[Piece, Plane]:
    """Reflectance from centre to rim, RINGS x 3, BGR linear; white's may be another."""
    bodies = _BODY if white is None else _BODY | {Piece.WHITE: white}
    return {piece: _paint(piece, bodies[piece]) for piece in Piece}


def slopes() -> dict[Piece, Plane]:
    """Tilt of the top from centre to rim (RINGS): positive leans outwards."""
    return {piece: _slope(piece) for piece in Piece}


def grain(seed: int) -> Plane:
    """A square texture around 1.0: fine stripes of turned wood."""
    random = np.random.default_rng(seed + 2)
    noise = random.standard_normal((128, 128), np.float32)
    stripes = cv2.GaussianBlur(noise, (0, 0), 9.0, sigmaY=1.1)
    fine = 0.045 * stripes / float(stripes.std())
    return np.asarray(np.clip(1.0 + fine, 0.8, 1.2), np.float32)


def _paint(piece: Piece, body: Colour) -> Plane:
    r = _ring_places()
    paint = np.tile(np.array(body, np.float32), (RINGS, 1))
    if piece is Piece.STRIKER:
        band = _bump(r, 0.61, 0.10)[:, None] + _bump(r, 0.0, 0.13)[:, None]
        paint += np.clip(band, 0, 1) * (np.array(_BAND, np.float32) - paint)
    for groove in _grooves(piece):
        paint *= 1.0 - 0.35 * _bump(r, groove, 0.035)[:, None]
    return np.ascontiguousarray(paint, np.float32)


def _slope(piece: Piece) -> Plane:
    r = _ring_places()
    slope = 0.75 * np.clip((r - 0.87) / 0.13, 0.0, 1.0)
    for groove in _grooves(piece):
        slope += 0.5 * (_bump(r, groove - 0.03, 0.03) - _bump(r, groove + 0.03, 0.03))
    return np.asarray(slope, np.float32)


def _grooves(piece: Piece) -> tuple[float, ...]:
    return _STRIKER_GROOVES if piece is Piece.STRIKER else _COIN_GROOVES


def _ring_places() -> Plane:
    return ((np.arange(RINGS) + 0.5) / RINGS).astype(np.float32)


def _bump(r: Plane, at: float, width: float) -> Plane:
    return np.asarray(np.exp(-(((r - at) / width) ** 2)), np.float32)
