"""Colours outlive the eyes that learned them, as long as the coins show them."""

from dataclasses import replace
from math import inf

import pytest

from calibration.table import Piece, Point
from tests.tracking.rendered_table import TABLE, Stand, lasting
from vision.colours import difference
from vision.detect import Detector
from vision.setup import Known
from vision.sightings import Census, ColoursLearned, Observation, TableAtRest
from vision.watch import Watcher

RACK = list(TABLE.opening_rack())
LATE = [
    (Piece.WHITE, Point(-60.0, 40.0)),
    (Piece.BLACK, Point(90.0, -30.0)),
    (Piece.BLACK, Point(-150.0, 210.0)),
    (Piece.QUEEN, Point(200.0, 100.0)),
]
LAST = [(Piece.WHITE, Point(-60.0, 40.0))]


@pytest.fixture(scope="module")
def stand() -> Stand:
    return Stand()


@pytest.fixture(scope="module")
def learned(stand: Stand) -> ColoursLearned:
    """What eyes tell of the colours that have seen the rack."""
    (told,) = lessons(look(stand, RACK, Known()))
    return told


def look(
    stand: Stand, lying: list[tuple[Piece, Point]], known: Known
) -> list[Observation]:
    """What eyes tell that start with this before them."""
    detector = Detector(TABLE, stand.mapping, empty=stand.renderer.empty())
    watcher = Watcher(TABLE, stand.mapping, detector, gap_s=inf, known=known)
    return stand.show(watcher, lasting(0.0, 0.7, lying))


def lessons(told: list[Observation]) -> list[ColoursLearned]:
    return [one for one in told if isinstance(one, ColoursLearned)]


def counted(told: list[Observation]) -> Census:
    (census,) = (one.census for one in told if isinstance(one, TableAtRest))
    return census


def test_a_lone_coin_is_named_as_surely_as_by_the_eyes_before(
    stand: Stand, learned: ColoursLearned
) -> None:
    """Alone on the table it could be any colour in any light."""
    (coin,) = counted(look(stand, LAST, Known())).pieces
    assert coin.confidence < 0.8
    (coin,) = counted(look(stand, LAST, Known(colours=learned))).pieces
    assert coin.piece is Piece.WHITE
    assert coin.confidence > 0.85


def test_what_the_record_says_lies_there_makes_names_certain(
    stand: Stand, learned: ColoursLearned
) -> None:
    (told,) = lessons(look(stand, LATE, Known(lying=(1, 2, 1))))
    for kind in ("white", "black", "queen"):  # 130 and more from one to another
        assert difference(getattr(told, kind), getattr(learned, kind)) < 40.0


def test_nothing_is_learned_when_the_record_says_something_else(stand: Stand) -> None:
    assert lessons(look(stand, LATE, Known(lying=(2, 2, 1)))) == []


def test_colours_that_no_coin_shows_any_more_are_dropped(
    stand: Stand, learned: ColoursLearned
) -> None:
    """Learned under a lamp a third as bright: white was then as dark as black is."""
    dim = replace(
        learned,
        white=tuple(level / 3 for level in learned.white),
        black=tuple(level / 3 for level in learned.black),
        queen=tuple(level / 3 for level in learned.queen),
    )
    census = counted(look(stand, LATE, Known(colours=dim)))
    assert [census.count(piece) for piece in Piece] == [1, 2, 1, 0]


def test_colours_known_already_are_not_told_again(
    stand: Stand, learned: ColoursLearned
) -> None:
    assert lessons(look(stand, RACK, Known(colours=learned))) == []
