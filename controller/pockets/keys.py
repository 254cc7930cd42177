"""The secret that a pocket node of a tournament shares with its host, in a file."""

import os
import re
import secrets
from pathlib import Path

from calibration.refusal import Refusal
from controller.pockets.siphash import KEY_BYTES

HEX = re.compile(f"[0-9a-fA-F]{{{2 * KEY_BYTES}}}")


def read_key(path: Path) -> bytes:
    """The key a file holds; raises Refusal for anything but 32 hexadecimal digits."""
    try:
        if path.exists() and not path.is_file():  # a pipe would be waited for
            raise Refusal(f"key {path} is no file: name the one with the key")
        text = path.read_text(encoding="ascii", errors="replace").strip()
    except FileNotFoundError:
        raise Refusal(
            f"no key at {path}: carrom pockets --write-key {path} makes one and writes "
            "it into the node"
        ) from None
    except OSError as error:
        raise Refusal(
            f"key {path} cannot be read ({error.strerror}): give this account the file"
        ) from None
    if not HEX.fullmatch(text):
        raise Refusal(
            f"key {path} is not {2 * KEY_BYTES} hexadecimal digits: restore it, or "
            "write a new one with carrom pockets --write-key NEWFILE"
        )
    return bytes.fromhex(text)


def make_key(path: Path) -> bytes:
    """A new key in a new file that only its owner can read; Refusal if one is there.

    It is on disk when this returns: a node whose key is lost takes no other.
    """
    key = secrets.token_bytes(KEY_BYTES)
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise Refusal(f"{path} exists: name a new file for the key") from None
    except OSError as error:
        raise Refusal(f"key {path} cannot be written ({error})") from None
    try:
        with os.fdopen(descriptor, "w") as file:
            file.write(key.hex() + "\n")
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        path.unlink()
        raise Refusal(
            f"key {path} cannot be written ({error}): make room, or name another place"
        ) from None
    return key
