"""A short series of pictures from one fixed camera, as little of it as is needed.

A second of whole pictures is 130 MB; calibrating needs their mean and how bright
each was, which travels between processes and fits any machine.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibration.edges import Bytes
from calibration.refusal import Refusal

AVERAGED = 8
"""Frames averaged for the fit: noise goes, and nobody holds still for longer."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Series:
    """Pictures of the empty table: their mean (BGR), brightness and times.

    `image` is the mean of the first `AVERAGED`, `levels` the mean grey of each
    picture, `times_s` when each was exposed.
    """

    image: Bytes
    levels: tuple[float, ...]
    times_s: tuple[float, ...]


class SeriesMaker:
    """Takes pictures one by one and keeps what a Series needs of them."""

    def __init__(self) -> None:
        self._total: np.ndarray[tuple[int, ...], np.dtype[np.float32]] | None = None
        self._levels: list[float] = []
        self._times_s: list[float] = []

    def __len__(self) -> int:
        return len(self._levels)

    def add(self, image: Bytes, at_s: float) -> None:
        """One more picture; all must have one size."""
        if self._total is None:
            self._total = np.zeros(image.shape, np.float32)
        if len(self) < AVERAGED:
            self._total += image
        self._levels.append(float(image[::4, ::4, 1].mean()))
        self._times_s.append(at_s)

    def made(self) -> Series:
        """The series so far; raises Refusal when there was no picture."""
        if self._total is None:
            raise Refusal("no picture of the table was taken; check the camera")
        mean = self._total / min(len(self), AVERAGED)
        return Series(
            image=np.asarray(np.round(mean), np.uint8),
            levels=tuple(self._levels),
            times_s=tuple(self._times_s),
        )


def series_of(images: Sequence[Bytes], times_s: Sequence[float]) -> Series:
    """The series of pictures (BGR) and their times; raises Refusal for none."""
    maker = SeriesMaker()
    for image, at_s in zip(images, times_s, strict=True):
        maker.add(image, at_s)
    return maker.made()
