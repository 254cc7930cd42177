"""A session's match as text: reads back, and a replay of it ends where the match did."""

import json
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from calibration.refusal import Refusal
from calibration.table import Piece, Pocket, Seat
from controller.commands.replay import replay
from controller.config import Config, configured
from controller.config_match import MatchSettings
from controller.events import (
    BoardCalled,
    Counts,
    Fallen,
    Input,
    Inserted,
    Ruled,
    StrokeFacts,
    TakenBack,
)
from controller.journal import open_journal
from controller.match_text import match_record, match_text
from controller.recording import hear, open_match
from controller.rules.board import Side
from controller.rules.happenings import BoardSet, Breach, Conceded
from controller.rules.match import Demand, Match
from controller.rules.match_notation import read_match, write_match
from controller.rules.notation import read_board
from controller.session import Session, begin
from tests.observing.match_sheet import run

PIECES = {"w": Piece.WHITE, "b": Piece.BLACK, "q": Piece.QUEEN, "s": Piece.STRIKER}
LAWS = MatchSettings(rules="icf", laws={"game_points": 21})


def facts(fell: str, at_s: float = 1.0, seat: Seat | None = None) -> StrokeFacts:
    """A stroke in which these pieces fell, one letter each."""
    falls = tuple(Fallen(PIECES[one], Pocket.NORTH_EAST, 1.0, 1.0) for one in fell)
    return StrokeFacts(from_s=at_s - 1, to_s=at_s, fell=falls, touched=True, seat=seat)


def added(stroke: StrokeFacts) -> Inserted:
    return Inserted(stroke.to_s, "umpire", None, stroke, "")


def ruled(what: BoardSet | Breach | Demand | Conceded) -> Ruled:
    return Ruled(1.0, "umpire", what, "")


def played(*inputs: Input, match: MatchSettings = LAWS) -> Session:
    """The session after some inputs."""
    return run(begin(configured(Config(match=match), 0.0, "test")), inputs)[0]


def ends_alike(session: Session) -> None:
    """A replay of the text leads to the same boards, scores and card."""
    record = read_match(match_text(session))
    assert record == match_record(session)
    assert write_match(record) == write_match(match_record(session))
    end, was = record.replayed(), session.match
    assert isinstance(end, Match)
    assert isinstance(was, Match)
    assert (end.board, end.scores, end.records) == (was.board, was.scores, was.records)
    assert end.phase is was.phase


def test_strokes_rulings_and_the_laws_changed_are_written() -> None:
    session = played(
        added(facts("w", 10.0, Seat.SOUTH)),
        added(facts("", 22.5, Seat.SOUTH)),
        ruled(Breach(Side.BLACK, before_first_stroke=True)),
    )
    assert match_text(session) == (
        "laws icf\nlaw game_points 21\nfirst South\nsecond North\nround league\n"
        "[1.0 south] w ; in ne\n[13.5 south] -\n: breach black early\n"
    )
    ends_alike(session)


def test_a_finished_board_is_on_the_card_below() -> None:
    session = played(
        ruled(BoardSet(read_board("1w 4b q=white / white / turn 2.0"))),
        added(facts("w")),
        BoardCalled(2.0, "umpire"),
        added(facts("w", 3.0)),
    )
    last = match_text(session).splitlines()[-1]
    assert last == "# 1.1 first / first 4+3+0 cleared / queen first / 7-0"
    ends_alike(session)


def test_what_was_taken_back_or_could_not_happen_is_not_written() -> None:
    session = played(
        added(facts("w", 1.0)),
        added(facts("b", 2.0)),
        TakenBack(3.0, "umpire", None, ""),
        added(facts("w" * 10, 4.0)),
    )
    assert match_text(session).splitlines()[5:] == ["[1.0] w ; in ne"]
    ends_alike(session)


def test_a_table_that_lay_otherwise_is_set_before_the_stroke() -> None:
    lay = replace(facts("w", 5.0), before=Counts(white=7, black=8, queen=1, striker=1))
    session = played(added(facts("w", 1.0)), added(lay))
    assert ": set 7w 8b q / white" in match_text(session)
    ends_alike(session)


def test_pieces_that_fell_between_strokes_are_lines_of_their_own() -> None:
    falls = replace(facts("w", 5.0), between_strokes=True)
    session = played(added(facts("w", 1.0)), added(falls))
    assert ": fell-later white" in match_text(session)
    ends_alike(session)


def test_a_turn_taken_by_the_other_side_is_set_before_the_stroke() -> None:
    session = played(
        added(facts("", 1.0, Seat.SOUTH)), added(facts("w", 2.0, Seat.SOUTH))
    )
    ends_alike(session)


def test_three_who_play_each_for_himself_are_written_too() -> None:
    players = [{"name": n, "seat": s} for n, s in (("A", "south"), ("B", "east"))]
    third = {"name": "C", "seat": "north"}
    match = MatchSettings.model_validate(
        {"rules": "point", "players": [*players, third]}
    )
    session = played(added(facts("wb", 1.0)), added(facts("", 2.0)), match=match)
    record = read_match(match_text(session))
    assert (record.first, record.others) == ("A", ("C",))
    assert record.replayed().board == session.match.board


FELL = st.sampled_from(["", "w", "b", "ww", "q", "s", "ws", "wb", "bs", "qw"])


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(FELL, st.booleans()), max_size=30))
def test_any_run_of_strokes_ends_where_the_text_ends(
    strokes: list[tuple[str, bool]],
) -> None:
    inputs = [
        added(replace(facts(fell, float(n)), improper=improper))
        for n, (fell, improper) in enumerate(strokes, start=1)
    ]
    ends_alike(played(*inputs))


def carrom_replay(*arguments: str) -> tuple[str, object]:
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(replay)
    result = CliRunner().invoke(app, arguments)
    return result.stdout, result.exception


def test_carrom_replay_prints_the_match_as_notation(tmp_path: Path) -> None:
    path = tmp_path / "match.journal"
    with open_journal(path, tmp_path / "key") as kept:
        session = open_match(kept, configured(Config(match=LAWS), 0.0, "test"))
        session = hear(kept, session, added(facts("w"))).session
    printed, _ = carrom_replay(str(path), "--notation")
    assert printed == match_text(session)
    assert json.loads(carrom_replay(str(path), "--json")[0].splitlines()[0])


def test_a_journal_without_a_match_has_no_notation(tmp_path: Path) -> None:
    path = tmp_path / "match.journal"
    with open_journal(path, tmp_path / "key"):
        pass
    _, refused = carrom_replay(str(path), "--notation")
    assert isinstance(refused, Refusal)


@pytest.mark.parametrize("rules", ["icf", "uk", "tournament", "premier-league"])
def test_a_board_given_up_ends_alike_under_every_set(rules: str) -> None:
    session = played(
        added(facts("w")),
        ruled(Conceded(Side.BLACK)),
        match=MatchSettings(rules=rules),
    )
    ends_alike(session)
