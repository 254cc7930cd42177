"""Circles of a picture that may be pockets, and the squares that four of them make."""

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.find_edges import STRONG, Edges, Floats
from calibration.find_squares import distinct, oddness, unit_homographies

RADII_SHARE = (0.011, 0.055)
"""Pocket radius in shares of the picture's longer side: a table that fills a
quarter of it to one that is as long."""
RADIUS_STEP = 1.14
MARGIN_PX = 24
"""Pockets whose centre lies this far outside the picture are still found."""
CIRCLES = 72
LEAST_RIM = 0.3
"""Share of a rim that votes."""
ALIKE = 1.45
"""Radii of one table's pockets as the picture shows them: greatest over least."""
ODD = 0.15
"""How unlike a square four circles may lie: they are found to a few pixels."""
SHORTEST = 0.4
"""Least diagonal, in shares of the picture's shorter side."""
OFF = 0.14
"""How far from a square's place a circle may be, in diagonals."""
SQUARES = 300


def circles(edges: Edges) -> Floats:
    """Round outlines as rows (x, y, radius, share of the rim), the clearest first."""
    strength = np.hypot(edges.across, edges.down)
    rows, columns = np.nonzero(strength > STRONG)
    ux = edges.across[rows, columns] / strength[rows, columns]
    uy = edges.down[rows, columns] / strength[rows, columns]
    width, height = edges.size_px
    shape = (height + 2 * MARGIN_PX, width + 2 * MARGIN_PX)
    least, most = (share * max(edges.size_px) for share in RADII_SHARE)
    count = int(np.log(most / least) / np.log(RADIUS_STEP)) + 1
    found = []
    for radius in least * RADIUS_STEP ** np.arange(count):
        votes = np.zeros(shape[0] * shape[1], np.float32)
        for reach in (-radius, radius):
            x = np.round(columns + reach * ux).astype(int) + MARGIN_PX
            y = np.round(rows + reach * uy).astype(int) + MARGIN_PX
            good = (x >= 0) & (x < shape[1]) & (y >= 0) & (y < shape[0])
            votes += np.bincount(y[good] * shape[1] + x[good], minlength=votes.size)
        spread = max(1.0, 0.09 * float(radius))
        soft = cv2.GaussianBlur(votes.reshape(shape), (0, 0), spread)
        soft = np.asarray(soft * (spread**2 / radius), np.float32)
        peak = soft >= cv2.dilate(soft, np.ones((5, 5), np.uint8))
        y, x = np.nonzero(peak & (soft > LEAST_RIM))
        rim = soft[y, x]
        found.append(
            np.column_stack(
                [x - MARGIN_PX, y - MARGIN_PX, np.full(len(x), radius), rim]
            )
        )
    ranked = np.concatenate(found)
    return _distinct(ranked[np.argsort(-ranked[:, 3], kind="stable")])


def circle_squares(found: Floats, size_px: tuple[int, int]) -> Floats:
    """Homographies (N x 3 x 3) of squares with like circles at their corners.

    Three circles will do: the fourth pocket may be hidden. Whole squares first.
    """
    if len(found) < 3:
        return np.zeros((0, 3, 3))
    i, j = np.triu_indices(len(found), 1)
    across = found[j, :2] - found[i, :2]
    alike = np.abs(np.log(found[i, 2] / found[j, 2])) < np.log(ALIKE)
    good = alike & (np.hypot(*across.T) > SHORTEST * min(size_px))
    i, j, across = i[good], j[good], across[good]
    middle = (found[i, :2] + found[j, :2]) / 2
    aside = np.column_stack([-across[:, 1], across[:, 0]]) / 2
    k, has_k = _nearest(found, middle + aside, i, across)
    m, has_m = _nearest(found, middle - aside, i, across)
    third = np.where(has_k[:, None], found[k, :2], 2 * middle - found[m, :2])
    fourth = np.where(has_m[:, None], found[m, :2], 2 * middle - found[k, :2])
    corners = np.stack([found[i, :2], third, found[j, :2], fourth], axis=1)
    clear = found[i, 3] + found[j, 3] + has_k * found[k, 3] + has_m * found[m, 3]
    some = has_k | has_m
    corners, clear = _clockwise(corners[some]), clear[some]
    homographies = unit_homographies(corners)
    order = np.argsort(-clear, kind="stable")
    good = order[oddness(homographies[order], size_px) < ODD]
    return distinct(homographies[good], SQUARES)


def _nearest(
    found: Floats, wanted: Floats, like: NDArray[np.int64], across: Floats
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """For each wanted place the nearest like circle, and whether it is near."""
    away = np.linalg.norm(wanted[:, None] - found[:, :2], axis=2)
    ratio = np.abs(np.log(found[like, 2][:, None] / found[:, 2]))
    away = np.where(ratio < np.log(ALIKE), away, np.inf)
    nearest = np.argmin(away, axis=1)
    limit = OFF * np.hypot(*across.T)
    return nearest, away[np.arange(len(wanted)), nearest] < limit


def _clockwise(corners: Floats) -> Floats:
    """Each quadrilateral (N x 4 x 2) clockwise as seen, the top left corner first."""
    away = corners - corners.mean(axis=1, keepdims=True)
    order = np.argsort(np.arctan2(away[..., 1], away[..., 0]), axis=1)
    corners = np.take_along_axis(corners, order[..., None], 1)
    first = np.argmin(corners.sum(axis=2), axis=1)
    index = (first[:, None] + np.arange(4)) % 4
    return np.take_along_axis(corners, index[..., None], 1)


def _distinct(ranked: Floats) -> Floats:
    kept: list[Floats] = []
    for row in ranked:
        if not any(np.hypot(*(row[:2] - k[:2])) < 0.5 * k[2] for k in kept):
            kept.append(row)
        if len(kept) == CIRCLES:
            break
    return np.array(kept).reshape(-1, 4)
