"""Does the session keep the record, ask when it must, and mend it when told?"""

from dataclasses import replace

import pytest

from calibration.table import Piece, Placement, Pocket, Seat, StrikerPlace
from controller.events import (
    BoardCalled,
    Corrected,
    Counts,
    Elapsed,
    Fallen,
    FoulCalled,
    Inserted,
    Picked,
    PocketHealth,
    PocketState,
    Restarted,
    Ruled,
    ScoreSet,
    Stated,
    StrokeFacts,
    TakenBack,
)
from controller.outcomes import (
    Asked,
    Doubt,
    LedgerMismatch,
    Phase,
    PiecesPlaced,
    RecordChanged,
    RulingRefused,
    Told,
    Watching,
)
from controller.rules.board import Side
from controller.rules.entries import TossDecided
from controller.rules.happenings import Conceded
from controller.rules.order import ByPlayer, Player
from controller.rules.toss import Choice
from controller.session import Session, begin, step
from controller.telling import alert_of, state_of
from tests.observing.match_sheet import (
    decided,
    kinds,
    only,
    opened,
    rack,
    ready,
    run,
    setup,
    standing,
    stroke,
    strokes,
)
from tests.observing.score_sheet import census, pulses
from vision.sightings import HandSeen, NotWatching, TableAtRest, WatchingAgain

THREE = """
9w 9b q s | w@NE | 8w 9b q s
8w 9b q s |      | 8w 9b q s
8w 9b q s | b@SW | 8w 8b q s
"""


def white(pocket: Pocket | None = None) -> Fallen:
    return Fallen(Piece.WHITE, pocket, None, 1.0)


def facts(*fell: Fallen) -> StrokeFacts:
    return StrokeFacts(from_s=0.0, to_s=1.0, fell=fell)


def after_three() -> Session:
    return run(opened(), strokes(THREE))[0]


def test_a_rack_is_waited_for_before_the_break() -> None:
    session = begin(setup())
    assert session.phase is Phase.RACKING
    session, _ = run(session, ready())
    assert session.phase is Phase.BREAK


def test_strokes_seen_become_points_on_the_record() -> None:
    session, told = run(opened(), strokes(THREE))
    assert standing(session) == "8w 8b q / black / 0:0"
    assert decided(told) == ["BreakMade", "TurnKept", "TurnPassed", "TurnKept"]


def test_events_are_numbered_without_a_gap() -> None:
    session, told = run(opened(), strokes(THREE))
    following = 1
    for one in told:
        assert one.seq == following
        following += one.events
    assert session.rev == following - 1


def test_a_fall_is_shown_once_before_the_stroke_is_judged() -> None:
    _, told = run(opened(), strokes(THREE.strip().splitlines()[0]))
    assert kinds(told) == ["StrokeLive", "FellLive", "Judged"]


def test_a_stroke_under_way_shows_as_such() -> None:
    start, *_ = strokes(THREE)
    session, _ = step(opened(), start)
    assert session.phase is Phase.STROKE_RUNNING


def test_a_due_that_hands_place_is_noticed() -> None:
    sheet = THREE + "8w 8b q s | s@NW | 8w 8b q\n"
    session, _ = run(opened(), strokes(sheet))
    assert standing(session) == "8w 9b q / white / 0:0"
    session, told = step(session, TableAtRest(census("8w 9b q s", 50.0)))
    assert only(told, PiecesPlaced) == PiecesPlaced(50.0, (Piece.BLACK,))


def test_a_due_not_placed_is_told_when_the_next_stroke_starts() -> None:
    sheet = THREE + "8w 8b q s | s@NW | 8w 8b q\n"
    session, _ = run(opened(), strokes(sheet))
    start, *rest = strokes("8w 8b q s | | 8w 8b q s", first=5)
    session, told = step(session, start)
    mismatch = only(told, LedgerMismatch)
    assert isinstance(mismatch, LedgerMismatch)
    assert (mismatch.book, mismatch.seen) == (Counts(8, 9, 1), Counts(8, 8, 1))
    session, told = run(session, rest)
    question = only(told, Asked)
    assert isinstance(question, Asked)
    assert question.question.doubt is Doubt.BOOK


def test_picking_what_lay_there_sets_the_record_right() -> None:
    sheet = THREE + "8w 8b q s | s@NW | 8w 8b q\n8w 8b q s | | 8w 8b q s"
    session, _ = run(opened(), strokes(sheet))
    assert session.question is not None
    session, _ = step(session, Picked(99.0, "umpire", session.question.number, 0))
    assert standing(session) == "8w 8b q / black / 0:0"


DOUBTFUL = THREE + "8w 8b q s |      | 8w 7b q s\n"


def test_an_open_question_holds_what_follows() -> None:
    more = "8w 7b q s | w@NE | 7w 7b q s"
    session, told = run(opened(), strokes(DOUBTFUL + more))
    assert session.phase is Phase.ASKING_UMPIRE
    assert kinds(told)[-3:] == ["Asked", "StrokeLive", "FellLive"]
    assert standing(session) == "8w 8b q / black / 0:0"


def test_an_answer_judges_what_waited_for_it() -> None:
    more = "8w 7b q s |  | 8w 7b q s"
    session, _ = run(opened(), strokes(DOUBTFUL + more))
    assert session.question is not None
    number = session.question.number
    fell = facts(Fallen(Piece.BLACK, None, None, 1.0))
    session, told = step(session, Stated(99.0, "umpire", number, fell))
    assert decided(told) == ["TurnKept", "TurnPassed"]
    assert standing(session) == "8w 7b q / white / 0:0"


def test_an_answer_taken_back_asks_again() -> None:
    session, _ = run(opened(), strokes(DOUBTFUL))
    asked = session.question
    assert asked is not None
    session, _ = step(session, Picked(99.0, "umpire", asked.number, 0))
    session, told = step(session, TakenBack(99.5, "umpire", None, "slip"))
    assert session.question == asked
    assert kinds(told) == ["RecordChanged"]


@pytest.mark.parametrize(
    "ruling",
    [
        Picked(40.0, "umpire", 77, 0),
        Picked(40.0, "umpire", 0, 9),
        Corrected(40.0, "umpire", 77, facts(), ""),
        TakenBack(40.0, "umpire", 77, ""),
        Inserted(40.0, "umpire", 77, facts(), ""),
        Inserted(40.0, "umpire", None, facts(*[white()] * 9), ""),
        ScoreSet(40.0, "umpire", (-1, 0), ""),
    ],
    ids=lambda ruling: type(ruling).__name__,
)
def test_a_ruling_about_nothing_is_refused_and_changes_nothing(ruling: Picked) -> None:
    before = after_three()
    session, told = step(before, ruling)
    assert kinds(told) == ["RulingRefused"]
    assert session.record == before.record


def test_taking_back_the_last_stroke_is_as_if_it_never_was() -> None:
    session, told = step(after_three(), TakenBack(99.0, "umpire", None, "practice"))
    two = "\n".join(THREE.strip().splitlines()[:2])
    never, _ = run(opened(), strokes(two))
    assert session.match == never.match
    changed = only(told, RecordChanged)
    assert isinstance(changed, RecordChanged)
    assert changed.supersedes == dict(session.first_told)[entries_of(after_three())[2]]


def entries_of(session: Session) -> list[int]:
    return [verdict.entry for verdict in session.verdicts]


def test_taking_back_the_taking_back_restores() -> None:
    before = after_three()
    session, _ = step(before, TakenBack(99.0, "umpire", None, ""))
    session, _ = step(session, TakenBack(99.5, "umpire", session.heard, ""))
    assert session.match == before.match


def test_a_corrected_stroke_changes_the_score_and_is_told_once() -> None:
    session = after_three()
    third = entries_of(session)[2]
    ruled = Corrected(99.0, "umpire", third, facts(), "it hung")
    session, told = step(session, ruled)
    assert standing(session) == "8w 9b q / white / 0:0"
    assert kinds(told) == ["RecordChanged"]


def test_strokes_since_an_error_stay_with_who_made_them() -> None:
    session = after_three()
    first = entries_of(session)[0]
    session, _ = step(session, Corrected(99.0, "umpire", first, facts(), "no fall"))
    assert standing(session) == "9w 8b q / black / 0:0"


def test_a_stroke_nobody_saw_can_be_added() -> None:
    session = after_three()
    added = Inserted(99.0, "umpire", None, facts(), "covered camera")
    session, told = step(session, added)
    assert decided(told) == ["TurnPassed"]
    assert standing(session) == "8w 8b q / white / 0:0"


def test_a_foul_costs_a_coin_and_the_turn() -> None:
    called = FoulCalled(99.0, "umpire", False, None, "touched a coin")
    session, _ = step(after_three(), called)
    assert standing(session) == "8w 9b q / white / 0:0"


def test_a_technical_foul_leaves_the_turn() -> None:
    called = FoulCalled(99.0, "umpire", True, Seat.SOUTH, "distracting")
    session, _ = step(after_three(), called)
    assert standing(session) == "9w 8b q / black / 0:0"


def test_a_score_set_by_hand_stands() -> None:
    session, _ = step(after_three(), ScoreSet(99.0, "umpire", (7, 4), "late start"))
    assert standing(session) == "8w 8b q / black / 7:4"


def conceded() -> Session:
    ruled = Ruled(99.0, "umpire", Conceded(Side.BLACK), "hurt")
    return step(after_three(), ruled)[0]


def test_a_rack_laid_out_again_begins_the_next_board() -> None:
    session = conceded()
    assert session.phase is Phase.BOARD_OVER
    assert session.match.scores.first == 8 + 3
    session, _ = step(session, TableAtRest(rack(120.0)))
    assert session.phase is Phase.BREAK
    assert session.match.board_number == 2


def test_the_umpire_can_call_the_next_board() -> None:
    session, _ = step(conceded(), BoardCalled(120.0, "umpire"))
    assert session.match.board_number == 2
    assert session.phase is Phase.BREAK


def test_a_stroke_between_boards_is_not_counted_and_that_is_said() -> None:
    session, told = run(conceded(), stroke(12, "8w 8b q s", "", "8w 8b q s").evidence)
    assert kinds(told) == ["Ignored"]
    assert session.match == conceded().match


def test_a_player_who_strikes_out_of_turn_is_asked_about() -> None:
    session = after_three()
    made = stroke(4, "8w 8b q s", "", "8w 8b q s")
    made = replace(made, seen=replace(made.seen, seat=Seat.SOUTH))
    session, _ = run(session, made.evidence)
    assert session.question is not None
    assert session.question.doubt is Doubt.OUT_OF_TURN
    again, _ = step(session, Picked(99.0, "umpire", session.question.number, 2))
    assert again.phase is Phase.BOARD_OVER


def misplaced_by(margin_mm: float, seen_as: Placement) -> Session:
    """After three strokes, one with nothing down from a striker placed wrong."""
    made = stroke(4, "8w 8b q s", "", "8w 8b q s")
    place = StrikerPlace(seen_as, -margin_mm, "both-lines")
    seen = replace(made.seen, placement=place)
    session, _ = run(after_three(), replace(made, seen=seen).evidence)
    return session


def test_a_striker_that_stood_wrong_is_asked_about() -> None:
    session = misplaced_by(7.0, Placement.ILLEGAL)
    assert session.question is not None
    assert session.question.doubt is Doubt.PLACEMENT
    assert [r.facts.improper for r in session.question.readings] == [True, False]


def test_a_striker_wrong_by_no_more_than_the_eyes_may_err_is_not_asked_about() -> None:
    assert misplaced_by(1.0, Placement.UNCERTAIN).question is None


def test_hidden_parts_are_waited_for() -> None:
    made = stroke(4, "8w 8b q s", "b@NE", "8w 7b q s")
    hidden = replace(made.seen, rest=census("8w 5b q s", 43.0, hidden=True))
    session, told = run(after_three(), [*made.evidence[:-1], hidden])
    assert "Judged" not in kinds(told)
    session, told = step(session, TableAtRest(census("8w 7b q s", 44.0)))
    assert decided(told) == ["TurnKept"]


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


def test_a_toss_taken_back_leaves_breaker_and_seats_as_they_were() -> None:
    toss = TossDecided(Player.SECOND, Choice.BREAK)
    session, told = step(opened(), Ruled(5.0, "umpire", toss, ""))
    assert session.match.names == ByPlayer("North", "South")
    assert kinds(told) == ["Judged"]
    session, _ = step(session, TakenBack(6.0, "umpire", None, ""))
    assert session.match == opened().match


def test_a_toss_after_the_break_is_refused_in_one_line() -> None:
    toss = TossDecided(Player.SECOND, Choice.BREAK)
    _, told = step(after_three(), Ruled(40.0, "umpire", toss, ""))
    refused = only(told, RulingRefused)
    assert isinstance(refused, RulingRefused)
    assert refused.text == "not possible: the toss comes before the break of its board"


def test_a_toss_after_a_level_last_board_begins_the_extra_board() -> None:
    session = replace(opened(), opening=replace(opened().opening, board_number=8))
    session, _ = step(session, ScoreSet(40.0, "umpire", (8, 20), ""))
    session, _ = step(session, Ruled(41.0, "umpire", Conceded(Side.BLACK), ""))
    assert session.match.extra_board_next
    toss = TossDecided(Player.SECOND, Choice.BREAK)
    session, _ = step(session, Ruled(42.0, "umpire", toss, ""))
    assert session.match.board_number == 9
    assert session.match.breaker is Player.SECOND


def test_scores_set_by_hand_belong_to_the_players_as_they_are_shown() -> None:
    swapped = replace(setup(), first_breaker=1)
    session, _ = step(begin(swapped), ScoreSet(5.0, "umpire", (12, 3), ""))
    first, second = state_of(session).players
    assert (first.name, first.score, second.name, second.score) == (
        "North",
        12,
        "South",
        3,
    )


def test_a_correction_says_what_it_changed_and_what_no_longer_fits() -> None:
    sheet = THREE + "8w 8b q s | w@NE w@SW | 6w 8b q s\n"
    session, _ = run(opened(), strokes(sheet))
    last = entries_of(session)[-1]
    nine = facts(*[white()] * 8)
    session, told = step(
        session, Corrected(60.0, "u", entries_of(session)[0], nine, "")
    )
    changed = only(told, RecordChanged)
    assert isinstance(changed, RecordChanged)
    assert changed.effect.startswith("now ")
    assert "coins up" in changed.effect
    assert len(changed.warnings) == 1
    assert changed.warnings[0].startswith(f"entry {last} (fell white")
    assert "a stroke cannot pocket" in changed.warnings[0]
    alert = alert_of(changed)
    assert alert is not None
    assert changed.warnings[0] in alert.text
