"""A certificate says what differs from the laws, and never calls good what it did not see."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from calibration.accuracy import Accuracy, Verdict
from calibration.plane import PlaneMapping
from calibration.profile import Certificate, Fixed, Profile, checksum_of, save
from calibration.refusal import Refusal
from calibration.table import Table
from controller.certificate import Finding, Item, Play, certify, shortfalls
from controller.certificate_file import Certificate as Kept
from controller.certificate_file import path_for, standing, write
from controller.certificate_page import page
from vision.slides import Surface

CORNERS = ((113.0, 95.0), (1190.0, 101.0), (1169.0, 1180.0), (120.0, 1172.0))
ACCURACY = Accuracy(
    mean_mm=0.2,
    p95_mm=0.4,
    lines_p95_mm=0.4,
    four_corners_mean_mm=5.0,
    four_corners_p95_mm=9.0,
    no_height_mean_mm=2.0,
    no_height_p95_mm=4.0,
)
MADE = Certificate(
    lens="marks", verdict=Verdict.PLACEMENT, reason="", accuracy=ACCURACY
)
LEVEL = Surface(
    slides=60,
    friction=0.1,
    friction_doubt=0.002,
    east_mm_m=0.3,
    north_mm_m=-0.4,
    level_doubt_mm_m=0.6,
    quarters=(0.1, 0.1, None, 0.11),
)
HARD = Play(
    name="hard.mp4",
    rate_hz=60.0,
    strokes=1,
    runs=3.8,
    alone=True,
    fastest_mm_s=4200.0,
    surface=LEVEL,
)


ICF = Table()


def profile(table: Table = ICF, *, certificate: Certificate | None = MADE) -> Profile:
    return Profile(
        camera="test",
        made_utc="2026-01-01T10:00:00+00:00",
        table=table,
        mapping=PlaneMapping.from_corners(CORNERS, (1280, 1280), table),
        residual_mm=0.1,
        certificate=certificate,
        fixed=Fixed(exposure_us=1000),
    )


def named(items: tuple[Item, ...], name: str) -> Item:
    return next(item for item in items if item.name.startswith(name))


SIZES = {
    "a pocket of 46 mm is allowed": (Table(pocket_radius_mm=23.0), "pockets", "good"),
    "a pocket of 47 mm cannot be told": (
        Table(pocket_radius_mm=23.5),
        "pockets",
        "too close to tell",
    ),
    "a pocket of 51 mm differs": (Table(pocket_radius_mm=25.5), "pockets", "differs"),
    "a side of 720 mm differs": (Table.club_720(), "playing surface", "differs"),
}


@pytest.mark.parametrize(("table", "name", "finding"), SIZES.values(), ids=SIZES)
def test_sizes_are_held_to_the_laws(table: Table, name: str, finding: str) -> None:
    assert named(certify(profile(table), None), name).finding == finding


RUNS = {
    "enough runs": (HARD, "good"),
    "too few from a hard stroke": (replace(HARD, runs=2.9), "differs"),
    "too few from a soft stroke": (
        replace(HARD, runs=1.0, fastest_mm_s=1500.0),
        "not measured",
    ),
    "too few because a piece was hit": (
        replace(HARD, runs=1.0, alone=False),
        "not measured",
    ),
    "no recording": (None, "not measured"),
}


@pytest.mark.parametrize(("play", "finding"), RUNS.values(), ids=RUNS)
def test_the_test_of_three_and_a_half_runs(play: Play | None, finding: str) -> None:
    assert named(certify(profile(), play), "speed").finding == finding


SLOPES = {
    "level": (LEVEL, "good"),
    "doubt as wide as the limit": (replace(LEVEL, level_doubt_mm_m=3.0), "too close"),
    "steep": (replace(LEVEL, east_mm_m=4.0), "differs"),
    "unseen": (None, "not measured"),
}


@pytest.mark.parametrize(("surface", "finding"), SLOPES.values(), ids=SLOPES)
def test_level(surface: Surface | None, finding: str) -> None:
    items = certify(profile(), replace(HARD, surface=surface))
    assert named(items, "level").finding.startswith(finding)


def test_what_was_only_entered_is_not_certified() -> None:
    items = certify(profile(certificate=None), None)
    assert [i.name for i in items if i.finding is Finding.GOOD] == ["exposure"]
    assert shortfalls(items) == ()


def test_the_page_escapes_names_and_shows_every_item() -> None:
    items = certify(profile(), HARD)
    shown = page(items, (("Camera", "<b>cam</b>"),))
    assert "<b>cam</b>" not in shown
    assert all(item.name in shown for item in items)


def test_it_stands_for_its_own_calibration_only(tmp_path: Path) -> None:
    where = tmp_path / "table.json"
    save(profile(), where)
    mine = checksum_of(where)
    write(Kept.of(certify(profile(Table.club_720()), None), mine, "Mira"), where)
    stands = standing(where, mine, 5.0)
    assert stands is not None
    assert (stands.by, stands.at_s) == ("Mira", 5.0)
    assert stands.shortfalls[0].startswith("playing surface, side: 720.0 mm")
    assert standing(where, "another", 5.0) is None


@pytest.mark.parametrize("text", ["", "[]", "{}", json.dumps({"calibration": "c"})])
def test_a_damaged_certificate_is_refused_with_the_remedy(
    tmp_path: Path, text: str
) -> None:
    where = tmp_path / "table.json"
    path_for(where).write_text(text)
    with pytest.raises(Refusal, match=r"make it again \(carrom certify\)"):
        standing(where, "c", 0.0)
