"""Frames on the serial wire: COBS between zero bytes, with a CRC inside.

A zero byte ends every frame and occurs nowhere else, so whatever is lost or
damaged costs the frame it is in and the next zero puts the reader right again.
CRC-16/CCITT-FALSE over the body, low byte first (firmware/protocol/PROTOCOL.md).
"""

from binascii import crc_hqx

DELIMITER = b"\0"
LARGEST = 64
"""Bytes of the longest frame either end may send, without its delimiter."""


class WireError(ValueError):
    """What came over the wire is no message: the peer's or the cable's fault."""


def frame(body: bytes) -> bytes:
    """The bytes to send for one body, delimiter included."""
    data = body + crc_hqx(body, 0xFFFF).to_bytes(2, "little")
    runs = data.split(DELIMITER)
    return b"".join(bytes((len(run) + 1,)) + run for run in runs) + DELIMITER


def unframe(frame: bytes) -> bytes:
    """The body of one frame without its delimiter; raises WireError."""
    if len(frame) > LARGEST:
        raise WireError(f"frame of {len(frame)} bytes, longest is {LARGEST}")
    runs, at = [], 0
    while at < len(frame):
        end = at + frame[at]
        if end == at or end > len(frame):
            raise WireError("frame cut short")
        runs.append(frame[at + 1 : end])
        at = end
    data = DELIMITER.join(runs)
    body, crc = data[:-2], data[-2:]
    if not body or crc_hqx(body, 0xFFFF) != int.from_bytes(crc, "little"):
        raise WireError("checksum does not match")
    return body
