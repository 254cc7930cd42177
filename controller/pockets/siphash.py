"""SipHash-2-4 (Aumasson and Bernstein, 2012): the keyed checksum a node proves with.

The firmware's is firmware/src/siphash.c; both are held against the published sums.
"""

from struct import iter_unpack, unpack

KEY_BYTES = 16
_MASK = 2**64 - 1


def siphash(key: bytes, message: bytes) -> int:
    """The 64-bit checksum of a message by a key of 16 bytes (ValueError otherwise)."""
    if len(key) != KEY_BYTES:
        raise ValueError(f"a key has {KEY_BYTES} bytes, got {len(key)}")
    low, high = unpack("<QQ", key)
    state = (
        low ^ 0x736F6D6570736575,
        high ^ 0x646F72616E646F6D,
        low ^ 0x6C7967656E657261,
        high ^ 0x7465646279746573,
    )
    filler = bytes(-(len(message) + 1) % 8) + bytes((len(message) % 256,))
    for (word,) in iter_unpack("<Q", message + filler):
        a, b, c, d = state
        a, b, c, d = _round(*_round(a, b, c, d ^ word))
        state = a ^ word, b, c, d
    a, b, c, d = state
    state = a, b, c ^ 0xFF, d
    for _ in range(4):
        state = _round(*state)
    a, b, c, d = state
    return a ^ b ^ c ^ d


def _round(a: int, b: int, c: int, d: int) -> tuple[int, int, int, int]:
    a, c = (a + b) & _MASK, (c + d) & _MASK
    b, d = _turned(b, 13) ^ a, _turned(d, 16) ^ c
    a = _turned(a, 32)
    c, a = (c + b) & _MASK, (a + d) & _MASK
    b, d = _turned(b, 17) ^ c, _turned(d, 21) ^ a
    return a, b, _turned(c, 32), d


def _turned(word: int, bits: int) -> int:
    return (word << bits | word >> (64 - bits)) & _MASK
