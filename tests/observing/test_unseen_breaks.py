"""A board that began while nobody watched is asked about, never passed over."""

from controller.events import Input, Restarted, Stated, StrokeFacts
from controller.outcomes import Doubt, Question
from controller.rules.match import Phase
from controller.session import Session, begin
from tests.observing.match_sheet import kinds, rack, run, setup, strokes
from tests.observing.score_sheet import census
from vision.sightings import NotWatching, TableAtRest, WatchingAgain

BROKEN = "9w 8b q s"


def blind_to(lying: str, at_s: float = 30.0) -> list[Input]:
    """Killed before a rack was ever seen; then this lies there."""
    seen = TableAtRest(census(lying, at_s))
    return [
        Restarted(9.0, True),
        NotWatching(9.1, "starting"),
        WatchingAgain(29.0),
        seen,
    ]


def asked(session: Session) -> Question:
    assert session.question is not None
    return session.question


def test_a_board_that_lies_broken_after_a_restart_is_asked_about() -> None:
    session, _ = run(begin(setup()), blind_to(BROKEN))
    question = asked(session)
    assert question.doubt is Doubt.UNWATCHED
    assert (question.readings[0].facts.from_s, question.at_s) == (9.0, 30.0)
    assert question.readings[0].facts.fallen.black == 1


def test_the_answer_breaks_the_board_and_play_goes_on() -> None:
    session, _ = run(begin(setup()), blind_to(BROKEN))
    facts = asked(session).readings[0].facts
    answer = Stated(31.0, "umpire", asked(session).number, facts)
    session, told = run(session, [answer, *strokes("9w 8b q s | | 9w 8b q s", first=5)])
    assert session.match.phase is Phase.PLAY
    assert "Ignored" not in kinds(told)
    assert sum(v.facts is not None for v in session.verdicts) == 2


def test_a_table_always_watched_is_practice_and_not_asked_about() -> None:
    session, _ = run(begin(setup()), [TableAtRest(census(BROKEN, 30.0))])
    assert session.question is None


def test_few_pieces_left_of_the_last_board_are_no_new_one() -> None:
    session, _ = run(begin(setup()), blind_to("5w 4b s"))
    assert session.question is None


def test_a_gap_that_ends_with_a_rack_is_no_question() -> None:
    blind = [Restarted(9.0, True), WatchingAgain(29.0), TableAtRest(rack(30.0))]
    session, _ = run(begin(setup()), blind)
    assert session.question is None
    played, _ = run(session, strokes("9w 9b q s | b@NE | 9w 8b q s"))
    assert isinstance(played.verdicts[-1].facts, StrokeFacts)
