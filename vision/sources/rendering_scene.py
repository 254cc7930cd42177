"""What a rendered camera looks at, as values: pieces, hands and light at one time.

The simulator makes scenes, the renderer turns them into pictures. Nothing here
knows what a detector or tracker makes of the picture.
"""

from dataclasses import dataclass
from typing import NamedTuple

from calibration.table import Piece, Pocket, Point
from vision.sources.rendering_held import HeldBoard

Colour = tuple[float, float, float]
"""Reflectance in linear light, 0 to 1, in the order blue, green, red."""

AT_REST = Point(0.0, 0.0)


@dataclass(frozen=True, slots=True)
class ScenePiece:
    """One piece at the middle of the exposure.

    `velocity` is mm/s and makes the motion blur. `lift_mm` is how far its
    underside is above the playing surface: positive in a hand, negative while
    it drops through a pocket. `turned_rad` turns its grain.
    """

    piece: Piece
    at: Point
    velocity: Point = AT_REST
    lift_mm: float = 0.0
    turned_rad: float = 0.0


class Joint(NamedTuple):
    """A ball of an arm or finger: centre in mm, height above the surface, radius."""

    x_mm: float
    y_mm: float
    height_mm: float
    radius_mm: float


class Check(NamedTuple):
    """A checked cloth's second colour, and how large its squares are."""

    colour: Colour
    square_mm: float


class Bone(NamedTuple):
    """A capsule between two joints, in one colour or checked."""

    start: Joint
    end: Joint
    colour: Colour
    check: Check | None = None


@dataclass(frozen=True, slots=True)
class Limb:
    """A hand with its arm: bones that cover each other by height.

    `velocity` is mm/s and makes the motion blur.
    """

    bones: tuple[Bone, ...]
    velocity: Point = AT_REST


class NetContent(NamedTuple):
    """A piece that lies in a pocket's net."""

    pocket: Pocket
    piece: Piece


@dataclass(frozen=True, slots=True)
class Scene:
    """All the camera can see at `at_s`, the middle of an exposure.

    `light` is the lamps' brightness, 1.0 as calibrated; `knocked_px` how far right
    a knock on the camera has moved its picture; `board` a calibration board that
    somebody holds before the camera.
    """

    at_s: float
    pieces: tuple[ScenePiece, ...]
    limbs: tuple[Limb, ...] = ()
    nets: tuple[NetContent, ...] = ()
    light: float = 1.0
    knocked_px: int = 0
    board: HeldBoard | None = None
