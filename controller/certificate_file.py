"""The certificate as a file beside the profile, and as one entry of the record."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Self

from pydantic import TypeAdapter, ValidationError

from calibration.refusal import Refusal
from controller.certificate import Item, shortfalls
from controller.certificate_page import summary
from controller.events import Certified


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """Everything that was checked, on which calibration, when and by whom."""

    calibration: str
    made_utc: str
    by: str
    items: tuple[Item, ...]
    play: str = ""
    """The recording of play that was named; empty: none."""

    @classmethod
    def of(
        cls, items: Sequence[Item], calibration: str, by: str, play: str = ""
    ) -> Self:
        """A certificate made now."""
        now = datetime.now(UTC).isoformat(timespec="seconds")
        return cls(
            calibration=calibration,
            made_utc=now,
            by=by,
            items=tuple(items),
            play=play,
        )

    @property
    def summary(self) -> str:
        """The whole of it in one sentence."""
        return summary(self.items)

    def as_dict(self) -> dict[str, object]:
        """As it is written to the file and told to machines."""
        lacking = list(shortfalls(self.items))
        return {**asdict(self), "summary": self.summary, "shortfalls": lacking}


def path_for(profile: Path) -> Path:
    """Where the certificate of a profile's table is kept."""
    return profile.with_name(f"{profile.stem}-certificate.json")


def write(made: Certificate, profile: Path) -> None:
    """Keep a certificate beside its profile; Refusal when that cannot be written."""
    path = path_for(profile)
    try:
        path.write_text(json.dumps(made.as_dict(), indent=2) + "\n", encoding="utf-8")
    except OSError as error:
        raise Refusal(
            f"certificate {path} cannot be written ({error.strerror}): "
            "make its folder writable, or say --no-keep"
        ) from None


_FORM = TypeAdapter(Certificate)


def kept(profile: Path, calibration: str) -> Certificate | None:
    """The whole certificate that stands for a calibration; None: there is none.

    One that was made on another calibration is out of date and does not stand.
    Raises Refusal for a file that is no certificate.
    """
    text = _text_of(path_for(profile))
    return None if text is None else _read(text, path_for(profile), calibration)


def standing(profile: Path, calibration: str, at_s: float) -> Certified | None:
    """The same as the record has it, named by its file's checksum."""
    text = _text_of(path_for(profile))
    if text is None:
        return None
    read = _read(text, path_for(profile), calibration)
    if read is None:
        return None
    return Certified(
        at_s,
        calibration,
        sha256(text).hexdigest(),
        read.made_utc,
        read.by,
        read.summary,
        shortfalls(read.items),
    )


def _text_of(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise _unfit(path, str(error.strerror)) from None


def _read(text: bytes, path: Path, calibration: str) -> Certificate | None:
    try:
        read = _FORM.validate_json(text)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
        where = ".".join(map(str, fault["loc"]))
        raise _unfit(path, f"{where or 'the file'}: {fault['msg']}") from None
    return read if read.calibration == calibration else None


def _unfit(path: Path, why: str) -> Refusal:
    return Refusal(
        f"certificate {path} cannot be read ({why}): make it again (carrom certify) "
        "or remove it"
    )
