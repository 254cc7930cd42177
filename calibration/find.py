"""Where the table is in a picture nobody said anything about.

Theory. Guess and verify. Long lines make squares (`find_squares`), so do four like
circles (`find_circles`); each square may be the frame, a base line or the pockets
of a table (`find_lines`). What a table must show there is then looked for
(`find_evidence`), and the best guesses are drawn tight over everything seen (`find_fit`). The marks of
one kind may all be missing: no red, no circles, a worn line, a net as light as
wood. What is left must still add up to more than any picture without a table does
(`bench/find_table.py`), or nothing is claimed.
"""

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.find_circles import circle_squares, circles
from calibration.find_edges import Edges, straight_lines
from calibration.find_evidence import Evidence, evidence, plainness
from calibration.find_fit import Fit, Square, fit
from calibration.find_lines import FRAMES_OF_LINES, FRAMES_OF_POCKETS, find_lines
from calibration.find_squares import first_of_like, squares
from calibration.lens import Lens
from calibration.plane import PlaneMapping
from calibration.refusal import Refusal
from calibration.table import Table

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float64]

WORKING_PX = 640
"""The longer side of the picture in which the table is searched."""
FINE_PX = 1600
"""The longer side of the picture in which the found table is drawn tight."""
GUESSES = 24
"""How many of each kind of square are looked at closely."""
FITTED = 10
COARSE_PX = (5.0, 4.0, 3.0, 2.5, 2.0)
"""How far from a guess edges are looked for, step by step, in the working picture."""
FINE_STEPS = (4.0, 3.0, 2.5, 2.0, 1.5, 1.2, 1.0, 1.0)
LEAST_TOTAL = 3.0
"""Evidence of a table; pictures without one reach it only with `special` small."""
LEAST_SPECIAL = 1.5
"""Of it, from marks that only carrom tables have."""
LEAST_PLAIN = 0.6
"""Share of the surface that is one material; a chessboard is none."""
HALF_SURE = 0.6
"""So much above a limit (relative to it) is fairly sure."""
STRAIGHT = 0.02
"""A bend (k1) less than this is not told from none: 0.2 % of the side."""

HAND_OVER = "hand over --corners X,Y X,Y X,Y X,Y (top left, right, bottom right, left)"


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundTable:
    """A table found in a picture.

    `table` has the sizes measured in the picture, in millimetres of the side that
    was given; `measured` names the fields that were. `corners_px` are the playing
    surface's: TL TR BR BL as seen. `sure` is 0 to 1; `residual_mm` how far the
    marks' edges lie from where they should be (root mean square).
    """

    table: Table
    mapping: PlaneMapping
    corners_px: tuple[tuple[float, float], ...]
    sure: float
    residual_mm: float
    measured: frozenset[str]


def find_table(image: Bytes, table: Table | None = None) -> FoundTable:
    """The carrom table in a picture (BGR) and its sizes, given its side.

    `table` gives the side and what the picture does not show; None: ICF equipment.
    Raises Refusal when the picture shows no carrom table, or not enough of one.
    """
    usual = table or Table()
    small = _scaled(image, WORKING_PX)
    found, seen = _best(small)
    sure = sureness(seen, plainness(found.square.homography, small))
    if sure < 0:
        raise Refusal(f"no carrom table found in the picture; {HAND_OVER}")
    fine = _scaled(image, FINE_PX)
    edges = Edges.of(fine)
    unit = max(1.0, max(edges.size_px) / WORKING_PX)
    steps = tuple(unit * step for step in FINE_STEPS)
    tight = fit(found.square.scaled(edges.size_px), edges, steps)
    height, width = image.shape[:2]
    whole = replace(tight, square=tight.square.scaled((width, height)))
    return _found(whole, seen, sure, usual)


def guesses(small: Bytes) -> list[tuple[Fit, Evidence]]:
    """The best guesses in a small picture, the one with most evidence first."""
    edges = Edges.of(small)
    lines = squares(straight_lines(edges), edges)
    rounds = circle_squares(circles(edges), edges.size_px)
    raw = [
        *_guessed(lines, edges, FRAMES_OF_LINES),
        *_guessed(rounds, edges, FRAMES_OF_POCKETS),
    ]
    raw.sort(key=lambda guess: -guess[1].total)
    fitted = []
    for square, _ in raw[:FITTED]:
        tight = fit(square, edges, COARSE_PX)
        found = tight.square
        fitted.append(
            (
                tight,
                evidence(found.homography, found.lower, found.upper, edges, found.bend),
            )
        )
    return sorted(fitted, key=lambda guess: -guess[1].total)


def sureness(seen: Evidence, plain: float) -> float:
    """How sure a guess is a table: 0 to 1, or less than 0 when it is not.

    The weakest of three tests decides: all evidence, special evidence, and one
    material.
    """
    spare = min(
        seen.total / LEAST_TOTAL - 1,
        seen.special / LEAST_SPECIAL - 1,
        (plain - LEAST_PLAIN) / (1 - LEAST_PLAIN),
    )
    return spare if spare < 0 else float(1 - np.exp(-2 * spare / HALF_SURE) / 2)


def _best(small: Bytes) -> tuple[Fit, Evidence]:
    found = guesses(small)
    if not found:
        raise Refusal(f"no carrom table found in the picture; {HAND_OVER}")
    return found[0]


def _guessed(
    homographies: Floats, edges: Edges, frames: tuple[float, ...]
) -> list[tuple[Square, Evidence]]:
    """The squares that show most of a table, each as a whole table."""
    if not len(homographies):
        return []
    lines = find_lines(homographies, edges, frames)
    found = []
    order = np.argsort(-lines.score, kind="stable")
    unit = np.stack([np.diag([frame, frame, 1.0]) for frame in lines.frame])
    whole = homographies @ unit
    for n in order[first_of_like(whole[order], GUESSES)].tolist():
        frame = float(lines.frame[n])
        lower, upper = float(lines.lower[n]) / frame, float(lines.upper[n]) / frame
        homography = whole[n]
        seen = evidence(homography, lower, upper, edges)
        square = Square(
            homography,
            edges.size_px,
            lower=lower,
            upper=upper,
            pocket_radius=seen.pocket_radius,
            pocket_out=seen.pocket_out,
            base_out=seen.base_out,
            base_radius=seen.base_radius,
            centre_radius=seen.centre_radius,
            pocket_arc=seen.pocket_arc,
        )
        found.append((square, seen))
    return found


def _scaled(image: Bytes, longest_px: int) -> Bytes:
    """The picture no larger than that, averaged rather than picked."""
    scale = longest_px / max(image.shape[:2])
    if scale >= 1.0:
        return image
    smaller = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(smaller, np.uint8)


def _found(fitted: Fit, seen: Evidence, sure: float, usual: Table) -> FoundTable:
    square = fitted.square
    half = usual.half_mm
    sizes = _sizes(square, seen, usual)
    table = replace(usual, **sizes)
    corners = np.array(table.corners, np.float64)
    seen_px = square.to_px(corners / half)
    corners_px = tuple((float(x), float(y)) for x, y in seen_px)
    return FoundTable(
        table=table,
        mapping=_mapping(square, table),
        corners_px=corners_px,
        sure=round(sure, 3),
        residual_mm=fitted.residual * half,
        measured=frozenset(sizes),
    )


def _sizes(square: Square, seen: Evidence, usual: Table) -> dict[str, float]:
    """The table's sizes that the picture shows clearly, by field name, in mm."""
    half = usual.half_mm
    sizes: dict[str, float] = {}
    if seen.pockets > CLEAR and square.pocket_radius * half > usual.striker_radius_mm:
        sizes["pocket_radius_mm"] = square.pocket_radius * half
        sizes["pocket_inset_mm"] = (1 - square.pocket_out) * half
    if min(seen.lower, seen.upper) > CLEAR:
        sizes["base_line_inset_mm"] = (1 - square.lower) * half
        sizes["base_line_gap_mm"] = (square.lower - square.upper) * half
    if seen.base_circles > CLEAR:
        gap = (square.lower - square.upper) * half
        sizes["base_line_length_mm"] = 2 * square.base_out * half + gap
    return {name: round(max(0.0, size), 2) for name, size in sizes.items()}


CLEAR = 0.6
"""Evidence from which a mark's size is taken from the picture."""


def _mapping(square: Square, table: Table) -> PlaneMapping:
    """The pose, through the bend of the lens when there is one to speak of."""
    places = np.array(table.corners, np.float64)
    straight = PlaneMapping.from_corners(
        [(float(x), float(y)) for x, y in square.to_px(places / table.half_mm)],
        square.size_px,
        table,
    )
    if abs(square.bend) < STRAIGHT:
        return straight
    centre, unit = square.lens
    focal = straight.lens.focal_px
    lens = Lens(
        focal,
        (float(centre[0]), float(centre[1])),
        k1=square.bend * (focal / unit) ** 2,
    )
    return PlaneMapping.from_corners(
        [(float(x), float(y)) for x, y in square.to_px(places / table.half_mm)],
        square.size_px,
        table,
        lens,
    )
