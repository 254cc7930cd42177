"""What the umpire's page sends becomes the ruling it stands for."""

import json
from dataclasses import replace
from typing import get_args

import pytest
from pydantic import ValidationError

from calibration.table import Piece, Pocket, Seat
from controller.config import Config, configured
from controller.config_match import MatchSettings, PlayerSettings
from controller.console.entered import COUNTING_FORMS, entered
from controller.console.offers import FORM, offers
from controller.console.rulings import REQUEST, ruling
from controller.events import (
    BoardCalled,
    ClockAction,
    ClockSet,
    Corrected,
    Fallen,
    Fault,
    FoulCalled,
    Inserted,
    Picked,
    Ruled,
    Ruling,
    ScoreSet,
    Stated,
    StrokeFacts,
    TakenBack,
)
from controller.rules.board import Finish, Result, Side
from controller.rules.counting_entries import GameAwarded, Replayed
from controller.rules.counting_match import begin
from controller.rules.entries import (
    ColourChosen,
    Demand,
    MatchAwarded,
    NextBoard,
    ScoresCorrected,
    TieDecided,
    TossDecided,
)
from controller.rules.entries import Input as LawInput
from controller.rules.happenings import (
    Bell,
    BoardRuled,
    BoardSet,
    Breach,
    Conceded,
    Disturbed,
    Forfeited,
    LateFall,
    Misplaced,
    NoRoom,
    NoticedLate,
    Passed,
    PlayedOn,
    SeatLeft,
    Voided,
    Waived,
)
from controller.rules.match import Match
from controller.rules.notation import read_board
from controller.rules.order import ByPlayer, Player
from controller.rules.rule_sets import rule_set
from controller.rules.stroke import Stroke
from controller.rules.toss import Choice
from controller.session import begin as begin_session

WHITE = Fallen(Piece.WHITE, Pocket.NORTH_EAST, 11.0, 0.6)
SEEN = StrokeFacts(from_s=10.0, to_s=12.0, fell=(WHITE,), seat=Seat.SOUTH)
NOW_S = 99.0
ICF = rule_set("icf")
NAMES = ByPlayer("Asha", "Bimal")


class OneStroke:
    """A record that holds stroke 7 alone."""

    def facts_of(self, entry: int) -> StrokeFacts | None:
        return SEEN if entry == 7 else None

    def reading_of(self, question: int, index: int) -> StrokeFacts:
        assert (question, index) == (7, 1)
        return SEEN

    @property
    def match(self) -> Match:
        """Bimal broke this board, so Asha plays black."""
        return Match(laws=ICF, names=NAMES, breaker=Player.SECOND)


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
    "a reading happened and was improper": (
        {"ruling": "pick", "question": 7, "reading": 1, "improper": True},
        Stated(NOW_S, "umpire", 7, replace(SEEN, improper=True)),
    ),
    "a stroke was improper and the rest stands": (
        {"ruling": "properness", "entry": 7, "improper": True, "reason": "push"},
        Corrected(NOW_S, "umpire", 7, replace(SEEN, improper=True), "push"),
    ),
    "a stroke was late, with the thumb, and a coin left the table": (
        {
            "ruling": "insert",
            "facts": {"faults": ["thumb", "late"], "off_black": 1, "out_of_turn": True},
        },
        Inserted(
            NOW_S,
            "umpire",
            None,
            StrokeFacts(
                from_s=NOW_S,
                to_s=NOW_S,
                jumped=(Piece.BLACK,),
                out_of_turn=True,
                faults=(Fault.LATE, Fault.THUMB),
            ),
            "",
        ),
    ),
    "the clocks stand": (
        {"ruling": "clock", "action": "pause"},
        ClockSet(NOW_S, "umpire", ClockAction.PAUSE),
    ),
    "the clock is set": (
        {"ruling": "clock", "action": "start", "elapsed_s": 61},
        ClockSet(NOW_S, "umpire", ClockAction.START, 61.0),
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


@pytest.mark.parametrize(
    "said",
    [{"by": "A\x1b[31m"}, {"by": "  "}, {"reason": "a\nb"}, {"reason": "\u202ex"}],
)
def test_names_and_reasons_work_no_terminal(said: dict[str, str]) -> None:
    with pytest.raises(ValidationError, match=r"control characters|say something"):
        ruled(ruling="take-back", **said)


def test_a_stroke_that_is_not_there_cannot_be_corrected() -> None:
    with pytest.raises(ValueError, match="no stroke 8"):
        ruled(ruling="correct", entry=8, facts={})


LAWS_KNOW: dict[str, tuple[dict[str, object], LawInput]] = {
    "waived": ({"player": 0}, Waived(Side.BLACK)),
    "forfeited": ({"player": 1}, Forfeited(Side.WHITE)),
    "misplaced": ({"player": 0}, Misplaced(Side.BLACK)),
    "seat-left": ({"player": 0}, SeatLeft(Side.BLACK)),
    "played-on": ({"player": 0}, PlayedOn(Side.BLACK)),
    "disturbed": ({"player": 1}, Disturbed(Side.WHITE)),
    "conceded": ({"player": 1}, Conceded(Side.WHITE)),
    "no-room": ({"player": 0, "coins": 2}, NoRoom(Side.BLACK, 2)),
    "noticed-late": (
        {"player": 0, "law": "turn.out"},
        NoticedLate(Side.BLACK, "turn.out"),
    ),
    "passed": ({}, Passed()),
    "bell": ({}, Bell()),
    "void": ({}, Voided(Side.WHITE)),
    "fell-later": ({"piece": "queen"}, LateFall(Piece.QUEEN)),
    "set-board": (
        {
            "white": 3,
            "black": 9,
            "queen": "awaiting",
            "queen_by": 1,
            "on_turn": 1,
            "owed": [2, 0],
        },
        BoardSet(read_board("3w 9b q?white / white / due 0w 2b")),
    ),
    "rule-board": (
        {"player": 0, "coin_points": 5, "queen_points": 3},
        BoardRuled(Result(Side.BLACK, 5, 3, 0, Finish.RULED)),
    ),
    "tie": ({"player": 1}, TieDecided(Player.SECOND)),
    "award": ({"player": 0}, MatchAwarded(Player.FIRST, "why")),
    "colour": ({"colour": "black"}, ColourChosen(Side.BLACK)),
    "demand": ({"points": 2}, Demand(2)),
    "toss": (
        {"player": 1, "choice": "side", "seat": "north"},
        TossDecided(Player.SECOND, Choice.SIDE, Seat.NORTH),
    ),
}


@pytest.mark.parametrize("entry", LAWS_KNOW)
def test_everything_the_laws_know_can_be_ruled(entry: str) -> None:
    fields, law = LAWS_KNOW[entry]
    given = ruled(ruling="rule", rule={"entry": entry, **fields}, reason="why")
    assert given == Ruled(NOW_S, "umpire", law, "why")


def test_no_ruling_of_the_laws_lacks_its_form() -> None:
    """Strokes, fouls, scores and the next board have requests of their own."""
    apart = {Stroke, Breach, NextBoard, ScoresCorrected}
    formed = {type(law) for _, law in LAWS_KNOW.values()}
    assert formed | apart == set(get_args(LawInput))


def test_a_covered_queen_belongs_to_somebody() -> None:
    board = {"white": 3, "black": 9, "queen": "covered", "on_turn": 0}
    with pytest.raises(ValueError, match="say whose the queen is"):
        ruled(ruling="rule", rule={"entry": "set-board", **board})


UNUSABLE = {
    "a fifth player": {"ruling": "rule", "rule": {"entry": "conceded", "player": 4}},
    "a clock cut": {"ruling": "clock", "action": "cut"},
    "ten whites": {"ruling": "insert", "facts": {"white": 10}},
    "two queens": {"ruling": "insert", "facts": {"queen": 2}},
    "a negative count": {"ruling": "insert", "facts": {"black": -1}},
    "an unknown ruling": {"ruling": "make-white-win"},
    "an unknown field": {"ruling": "next-board", "points": 3},
    "a thousand points": {"ruling": "set-score", "points": [1000, 0]},
    "points of one player": {"ruling": "set-score", "points": [3]},
    "an entry no journal can carry": {"ruling": "take-back", "entry": 2**53},
}


@pytest.mark.parametrize("request_", UNUSABLE.values(), ids=UNUSABLE.keys())
def test_an_unusable_request_is_refused(request_: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        ruled(**request_)


def test_two_sides_have_no_third_player() -> None:
    with pytest.raises(ValueError, match="there is no player 2"):
        ruled(ruling="rule", rule={"entry": "conceded", "player": 2})


EACH_FOR_HIMSELF = begin(rule_set("point"), ("Asha", "Bimal", "Chitra"))


@pytest.mark.parametrize(
    ("form", "entry"),
    [
        ({"entry": "passed"}, Passed()),
        ({"entry": "bell"}, Bell()),
        ({"entry": "void"}, Replayed()),
        ({"entry": "fell-later", "piece": "queen"}, LateFall(Piece.QUEEN)),
        ({"entry": "award", "player": 2}, GameAwarded(2, "why")),
    ],
    ids=str,
)
def test_each_for_himself_knows_these_rulings(
    form: dict[str, object], entry: object
) -> None:
    assert entered(FORM.validate_python(form), EACH_FOR_HIMSELF, "why") == entry


def test_each_for_himself_owes_nobody_a_coin() -> None:
    form = FORM.validate_python({"entry": "waived", "player": 0})
    with pytest.raises(ValueError, match="waived is for two sides"):
        entered(form, EACH_FOR_HIMSELF, "")


def test_only_what_such_a_game_knows_is_offered() -> None:
    seats = (Seat.SOUTH, Seat.EAST, Seat.NORTH)
    three = tuple(PlayerSettings(name=seat.value, seat=seat) for seat in seats)
    config = Config(match=MatchSettings(rules="point", players=three))
    session = begin_session(configured(config, 0.0, "test"))
    assert {offer["entry"] for offer in offers(session)} == COUNTING_FORMS  # type: ignore[call-overload,index]
