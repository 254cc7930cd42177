"""Somebody who holds the ChArUco board before the camera, as the page asks for it.

They go round and round: to every corner of the picture and its middle, tipped to each
side in turn, a moment still at each place. It is a fake helper for the demo and the
tests; nothing it knows reaches the product.
"""

from dataclasses import dataclass
from math import pi

import numpy as np

from vision.sources.rendering_camera import Camera, Floats
from vision.sources.rendering_held import HeldBoard

MOVING_S, STILL_S = 1.2, 2.4
FROM_LENS_MM = (330.0, 430.0)
TIPPED_DEG = 28.0
PLACES = [(x, y) for y in (0.22, 0.5, 0.78) for x in (0.15, 0.38, 0.62, 0.85)]
"""Where in the picture the board's middle is held, in shares of the picture."""


@dataclass(frozen=True, slots=True)
class _Pose:
    middle_mm: Floats
    turn: Floats


def held_at(camera: Camera, at_s: float) -> HeldBoard:
    """The board as it is held so many seconds after the helper began."""
    lap, since_s = divmod(at_s, MOVING_S + STILL_S)
    step = int(lap)
    if since_s >= MOVING_S:
        return _board(camera, _pose(camera, step))
    t = since_s / MOVING_S
    eased = t * t * (3.0 - 2.0 * t)
    before, after = _pose(camera, step - 1), _pose(camera, step)
    between = _Pose(
        before.middle_mm + eased * (after.middle_mm - before.middle_mm),
        before.turn + eased * (after.turn - before.turn),
    )
    return _board(camera, between)


def still_at(camera: Camera, step: int) -> HeldBoard:
    """The board as it is held still for the `step`-th time."""
    return _board(camera, _pose(camera, step))


def _pose(camera: Camera, step: int) -> _Pose:
    across, down = PLACES[(step * 5) % len(PLACES)]
    pixel = np.array([across * camera.width_px, down * camera.height_px])
    eye = np.array(camera.position_mm)
    ray = np.array([*camera.ground(pixel), 0.0]) - eye
    near, far = FROM_LENS_MM
    away = near + (far - near) * ((step * 3) % 5) / 4
    # Round about: each lap through the places tips the board another way at each.
    towards = (step % 4) * pi / 2 + (step // len(PLACES)) * pi / 4
    tip = np.radians(TIPPED_DEG)
    turn = np.array([tip * np.cos(towards), tip * np.sin(towards), 0.12 * (step % 3)])
    return _Pose(eye + ray * (away / np.linalg.norm(ray)), turn)


def _board(camera: Camera, pose: _Pose) -> HeldBoard:
    """A pose relative to the picture: x right, y up, towards the lens."""
    tip_x, tip_y, spin = pose.turn.tolist()
    right = np.array([np.cos(spin), np.sin(spin), 0.0])
    up = np.array([-np.sin(spin), np.cos(spin), 0.0])
    turned = _turn(0, tip_x) @ _turn(1, tip_y)
    axes = np.array(camera.rotation) * np.array([[1.0], [-1.0], [-1.0]])
    across, upward = ((turned @ v) @ axes for v in (right, up))
    x, y, z = pose.middle_mm.tolist()
    return HeldBoard(middle_mm=(x, y, z), across=_vector(across), up=_vector(upward))


def _turn(axis: int, by_rad: float) -> Floats:
    first, second = [n for n in range(3) if n != axis]
    turn = np.eye(3)
    turn[first, first] = turn[second, second] = np.cos(by_rad)
    turn[first, second], turn[second, first] = -np.sin(by_rad), np.sin(by_rad)
    return turn


def _vector(values: Floats) -> tuple[float, float, float]:
    x, y, z = values.tolist()
    return x, y, z
