"""Writes which channel watches which pocket into a configuration, as it stands."""

import contextlib
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

import tomlkit
from tomlkit.exceptions import ParseError

from calibration.refusal import Refusal
from calibration.table import Pocket


def write_channels(path: Path, device: str, channels: Sequence[Pocket]) -> None:
    """Put the node's id and its channels under [pockets]; the rest stays untouched.

    The file is replaced in one step and keeps its rights; where it is a link, what it
    leads to is replaced. Raises Refusal when it cannot be.
    """
    try:
        document = tomlkit.parse(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, ParseError) as error:
        raise Refusal(f"{path} cannot be read ({error}): correct it first") from None
    table = document.setdefault("pockets", tomlkit.table())
    table["device"] = device
    table["channels"] = [pocket.value for pocket in channels]
    real = path.resolve()
    fresh = real.with_name(f"{real.name}.new")
    try:
        fresh.write_text(tomlkit.dumps(document), encoding="utf-8")
        shutil.copymode(real, fresh)
        os.replace(fresh, real)
    except OSError as error:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise Refusal(f"{path} cannot be written ({error})") from None
