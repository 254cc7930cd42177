"""`carrom calibrate` as its user runs it: pictures in, verdict, profile, overlay out."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from calibration.profile import load
from calibration.table import Piece, Table
from vision.frames import Image
from vision.pictures import read_picture, write_picture
from vision.sources.rendered import Renderer
from vision.sources.rendering_scene import Scene, ScenePiece

TABLE = Table()


@pytest.fixture(scope="module")
def renderer() -> Renderer:
    return Renderer(TABLE)


@pytest.fixture(scope="module")
def folder(renderer: Renderer, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the empty table was calibrated from one picture, all outputs asked for."""
    folder = tmp_path_factory.mktemp("calibrated")
    write_picture(folder / "empty.png", renderer.render(Scene(0.0, ()), 0))
    wanted = ("--profile", "club.json", "--overlay", "fit.png", "--by", "Asha")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "controller", "calibrate", "--image", "empty.png"),
            *("--camera-height-mm", "1200", *wanted, "--json"),
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        timeout=100,
    )
    assert (done.returncode, done.stderr) == (0, "")
    (folder / "said.json").write_text(done.stdout)
    return folder


def test_the_verdict_comes_with_figures(folder: Path) -> None:
    said = json.loads((folder / "said.json").read_text())
    assert said["verdict"] == "placement calls"
    assert said["accuracy"]["p95_mm"] < 0.9
    assert said["accuracy"]["four_corners_mean_mm"] > 2.0
    assert said["accuracy"]["no_height_mean_mm"] > 1.0


def test_the_profile_keeps_who_when_and_how_good(folder: Path) -> None:
    profile = load(folder / "club.json", size_px=(1280, 720))
    assert (profile.by, profile.camera) == ("Asha", "picture empty.png")
    assert profile.certificate is not None
    assert profile.certificate.lens == "marks"
    assert profile.light is not None
    assert profile.light.remedies == ()


def test_the_overlay_is_a_picture_larger_than_what_it_explains(folder: Path) -> None:
    drawn: Image = read_picture(folder / "fit.png")
    assert drawn.shape[0] > 720


def test_a_census_by_the_profile_puts_coins_where_they_lie(
    carrom, folder: Path, renderer: Renderer
) -> None:
    rack = TABLE.opening_rack()
    lying = tuple(ScenePiece(piece, at) for piece, at in rack)
    write_picture(folder / "rack.png", renderer.render(Scene(0.0, lying), 1))
    _, out, _ = carrom(
        "census", folder / "rack.png", "--profile", folder / "club.json", "--json"
    )
    pieces = json.loads(out)["pieces"]
    assert [p["piece"] for p in pieces].count(Piece.WHITE) == 9
    off = [
        min(np.hypot(p["x_mm"] - x, p["y_mm"] - y) for p in pieces)
        for _, (x, y) in rack
    ]
    assert max(off) < 2.0


REFUSED = {
    "no picture": (("--image", "none.png"), "none.png cannot be read"),
    "no folder": (("--charuco", "none"), "no folder at none"),
    "pictures of other things": (("--charuco", "."), "different sizes"),
    "a thin coin": (("--coin-height-mm", "0.5"), "--coin-height-mm must be 3 to 15"),
    "an unlikely side": (("--side-mm", "50"), "--side-mm: side_mm must be 300"),
    "half a corner": (("--corners", "1", "2", "3", "4"), "--corners takes four words"),
    "nowhere to write": (
        ("--charuco-board", "no/such/folder.pdf"),
        "folder.pdf cannot be written",
    ),
}


@pytest.mark.parametrize(("words", "said"), REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_be_used_is_refused_in_one_line(
    carrom, folder: Path, monkeypatch, words: tuple[str, ...], said: str
) -> None:
    monkeypatch.chdir(folder)
    code, _, err = carrom("calibrate", *words)
    assert (code, len(err.splitlines())) == (2, 1)
    assert said in err


def test_the_board_is_written(carrom, tmp_path: Path) -> None:
    code, out, _ = carrom("calibrate", "--charuco-board", tmp_path / "board.pdf")
    assert (code, "both rulers" in out) == (0, True)
    assert (tmp_path / "board.pdf").read_bytes().startswith(b"%PDF-1.4")


def test_a_damaged_lens_of_the_page_is_refused(
    carrom, monkeypatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.toml").write_text('[journal]\npath = "match.journal"\n')
    (tmp_path / "calibration-lens.json").write_text("{")
    code, _, err = carrom("calibrate", "--config", "table.toml", "--json")
    assert code == 2
    assert "calibration-lens.json is damaged" in err
    assert "measure it again" in err
