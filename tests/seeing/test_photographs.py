"""Real photographs of unknown sets, with truth made by hand; skipped when absent."""

import json
from math import dist
from pathlib import Path

import pytest

from calibration.table import Table
from vision.census import census_of
from vision.located import by_corners, by_pocket_centres
from vision.pictures import read_picture
from vision.sightings import Census, Where

PHOTOS = Path(__file__).parents[2].parent / "shared" / "photos"
TRUTHS = sorted(PHOTOS.glob("*.json"))

pytestmark = [
    pytest.mark.skipif(not TRUTHS, reason="no photographs beside the checkout"),
    # The first run on a machine compiles the kernels.
    pytest.mark.timeout(600),
]


def counted(truth: dict) -> Census | None:
    image = read_picture(PHOTOS / truth["image"])
    if truth["corners_px"]:
        return census_of(image, by_corners(image, Table(), truth["corners_px"]))
    if truth["pocket_centres_px"]:
        centres = truth["pocket_centres_px"]
        return census_of(image, by_pocket_centres(image, Table(), centres))
    return None


@pytest.fixture(scope="module")
def seen() -> list[tuple[dict, Census]]:
    pairs = [(truth, counted(truth)) for truth in map(_read, TRUTHS)]
    return [(truth, count) for truth, count in pairs if count is not None]


def test_nearly_every_piece_is_found_and_hardly_any_invented(seen) -> None:
    """Hough circles with fixed colour ranges reach 0.71 here."""
    wanted = sum(len(_on_table(truth)) for truth, _ in seen)
    given = sum(len(_sightings(count)) for _, count in seen)
    hits = sum(len(_matches(truth, count)) for truth, count in seen)
    assert 2 * hits / (wanted + given) >= 0.97


def test_nearly_every_piece_is_named_right(seen) -> None:
    """Hough circles with fixed colour ranges reach 0.75 here."""
    pairs = [pair for truth, count in seen for pair in _matches(truth, count)]
    sure = [(t, s) for t, s in pairs if not t.get("class_uncertain")]
    assert sum(t["piece"] == s.piece for t, s in sure) >= 0.97 * len(sure)


def test_nothing_is_invented_on_empty_boards(seen) -> None:
    empty = [count for truth, count in seen if not truth["pieces"]]
    assert empty
    assert [_sightings(count) for count in empty] == [[]] * len(empty)


def _read(path: Path) -> dict:
    return json.loads(path.read_text())


def _on_table(truth: dict) -> list[dict]:
    return [piece for piece in truth["pieces"] if piece["where"] == "table"]


def _sightings(count: Census) -> list:
    return [s for s in count.pieces if s.where is Where.TABLE]


def _matches(truth: dict, count: Census) -> list:
    """Pairs within half a radius, each piece once."""
    left, pairs = _sightings(count), []
    for piece in _on_table(truth):
        at = (piece["x_px"], piece["y_px"])
        near = [s for s in left if dist(at, (s.x_px, s.y_px)) <= piece["r_px"] / 2]
        if near:
            pairs.append((piece, near[0]))
            left.remove(near[0])
    return pairs
