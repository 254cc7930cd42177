"""Makes of a program's bytes the UF2 file that a Pico takes as a drive.

The boot ROM runs the first 252 bytes only when the checksum behind them is right.
"""

import struct
import sys
from pathlib import Path

FLASH = 0x10000000
RP2040 = 0xE48BFF56
MAGIC = (0x0A324655, 0x9E5D5157, 0x0AB16F30)
HAS_FAMILY = 0x2000
BLOCK, PAGE = 512, 256
BOOT = 252


def checksum(data: bytes) -> int:
    """The boot ROM's: CRC-32, highest bit first, start all ones, not inverted."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte << 24
        for _ in range(8):
            crc = (crc << 1) ^ (0x04C11DB7 if crc & 0x80000000 else 0)
            crc &= 0xFFFFFFFF
    return crc


def bootable(program: bytes) -> bytes:
    """The program with the checksum of its first stage, in whole pages."""
    if any(program[BOOT:PAGE]):
        raise SystemExit("uf2.py: boot2.S is longer than 252 bytes")
    first = program[:BOOT]
    whole = first + struct.pack("<I", checksum(first)) + program[PAGE:]
    return whole + bytes(-len(whole) % PAGE)


def uf2(flash: bytes) -> bytes:
    """One block of 512 bytes for each page."""
    count = len(flash) // PAGE
    blocks = []
    for n in range(count):
        head = (*MAGIC[:2], HAS_FAMILY, FLASH + n * PAGE, PAGE, n, count, RP2040)
        data = flash[n * PAGE : (n + 1) * PAGE]
        body = struct.pack("<8I", *head) + data
        blocks.append(body.ljust(BLOCK - 4, b"\0") + struct.pack("<I", MAGIC[2]))
    return b"".join(blocks)


if __name__ == "__main__":
    source, target = map(Path, sys.argv[1:])
    target.write_bytes(uf2(bootable(source.read_bytes())))
