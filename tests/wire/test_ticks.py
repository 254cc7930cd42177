"""Ticks to host time: the stated error always holds, and stays small."""

from hypothesis import given
from hypothesis import strategies as st

from controller.pockets.ticks import RATE_ERROR, WRAP_US, TickClock

DRIFTS = st.floats(-0.005, 0.005)
DELAYS = st.floats(0.0001, 0.05)


def tick(at_s: float, drift: float = 0.0, first: int = 0) -> int:
    """What a node started at host time 0 shows."""
    return (first + round(at_s * (1 + drift) * 1e6)) % WRAP_US


def answered(
    clock: TickClock, sent_s: float, way_s: float, back_s: float, drift: float
) -> None:
    """One round trip: the query takes `way_s`, the answer `back_s`."""
    clock.answer(sent_s, sent_s + way_s + back_s, tick(sent_s + way_s, drift))


@given(DRIFTS, st.lists(st.tuples(DELAYS, DELAYS), min_size=1, max_size=60))
def test_the_stated_error_holds_for_any_delays(
    drift: float, delays: list[tuple[float, float]]
) -> None:
    clock = TickClock()
    for number, (way_s, back_s) in enumerate(delays):
        answered(clock, number * 0.25, way_s, back_s, drift)
    now_s = len(delays) * 0.25

    for fell_s in (now_s, now_s - 0.2, max(0.0, now_s - 10)):
        timed = clock.at(tick(fell_s, drift), now_s)
        assert abs(timed.at_s - fell_s) <= timed.error_s


@given(DRIFTS)
def test_after_five_seconds_of_millisecond_round_trips_it_is_good_to_a_millisecond(
    drift: float,
) -> None:
    clock = TickClock()
    for number in range(20):
        answered(clock, number * 0.25, 0.0006, 0.0004, drift)

    assert clock.at(tick(4.95, drift), 5.0).error_s < 0.001


def test_the_smallest_round_trip_wins() -> None:
    clock = TickClock()
    for number in range(20):
        slow = number not in (3, 16)
        answered(clock, number * 0.25, 0.0005, 0.2 if slow else 0.0005, 0.001)

    assert clock.at(tick(4.9, 0.001), 5.0).error_s < 0.001


def test_one_round_trip_alone_is_good_to_its_half_and_the_resonator() -> None:
    clock = TickClock()
    answered(clock, 10.0, 0.001, 0.001, 0.0)

    timed = clock.at(tick(11.001), 11.1)

    assert timed.error_s < 0.0011 + RATE_ERROR * 1.0
    assert abs(timed.at_s - 11.001) < 1e-6


def test_an_answer_too_slow_to_say_anything_is_dropped() -> None:
    clock = TickClock()
    answered(clock, 1.0, 0.2, 0.2, 0.0)

    assert not clock.ready


def test_one_answer_against_all_others_is_dropped() -> None:
    clock = TickClock()
    for number in range(8):
        answered(clock, number * 0.25, 0.0005, 0.0005, 0.0)
    clock.answer(2.0, 2.0001, tick(2.5))

    assert abs(clock.at(tick(2.0), 2.1).at_s - 2.0) < 0.001


def test_several_answers_against_the_line_move_the_line() -> None:
    clock = TickClock()
    for number in range(8):
        answered(clock, number * 0.25, 0.0005, 0.0005, 0.0)
    for number in range(8, 12):
        clock.answer(number * 0.25, number * 0.25 + 0.001, tick(number * 0.25 + 3))

    assert abs(clock.at(tick(5.75), 2.8).at_s - 2.75) < 0.002


@given(DRIFTS, st.floats(4290.0, 4299.0))
def test_ticks_wrap_after_71_minutes(drift: float, fell_s: float) -> None:
    clock = TickClock()
    for number in range(80):
        answered(clock, 4275 + number * 0.25, 0.0005, 0.0005, drift)

    timed = clock.at(tick(fell_s, drift), 4299.1)

    assert abs(timed.at_s - fell_s) < 0.001


@given(DRIFTS)
def test_a_long_silence_with_many_wraps_does_not_confuse_the_clock(
    drift: float,
) -> None:
    clock = TickClock()
    hours_s = 20 * 3600.0
    for start_s in (0.0, hours_s):
        for number in range(20):
            answered(clock, start_s + number * 0.25, 0.0005, 0.0005, drift)

    timed = clock.at(tick(hours_s + 4.9, drift), hours_s + 5)

    assert abs(timed.at_s - hours_s - 4.9) <= timed.error_s


def test_a_tick_of_just_before_the_wrap_read_after_it_lies_in_the_past() -> None:
    clock = TickClock()
    clock.answer(100.0, 100.001, 500)

    timed = clock.at(WRAP_US - 20_000, 100.01)

    assert abs(timed.at_s - 99.98) < 0.001
