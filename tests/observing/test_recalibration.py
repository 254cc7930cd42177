"""A table calibrated anew in mid-match: told, on record, and the match goes on."""

from controller.events import Recalibrated
from controller.session import step
from controller.telling import events_of
from tests.observing.match_sheet import opened, run, strokes

ANEW = Recalibrated(30.0, "0123456789abcdef", "trusted for positions", "Mira")


def test_a_calibration_is_told_and_changes_nothing_of_the_match() -> None:
    before, _ = run(opened(), strokes("9w 9b q s | w@NE | 8w 9b q s"))
    after, told = step(before, ANEW)
    (event,) = events_of(told[0], after)
    assert event.kind == "calibrated"
    assert event.text == (
        "The table was calibrated anew by Mira: trusted for positions (01234567)"
    )
    assert after.match == before.match
    assert after.observer == before.observer
