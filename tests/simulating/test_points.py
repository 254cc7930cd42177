"""Three at the simulated table: they play for points, and the record is what happened."""

from itertools import pairwise
from pathlib import Path

import pytest

from calibration.refusal import Refusal
from calibration.table import Piece, Seat, Table
from controller.config import Config, configured
from controller.events import Fallen, Inserted, StrokeFacts
from controller.rules.counting_state import CountingMatch
from controller.session import Session, begin, step
from controller.simulator.games import match_of, with_game
from controller.simulator.truth import TrueStroke
from controller.simulator.unpaced import Setting, play
from controller.simulator.world import Habits, World

SEATS = (Seat.SOUTH, Seat.EAST, Seat.NORTH)
MATCH = match_of(3, "family")


def played(seed: int) -> World:
    world = World(Table(), seed=seed, habits=with_game(Habits(pace=4.0), MATCH))
    while not world.finished:
        world.advance(world.now_s + 1.0)
    return world


def entered(session: Session, stroke: TrueStroke) -> Session:
    """The session once an umpire has entered what really happened."""
    fell = tuple(Fallen(f.piece, f.pocket, f.at_s, 1.0) for f in stroke.fell)
    facts = StrokeFacts(
        from_s=stroke.from_s,
        to_s=stroke.to_s,
        fell=fell,
        seat=stroke.seat,
        touched=stroke.first_contact is not None,
        improper=not stroke.proper,
    )
    return step(session, Inserted(stroke.to_s, "umpire", None, facts, ""))[0]


@pytest.fixture(scope="module")
def world() -> World:
    return played(5)


def test_the_turn_goes_round_the_table_to_the_right(world: World) -> None:
    strokes = world.truth.strokes
    assert {stroke.seat for stroke in strokes} == set(SEATS)
    for one, following in pairwise(strokes):
        turn = (one.player + one.turn_passes) % 3
        assert (following.player, following.seat) == (turn, SEATS[turn])


def test_a_board_is_played_until_nothing_is_left(world: World) -> None:
    (board,) = world.truth.boards
    assert board.match_over
    (white, black, queen) = (9 * 10, 9 * 5, 25)
    lost = sum(10 for s in world.truth.strokes if s.proper and s.count(Piece.STRIKER))
    assert sum(board.scores) == white + black + queen - lost


def test_the_laws_make_of_it_what_the_halls_referee_made(world: World) -> None:
    session = begin(configured(Config(match=MATCH), 0.0, "test"))
    for stroke in world.truth.strokes:
        session = entered(session, stroke)
        assert session.verdicts[-1].note == ""
    assert isinstance(session.match, CountingMatch)
    (board,) = world.truth.boards
    assert session.match.totals == board.scores
    assert session.match.over


@pytest.mark.parametrize(
    ("players", "rules", "said"),
    [
        (3, "icf", "icf is played by 2 or 4, got 3 players"),
        (2, "point", "2 simulated players cannot play point"),
        (4, "basic", "4 simulated players cannot play basic"),
        (3, "olympic", "no rule set is called 'olympic'"),
    ],
)
def test_what_they_cannot_play_is_refused(players: int, rules: str, said: str) -> None:
    with pytest.raises(Refusal, match=said) as refused:
        match_of(players, rules)
    assert "\n" not in str(refused.value)


@pytest.mark.slow
def test_camera_and_pockets_keep_the_record_of_three(tmp_path: Path) -> None:
    comparison = play(Setting(seed=1, config=Config(match=match_of(3, None))), tmp_path)
    assert comparison.boards_right == comparison.boards == 1
    assert comparison.strokes_right == comparison.strokes
    assert comparison.silent_errors == 0
