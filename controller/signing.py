"""The key that signs the journal's checkpoints: made at first use, never shown.

A signature says "this machine said so". A thief of the machine has the key too:
what he cannot change are the checkpoints others already hold.
"""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from calibration.refusal import Refusal

SEED_BYTES = 32


@dataclass(frozen=True, slots=True)
class Signer:
    """Signs with the machine's Ed25519 key; `public` is its public half in hex."""

    _key: Ed25519PrivateKey
    public: str

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the key file, or make one (mode 0600) when there is none.

        Raises Refusal when the file is no key, cannot be made, or others may read it.
        """
        try:
            seed = _read(path) if path.exists() else _make(path)
        except OSError as error:
            raise Refusal(
                f"signing key {path} cannot be used ({error.strerror}): "
                "choose a folder this user may write to"
            ) from error
        key = Ed25519PrivateKey.from_private_bytes(seed)
        raw = key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        return cls(key, raw.hex())

    def sign(self, message: bytes) -> str:
        """The signature in hex."""
        return self._key.sign(message).hex()


def is_signed(message: bytes, signature: str, public: str) -> bool:
    """Whether the holder of the public key (hex) signed the message."""
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(public))
        key.verify(bytes.fromhex(signature), message)
    except (InvalidSignature, ValueError):
        return False
    return True


def _read(path: Path) -> bytes:
    if path.stat().st_mode & 0o077:
        raise Refusal(f"signing key {path} may be read by others: run chmod 600 {path}")
    seed = path.read_bytes()
    if len(seed) != SEED_BYTES:
        raise Refusal(
            f"signing key {path} holds {len(seed)} bytes instead of {SEED_BYTES}: "
            "restore it, or remove it and a new one is made"
        )
    return seed


def _make(path: Path) -> bytes:
    """Write a new key so that a power cut leaves either none or a whole one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    seed = os.urandom(SEED_BYTES)
    part = path.with_name(path.name + ".part")
    part.unlink(missing_ok=True)
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(seed)
        file.flush()
        os.fsync(file.fileno())
    part.rename(path)
    return seed
