"""Friction, level and runs come back from ways whose truth is integrated here."""

from itertools import pairwise

import numpy as np
import pytest

from calibration.table import Piece, Point, Table
from vision.sightings import Track
from vision.slides import Slides, Step, fastest_mm_s, runs, surface_of

TABLE = Table()
G_MM_S2 = 9810.0
FINE = 20
"""Steps of the motion per frame."""


def slid(
    collected: Slides,
    number: int,
    *,
    friction: float = 0.1,
    rises_mm_m: tuple[float, float] = (0.0, 0.0),
    noise_mm: float = 0.5,
) -> None:
    """One piece that slides 0.4 s from somewhere to anywhere, seen at 60 a second."""
    random = np.random.default_rng(number)
    angle = random.uniform(0, 2 * np.pi)
    u = np.array([np.cos(angle), np.sin(angle)])
    place, speed = -240 * u + random.uniform(-60, 60, 2), 900 * u
    slope = G_MM_S2 * np.array(rises_mm_m) / 1000
    for n in range(25):
        t = n / 60
        for _ in range(FINE if n else 0):
            pull = -friction * G_MM_S2 * speed / np.linalg.norm(speed) - slope
            place = place + speed / (60 * FINE) + pull / (60 * FINE) ** 2 / 2
            speed = speed + pull / (60 * FINE)
        seen = place + random.normal(0, noise_mm, 2)
        at = Point(*seen.tolist())
        still = Point(0.0, 0.0)
        collected.add([Track(number, Piece.WHITE, at, still, 0.0, t, 1.0)], t)


def test_friction_and_level_come_back_within_their_stated_doubt() -> None:
    collected = Slides(TABLE)
    for number in range(1000, 1040):
        slid(collected, number, friction=0.12, rises_mm_m=(4.0, -2.0))
    found = surface_of(collected.free())
    assert found is not None
    assert found.friction == pytest.approx(0.12, abs=max(found.friction_doubt, 0.002))
    assert found.east_mm_m == pytest.approx(4.0, abs=found.level_doubt_mm_m)
    assert found.north_mm_m == pytest.approx(-2.0, abs=found.level_doubt_mm_m)
    assert found.level_doubt_mm_m < 4.0


def test_a_few_slides_tell_no_level() -> None:
    collected = Slides(TABLE)
    for number in range(5):
        slid(collected, number)
    assert surface_of(collected.free()) is None


def test_a_bounce_ends_a_slide() -> None:
    collected = Slides(TABLE)
    steps = [Point(-200 + 20.0 * n, 0.0) for n in range(10)]
    steps += [Point(-20 - 20.0 * n, 10.0 * n) for n in range(1, 11)]
    for n, at in enumerate(steps):
        collected.add([Track(1, Piece.WHITE, at, at, 0.0, n / 60, 1.0)], n / 60)
    assert len(collected.free()) == 2


def test_only_measured_places_count() -> None:
    collected = Slides(TABLE)
    at = Point(0.0, 0.0)
    collected.add([Track(1, Piece.WHITE, at, at, 0.0, 0.9, 1.0)], 1.0)
    assert collected.ways == {}


def test_a_run_of_the_board_is_from_frame_to_frame() -> None:
    free = TABLE.half_mm - TABLE.striker_radius_mm
    ends = [Point(0.0, free * s) for s in (-1, 1, -1, 1, 0)]
    way = [Step(float(n), at) for n, at in enumerate(ends)]
    assert runs(way, TABLE) == pytest.approx(3.5)


def test_what_happens_between_frames_at_the_frame_is_counted() -> None:
    """2.4 m at 2.4 m/s up and down the table, seen every 25 ms: 3.44 runs."""
    free = TABLE.half_mm - TABLE.striker_radius_mm
    way = []
    for n in range(41):
        folded = (60.0 * n) % (4 * free)
        y = folded - free if folded <= 2 * free else 3 * free - folded
        way.append(Step(n / 40, Point(10.0, y)))
    assert runs(way, TABLE) == pytest.approx(2400 / (2 * free))


def test_the_fastest_speed_is_over_two_steps() -> None:
    way = [Step(n / 60, Point(50.0 * n, 0.0)) for n in range(6)]
    assert fastest_mm_s(way) == pytest.approx(3000.0)
    assert [round(b.at_s - a.at_s, 4) for a, b in pairwise(way)] == [0.0167] * 5
