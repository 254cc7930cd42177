"""`carrom watch --overlay`: does the film show what was believed?"""

from pathlib import Path

import av
import numpy as np
import pytest

from calibration.plane import PlaneMapping
from calibration.refusal import Refusal
from calibration.table import Piece, Pocket, Point, Table
from vision.frames import Frame, Image
from vision.overlay_film import STRIP_PX, FilmOverlay, FilmWriter
from vision.sightings import (
    Belief,
    Hidden,
    NotWatching,
    Observation,
    StrokeStarted,
    Track,
    TrackEnd,
    Vanished,
    WatchingAgain,
)

TABLE = Table()
CORNERS = [(100.0, 50.0), (700.0, 50.0), (700.0, 650.0), (100.0, 650.0)]
MAPPING = PlaneMapping.from_corners(CORNERS, (800, 700), TABLE)
WOOD = (150, 190, 215)


def track(piece: Piece, at: Point, speed_mm_s: float = 0.0, number: int = 1) -> Track:
    return Track(number, piece, at, Point(speed_mm_s, 0.0), 0.0, 0.0, 0.9)


def drawn(
    film: FilmOverlay,
    *tracks: Track,
    at_s: float = 1.0,
    hidden: tuple[Hidden, ...] = (),
    told: tuple[Observation, ...] = (),
) -> Image:
    wood = np.full((700, 800, 3), WOOD, np.uint8)
    return film.draw(Frame(at_s, 0, wood), Belief(tracks, hidden, MAPPING), told)


def changed_near(picture: Image, other: Image, at: Point, reach_mm: float) -> float:
    """Share of the pixels around a place that differ between two pictures."""
    x, y = (round(c) for c in MAPPING.point_to_px(at))
    reach = round(reach_mm * 600 / TABLE.side_mm)
    box = np.s_[y - reach : y + reach, x - reach : x + reach]
    return float((picture[box] != other[box]).any(axis=2).mean())


def test_a_piece_is_marked_where_it_is_believed_to_be() -> None:
    bare = drawn(FilmOverlay(TABLE))
    at, elsewhere = Point(120.0, -60.0), Point(-120.0, 60.0)
    shown = drawn(FilmOverlay(TABLE), track(Piece.WHITE, at))
    assert changed_near(shown, bare, at, 16) > 0.2
    assert changed_near(shown, bare, elsewhere, 16) == 0.0


def test_a_moving_piece_draws_a_tail_and_a_lying_one_does_not() -> None:
    moving, lying = FilmOverlay(TABLE), FilmOverlay(TABLE)
    for step in range(20):
        at = Point(-100.0 + 10 * step, 0.0)
        tail = drawn(moving, track(Piece.BLACK, at, 600.0))
        still = drawn(lying, track(Piece.BLACK, at))
    assert changed_near(tail, still, Point(0.0, 0.0), 8) > 0.1


def test_what_a_hand_hides_is_hatched() -> None:
    corners = (Point(-80, -80), Point(80, -80), Point(80, 80), Point(-80, 80))
    bare = drawn(FilmOverlay(TABLE))
    shown = drawn(FilmOverlay(TABLE), hidden=(Hidden(corners, "hand"),))
    assert 0.1 < changed_near(shown, bare, Point(40.0, -40.0), 25) < 0.6


def test_a_fall_is_crossed_out_at_its_pocket_for_a_moment() -> None:
    film = FilmOverlay(TABLE)
    bare = drawn(FilmOverlay(TABLE))
    pocket = Pocket.NORTH_EAST
    fell = Vanished(1.0, Piece.WHITE, Point(330, 330), TrackEnd.POCKET, pocket, 0.9)
    at = TABLE.pocket_centres[pocket]
    shown = drawn(film, told=(StrokeStarted(0.5, None), fell))
    later = drawn(film, at_s=4.0)
    assert changed_near(shown, bare, at, 12) > 0.1
    assert changed_near(later, bare, at, 12) == 0.0


def test_not_watching_frames_the_picture_until_it_is_over() -> None:
    film = FilmOverlay(TABLE)
    blind = drawn(film, told=(NotWatching(1.0, "the picture is dark: lamp on"),))
    assert blind[3, 400].tolist() != list(WOOD)
    again = drawn(film, told=(WatchingAgain(2.0),))
    assert again[3, 400].tolist() == list(WOOD)


def test_the_film_keeps_each_frames_time(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    writer, film = FilmWriter(path), FilmOverlay(TABLE)
    times = [0.0, 0.016, 0.033, 0.1, 0.25]
    for at_s in times:
        writer.write(drawn(film, at_s=at_s)[:, :799], at_s)
    writer.close()
    with av.open(str(path)) as container:
        frames = list(container.decode(video=0))
    assert [frame.time for frame in frames] == pytest.approx(times, abs=1e-4)
    assert (frames[0].width, frames[0].height) == (798, 700 + STRIP_PX)


def test_a_film_that_cannot_be_written_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match=r"a film ends in \.mp4"):
        FilmWriter(tmp_path / "film.png")
    with pytest.raises(Refusal, match=r"cannot be written .*name another place"):
        FilmWriter(tmp_path / "nowhere" / "film.mp4")


def test_a_film_that_meets_a_full_disk_says_which(tmp_path: Path) -> None:
    path = tmp_path / "film.mp4"
    path.symlink_to("/dev/full")
    writer = FilmWriter(path)
    writer.write(np.zeros((90, 160, 3), np.uint8), 0.0)
    with pytest.raises(Refusal, match=r"film\.mp4 cannot be written on \(No space"):
        writer.close()
