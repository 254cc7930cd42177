"""Do the clocks call when they should, once, and by what was heard alone?"""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.table import Piece, Seat
from controller.config import Config, configured
from controller.config_match import MatchSettings
from controller.events import (
    BoardCalled,
    ClockAction,
    ClockSet,
    Configured,
    Elapsed,
    Fallen,
    Fault,
    FoulCalled,
    Input,
    Inserted,
    Restarted,
    Ruled,
    ScoreSet,
    StrokeFacts,
    TakenBack,
)
from controller.feed.models_match import WaitFor
from controller.outcomes import Called, PiecesPlaced, RulingRefused, Told
from controller.rules.board import Finish, Side
from controller.rules.happenings import Bell, Conceded
from controller.session import Session, begin, replay
from controller.session_deadlines import waiting
from controller.telling import called_alert, state_of, words
from tests.observing.match_sheet import run

PLAYED_S = 0.5


def setting(rules: str) -> Configured:
    return configured(Config(match=MatchSettings(rules=rules)), 0.0, "test")


def clock(at_s: float, action: str, shows_s: float = 0.0) -> ClockSet:
    return ClockSet(at_s, "umpire", ClockAction(action), shows_s)


def played(at_s: float, white: int = 0) -> Inserted:
    """A stroke by hand that rests at this moment."""
    fell = (Fallen(Piece.WHITE, None, None, 1.0),) * white
    facts = StrokeFacts(from_s=at_s - PLAYED_S, to_s=at_s, fell=fell, touched=True)
    return Inserted(at_s, "umpire", None, facts, "")


def heard(rules: str, *inputs: Input) -> tuple[Session, list[Told]]:
    return run(begin(setting(rules)), inputs)


def calls(told: list[Told]) -> list[tuple[str, float]]:
    return [
        (what.call.value, what.at_s)
        for what in (one.what for one in told)
        if isinstance(what, Called)
    ]


def texts(told: list[Told]) -> list[str]:
    return [one.what.text for one in told if isinstance(one.what, Called)]


def of_the_game(told: list[Told]) -> list[tuple[str, float]]:
    return [one for one in calls(told) if one[0] in ("warning", "bell")]


def test_a_tournament_game_is_warned_at_20_and_rung_off_at_25_minutes() -> None:
    _, told = heard("tournament", clock(100, "start"), Elapsed(1299.9))
    assert of_the_game(told) == []
    session, told = heard("tournament", clock(100, "start"), Elapsed(1300.0))
    assert of_the_game(told) == [("warning", 1300.0)]
    assert session.wake_s == 1600.0
    _, told = run(session, [Elapsed(1600.0), Elapsed(1601.0)])
    assert of_the_game(told) == [("bell", 1600.0)]


def test_the_clock_starts_with_the_break_when_nobody_started_it() -> None:
    session, _ = heard("tournament", played(50.0))
    assert session.clock.started_s == 50.0 - PLAYED_S
    earlier, _ = heard("tournament", clock(30, "start"), played(50.0))
    assert earlier.clock.started_s == 30


def test_a_pause_stands_for_all_clocks_and_is_not_counted() -> None:
    session, told = heard(
        "tournament", clock(0, "start"), clock(600, "pause"), Elapsed(9000)
    )
    assert (of_the_game(told), session.wake_s) == ([], None)
    assert session.clock.elapsed_s(9000) == 600
    session, _ = run(session, [clock(9000, "resume")])
    assert session.wake_s == 9000 + 600
    assert session.clock.elapsed_s(9100) == 700


def test_a_clock_can_be_set_to_what_it_should_show() -> None:
    session, _ = heard("tournament", clock(10, "start", 1190.0))
    assert session.wake_s == 20.0


@pytest.mark.parametrize(
    ("inputs", "why"),
    [
        ([clock(5, "resume")], "there is nothing to resume"),
        ([clock(5, "pause"), clock(6, "pause")], "stand already"),
    ],
)
def test_an_entry_that_changes_nothing_is_refused_in_one_line(
    inputs: list[Input], why: str
) -> None:
    _, told = heard("tournament", *inputs)
    refused = told[-1].what
    assert isinstance(refused, RulingRefused)
    assert why in refused.text
    assert "\n" not in refused.text


def test_a_pause_taken_back_never_was() -> None:
    session, _ = heard(
        "tournament",
        clock(0, "start"),
        clock(600, "pause"),
        TakenBack(800, "umpire", None, ""),
    )
    assert session.clock.elapsed_s(900) == 900


@pytest.mark.parametrize(
    ("rules", "limit_s"),
    [("icf", 15), ("tournament", 12), ("premier-league", 10), ("arena", None)],
)
def test_a_stroke_is_called_late_after_the_rule_sets_seconds_from_rest(
    rules: str, limit_s: float | None
) -> None:
    session, _ = heard(rules, played(50.0))
    _, told = run(session, [Elapsed(50.0 + n) for n in range(1, 30)])
    late = [("stroke-late", 50.0 + limit_s)] if limit_s else []
    assert [one for one in calls(told) if one[0] == "stroke-late"] == late
    assert not [one for one in told if not isinstance(one.what, Called)]


def test_a_call_takes_no_turn_until_the_umpire_rules() -> None:
    session, _ = heard("tournament", played(50.0))
    late, told = run(session, [Elapsed(62.0)])
    assert calls(told) == [("stroke-late", 62.0)]
    assert late.match == session.match


def test_the_first_break_is_waited_for_from_play_on() -> None:
    session, told = heard("icf", Elapsed(500.0))
    assert (session.wake_s, calls(told)) == (None, [])
    session, told = run(session, [clock(500, "play"), Elapsed(515.0)])
    assert calls(told) == [("stroke-late", 515.0)]


def test_an_appeal_is_left_out_of_the_time_for_a_stroke() -> None:
    session, _ = heard(
        "icf", played(50.0), clock(55, "pause"), clock(75, "resume"), Elapsed(84.9)
    )
    assert session.wake_s == 85.0


def test_coins_owed_have_a_limit_of_their_own_before_the_next_stroke() -> None:
    session, _ = heard(
        "icf", played(50.0, white=1), FoulCalled(60.0, "u", True, Seat.SOUTH, "")
    )
    shown = state_of(session).wait
    assert shown is not None
    assert (shown.what, shown.until_s) == (WaitFor.PLACING, 75.0)
    late, told = run(session, [Elapsed(75.0)])
    assert calls(told) == [("placing-late", 75.0)]
    placed = waiting(late.timing, Elapsed(80.0), (PiecesPlaced(80.0, (Piece.WHITE,)),))
    assert (placed.placing_since_s, placed.stroke_since_s) == (None, 80.0)


def test_what_is_called_names_law_and_article_and_the_time_left() -> None:
    session, told = heard("tournament", clock(0, "start"), Elapsed(1200))
    (warning,) = [one.what for one in told if isinstance(one.what, Called)]
    alert = called_alert(warning, session.configured.laws)
    assert (alert.law, alert.article) == ("time.bell", "tournament, section 6")
    assert alert.deadline_s == 1500.0
    assert alert.text == "20:00 of the game are over, 5:00 left"


def test_the_bell_says_who_leads_and_counts_when_the_umpire_rules_it() -> None:
    session, told = heard(
        "tournament", clock(0, "start"), played(50.0, white=1), Elapsed(1500.0)
    )
    assert texts(told)[-1] == "time: 25:00 are over; South leads"
    assert not session.match.board.over
    session, _ = run(session, [Ruled(1501.0, "u", Bell(), "")])
    assert session.match.records[-1].finish is Finish.TIME


def test_the_bell_of_a_level_board_names_the_tie_break() -> None:
    _, told = heard("tournament", clock(0, "start"), played(50.0), Elapsed(1500.0))
    assert texts(told)[-1].endswith("level, to be decided by coin race")


def test_a_restarted_host_keeps_what_the_clock_showed_until_it_is_resumed() -> None:
    session, told = heard(
        "tournament",
        clock(1000, "start"),
        Elapsed(1300.0),
        Restarted(4.0, same_clock=False),
    )
    assert "game clock stopped: the computer was restarted" in map(
        words, (one.what for one in told)
    )
    assert (session.clock.elapsed_s(500), session.clock.running) == (300, False)
    assert session.wake_s is None
    session, _ = run(session, [clock(20.0, "resume")])
    assert session.wake_s == 20.0 + 900


def test_a_restart_of_the_controller_alone_loses_no_second_of_the_clock() -> None:
    session, told = heard(
        "tournament", clock(0, "start"), Restarted(1250.0, same_clock=True)
    )
    assert of_the_game(told) == [("warning", 1200.0)]
    assert session.wake_s == 1500.0


def test_a_display_can_count_on_its_own() -> None:
    session, _ = heard(
        "tournament",
        clock(100, "start"),
        clock(200, "pause"),
        clock(260, "resume"),
    )
    shown = state_of(session).game_clock
    assert shown is not None
    assert (shown.running, shown.elapsed_s, shown.since_s) == (True, 100, 260)
    assert (shown.limit_s, shown.warning_s) == (1500, 1200)


def test_a_new_game_has_a_clock_of_its_own() -> None:
    session, _ = heard(
        "icf",
        clock(5, "start"),
        played(50.0),
        ScoreSet(60.0, "u", (24, 0), ""),
        Ruled(61.0, "u", Conceded(Side.BLACK), ""),
    )
    assert session.clock.elapsed_s(105) == 100
    session, _ = run(session, [BoardCalled(200.0, "u")])
    assert (session.match.game, session.clock.known) == (2, False)


@pytest.mark.parametrize(
    ("fault", "rules", "law"),
    [
        (Fault.LATE, "tournament", "time.turn-lost"),
        (Fault.THUMB, "standard", "stroke.thumb"),
        (Fault.BACK_SHOT, "tournament", "stroke.back"),
        (Fault.HAND_OVER_ARROW, "arena", "stroke.hand"),
        (Fault.RIVAL_FIRST, "tournament", "stroke.rival-first"),
        (Fault.BEFORE_PLAY, "icf", "break.before-play"),
        (Fault.ARROW_COIN, "tournament", "stroke.arrow-coin"),
        (Fault.FOUL, "icf", "foul.later"),
    ],
)
def test_a_fault_the_umpire_names_is_priced_by_the_rule_set(
    fault: Fault, rules: str, law: str
) -> None:
    facts = replace(played(10.0).facts, faults=(fault,))
    session, _ = heard(rules, Inserted(10.0, "u", None, facts, ""))
    assert law in {decision.law for decision in session.verdicts[-1].decisions}


def test_a_rule_set_without_a_limit_knows_no_late_stroke() -> None:
    facts = replace(played(10.0).facts, faults=(Fault.LATE,))
    _, told = heard("basic", Inserted(10.0, "u", None, facts, ""))
    refused = told[-1].what
    assert isinstance(refused, RulingRefused)
    assert refused.text.endswith("basic has no time limit for a stroke")


MOVES = st.lists(
    st.tuples(
        st.floats(0.1, 900),
        st.sampled_from(["start", "pause", "resume", "play", "stroke", "wait", "back"]),
    ),
    max_size=25,
)


def made(moves: list[tuple[float, str]]) -> list[Input]:
    """The moves as inputs, each so many seconds after the last."""
    at_s, inputs = 0.0, list[Input]()
    for later_s, move in moves:
        at_s += later_s
        match move:
            case "stroke":
                inputs.append(played(at_s))
            case "wait":
                inputs.append(Elapsed(at_s))
            case "back":
                inputs.append(TakenBack(at_s, "umpire", None, ""))
            case _:
                inputs.append(clock(at_s, move))
    return inputs


@settings(max_examples=150, deadline=None)
@given(MOVES, st.sampled_from(["tournament", "icf", "freestyle"]))
def test_any_order_of_clock_entries_and_strokes_replays_to_the_same_session(
    moves: list[tuple[float, str]], rules: str
) -> None:
    inputs = [setting(rules), *made(moves)]
    lived, told = run(begin(setting(rules)), inputs[1:])
    assert replay(inputs) == lived
    assert lived.wake_s is None or lived.wake_s > lived.timing.now_s
    seqs = [(one.seq, one.events) for one in told]
    assert all(a + n == b for (a, n), (b, _) in pairwise(seqs))


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(1, 2000), st.sampled_from(["pause", "resume"])),
        max_size=12,
    )
)
def test_the_clock_shows_every_second_that_was_not_paused(
    moves: list[tuple[int, str]],
) -> None:
    """Against a stop-watch that counts second by second."""
    at_s, inputs, presses = 0, list[Input]([clock(0, "start")]), dict[int, str]()
    for later_s, move in moves:
        at_s += later_s
        inputs.append(clock(at_s, move))
        presses[at_s] = move
    session, _ = heard("tournament", *inputs)
    shows, runs = 0, True
    for second in range(at_s + 100):
        runs = {"pause": False, "resume": True}.get(presses.get(second, ""), runs)
        shows += runs
    assert session.clock.elapsed_s(at_s + 100) == shows
    reached = of_the_game(heard("tournament", *inputs, Elapsed(at_s + 100))[1])
    assert [name for name, _ in reached] == [
        name for name, s in (("warning", 1200), ("bell", 1500)) if shows >= s
    ]
