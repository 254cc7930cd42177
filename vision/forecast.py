"""Where the plain disc model has every followed piece at the next frame."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.table import Piece, Point, Table
from vision.followed import Followed
from vision.motion import STRIKER_OVER_COIN, Discs, Floats, advance

LONGEST_STEP_S = 0.1
"""After a longer gap in the frames the model says nothing useful."""


@dataclass(frozen=True, slots=True, eq=False)
class Forecast:
    """Where the model has every followed piece at this frame."""

    at: list[Point]
    velocity: list[Point]
    caught: Floats
    """Seconds after the last frame at which a pocket caught it; inf: not."""


def forecast_of(followed: Sequence[Followed], table: Table, seconds: float) -> Forecast:
    """Every piece so many seconds on, collisions and cushions included."""
    striking = [f.piece is Piece.STRIKER for f in followed]
    discs = Discs(
        np.array([f.at for f in followed]),
        np.array([f.velocity for f in followed]),
        radii_mm(followed, table),
        np.where(striking, STRIKER_OVER_COIN, 1.0),
    )
    later, caught = advance(discs, table, min(seconds, LONGEST_STEP_S))
    places = [Point(x, y) for x, y in later.at.tolist()]
    velocities = [Point(x, y) for x, y in later.velocity.tolist()]
    return Forecast(places, velocities, caught)


def radii_mm(followed: Sequence[Followed], table: Table) -> Floats:
    """N: the radius of each."""
    coin, striker = table.coin_radius_mm, table.striker_radius_mm
    striking = [f.piece is Piece.STRIKER for f in followed]
    return np.where(striking, striker, coin)
