"""When the coins' colours are learned, and whether colours learned before still hold.

A coin's name is certain when as many of each kind are seen as must lie there: the
whole stock, or, at the first count of eyes that start in mid-board, what the record
says. Colours outlive the eyes that learned them: they are told, and handed to the eyes
that start next. Those look first whether the coins still show them, for the lamp or the
camera may be another by now.
"""

from collections.abc import Sequence

import numpy as np

from calibration.table import COINS, STOCK, Piece
from vision.colours import ColouredPiece, PieceColours, difference, learn
from vision.detect import Detector
from vision.detect_fit import Floats, places
from vision.frames import Image
from vision.setup import Known
from vision.sightings import Census, ColoursLearned, Sighting, Where

RENEWED = 6.0
"""Grey levels: colours that have drifted by more than this are told again."""
KINDS = (*COINS, Piece.QUEEN)


class Lessons:
    """What one detector is taught, and what it was handed at its start."""

    def __init__(self, detector: Detector, known: Known) -> None:
        """Hand the detector the colours that are known."""
        self._detector = detector
        self._lying = known.lying
        self._handed = known.colours is not None
        self._told: PieceColours | None = None
        if known.colours is not None:
            self._told = detector.colours = _from(known.colours)

    def disproved(self, image: Image, census: Census) -> bool:
        """Whether the coins do not show the colours handed over, which are dropped.

        Asked once, of the first count with a coin in it.
        """
        handed = self._detector.colours
        coins = _coins(census)
        if not self._handed or handed is None or not coins:
            return False
        self._handed = False
        own = np.array(handed.coins)
        gaps = difference(self._colours(image, coins)[:, None], own).min(axis=1)
        apart = min(difference(own[[0, 0, 1]], own[[1, 2, 2]]))
        if float(np.median(gaps)) < apart / 2:
            return False
        self._detector.colours = self._told = None
        return True

    def learn(self, image: Image, census: Census) -> list[ColoursLearned]:
        """Learn from a count in which every name is certain; what is new of it."""
        lying, self._lying = self._lying, None
        seen = tuple(census.count(piece) for piece in KINDS)
        if seen not in (tuple(STOCK[piece] for piece in KINDS), lying):
            return []
        coins = _coins(census)
        examples = [
            ColouredPiece(s.piece, (float(b), float(g), float(r)))
            for s, (b, g, r) in zip(coins, self._colours(image, coins), strict=True)
        ]
        learned = learn(examples)
        if learned is None:
            return []
        self._detector.colours = learned
        if self._told is not None and not _differ(self._told, learned):
            return []
        self._told = learned
        return [ColoursLearned(census.at_s, *learned.coins)]

    def _colours(self, image: Image, coins: Sequence[Sighting]) -> Floats:
        detector, table = self._detector, self._detector.table
        at = np.array([s.at for s in coins], np.float64)
        radii = np.full(len(coins), table.coin_radius_mm)
        heights = np.full(len(coins), table.coin_height_mm)
        return detector.colours_of(image, places(detector.mapping, at, radii, heights))


def _coins(census: Census) -> list[Sighting]:
    return [
        s
        for s in census.pieces
        if s.where is Where.TABLE and s.piece is not Piece.STRIKER
    ]


def _from(told: ColoursLearned) -> PieceColours:
    return PieceColours(told.white, told.black, told.queen)


def _differ(before: PieceColours, now: PieceColours) -> bool:
    gaps = difference(np.array(before.coins), np.array(now.coins))
    return bool(gaps.max() > RENEWED)
