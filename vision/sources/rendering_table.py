"""The empty table as the camera sees it, painted once before the first frame.

The playing surface, the frame's top and the floor are drawn as flat textures seen
from above; each pixel's ray is then followed to the height of what it meets:
floor, frame (its top and its inner wall), ply, pocket wall, net. Linear light.
"""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table import Circle, Point, Seat, Segment, Table
from vision.sources.rendering_camera import Camera

Plane = NDArray[np.float32]
Box = tuple[slice, slice]

PX_PER_MM = 2.5
NET_DEPTH_MM = 32.0
PLY_MM = 9.0
POCKET_RIM_MM = 1.6
PIXEL_MM = 8.0
"""More than a pixel in the smallest pictures."""
HAZE_SHRINK = 8
SUBPIXELS = ((-0.25, -0.25), (0.25, -0.25), (-0.25, 0.25), (0.25, 0.25))

WOOD = (0.30, 0.52, 0.66)
FRAME_WOOD = (0.030, 0.055, 0.115)
WARMTH = (-0.035, -0.01, 0.012)
"""How wood's colour goes with its grain's tone."""
FLOOR = (0.075, 0.08, 0.085)
INK = (0.022, 0.022, 0.026)
RED_INK = (0.045, 0.045, 0.42)
NET = (0.20, 0.22, 0.23)

LAMPS_MM = ((-560.0, 250.0, 1450.0), (520.0, 330.0, 1500.0))
"""Two shaded lamps on a rail north of the table's middle."""


@dataclass(frozen=True, slots=True, eq=False)
class EmptyTable:
    """Per pixel: what the sensor gets of the empty table, and what it looks at.

    `linear` h x w x 3 float32, BGR in linear light; `ground` h x w x 2 float32,
    mm where the pixel's ray meets the playing surface; `light` and `glare`
    h x w float32, the lamps' light on a flat matt thing there, and their
    reflection on a smooth one.
    """

    linear: Plane
    ground: Plane
    light: Plane
    glare: Plane


class Carpenter:
    """Puts each mark where it was really printed or cut: up to so far beside."""

    def __init__(self, misprint_mm: float, seed: int) -> None:
        self._misprint_mm = misprint_mm
        self._random = np.random.default_rng(seed + 3)

    def put(self, at: Point) -> Point:
        """A place anywhere within the misprint's radius of the right one."""
        away = self._misprint_mm * float(np.sqrt(self._random.uniform()))
        angle = float(self._random.uniform(0, 2 * np.pi))
        return Point(at.x_mm + away * np.cos(angle), at.y_mm + away * np.sin(angle))

    def line(self, line: Segment) -> Segment:
        """A line whose two ends were put one by one."""
        return line._replace(start=self.put(line.start), end=self.put(line.end))

    def circle(self, circle: Circle) -> Circle:
        """A circle of the right size, put somewhere."""
        return circle._replace(centre=self.put(circle.centre))


@lru_cache(maxsize=4)
def paint(
    table: Table,
    camera: Camera,
    *,
    glare: float,
    blur_px: float,
    misprint_mm: float,
    seed: int,
) -> EmptyTable:
    """Paint the empty table for one camera; takes about a second.

    The last few are kept: a picture of the empty table and the frames that follow
    come from renderers of their own.
    """
    random = np.random.default_rng(seed)
    carpenter = Carpenter(misprint_mm, seed)
    centres = [carpenter.put(at) for at in table.pocket_centres.values()]
    surface = _surface(table, carpenter, random)
    frame_top = _wood(_extent_mm(table), FRAME_WOOD, random, rough=0.35)
    total = np.zeros((camera.height_px, camera.width_px, 3), np.float32)
    ground = _ground(camera)
    reach_mm = table.pocket_radius_mm + POCKET_RIM_MM + PIXEL_MM
    holes = {at: _around(ground, at, reach_mm) for at in centres}
    down, across = np.gradient(ground, axis=(0, 1))
    for dx, dy in SUBPIXELS:
        place = np.asarray(ground + dx * across + dy * down, np.float32)
        total += _colours(table, camera, place, holes, (surface, frame_top))
    light, shine = _light(camera, ground)
    linear = total / len(SUBPIXELS) * light[..., None]
    linear += (0.055 * glare) * (shine * _shiny(table, ground))[..., None]
    blurred = np.asarray(cv2.GaussianBlur(linear, (0, 0), blur_px), np.float32)
    return EmptyTable(np.ascontiguousarray(blurred), ground, light, glare * shine)


def _extent_mm(table: Table) -> float:
    return table.half_mm + table.frame_width_mm + 10.0


def _ground(camera: Camera) -> Plane:
    ys, xs = np.mgrid[0 : camera.height_px, 0 : camera.width_px].astype(np.float64)
    return camera.ground(np.stack([xs, ys], -1)).astype(np.float32)


def _at_height(camera: Camera, ground: Plane, height_mm: float) -> Plane:
    """Where the same rays pass a height above (or below) the surface."""
    foot = np.array(camera.position_mm[:2], np.float32)
    shrink = np.float32((camera.position_mm[2] - height_mm) / camera.position_mm[2])
    return foot + (ground - foot) * shrink


def _out(place: Plane) -> Plane:
    """How far places are from the middle, along the longer axis."""
    return np.maximum(np.abs(place[..., 0]), np.abs(place[..., 1]))


def _colours(
    table: Table,
    camera: Camera,
    ground: Plane,
    holes: dict[Point, Box],
    woods: tuple[Plane, Plane],
) -> Plane:
    """Reflectance at the first thing each ray meets, from the floor up."""
    surface, frame_top = woods
    half, outer = table.half_mm, table.half_mm + table.frame_width_mm
    top = _at_height(camera, ground, table.frame_height_mm)
    colour = _pick(surface, ground, _extent_mm(table))
    for centre, part in holes.items():
        _paint_pocket(table, camera, ground[part], centre, colour[part])
    inside = _out(ground) <= half
    inside_top = _out(top) <= half
    wall = inside_top & ~inside
    colour[wall] = np.array(FRAME_WOOD, np.float32) * 0.55
    near_wall = np.clip((half - _out(ground)) / 9.0, 0.0, 1.0)
    colour *= np.where(inside, 0.72 + 0.28 * near_wall, 1.0)[..., None]
    on_frame = ~inside_top & (_out(top) <= outer)
    colour[on_frame] = _pick(frame_top, top, _extent_mm(table))[on_frame]
    _bevel(colour, top, half, outer)
    beyond = _out(top) > outer
    side = beyond & (_out(_at_height(camera, ground, -30.0)) < outer)
    colour[beyond] = FLOOR
    colour[side] = np.array(FRAME_WOOD, np.float32) * 0.4
    return colour


def _bevel(colour: Plane, top: Plane, half: float, outer: float) -> None:
    """Rounded edges of the frame catch the lamps: a pale line on each edge."""
    out = _out(top)
    for edge, gain in ((half + 2.0, 1.9), (outer - 2.5, 1.5)):
        band = np.clip(1.0 - np.abs(out - edge) / 2.0, 0.0, 1.0)[..., None]
        colour *= 1.0 + (gain - 1.0) * band


def _around(ground: Plane, centre: Point, reach_mm: float) -> Box:
    """The pixels' box that holds all places within reach of one."""
    near = np.hypot(ground[..., 0] - centre.x_mm, ground[..., 1] - centre.y_mm)
    x, y, width, height = cv2.boundingRect((near < reach_mm).view(np.uint8))
    return np.s_[y : y + height, x : x + width]


def _paint_pocket(
    table: Table, camera: Camera, ground: Plane, centre: Point, colour: Plane
) -> None:
    below_ply = _at_height(camera, ground, -PLY_MM)
    at_net = _at_height(camera, ground, -NET_DEPTH_MM)
    off = np.hypot(ground[..., 0] - centre.x_mm, ground[..., 1] - centre.y_mm)
    hole = off < table.pocket_radius_mm
    rim = (off < table.pocket_radius_mm + POCKET_RIM_MM) & ~hole
    colour[rim] *= 0.72
    through = np.hypot(below_ply[..., 0] - centre.x_mm, below_ply[..., 1] - centre.y_mm)
    wall = hole & (through > table.pocket_radius_mm)
    colour[hole] = _net(at_net[hole] - np.array(centre, np.float32))
    colour[wall] = np.array(WOOD, np.float32) * 0.22


def _net(place: Plane) -> Plane:
    """Knotted threads, darker towards the middle where the net hangs deepest."""
    across = np.stack([place.sum(-1), place[..., 0] - place[..., 1]], -1) / 1.414
    thread = np.abs((across / 6.5) % 1.0 - 0.5).min(-1) < 0.13
    depth = np.clip(1.15 - np.hypot(place[..., 0], place[..., 1]) / 40.0, 0.3, 1.0)
    tone = np.where(thread, 0.13, 0.012)[..., None] * (1.35 - depth)[..., None]
    return (tone * np.array(NET, np.float32) / 0.2).astype(np.float32)


def _pick(texture: Plane, place: Plane, extent_mm: float) -> Plane:
    """Read a north-up texture of +-extent_mm at places in mm."""
    x = (place[..., 0] + extent_mm) * PX_PER_MM - 0.5
    y = (extent_mm - place[..., 1]) * PX_PER_MM - 0.5
    picked = cv2.remap(
        texture,
        np.ascontiguousarray(x),
        np.ascontiguousarray(y),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    return np.asarray(picked, np.float32)


def _wood(
    extent_mm: float,
    tint: tuple[float, float, float],
    random: np.random.Generator,
    *,
    rough: float,
) -> Plane:
    """Grain along x: long streaks, slow waves and pores."""
    size = round(2 * extent_mm * PX_PER_MM)
    streaks = np.zeros((size, size), np.float32)
    for length, width, weight in ((420, 2.2, 0.5), (160, 1.0, 0.3), (900, 14.0, 0.6)):
        noise = random.standard_normal((size // 2, size // 8), np.float32)
        soft = cv2.GaussianBlur(noise, (0, 0), length / 8, sigmaY=width / 2)
        grain = cv2.resize(soft, (size, size), interpolation=cv2.INTER_LINEAR)
        streaks += weight * np.asarray(grain / grain.std(), np.float32)
    tone = 1.0 + rough * 0.13 * streaks
    channels = []
    for warmth, share in zip(WARMTH, tint, strict=True):
        colour = streaks * np.float32(warmth * rough)
        colour += 1.0
        colour *= tone
        colour *= np.float32(share)
        channels.append(np.clip(colour, 0.0, 1.0, out=colour))
    return np.asarray(cv2.merge(channels), np.float32)


def _surface(table: Table, carpenter: Carpenter, random: np.random.Generator) -> Plane:
    """The playing surface from above with everything printed on it."""
    texture = _wood(_extent_mm(table), WOOD, random, rough=0.42)
    pen = _Pen(texture, _extent_mm(table))
    for seat in Seat:
        for line in table.base_lines(seat):
            pen.line(carpenter.line(line), INK)
        for printed in table.base_circles(seat):
            circle = carpenter.circle(printed)
            pen.disc(circle, WOOD)
            pen.ring(circle, 1.5, INK)
            pen.disc(
                circle._replace(radius_mm=table.base_circle_red_radius_mm), RED_INK
            )
    for arrow in table.arrows():
        _draw_arrow(pen, carpenter.line(arrow))
    _draw_centre(pen, table, carpenter)
    texture += np.float32(0.02) * _powder(texture.shape[0], random)[..., None]
    return texture


def _powder(size: int, random: np.random.Generator) -> Plane:
    """Where powder lies, in soft drifts: drawn small, for it holds no detail."""
    grains = random.standard_normal((90, 90), np.float32)
    small = cv2.resize(
        grains, (size // HAZE_SHRINK,) * 2, interpolation=cv2.INTER_CUBIC
    )
    soft = cv2.GaussianBlur(small, (0, 0), 40.0 / HAZE_SHRINK)
    haze = cv2.resize(soft, (size, size), interpolation=cv2.INTER_LINEAR)
    return np.asarray(np.clip(haze / float(haze.std()), 0, None), np.float32)


def _draw_arrow(pen: "_Pen", arrow: Segment) -> None:
    pen.line(arrow, INK)
    out = Point(arrow.start.x_mm - arrow.end.x_mm, arrow.start.y_mm - arrow.end.y_mm)
    long = out.distance_mm(Point(0, 0))
    ux, uy = out.x_mm / long, out.y_mm / long
    tip = arrow.start
    for turn in (1.0, -1.0):
        back = Point(
            tip.x_mm - 15.0 * ux - turn * 6.0 * uy,
            tip.y_mm - 15.0 * uy + turn * 6.0 * ux,
        )
        pen.line(Segment(tip, back, arrow.width_mm * 1.4), INK)
    arch = Point(arrow.end.x_mm + 28.0 * ux, arrow.end.y_mm + 28.0 * uy)
    pen.ring(Circle(arch, 25.0), 1.2, INK)


def _draw_centre(pen: "_Pen", table: Table, carpenter: Carpenter) -> None:
    """The two circles and a rosette of petals between them, as clubs have it."""
    centre = Point(0.0, 0.0)
    outer = carpenter.circle(Circle(centre, table.outer_circle_radius_mm))
    pen.ring(outer, 2.4, INK)
    pen.ring(outer._replace(radius_mm=outer.radius_mm - 5.0), 1.0, INK)
    for petal in range(8):
        angle = petal * np.pi / 4
        for bend in (-0.32, 0.32):
            side = Point(52.0 * np.cos(angle + bend), 52.0 * np.sin(angle + bend))
            tip = Point(76.0 * np.cos(angle), 76.0 * np.sin(angle))
            foot = Point(24.0 * np.cos(angle), 24.0 * np.sin(angle))
            tint = RED_INK if petal % 2 else INK
            pen.line(Segment(foot, side, 1.3), tint)
            pen.line(Segment(side, tip, 1.3), tint)
    spot = carpenter.circle(Circle(centre, table.centre_circle_radius_mm))
    pen.disc(spot, RED_INK)
    pen.ring(spot, 1.8, INK)


class _Pen:
    """Draws millimetres on a texture with sub-pixel places."""

    def __init__(self, texture: Plane, extent_mm: float) -> None:
        self._texture = texture
        self._extent_mm = extent_mm

    def line(self, line: Segment, ink: tuple[float, float, float]) -> None:
        mask, thick = self._mask(), max(1, round(line.width_mm * PX_PER_MM))
        ends = self._px(line.start), self._px(line.end)
        cv2.line(mask, *ends, 255, thick, cv2.LINE_AA, 4)
        self._ink(mask, ink)

    def disc(self, circle: Circle, ink: tuple[float, float, float]) -> None:
        self._circle(circle, -1, ink)

    def ring(
        self, circle: Circle, width_mm: float, ink: tuple[float, float, float]
    ) -> None:
        self._circle(circle, max(1, round(width_mm * PX_PER_MM)), ink)

    def _circle(
        self, circle: Circle, thick: int, ink: tuple[float, float, float]
    ) -> None:
        mask, radius = self._mask(), round(circle.radius_mm * PX_PER_MM * 16)
        at = self._px(circle.centre)
        cv2.circle(mask, at, radius, 255, thick, cv2.LINE_AA, 4)
        self._ink(mask, ink)

    def _mask(self) -> NDArray[np.uint8]:
        return np.zeros(self._texture.shape[:2], np.uint8)

    def _px(self, at: Point) -> tuple[int, int]:
        x = (at.x_mm + self._extent_mm) * PX_PER_MM - 0.5
        y = (self._extent_mm - at.y_mm) * PX_PER_MM - 0.5
        return round(x * 16), round(y * 16)

    def _ink(self, mask: NDArray[np.uint8], ink: tuple[float, float, float]) -> None:
        x, y, width, height = cv2.boundingRect(mask)
        part = np.s_[y : y + height, x : x + width]
        cover = mask[part][..., None] * np.float32(0.93 / 255.0)
        self._texture[part] += cover * (np.array(ink, np.float32) - self._texture[part])


def _shiny(table: Table, ground: Plane) -> Plane:
    on_table = _out(ground) < table.half_mm + table.frame_width_mm
    return np.where(on_table, 1.0, 0.05).astype(np.float32)


def _light(camera: Camera, ground: Plane) -> tuple[Plane, Plane]:
    """The lamps' light on a flat thing at each pixel, and their mirror image."""
    light = np.full(ground.shape[:2], 0.22, np.float32)
    shine = np.zeros(ground.shape[:2], np.float32)
    foot, height = camera.position_mm[:2], camera.position_mm[2]
    for x, y, z in LAMPS_MM:
        away = (ground[..., 0] - x) ** 2 + (ground[..., 1] - y) ** 2 + z * z
        light += np.float32(0.47 * z**3 * 1.22) / away**1.5
        mirror_x = foot[0] + (x - foot[0]) * height / (height + z)
        mirror_y = foot[1] + (y - foot[1]) * height / (height + z)
        off = (ground[..., 0] - mirror_x) ** 2 + (ground[..., 1] - mirror_y) ** 2
        shine += np.exp(-off / (2 * 70.0**2)) + 0.5 * np.exp(-off / (2 * 170.0**2))
    fall_off = (ground[..., 0] - foot[0]) ** 2 + (ground[..., 1] - foot[1]) ** 2
    vignette = 1.0 / (1.0 + 0.35 * fall_off / height**2) ** 2
    return (light * vignette).astype(np.float32), shine.astype(np.float32)
