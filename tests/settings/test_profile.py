"""A calibration profile comes back as it was, or is refused with a remedy."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from calibration.plane import PlaneMapping
from calibration.profile import Profile, checksum_of, load, save
from calibration.refusal import Refusal
from calibration.table import Table

SIZE_PX = (1280, 720)
OLD = Path(__file__).parent.parent / "data" / "profiles"
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
    "a torn file": ("{", "is damaged"),
    "no profile": ("[]", "holds no profile"),
    "a missing field": ("{}", "Field required"),
    "a file that only opens brackets": ("[" * 100_000, "is damaged"),
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


def test_a_file_changed_by_hand_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "profile.json"
    save(a_profile(Table()), path)
    path.write_text(path.read_text().replace('"side_mm": 740.0', '"side_mm": 735.0'))
    with pytest.raises(Refusal, match="was changed or damaged since it was made"):
        load(path)


def test_another_camera_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "profile.json"
    save(a_profile(Table()), path)
    with pytest.raises(Refusal, match="is for camera 'lamp rail', this one is 'attic'"):
        load(path, camera="attic")


def test_a_file_of_version_1_is_carried_over(tmp_path: Path) -> None:
    path = tmp_path / "old.json"
    path.write_bytes((OLD / "version-1.json").read_bytes())
    profile = load(path, size_px=SIZE_PX, camera="rendered")
    assert (profile.version, profile.certificate) == (2, None)
    assert profile.table == Table.club_720()
    assert profile.mapping.point_to_px(Table.club_720().corners[0]) == pytest.approx(
        CORNERS[0], abs=1e-6
    )


IMPOSSIBLE = {
    "a camera on the surface": ("camera_mm", [0.0, 0.0, 0.0], "50 or more high"),
    "a camera nowhere": ("camera_mm", [0.0, 0.0, float("nan")], "within 20000"),
    "a mapping of two numbers": ("surface", [1.0, 0.0], "must be 9 numbers"),
    "a table seen as a line": ("surface", [1.0] * 9, "as a line"),
    "a picture without pixels": ("size_px", [0, 720], "must exceed 0"),
}


@pytest.mark.parametrize(
    ("key", "value", "said"), IMPOSSIBLE.values(), ids=IMPOSSIBLE.keys()
)
def test_what_no_calibration_can_have_found_is_refused(
    tmp_path: Path, key: str, value: object, said: str
) -> None:
    fields = json.loads((OLD / "version-1.json").read_text())
    fields["mapping"][key] = value
    path = tmp_path / "profile.json"
    path.write_text(json.dumps(fields))
    with pytest.raises(Refusal, match=said):
        load(path)


def test_saving_a_carried_over_file_changes_nothing_more(tmp_path: Path) -> None:
    old = load(OLD / "version-1.json")
    again = replace(old, empty=Path("empty-table.png"))
    save(again, tmp_path / "new.json")
    assert load(tmp_path / "new.json") == replace(
        old, empty=tmp_path / "empty-table.png"
    )


def test_the_same_calibration_has_the_same_name_in_the_record(tmp_path: Path) -> None:
    said = save(a_profile(Table()), tmp_path / "one.json")
    save(replace(a_profile(Table()), residual_mm=0.4), tmp_path / "two.json")
    assert checksum_of(tmp_path / "one.json") == said
    assert checksum_of(tmp_path / "two.json") != said


def test_another_picture_size_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "profile.json"
    save(a_profile(Table()), path)
    with pytest.raises(Refusal, match="1280x720, the camera gives 1920x1080"):
        load(path, size_px=(1920, 1080))
