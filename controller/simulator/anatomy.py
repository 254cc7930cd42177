"""A hand's shape: where its bones lie in three poses, and how skin and sleeve look.

Lengths are a grown man's: 190 mm from wrist to fingertip, 85 mm across the knuckles.
Places are (back, across, up, radius) in mm: back from the fingertips towards the
elbow, across to the little finger's side, up from the lowest fingertip.
"""

from enum import Enum
from typing import NamedTuple

from vision.sources.rendering_scene import Check, Colour

SKINS: tuple[Colour, ...] = (
    (0.36, 0.46, 0.66),
    (0.22, 0.34, 0.58),
    (0.11, 0.19, 0.38),
    (0.045, 0.075, 0.15),
)
"""Light, wood-like, brown and very dark."""


class Cloth(NamedTuple):
    """What a sleeve is made of."""

    colour: Colour
    check: Check | None = None


BLACK = Cloth((0.02, 0.02, 0.022))
WHITE = Cloth((0.72, 0.74, 0.74))
WOODEN = Cloth((0.30, 0.52, 0.66))
"""The playing surface's own colour."""
CHECKED = Cloth((0.05, 0.05, 0.35), Check((0.60, 0.62, 0.62), 18.0))
FRAME_LIKE = Cloth((0.030, 0.055, 0.115))
"""The frame's own colour."""
SLEEVES: tuple[Cloth | None, ...] = (None, BLACK, WHITE, WOODEN, CHECKED)
"""None is a bare arm."""


class Place(NamedTuple):
    """A ball of the hand in its own axes."""

    back: float
    across: float
    up: float
    radius: float


Chain = tuple[Place, ...]
"""Joints that bones connect, from the wrist's side outwards."""


class Pose(Enum):
    """What a hand does with its fingers."""

    SPREAD = "spread"
    """Reaching over the table, the fingers apart."""
    PINCH = "pinch"
    """Thumb and first finger hold a piece by its rim."""
    FLICK = "flick"
    """The first finger behind the striker, the others curled."""


Spot = tuple[float, float, float]
"""Back, across, up."""


def _finger(root: Place, middle: Spot, tip: Spot) -> Chain:
    return root, _ball(middle, 9.0), _ball(tip, 7.5)


def _ball(at: Spot, radius: float) -> Place:
    back, across, up = at
    return Place(back, across, up, radius)


_ROOTS = (
    Place(88.0, -30.0, 46.0, 11.5),
    Place(83.0, -10.0, 49.0, 12.0),
    Place(87.0, 10.0, 48.0, 11.5),
    Place(97.0, 28.0, 43.0, 10.5),
)
"""The knuckles, first finger to little finger."""
WRIST = Place(176.0, 0.0, 56.0, 26.0)
_THUMB_ROOT = Place(152.0, -26.0, 44.0, 18.0)
_ENDS: dict[Pose, tuple[tuple[Spot, Spot], ...]] = {
    Pose.SPREAD: (
        ((44.0, -36.0, 30.0), (10.0, -40.0, 9.0)),
        ((38.0, -10.0, 32.0), (0.0, -10.0, 9.0)),
        ((43.0, 17.0, 31.0), (7.0, 23.0, 9.0)),
        ((62.0, 42.0, 28.0), (34.0, 53.0, 9.0)),
    ),
    Pose.PINCH: (
        ((40.0, -22.0, 52.0), (2.0, 4.0, 10.0)),
        ((36.0, 2.0, 54.0), (10.0, 20.0, 14.0)),
        ((42.0, 20.0, 52.0), (24.0, 36.0, 20.0)),
        ((60.0, 38.0, 46.0), (46.0, 52.0, 26.0)),
    ),
    Pose.FLICK: (
        ((38.0, -20.0, 46.0), (0.0, 0.0, 9.0)),
        ((40.0, 0.0, 42.0), (56.0, 2.0, 12.0)),
        ((46.0, 18.0, 40.0), (64.0, 16.0, 12.0)),
        ((60.0, 36.0, 36.0), (78.0, 30.0, 12.0)),
    ),
}
_THUMBS: dict[Pose, tuple[Place, Place]] = {
    Pose.SPREAD: (Place(122.0, -52.0, 34.0, 12.0), Place(84.0, -76.0, 18.0, 9.5)),
    Pose.PINCH: (Place(92.0, -48.0, 34.0, 12.0), Place(20.0, -14.0, 12.0, 9.5)),
    Pose.FLICK: (Place(96.0, -50.0, 32.0, 12.0), Place(34.0, -26.0, 16.0, 9.5)),
}


def hand(pose: Pose) -> tuple[Chain, ...]:
    """A right hand's skin: palm, four fingers and thumb."""
    palm = tuple((_narrowed(WRIST, root), _thicker(root)) for root in _ROOTS)
    fingers = tuple(
        _finger(root, *ends) for root, ends in zip(_ROOTS, _ENDS[pose], strict=True)
    )
    thumb = (_THUMB_ROOT, *_THUMBS[pose])
    ball = (Place(160.0, -10.0, 46.0, 24.0), _THUMB_ROOT)
    web = (Place(150.0, -18.0, 44.0, 20.0), _thicker(_ROOTS[0]))
    return (*palm, ball, web, *fingers, thumb)


def _narrowed(wrist: Place, root: Place) -> Place:
    return Place(wrist.back - 16.0, 0.5 * root.across, wrist.up - 4.0, 18.0)


def _thicker(root: Place) -> Place:
    return root._replace(up=root.up - 3.0, radius=root.radius + 2.0)
