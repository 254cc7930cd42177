"""Which view of the ChArUco board is wanted next, and whether one is worth taking.

What a set of views can tell of a lens is known before it is fitted: the distortion
where corners were seen, the focal length as far as the board was tipped. So the
guide counts corners in cells of the picture and views tipped to each of four sides,
and asks for what is missing until all of it is there.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.charuco import CELLS, LensFit, View, coverage_of, fault_of
from calibration.charuco_board import Board
from calibration.plane import PRIOR_FOCAL

Floats = NDArray[np.float64]

WANTED_VIEWS = 12
MOST_VIEWS = 40
"""More tell nothing new and make every fit slower."""
WANTED_IN_CELL = 8
"""Corners of the board seen in each cell of the picture."""
FILLING = 4
"""A view with so many corners in a cell that lacks them is worth taking."""
WANTED_A_SIDE = 2
TIPPED_DEG = 15.0
"""From here on a view counts as tipped to a side."""
APART_SHARE = 0.05
APART_DEG = 10.0
"""Views nearer than both (share of the picture's width; angle) show the same."""
STILL_SHARE = 0.0006
"""Of the picture's width: how far a board held still moves between two looks."""
LEAST_COMMON = 8
LEAST_PAUSE_S = 0.12


class Side(StrEnum):
    """The board's edge, as the picture shows it, that is nearest to the camera."""

    LEFT = "left"
    RIGHT = "right"
    TOP = "top"
    BOTTOM = "bottom"


@dataclass(frozen=True, slots=True, eq=False)
class Posture:
    """How the board was held in a view: its normal in camera axes, towards the lens."""

    normal: Floats

    @property
    def tilt_deg(self) -> float:
        """From lying parallel to the picture."""
        return float(np.degrees(np.arccos(np.clip(-self.normal[2], -1.0, 1.0))))

    @property
    def side(self) -> Side | None:
        """The edge tipped towards the camera; None: held about parallel."""
        if self.tilt_deg < TIPPED_DEG:
            return None
        x, y = self.normal[:2]
        if abs(x) > abs(y):
            return Side.LEFT if x > 0 else Side.RIGHT
        return Side.TOP if y > 0 else Side.BOTTOM


@dataclass(frozen=True, slots=True)
class Wants:
    """What the views taken so far lack. `cells` are rows of corners seen so far."""

    views: int
    cells: tuple[tuple[int, ...], ...]
    sides: dict[Side, int]

    @property
    def lacking_cells(self) -> list[tuple[int, int]]:
        """Column and row of the cells with too few corners, the picture's rim first."""
        lacking = [
            (column, row)
            for row, counts in enumerate(self.cells)
            for column, count in enumerate(counts)
            if count < WANTED_IN_CELL
        ]
        return sorted(lacking, key=_inwards)

    @property
    def lacking_sides(self) -> list[Side]:
        """Sides the board was not tipped to often enough."""
        return [side for side in Side if self.sides[side] < WANTED_A_SIDE]

    @property
    def complete(self) -> bool:
        """Nothing is lacking any more."""
        enough = self.views >= WANTED_VIEWS
        return enough and not self.lacking_cells and not self.lacking_sides

    @property
    def next(self) -> str:
        """What to do next, for the one who holds the board."""
        where = tip = ""
        if cells := self.lacking_cells:
            where = f"in the picture's {_place(cells[0])}"
        if sides := self.lacking_sides:
            tip = f"with its {sides[0]} edge tipped 20 to 40 degrees towards the camera"
        if where or tip:
            return f"Hold the board {' '.join(filter(None, (where, tip)))}."
        if self.views < WANTED_VIEWS:
            return (
                "Hold the board anywhere else, nearer or farther, tipped another way."
            )
        return "Enough: use this lens."


def wants_of(views: Sequence[View], postures: Sequence[Posture]) -> Wants:
    """What these views (all of one size, usable) lack."""
    sides = {side: sum(p.side is side for p in postures) for side in Side}
    if not views:
        return Wants(0, ((0,) * CELLS[0],) * CELLS[1], sides)
    return Wants(len(views), coverage_of(views, views[0].size_px), sides)


def posture_of(view: View, board: Board, lens: LensFit | None) -> Posture | None:
    """How the board is held; None when its corners do not tell.

    Before the lens is known its focal length is guessed: the side is right anyway.
    """
    if fault_of(view, board) is not None:
        return None
    places = np.asarray(board.pattern().getChessboardCorners(), np.float64)
    matrix, bends = _lens(view.size_px, lens)
    found, turn, _ = cv2.solvePnP(places[view.ids], view.corners_px, matrix, bends)
    if not found:
        return None
    normal = np.asarray(cv2.Rodrigues(turn)[0], np.float64)[:, 2]
    return Posture(normal if normal[2] < 0 else -normal)


def is_still(view: View, before: View, pause_s: float) -> bool:
    """Whether the board has not moved from one look to the next."""
    shift = shift_px(view, before)
    within = STILL_SHARE * max(view.size_px)
    return pause_s >= LEAST_PAUSE_S and shift is not None and shift < within


def shift_px(view: View, other: View) -> float | None:
    """How far the corners both views show lie apart; None: too few in common."""
    _, here, there = np.intersect1d(view.ids, other.ids, return_indices=True)
    if len(here) < LEAST_COMMON:
        return None
    away = view.corners_px[here] - other.corners_px[there]
    return float(np.median(np.linalg.norm(away, axis=1)))


def is_new(
    view: View, posture: Posture, views: Sequence[View], postures: Sequence[Posture]
) -> bool:
    """Whether no view taken so far shows the board like this."""
    return not any(
        _alike(view, posture, other, held)
        for other, held in zip(views, postures, strict=True)
    )


def is_worth(view: View, posture: Posture, wants: Wants) -> bool:
    """Whether a view brings something that is lacking, or simply one more."""
    if wants.views < WANTED_VIEWS and not (wants.lacking_cells or wants.lacking_sides):
        return True
    counts = coverage_of([view], view.size_px)
    fills = any(counts[row][column] >= FILLING for column, row in wants.lacking_cells)
    return fills or posture.side in wants.lacking_sides


def _alike(view: View, posture: Posture, other: View, held: Posture) -> bool:
    shift = shift_px(view, other)
    if shift is None or shift > APART_SHARE * max(view.size_px):
        return False
    cosine = float(np.clip(posture.normal @ held.normal, -1.0, 1.0))
    return bool(np.degrees(np.arccos(cosine)) < APART_DEG)


def _lens(size_px: tuple[int, int], lens: LensFit | None) -> tuple[Floats, Floats]:
    """OpenCV's camera matrix and distortion of a lens, or of a guess at one."""
    if lens is None or lens.prior is None:
        f, bends = PRIOR_FOCAL * max(size_px), np.zeros(5)
        x, y = size_px[0] / 2 - 0.5, size_px[1] / 2 - 0.5
    else:
        seen = lens.prior.lens
        f, (x, y) = seen.focal_px, seen.centre_px
        bends = np.array([seen.k1, seen.k2, seen.p1, seen.p2, seen.k3])
    return np.array([[f, 0, x], [0, f, y], [0, 0, 1.0]]), bends


def _inwards(cell: tuple[int, int]) -> tuple[int, int, int]:
    """Order of asking: the picture's corners, then its rim, then its middle."""
    column, row = cell
    at_rim = (column in (0, CELLS[0] - 1)) + (row in (0, CELLS[1] - 1))
    return -at_rim, row, column


def _place(cell: tuple[int, int]) -> str:
    column, row = cell
    down = ("top", "", "bottom")[row]
    across = "left" if column == 0 else "right" if column == CELLS[0] - 1 else ""
    if down and across:
        return f"{down} {across} corner"
    if across:
        return f"{across} edge"
    side = "left" if column < CELLS[0] / 2 else "right"
    return f"{down} edge, {side} of the middle" if down else f"middle, to the {side}"
