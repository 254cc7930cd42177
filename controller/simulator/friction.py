"""What wood does to sliding pieces between two collisions, compiled.

A state is an array of one row per piece with the columns below. A disc loses speed
at a constant rate (Coulomb), turning stops likewise. Over a pocket's hole a piece
drops freely and is caught once it has sunk `CAUGHT_MM`.
"""

from math import sqrt

import numpy as np
from numba import njit
from numpy.typing import NDArray

from calibration.kernels import kept

Floats = NDArray[np.float64]

X, Y, TURNED, VX, VY, SPIN = range(6)
"""Columns of the state, as pymunk's batch gives them."""
GRAVITY_MM_S2 = 9810.0
CAUGHT_MM = 2.0
CAUGHT_S = sqrt(2 * CAUGHT_MM / GRAVITY_MM_S2)
REST_MM_S = 2.0
"""Slower than this a piece sticks to the wood."""
TURN_SLOWING = 25.0
"""How fast turning stops, rad/s2."""
HIT_MM_S = 1.0
"""A step that changes a speed by more holds a hit: the next must be as long.

pymunk begins with the last step's impulses times the ratio of both steps, and
takes back only the plain ones: another length would leave a part of them.
"""


@kept
@njit(cache=True)
def fastest(state: Floats) -> float:
    """The highest speed, mm/s."""
    best = 0.0
    for row in state:
        best = max(best, row[VX] ** 2 + row[VY] ** 2)
    return sqrt(best)


@kept
@njit(cache=True)
def hit(before: Floats, after: Floats) -> bool:
    """Whether a step changed any speed by more than friction would."""
    for i in range(after.shape[0]):
        for c in (VX, VY):
            if abs(after[i, c] - before[i, c]) > HIT_MM_S:
                return True
    return False


@kept
@njit(cache=True)
def energy(state: Floats, inertia: Floats) -> float:
    """Kinetic energy in g mm2/s2, which is nanojoules."""
    total = 0.0
    for i in range(state.shape[0]):
        for c in range(3):
            total += inertia[i, c] * state[i, VX + c] ** 2
    return total


@kept
@njit(cache=True)
def lose_energy(before: Floats, after: Floats, inertia: Floats) -> None:
    """Slow all pieces alike when a meeting of many made energy."""
    had, has = energy(before, inertia), energy(after, inertia)
    if has > had:
        after[:, VX:] *= sqrt(had / has)


@kept
@njit(cache=True)
def slow_down(state: Floats, over_s: Floats, slowing: float, step_s: float) -> bool:
    """Take friction's share of every speed and spin; whether all are at rest."""
    still = True
    for i in range(state.shape[0]):
        row = state[i]
        speed = sqrt(row[VX] ** 2 + row[VY] ** 2)
        left = max(speed - slowing * step_s, 0.0)
        if left <= REST_MM_S and over_s[i] == 0.0:
            left = 0.0
        share = left / max(speed, 1e-9)
        row[VX] *= share
        row[VY] *= share
        spin = max(abs(row[SPIN]) - TURN_SLOWING * step_s, 0.0)
        row[SPIN] = spin if row[SPIN] > 0 else -spin
        still = still and left == 0.0 and spin == 0.0 and over_s[i] == 0.0
    return still


@kept
@njit(cache=True)
def drop(
    state: Floats, over_s: Floats, hole: tuple[float, float], step_s: float
) -> bool:
    """Count each piece's time over a hole; whether any has sunk far enough.

    `hole`: the north-east pocket's inset on both axes, and its radius.
    """
    deep = False
    for i in range(state.shape[0]):
        off = (abs(state[i, X]) - hole[0]) ** 2 + (abs(state[i, Y]) - hole[0]) ** 2
        over_s[i] = over_s[i] + step_s if off < hole[1] ** 2 else 0.0
        deep = deep or over_s[i] >= CAUGHT_S
    return deep
