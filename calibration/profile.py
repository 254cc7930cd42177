"""A table's calibration as one file: which table, which camera, and how they map.

JSON for people to read, one file per table and camera; the picture of the empty
table lies beside it and is named in it. Loading refuses what cannot fit: another
camera, another picture size, a newer version, a file changed or damaged since. Files
of older versions are carried over (`calibration.migration`).
"""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from pydantic import ConfigDict, TypeAdapter, ValidationError

from calibration.accuracy import Accuracy, Verdict, print_off_mm
from calibration.fit import MarkFit
from calibration.light import Light
from calibration.migration import VERSION, migrated
from calibration.plane import PlaneMapping
from calibration.refusal import Refusal
from calibration.table import Pocket, Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixed:
    """What was fixed in the camera while it was calibrated; None: not told."""

    exposure_us: int | None = None
    gain: float | None = None
    white_balance: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """How good a calibration is, and what it may be trusted with.

    `lens` says where the lens comes from: charuco, marks or rendered.
    """

    lens: str
    verdict: Verdict
    reason: str
    accuracy: Accuracy
    marks: tuple[MarkFit, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What calibration found out about one table under one camera.

    `residual_mm` is the root mean square distance between printed marks as seen and
    as they were fitted; `empty` a picture of the empty table, beside the profile.
    `pockets` says which number the node of each pocket has, where that was proved;
    `by` who calibrated. South is the picture's bottom unless corners were given
    otherwise.
    """

    __pydantic_config__ = ConfigDict(extra="forbid")

    version: int = VERSION
    camera: str
    made_utc: str
    by: str = ""
    software: str = ""
    table: Table
    mapping: PlaneMapping
    residual_mm: float
    certificate: Certificate | None = None
    light: Light | None = None
    fixed: Fixed = Fixed()
    pockets: dict[Pocket, int] | None = None
    empty: Path | None = None

    @property
    def doubt_mm(self) -> float | None:
        """How far a striker may be off against its printed lines; None: not known."""
        if self.certificate is None:
            return None
        made = self.certificate
        return made.accuracy.lines_p95_mm + print_off_mm(made.marks)


def save(profile: Profile, path: Path) -> str:
    """Write a profile; `profile.empty` is stored relative to the file's folder.

    Returns its checksum, which names this calibration in the record. Raises Refusal
    when the file cannot be written.
    """
    if profile.empty is not None and profile.empty.is_absolute():
        within = profile.empty.relative_to(path.parent.absolute())
        profile = replace(profile, empty=within)
    fields = json.loads(_FORM.dump_json(profile))
    fields["checksum"] = checksum = _checksum(fields)
    text = json.dumps(fields, indent=2, ensure_ascii=False) + "\n"
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise Refusal(
            f"calibration profile {path} cannot be written ({error.strerror}): "
            "name another place"
        ) from None
    return checksum


def load(
    path: Path,
    *,
    size_px: tuple[int, int] | None = None,
    camera: str | None = None,
) -> Profile:
    """Read a profile; `empty` comes back as a path that can be opened.

    Raises Refusal for a missing, damaged or changed file, a newer version, pictures
    of another size than `size_px`, or another camera than `camera`.
    """
    fields = _fields(path)
    try:
        profile = _FORM.validate_python(fields)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        key = ".".join(str(part) for part in fault["loc"]) or "the file"
        raise Refusal(
            f"calibration profile {path}: {key}: {fault['msg']}; calibrate again"
        ) from None
    for impossible in _impossible(profile):
        raise Refusal(f"calibration profile {path}: {impossible}; calibrate again")
    if size_px is not None and profile.mapping.size_px != size_px:
        raise Refusal(
            f"calibration profile {path} is for pictures of "
            f"{'x'.join(map(str, profile.mapping.size_px))}, the camera gives "
            f"{'x'.join(map(str, size_px))}: set the camera's size or calibrate again"
        )
    if camera is not None and profile.camera != camera:
        raise Refusal(
            f"calibration profile {path} is for camera {profile.camera!r}, this one is "
            f"{camera!r}: name that camera's profile or calibrate this one "
            "(carrom calibrate)"
        )
    empty = profile.empty
    return replace(profile, empty=None if empty is None else path.parent / empty)


def _impossible(profile: Profile) -> Iterator[str]:
    """What no calibration can have found: version 1 had no checksum to tell."""
    for key, size in asdict(profile.table).items():
        if size is not None and not 0.0 <= size <= LARGEST_MM:
            yield f"table.{key} must be 0 to {LARGEST_MM:.0f}, got {size:g}"
    mapping = profile.mapping
    surface, numbers = mapping.surface, mapping.lens.numbers.tolist()
    if len(surface) != 9 or not all(abs(n) < LARGEST for n in (*surface, *numbers)):
        yield f"mapping must be 9 numbers and a lens, got {surface}, {mapping.lens}"
    elif abs(np.linalg.det(np.reshape(surface, (3, 3)))) < FLATTEST:
        yield f"mapping.surface shows the table as a line, got {surface}"
    low, high = LOWEST_CAMERA_MM, LARGEST_MM
    if not all(abs(place) <= high for place in mapping.camera_mm):
        yield f"mapping.camera_mm must be within {high:.0f}, got {mapping.camera_mm}"
    elif mapping.height_mm < low:
        yield f"mapping.camera_mm must be {low:.0f} or more high, got {mapping.height_mm:g}"
    if mapping.lens.focal_px <= 0 or min(mapping.size_px) < 1:
        yield f"focal_px and size_px must exceed 0, got {mapping.lens}, {mapping.size_px}"


LARGEST_MM = 20_000.0
LOWEST_CAMERA_MM = 50.0
"""Among the pieces, which are up to 15 mm high, a camera sees no table."""
FLATTEST = 1e-9
LARGEST = 1e9


def checksum_of(path: Path) -> str:
    """What names this calibration in the record; Refusal for a file `load` refuses."""
    return _checksum(_fields(path))


def _fields(path: Path) -> dict[str, object]:
    """The file as this version has it, without its checksum, which was compared."""
    try:
        text = path.read_bytes()
    except OSError as error:
        raise Refusal(
            f"calibration profile {path} cannot be read ({error.strerror}): "
            "name an existing one (carrom calibrate makes one)"
        ) from None
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Refusal(
            f"calibration profile {path} is damaged (Invalid JSON: {error}): "
            "restore it from a backup or calibrate again"
        ) from None
    if not isinstance(fields, dict):
        raise Refusal(f"calibration profile {path} holds no profile; calibrate again")
    version = fields.get("version", 1)
    if not isinstance(version, int) or not 1 <= version <= VERSION:
        raise Refusal(
            f"calibration profile {path} has version {version}, "
            f"this carrom reads up to {VERSION}: update carrom or calibrate again"
        )
    said = fields.pop("checksum", None)
    if version >= CHECKED_SINCE and said != _checksum(fields):
        raise Refusal(
            f"calibration profile {path} was changed or damaged since it was made "
            "(its checksum does not fit): restore it from a backup or calibrate again"
        )
    return migrated(fields)


CHECKED_SINCE = 2


def _checksum(fields: dict[str, object]) -> str:
    """SHA-256 of all fields, in an order that does not depend on the writer."""
    body = json.dumps(fields, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(body.encode()).hexdigest()


_FORM = TypeAdapter(Profile)
