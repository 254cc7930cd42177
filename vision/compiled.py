"""One way to compile a hot kernel: numba, without the lock, kept on disk.

The first call ever costs seconds (tens on a Pi); later processes load the kept
machine code in milliseconds. `fastmath` is safe here: images hold no NaN.
"""

from collections.abc import Callable
from typing import TypeVar, cast

import cv2
from numba import njit

from calibration.kernels import kept

Kernel = TypeVar("Kernel", bound=Callable[..., object])


def use_one_core() -> None:
    """Keep OpenCV to one core, as our kernels are: the rest is for other work."""
    cv2.setNumThreads(1)


def compiled(function: Kernel) -> Kernel:
    """The same function as machine code that releases the interpreter's lock."""
    fast = njit(cache=True, nogil=True, fastmath=True, error_model="numpy")(function)
    return kept(cast("Kernel", fast))
