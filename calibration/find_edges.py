"""Edges and long straight lines of a picture, whatever its contrast.

Theory. Worn print is a few grey levels, a frame is a hundred, a patterned cloth is
full of steps. So a step counts in units of what is usual around it: faint lines on
smooth wood weigh as much as the frame. Straight lines come from a Hough transform
that lets each edge vote only for the directions its own gradient allows.
"""

from typing import NamedTuple, Self

import cv2
import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float64]
Singles = NDArray[np.float32]

AROUND_PX = 41
"""What is usual is taken over a square this wide."""
USUAL_TIMES = 1.6
"""A step this many times the usual one counts in full."""
NOISE = 2.0
"""Grey levels per pixel that any picture may have without meaning."""
STRONG = 0.6
"""An edge that votes for lines."""
BINS = 180
BAND_PX = 1.5
"""Width of a line's bin, and how far an edge may lie from its line."""
LINES = 64
APART = (3, 4)
"""Two lines differ by this many direction bins or offset bins."""
SHORTEST = 0.12
"""A line's edges, in shares of the picture's shorter side."""


class Edges(NamedTuple):
    """The picture's steps: their direction, and 0 to 1 how much they stand out."""

    across: Singles
    down: Singles

    @classmethod
    def of(cls, image: Bytes) -> Self:
        """Edges of a picture (BGR), the strongest channel of each pixel."""
        soft = cv2.GaussianBlur(image, (0, 0), 0.8)
        across = cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=1 / 8)
        down = cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=1 / 8)
        size = across * across + down * down
        best = size.argmax(axis=2)[..., None]
        across = np.take_along_axis(across, best, 2)[..., 0]
        down = np.take_along_axis(down, best, 2)[..., 0]
        size = np.sqrt(np.take_along_axis(size, best, 2)[..., 0])
        usual = cv2.blur(size, (AROUND_PX, AROUND_PX))
        full = USUAL_TIMES * usual + NOISE
        gain = np.minimum(1.0, size / full) / np.maximum(size, 1e-6)
        return cls(
            np.asarray(across * gain, np.float32), np.asarray(down * gain, np.float32)
        )

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height."""
        rows, columns = self.across.shape
        return columns, rows


def straight_lines(edges: Edges) -> Floats:
    """The picture's long lines as rows (nx, ny, offset, edges): nx x + ny y = offset.

    At most LINES, the longest first; normals point to the right half plane.
    """
    strength = np.hypot(edges.across, edges.down)
    rows, columns = np.nonzero(strength > STRONG)
    if not len(rows):
        return np.zeros((0, 4))
    x, y = columns.astype(np.float64), rows.astype(np.float64)
    angle = np.arctan2(edges.down[rows, columns], edges.across[rows, columns]) % np.pi
    votes, least = _votes(x, y, angle, edges.size_px)
    found = []
    shortest = SHORTEST * min(edges.size_px)
    for theta, rho in _peaks(votes, shortest):
        line = _fitted(x, y, angle, theta, (rho + least) * BAND_PX)
        if line is not None and line[3] >= shortest:
            found.append(line)
    return _distinct(np.array(found).reshape(-1, 4))


def _votes(
    x: Floats, y: Floats, angle: Floats, size: tuple[int, int]
) -> tuple[Floats, int]:
    """Votes (directions x offsets) and the least offset's number."""
    reach = int(np.hypot(*size) / BAND_PX) + 2
    votes = np.zeros((BINS, 2 * reach + 1))
    nearest = np.round(angle * BINS / np.pi).astype(int)
    for turn in (-2, -1, 0, 1, 2):
        bins = (nearest + turn) % BINS
        theta = bins * np.pi / BINS
        offset = np.round((x * np.cos(theta) + y * np.sin(theta)) / BAND_PX).astype(int)
        flat = bins * votes.shape[1] + offset + reach
        votes += np.bincount(flat, minlength=votes.size).reshape(votes.shape)
    return votes, -reach


def _peaks(votes: Floats, shortest: float) -> list[tuple[int, int]]:
    smooth: Singles = votes.astype(np.float32)
    # Directions wrap round to the mirrored offset.
    around = np.vstack([smooth[-3:, ::-1], smooth, smooth[:3, ::-1]])
    around = np.asarray(cv2.dilate(around, np.ones((5, 5), np.uint8)))[3:-3]
    theta, rho = np.nonzero((smooth >= around) & (smooth >= shortest))
    best = np.argsort(-smooth[theta, rho])[: 3 * LINES]
    return list(zip(theta[best].tolist(), rho[best].tolist(), strict=True))


def _fitted(
    x: Floats, y: Floats, angle: Floats, theta: int, offset: float
) -> tuple[float, float, float, float] | None:
    """A line drawn through the edges that agree with it, by total least squares."""
    direction = theta * np.pi / BINS
    for band in (2.0 * BAND_PX, 1.2 * BAND_PX):
        nx, ny = np.cos(direction), np.sin(direction)
        turned = np.abs((angle - direction + np.pi / 2) % np.pi - np.pi / 2)
        near = (np.abs(nx * x + ny * y - offset) < band) & (turned < np.radians(8))
        if near.sum() < 8:
            return None
        px, py = x[near], y[near]
        mx, my = px.mean(), py.mean()
        (sxx, sxy), (_, syy) = np.cov(px, py)
        direction = 0.5 * np.arctan2(2 * sxy, sxx - syy) + np.pi / 2
        offset = np.cos(direction) * mx + np.sin(direction) * my
    nx, ny = float(np.cos(direction)), float(np.sin(direction))
    sign = 1.0 if (nx, ny) > (0.0, 0.0) else -1.0
    along = np.unique(np.round(px * -ny + py * nx).astype(int))
    return sign * nx, sign * ny, sign * float(offset), float(len(along))


def _distinct(lines: Floats) -> Floats:
    """The longest line of those that nearly coincide."""
    kept: list[Floats] = []
    for line in lines[np.argsort(-lines[:, 3], kind="stable")]:
        turns = [abs(line[0] * k[1] - line[1] * k[0]) for k in kept]
        gaps = [abs(line[2] - np.sign(line[:2] @ k[:2]) * k[2]) for k in kept]
        same = (
            t < np.radians(1.5) and g < 3.0 for t, g in zip(turns, gaps, strict=True)
        )
        if not any(same):
            kept.append(line)
        if len(kept) == LINES:
            break
    return np.array(kept).reshape(-1, 4)
