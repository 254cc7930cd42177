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
    recording's own clock); `sequence` counts what the camera exposed, so a
    gap in it is a lost frame.
    """

    at_s: float
    sequence: int
    image: Image


@dataclass(frozen=True, slots=True)
class SourceState:
    """How a source does, beside the frames it delivers.

    `down`: why no frames come now; None while they do. `faults`: what is wrong
    though they come, a sentence each. `doubt_s`: how much earlier than
    `Frame.at_s` the exposure may have been.
    """

    down: str | None = None
    faults: tuple[str, ...] = ()
    doubt_s: float = 0.0


class FrameSource(Protocol):
    """Anything that delivers frames in order of time."""

    @property
    def state(self) -> SourceState:
        """How it does now; any thread may ask."""
        ...

    def frames(self) -> Iterator[Frame]:
        """Deliver frames until the source ends; raises SourceError on a fault."""
        ...

    def close(self) -> None:
        """Let go of the device or file; safe to call twice."""
        ...


class SourceError(Refusal):
    """A frame source cannot go on; the message names it and the remedy."""
