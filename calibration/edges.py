"""Where marks are seen, to a fraction of a pixel, by profiles across them.

A station's profile is the mean of the picture's green along parallel normals: red
and black ink are both dark there, wood is bright. A line's place is the centre of
its darkness, an edge's the centre of its slope; both are what blur leaves alone,
a slope in linear light only: blur mixes light, not grey levels, and in grey levels
the edge between pale wood and a dark frame seems a fifth of a pixel into the frame.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.marks import Floats, Kind, Mark
from calibration.plane import PlaneMapping

Bytes = NDArray[np.uint8]

LEAST_CONTRAST = 8.0
"""Grey levels a mark must differ from its surroundings by."""
STEPS_PER_PX = 4.0


@dataclass(frozen=True, slots=True)
class Seen:
    """Stations of one mark as the picture shows them.

    `off_mm` is how far outside its expected place each station was seen, NaN where
    it was not; `contrast` in grey levels; `width_px` how wide the edge or line is.
    `votes` is the mean contrast of all stations where the mark as a whole is.
    """

    off_mm: Floats
    contrast: Floats
    width_px: Floats
    votes: float


def see(image: Bytes, mapping: PlaneMapping, mark: Mark, reach_mm: float) -> Seen:
    """Measure a mark's stations within `reach_mm` of where the mapping has it.

    The stations vote together on where the mark as a whole is, moved in its own
    ways; each is then measured near there. So a coin or another line beside the
    mark costs a station, not the mark.
    """
    profile, step_mm, px_per_mm = profiles(image, mapping, mark, reach_mm)
    offsets = (np.arange(profile.shape[1]) - profile.shape[1] // 2) * step_mm
    blur_mm = 1.0 / px_per_mm
    if mark.kind is Kind.LINE:
        signal = fine = _darkness(profile, mark.width_mm, step_mm, blur_mm)
        half_mm = mark.width_mm / 2 + 1.6 * blur_mm
    else:
        # Inside dark and outside bright, but for the frame, whose wall is dark.
        sign = -1.0 if mark.kind is Kind.FRAME else 1.0
        reach = max(1, round(blur_mm / step_mm))
        signal = sign * _slope(profile, reach)
        fine = sign * _slope(_linear(profile), reach)
        half_mm = 1.8 * blur_mm
    near_mm = max(1.5 * blur_mm, NEAR_SHARE * reach_mm)
    voted, votes = _vote(signal, mark.ways, step_mm, reach_mm, near_mm)
    close = np.abs(offsets - voted[:, None]) <= near_mm
    best, height = _strongest(signal, close)
    if mark.kind is Kind.FRAME:
        fine = _without_shade(fine, offsets - offsets[best, None], half_mm)
    off, spread = _centres(fine, offsets, best, half_mm)
    off[height < LEAST_CONTRAST] = np.nan
    height = np.where(np.isfinite(height), height, 0.0)
    return Seen(off, height, spread * px_per_mm, votes)


NEAR_SHARE = 0.25
"""Of the reach: how far from the mark's voted place a station may be seen."""
VOTE_STEPS = 12


def _vote(
    signal: Floats, ways: Floats, step_mm: float, reach_mm: float, near_mm: float
) -> tuple[Floats, float]:
    """Where all stations together put the mark (one offset each), and how loudly."""
    clean = np.clip(np.nan_to_num(signal, nan=0.0), 0.0, None)
    # A station may be off the mark's shape, by what the lens still bends it.
    pooled = cv2.GaussianBlur(clean, (0, 0), near_mm / 2 / step_mm, sigmaY=1e-6)
    ticks = np.linspace(-reach_mm, reach_mm, 2 * VOTE_STEPS + 1)
    grid = np.stack(np.meshgrid(*[ticks] * ways.shape[1], indexing="ij"), axis=-1)
    moves = grid.reshape(-1, ways.shape[1])
    moves = moves[np.abs(moves).sum(axis=1) <= 1.5 * reach_mm]
    at = np.round(moves @ ways.T / step_mm).astype(int) + signal.shape[1] // 2
    inside = (at >= 0) & (at < signal.shape[1])
    rows = np.arange(len(signal))
    heard = np.where(inside, pooled[rows, np.clip(at, 0, signal.shape[1] - 1)], 0.0)
    # Nearer wins where votes are alike.
    total = heard.mean(axis=1) - 0.2 * np.abs(moves).sum(axis=1) / reach_mm
    best = int(np.argmax(total))
    return np.asarray(moves[best] @ ways.T), float(heard[best].mean())


def profiles(
    image: Bytes, mapping: PlaneMapping, mark: Mark, reach_mm: float
) -> tuple[Floats, float, float]:
    """Mean green along each station's normal, inside to outside.

    Stations x steps, the steps' distance in mm, and pixels per mm here. It goes
    beyond the reach by what is needed to compare a mark with its surroundings.
    Places outside the picture are NaN.
    """
    px_per_mm = _px_per_mm(mapping, mark)
    step_mm = 1.0 / (STEPS_PER_PX * px_per_mm)
    count = int(np.ceil((reach_mm + mark.width_mm + 4.0 / px_per_mm) / step_mm))
    offsets = np.arange(-count, count + 1) * step_mm
    places = mark.places[:, :, None] + mark.normals[:, :, None] * offsets[:, None]
    shape = places.shape[:3]
    seen = mapping.to_px(places.reshape(-1, 2))
    values = _sample(image, seen).reshape(shape)
    return np.asarray(values.mean(axis=1)), step_mm, px_per_mm


def _px_per_mm(mapping: PlaneMapping, mark: Mark) -> float:
    ends = np.stack([mark.points, mark.points + mark.outward])
    a, b = (mapping.to_px(points) for points in ends)
    return float(np.median(np.linalg.norm(b - a, axis=1)))


def _sample(image: Bytes, at_px: Floats) -> Floats:
    """Green between pixels (bicubic); NaN outside the picture."""
    height, width = image.shape[:2]
    x, y = at_px[:, 0], at_px[:, 1]
    inside = (x >= 1) & (x <= width - 2) & (y >= 1) & (y <= height - 2)
    values = np.full(len(at_px), np.nan)
    if not inside.any():
        return values
    rows = at_px[inside].astype(np.float32)
    total, most = len(rows), 30_000  # OpenCV's remap takes sides below 2^15.
    picked = [
        cv2.remap(
            image,
            np.ascontiguousarray(rows[start : start + most, :1]),
            np.ascontiguousarray(rows[start : start + most, 1:]),
            cv2.INTER_CUBIC,
        )
        for start in range(0, total, most)
    ]
    values[inside] = np.concatenate(picked)[:, 0, 1]
    return values


def _slope(profile: Floats, half: int) -> Floats:
    """Rise of the profile over one pixel, at each step."""
    slope = np.full_like(profile, np.nan)
    slope[:, half:-half] = profile[:, 2 * half :] - profile[:, : -2 * half]
    return slope


def _linear(grey: Floats) -> Floats:
    """Light (0 to 1) of grey levels, by the gamma that cameras write."""
    return np.asarray((np.clip(grey, 0.0, 255.0) / 255.0) ** GAMMA)


GAMMA = 2.2


def _darkness(
    profile: Floats, width_mm: float, step_mm: float, blur_mm: float
) -> Floats:
    """How much darker a band of the line's width is than what lies beside it."""
    half = max(1, round((width_mm / 2 + 0.5 * blur_mm) / step_mm))
    beside = max(1, round(1.5 * blur_mm / step_mm))
    reach = half + beside
    total = np.nancumsum(np.pad(profile, ((0, 0), (1, 0))), axis=1)
    steps = profile.shape[1]
    centre = np.arange(reach, steps - reach)

    def mean(low: NDArray[np.intp], high: NDArray[np.intp]) -> Floats:
        sums = (total[:, high] - total[:, low]) / (high - low)
        return np.asarray(sums)

    within = mean(centre - half, centre + half + 1)
    left = mean(centre - reach, centre - half)
    right = mean(centre + half + 1, centre + reach + 1)
    dark = np.full_like(profile, np.nan)
    # A step from bright to dark is no line: both sides must be brighter.
    dark[:, centre] = np.minimum(left, right) - within
    dark[np.isnan(profile).any(axis=1)] = np.nan
    return dark


def _strongest(
    signal: Floats, close: NDArray[np.bool_]
) -> tuple[NDArray[np.intp], Floats]:
    """Where each row's strongest bump that is close peaks, and its height."""
    heard = np.where(close, np.nan_to_num(signal, nan=-np.inf), -np.inf)
    best = np.argmax(heard, axis=1)
    return best, heard[np.arange(len(heard)), best]


SHADE_FROM, SHADE_TO = 1.5, 2.8
"""In half windows before an edge: where the slope is the shade's alone."""


def _without_shade(fine: Floats, away_mm: Floats, half_mm: float) -> Floats:
    """A frame edge's slope without that of the shade before it.

    Light comes less and less into the corner below the wall, so the wood darkens
    towards it over a centimetre. Counted as part of the edge, that slope put the
    edge a sixth of a millimetre before the wall, and the scale with it.
    """
    before = (away_mm < -SHADE_FROM * half_mm) & (away_mm > -SHADE_TO * half_mm)
    total = np.where(before, np.nan_to_num(fine), 0.0).sum(axis=1)
    shade = np.clip(total / np.maximum(before.sum(axis=1), 1), 0.0, None)
    return np.asarray(fine - np.where(away_mm < 0.0, shade[:, None], 0.0))


def _centres(
    fine: Floats, offsets: Floats, best: NDArray[np.intp], half_mm: float
) -> tuple[Floats, Floats]:
    """Each row's centre of `fine` around its bump, and its spread (mm)."""
    weights = np.clip(np.nan_to_num(fine), 0.0, None)
    centre = offsets[best].astype(np.float64)
    spread = np.full(len(centre), np.nan)
    for _ in range(3):
        near = np.abs(offsets - centre[:, None]) <= half_mm
        weight = np.where(near, weights, 0.0)
        total = weight.sum(axis=1)
        seen = total > 0
        mean = (weight * offsets).sum(axis=1) / np.where(seen, total, 1.0)
        centre = np.where(seen, mean, np.nan)
        away = (offsets - np.nan_to_num(centre)[:, None]) ** 2
        variance = (weight * away).sum(axis=1) / np.where(seen, total, 1.0)
        spread = np.sqrt(variance)
    return centre, spread
