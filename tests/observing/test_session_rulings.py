"""Does what the umpire says, and takes back, leave the record it should?"""

from dataclasses import replace

import pytest

from calibration.table import Piece, Seat
from controller.events import (
    Corrected,
    Fallen,
    FoulCalled,
    Inserted,
    Picked,
    Ruled,
    ScoreSet,
    Stated,
    TakenBack,
)
from controller.outcomes import (
    Phase,
    RecordChanged,
    RulingRefused,
)
from controller.rules.board import Side
from controller.rules.entries import TossDecided
from controller.rules.happenings import Conceded
from controller.rules.order import ByPlayer, Player
from controller.rules.toss import Choice
from controller.session import begin, step
from controller.telling import alert_of, state_of
from tests.observing.match_sheet import (
    decided,
    kinds,
    only,
    opened,
    run,
    setup,
    standing,
    strokes,
)
from tests.observing.three_strokes import (
    THREE,
    after_three,
    entries_of,
    facts,
    white,
)

DOUBTFUL = THREE + "8w 8b q s |      | 8w 7b q s\n"


def test_picking_what_lay_there_sets_the_record_right() -> None:
    sheet = THREE + "8w 8b q s | s@NW | 8w 8b q\n8w 8b q s | | 8w 8b q s"
    session, _ = run(opened(), strokes(sheet))
    assert session.question is not None
    session, _ = step(session, Picked(99.0, "umpire", session.question.number, 0))
    assert standing(session) == "8w 8b q / black / 0:0"


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
