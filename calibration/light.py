"""What the light does to the picture: exposure, evenness, flicker, sharpness.

Measured on the empty table from a short series of frames with their times. Each
figure comes with what to do about it, in words, when it will not do.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.edges import Bytes, profiles
from calibration.marks import Floats, Kind, concrete, marks
from calibration.plane import PlaneMapping
from calibration.series import Series
from calibration.table import Table

TOO_BRIGHT = 250
MOST_CLIPPED = 0.02
"""Of the surface: a lamp's small reflection is tolerated."""
DARK, BRIGHT = 60.0, 225.0
"""Grey levels of the wood between which pieces of all colours are told apart."""
LEAST_EVEN = 0.45
"""Darkest over brightest part of the wood, in linear light."""
MOST_FLICKER = 0.01
"""Of the brightness, amplitude."""
MOST_BLUR_PX = 1.8
CELLS = 6
FLICKER_HZ = {50: 100.0, 60: 120.0}
"""Lamps flicker at twice the mains' frequency."""
LEAST_WAVE = 0.45
"""What steady and drifting light must leave of a wave at the frames' times, root mean
square: 0.71 of one seen at all its phases, 0.44 when its beat is seen once."""
LEAST_FRAMES = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Light:
    """The light over one table. Shares are 0 to 1; `evenness` north-west first.

    `flicker` is None where these frames cannot tell: too few, or a rate at which
    the lamps look still. `remedies` say what to change; empty: all is well.
    """

    wood_grey: float
    clipped_share: float
    evenness: tuple[tuple[float, ...], ...]
    blur_px: float | None
    flicker: float | None
    flicker_mains_hz: int | None
    remedies: tuple[str, ...]


def light_of(series: Series, table: Table, mapping: PlaneMapping) -> Light:
    """Judge the light from a series of pictures of the empty table."""
    values = _surface(series.image, table, mapping)
    wood = float(np.percentile(values, 60))
    clipped = float((values >= TOO_BRIGHT).mean())
    even = _evenness(values)
    blur = blur_px(series.image, table, mapping)
    flicker = flicker_of(series.levels, series.times_s)
    share, mains = (None, None) if flicker is None else flicker
    return Light(
        wood_grey=round(wood, 1),
        clipped_share=round(clipped, 4),
        evenness=even,
        blur_px=None if blur is None else round(blur, 2),
        flicker=None if share is None else round(share, 4),
        flicker_mains_hz=mains,
        remedies=tuple(_remedies(wood, clipped, even, blur, share)),
    )


def _remedies(
    wood: float,
    clipped: float,
    even: tuple[tuple[float, ...], ...],
    blur: float | None,
    flicker: float | None,
) -> list[str]:
    told = []
    if clipped > MOST_CLIPPED:
        told.append(
            f"{clipped:.0%} of the surface is white without detail: lower camera.gain, "
            "or move the lamps so that their reflection leaves the surface"
        )
    elif wood > BRIGHT:
        told.append(f"too bright (wood at {wood:.0f} of 255): lower camera.gain")
    if wood < DARK:
        told.append(
            f"too dark (wood at {wood:.0f} of 255): more light, then raise camera.gain"
        )
    lowest = min(share for row in even for share in row)
    if lowest < LEAST_EVEN:
        told.append(
            f"uneven light (the darkest part has {lowest:.0%} of the brightest): "
            "a second lamp opposite, or hang the lamp higher"
        )
    if flicker is not None and flicker > MOST_FLICKER:
        told.append(
            f"the lamps flicker by {flicker:.1%} of their brightness: use lamps with a "
            "direct-current driver, or an exposure of whole flicker periods"
        )
    if blur is not None and blur > MOST_BLUR_PX:
        told.append(
            f"edges are {blur:.1f} px soft (at most {MOST_BLUR_PX}): focus the lens, "
            "fix the focus, clean the glass"
        )
    return told


def flicker_of(
    brightness: Sequence[float], times_s: Sequence[float]
) -> tuple[float, int] | None:
    """Amplitude of the lamps' flicker over their brightness, and the mains' Hz.

    A sinusoid of twice the mains' frequency is fitted at the frames' own times, so
    it is found although frames are far fewer. None when there are too few frames
    or their times hide both (a beat slower than the series is long).
    """
    if len(brightness) < LEAST_FRAMES:
        return None
    level, at_s = np.asarray(brightness, np.float64), np.asarray(times_s, np.float64)
    best: tuple[float, int] | None = None
    for mains, hz in FLICKER_HZ.items():
        turn = 2 * np.pi * hz * at_s
        steady = np.column_stack([np.ones_like(at_s), at_s - at_s.mean()])
        wave = np.column_stack([np.cos(turn), np.sin(turn)])
        if not _told_apart(steady, wave):
            continue
        parts, *_ = np.linalg.lstsq(np.hstack([steady, wave]), level, rcond=None)
        share = float(np.hypot(parts[2], parts[3]) / parts[0])
        if best is None or share > best[0]:
            best = share, mains
    return best


def _told_apart(steady: Floats, wave: Floats) -> bool:
    """Whether frames at their own times see a wave as more than steady light.

    `steady` and `wave` are the fit's columns (frames x 2). Frames that come at whole
    periods of the lamps see a wave as a constant, whatever gaps lie between them.
    """
    shared, *_ = np.linalg.lstsq(steady, wave, rcond=None)
    own = np.linalg.svd(wave - steady @ shared, compute_uv=False)
    return bool(own[-1] > LEAST_WAVE * np.sqrt(len(wave)))


def blur_px(image: Bytes, table: Table, mapping: PlaneMapping) -> float | None:
    """Sigma of the frame's inner edges, in pixels; None: none is seen.

    Height of the step from wood to frame over its steepest slope; a sharp lens gives
    0.6 to 1.2 (the frame's shadow softens it a little).
    """
    widths = []
    for mark in marks(concrete(table)):
        if mark.kind is not Kind.FRAME:
            continue
        profile, step_mm, px_per_mm = profiles(image, mapping, mark, EDGE_REACH_MM)
        profile = profile[~np.isnan(profile).any(axis=1)]
        step = profile.max(axis=1) - profile.min(axis=1)
        slope = np.abs(np.diff(profile, axis=1)).max(axis=1) / step_mm
        good = step > LEAST_STEP
        widths += (step[good] / slope[good] / np.sqrt(2 * np.pi) * px_per_mm).tolist()
    return float(np.median(widths)) if widths else None


EDGE_REACH_MM = 6.0
LEAST_STEP = 20.0
_LATTICE = 96


def _surface(image: Bytes, table: Table, mapping: PlaneMapping) -> NDArray[np.float64]:
    """Green on a lattice over the surface (north-west first), print and all."""
    reach = 0.94 * table.half_mm
    ticks = np.linspace(-reach, reach, _LATTICE)
    x, y = np.meshgrid(ticks, -ticks)
    seen = np.round(mapping.to_px(np.column_stack([x.ravel(), y.ravel()]))).astype(int)
    height, width = image.shape[:2]
    column, row = np.clip(seen, 0, (width - 1, height - 1)).T
    values = image[row, column, 1].astype(np.float64)
    return np.asarray(values.reshape(_LATTICE, _LATTICE))


def _evenness(values: Floats) -> tuple[tuple[float, ...], ...]:
    """Wood's brightness in cells over the brightest cell's, in linear light."""
    linear = (values / 255.0) ** 2.2
    size = _LATTICE // CELLS
    blocks = linear.reshape(CELLS, size, CELLS, size).transpose(0, 2, 1, 3)
    cells = np.percentile(blocks.reshape(CELLS, CELLS, -1), 60, axis=2)
    shares = np.round(cells / max(float(cells.max()), 1e-9), 2)
    return tuple(tuple(row) for row in shares.tolist())
