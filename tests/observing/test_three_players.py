"""Three at one table, each for himself: the session keeps their record like any other."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from calibration.table import Piece, Pocket, Seat
from controller.audit import audit
from controller.config import configured, parse
from controller.events import (
    BoardCalled,
    Configured,
    Corrected,
    Fallen,
    FoulCalled,
    Input,
    Inserted,
    Picked,
    Ruled,
    ScoreSet,
    StrokeFacts,
    TakenBack,
)
from controller.feed.models_match import Queen
from controller.journal import open_journal
from controller.journal_rows import read_rows
from controller.outcomes import Asked, Doubt, Phase, RecordChanged, RulingRefused
from controller.recording import hear, open_match
from controller.rules.board import Side
from controller.rules.counting_entries import GameAwarded
from controller.rules.counting_state import CountingMatch
from controller.rules.happenings import Conceded
from controller.session import Session, begin, replay, step
from controller.telling import events_of, state_of
from tests.observing.match_sheet import decided, only, ready, run, strokes
from vision.sightings import StrokeSeen

THREE = """
[match]
rules = "{rules}"
first_breaker = {breaker}
{laws}
[[match.players]]
name = "Asha"
seat = "south"
[[match.players]]
name = "Bimal"
seat = "west"
[[match.players]]
name = "Chitra"
seat = "east"
"""
TEN_POINTS = "[match.laws]\nstriker_points = 10\ngame_points = 40"
SHEET = """
9w 9b q s | w@NE b@SW | 8w 8b q s
8w 8b q s |           | 8w 8b q s
8w 8b q s | b@SE      | 8w 7b q s
"""


def setup(rules: str = "basic", breaker: int = 1, laws: str = "") -> Configured:
    text = THREE.format(rules=rules, breaker=breaker, laws=laws)
    return configured(parse(text, "three.toml"), at_s=0.0, software="test")


def opened(laws: str = "") -> Session:
    return run(begin(setup(laws=laws)), ready())[0]


def facts(fell: str, seat: Seat | None = None) -> StrokeFacts:
    letters = {"w": Piece.WHITE, "b": Piece.BLACK, "q": Piece.QUEEN, "s": Piece.STRIKER}
    falls = tuple(Fallen(letters[one], Pocket.NORTH_EAST, 1.0, 1.0) for one in fell)
    return StrokeFacts(from_s=0.0, to_s=1.0, fell=falls, touched=True, seat=seat)


def added(fell: str, seat: Seat | None = None) -> Inserted:
    return Inserted(1.0, "umpire", None, facts(fell, seat), "")


def kept(inputs: Iterable[Input], laws: str = "") -> Session:
    return run(opened(laws), inputs)[0]


def game(session: Session) -> CountingMatch:
    assert isinstance(session.match, CountingMatch)
    return session.match


def test_the_order_of_play_goes_to_the_right_of_who_breaks_first() -> None:
    assert game(begin(setup())).names == ("Asha", "Chitra", "Bimal")
    second = game(begin(setup(breaker=2)))
    assert second.names == ("Bimal", "Asha", "Chitra")
    assert second.seats == (Seat.WEST, Seat.SOUTH, Seat.EAST)


def test_strokes_seen_become_points_of_whoever_is_on_turn() -> None:
    session, told = run(opened(), strokes(SHEET))
    assert game(session).totals == (3, 1, 0)
    assert game(session).on_turn.name == "Chitra"
    assert decided(told)[:3] == ["PlayerBroke", "Collected", "PlaysOn"]
    assert session.phase is Phase.PLAYING


def test_the_book_is_what_lies_there_by_the_laws() -> None:
    book = run(opened(), strokes(SHEET))[0].book
    assert book is not None
    assert (book.white, book.black, book.queen) == (8, 7, 1)


def test_who_struck_is_a_fact_whoever_was_on_turn() -> None:
    session = kept([added("w"), added("b", Seat.WEST)])
    assert game(session).totals == (2, 0, 1)
    assert session.verdicts[-1].note == "turn taken as played"


def test_a_stroke_seen_from_another_seat_is_asked_about() -> None:
    first = strokes(SHEET.strip().splitlines()[0])
    session, told = run(opened(), [_from(Seat.WEST, heard) for heard in first])
    asked = only(told, Asked)
    assert isinstance(asked, Asked)
    assert asked.question.doubt is Doubt.OUT_OF_TURN
    out_of_turn = Picked(90.0, "umpire", asked.question.number, 2)
    session, told = step(session, out_of_turn)
    assert (game(session).totals, game(session).on_turn.name) == ((0, 0, 0), "Asha")
    assert decided(told) == ["FoulBy", "GivenBack", "PlaysOn"]


def _from(seat: Seat, heard: Input) -> Input:
    return replace(heard, seat=seat) if isinstance(heard, StrokeSeen) else heard


def test_a_correction_is_judged_anew_and_told_once() -> None:
    session = kept([added("w"), added("")])
    entry = session.verdicts[-1].entry
    session, told = step(session, Corrected(9.0, "chief", entry, facts("b"), "video"))
    assert game(session).totals == (3, 0, 0)
    changed = only(told, RecordChanged)
    assert isinstance(changed, RecordChanged)
    assert "points 3:0:0 (was 2:0:0)" in changed.effect
    assert changed.supersedes is not None


def test_taking_back_equals_never_done() -> None:
    before = kept([added("w")])
    after = kept([added("w"), added("b"), TakenBack(9.0, "umpire", None, "wrong")])
    assert game(after) == game(before)


def test_a_foul_costs_the_player_in_that_seat_a_coin() -> None:
    foul = FoulCalled(9.0, "umpire", False, Seat.SOUTH, "touched a coin")
    session = kept([added("wb"), foul])
    assert (game(session).totals, game(session).on_turn.name) == ((2, 0, 0), "Chitra")


def test_points_are_set_in_the_order_players_are_shown() -> None:
    session = kept([added("w"), ScoreSet(9.0, "chief", (1, 5, 9), "card")])
    assert [p.score for p in state_of(session).players] == [1, 5, 9]


@pytest.mark.parametrize(
    "ruling",
    [
        ScoreSet(9.0, "chief", (1, 5), ""),
        Ruled(9.0, "chief", Conceded(Side.WHITE), ""),
        Ruled(9.0, "chief", GameAwarded(3, ""), ""),
    ],
    ids=["too few points", "a side concedes", "a fourth player"],
)
def test_a_ruling_that_does_not_fit_changes_nothing(ruling: Input) -> None:
    before = opened()
    session, told = step(before, ruling)
    assert isinstance(told[0].what, RulingRefused)
    assert session.match == before.match


def test_the_striker_costs_ten_points_by_option() -> None:
    session = kept([added("w"), added("s")], TEN_POINTS)
    assert game(session).totals == (-8, 0, 0)
    purse = state_of(session).players[0].purse
    assert purse is not None
    assert (purse.white, purse.points_lost, purse.points) == (1, 10, -8)


def test_the_next_board_is_broken_by_the_next_player() -> None:
    cleared = [added("wwwwwwwww"), added("q"), added("bbbbbbbbb")]
    session = kept(cleared, TEN_POINTS)
    assert session.phase is Phase.BOARD_OVER
    session, _ = step(session, BoardCalled(50.0, "umpire"))
    state = state_of(session)
    assert [player.breaks for player in state.players] == [False, True, False]
    assert (state.board, state.on_turn, state.history[0].points) == (2, 1, (32, 0, 0))


def test_the_game_is_won_at_the_target() -> None:
    session = kept([added("wwwwwwwww")])
    assert session.phase is Phase.MATCH_OVER
    assert state_of(session).winner == 0


def test_the_feed_says_who_must_cover_and_who_has_the_queen() -> None:
    session = kept([added("q")])
    assert (state_of(session).queen, state_of(session).on_turn) == (
        Queen.AWAITING_COVER,
        0,
    )
    state = state_of(run(session, [added("w")])[0])
    assert (state.queen, state.turn) == (Queen.COVERED, None)
    assert state.players[0].purse is not None
    assert state.players[0].purse.queen


def test_events_name_the_player_and_the_points_before_and_after() -> None:
    session, told = run(opened(), [added("w")])
    collected = next(
        event
        for one in told
        for event in events_of(one, session)
        if event.kind == "collected"
    )
    assert (collected.player, collected.side) == (0, None)
    assert collected.text == "Asha collects 1 white: 2 points"
    assert collected.before is not None
    assert collected.after is not None
    assert (collected.before.scores, collected.after.scores) == ((0, 0, 0), (2, 0, 0))


def test_a_journal_replays_and_audits_to_the_same_game(tmp_path: Path) -> None:
    path = tmp_path / "match.journal"
    inputs = [
        *ready(),
        *strokes(SHEET),
        ScoreSet(90.0, "chief", (4, 1, 0), "card"),
        Ruled(91.0, "chief", GameAwarded(1, "the others left"), "weather"),
    ]
    with open_journal(path, tmp_path / "key") as journal:
        session = open_match(journal, setup())
        for heard in inputs:
            session = hear(journal, session, heard).session
    checked = audit(read_rows(path), None)
    assert (checked.broken, checked.entries) == (None, len(inputs) + 1)
    assert replay([setup(), *inputs]).match == session.match
    assert game(session).winner == 1
