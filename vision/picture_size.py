"""How large a picture says it is, before any of it is unpacked.

A file of a few kilobytes may unpack to gigabytes. Every kind that packs its pixels
says its size near its beginning; of the others nothing is known before they are read.
"""

from struct import error, unpack_from

_JPEG_SIZES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}
"""Frame headers; the others are tables."""
BOXES_WITHIN = 4096
"""The boxes that describe a picture come before its pixels."""


def stated_size(data: bytes) -> tuple[int, int] | None:
    """Width and height by the file's head; None when it does not say."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) >= 24:
        width, height = unpack_from(">II", data, 16)
        return width, height
    if data[:2] == b"\xff\xd8":
        return _jpeg(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP" and len(data) >= 30:
        return _webp(data)
    if data[:4] == b"GIF8" and len(data) >= 10:
        width, height = unpack_from("<HH", data, 6)
        return width, height
    if data[:2] == b"BM" and len(data) >= 26:
        width, height = unpack_from("<ii", data, 18)
        return width, abs(height)
    if data[:4] in (b"II*\0", b"MM\0*"):
        return _tiff(data, "<" if data[:1] == b"I" else ">")
    return _boxed(data)


def _jpeg(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        kind = data[at + 1]
        if kind in _JPEG_SIZES:
            height, width = unpack_from(">HH", data, at + 5)
            return width, height
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


def _webp(data: bytes) -> tuple[int, int] | None:
    match data[12:16]:
        case b"VP8X":
            width = int.from_bytes(data[24:27], "little") + 1
            return width, int.from_bytes(data[27:30], "little") + 1
        case b"VP8L":
            bits = int.from_bytes(data[21:25], "little")
            return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8 ":
            width, height = unpack_from("<HH", data, 26)
            return width & 0x3FFF, height & 0x3FFF
        case _:
            return None


def _tiff(data: bytes, order: str) -> tuple[int, int] | None:
    """By the tags 256 and 257 of the first directory, 16 or 32 bits each."""
    try:
        (at,) = unpack_from(f"{order}I", data, 4)
        (count,) = unpack_from(f"{order}H", data, at)
        sides: dict[int, int] = {}
        for entry in range(at + 2, at + 2 + 12 * count, 12):
            tag, kind = unpack_from(f"{order}HH", data, entry)
            if tag in (256, 257):
                number = f"{order}H" if kind == 3 else f"{order}I"
                (sides[tag],) = unpack_from(number, data, entry + 8)
        return sides[256], sides[257]
    except (error, KeyError):
        return None


def _boxed(data: bytes) -> tuple[int, int] | None:
    """AVIF and JPEG 2000: the largest picture of the file by its size boxes."""
    sizes = []
    for name, skip, turned in ((b"ispe", 8, False), (b"ihdr", 4, True)):
        at = data.find(name, 0, BOXES_WITHIN)
        while at >= 0 and at + skip + 8 <= len(data):
            one, other = unpack_from(">II", data, at + skip)
            sizes.append((other, one) if turned else (one, other))
            at = data.find(name, at + 4, BOXES_WITHIN)
    return max(sizes, key=lambda size: size[0] * size[1], default=None)
