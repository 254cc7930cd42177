"""How far the picture has moved against a remembered one of the same table.

Theory. Sixteen patches of the table that always look the same (`landmarks`) are found
again. Phase correlation round the pockets finds the rough shift, however far up to
half a patch; each patch is then fitted by itself. A camera that moves takes all of
them along by one similarity (shift, turn, scale). A hand, a piece or a shadow spoils
some of them: the others agree, far closer than by chance, and the similarity is fitted
to these alone. Where too few agree, or some stand still that the similarity would
have moved, there is no answer at all.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import PlaneMapping
from calibration.table import Table
from vision.frames import Image
from vision.landmarks import Floats, Grey, find, in_grey, landmarks

Complexes = NDArray[np.complex128]

COARSE_PX = 64
CLEAR_PEAK = 0.1
"""Phase correlation below this has found nothing in common."""
ALIKE_PX = 1.0
"""Pockets of a moved camera agree this well about where it moved, at first."""
POCKETS_AGREEING = 3
AGREE_PX = 0.15
"""Patches that agree on one movement miss it by less than this ..."""
AGREE_SHARE = 0.03
"""... and by this share of a far one: lens and tilt make it no true similarity."""
AGREEING = 7
"""Of sixteen, on a worn table twelve; five agreed once by chance, beside a hand."""
STANDING = 3
"""So many patches that stand where they stood refute any movement that took them along."""
LEVER = 0.3
"""Two patches tell of turn and scale when this far apart, of the farthest two."""


@dataclass(frozen=True, slots=True)
class Drift:
    """The similarity from the remembered picture's pixels to this one's.

    `matrix` is its 2 x 3 rows, `agreeing` how many patches say so, `spread_px` how
    far they miss it (root mean square).
    """

    matrix: tuple[tuple[float, float, float], tuple[float, float, float]]
    agreeing: int
    spread_px: float

    def forward(self, points_px: Floats) -> Floats:
        """Where points (N x 2) of the remembered picture are now."""
        rows = np.array(self.matrix)
        return np.asarray(points_px @ rows[:, :2].T + rows[:, 2])

    def since(self, earlier: "Drift") -> "Drift":
        """From where the picture was at an earlier drift to where it is at this one."""
        now, then = (np.vstack([d.matrix, (0.0, 0.0, 1.0)]) for d in (self, earlier))
        (a, b, c), (d, e, f), _ = (now @ np.linalg.inv(then)).tolist()
        return Drift(((a, b, c), (d, e, f)), self.agreeing, self.spread_px)

    def back(self, image: Image) -> Image:
        """The picture as it would have been taken from the old place."""
        size = (image.shape[1], image.shape[0])
        rows = np.array(self.matrix)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        moved = cv2.warpAffine(
            image, rows, size, flags=flags, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(moved, np.uint8)

    def ahead(self, image: Image) -> Image:
        """The remembered picture (or another of its place) as it would look now."""
        size = (image.shape[1], image.shape[0])
        moved = cv2.warpAffine(
            image, np.array(self.matrix), size, borderMode=cv2.BORDER_REPLICATE
        )
        return np.asarray(moved, np.uint8)


NO_DRIFT = Drift(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)), 0, 0.0)


class Registration:
    """Remembers one picture of a table and measures later ones against it."""

    def __init__(self, table: Table, mapping: PlaneMapping, picture: Image) -> None:
        """`picture`: the empty table, or the table at rest where it is not empty."""
        grey = in_grey(picture)
        pockets = [mapping.point_to_px(at) for at in table.pocket_centres.values()]
        self._window = cv2.createHanningWindow((COARSE_PX, COARSE_PX), cv2.CV_32F)
        self._corners = [_corner(at, grey.shape) for at in pockets]
        self._coarse = self._coarse_patches(picture)
        self._landmarks = landmarks(table, mapping, grey)

    def measure(self, image: Image, before: Drift = NO_DRIFT) -> Drift | None:
        """How this picture has moved; None when too little of the table agrees.

        `before` is where it was: patches that still are there speak against others.
        """
        rough = self._rough_shift(image)
        if rough is None:
            return None
        pairs = [
            (patch.centre, found)
            for patch in self._landmarks
            if (found := find(image, patch, rough)) is not None
        ]
        if len(pairs) < AGREEING:
            return None
        tolerance_px = AGREE_PX + AGREE_SHARE * float(np.hypot(*rough))
        then, now = (np.array(places) for places in zip(*pairs, strict=True))
        return _agreed(then, now, before, tolerance_px)

    def _rough_shift(self, image: Image) -> tuple[float, float] | None:
        moves = []
        for then, now in zip(self._coarse, self._coarse_patches(image), strict=True):
            # phaseCorrelate multiplies its inputs by the window: never the template.
            (x, y), peak = cv2.phaseCorrelate(then.copy(), now, self._window)
            if peak > CLEAR_PEAK:
                moves.append((x, y))
        if len(moves) < POCKETS_AGREEING:
            return None
        middle = np.median(np.array(moves), axis=0)
        off = np.hypot(*(np.array(moves) - middle).T)
        if int((off < ALIKE_PX).sum()) < POCKETS_AGREEING:
            return None
        return float(middle[0]), float(middle[1])

    def _coarse_patches(self, image: Image) -> list[Grey]:
        size = COARSE_PX
        return [in_grey(image[y : y + size, x : x + size]) for x, y in self._corners]


def _corner(centre: tuple[float, float], shape: tuple[int, ...]) -> tuple[int, int]:
    x, y = (round(c - COARSE_PX / 2) for c in centre)
    height, width = shape[:2]
    return (
        min(max(x, 0), max(width - COARSE_PX, 0)),
        min(max(y, 0), max(height - COARSE_PX, 0)),
    )


def _agreed(
    then: Floats, now: Floats, before: Drift, tolerance_px: float
) -> Drift | None:
    """The similarity most patches agree on, fitted to those that do."""
    z, w = _complex(then), _complex(now)
    turn, shift = _closest(z, w, tolerance_px)
    agree = np.abs(turn * z + shift - w) < tolerance_px
    if agree.sum() < AGREEING:
        return None
    turn, shift = _fitted(z[agree], w[agree])
    miss = np.abs(turn * z + shift - w)
    stand = np.hypot(*(before.forward(then) - now).T) < tolerance_px
    if (stand & (miss > 2.0 * tolerance_px)).sum() >= STANDING:
        return None
    spread = float(np.sqrt((miss[agree] ** 2).mean()))
    a, b = float(turn.real), float(turn.imag)
    rows = (a, -b, float(shift.real)), (b, a, float(shift.imag))
    return Drift(rows, int(agree.sum()), spread)


def _closest(
    z: Complexes, w: Complexes, tolerance_px: float
) -> tuple[complex, complex]:
    """Of the similarities through two patches each, the one that most others are near.

    Near counts by how near: many that agree loosely are less than some that agree well.
    """
    one, two = np.triu_indices(len(z), 1)
    apart = np.abs(z[one] - z[two])
    wide = apart > LEVER * apart.max()
    one, two = one[wide], two[wide]
    turns = (w[two] - w[one]) / (z[two] - z[one])
    shifts = w[one] - turns * z[one]
    miss = np.abs(turns[:, None] * z + shifts[:, None] - w)
    best = np.minimum(miss / tolerance_px, 1.0).sum(axis=1).argmin()
    return complex(turns[best]), complex(shifts[best])


def _fitted(z: Complexes, w: Complexes) -> tuple[complex, complex]:
    """The similarity that misses these patches least, by squares."""
    about, to = z.mean(), w.mean()
    turn = np.vdot(z - about, w - to) / np.vdot(z - about, z - about)
    return complex(turn), complex(to - turn * about)


def _complex(points_px: Floats) -> Complexes:
    return np.asarray(points_px[:, 0] + 1.0j * points_px[:, 1], np.complex128)
