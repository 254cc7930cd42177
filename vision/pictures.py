"""Pictures as people hand them over: any usual file, turned as it is shown."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np

from calibration.refusal import Refusal
from vision.frames import Image
from vision.picture_size import stated_size

SMALLEST_PX = 120
"""Below this a coin is under five pixels wide: nothing honest can be said."""
LARGEST_PIXELS = 120_000_000
"""Above this the picture alone takes a third of a gigabyte: no camera's are larger."""


def read_picture(path: Path) -> Image:
    """The picture in a file as BGR, upright by its EXIF orientation.

    Grey, 16-bit and transparent pictures become plain colour. Raises Refusal when
    the file is missing, no picture, too small or too large.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or "unreadable"
        raise Refusal(
            f"picture {path} cannot be read ({reason}); name an image file"
        ) from None
    _check_not_too_large(path, stated_size(data))
    image = _decode(data)
    if image is None:
        raise Refusal(
            f"{path} is no picture this program can read; give a JPEG, PNG, WebP or TIFF"
        )
    height, width = image.shape[:2]
    _check_not_too_large(path, (width, height))
    if min(height, width) < SMALLEST_PX:
        raise Refusal(
            f"picture {path} is {width} x {height} px; "
            f"at least {SMALLEST_PX} px each way are needed"
        )
    return image


def write_picture(path: Path, image: Image) -> None:
    """Write a picture; the name's ending says which kind.

    Raises Refusal when the folder or the ending will not do.
    """
    try:
        done, data = cv2.imencode(path.suffix.lower() or ".?", image)
    except cv2.error:
        done = False
    if not done:
        raise Refusal(f"{path} has no ending of a picture; name it OUT.png or OUT.jpg")
    try:
        path.write_bytes(data.tobytes())
    except OSError as error:
        raise Refusal(
            f"picture {path} cannot be written ({error.strerror}); name another place"
        ) from None


def _check_not_too_large(path: Path, size: tuple[int, int] | None) -> None:
    if size is not None and size[0] * size[1] > LARGEST_PIXELS:
        raise Refusal(
            f"picture {path} is {size[0]} x {size[1]} px; at most "
            f"{LARGEST_PIXELS // 1_000_000} million pixels are read: make it smaller"
        )


def _decode(data: bytes) -> Image | None:
    if not data:
        return None
    try:
        with _quiet():
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if image is None else np.asarray(image, np.uint8)


@contextmanager
def _quiet() -> Iterator[None]:
    """No complaints of the image libraries on standard error: ours says it all.

    They write to the file descriptor, past Python.
    """
    sys.stderr.flush()
    kept = os.dup(2)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)
