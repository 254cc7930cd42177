"""A calibration profile comes back as it was, or is refused with a remedy."""

from dataclasses import replace
from pathlib import Path

import pytest

from calibration.plane import PlaneMapping
from calibration.profile import Profile, load, save
from calibration.refusal import Refusal
from calibration.table import Table

SIZE_PX = (1280, 720)
CORNERS = [(300.0, 50.0), (980.0, 60.0), (990.0, 690.0), (290.0, 700.0)]


def a_profile(table: Table) -> Profile:
    return Profile(
        camera="lamp rail",
        made_utc="2026-11-30T18:00:00Z",
        table=table,
        mapping=PlaneMapping.from_corners(CORNERS, SIZE_PX, table),
        residual_mm=0.3,
        empty=Path("empty.png"),
    )


def test_a_saved_profile_comes_back_with_its_picture_beside_it(tmp_path: Path) -> None:
    profile = a_profile(Table.club_720())
    save(profile, tmp_path / "club.json")
    found = load(tmp_path / "club.json", size_px=SIZE_PX)
    assert found == replace(profile, empty=tmp_path / "empty.png")


REFUSED = {
    "a missing file": (None, "cannot be read"),
    "a torn file": ("{", "Invalid JSON"),
    "a missing field": ("{}", "Field required"),
}


@pytest.mark.parametrize(("text", "said"), REFUSED.values(), ids=REFUSED.keys())
def test_a_useless_profile_is_refused(
    tmp_path: Path, text: str | None, said: str
) -> None:
    path = tmp_path / "profile.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(Refusal, match=said):
        load(path)


def test_another_version_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "profile.json"
    save(replace(a_profile(Table()), version=99), path)
    with pytest.raises(Refusal, match="version 99"):
        load(path)


def test_another_picture_size_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "profile.json"
    save(a_profile(Table()), path)
    with pytest.raises(Refusal, match="1280x720, the camera gives 1920x1080"):
        load(path, size_px=(1920, 1080))
