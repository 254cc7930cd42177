"""Whether the camera still is where the table was measured.

Once a second, whenever the picture changes and no piece moves, the marks of the table
are found again (`registration`). Two looks that agree on a small movement are taken
for one: the eyes then look through the moved mapping, which is right at once. A large
one is a knocked camera or a moved board: nothing is counted until it is back in its
place, or calibrated anew.
"""

from dataclasses import dataclass
from math import inf

import numpy as np

from calibration.plane import PlaneMapping
from calibration.table import Table
from vision.frames import Image
from vision.registration import NO_DRIFT, Drift, Registration

EVERY_S = 1.0
AGAIN_S = 0.2
"""A movement seen for the first time is looked at again this much later."""
MOVED_PX = 0.3
"""Measurements of a camera that stands still scatter by a third of this."""
AGREE_PX = 0.15
FAR_PX = 3.0
"""Beyond this the picture of the empty table no longer fits: calibrate again."""


@dataclass(frozen=True, slots=True)
class Moved:
    """The camera has moved to `drift`, by `shift_mm` (at the worst corner) in all.

    `step` is what it moved since the last answer that was near enough to look through.
    `far`: too far to look on; `back`: it was too far and no longer is.
    """

    drift: Drift
    step: Drift
    shift_mm: float
    far: bool
    back: bool


class Place:
    """Remembers where the camera was; says when it has moved."""

    def __init__(
        self, table: Table, mapping: PlaneMapping, empty: Image | None
    ) -> None:
        """`empty` None: the first table at rest will be remembered (`learn`)."""
        self._table = table
        self._mapping = mapping
        self._corners_mm = np.array(table.corners, np.float64)
        self._corners_px = mapping.to_px(self._corners_mm)
        self._registration: Registration | None = None
        self._drift = self._followed = NO_DRIFT
        self._suspected: Drift | None = None
        self._due_s = -inf
        self._far = False
        if empty is not None:
            self.learn(empty)

    @property
    def far(self) -> bool:
        """Whether the camera is too far from its place to count anything."""
        return self._far

    @property
    def unsure(self) -> bool:
        """Whether a movement was seen once and must be looked at again."""
        return self._suspected is not None

    def learn(self, image: Image) -> None:
        """Remember the first picture at rest; later ones change nothing."""
        if self._registration is None:
            self._registration = Registration(self._table, self._mapping, image)

    def look(self, image: Image, at_s: float) -> Moved | None:
        """Measure if it is time to; what has changed since the last answer."""
        if self._registration is None or at_s < self._due_s:
            return None
        self._due_s = at_s + EVERY_S
        drift = self._registration.measure(image, self._drift)
        if drift is None or self._apart_px(drift, self._drift) < MOVED_PX:
            self._suspected = None
            return None
        before, self._suspected = self._suspected, drift
        if before is None or self._apart_px(drift, before) > AGREE_PX:
            self._due_s = at_s + AGAIN_S
            return None
        self._suspected = None
        return self._moved(drift)

    def _moved(self, drift: Drift) -> Moved | None:
        was_far, self._far = self._far, self._apart_px(drift, NO_DRIFT) > FAR_PX
        self._drift, step = drift, drift.since(self._followed)
        if not self._far:
            self._followed = drift
        seen = self._mapping.to_mm(drift.forward(self._corners_px))
        shift_mm = float(np.hypot(*(seen - self._corners_mm).T).max())
        return Moved(drift, step, shift_mm, self._far, was_far and not self._far)

    def _apart_px(self, one: Drift, other: Drift) -> float:
        """How far two movements differ at the corner where they differ most."""
        apart = one.forward(self._corners_px) - other.forward(self._corners_px)
        return float(np.hypot(*apart.T).max())
