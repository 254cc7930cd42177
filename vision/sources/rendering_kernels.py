"""The inner loops of the renderer, compiled.

Each kernel follows a pixel's ray. The ray of a pixel that meets the surface at
`ground` passes height z at foot + (ground - foot) * (H - z) / H, with the camera
at height H over `foot`: that one line gives the tops, sides and lifts of pieces
without any matrix. Edges are spread over `soft_px` to stand for pixel area and
lens. The canvas holds grey levels; light is added in linear light through tables.
"""

from math import cos, sin, sqrt

import numpy as np
from numba import njit
from numpy.typing import NDArray

from calibration.kernels import kept

Bytes = NDArray[np.uint8]
Plane = NDArray[np.float32]
Rows = NDArray[np.float64]

LEVELS = 4096
WHITE = 1.0
"""Linear light at grey level 255."""
RINGS = 64

# Columns of a piece's row.
X, Y, VX, VY, RADIUS, HEIGHT, LIFT, TURNED, PX_PER_MM, HOLE_X, HOLE_Y, HOLE_R = range(
    12
)
# Columns of a bone's row, on the ground plane.
AX, AY, AR, BX, BY, BR, AZ, BZ, BLUE, GREEN, RED, SQUARE = range(12)
CHECK_BLUE = 12
BONE_COLUMNS = 15
SOFT_PX = 2
"""A soft shadow is worked out once for a square of so many pixels."""
TILE = 16
TILE_REACH_MM = 22.0
"""More than half a tile's diagonal on the ground at any height in use."""


def tables() -> tuple[Plane, Bytes]:
    """Grey level to linear light (256), and linear light to grey level (LEVELS)."""
    grey = (np.arange(256) / 255.0) ** 2.2 * WHITE
    level = np.clip(np.arange(LEVELS) / (LEVELS - 1.0), 0, 1) ** (1 / 2.2)
    return grey.astype(np.float32), np.round(level * 255).astype(np.uint8)


@kept
@njit(cache=True, fastmath=True, error_model="numpy", inline="always")
def _level(linear: float, levels: Bytes) -> int:
    at = int(linear * (LEVELS - 1) + 0.5)
    return levels[min(max(at, 0), LEVELS - 1)]  # type: ignore[no-any-return]


@kept
@njit(cache=True, fastmath=True, error_model="numpy", inline="always")
def _edge(inside_px: float, soft_px: float) -> float:
    """How much of a pixel an edge covers, `inside_px` deep in the thing."""
    t = min(max(inside_px / (2.0 * soft_px) + 0.5, 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)


@kept
@njit(cache=True, fastmath=True, error_model="numpy")
def draw_shadow(
    canvas: Bytes,
    ground: Plane,
    box: NDArray[np.int64],
    row: Rows,
    lamps: Rows,
    moments: Rows,
    grey: Plane,
    levels: Bytes,
) -> None:
    """Darken the ground around one piece: where it stands, and away from lamps.

    `box` is x0, y0, x1, y1; `lamps` rows of x, y, z in mm; `moments` seconds from
    mid-exposure.
    """
    radius, tall, lift = row[RADIUS], row[HEIGHT], max(row[LIFT], 0.0)
    spread, contact = 2.0 + 0.2 * lift, 0.38 / (1.0 + 0.2 * lift)
    for y in range(box[1], box[3]):
        for x in range(box[0], box[2]):
            gx, gy = ground[y, x, 0], ground[y, x, 1]
            total = 0.0
            for k in range(moments.shape[0]):
                cx = row[X] + row[VX] * moments[k]
                cy = row[Y] + row[VY] * moments[k]
                near = sqrt((gx - cx) ** 2 + (gy - cy) ** 2) - radius
                if near > 14.0 + 2 * lift:
                    total += 1.0
                    continue
                reach = min(max(1.0 - near / 5.0, 0.0), 1.0)
                factor = 1.0 - contact * reach * reach
                for lamp in range(lamps.shape[0]):
                    away = (0.6 * tall + lift) / lamps[lamp, 2]
                    sx = cx + (cx - lamps[lamp, 0]) * away
                    sy = cy + (cy - lamps[lamp, 1]) * away
                    d = radius - sqrt((gx - sx) ** 2 + (gy - sy) ** 2)
                    factor *= 1.0 - 0.34 * _edge(d, spread)
                total += factor
            factor = total / moments.shape[0]
            if factor < 0.999:
                for c in range(3):
                    canvas[y, x, c] = _level(grey[canvas[y, x, c]] * factor, levels)


@kept
@njit(cache=True, fastmath=True, error_model="numpy")
def draw_piece(
    canvas: Bytes,
    ground: Plane,
    light: Plane,
    glare: Plane,
    box: NDArray[np.int64],
    row: Rows,
    paint: Plane,
    slope: Plane,
    grain: Plane,
    camera: Rows,
    lamps: Rows,
    moments: Rows,
    soft_px: float,
    gloss: float,
    grey: Plane,
    levels: Bytes,
) -> None:
    """Draw one disc with its side, averaged over the moments of the exposure.

    `paint` RINGS x 3 reflectance and `slope` RINGS tilt from centre to rim;
    `grain` a square texture around 1.0, its side a power of two; `camera` foot x, foot y, height;
    `moments` seconds from mid-exposure.
    """
    radius, scale = row[RADIUS], row[PX_PER_MM]
    shrink_top = (camera[2] - row[LIFT] - row[HEIGHT]) / camera[2]
    shrink_low = (camera[2] - row[LIFT]) / camera[2]
    ca, sa = cos(row[TURNED]), sin(row[TURNED])
    lx, ly = _lamp_side(row, lamps)
    wrap = grain.shape[0] - 1
    share = 1.0 / moments.shape[0]
    reach = radius + soft_px / scale + 0.5
    dim = 1.0 if row[LIFT] > -2.0 else max(0.15, 1.0 + row[LIFT] / 30.0)
    for y in range(box[1], box[3]):
        for x in range(box[0], box[2]):
            gx = ground[y, x, 0] - camera[0]
            gy = ground[y, x, 1] - camera[1]
            cover, red, green, blue = 0.0, 0.0, 0.0, 0.0
            for k in range(moments.shape[0]):
                cx = row[X] + row[VX] * moments[k] - camera[0]
                cy = row[Y] + row[VY] * moments[k] - camera[1]
                tx, ty = gx * shrink_top - cx, gy * shrink_top - cy
                bx, by = gx * shrink_low - cx, gy * shrink_low - cy
                ex, ey = tx - bx, ty - by
                along = -(bx * ex + by * ey) / max(ex * ex + ey * ey, 1e-9)
                along = min(max(along, 0.0), 1.0)
                nearest = sqrt((bx + along * ex) ** 2 + (by + along * ey) ** 2)
                if nearest > reach:
                    continue
                body = _edge((radius - nearest) * scale, soft_px)
                r = sqrt(tx * tx + ty * ty)
                top = min(_edge((radius - r) * scale, soft_px), body)
                ring = min(int(r / radius * RINGS), RINGS - 1)
                tilt = slope[ring] * (tx * lx + ty * ly) / max(r, 0.5)
                u = int((tx * ca + ty * sa) * 1.6 + 512.0) & wrap
                v = int((ty * ca - tx * sa) * 1.6 + 512.0) & wrap
                lit = (1.0 + tilt) * grain[v, u] * top
                side = (body - top) * 0.34
                cover += body
                blue += paint[ring, 0] * lit + paint[RINGS - 1, 0] * side
                green += paint[ring, 1] * lit + paint[RINGS - 1, 1] * side
                red += paint[ring, 2] * lit + paint[RINGS - 1, 2] * side
            if cover <= 0.0:
                continue
            if row[HOLE_R] > 0.0:
                hx, hy = gx + camera[0] - row[HOLE_X], gy + camera[1] - row[HOLE_Y]
                seen = _edge((row[HOLE_R] - sqrt(hx * hx + hy * hy)) * scale, soft_px)
                cover, red, green, blue = (
                    cover * seen,
                    red * seen,
                    green * seen,
                    blue * seen,
                )
            cover *= share
            add = share * light[y, x] * dim
            shine = glare[y, x] * gloss * cover * dim
            under = 1.0 - cover
            canvas[y, x, 0] = _level(
                grey[canvas[y, x, 0]] * under + blue * add + shine, levels
            )
            canvas[y, x, 1] = _level(
                grey[canvas[y, x, 1]] * under + green * add + shine, levels
            )
            canvas[y, x, 2] = _level(
                grey[canvas[y, x, 2]] * under + red * add + shine, levels
            )


@kept
@njit(cache=True, fastmath=True, error_model="numpy", inline="always")
def _lamp_side(row: Rows, lamps: Rows) -> tuple[float, float]:
    """The horizontal direction most light comes from, as a unit-ish vector."""
    lx, ly = 0.0, 0.0
    for lamp in range(lamps.shape[0]):
        ax, ay = lamps[lamp, 0] - row[X], lamps[lamp, 1] - row[Y]
        away = sqrt(ax * ax + ay * ay + lamps[lamp, 2] ** 2)
        lx += ax / away
        ly += ay / away
    return lx, ly


@kept
@njit(cache=True, fastmath=True, error_model="numpy", inline="always")
def _along(
    row: Rows, gx: float, gy: float, sx: float, sy: float
) -> tuple[float, float]:
    """Distance into a bone (mm, positive inside its outline) and place along it."""
    ax, ay = row[AX] + sx, row[AY] + sy
    ex, ey = row[BX] + sx - ax, row[BY] + sy - ay
    t = ((gx - ax) * ex + (gy - ay) * ey) / max(ex * ex + ey * ey, 1e-6)
    t = min(max(t, 0.0), 1.0)
    d = sqrt((gx - ax - t * ex) ** 2 + (gy - ay - t * ey) ** 2)
    return row[AR] + t * (row[BR] - row[AR]) - d, t


@kept
@njit(cache=True, fastmath=True, error_model="numpy")
def draw_limb_shadow(
    canvas: Bytes,
    ground: Plane,
    box: NDArray[np.int64],
    bones: Rows,
    lamps: Rows,
    grey: Plane,
    levels: Bytes,
) -> None:
    """Soft shadows of a limb, one per lamp, on all that lies below it."""
    near = np.empty(bones.shape[0], np.int64)
    for ty in range(box[1], box[3], TILE):
        for tx in range(box[0], box[2], TILE):
            x1, y1 = min(tx + TILE, box[2]), min(ty + TILE, box[3])
            mx, my = (tx + x1) // 2, (ty + y1) // 2
            for lamp in range(lamps.shape[0]):
                count = 0
                for b in range(bones.shape[0]):
                    if (
                        _dark(bones[b], lamps[lamp], ground[my, mx], TILE_REACH_MM)
                        > 0.003
                    ):
                        near[count] = b
                        count += 1
                if count == 0:
                    continue
                for y in range(ty, y1, SOFT_PX):
                    for x in range(tx, x1, SOFT_PX):
                        dark = 0.0
                        for i in range(count):
                            row = bones[near[i]]
                            dark = max(dark, _dark(row, lamps[lamp], ground[y, x], 0.0))
                        if dark > 0.0:
                            y2, x2 = min(y + SOFT_PX, y1), min(x + SOFT_PX, x1)
                            _darken(canvas[y:y2, x:x2], 1.0 - 0.36 * dark, grey, levels)


@kept
@njit(cache=True, fastmath=True, error_model="numpy", inline="always")
def _darken(part: Bytes, factor: float, grey: Plane, levels: Bytes) -> None:
    for y in range(part.shape[0]):
        for x in range(part.shape[1]):
            for c in range(3):
                part[y, x, c] = _level(grey[part[y, x, c]] * factor, levels)


@kept
@njit(cache=True, fastmath=True, error_model="numpy", inline="always")
def _dark(row: Rows, lamp: Rows, at: Plane, margin_mm: float) -> float:
    """How deep (0 to 1) a place lies in one bone's shadow from one lamp."""
    z = 0.5 * (row[AZ] + row[BZ])
    away = z / lamp[2]
    sx = (0.5 * (row[AX] + row[BX]) - lamp[0]) * away
    sy = (0.5 * (row[AY] + row[BY]) - lamp[1]) * away
    inside, _ = _along(row, at[0], at[1], sx, sy)
    soft = 4.0 + 0.28 * z
    t = min(max((inside + margin_mm) / (2.0 * soft) + 0.5, 0.0), 1.0)
    return t * t * (3.0 - 2.0 * t)  # type: ignore[no-any-return]


@kept
@njit(cache=True, fastmath=True, error_model="numpy")
def draw_limb(
    canvas: Bytes,
    ground: Plane,
    light: Plane,
    box: NDArray[np.int64],
    bones: Rows,
    grain: Plane,
    px_per_mm: float,
    soft_px: float,
    grey: Plane,
    levels: Bytes,
) -> None:
    """Draw a limb: at each pixel the bone whose rounded back is highest wins."""
    wrap = grain.shape[0] - 1
    near = np.empty(bones.shape[0], np.int64)
    for ty in range(box[1], box[3], TILE):
        for tx in range(box[0], box[2], TILE):
            x1, y1 = min(tx + TILE, box[2]), min(ty + TILE, box[3])
            mx, my = (tx + x1) // 2, (ty + y1) // 2
            count = 0
            for b in range(bones.shape[0]):
                inside, _ = _along(
                    bones[b], ground[my, mx, 0], ground[my, mx, 1], 0.0, 0.0
                )
                if inside > -TILE_REACH_MM:
                    near[count] = b
                    count += 1
            if count == 0:
                continue
            for y in range(ty, y1):
                for x in range(tx, x1):
                    gx, gy = ground[y, x, 0], ground[y, x, 1]
                    cover, best, lit, which = 0.0, -1e9, 1.0, -1
                    for i in range(count):
                        b = near[i]
                        row = bones[b]
                        inside, t = _along(row, gx, gy, 0.0, 0.0)
                        if inside * px_per_mm < -soft_px:
                            continue
                        cover = max(cover, _edge(inside * px_per_mm, soft_px))
                        r = row[AR] + t * (row[BR] - row[AR])
                        q = min(max(1.0 - inside / r, 0.0), 1.0)
                        back = sqrt(max(1.0 - q * q, 0.0))
                        top = row[AZ] + t * (row[BZ] - row[AZ]) + r * back
                        if top > best:
                            best, which = top, b
                            lit = 0.42 + 0.58 * back
                    if which < 0:
                        continue
                    wrinkle = grain[(y * 3) & wrap, (x * 3) & wrap]
                    add = cover * lit * light[y, x] * (0.35 + 0.65 * wrinkle)
                    first = _cloth(bones[which], gx, gy)
                    for c in range(3):
                        under = grey[canvas[y, x, c]] * (1.0 - cover)
                        canvas[y, x, c] = _level(
                            under + bones[which, first + c] * add, levels
                        )


@kept
@njit(cache=True, fastmath=True, error_model="numpy", inline="always")
def _cloth(row: Rows, gx: float, gy: float) -> int:
    """The column where a bone's colour at a place begins: its own or its check's."""
    if row[SQUARE] <= 0.0:
        return BLUE
    ex, ey = row[BX] - row[AX], row[BY] - row[AY]
    size = max(sqrt(ex * ex + ey * ey), 1e-3) * row[SQUARE]
    along = ((gx - row[AX]) * ex + (gy - row[AY]) * ey) / size
    across = ((gy - row[AY]) * ex - (gx - row[AX]) * ey) / size
    odd = (int(along + 1000.0) + int(across + 1000.0)) & 1
    return CHECK_BLUE if odd else BLUE


@kept
@njit(cache=True, fastmath=True, error_model="numpy")
def add_noise(canvas: Bytes, noise: NDArray[np.int8], shift: int) -> Bytes:
    """The canvas plus noise from a flat pool, beginning `shift` into it."""
    out = np.empty_like(canvas)
    flat, into = canvas.reshape(-1), out.reshape(-1)
    part = noise[shift : shift + flat.size]
    for i in range(flat.size):
        level = np.int16(flat[i]) + np.int16(part[i])
        into[i] = np.uint8(min(max(level, np.int16(0)), np.int16(255)))
    return out
