"""How pieces go on moving: the prediction a tracker searches around.

Discs slide with constant friction, bounce off the frame and off each other, and
are caught by pockets. The numbers are typical of powdered boards, not those of
any one table: a prediction has to come within a few millimetres per frame, the
picture then says where the piece really is.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from calibration.table import Table
from vision.compiled import compiled

Floats = NDArray[np.float64]

FRICTION_MM_S2 = 1000.0
"""Deceleration by sliding on powder, about 0.1 g."""
CUSHION_BOUNCE = 0.7
"""Speed kept across a bounce off the frame."""
PIECE_BOUNCE = 0.85
"""Speed kept between two pieces."""
STEP_MM = 3.0
"""The fastest piece moves this far per step: a fifth of a coin's radius."""
STRIKER_OVER_COIN = 2.8
"""Mass of a 15 g striker over a 5.3 g coin."""
FREE = -1.0
"""Not caught by a pocket; the kernels' arithmetic knows no infinity."""


class Discs(NamedTuple):
    """N discs: places and velocities (N x 2, mm and mm/s), radii, masses."""

    at: Floats
    velocity: Floats
    radius: Floats
    mass: Floats


def advance(discs: Discs, table: Table, seconds: float) -> tuple[Discs, Floats]:
    """The discs after some time, and when each was caught by a pocket (inf: not)."""
    at, velocity = discs.at.copy(), discs.velocity.copy()
    caught = np.full(len(at), FREE)
    pockets = np.array(list(table.pocket_centres.values()), np.float64)
    _advance(
        at,
        velocity,
        discs.radius,
        discs.mass,
        pockets,
        table.pocket_radius_mm,
        table.half_mm,
        seconds,
        caught,
    )
    caught[caught == FREE] = np.inf
    return Discs(at, velocity, discs.radius, discs.mass), caught


@compiled
def _advance(
    at: Floats,
    velocity: Floats,
    radius: Floats,
    mass: Floats,
    pockets: Floats,
    pocket_radius: float,
    half: float,
    seconds: float,
    caught: Floats,
) -> None:
    done = 0.0
    while done < seconds:
        fastest = 0.0
        for i in range(len(at)):
            speed = np.hypot(velocity[i, 0], velocity[i, 1])
            fastest = max(fastest, speed)
        if fastest == 0.0:
            return
        step = min(seconds - done, STEP_MM / fastest, 0.004)
        done += step
        _slide(at, velocity, step)
        _cushions(at, velocity, radius, half)
        _collide(at, velocity, radius, mass, caught)
        _catch(at, velocity, pockets, pocket_radius, done, caught)


@compiled
def _slide(at: Floats, velocity: Floats, step: float) -> None:
    for i in range(len(at)):
        speed = np.hypot(velocity[i, 0], velocity[i, 1])
        if speed == 0.0:
            continue
        slower = max(0.0, speed - FRICTION_MM_S2 * step)
        for k in range(2):
            at[i, k] += velocity[i, k] * step * (1 + slower / speed) / 2
            velocity[i, k] *= slower / speed


@compiled
def _cushions(at: Floats, velocity: Floats, radius: Floats, half: float) -> None:
    for i in range(len(at)):
        limit = half - radius[i]
        for k in range(2):
            if abs(at[i, k]) > limit and at[i, k] * velocity[i, k] > 0:
                over = abs(at[i, k]) - limit
                at[i, k] -= np.sign(at[i, k]) * over * (1 + CUSHION_BOUNCE)
                velocity[i, k] *= -CUSHION_BOUNCE


@compiled
def _collide(
    at: Floats, velocity: Floats, radius: Floats, mass: Floats, caught: Floats
) -> None:
    for i in range(len(at)):
        for j in range(i):
            if max(caught[i], caught[j]) != FREE:
                continue
            reach = radius[i] + radius[j]
            dx, dy = at[i, 0] - at[j, 0], at[i, 1] - at[j, 1]
            if abs(dx) > reach or abs(dy) > reach:
                continue
            gap = np.hypot(dx, dy)
            if gap >= reach or gap == 0.0:
                continue
            nx, ny = dx / gap, dy / gap
            closing = (velocity[i, 0] - velocity[j, 0]) * nx
            closing += (velocity[i, 1] - velocity[j, 1]) * ny
            if closing >= 0.0:
                continue
            push = -(1 + PIECE_BOUNCE) * closing / (1 / mass[i] + 1 / mass[j])
            velocity[i, 0] += push * nx / mass[i]
            velocity[i, 1] += push * ny / mass[i]
            velocity[j, 0] -= push * nx / mass[j]
            velocity[j, 1] -= push * ny / mass[j]


@compiled
def _catch(
    at: Floats,
    velocity: Floats,
    pockets: Floats,
    pocket_radius: float,
    now: float,
    caught: Floats,
) -> None:
    for i in range(len(at)):
        if caught[i] != FREE:
            continue
        for p in range(len(pockets)):
            dx, dy = at[i, 0] - pockets[p, 0], at[i, 1] - pockets[p, 1]
            if dx * dx + dy * dy < pocket_radius * pocket_radius:
                caught[i] = now
                velocity[i, 0] = velocity[i, 1] = 0.0
