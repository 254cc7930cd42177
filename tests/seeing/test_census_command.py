"""`carrom census`: its JSON shape, any usual picture, and one line for bad input."""

import json
import struct
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.profile import Profile, save
from calibration.table import Piece, Point

# The first run on a machine compiles the kernels.
pytestmark = pytest.mark.timeout(600)

LYING = [
    (Piece.WHITE, Point(-100.0, 50.0)),
    (Piece.BLACK, Point(120.0, -60.0)),
    (Piece.QUEEN, Point(30.0, 180.0)),
    (Piece.STRIKER, Point(-40.0, -252.0)),
]


WITHOUT_LENS_MM = 6.0
"""Four corners say nothing of the lens: k1 = -0.12 alone costs 4 mm."""


@pytest.fixture(scope="module")
def picture(rendered):
    return rendered.picture(LYING)


@pytest.fixture(scope="module")
def corners(rendered) -> list[str]:
    return [
        f"{x:.2f},{y:.2f}"
        for x, y in rendered.renderer.camera.corners_px(rendered.table)
    ]


def test_the_json_has_the_promised_shape(carrom, tmp_path, picture, corners) -> None:
    code, out, _ = carrom(
        "census", stored(tmp_path, picture), "--json", "--corners", *corners
    )
    said = json.loads(out)
    assert code == 0
    assert said["table"]["side_mm"] == 740
    given = [[float(n) for n in word.split(",")] for word in corners]
    assert np.array(said["table"]["corners_px"]) == pytest.approx(
        np.array(given), abs=0.02
    )
    assert {frozenset(piece) for piece in said["pieces"]} == {
        frozenset(
            ["piece", "x_px", "y_px", "r_px", "x_mm", "y_mm", "confidence", "where"]
        )
    }


def test_every_piece_is_reported_in_millimetres(
    carrom, tmp_path, picture, corners
) -> None:
    _, out, _ = carrom(
        "census", stored(tmp_path, picture), "--json", "--corners", *corners
    )
    seen = json.loads(out)["pieces"]
    for piece, at in LYING:
        mine = [s for s in seen if s["piece"] == piece]
        assert len(mine) == 1
        assert at.distance_mm(Point(mine[0]["x_mm"], mine[0]["y_mm"])) < WITHOUT_LENS_MM


def test_people_get_a_list_and_the_counts(carrom, tmp_path, picture, corners) -> None:
    code, out, _ = carrom("census", stored(tmp_path, picture), "--corners", *corners)
    assert code == 0
    assert "On the table: 1 of 9 white, 1 of 9 black, 1 of 1 queen" in out


def test_an_overexposed_picture_is_said_to_be_one_and_nothing_in_it_is_sure(
    carrom, tmp_path, picture, corners
) -> None:
    """At twice the light wood is at the limit in two of its three colours."""
    bright = np.clip(picture * 2.0, 0, 255).astype(np.uint8)
    code, out, said = carrom(
        "census", stored(tmp_path, bright), "--json", "--corners", *corners
    )
    assert code == 0
    assert "of the table is white to the limit, so names are guesses" in said
    assert max(piece["confidence"] for piece in json.loads(out)["pieces"]) < 0.5


def test_a_profile_counts_as_the_fixed_camera_does(
    carrom, tmp_path, picture, rendered
) -> None:
    cv2.imwrite(str(tmp_path / "empty.png"), rendered.renderer.empty())
    profile = tmp_path / "profile.json"
    save(
        Profile(
            camera="rendered",
            made_utc="2026-01-01T00:00:00Z",
            table=rendered.table,
            mapping=rendered.mapping,
            residual_mm=0.0,
            empty=Path("empty.png"),
        ),
        profile,
    )
    _, out, _ = carrom(
        "census", stored(tmp_path, picture), "--profile", profile, "--json"
    )
    seen = [
        (s["piece"], Point(s["x_mm"], s["y_mm"])) for s in json.loads(out)["pieces"]
    ]
    assert sorted(piece for piece, _ in seen) == sorted(piece for piece, _ in LYING)
    for piece, at in LYING:
        assert dict(seen)[piece].distance_mm(at) < 1.5


def test_an_overlay_is_written_at_least_as_large_as_the_picture(
    carrom, tmp_path, picture, corners
) -> None:
    out = tmp_path / "seen.png"
    carrom("census", stored(tmp_path, picture), "--corners", *corners, "--overlay", out)
    assert cv2.imread(str(out)).shape[0] > picture.shape[0]


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda p: p.astype(np.uint16) * 257, id="16 bit"),
        pytest.param(lambda p: cv2.cvtColor(p, cv2.COLOR_BGR2BGRA), id="transparent"),
    ],
)
def test_any_depth_and_alpha_give_the_same_pieces(
    carrom, tmp_path, picture, corners, change
) -> None:
    _, plain, _ = carrom(
        "census", stored(tmp_path, picture), "--json", "--corners", *corners
    )
    _, other, _ = carrom(
        "census", stored(tmp_path, change(picture)), "--json", "--corners", *corners
    )
    assert json.loads(other)["pieces"] == json.loads(plain)["pieces"]


def test_a_grey_picture_is_counted_too(carrom, tmp_path, picture, corners) -> None:
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    code, out, _ = carrom(
        "census", stored(tmp_path, grey), "--json", "--corners", *corners
    )
    assert code == 0
    assert len(json.loads(out)["pieces"]) == len(LYING)


def test_pixels_are_those_of_the_picture_as_shown(
    carrom, tmp_path, picture, corners
) -> None:
    """Stored lying on its side with EXIF orientation 6: shown turned clockwise."""
    stored_turned = cv2.rotate(picture, cv2.ROTATE_90_COUNTERCLOCKWISE)
    _, jpeg = cv2.imencode(".jpg", stored_turned, [cv2.IMWRITE_JPEG_QUALITY, 98])
    path = tmp_path / "turned.jpg"
    path.write_bytes(with_orientation(jpeg.tobytes(), 6))
    _, out, _ = carrom("census", path, "--json", "--corners", *corners)
    strikers = [s for s in json.loads(out)["pieces"] if s["piece"] == "striker"]
    at = Point(strikers[0]["x_mm"], strikers[0]["y_mm"])
    assert at.distance_mm(LYING[3][1]) < WITHOUT_LENS_MM


GOOD = ["100,100", "900,110", "890,600", "105,590"]

BAD = {
    "no such file": (["gone.png"], "cannot be read"),
    "no picture": (["words.png"], "is no picture"),
    "empty file": (["nothing.png"], "is no picture"),
    "too small": (["tiny.png"], "at least"),
    "corners crossed": (
        ["good.png", "--corners", GOOD[0], GOOD[2], GOOD[1], GOOD[3]],
        "no convex quadrilateral",
    ),
    "corners that are no numbers": (
        ["good.png", "--corners", *GOOD[:3], "left"],
        "takes four words X,Y",
    ),
    "an option where a corner should be": (
        ["good.png", "--corners", *GOOD[:3], "--json"],
        "takes four words X,Y",
    ),
    "two ways to say where": (
        ["good.png", "--corners", *GOOD, "--pocket-centres", *GOOD],
        "only one of",
    ),
    "an impossible side": (
        ["good.png", "--side-mm", "5", "--corners", *GOOD],
        "--side-mm: side_mm must be",
    ),
    "no profile": (["good.png", "--profile", "gone.json"], "cannot be read"),
    "no table in sight": (["good.png"], "no carrom table found"),
    "a damaged picture": (["damaged.png"], "is no picture"),
    "a picture that unpacks to gigabytes": (["vast.png"], "at most 120 million pixels"),
    "a picture taken in the dark": (
        ["dark.png", "--corners", *GOOD],
        "dark.png: the picture is dark",
    ),
    "a picture of a lens cap": (
        ["covered.png", "--corners", *GOOD],
        "covered.png: the picture shows nothing",
    ),
    "corners a few pixels apart": (
        ["good.png", "--corners", "500,500", "520,500", "520,520", "500,520"],
        "only 20 px wide",
    ),
    "an overlay of no kind": (
        ["good.png", "--corners", *GOOD, "--overlay", "out.words"],
        "ending",
    ),
}


@pytest.mark.parametrize(("words", "says"), BAD.values(), ids=BAD.keys())
def test_bad_input_is_one_line_and_exit_code_2(
    carrom, tmp_path, monkeypatch, words, says
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("words.png").write_text("no picture at all")
    Path("nothing.png").touch()
    stored(tmp_path, np.zeros((8, 8, 3), np.uint8), "tiny.png")
    stored(tmp_path, shaded(700, 1000), "good.png")
    stored(tmp_path, np.full((700, 1000, 3), 2, np.uint8), "dark.png")
    stored(tmp_path, np.full((700, 1000, 3), 127, np.uint8), "covered.png")
    damaged = bytearray(Path("good.png").read_bytes())
    Path("damaged.png").write_bytes(damaged[: len(damaged) // 2])
    damaged[16:24] = struct.pack(">II", 60_000, 60_000)
    Path("vast.png").write_bytes(damaged)
    code, out, err = carrom("census", *words)
    assert (code, out) == (2, "")
    assert says in err
    assert err.count("\n") == 1


def shaded(height: int, width: int) -> np.ndarray:
    """A picture that gets lighter from left to right, and shows no table."""
    row = np.linspace(60, 200, width).astype(np.uint8)
    return np.broadcast_to(row[None, :, None], (height, width, 3)).copy()


def stored(folder: Path, image: np.ndarray, name: str = "picture.png") -> Path:
    path = folder / name
    cv2.imwrite(str(path), image)
    return path


def with_orientation(jpeg: bytes, orientation: int) -> bytes:
    """The JPEG with an EXIF block of one entry (tag 0x0112), little endian."""
    entry = struct.pack("<HHIHH", 0x0112, 3, 1, orientation, 0)
    tiff = b"II*\0" + struct.pack("<IH", 8, 1) + entry + struct.pack("<I", 0)
    block = b"Exif\0\0" + tiff
    return jpeg[:2] + b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block + jpeg[2:]
