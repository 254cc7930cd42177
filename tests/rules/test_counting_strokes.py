"""Each for himself: what a stroke that does not count costs, and what it cannot be."""

from dataclasses import replace

import pytest

from calibration.table import Piece
from controller.rules.choices import Overtime
from controller.rules.counting_decisions import (
    CountingDecision,
    FoulBy,
    GivenBack,
    NextPlays,
    PlayerBroke,
    PlaysOn,
    spoken,
)
from controller.rules.counting_entries import (
    CountingEntry,
    GameAwarded,
    OutOfTurn,
    PlayerBreach,
    Replayed,
)
from controller.rules.counting_match import CountingMatch, advance, begin
from controller.rules.entries import NextBoard
from controller.rules.happenings import LateFall
from controller.rules.notation import read_stroke
from controller.rules.order import Player
from controller.rules.rule_sets import rule_set
from controller.rules.stroke import Stroke

POINT = rule_set("point")
TIMED = replace(POINT, stroke_limit_s=12.0, overtime=Overtime.TURN_LOST)
THREE = begin(POINT, ("Asha", "Bimal", "Chitra"))
ASHA, BIMAL, CHITRA = (THREE.player(number) for number in range(3))


def after(
    entry: CountingEntry, *strokes: str, match: CountingMatch = THREE
) -> tuple[CountingMatch, tuple[CountingDecision, ...]]:
    """The game after the strokes and the entry, and what was decided on it."""
    for text in strokes:
        match, _ = advance(match, read_stroke(text))
    return advance(match, entry)


def test_an_improper_stroke_is_a_foul_that_brings_back_what_it_sank() -> None:
    """64b: the pieces come out and the turn is lost; no technical foul (63)."""
    match, told = after(Stroke(white=1, black=1, proper=False))
    law = "stroke.improper"
    assert told == (
        PlayerBroke("break.made", ASHA),
        FoulBy(law, ASHA, technical=False),
        GivenBack(law, ASHA, 1, 1, 0),
        NextPlays(law, ASHA, BIMAL),
    )
    assert (match.totals, match.board.white, match.board.black) == ((0, 0, 0), 9, 9)


def test_a_stroke_made_too_late_loses_the_turn_and_what_it_sank() -> None:
    timed = replace(THREE, laws=TIMED)
    match, told = after(Stroke(white=1, seconds=12.5), match=timed)
    assert (match.totals, match.on_turn) == ((0, 0, 0), BIMAL)
    assert {each.law for each in told[1:]} == {"time.turn-lost"}


def test_a_stroke_in_time_counts() -> None:
    timed = replace(THREE, laws=TIMED)
    match, _ = after(Stroke(white=1, seconds=12.0), match=timed)
    assert (match.totals, match.on_turn) == ((2, 0, 0), ASHA)


def test_a_stroke_out_of_turn_that_sank_nothing_gives_nothing_back() -> None:
    _, told = after(OutOfTurn(2, Stroke()), "w")
    law = "points.out-of-turn"
    assert told == (FoulBy(law, CHITRA, technical=True), PlaysOn(law, ASHA))


def test_who_has_collected_nothing_pays_nothing_for_a_foul() -> None:
    """The coin would come out of the own purse; none is owed for later (r9)."""
    match, told = after(PlayerBreach(1, True), "w")
    law = "points.foul"
    assert told == (FoulBy(law, BIMAL, technical=True), PlaysOn(law, ASHA))
    assert match.totals == (2, 0, 0)


def test_what_is_down_already_cannot_fall_later() -> None:
    with pytest.raises(ValueError, match="no queen is left to fall"):
        after(LateFall(Piece.QUEEN), "q", "w")


def test_a_board_that_is_void_is_told_with_who_breaks_again() -> None:
    _, told = after(Replayed(), "w", "-")
    assert [spoken(each) for each in told] == ["the board is void, Asha breaks again"]


def test_nobody_chooses_who_breaks_the_next_board() -> None:
    with pytest.raises(ValueError, match="the next player breaks"):
        after(NextBoard(Player.FIRST))


def test_the_one_game_is_the_whole_match() -> None:
    match, _ = after(GameAwarded(1, "the others left"), "w")
    assert match.game == 1
    assert match.game_winner == match.winner == 1
    assert THREE.game_winner is None
