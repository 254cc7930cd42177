"""Strokes that are not the usual one, filmed and shown to the watcher.

Every film goes through the renderer and the real watcher; where what lies there
cannot be told, the observer must ask, never guess.
"""

from collections.abc import Callable
from dataclasses import replace
from math import inf

import cv2
import pytest

from calibration.table import Piece, Pocket, Point, Seat
from controller.events import Counts, Elapsed, PocketHealth
from controller.observer import Observer, StrokeDone, Unclear, observe
from controller.simulator.anatomy import SKINS, SLEEVES
from controller.simulator.hands import Person, limb
from controller.trust import Trust
from tests.tracking.films import STRUCK_S, Part, Way, film, lying, sliding, then
from tests.tracking.rendered_table import TABLE, Stand
from vision.frames import Frame, Image
from vision.sightings import (
    HandSeen,
    Observation,
    StrokeSeen,
    TableAtRest,
    TrackEnd,
)
from vision.sources.rendering_scene import Limb

W, B, Q, S = Piece.WHITE, Piece.BLACK, Piece.QUEEN, Piece.STRIKER
BASE = Point(0.0, -252.6)
PLAYER = Person(Seat.SOUTH, SKINS[0], SLEEVES[0])
MET = Point(0.0, -100.0)
HIT_S = 0.08
TOUCH_MM = TABLE.striker_radius_mm + TABLE.coin_radius_mm
ASIDE = [
    Part(B, lying(Point(150.0, 60.0))),
    Part(Q, lying(Point(-90.0, -30.0))),
    Part(W, lying(Point(-150.0, 140.0))),
]


@pytest.fixture(scope="module")
def stand() -> Stand:
    return Stand()


def struck(aim: Point, speed_mm_s: float) -> tuple[Way, Way]:
    """A striker from the base line into a lone coin, and that coin's way."""
    gap = BASE.distance_mm(aim)
    ux, uy = (aim.x_mm - BASE.x_mm) / gap, (aim.y_mm - BASE.y_mm) / gap
    met = Point(aim.x_mm - TOUCH_MM * ux, aim.y_mm - TOUCH_MM * uy)
    way_mm = gap - TOUCH_MM
    hit_s = (speed_mm_s - (speed_mm_s**2 - 2000.0 * way_mm) ** 0.5) / 1000.0
    left = speed_mm_s - 1000.0 * hit_s
    striker = sliding(met, Point(0.3 * left * ux, 0.3 * left * uy), from_s=hit_s)
    coin = sliding(aim, Point(0.5 * left * ux, 0.5 * left * uy), from_s=hit_s)
    run = sliding(BASE, Point(speed_mm_s * ux, speed_mm_s * uy))
    return then(run, striker, hit_s), coin


def shown(
    stand: Stand,
    parts: list[Part],
    seconds: float = 1.9,
    hand: Callable[[float], Limb | None] = lambda _: None,
    mark: Callable[[Image, float], Image] = lambda image, _: image,
) -> list[Observation]:
    """What a fresh watcher tells of a film; `mark` paints into its pictures."""
    watcher = stand.watcher()
    told: list[Observation] = []
    for number, scene in enumerate(film(parts, seconds, hand)):
        image = mark(stand.renderer.render(scene, number), scene.at_s - STRUCK_S)
        told += watcher.step(Frame(scene.at_s, number, image))
    return told


def the_stroke(told: list[Observation]) -> StrokeSeen:
    """The only stroke that was told."""
    (stroke,) = [o for o in told if isinstance(o, StrokeSeen)]
    return stroke


def asked(told: list[Observation], parts: list[Part]) -> bool:
    """Whether the observer, with fit pockets that felt nothing, asks the umpire."""
    fit = tuple((pocket, PocketHealth.CLEAR) for pocket in Pocket)
    observer = replace(Observer(table=TABLE, trust=Trust()), health=fit)
    book = Counts.of(part.piece for part in parts if part.piece is not S)
    found = []
    for entry, evidence in enumerate([*told, Elapsed(99.0)]):
        observer, more = observe(observer, entry, evidence, book)
        found += more
    assert not any(isinstance(one, StrokeDone) for one in found)
    return any(isinstance(one, Unclear) for one in found)


def test_a_stroke_ends_when_the_last_piece_has_come_to_rest(stand: Stand) -> None:
    striker, coin = struck(MET, 1500.0)
    parts = [Part(W, coin), Part(S, striker), *ASIDE]
    stroke = the_stroke(shown(stand, parts))
    rests_s = next(t / 100 for t in range(300) if coin(t / 100) == coin(9.0))
    assert stroke.to_s == pytest.approx(STRUCK_S + rests_s, abs=0.1)
    assert stroke.first_contact is not None
    assert stroke.first_contact.piece is W
    assert [c.piece for c in stroke.touched] == [W]
    assert stroke.way is not None
    assert (stroke.way.back, stroke.way.cushions_s, stroke.way.whole) == (
        False,
        (),
        True,
    )


def test_a_coin_behind_the_base_line_that_is_hit_directly_is_told(
    stand: Stand,
) -> None:
    striker, coin = struck(Point(60.0, -310.0), 500.0)
    stroke = the_stroke(shown(stand, [Part(W, coin), Part(S, striker), *ASIDE]))
    assert stroke.first_contact is not None
    assert (stroke.first_contact.piece, stroke.first_contact.behind) == (W, True)
    assert stroke.way is not None
    assert stroke.way.back is True


def test_a_striker_flicked_again_while_it_slides_is_told(stand: Stand) -> None:
    first, again_s = sliding(BASE, Point(0.0, 500.0)), 0.35
    at = first(again_s)
    assert at is not None
    striker = then(first, sliding(at, Point(0.0, 900.0), from_s=again_s), again_s)

    def finger(after_s: float) -> Limb | None:
        tip = Point(0.0, at.y_mm - TABLE.striker_radius_mm - 12.0)
        return limb(PLAYER, tip, 2.0) if 0.2 < after_s < 0.5 else None

    stroke = the_stroke(shown(stand, [Part(S, striker), *ASIDE], 2.6, finger))
    assert stroke.way is not None
    assert stroke.way.again_s == (pytest.approx(STRUCK_S + again_s, abs=0.06),)


def test_a_coin_that_leaves_the_table_is_told_and_so_is_its_return(
    stand: Stand,
) -> None:
    striker, _ = struck(MET, 1500.0)
    coin = sliding(MET, Point(0.0, 3500.0), from_s=HIT_S)
    gone_s = next(t / 1000 for t in range(999) if _y(coin(t / 1000)) > 400.0)
    back_s = 2.4
    flown = then(coin, lambda t: None if t < back_s else Point(40.0, 30.0), gone_s)

    def placing(after_s: float) -> Limb | None:
        near = abs(after_s - back_s) < 0.3
        return limb(PLAYER, Point(40.0, 10.0), 30.0) if near else None

    parts = [Part(W, flown), Part(S, striker), *ASIDE]
    told = shown(stand, parts, back_s + 1.4, placing)
    (left,) = the_stroke(told).vanished
    assert (left.piece, left.end) == (W, TrackEnd.OFF_TABLE)
    after = told[told.index(the_stroke(told)) + 1 :]
    assert [type(o) for o in after] == [HandSeen, HandSeen, TableAtRest]
    rest = after[-1]
    assert isinstance(rest, TableAtRest)
    assert rest.census.count(W) == 2


def _y(at: Point | None) -> float:
    return inf if at is None else at.y_mm


def test_a_coin_that_comes_to_lie_on_another_is_asked_about(stand: Stand) -> None:
    striker, coin = struck(MET, 1500.0)
    end = coin(9.0)
    assert end is not None
    under = Part(B, lying(Point(end.x_mm + 18.0, end.y_mm)))
    parts = [Part(W, coin, lift_mm=8.0), under, Part(S, striker), *ASIDE[1:]]
    assert asked(shown(stand, parts, 2.6), parts)


def test_a_striker_that_comes_to_lie_on_a_coin_is_asked_about(stand: Stand) -> None:
    striker, coin = struck(MET, 1500.0)
    end = striker(9.0)
    assert end is not None
    under = Part(B, lying(Point(end.x_mm + 12.0, end.y_mm + 24.0)))
    parts = [Part(W, coin), under, Part(S, striker, lift_mm=8.0), *ASIDE[1:]]
    assert asked(shown(stand, parts, 2.6), parts)


def test_a_coin_that_comes_to_stand_on_its_edge_is_asked_about(stand: Stand) -> None:
    striker, coin = struck(MET, 1500.0)
    stands_s = 0.7
    at = coin(stands_s)
    assert at is not None

    def on_edge(image: Image, after_s: float) -> Image:
        if after_s < stands_s:
            return image
        x, y = stand.mapping.point_to_px(at, TABLE.coin_radius_mm)
        box = (round(x - 12), round(y - 3)), (round(x + 12), round(y + 3))
        return cv2.rectangle(image.copy(), *box, (150, 190, 205), -1)

    gone = then(coin, lambda _: None, stands_s)
    parts = [Part(W, gone), Part(S, striker), *ASIDE]
    assert asked(shown(stand, parts, mark=on_edge), parts)
