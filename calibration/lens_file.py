"""A measured lens as a file: once per camera and focus, for every table under it.

JSON beside the calibration profile. Loading refuses another camera's file, another
picture size and a damaged file, with the remedy.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from pydantic import ConfigDict, TypeAdapter, ValidationError

from calibration.charuco import LensFit
from calibration.refusal import Refusal

VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptLens:
    """A lens, whose it is and when it was measured."""

    __pydantic_config__ = ConfigDict(extra="forbid")

    version: int = VERSION
    camera: str
    made_utc: str
    fit: LensFit


def save_lens(kept: KeptLens, path: Path) -> None:
    """Write the file whole or not at all; raises Refusal when it cannot be written."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_bytes(_FORM.dump_json(kept, indent=2) + b"\n")
        part.replace(path)
    except OSError as error:
        raise Refusal(
            f"the lens cannot be kept in {path} ({error.strerror}): "
            "free the disk or its permissions"
        ) from None


def load_lens(path: Path, *, camera: str, size_px: tuple[int, int]) -> KeptLens:
    """Read a lens; raises Refusal when it is not this camera's at this size."""
    try:
        fields = json.loads(path.read_bytes())
        kept = _FORM.validate_python(fields)
    except OSError as error:
        raise Refusal(
            f"the lens in {path} cannot be read ({error.strerror}): measure it again"
        ) from None
    except (ValidationError, ValueError, RecursionError) as error:
        said = str(error).splitlines()[0]
        raise Refusal(
            f"the lens in {path} is damaged ({said}): measure it again"
        ) from None
    if kept.version != VERSION:
        raise Refusal(
            f"the lens in {path} has version {kept.version}, this carrom reads "
            f"{VERSION}: update carrom or measure it again"
        )
    if kept.camera != camera:
        raise Refusal(
            f"the lens in {path} is of camera {kept.camera!r}, this one is {camera!r}: "
            "measure this one's"
        )
    if kept.fit.size_px != size_px:
        was, now = ("x".join(map(str, size)) for size in (kept.fit.size_px, size_px))
        raise Refusal(
            f"the lens in {path} was measured at {was}, the camera gives {now}: "
            "set the camera's size or measure it again"
        )
    return kept


_FORM = TypeAdapter(KeptLens)
