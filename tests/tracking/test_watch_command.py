"""`carrom watch`: what it prints about a recording, and what it refuses."""

import json
from itertools import chain
from pathlib import Path

import pytest
from typer import Typer
from typer.testing import CliRunner

from calibration.refusal import Refusal
from calibration.table import STOCK, Piece, Pocket, Point
from controller.commands.watch import Hands, watch
from controller.recorded import Fusion, read_pockets
from tests.tracking.films import Part, film, sliding
from tests.tracking.hand_made import census
from tests.tracking.rendered_table import TABLE, Stand, lasting
from tests.tracking.test_recording import record
from vision.sightings import StrokeSeen, TrackEnd, Vanished

RACK = [*TABLE.opening_rack(), (Piece.STRIKER, Point(0.0, -252.6))]


def run(*words: str) -> list[dict[str, object]]:
    """The records that `carrom watch` prints."""
    app = Typer()
    app.command()(watch)
    result = CliRunner().invoke(app, [*words], catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_what_is_taken_for_a_hand_too_long_is_said() -> None:
    hands = Hands()
    hands.see(1.0, present=True)
    hands.see(9.0, present=False)
    hands.see(20.0, present=True)
    (note,) = hands.notes(80.0)
    assert note.startswith("from 20.0 s to 80.0 s something was taken for a hand")


def test_a_recording_that_begins_with_the_bare_table_is_counted_by_it(
    tmp_path: Path,
) -> None:
    stand = Stand()
    video = tmp_path / "still.mp4"
    stand.film(video, chain(lasting(0.0, 1.0, []), lasting(1.0, 1.2, RACK)))
    corners = [f"{x:.1f},{y:.1f}" for x, y in stand.camera.corners_px(TABLE)]
    (summary,) = run(str(video), "--corners", *corners, "--json")
    assert (summary["record"], summary["strokes"]) == ("summary", 0)
    rest = summary["rest"]
    assert isinstance(rest, dict)
    pieces = [p["piece"] for p in rest["pieces"]]
    assert {piece: pieces.count(piece) for piece in Piece} == STOCK


def test_a_recording_that_ends_in_a_stroke_says_so(tmp_path: Path) -> None:
    stand = Stand()
    video = tmp_path / "torn.mp4"
    parts = [Part(Piece.STRIKER, sliding(Point(0.0, -252.6), Point(0.0, 600.0)))]
    stand.film(video, film(parts, 0.3))
    corners = [f"{x:.1f},{y:.1f}" for x, y in stand.camera.corners_px(TABLE)]
    (summary,) = run(str(video), "--corners", *corners, "--json")
    assert summary["strokes"] == 0
    assert "was not seen to its end" in str(summary["notes"])


def test_a_stroke_that_was_cut_out_leaves_a_note_of_what_moved(tmp_path: Path) -> None:
    """As many coins as before, but one lies elsewhere: counts alone would say nothing."""
    stand = Stand()
    video = tmp_path / "cut.mp4"
    stays, before, after = Point(100.0, 80.0), Point(-150.0, 60.0), Point(40.0, -120.0)
    lying = [
        [
            (Piece.WHITE, stays),
            (Piece.BLACK, moved),
            (Piece.STRIKER, Point(0.0, -252.6)),
        ]
        for moved in (before, after)
    ]
    stand.film(video, chain(lasting(0.0, 1.0, lying[0]), lasting(1.0, 1.5, lying[1])))
    corners = [f"{x:.1f},{y:.1f}" for x, y in stand.camera.corners_px(TABLE)]
    (summary,) = run(str(video), "--corners", *corners, "--json")
    (change,) = summary["unexplained"]
    assert (change["more"], change["moved"]) == ({}, 1)
    assert "changed with no stroke seen" in str(summary["notes"])


def test_corners_that_are_no_square_are_refused(tmp_path: Path) -> None:
    video = record(tmp_path / "video.mp4", [0, 33])
    with pytest.raises(Refusal, match="no convex quadrilateral"):
        run(str(video), "--corners", "9,9", "9,9", "90,90", "9,90")


def test_an_overlay_over_the_recording_itself_is_refused(tmp_path: Path) -> None:
    video = record(tmp_path / "video.mp4", [0, 33])
    whole, link = video.read_bytes(), tmp_path / "link.mp4"
    link.symlink_to(video)
    with pytest.raises(Refusal, match=r"link\.mp4: is .*video\.mp4 itself"):
        run(str(video), "--overlay", str(link))
    assert video.read_bytes() == whole


def test_a_word_that_is_no_pixel_is_refused(tmp_path: Path) -> None:
    video = record(tmp_path / "video.mp4", [0, 33])
    with pytest.raises(Refusal, match="four words X,Y in pixels, got 'left'"):
        run(str(video), "--corners", "left", "9,9", "90,90", "9,90")


def test_a_broken_line_of_pocket_reports_is_refused_by_number(tmp_path: Path) -> None:
    path = tmp_path / "pockets.jsonl"
    path.write_text('{"pocket": "north-east", "at_s": 1.0}\n{"pocket": "middle"}\n')
    with pytest.raises(Refusal, match="line 2 is no pocket report"):
        read_pockets(path)


def test_a_pocket_report_corrects_where_a_piece_went(tmp_path: Path) -> None:
    """The camera lost a coin and names the nearest pocket; the sensor knows."""
    path = tmp_path / "pockets.jsonl"
    path.write_text('{"pocket": "north-east", "at_s": 2.0}\n')
    white, striker = (Piece.WHITE, Point(300, 0)), (Piece.STRIKER, Point(0, -252))
    lost = Vanished(2.0, Piece.WHITE, white[1], TrackEnd.LOST, Pocket.SOUTH_EAST, 0.5)
    before, rest = census(white, striker), census(striker, at_s=4.0)
    stroke = StrokeSeen(1.0, 3.0, None, None, None, None, (lost,), before, rest)
    fell = Fusion(TABLE, read_pockets(path)).hear(stroke)
    assert fell is not None
    assert [(f.piece, f.pocket) for f in fell] == [(Piece.WHITE, Pocket.NORTH_EAST)]
