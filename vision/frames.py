"""What a camera gives: frames with a time, from any source."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.refusal import Refusal

Image = NDArray[np.uint8]
"""height x width x 3, BGR, uint8, contiguous; a picture's top is north."""


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """The camera saw this.

    `at_s` is the middle of the exposure on the host's monotonic clock (or the
    recording's own clock); `sequence` counts what the camera delivered, so a
    gap in it is a lost frame.
    """

    at_s: float
    sequence: int
    image: Image


class FrameSource(Protocol):
    """Anything that delivers frames in order of time."""

    def frames(self) -> Iterator[Frame]:
        """Deliver frames until the source ends; raises SourceError on a fault."""
        ...

    def close(self) -> None:
        """Let go of the device or file; safe to call twice."""
        ...


class SourceError(Refusal):
    """A frame source cannot go on; the message names it and the remedy."""
