"""Does the session ask, wait or infer when it did not see all?"""

from dataclasses import replace

import pytest

from calibration.table import Pocket
from controller.events import (
    Elapsed,
    Picked,
    PocketHealth,
    PocketState,
    Restarted,
)
from controller.outcomes import (
    Doubt,
    Phase,
    Told,
    Watching,
)
from controller.session import step
from tests.observing.match_sheet import (
    decided,
    kinds,
    opened,
    rack,
    run,
    standing,
    stroke,
    strokes,
)
from tests.observing.score_sheet import census, pulses
from tests.observing.three_strokes import (
    THREE,
    after_three,
    conceded,
    entries_of,
)
from vision.sightings import HandSeen, NotWatching, TableAtRest, WatchingAgain


def test_hidden_parts_are_waited_for() -> None:
    made = stroke(4, "8w 8b q s", "b@NE", "8w 7b q s")
    hidden = replace(made.seen, rest=census("8w 5b q s", 43.0, hidden=True))
    session, told = run(after_three(), [*made.evidence[:-1], hidden])
    assert "Judged" not in kinds(told)
    session, told = step(session, TableAtRest(census("8w 7b q s", 44.0)))
    assert decided(told) == ["TurnKept"]


def test_a_count_after_which_coins_in_sight_have_moved_is_not_waited_for() -> None:
    """Three blacks were under a hand; the two that then go were not: not this stroke."""
    made = stroke(4, "8w 8b q s", "b@NE", "8w 7b q s")
    hidden = replace(made.seen, rest=census("8w 5b q s", 43.0, hidden=True))
    session, _ = run(after_three(), [*made.evidence[:-1], hidden])
    session, told = step(session, TableAtRest(census("8w 3b q s", 49.0)))
    assert "Judged" not in kinds(told)
    assert session.question is not None
    assert session.question.doubt is Doubt.HIDDEN


def test_hidden_to_the_next_stroke_is_asked_about() -> None:
    made = stroke(4, "8w 8b q s", "b@NE", "8w 7b q s")
    hidden = replace(made.seen, rest=census("8w 5b q s", 43.0, hidden=True))
    following = strokes("8w 7b q s | | 8w 7b q s", first=5)
    session, _ = run(after_three(), [*made.evidence[:-1], hidden, *following])
    assert session.question is not None
    assert session.question.doubt is Doubt.HIDDEN


def test_a_report_still_on_its_way_is_waited_for() -> None:
    made = stroke(4, "8w 8b q s", "b@NE", "8w 7b q s")
    session, told = run(after_three(), [made.start, *made.tracks, made.seen])
    assert session.wake_s == pytest.approx(43.15)
    assert "Judged" not in kinds(told)
    session, told = step(session, made.reports[0])
    assert decided(told) == ["TurnKept"]


def test_a_report_that_never_comes_is_not_waited_for_longer() -> None:
    made = stroke(4, "8w 8b q s", "b@NE", "8w 7b q s")
    session, _ = run(after_three(), [made.start, *made.tracks, made.seen])
    session, told = step(session, Elapsed(43.15))
    assert kinds(told) == ["SourceDissent", "Judged"]
    _, told = step(session, made.reports[0])
    assert told == ()


def test_one_stroke_behind_closed_eyes_is_inferred_from_the_pockets() -> None:
    session = after_three()
    seen = TableAtRest(census("8w 7b q s", 43.0))
    (report,) = pulses("NE", 40.0, first=9)
    dark = [NotWatching(40.0, "camera gone"), report, WatchingAgain(42.9), seen]
    session, told = run(session, dark)
    assert decided(told) == ["TurnKept"]
    assert [w.ok for w in watching(told)] == [False, True]


def watching(told: list[Told]) -> list[Watching]:
    return [one.what for one in told if isinstance(one.what, Watching)]


def test_a_gap_in_which_nothing_moved_holds_no_stroke() -> None:
    session = after_three()
    seen = TableAtRest(census("8w 8b q s", 300.0))
    dark = [NotWatching(40.0, "camera gone"), WatchingAgain(299.0), seen]
    again, told = run(session, dark)
    assert kinds(told) == ["Watching", "Watching"]
    assert again.match == session.match


def test_a_gap_long_enough_for_two_strokes_is_asked_about() -> None:
    seen = TableAtRest(census("8w 7b q s", 70.0))
    (report,) = pulses("NE", 40.0, first=9)
    dark = [NotWatching(40.0, "camera gone"), report, WatchingAgain(69.0), seen]
    session, _ = run(after_three(), dark)
    assert session.question is not None
    assert session.question.doubt is Doubt.UNWATCHED


def test_play_goes_on_behind_a_question_about_the_break() -> None:
    dark = [NotWatching(9.0, "camera gone"), WatchingAgain(29.0)]
    broken = TableAtRest(census("9w 8b q s", 30.0))
    asked, _ = run(opened(), [*dark, broken])
    assert asked.question is not None
    sheet = "9w 8b q s | w@NE | 8w 8b q s"
    session, told = run(asked, strokes(sheet, first=4))
    assert "Ignored" not in kinds(told)
    assert len(session.record.lines) == 2


def test_a_due_placed_behind_closed_eyes_is_no_stroke() -> None:
    sheet = THREE + "8w 8b q s | s@NW | 8w 8b q\n"
    session, _ = run(opened(), strokes(sheet))
    seen = TableAtRest(census("8w 9b q s", 47.0))
    dark = [NotWatching(45.0, "camera gone"), WatchingAgain(46.9), seen]
    again, _ = run(session, dark)
    assert again.match == session.match


def test_while_nobody_watches_the_phase_says_so() -> None:
    session, _ = step(after_three(), NotWatching(40.0, "camera gone"))
    assert session.phase is Phase.NOT_WATCHING


def test_a_stroke_cut_by_a_restart_is_judged_once_by_what_is_left() -> None:
    made = stroke(4, "8w 8b q s", "b@NE", "8w 7b q s")
    again = Restarted(42.0, same_clock=True)
    fit = [PocketState(42.5, pocket, PocketHealth.CLEAR, "") for pocket in Pocket]
    seen = TableAtRest(census("8w 7b q s", 43.5))
    cut = [made.start, *made.tracks, again, *fit, *made.reports, seen]
    session, told = run(after_three(), cut)
    assert decided(told) == ["TurnKept"]
    assert standing(session) == "8w 7b q / black / 0:0"


def test_a_coin_that_falls_between_strokes_is_asked_about() -> None:
    (report,) = pulses("NE", 40.0, first=9)
    seen = TableAtRest(census("8w 7b q s", 43.0))
    session, _ = run(after_three(), [report, seen])
    assert session.question is not None
    assert session.question.doubt is Doubt.NO_STROKE
    session, _ = step(session, Picked(99.0, "umpire", session.question.number, 0))
    assert standing(session) == "8w 7b q / black / 0:0"


def test_a_coin_that_goes_where_no_sensor_feels_is_asked_about() -> None:
    """A stroke the eyes missed, at a pocket whose sensor is blind."""
    blind = PocketState(39.0, Pocket.NORTH_EAST, PocketHealth.BLINDED, "sun")
    there, gone = census("8w 8b q s", 40.0), census("8w 7b q s", 43.0)
    heard = [blind, TableAtRest(there), TableAtRest(gone)]
    session, _ = run(after_three(), heard)
    assert session.question is not None
    assert session.question.doubt is Doubt.NO_STROKE
    session, _ = step(session, Picked(99.0, "umpire", session.question.number, 0))
    assert standing(session) == "8w 7b q / black / 0:0"


def test_a_gap_is_asked_about_from_the_last_count_on() -> None:
    """A stroke had begun, unseen as yet, when the eyes were ended."""
    (report,) = pulses("NE", 41.0, first=9)
    heard = [
        TableAtRest(census("8w 8b q s", 40.0)),
        report,
        NotWatching(41.9, "calibrated anew"),
        WatchingAgain(80.0),
        TableAtRest(census("8w 7b q s", 81.0)),
    ]
    session, _ = run(after_three(), heard)
    assert session.question is not None
    assert {r.facts.from_s for r in session.question.readings} == {40.0}


def test_a_report_just_before_a_stroke_that_was_noticed_late_belongs_to_it() -> None:
    """The hand hid the first second: the coin was down before the start was told."""
    made = stroke(4, "8w 8b q s", "", "8w 7b q s")
    (report,) = pulses("NE", made.start.at_s - 1.1, first=9)
    session, told = run(after_three(), [report, *made.evidence, Elapsed(50.0)])
    assert decided(told) == ["TurnKept"]
    assert standing(session) == "8w 7b q / black / 0:0"


def test_a_report_while_the_striker_goes_unseen_is_asked_about() -> None:
    (report,) = pulses("NE", 40.0, first=9)
    there, gone = census("8w 8b q s", 39.0), census("8w 8b q", 43.0)
    heard = [TableAtRest(there), report, TableAtRest(gone)]
    session, _ = run(after_three(), heard)
    assert session.question is not None
    assert session.question.doubt is Doubt.NO_STROKE
    down = [r.facts.fallen.striker for r in session.question.readings].index(1)
    session, _ = step(session, Picked(99.0, "umpire", session.question.number, down))
    assert standing(session) == "8w 9b q / white / 0:0"


def test_a_striker_that_is_picked_up_is_no_stroke() -> None:
    there, gone = census("8w 8b q s", 39.0), census("8w 8b q", 43.0)
    session, told = run(after_three(), [TableAtRest(there), TableAtRest(gone)])
    assert (session.question, told) == (None, [])


def test_a_pocket_that_goes_blind_is_told_and_its_silence_is_no_evidence() -> None:
    blind = PocketState(39.0, Pocket.NORTH_EAST, PocketHealth.BLINDED, "sun")
    made = stroke(4, "8w 8b q s", "b@NE", "8w 7b q s")
    _, told = run(after_three(), [blind, made.start, *made.tracks, made.seen])
    assert kinds(told) == ["Watching", "StrokeLive", "FellLive", "Judged"]


def test_hands_over_the_table_change_nothing() -> None:
    session = after_three()
    again, told = run(session, [HandSeen(40.0, True), HandSeen(41.0, False)])
    assert (again.match, told) == (session.match, [])


def test_a_rack_first_seen_under_a_break_begins_the_board_and_the_stroke() -> None:
    made = stroke(12, "9w 9b q s", "", "9w 9b q s").seen
    session, told = step(conceded(), replace(made, before=rack(119.9)))
    assert decided(told) == ["BreakMade", "TurnPassed"]
    numbers = entries_of(session)
    assert len(set(numbers)) == len(numbers)
    assert min(numbers) > 0


def test_pieces_that_lie_elsewhere_without_a_stroke_are_asked_about() -> None:
    moved = TableAtRest(census("8w 8b q s", 43.0, shift_mm=25.0))
    session = run(after_three(), [TableAtRest(census("8w 8b q s", 40.0)), moved])[0]
    assert session.question is not None
    assert session.question.doubt is Doubt.NO_STROKE
    number = session.question.number
    stroke_made, _ = step(session, Picked(99.0, "umpire", number, 0))
    assert standing(stroke_made) == "8w 8b q / white / 0:0"
    last = len(session.question.readings) - 1
    by_hands, _ = step(session, Picked(99.0, "umpire", number, last))
    assert standing(by_hands) == standing(after_three())


def test_a_nudge_while_a_due_is_placed_is_no_stroke() -> None:
    nudged = TableAtRest(census("8w 8b q s", 43.0, shift_mm=6.0))
    session, told = step(after_three(), nudged)
    assert (session.question, told) == (None, ())
