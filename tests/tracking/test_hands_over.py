"""Hands that touch, cover and leave pieces: what is held to be so meanwhile and after."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest

from calibration.table import Piece, Pocket, Point, Seat
from controller.simulator.anatomy import SKINS, SLEEVES, Pose
from controller.simulator.hands import Person, limb
from tests.tracking.films import SLOWING_MM_S2, Way, lying, sliding, then
from tests.tracking.hand_made import MAPPING, TILES, SeenTable, straight
from tests.tracking.rendered_table import TABLE, Stand
from vision.frames import Frame
from vision.sightings import HandSeen, Observation, TableAtRest, Vanished
from vision.sources.rendering_scene import AT_REST, Limb, Scene, ScenePiece
from vision.tiles import discs_px
from vision.watch import Watcher

W, B, Q = Piece.WHITE, Piece.BLACK, Piece.QUEEN
RATE_HZ = 30
COUNTED_S = 0.9
PALM_MM = np.array([60.0])
SOUTH = Person(Seat.SOUTH, SKINS[3], SLEEVES[1])
"""Very dark skin in a black sleeve: the hardest to see."""
Tip = Callable[[float], Point | None]


@pytest.fixture(scope="module")
def stand() -> Stand:
    return Stand()


def rests_at(at: Point, until_s: float) -> Tip:
    """A hand that comes in 0.2 s, rests with its fingertips there, and goes again."""
    far = Point(at.x_mm, -640.0)

    def tip(after_s: float) -> Point | None:
        if not 0.0 <= after_s <= until_s:
            return None
        share = min(1.0, after_s / 0.2, (until_s - after_s) / 0.2)
        return Point(at.x_mm, far.y_mm + share * (at.y_mm - far.y_mm))

    return tip


def filmed(
    ways: list[tuple[Piece, Way]], tip: Tip, seconds: float, lift_mm: float = 20.0
) -> Iterator[Scene]:
    """The table at rest, and from COUNTED_S on pieces on their ways and a hand."""
    for frame in range(round((COUNTED_S + seconds) * RATE_HZ)):
        after_s = frame / RATE_HZ - COUNTED_S
        shown = [(p, at) for p, way in ways if (at := way(max(after_s, 0.0)))]
        pieces = tuple(ScenePiece(piece, at, AT_REST) for piece, at in shown)
        at = tip(after_s)
        limbs: tuple[Limb, ...] = ()
        if at is not None:
            limbs = (limb(SOUTH, at, lift_mm, Pose.SPREAD),)
        yield Scene(frame / RATE_HZ, pieces, limbs)


def hidden_at(watcher: Watcher, at: Point) -> bool:
    """Whether a piece is held to lie hidden there."""
    tracks = watcher.belief().tracks
    return any(t.hidden and t.at.distance_mm(at) < 3.0 for t in tracks)


def watched(
    stand: Stand, watcher: Watcher, scenes: Iterator[Scene], covered: list[Point]
) -> tuple[list[Observation], set[Point]]:
    """What is told of scenes; which of the places were ever held to be hidden."""
    told: list[Observation] = []
    hidden: set[Point] = set()
    for scene in scenes:
        told += stand.show(watcher, [scene])
        hidden |= {at for at in covered if hidden_at(watcher, at)}
    return told, hidden


def test_a_hand_that_rests_over_two_coins_leaves_them_where_they_were(
    stand: Stand,
) -> None:
    """The palm's middle lies 28 mm east and 97 mm south of the middle finger's tip."""
    covered = [Point(10.0, -70.0), Point(45.0, -80.0)]
    ways = [(W, lying(covered[0])), (B, lying(covered[1])), (Q, lying(Point(0, 150)))]
    watcher = stand.watcher()
    scenes = filmed(ways, rests_at(Point(0.0, 20.0), 1.0), 1.7)
    told, hidden = watched(stand, watcher, scenes, covered)
    assert hidden == set(covered)
    assert [type(o) for o in told] == [TableAtRest, HandSeen, HandSeen]
    assert not any(t.hidden for t in watcher.belief().tracks)


def test_a_hand_that_stops_a_sliding_coin_leaves_it_where_it_stopped(
    stand: Stand,
) -> None:
    start, stop = Point(-250.0, -60.0), Point(10.0, -60.0)
    speed = (2 * SLOWING_MM_S2 * start.distance_mm(stop)) ** 0.5
    slide = sliding(start, Point(speed, 0.0), from_s=0.3)
    ways = [(W, slide), (B, lying(Point(200.0, 200.0)))]
    watcher = stand.watcher()
    scenes = filmed(ways, rests_at(Point(0.0, 20.0), 1.4), 2.2)
    told, _ = watched(stand, watcher, scenes, [])
    assert not [o for o in told if isinstance(o, Vanished)]
    rest = [o for o in told if isinstance(o, TableAtRest)][-1].census
    assert min(s.at.distance_mm(stop) for s in rest.pieces if s.piece is W) < 1.5
    assert not any(t.hidden for t in watcher.belief().tracks)


def test_a_coin_that_falls_under_a_hand_is_missed_once_the_hand_has_gone(
    stand: Stand,
) -> None:
    pocket = TABLE.pocket_centres[Pocket.SOUTH_EAST]
    hole = Point(*pocket)
    start = Point(hole.x_mm - 60.0, hole.y_mm + 60.0)
    slide = sliding(start, Point(400.0, -400.0), from_s=0.5)
    gone = then(slide, lambda _: None, 0.7)
    ways = [(W, gone), (B, lying(Point(0.0, 100.0))), (Q, lying(Point(0.0, 0.0)))]
    watcher = stand.watcher()
    tip = rests_at(Point(hole.x_mm - 40.0, hole.y_mm + 90.0), 1.2)
    told, _ = watched(stand, watcher, filmed(ways, tip, 2.0), [])
    rest = [o for o in told if isinstance(o, TableAtRest)][-1].census
    assert sorted(s.piece for s in rest.pieces) == [B, Q]
    tracks = watcher.belief().tracks
    assert sorted(t.piece for t in tracks if not t.hidden) == [B, Q]


@pytest.mark.parametrize("gap_s", [0.3, 1.0, 3.0, 10.0])
@pytest.mark.parametrize("from_s", [0.05, 0.15, 0.3])
def test_frames_that_fail_while_a_coin_slides_under_a_hand_hide_nothing_for_good(
    from_s: float, gap_s: float
) -> None:
    """The hand comes at 0, goes at 0.25 s; a coin slides under it and out again."""
    way = straight(Point(-150.0, -100.0), Point(800.0, 0.0))
    table = SeenTable([(W, lambda at_s: way(min(at_s, 0.45)))])
    tracker = table.tracker()
    palm = TILES.under(discs_px(MAPPING, np.array([(50.0, -100.0)]), PALM_MM, 8.0))
    table.play(tracker, from_s, palm)
    table.at_s += gap_s
    table.play(tracker, max(0.25 - table.at_s, 0.0), palm)
    table.play(tracker, 0.6)
    (coin,) = tracker.tracks
    assert not coin.hidden
    assert coin.at.distance_mm(Point(210.0, -100.0)) < 1.0


def test_a_leaning_players_soft_shadow_is_no_hand(stand: Stand) -> None:
    """It takes 30 % of the light, over an edge 240 mm wide, and goes over a quarter."""
    watcher = stand.watcher()
    ways = [(W, lying(Point(-60.0, 40.0))), (B, lying(Point(90.0, -30.0)))]
    still = list(filmed(ways, lambda _: None, 0.0))
    stand.show(watcher, still)
    image = stand.renderer.render(still[-1], len(still))
    rows, columns = image.shape[:2]
    middle = np.column_stack([np.full(rows, columns / 2.0), np.arange(rows)])
    north_mm = stand.mapping.to_mm(middle)[:, 1]
    told: list[Observation] = []
    for frame in range(40):
        edge_mm = -700.0 + 500.0 * min(1.0, frame / 20)
        into = np.clip((edge_mm - north_mm) / 240.0 + 0.5, 0.0, 1.0)
        light = 1.0 - 0.3 * into * into * (3 - 2 * into)
        shaded = (image * (light ** (1 / 2.2))[:, None, None]).astype(np.uint8)
        told += watcher.step(Frame(1.0 + frame / RATE_HZ, 1000 + frame, shaded))
    assert told == []
