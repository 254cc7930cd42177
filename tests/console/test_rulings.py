"""What the umpire's page sends becomes the ruling it stands for."""

import json

import pytest
from pydantic import ValidationError

from calibration.table import Piece, Pocket, Seat
from controller.console.rulings import REQUEST, ruling
from controller.events import (
    BoardCalled,
    Corrected,
    Fallen,
    FoulCalled,
    Inserted,
    Picked,
    Ruling,
    ScoreSet,
    Stated,
    StrokeFacts,
    TakenBack,
)

WHITE = Fallen(Piece.WHITE, Pocket.NORTH_EAST, 11.0, 0.6)
SEEN = StrokeFacts(from_s=10.0, to_s=12.0, fell=(WHITE,), seat=Seat.SOUTH)
NOW_S = 99.0


class OneStroke:
    """A record that holds stroke 7 alone."""

    def facts_of(self, entry: int) -> StrokeFacts | None:
        return SEEN if entry == 7 else None


def ruled(**request: object) -> Ruling:
    asked = REQUEST.validate_json(json.dumps({"expected_rev": 3, **request}))
    return ruling(asked, OneStroke(), NOW_S)


def said(fell: tuple[Fallen, ...], improper: bool = False) -> StrokeFacts:
    return StrokeFacts(
        from_s=10.0, to_s=12.0, fell=fell, seat=Seat.SOUTH, improper=improper
    )


SURE_WHITE = Fallen(Piece.WHITE, Pocket.NORTH_EAST, 11.0, 1.0)
SURE_QUEEN = Fallen(Piece.QUEEN, None, None, 1.0)
UNSEEN = StrokeFacts(
    from_s=NOW_S, to_s=NOW_S, fell=(Fallen(Piece.BLACK, None, None, 1.0),)
)

RULINGS = {
    "a reading is picked": (
        {"ruling": "pick", "question": 7, "reading": 1},
        Picked(NOW_S, "umpire", 7, 1),
    ),
    "other facts keep what the eyes saw of them": (
        {"ruling": "state", "question": 7, "facts": {"white": 1, "queen": 1}},
        Stated(NOW_S, "umpire", 7, said((SURE_WHITE, SURE_QUEEN))),
    ),
    "a stroke was improper and nothing fell": (
        {"ruling": "correct", "entry": 7, "facts": {"improper": True}, "reason": "r"},
        Corrected(NOW_S, "umpire", 7, said((), improper=True), "r"),
    ),
    "a stroke nobody saw": (
        {"ruling": "insert", "facts": {"black": 1}},
        Inserted(NOW_S, "umpire", None, UNSEEN, ""),
    ),
    "the last entry is taken back": (
        {"ruling": "take-back"},
        TakenBack(NOW_S, "umpire", None, ""),
    ),
    "a foul is called": (
        {"ruling": "foul", "seat": "north", "technical": True},
        FoulCalled(NOW_S, "umpire", True, Seat.NORTH, ""),
    ),
    "the score is set": (
        {"ruling": "set-score", "points": [12, 9]},
        ScoreSet(NOW_S, "umpire", (12, 9), ""),
    ),
    "the next board starts": (
        {"ruling": "next-board", "by": "A. Singh"},
        BoardCalled(NOW_S, "A. Singh"),
    ),
}


@pytest.mark.parametrize(("request_", "given"), RULINGS.values(), ids=RULINGS.keys())
def test_a_request_becomes_its_ruling(
    request_: dict[str, object], given: Ruling
) -> None:
    assert ruled(**request_) == given


def test_who_struck_is_taken_from_the_umpire_when_said() -> None:
    given = ruled(ruling="state", question=7, facts={"seat": "north"})
    assert isinstance(given, Stated)
    assert given.facts.seat is Seat.NORTH


def test_a_stroke_that_is_not_there_cannot_be_corrected() -> None:
    with pytest.raises(ValueError, match="no stroke 8"):
        ruled(ruling="correct", entry=8, facts={})


UNUSABLE = {
    "ten whites": {"ruling": "insert", "facts": {"white": 10}},
    "two queens": {"ruling": "insert", "facts": {"queen": 2}},
    "a negative count": {"ruling": "insert", "facts": {"black": -1}},
    "an unknown ruling": {"ruling": "make-white-win"},
    "an unknown field": {"ruling": "next-board", "points": 3},
    "a hundred points": {"ruling": "set-score", "points": [100, 0]},
    "an entry no journal can carry": {"ruling": "take-back", "entry": 2**53},
}


@pytest.mark.parametrize("request_", UNUSABLE.values(), ids=UNUSABLE.keys())
def test_an_unusable_request_is_refused(request_: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ruled(**request_)
