"""The watcher on rendered pictures, with the simulator's truth beside it."""

from collections.abc import Iterator

import cv2
import numpy as np
import pytest

from calibration.table import Piece, Point
from controller.simulator.world import World
from tests.tracking.rendered_table import RATE_HZ, TABLE, Stand, lasting
from vision.detect import Detector
from vision.frames import Frame
from vision.sightings import (
    CameraMoved,
    ColoursLearned,
    HandSeen,
    NotWatching,
    Observation,
    StrokeSeen,
    StrokeStarted,
    TableAtRest,
    WatchingAgain,
)
from vision.sources.rendering_scene import Scene
from vision.watch import Watcher

W, B, S = Piece.WHITE, Piece.BLACK, Piece.STRIKER
LYING = [
    (W, Point(-60.0, 40.0)),
    (B, Point(90.0, -30.0)),
    (Piece.QUEEN, Point(0.0, 0.0)),
    (S, Point(-200.0, 150.0)),
]
MIDDLE = Point(30.0, -40.0)
MIDDLE_TIP = Point(0.0, 20.0)
"""South's fingertips here have the palm over 28 mm east, 97 mm south."""


@pytest.fixture(scope="module")
def stand() -> Stand:
    return Stand()


@pytest.fixture(scope="module")
def world() -> World:
    return World(TABLE, seed=3, boards=1)


@pytest.fixture(scope="module")
def evening(stand: Stand, world: World) -> list[Observation]:
    """What is seen of the first strokes of a match."""
    return stand.show(stand.watcher(), scenes(world, 18.5))


def scenes(world: World, until_s: float) -> Iterator[Scene]:
    """Each scene of a world at the camera's rate, long stills shortened."""
    frame = still = 0
    while frame / RATE_HZ < until_s:
        yield world.scene_at(frame / RATE_HZ)
        next_s = world.next_change_s()
        still = still + 1 if next_s > (frame + 1) / RATE_HZ else 0
        skip = still > RATE_HZ * 3 // 4
        frame = max(frame + 1, int(next_s * RATE_HZ) - 1 if skip else 0)


def strokes(seen: list[Observation]) -> list[StrokeSeen]:
    """The finished strokes among what was seen."""
    return [o for o in seen if isinstance(o, StrokeSeen)]


def test_every_true_stroke_is_seen_once_and_no_other(
    evening: list[Observation], world: World
) -> None:
    true_s = [stroke.from_s for stroke in world.truth.strokes]
    assert len(true_s) >= 2
    assert [s.from_s for s in strokes(evening)] == pytest.approx(true_s, abs=0.05)


def test_each_stroke_starts_where_and_by_whom_it_was_struck(
    evening: list[Observation], world: World
) -> None:
    for seen, true in zip(strokes(evening), world.truth.strokes, strict=True):
        assert seen.start is not None
        assert seen.start.distance_mm(true.start) < 1.5
        assert seen.seat is true.seat


def test_what_fell_in_each_stroke_is_seen_with_its_pocket(
    evening: list[Observation], world: World
) -> None:
    true = [{(f.piece, f.pocket) for f in s.fell} for s in world.truth.strokes]
    seen = [{(v.piece, v.pocket) for v in s.vanished} for s in strokes(evening)]
    assert any(true)
    assert seen == true


def test_a_stroke_is_told_at_once_and_again_when_it_is_over(
    evening: list[Observation],
) -> None:
    kinds = [o for o in evening if isinstance(o, StrokeStarted | StrokeSeen)]
    assert [type(o) for o in kinds] == [StrokeStarted, StrokeSeen] * (len(kinds) // 2)


def test_a_first_look_tells_what_lies_there(stand: Stand) -> None:
    (rest,) = stand.show(stand.watcher(), lasting(0.0, 1.0, LYING))
    assert isinstance(rest, TableAtRest)
    seen = {s.piece: s.at for s in rest.census.pieces}
    assert seen.keys() == dict(LYING).keys()
    assert all(seen[piece].distance_mm(at) < 1.5 for piece, at in LYING)


def test_a_due_placed_by_hand_is_a_table_at_rest_with_one_more(stand: Stand) -> None:
    watcher = stand.watcher()
    with_due = [*LYING, (W, MIDDLE)]
    stand.show(watcher, lasting(0.0, 1.0, LYING))
    seen = stand.show(watcher, lasting(1.0, 0.5, LYING, tip=MIDDLE))
    seen += stand.show(watcher, lasting(1.5, 0.3, with_due, tip=MIDDLE))
    seen += stand.show(watcher, lasting(1.8, 1.0, with_due))
    came, left, rest = seen
    assert isinstance(came, HandSeen)
    assert isinstance(left, HandSeen)
    assert (came.present, left.present) == (True, False)
    assert isinstance(rest, TableAtRest)
    assert rest.census.count(W) == 2


def test_pieces_under_a_resting_hand_are_neither_gone_nor_counted(
    stand: Stand,
) -> None:
    watcher = stand.watcher()
    stand.show(watcher, lasting(0.0, 1.0, LYING))
    seen = stand.show(watcher, lasting(1.0, 2.0, LYING, tip=Point(0.0, 20.0)))
    assert [type(o) for o in seen] == [HandSeen]
    assert len(watcher.belief().tracks) == len(LYING)


def test_a_coin_under_a_palm_is_hidden_until_the_hand_leaves(stand: Stand) -> None:
    under = Point(28.0, -97.0)
    lying = [*LYING, (B, under)]
    watcher = stand.watcher()
    stand.show(watcher, lasting(0.0, 1.0, lying, rate_hz=30))
    seen = stand.show(watcher, lasting(1.0, 1.0, lying, MIDDLE_TIP, rate_hz=30))
    hidden = [t.at for t in watcher.belief().tracks if t.hidden]
    assert any(at.distance_mm(under) < 3.0 for at in hidden)
    seen += stand.show(watcher, lasting(2.0, 1.0, lying, rate_hz=30))
    assert [type(o) for o in seen] == [HandSeen, HandSeen]
    assert not any(t.hidden for t in watcher.belief().tracks)


def test_a_coin_taken_by_a_hand_has_not_fallen(stand: Stand) -> None:
    watcher = stand.watcher()
    taken = LYING[0][1]
    stand.show(watcher, lasting(0.0, 1.0, LYING, rate_hz=30))
    seen = stand.show(watcher, lasting(1.0, 0.4, LYING, taken, rate_hz=30))
    seen += stand.show(watcher, lasting(1.4, 0.3, LYING[1:], taken, rate_hz=30))
    seen += stand.show(watcher, lasting(1.7, 1.0, LYING[1:], rate_hz=30))
    assert [type(o) for o in seen] == [HandSeen, HandSeen, TableAtRest]
    assert isinstance(seen[-1], TableAtRest)
    assert seen[-1].census.count(W) == 0


@pytest.mark.parametrize(
    ("knocked_px", "tip", "reason"),
    # 5 px of 1.27 mm; barrel distortion shrinks the corners' pixels by another 5 %.
    [(5, None, "moved by 7 mm"), (0, Point(0.0, 20.0), "covers part")],
)
def test_a_knocked_camera_or_a_thing_left_lying_is_no_watching(
    stand: Stand, knocked_px: int, tip: Point | None, reason: str
) -> None:
    watcher = stand.watcher()
    stand.show(watcher, lasting(0.0, 1.0, LYING))
    left = lasting(1.0, 8.0, LYING, tip=tip, rate_hz=10)
    seen = stand.show(watcher, left, knocked_px)
    (told,) = [o for o in seen if isinstance(o, NotWatching)]
    assert reason in told.reason
    back = stand.show(watcher, lasting(9.0, 1.0, LYING))
    assert [type(o) for o in back if not isinstance(o, HandSeen)] == [
        WatchingAgain,
        TableAtRest,
    ]


def test_a_picture_of_something_else_is_told_within_a_second(stand: Stand) -> None:
    """A cut in a recording, a lens covered by what is not dark, a camera turned away."""
    watcher = stand.watcher()
    stand.show(watcher, lasting(0.0, 1.0, LYING, rate_hz=30))
    grain = np.random.default_rng(0).normal(90, 25, (72, 128, 3))
    other = cv2.resize(np.clip(grain, 0, 255).astype(np.uint8), (1280, 720))
    told = [
        observation
        for number in range(30)
        for observation in watcher.step(Frame(1.0 + number / 30, number, other))
    ]
    (lost,) = [t for t in told if isinstance(t, NotWatching)]
    assert lost.at_s < 2.0
    assert "the table is not in the picture" in lost.reason
    back = stand.show(watcher, lasting(2.0, 1.5, LYING, rate_hz=30))
    assert any(isinstance(t, WatchingAgain) for t in back)
    assert any(isinstance(t, TableAtRest) for t in back)


def test_a_camera_that_moved_a_little_is_followed_and_told(stand: Stand) -> None:
    """One pixel is 1.2 mm: told within two seconds, and places stay right."""
    watcher = stand.watcher()
    stand.show(watcher, lasting(0.0, 1.0, LYING))
    told = stand.show(watcher, lasting(1.0, 3.0, LYING), knocked_px=1)
    (moved,) = [o for o in told if isinstance(o, CameraMoved)]
    assert moved.at_s < 3.0
    assert moved.shift_mm == pytest.approx(915.0 / 720.0, abs=0.15)
    assert not [o for o in told if isinstance(o, NotWatching)]
    (rest,) = [o for o in told if isinstance(o, TableAtRest)]
    for piece, at in LYING:
        near = [s for s in rest.census.pieces if s.at.distance_mm(at) < 1.0]
        assert [s.piece for s in near] == [piece]


def test_a_camera_that_moves_during_a_stroke_leaves_the_stroke_unwatched(
    stand: Stand,
) -> None:
    watcher = stand.watcher()
    world = World(TABLE, seed=3, boards=1)
    film = list(scenes(world, 14.0))
    knock_s = world.truth.strokes[0].from_s + 0.2
    upright = [scene for scene in film if scene.at_s < knock_s]
    aside = [scene for scene in film if scene.at_s >= knock_s]
    told = stand.show(watcher, upright)
    assert isinstance(told[-1], StrokeStarted)
    kinds = [type(o) for o in stand.show(watcher, aside, knocked_px=1)]
    after = [kinds.index(kind) for kind in (NotWatching, WatchingAgain, TableAtRest)]
    assert after == sorted(after)
    assert StrokeSeen not in kinds[: after[-1]]


def test_a_hand_that_was_there_before_the_eyes_is_no_part_of_the_table(
    stand: Stand,
) -> None:
    """Counted with the table it would be missed ever after, and taken for a hand."""
    tips = [Point(0.0, 20.0 + 8.0 * (n % 5)) for n in range(22)]
    begun = [
        scene
        for n, tip in enumerate(tips)
        for scene in lasting(n / 10, 0.1, LYING, tip=tip)
    ]
    watcher = stand.watcher()
    assert stand.show(watcher, begun) == []
    told = stand.show(watcher, lasting(len(tips) / 10, 1.0, LYING))
    assert [type(o) for o in told] == [TableAtRest]


def test_a_table_that_changed_in_an_outage_is_counted_and_no_hand_is_seen(
    stand: Stand,
) -> None:
    """A new heap that touches the frame is as large as an arm, but no arm."""
    pieces = [W] * 9 + [B] * 9 + [Piece.QUEEN]
    racked = list(zip(pieces, [at for _, at in TABLE.opening_rack()], strict=True))
    places = [Point(100.0 + 33 * (n % 2), -353.0 + 33 * (n // 2)) for n in range(19)]
    astray = list(zip(pieces, places, strict=True))
    detector = Detector(TABLE, stand.mapping, empty=stand.renderer.empty())
    watcher = Watcher(TABLE, stand.mapping, detector)
    stand.show(watcher, lasting(0.0, 1.0, racked))
    told = stand.show(watcher, lasting(6.0, 1.5, astray))
    told = [o for o in told if not isinstance(o, ColoursLearned)]
    assert [type(o) for o in told] == [NotWatching, WatchingAgain, TableAtRest]
    assert isinstance(told[-1], TableAtRest)
    assert told[-1].census.count(W) == told[-1].census.count(B) == 9


def test_a_still_table_costs_no_work(stand: Stand) -> None:
    watcher = stand.watcher()
    stand.show(watcher, lasting(0.0, 1.0, LYING))
    before = watcher.health
    assert stand.show(watcher, lasting(1.0, 1.0, LYING)) == []
    assert watcher.health.processed == before.processed
