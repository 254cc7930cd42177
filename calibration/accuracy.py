"""How far a piece may really lie from where a fitted camera puts it.

From the fit's own covariance, not from its residuals: residuals are small wherever
the model can follow the print, also where it follows it the wrong way. Beside it
stands what simpler ways of mapping would have cost on this very table and camera.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from calibration.camera import (
    Floats,
    derivative,
    project,
)
from calibration.fit import Fitted, MarkFit
from calibration.plane import PlaneMapping
from calibration.table import Table

DRAWS = 200
GRID = 15
PLACEMENT_MM = 1.0
"""Placement calls are worth making while 95 of 100 places are this right."""
POSITIONS_MM = 3.0
"""Beyond this two touching pieces are no longer told apart in place."""
SEEN_SHARE = 0.5
"""Of all stations, that must have been seen where the fit has them."""
LOST_SHARE = 0.25


class Verdict(StrEnum):
    """What a calibration may be trusted with."""

    PLACEMENT = "placement calls"
    POSITIONS = "positions"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True, kw_only=True)
class Accuracy:
    """Errors of a piece's place over the whole table, in mm.

    `mean_mm` and `p95_mm` are expected of this calibration, `lines_p95_mm` along the
    base lines. `four_corners_*` and `no_height_*` are what mapping by the four
    corners alone, and with this camera but without a piece's height, would differ.
    """

    mean_mm: float
    p95_mm: float
    lines_p95_mm: float
    four_corners_mean_mm: float
    four_corners_p95_mm: float
    no_height_mean_mm: float
    no_height_p95_mm: float


def accuracy_of(fitted: Fitted) -> Accuracy:
    """What to expect of a fit; the same fit always gives the same figures."""
    table, height = fitted.table, fitted.table.coin_height_mm
    places = grid(table)
    errors = _expected(fitted, places, height)
    lines = _expected(fitted, _along_lines(table), table.striker_height_mm)
    seen = fitted.mapping.to_px(places, height)
    corners = fitted.mapping.to_px(np.array(table.corners, np.float64))
    flat = PlaneMapping.from_corners(
        [(float(x), float(y)) for x, y in corners], fitted.mapping.size_px, table
    )
    naive = np.linalg.norm(flat.to_mm(seen) - places, axis=1)
    low = np.linalg.norm(fitted.mapping.to_mm(seen) - places, axis=1)
    return Accuracy(
        mean_mm=float(errors.mean()),
        p95_mm=float(np.quantile(errors, 0.95)),
        lines_p95_mm=float(np.quantile(lines, 0.95)),
        four_corners_mean_mm=float(naive.mean()),
        four_corners_p95_mm=float(np.quantile(naive, 0.95)),
        no_height_mean_mm=float(low.mean()),
        no_height_p95_mm=float(np.quantile(low, 0.95)),
    )


def verdict_of(fitted: Fitted, accuracy: Accuracy) -> tuple[Verdict, str]:
    """What the fit may be trusted with, and the reason in one sentence."""
    share = float((fitted.weights > 0.1).sum()) / sum(m.stations for m in fitted.marks)
    if share < SEEN_SHARE:
        return Verdict.NOTHING, (
            f"only {share:.0%} of the table's marks are where the fit puts them: "
            "this may not be the table; correct the corners or its sizes"
        )
    if accuracy.p95_mm > POSITIONS_MM:
        return Verdict.NOTHING, (
            f"places may be {accuracy.p95_mm:.1f} mm wrong: measure the lens with the "
            "ChArUco board or give the camera's height"
        )
    if accuracy.lines_p95_mm > PLACEMENT_MM or share < 1 - LOST_SHARE:
        return Verdict.POSITIONS, (
            f"places are right to {accuracy.p95_mm:.1f} mm (95 of 100), too coarse for "
            "placement calls: give the camera's height, or the lens by ChArUco board, "
            "and clear the table"
        )
    return Verdict.PLACEMENT, (
        f"places are right to {accuracy.mean_mm:.2f} mm on average and "
        f"{accuracy.p95_mm:.2f} mm in 95 of 100"
    )


def print_off_mm(marks: Sequence[MarkFit]) -> float:
    """How far base lines and circles are printed beside where the sizes put them.

    The law is about the print; places are told on the even table, so this much is
    open between the two: nine in ten marks are within it.
    """
    off = [mark.off_mm for mark in marks if "line" in mark.name or "base" in mark.name]
    return float(np.quantile(off, 0.9)) if off else 0.0


def grid(table: Table) -> Floats:
    """Places all over the table where a coin can lie (N x 2, mm)."""
    reach = table.half_mm - table.coin_radius_mm
    ticks = np.linspace(-reach, reach, GRID)
    x, y = np.meshgrid(ticks, ticks)
    return np.column_stack([x.ravel(), y.ravel()])


def _along_lines(table: Table) -> Floats:
    y = (table.lower_line_y_mm + table.upper_line_y_mm) / 2
    reach = table.base_circles_reach_mm
    ticks = np.linspace(-reach, reach, 9)
    south = np.column_stack([ticks, np.full_like(ticks, y)])
    turned = [south @ np.array([[c, s], [-s, c]]) for c, s in QUARTERS]
    return np.concatenate(turned)


QUARTERS = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))


def _expected(fitted: Fitted, places: Floats, height_mm: float) -> Floats:
    """Distances (draws x places, mm) between places and where they would be put."""
    numbers = fitted.numbers
    points = np.column_stack([places, np.full(len(places), height_mm)])
    by_numbers = derivative(numbers, points)
    sideways = []
    for axis in range(2):
        step = np.zeros(3)
        step[axis] = 0.01
        moved = project(numbers, points + step) - project(numbers, points - step)
        sideways.append(moved / 0.02)
    by_place = np.stack(sideways, axis=-1)
    back = -np.linalg.solve(by_place, by_numbers)
    draws = _draws(fitted.spread)
    off = np.einsum("nij,dj->dni", back, draws)
    return np.asarray(np.linalg.norm(off, axis=-1))


def _draws(spread: Floats) -> Floats:
    """Camera numbers' errors as likely as the covariance says (draws x 14)."""
    values, axes = np.linalg.eigh(spread)
    random = np.random.default_rng(0)
    normal = random.standard_normal((DRAWS, len(values)))
    return np.asarray(normal * np.sqrt(np.clip(values, 0, None)) @ axes.T)
