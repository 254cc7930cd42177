"""What the umpire sees before and after ruling: branches, previews, what is open."""

from dataclasses import replace

import pytest

from calibration.table import Placement, StrikerPlace
from controller.events import Elapsed, Ruled, ScoreSet
from controller.rules.board import Finish, Side
from controller.rules.happenings import Conceded, Passed
from controller.rules.order import Player
from tests.console.tables import AT_S, Tables
from tests.observing.match_sheet import ready, stroke


def test_a_stroke_says_what_would_follow_were_it_improper(tables: Tables) -> None:
    table = tables.at("icf")
    table.stroke("white")
    (line,) = [one for one in table.shown["log"] if one["stroke"]]
    assert "white goes on" in line["text"]
    assert line["otherwise"] == (
        "White has broken; foul by white; 1 white back to the table; "
        "white owes 1 coin as a penalty; white's turn is over, black is next"
    )
    assert table.rule(ruling="properness", entry=line["entry"], improper=True) is None
    (line,) = [one for one in table.shown["log"] if one["stroke"]]
    assert "improper" in line["text"]
    assert "white goes on" in line["otherwise"]


def test_a_preview_says_what_follows_and_records_nothing(tables: Tables) -> None:
    table = tables.at("icf")
    table.stroke("white")
    entry = table.keeper.session.verdicts[-1].entry
    before = table.keeper.session
    given = table.asked(ruling="properness", entry=entry, improper=True)
    preview = table.desk.preview(given)
    assert preview.possible
    assert "on turn North (was South)" in preview.text
    assert table.keeper.session is before


def test_a_preview_of_what_cannot_be_says_why(tables: Tables) -> None:
    table = tables.at("icf")
    given = table.asked(ruling="rule", rule={"entry": "waived", "player": 0})
    preview = table.desk.preview(given)
    assert not preview.possible
    assert "white owes nothing that could be written off" in preview.text


def test_every_ruling_is_offered_with_its_article_and_why_it_does_not_fit(
    tables: Tables,
) -> None:
    shown = tables.at("icf").shown["offers"]
    by_entry = {offer["entry"]: offer for offer in shown}
    assert len(by_entry) == len(shown) == 20
    assert all(offer["article"] for offer in shown)
    assert by_entry["seat-left"]["article"] == "ICF 91"
    assert by_entry["conceded"]["why_not"] == ""
    assert "owes nothing" in by_entry["waived"]["why_not"]
    assert all("\n" not in offer["why_not"] for offer in shown)


def test_the_toss_is_asked_for_before_the_first_break_and_then_no_more(
    tables: Tables,
) -> None:
    table = tables.at("icf")
    assert table.open == ["Toss: who won it, and chose what?"]
    assert table.answer("North: break") is None
    assert table.keeper.session.match.names.first == "North"
    table.stroke(seat="north")
    assert table.open == []


def test_additional_points_are_demanded_all_some_or_none(tables: Tables) -> None:
    table = tables.at("icf")
    for number in range(8):
        table.stroke("white", at_s=10.0 + number)
    table.stroke("white", "striker", at_s=30.0)
    assert table.open == ["North may demand additional points"]
    assert [a["label"] for a in table.shown["prompts"][0]["answers"]] == [
        "All (1)",
        "None",
    ]
    assert table.answer("All (1)") is None
    assert table.keeper.session.match.scores.second == 4


def test_a_due_may_be_waived_after_it_was_called(tables: Tables) -> None:
    """87: the law counts the coin as back at once; the opponent may give it up."""
    table = tables.at("icf")
    table.stroke("white")
    table.stroke("striker", at_s=6.0)
    assert table.keeper.session.match.board.coins.white == 9
    assert table.rule(ruling="rule", rule={"entry": "waived", "player": 0}) is None
    board = table.keeper.session.match.board
    assert (board.coins.white, board.owed.white) == (8, 0)


def test_stopping_the_clocks_takes_no_claim_away(tables: Tables) -> None:
    table = tables.at("icf")
    table.stroke("white")
    table.stroke("striker", at_s=6.0)
    assert table.rule(ruling="clock", action="pause") is None
    assert table.rule(ruling="rule", rule={"entry": "waived", "player": 0}) is None
    assert table.keeper.session.match.board.coins.white == 8


def test_a_ruling_during_a_question_says_that_it_waits(tables: Tables) -> None:
    table = tables.at("icf")
    made = stroke(1, "9w 9b q s", "w@NE", "8w 9b q s")
    place = StrikerPlace(Placement.ILLEGAL, -4.0, "touches-arrow")
    seen = replace(made.seen, placement=place)
    for heard in [*ready(), *replace(made, seen=seen).evidence]:
        table.keeper.hear(heard)
    number = table.shown["question"]["number"]
    conceded = {"ruling": "rule", "rule": {"entry": "conceded", "player": 1}}
    waits = f"it counts once question {number} is answered"
    assert table.desk.preview(table.asked(**conceded)).text == waits
    assert table.rule(**conceded) is None
    assert waits in table.shown["log"][0]["text"]
    assert table.rule(ruling="pick", question=number, reading=1) is None
    assert table.keeper.session.match.records[-1].finish is Finish.CONCEDED


def test_coins_not_placed_in_time_are_offered_as_forfeited(tables: Tables) -> None:
    table = tables.at("icf")
    table.stroke("white")
    table.stroke("striker", at_s=6.0)
    table.keeper.hear(Elapsed(21.0))
    assert table.open == ["Coins owed were not placed in time"]
    assert table.answer("South's coins stay down") is None
    assert table.keeper.session.match.board.coins.white == 8
    assert table.open == []


@pytest.mark.parametrize(
    ("rules", "strokes", "label", "turn"),
    [
        ("icf", 1, "Technical foul", Side.BLACK),
        ("icf", 2, "Foul, turn lost", Side.BLACK),
        ("tournament", 1, "Turn lost", Side.WHITE),
    ],
)
def test_a_late_stroke_is_ruled_with_one_tap(
    tables: Tables, rules: str, strokes: int, label: str, turn: Side
) -> None:
    table = tables.at(rules)
    if strokes == 1:
        table.stroke(at_s=6.0)
    else:
        table.stroke("white", at_s=6.0)
    table.keeper.hear(Elapsed(21.0))
    assert table.open[0].endswith("is too late")
    assert table.answer(label) is None
    assert table.keeper.session.match.board.turn is turn


def test_the_bell_counts_the_board_with_one_tap(tables: Tables) -> None:
    table = tables.at("tournament")
    table.stroke("white", at_s=0.0)
    table.keeper.hear(Elapsed(1500.0))
    assert table.open[0] == "Time: South leads"
    assert table.answer("Count the board") is None
    assert table.keeper.session.match.records[-1].points == 9


def test_level_at_the_bell_the_tie_break_is_asked_for(tables: Tables) -> None:
    table = tables.at("tournament")
    table.stroke(at_s=0.0)
    table.keeper.hear(Elapsed(1500.0))
    assert table.open[0] == "Time, and level: who won the coin race?"
    assert table.answer("North") is None
    assert table.keeper.session.match.winner is not None


def test_a_mixed_first_pot_asks_for_the_colour(tables: Tables) -> None:
    table = tables.at("basic", toss="colour-by-first-pot")
    table.stroke("white", "black")
    assert table.open[0] == "South pocketed both colours: which one is played?"
    assert table.answer("Black") is None
    match = table.keeper.session.match
    assert match.side_of(Player.FIRST) is Side.BLACK
    assert table.open == []


def test_an_extra_board_is_tossed_for(tables: Tables) -> None:
    table = tables.at("icf")
    session = table.keeper.session
    opening = replace(session.opening, board_number=8)
    table.keeper.session = replace(session, opening=opening)
    table.keeper.hear(ScoreSet(AT_S, "u", (8, 20), ""))
    table.keeper.hear(Ruled(AT_S, "u", Conceded(Side.BLACK), ""))
    assert table.open == [
        "Toss for the break of the extra board: who won it, and chose what?"
    ]
    assert table.answer("North: break") is None
    match = table.keeper.session.match
    assert (match.board_number, match.breaker) == (9, Player.SECOND)


def test_a_ruling_given_while_a_call_came_in_is_not_stale(tables: Tables) -> None:
    """A clock's call is shown; it does not change the record."""
    table = tables.at("icf")
    table.stroke("white")
    seen = table.desk.rev
    table.keeper.hear(Elapsed(60.0))
    assert table.desk.rev > seen
    assert table.desk.stands_since(seen)
    table.keeper.hear(Ruled(61.0, "u", Passed(), ""))
    assert not table.desk.stands_since(seen)
