"""Pictures as people hand them over: any usual file, turned as it is shown."""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile

import cv2
import numpy as np

from calibration.refusal import Refusal
from vision.frames import Image
from vision.picture_size import stated_size

SMALLEST_PX = 120
"""Below this a coin is under five pixels wide: nothing honest can be said."""
LARGEST_PIXELS = 120_000_000
"""Above this the picture alone takes a third of a gigabyte: no camera's are larger."""

MOST_SAID = 10_000
_DAMAGE = re.compile(
    r"Corrupt JPEG data: (?!\d{1,2} extraneous bytes before marker 0xd9)|Premature end of JPEG"
)
"""What libjpeg says of pixels it made up; a few bytes left before the end harm none."""


def read_picture(path: Path) -> Image:
    """The picture in a file as BGR, upright by its EXIF orientation.

    Grey, 16-bit and transparent pictures become plain colour. Raises Refusal when
    the file is missing, no picture, damaged, too small or too large.
    """
    if path.exists() and not path.is_file():
        raise Refusal(f"picture {path} is no file; name an image file")
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or "unreadable"
        raise Refusal(
            f"picture {path} cannot be read ({reason}); name an image file"
        ) from None
    _check_not_too_large(path, stated_size(data))
    image, complaint = _decode(data)
    if _DAMAGE.search(complaint):
        raise Refusal(
            f"picture {path} is damaged: parts of it would be guessed; copy it again "
            "or take another"
        )
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


def _decode(data: bytes) -> tuple[Image | None, str]:
    """The picture, if it is one, and what the image libraries said about it."""
    if not data:
        return None, ""
    with _overheard() as said:
        try:
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        except cv2.error:
            image = None
    complaint = b"".join(said).decode(errors="replace")
    return None if image is None else np.asarray(image, np.uint8), complaint


@contextmanager
def _overheard() -> Iterator[list[bytes]]:
    """What the image libraries write on standard error, past Python, until the end.

    It is kept from the user, whom our own line tells all; but a JPEG's torn end is told
    nowhere else, and the picture comes with grey or smeared parts.
    """
    said: list[bytes] = []
    sys.stderr.flush()
    kept = os.dup(2)
    with TemporaryFile() as heard:
        try:
            os.dup2(heard.fileno(), 2)
            yield said
        finally:
            os.dup2(kept, 2)
            os.close(kept)
            heard.seek(0)
            said.append(heard.read(MOST_SAID))
