"""JPEG pictures from a cable or a network, whole or not at all.

A decoder fills what is missing of a torn picture with grey, which would look like
something that lies on the table; so a picture without its end is damaged.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Image

_START, _END = b"\xff\xd8", b"\xff\xd9"
_PADDING = 64
"""Some cameras fill up with zeros behind the end."""


def decode(data: bytes | NDArray[np.uint8]) -> Image | None:
    """The picture as BGR; None for a damaged one."""
    whole = np.frombuffer(data, np.uint8).reshape(-1)
    ends = whole[-_PADDING:].tobytes().rstrip(b"\0").endswith(_END)
    if whole[:2].tobytes() != _START or not ends:
        return None
    try:
        image = cv2.imdecode(whole, cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if image is None else np.asarray(image, np.uint8)
