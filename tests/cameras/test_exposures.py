"""What the times of exposures say: lost frames, and the camera's own rate."""

import pytest

from vision.sources.exposures import Exposures, RateMeter


def test_a_lost_frame_leaves_a_gap_in_the_numbers() -> None:
    exposures = Exposures(0.02)
    times = [5.0, 5.02, 5.041, 5.1, 5.119]
    assert [exposures.number(at_s) for at_s in times] == [0, 1, 2, 5, 6]


def rate(times: list[float]) -> list[float]:
    meter = RateMeter()
    return [hz for at_s in times if (hz := meter.measured(at_s)) is not None]


def test_the_rate_is_told_once_after_a_second() -> None:
    assert rate([n / 60 for n in range(200)]) == pytest.approx([60.0])


def test_frames_that_a_busy_host_missed_do_not_slow_the_camera() -> None:
    taken = [n / 60 for n in range(200) if n % 5 not in (1, 2)]
    assert rate(taken) == pytest.approx([60.0])


def test_a_camera_that_halves_its_rate_in_the_dark_is_found_out() -> None:
    assert rate([n / 30 for n in range(60)]) == pytest.approx([30.0])
