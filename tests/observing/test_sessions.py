"""Does the session keep the record, ask when it must, and mend it when told?"""

from dataclasses import replace

from calibration.table import Piece, Placement, Seat, StrikerPlace
from controller.events import (
    BoardCalled,
    Counts,
    Picked,
)
from controller.outcomes import (
    Asked,
    Doubt,
    LedgerMismatch,
    Phase,
    PiecesPlaced,
)
from controller.session import Session, begin, step
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
from tests.observing.score_sheet import census
from tests.observing.three_strokes import (
    THREE,
    after_three,
    conceded,
)
from vision.sightings import TableAtRest


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


def test_a_stroke_after_an_unseen_one_says_so_and_can_take_the_turn_as_played() -> None:
    """North's empty stroke went unseen: the record still has North on turn."""
    made = stroke(4, "8w 8b q s", "", "8w 8b q s")
    made = replace(made, seen=replace(made.seen, seat=Seat.SOUTH))
    session, _ = run(after_three(), made.evidence)
    assert session.question is not None
    assert session.question.text == (
        "south struck, but by the record it is north's turn. Was it south's turn, for "
        "a stroke before went unseen? Or did north strike? Or was it out of turn?"
    )
    played, _ = step(session, Picked(99.0, "umpire", session.question.number, 0))
    assert played.verdicts[-1].note == "turn taken as played"


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
