"""A hand delays the count after a stroke: what is then counted is not all its doing."""

from dataclasses import replace

from calibration.table import Piece, Pocket, Point, Seat
from controller.events import Counts, Elapsed, PocketHealth
from controller.observer import Observer, StrokeDone, Unclear, observe
from controller.outcomes import Doubt
from controller.simulator.anatomy import SKINS, SLEEVES
from controller.simulator.hands import Person, limb
from controller.trust import Trust
from tests.observing.score_sheet import pulses
from tests.tracking.films import STRUCK_S, Part, film, lying, sliding, then
from tests.tracking.hand_made import TABLE, SeenTable, census, still
from tests.tracking.rendered_table import Stand
from vision.reckoning import counted_stroke
from vision.settling import settled
from vision.sightings import (
    Census,
    Contact,
    Hidden,
    Observation,
    StrokeSeen,
    StrokeStarted,
    TableAtRest,
    TrackEnd,
    Vanished,
)
from vision.sources.rendering_scene import Limb
from vision.stroke import RunningStroke
from vision.track import Tracker

W, B, Q, S = Piece.WHITE, Piece.BLACK, Piece.QUEEN, Piece.STRIKER
BASE, SPENT = Point(0.0, -252.6), Point(60.0, 100.0)
WHITE, BLACK, QUEEN = Point(-150.0, 40.0), Point(150.0, 60.0), Point(0.0, 0.0)
BEFORE = census((W, WHITE), (B, BLACK), (Q, QUEEN), (S, BASE))
SETTLED_S, COUNTED_S = 2.0, 9.0
HAND = Hidden((Point(0, 0), Point(50, 0), Point(0, 50)), "hand")


def resting() -> Tracker:
    """The table as an empty stroke left it."""
    ways = [(W, still(WHITE)), (B, still(BLACK)), (Q, still(QUEEN)), (S, still(SPENT))]
    return SeenTable(ways).tracker()


def counted(
    tracker: Tracker, lies: Census, *hands: Hidden, fell_s: float = 7.0
) -> list[Observation]:
    """What is told of a stroke by a count after a hand had come; one fall was seen."""
    kept = settled(tracker, SETTLED_S, hands)
    stroke = RunningStroke(0.5, BASE, 40.0, 1.5, settled=kept, delayed=True)
    fell = Vanished(fell_s, W, WHITE, TrackEnd.POCKET, Pocket.NORTH_WEST, 0.97)
    stroke.vanished = [fell]
    stroke.touched = [Contact(W, 6.0, WHITE)]
    return counted_stroke(stroke, TABLE, BEFORE, lies, tracker.settle(lies))


def test_a_coin_that_lay_in_sight_and_is_gone_is_not_the_first_strokes() -> None:
    lies = census((B, BLACK), (Q, QUEEN), (S, BASE), at_s=COUNTED_S)
    stroke, rest = counted(resting(), lies)
    assert isinstance(stroke, StrokeSeen)
    assert stroke.vanished == stroke.touched == ()
    assert stroke.rest.at_s == SETTLED_S
    assert stroke.rest.count(W) == 1
    assert rest == TableAtRest(lies)


def test_a_coin_that_lay_in_sight_and_lies_elsewhere_is_not_either() -> None:
    there = (W, Point(-100.0, 40.0))
    lies = census(there, (B, BLACK), (Q, QUEEN), (S, BASE), at_s=COUNTED_S)
    stroke, rest = counted(resting(), lies)
    assert isinstance(stroke, StrokeSeen)
    assert WHITE in [s.at for s in stroke.rest.pieces]
    assert rest == TableAtRest(lies)


def test_a_due_placed_before_the_count_is_placed_not_left_by_the_stroke() -> None:
    due = (W, Point(30.0, 0.0))
    lies = replace(BEFORE, at_s=COUNTED_S, pieces=(*BEFORE.pieces, *census(due).pieces))
    stroke, rest = counted(resting(), lies)
    assert isinstance(stroke, StrokeSeen)
    assert stroke.rest.count(W) == 1
    assert rest == TableAtRest(lies)


def test_a_fall_seen_of_a_coin_that_is_counted_again_is_its_pockets_to_tell() -> None:
    """A hand put one back, or it never fell."""
    ways = [(B, still(BLACK)), (Q, still(QUEEN)), (S, still(SPENT))]
    lies = replace(BEFORE, at_s=COUNTED_S)
    stroke, _ = counted(SeenTable([*ways]).tracker(), lies, fell_s=1.5)
    assert isinstance(stroke, StrokeSeen)
    (fall,) = stroke.vanished
    assert (fall.piece, fall.end) == (W, TrackEnd.LOST)
    assert stroke.rest.count(W) == 0


def test_a_hand_that_only_takes_the_striker_leaves_the_count_to_the_stroke() -> None:
    lies = replace(BEFORE, at_s=COUNTED_S)
    (stroke,) = counted(resting(), lies)
    assert isinstance(stroke, StrokeSeen)
    assert stroke.rest == lies


def test_a_coin_under_the_hand_at_rest_says_nothing_and_is_found_by_the_count() -> None:
    tracker = resting()
    tracker.followed[2].hide()
    lies = census((B, BLACK), (Q, QUEEN), (S, BASE), at_s=COUNTED_S)
    stroke, _ = counted(tracker, lies, HAND)
    assert isinstance(stroke, StrokeSeen)
    assert stroke.rest.count(Q) == 1
    assert stroke.rest.hidden == ()


def test_a_coin_under_the_hand_that_is_not_found_there_stays_hidden() -> None:
    tracker = resting()
    tracker.followed[2].hide()
    lies = census((B, BLACK), (S, BASE), at_s=COUNTED_S)
    stroke, _ = counted(tracker, lies, HAND)
    assert isinstance(stroke, StrokeSeen)
    assert stroke.rest.hidden == (HAND,)


def test_a_second_stroke_nobody_noticed_is_asked_about_not_given_to_the_first() -> None:
    """Two white coins in the pictures: an empty stroke, a hand, and one is gone."""
    rests_s, cut_s, leaves_s = 1.1, 1.9, 2.1
    slid = sliding(BASE, Point(300.0, 400.0))
    gone = then(lying(WHITE), lambda _: None, cut_s)
    other = then(lying(BLACK), lying(Point(190.0, 120.0)), cut_s)
    striker = then(slid, lying(Point(-60.0, 150.0)), cut_s)
    near = Part(W, lying(Point(-90.0, -30.0)))
    parts = [Part(W, gone), near, Part(B, other), Part(S, striker)]
    person = Person(Seat.SOUTH, SKINS[0], SLEEVES[0])

    def hand(after_s: float) -> Limb | None:
        there = rests_s < after_s < leaves_s
        return limb(person, Point(0.0, -180.0), 30.0) if there else None

    stand = Stand()
    told = stand.show(stand.watcher(), film(parts, leaves_s + 0.7, hand))
    felt = pulses("NW", STRUCK_S + cut_s - 0.4)
    assert [type(o) for o in told if isinstance(o, StrokeStarted)] == [StrokeStarted]
    fit = tuple((pocket, PocketHealth.CLEAR) for pocket in Pocket)
    observer = replace(Observer(table=TABLE, trust=Trust()), health=fit)
    late = next(n for n, o in enumerate(told) if isinstance(o, StrokeSeen))
    found = []
    for n, evidence in enumerate([*told[:late], *felt, *told[late:], Elapsed(99.0)]):
        observer, more = observe(observer, n, evidence, Counts(white=2, black=1))
        found += more
    (done,) = [one for one in found if isinstance(one, StrokeDone)]
    assert done.facts.fell == ()
    (asked,) = [one for one in found if isinstance(one, Unclear)]
    assert asked.doubt is Doubt.NO_STROKE
