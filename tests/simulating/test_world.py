"""Does the simulated hall play a match that adds up, the same each time?"""

import json
from collections import Counter
from io import StringIO
from itertools import pairwise
from random import Random

import pytest

from calibration.table import STOCK, Piece, Placement, Pocket, Table
from controller.pockets.messages import Looks
from controller.pockets.simulated import looks_like
from controller.simulator.beams import Beams
from controller.simulator.truth import TrueStroke
from controller.simulator.world import Habits, World

TABLE = Table()
STEP_S = 0.05


def play_board(seed: int, habits: Habits | None = None) -> World:
    world = World(TABLE, seed=seed, boards=1, habits=habits)
    while not world.finished:
        world.advance(world.now_s + 1.0)
    return world


def test_the_same_seed_gives_the_same_match_in_one_stride_or_many() -> None:
    at_once, by_steps = World(TABLE, seed=11), World(TABLE, seed=11)
    at_once.advance(40.0)
    while by_steps.now_s + 0.033 < 40.0:
        by_steps.advance(by_steps.now_s + 0.033)
    by_steps.advance(40.0)
    assert len(at_once.truth.strokes) >= 3
    assert list(at_once.truth.lines()) == list(by_steps.truth.lines())
    assert at_once.scene_at(40.0) == by_steps.scene_at(40.0)
    assert at_once.take_pulses() == by_steps.take_pulses()


def test_another_seed_gives_another_match() -> None:
    one, other = World(TABLE, seed=1), World(TABLE, seed=2)
    assert one.scene_at(15.0) != other.scene_at(15.0)


def test_all_twenty_pieces_are_somewhere_and_apart_at_all_times() -> None:
    world = World(TABLE, seed=4, boards=1)
    while not world.finished:
        world.advance(world.now_s + STEP_S)
        ledger = world.ledger()
        netted = [piece for _, piece in ledger.in_pockets]
        stock = Counter([*ledger.on_table, *netted, *ledger.in_hand])
        assert stock == STOCK
        if not world.sliding:
            assert world.overlap_mm() <= 0.1


def test_the_books_of_the_truth_agree_with_the_table() -> None:
    world = play_board(6)
    left = Counter({Piece.WHITE: 9, Piece.BLACK: 9, Piece.QUEEN: 1})
    for stroke in world.truth.strokes:
        for fall in stroke.fell:
            left[fall.piece] -= 1
        left[Piece.STRIKER] = 0
        assert min(left.values()) >= 0
        left[Piece.WHITE] += stroke.white_back
        left[Piece.BLACK] += stroke.black_back
        left[Piece.QUEEN] += stroke.queen_back
    board = world.truth.boards[0]
    assert 0 in (left[Piece.WHITE], left[Piece.BLACK])
    assert board.points <= 12
    assert board.strokes == len(world.truth.strokes)


def test_the_turn_passes_exactly_when_the_truth_says_so() -> None:
    strokes = play_board(7).truth.strokes
    for stroke, following in pairwise(strokes):
        assert (following.player != stroke.player) == stroke.turn_passes


def test_players_put_the_striker_where_it_may_be_played_from() -> None:
    for stroke in play_board(8).truth.strokes:
        place = TABLE.striker_place(stroke.seat, stroke.start)
        assert (place.placement, stroke.proper) == (Placement.LEGAL, True)


def test_a_careless_player_makes_improper_strokes_that_cost_the_turn() -> None:
    world = World(TABLE, seed=3, habits=Habits(misplace=1.0))
    while len(world.truth.strokes) < 4:
        world.advance(world.now_s + 1.0)
    for stroke in world.truth.strokes:
        place = TABLE.striker_place(stroke.seat, stroke.start)
        assert (place.placement, stroke.proper) == (Placement.ILLEGAL, False)
        assert stroke.turn_passes


def test_each_fall_darkens_its_own_pockets_beam_shortly_after() -> None:
    world = World(TABLE, seed=9, boards=1)
    pulses = []
    while not world.finished:
        world.advance(world.now_s + STEP_S)
        pulses += world.take_pulses()
    falls = [fall for stroke in world.truth.strokes for fall in stroke.fell]
    assert sorted(p.pocket for p in pulses) == sorted(f.pocket for f in falls)
    assert [p.at_s for p in pulses] == sorted(p.at_s for p in pulses)
    for pulse in pulses:
        assert any(
            fall.pocket is pulse.pocket and 0.0 < pulse.at_s - fall.at_s < 0.08
            for fall in falls
        )


def _pulses(first_s: float, second_s: float, **faults: float) -> int:

    rates = {"miss": 0.0, "ghost": 0.0, "merge_s": 0.0} | faults
    beams = Beams(TABLE, Random(1), **rates)
    for at_s in (first_s, second_s):
        beams.fell(Piece.WHITE, Pocket.NORTH_EAST, at_s)
    return len(beams.take(99.0))


def test_sensors_miss_merge_and_see_ghosts_when_told_to() -> None:
    assert _pulses(1.0, 2.0) == 2
    assert _pulses(1.0, 1.004) == 1
    assert _pulses(1.0, 1.045, merge_s=0.03) == 1
    assert _pulses(1.0, 2.0, miss=1.0) == 0
    assert _pulses(1.0, 2.0, ghost=1.0) == 4


def _looks(piece: Piece) -> Counter[Looks]:
    beams = Beams(TABLE, Random(1), miss=0.0, ghost=0.0, merge_s=0.0)
    for at_s in range(200):
        beams.fell(piece, Pocket.SOUTH_EAST, float(at_s))
    return Counter(looks_like(pulse.reach_mm) for pulse in beams.take(999.0))


def test_nearly_every_striker_is_named_and_no_coin_is_taken_for_one() -> None:
    strikers, coins = _looks(Piece.STRIKER), _looks(Piece.BLACK)
    assert strikers[Looks.STRIKER] >= 180
    assert strikers[Looks.STRIKER] < 200, "one that tumbles far passes for a coin"
    assert coins[Looks.ONE_COIN] >= 190
    assert coins[Looks.STRIKER] == 0


def test_two_coins_close_behind_each_other_reach_as_far_as_two() -> None:
    beams = Beams(TABLE, Random(1), miss=0.0, ghost=0.0, merge_s=0.0)
    for at_s in (1.0, 1.015):
        beams.fell(Piece.WHITE, Pocket.NORTH_EAST, at_s)
    (pulse,) = beams.take(99.0)
    assert looks_like(pulse.reach_mm) is Looks.TWO_COINS


def test_a_still_table_says_when_it_will_change() -> None:
    world = World(TABLE, seed=5)
    change_s = world.next_change_s()
    before, after = world.scene_at(0.1), world.scene_at(change_s - 1e-3)
    assert change_s == 1.0
    assert (before.pieces, before.limbs) == (after.pieces, after.limbs)


def test_time_cannot_go_back() -> None:
    world = World(TABLE, seed=5)
    world.advance(2.0)
    with pytest.raises(ValueError, match=r"from 2\.0 to 1\.5"):
        world.advance(1.5)


def test_the_truth_is_written_as_one_json_record_a_line() -> None:
    world = World(TABLE, seed=5)
    world.advance(30.0)
    file = StringIO()
    world.truth.write(file)
    records = [json.loads(line) for line in file.getvalue().splitlines()]
    first = records[0]
    assert (first["record"], first["number"], first["seat"]) == ("stroke", 1, "south")
    assert world.truth.of(1) == world.truth.at(first["to_s"])
    assert isinstance(world.truth.of(1), TrueStroke)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_a_board_ends_within_150_strokes(seed: int) -> None:
    world = play_board(seed)
    assert 1 <= len(world.truth.strokes) <= 150
