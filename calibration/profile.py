"""A table's calibration as one file: which table, which camera, and how they map.

JSON, one per table and camera, written by the demo, whose rendered camera
knows its own truth. Loading refuses what cannot fit: another
version, another picture size, another camera. The picture of the empty table lies
beside it and is named in it.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from pydantic import ConfigDict, TypeAdapter, ValidationError

from calibration.plane import PlaneMapping
from calibration.refusal import Refusal
from calibration.table import Table

VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What calibration found out about one table under one camera.

    `residual_mm` is the mean distance between printed marks as seen and as they
    should be; `empty` a picture of the empty table, beside the profile.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    version: int = VERSION
    camera: str
    made_utc: str
    table: Table
    mapping: PlaneMapping
    residual_mm: float
    empty: Path | None = None


def save(profile: Profile, path: Path) -> None:
    """Write a profile; `profile.empty` is stored relative to the file's folder."""
    if profile.empty is not None and profile.empty.is_absolute():
        within = profile.empty.relative_to(path.parent.absolute())
        profile = replace(profile, empty=within)
    path.write_bytes(_FORM.dump_json(profile, indent=2))


def load(path: Path, *, size_px: tuple[int, int] | None = None) -> Profile:
    """Read a profile; `empty` comes back as a path that can be opened.

    Raises Refusal for a missing or broken file, another version, or pictures of
    another size than `size_px`.
    """
    try:
        text = path.read_bytes()
    except OSError as error:
        raise Refusal(
            f"calibration profile {path} cannot be read ({error.strerror}): "
            "name an existing one (carrom demo --dir DIR writes one to start from)"
        ) from None
    try:
        profile = _FORM.validate_json(text)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in fault["loc"]) or "the file"
        raise Refusal(
            f"calibration profile {path}: {key}: {fault['msg']}; calibrate again"
        ) from None
    if profile.version != VERSION:
        raise Refusal(
            f"calibration profile {path} has version {profile.version}, "
            f"this carrom reads {VERSION}: calibrate again"
        )
    if size_px is not None and profile.mapping.size_px != size_px:
        raise Refusal(
            f"calibration profile {path} is for pictures of "
            f"{'x'.join(map(str, profile.mapping.size_px))}, the camera gives "
            f"{'x'.join(map(str, size_px))}: set the camera's size or calibrate again"
        )
    empty = profile.empty
    return replace(profile, empty=None if empty is None else path.parent / empty)


_FORM = TypeAdapter(Profile)
