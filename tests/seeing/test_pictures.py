"""Pictures as people hand them in: any usual kind, turned, cut, torn, vast, or none."""

import os
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.refusal import Refusal
from tests.seeing.test_census_command import with_orientation
from vision.frames import Image
from vision.picture_size import stated_size
from vision.pictures import read_picture

HEIGHT, WIDTH = 180, 320
KINDS = ("png", "jpg", "webp", "tiff", "bmp", "gif", "ppm", "avif", "jp2")
VAST = 60_000


def shown() -> Image:
    """Four quarters of different colours, so that every way to turn it differs."""
    image = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    image[:90, :160], image[:90, 160:] = (200, 60, 60), (60, 200, 60)
    image[90:, :160], image[90:, 160:] = (60, 60, 200), (220, 220, 220)
    return image


def packed(image: Image, kind: str) -> bytes:
    done, data = cv2.imencode(f".{kind}", image)
    assert done
    return data.tobytes()


def read(folder: Path, data: bytes) -> Image:
    path = folder / "picture"
    path.write_bytes(data)
    return read_picture(path)


def apart(one: Image, other: Image) -> float:
    return float(np.abs(one.astype(int) - other.astype(int)).mean())


@pytest.mark.parametrize("kind", KINDS)
def test_any_usual_kind_is_read_whatever_its_name(tmp_path: Path, kind: str) -> None:
    palette = kind == "gif"  # OpenCV writes 256 fixed colours, dithered
    most = 30 if palette else 5
    assert apart(read(tmp_path, packed(shown(), kind)), shown()) < most


GREY = cv2.cvtColor(shown(), cv2.COLOR_BGR2GRAY)
IN_GREY = np.repeat(GREY[..., None], 3, axis=2)
ALPHA = np.full((HEIGHT, WIDTH, 1), 128, np.uint8)
DEPTHS = {
    "grey": (GREY, IN_GREY),
    "grey of 16 bits": (GREY.astype(np.uint16) * 257, IN_GREY),
    "colour of 16 bits": (shown().astype(np.uint16) * 257, shown()),
    "half transparent": (np.concatenate([shown(), ALPHA], axis=2), shown()),
}


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("kind", ["png", "tiff"])
def test_any_depth_becomes_plain_colour(tmp_path: Path, depth: str, kind: str) -> None:
    stored, seen = DEPTHS[depth]
    assert apart(read(tmp_path, packed(stored, kind)), seen) < 1


STORED = {
    1: shown(),
    2: shown()[:, ::-1],
    3: shown()[::-1, ::-1],
    4: shown()[::-1],
    5: shown().transpose(1, 0, 2),
    6: cv2.rotate(shown(), cv2.ROTATE_90_COUNTERCLOCKWISE),
    7: shown()[::-1, ::-1].transpose(1, 0, 2),
    8: cv2.rotate(shown(), cv2.ROTATE_90_CLOCKWISE),
}
"""How a camera that was held so stores the picture (Exif 2.3, tag 0x0112)."""


@pytest.mark.parametrize("orientation", STORED)
def test_a_turned_picture_is_read_as_it_is_shown(
    tmp_path: Path, orientation: int
) -> None:
    jpeg = packed(np.ascontiguousarray(STORED[orientation]), "jpg")
    assert apart(read(tmp_path, with_orientation(jpeg, orientation)), shown()) < 5


@pytest.mark.parametrize("kind", KINDS)
def test_a_picture_cut_short_is_refused_and_no_library_adds_a_word(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], kind: str
) -> None:
    grain = np.random.default_rng(0).integers(0, 255, (HEIGHT, WIDTH, 3), np.uint8)
    whole = packed(grain, kind)
    with pytest.raises(Refusal, match="picture"):
        read(tmp_path, whole[: len(whole) // 2])
    assert capfd.readouterr() == ("", "")


def test_a_jpeg_with_bytes_overwritten_is_refused_not_guessed(tmp_path: Path) -> None:
    grain = np.random.default_rng(0).integers(0, 255, (HEIGHT, WIDTH, 3), np.uint8)
    torn = bytearray(packed(grain, "jpg"))
    torn[len(torn) // 2 : len(torn) // 2 + 40] = bytes(40)
    with pytest.raises(Refusal, match="is damaged"):
        read(tmp_path, bytes(torn))


def test_a_jpeg_with_spare_bytes_before_its_end_is_whole(tmp_path: Path) -> None:
    """Some cameras pad their pictures; no pixel is lost by it."""
    jpeg = packed(shown(), "jpg")
    padded = jpeg[:-2] + bytes(5) + jpeg[-2:]
    assert apart(read(tmp_path, padded), shown()) < 5


@pytest.mark.parametrize("kind", [k for k in KINDS if k != "ppm"])
def test_a_picture_says_its_size_before_it_is_unpacked(kind: str) -> None:
    """PPM does not: its pixels are not packed, so its file is as large as they are."""
    assert stated_size(packed(shown(), kind)) == (WIDTH, HEIGHT)


def vast_png() -> bytes:
    """A valid head and the first bytes of nothing."""
    head = b"IHDR" + struct.pack(">IIBBBBB", VAST, VAST, 8, 0, 0, 0, 0)
    check = struct.pack(">I", zlib.crc32(head))
    return b"\x89PNG\r\n\x1a\n" + struct.pack(">I", 13) + head + check


def vast_bmp() -> bytes:
    return b"BM" + bytes(16) + struct.pack("<ii", VAST, -VAST) + bytes(28)


def vast_gif() -> bytes:
    return b"GIF89a" + struct.pack("<HH", VAST, VAST) + bytes(20)


@pytest.mark.parametrize("vast", [vast_png, vast_bmp, vast_gif])
def test_a_picture_that_would_fill_the_memory_is_refused_by_its_size(
    tmp_path: Path, vast: object
) -> None:
    assert callable(vast)
    with pytest.raises(Refusal, match="60000 x 60000 px; at most 120 million"):
        read(tmp_path, vast())


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_no_file_is_refused_and_not_waited_for(
    tmp_path: Path, make: object
) -> None:
    assert callable(make)
    make(tmp_path / "odd.jpg")
    with pytest.raises(Refusal, match=r"odd\.jpg is no file; name an image file"):
        read_picture(tmp_path / "odd.jpg")


@pytest.mark.parametrize("head", range(0, 64, 3))
def test_a_size_is_never_read_beyond_the_files_end(head: int) -> None:
    for kind in KINDS:
        stated_size(packed(shown(), kind)[:head])
