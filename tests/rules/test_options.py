"""Options that clubs and events play: each one a single law changed in a rule set."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from pydantic import TypeAdapter
from typer.testing import CliRunner

from calibration.refusal import Refusal
from controller.__main__ import _app
from controller.config_match import MatchSettings
from controller.rules.board import Board, Finish, Result, Side
from controller.rules.choices import AtBell, OwnLast, StrikerWithOwn, Tie, Toss
from controller.rules.decisions import BoardWon, Decision, Disputed, FoulCalled
from controller.rules.happenings import Bell, BoardRuled
from controller.rules.judge import judge
from controller.rules.laws import Laws
from controller.rules.match import Match, NextBoard, Phase, TieDecided, advance
from controller.rules.match_notation import read_match, write_match
from controller.rules.notation import read_board, read_stroke
from controller.rules.order import ByPlayer, Player
from controller.rules.overrides import (
    FIELDS,
    OPTIONS,
    Value,
    changes_of,
    values,
    with_changes,
)
from controller.rules.rule_sets import RULE_SETS, rule_set
from controller.rules.sources import source

ICF = rule_set("icf")
WHITE, BLACK = Side.WHITE, Side.BLACK
FIRST, SECOND = Player.FIRST, Player.SECOND
DOUBLE = replace(ICF, striker_with_own=StrikerWithOwn.DOUBLE_FOUL)
CENTURY = replace(ICF, century_board=True)


def judged(
    laws: Laws, state: str, played: str
) -> tuple[Board, tuple[Decision, ...], list[str]]:
    """The board that follows, what was decided, and by which laws."""
    board, told = judge(read_board(state), read_stroke(played), laws)
    return board, told, [decision.law for decision in told]


@pytest.mark.parametrize(
    ("played", "after"),
    [
        ("w s", "7w 7b q / white / turn 0.1"),
        ("2w s", "6w 7b q / white / turn 0.1"),
        ("w s passes-on", "6w 7b q / black / turn 1.0"),
        ("w b s", "7w 6b q / white / turn 0.1"),
    ],
)
def test_a_double_foul_costs_two_coins_and_goes_on_or_one_and_passes(
    played: str, after: str
) -> None:
    board, _, laws = judged(DOUBLE, "6w 7b q / white", played)
    assert board == read_board(after)
    assert "striker.double-foul" in laws


def test_the_umpire_is_asked_which_price_the_player_pays() -> None:
    _, kept, _ = judged(DOUBLE, "6w 7b q / white", "w s")
    _, passed, _ = judged(DOUBLE, "6w 7b q / white", "w s passes-on")
    assert len([d for d in kept if isinstance(d, Disputed)]) == 1
    assert not [d for d in passed if isinstance(d, Disputed)]


@pytest.mark.parametrize(
    ("state", "played", "law"),
    [
        ("6w 7b q / white", "s", "striker.alone"),
        ("6w 7b q / white", "w q s", "queen.striker-own"),
        ("6w 7b q?white / white", "w s", "cover.striker-own"),
        ("1w 7b q=white / white", "w s", "striker.with-own"),
    ],
)
def test_the_queen_and_the_last_coin_are_no_double_foul(
    state: str, played: str, law: str
) -> None:
    assert law in judged(DOUBLE, state, played)[2]


def test_without_the_option_a_player_who_passes_on_changes_nothing() -> None:
    board, _, _ = judged(ICF, "6w 7b q / white", "w s passes-on")
    assert board == read_board("7w 7b q / white / turn 0.1")


def test_clearing_before_the_opponent_began_is_a_century() -> None:
    board, (won,), _ = judged(CENTURY, "1w 9b q=white / white", "w")
    assert won == BoardWon("end.century", WHITE, 9, 3, 0, Finish.CENTURY, True)
    assert board.result is not None
    assert board.result.finish is Finish.CENTURY


@pytest.mark.parametrize(
    ("state", "played"),
    [
        ("1w 8b q=white / white", "w"),
        ("1w 9b q=white / white / ever white,black", "w"),
        ("1w 9b q=white / white", "w b"),
        ("1w 9b q / white", "w"),
        ("5w 1b q=black / white", "b"),
    ],
)
def test_any_coin_of_the_opponent_down_or_the_queen_up_makes_no_century(
    state: str, played: str
) -> None:
    board, _, _ = judged(CENTURY, state, played)
    assert board.result is not None
    assert board.result.finish is not Finish.CENTURY


def test_without_the_option_nine_coins_left_are_an_ordinary_board() -> None:
    board, _, laws = judged(ICF, "1w 9b q=white / white", "w")
    assert laws == ["end.cleared"]
    assert board.result is not None
    assert board.result.finish is Finish.CLEARED


def match(laws: Laws) -> Match:
    """A match about to begin."""
    return Match(laws=laws, names=ByPlayer("Asha", "Bimal"))


def boards(start: Match, wins: Sequence[tuple[Player, int]]) -> Match:
    """Boards won one after the other, as the umpire rules them."""
    for number, (player, points) in enumerate(wins):
        start = start if number == 0 else advance(start, NextBoard())[0]
        result = Result(start.side_of(player), points, 0, 0, Finish.RULED)
        start, _ = advance(start, BoardRuled(result))
    return start


def test_a_century_wins_the_whole_game() -> None:
    state = read_board("1w 9b q=white / white / turn 0.9")
    after, _ = advance(replace(match(CENTURY), board=state), read_stroke("w"))
    assert (after.phase, after.game_winner) == (Phase.GAME_OVER, FIRST)
    assert after.scores == ByPlayer(12, 0)


def test_two_boards_of_three_win_whatever_the_points() -> None:
    laws = replace(ICF, boards_to_win=2, boards_per_game=3, games_per_match=1)
    one_all = boards(match(laws), [(SECOND, 12), (FIRST, 1)])
    assert one_all.phase is Phase.BOARD_OVER
    after = boards(match(laws), [(SECOND, 12), (FIRST, 1), (FIRST, 1)])
    assert (after.phase, after.winner) == (Phase.MATCH_OVER, FIRST)


def test_where_boards_decide_points_do_not() -> None:
    laws = replace(ICF, boards_to_win=3, boards_per_game=None)
    assert boards(match(laws), [(FIRST, 12)] * 2).phase is Phase.BOARD_OVER
    won = boards(match(laws), [(FIRST, 12)] * 3)
    assert won.game_winner is FIRST


def test_boards_of_an_earlier_game_do_not_count_for_the_next() -> None:
    laws = replace(ICF, boards_to_win=2, boards_per_game=None)
    third = boards(match(laws), [(FIRST, 1)] * 2 + [(FIRST, 1)])
    assert (third.game, third.phase) == (2, Phase.BOARD_OVER)


@pytest.mark.parametrize(("lead", "over"), [(14, False), (15, True)])
def test_a_lead_that_one_board_cannot_make_up_ends_the_game(
    lead: int, over: bool
) -> None:
    laws = replace(rule_set("club-29"), boards_per_game=4, stops_when_uncatchable=True)
    laws = replace(laws, limit_ends_before=False)
    after = boards(match(laws), [(FIRST, 5), (FIRST, 5), (FIRST, lead - 10)])
    assert (after.winner is FIRST) is over


def test_a_lead_in_boards_can_be_out_of_reach_too() -> None:
    laws = replace(ICF, boards_to_win=3, boards_per_game=4, stops_when_uncatchable=True)
    assert boards(match(laws), [(FIRST, 1)] * 2).game_winner is None
    assert boards(match(laws), [(FIRST, 1)] * 3).game_winner is FIRST
    even = replace(laws, boards_to_win=4)
    assert boards(match(even), [(FIRST, 1)] * 2).game_winner is None
    assert boards(match(even), [(FIRST, 1)] * 3).game_winner is FIRST


def test_without_a_limit_of_boards_every_lead_can_be_caught() -> None:
    laws = replace(ICF, boards_per_game=None, stops_when_uncatchable=True)
    assert boards(match(laws), [(FIRST, 12), (FIRST, 12)]).game_winner is None


CHICAGO = replace(rule_set("club-29"), game_limit_s=2700.0, at_bell=AtBell.FINISH_BOARD)


def test_a_bell_may_let_the_board_be_played_out_before_the_game_ends() -> None:
    running = replace(match(CHICAGO), board=read_board("1w 4b q=white / white"))
    rung, told = advance(running, Bell())
    assert [decision.law for decision in told] == ["time.bell"]
    assert (rung.phase, rung.board) == (Phase.PLAY, running.board)
    after, _ = advance(rung, read_stroke("w"))
    assert (after.phase, after.winner) == (Phase.MATCH_OVER, FIRST)


def test_a_game_level_after_that_board_goes_to_the_tie_break() -> None:
    board = read_board("1w 4b q=white / white / score 0-9")
    laws = replace(CHICAGO, tie=Tie.SHOOT_OUT)
    running = replace(match(laws), board=board, scores=ByPlayer(0, 9))
    rung, _ = advance(running, Bell())
    after, _ = advance(rung, read_stroke("w"))
    assert after.phase is Phase.TIE


def test_no_tie_is_decided_while_the_last_board_is_played_out() -> None:
    rung, _ = advance(
        replace(match(CHICAGO), board=read_board("4w 4b q / white")), Bell()
    )
    with pytest.raises(ValueError, match="no tie to decide"):
        advance(rung, TieDecided(FIRST))


def test_the_next_game_has_its_own_clock() -> None:
    laws = replace(CHICAGO, games_per_match=3)
    running = replace(match(laws), board=read_board("1w 4b q=white / white"))
    rung, _ = advance(running, Bell())
    won, _ = advance(rung, read_stroke("w"))
    following, _ = advance(won, NextBoard())
    after = boards(following, [(FIRST, 5)])
    assert (after.game, after.phase) == (2, Phase.BOARD_OVER)


def test_a_tournament_forbids_a_direct_hit_on_a_coin_on_the_arrow() -> None:
    board, told, _ = judged(rule_set("tournament"), "6w 7b q / white", "w arrow")
    assert board == replace(read_board("7w 7b q / black"), turns=1)
    assert FoulCalled("stroke.arrow-coin", WHITE, False) in told
    assert judged(ICF, "6w 7b q / white", "w arrow")[0].turn is WHITE


LAWS = TypeAdapter(Laws)


def changed(name: str, **changes: Value) -> Laws:
    """A rule set as a configuration changes it."""
    return LAWS.validate_python(values(rule_set(name), changes))


def test_the_sources_names_of_options_are_understood() -> None:
    laws = changed("basic", back_shots=False, colour_by_first_pot=True, thumb=False)
    assert (laws.back_shots_allowed, laws.thumb_allowed) == (False, False)
    assert laws.toss is Toss.COLOUR_BY_FIRST_POT
    assert changed("icf", colour_by_first_pot=False).toss is ICF.toss
    assert set(OPTIONS.values()) <= set(Laws.__slots__)


def test_the_queen_may_be_left_at_the_end_under_the_easier_basic_rules() -> None:
    easier = changed("basic", own_last_before_queen="win")
    board, _, _ = judged(easier, "1w 4b q / white", "w")
    assert board.result is not None
    assert (board.result.winner, board.result.points) == (WHITE, 4)


def test_the_arena_may_lose_a_board_by_the_last_coin_before_the_queen() -> None:
    strict = changed("arena", own_last_before_queen="lose")
    assert strict.own_last_before_queen is OwnLast.LOSES_QUEEN
    board, _, _ = judged(strict, "1w 4b q / white", "w")
    assert board.result is not None
    assert (board.result.winner, board.result.points) == (BLACK, 3)


def test_none_takes_a_limit_away() -> None:
    assert changed("icf", stroke_limit_s="none").stroke_limit_s is None


def test_standard_rules_for_points_cost_ten_for_the_striker() -> None:
    laws = changed("standard", scoring="points")
    state = "7w 9b q / white / purse 2,0,0,0 0,0,0,0"
    board, _, _ = judged(laws, state, "s")
    assert (laws.striker_points, laws.thumb_allowed) == (10, False)
    assert board.purses.white.lost == 10
    assert board.coins.white == 7


def test_any_other_set_for_points_counts_one_two_and_five() -> None:
    laws = changed("basic", scoring="points")
    assert (laws.black_points, laws.white_points, laws.queen_points) == (1, 2, 5)
    assert laws.board_points_max == 32
    assert changed("basic", scoring="points", queen_points=9).queen_points == 9


def test_a_counting_game_keeps_its_own_values() -> None:
    assert changed("family", scoring="points") == rule_set("family")


def test_no_change_leaves_a_set_as_it_is() -> None:
    assert all(changed(name) == laws for name, laws in RULE_SETS.items())


def test_a_name_that_is_no_law_is_refused_with_where_to_look() -> None:
    with pytest.raises(ValueError, match="no law is called 'name': carrom laws icf"):
        values(ICF, {"name": "ours"})


def test_a_changed_law_comes_from_the_configuration() -> None:
    ours = changed("uk", foul_coins=2)
    assert source(ours, "foul_coins") == "your configuration"
    assert source(ours, "queen_points") == source(rule_set("uk"), "queen_points")
    assert source(replace(ours, name="ours"), "cover") == "your configuration"


def test_the_laws_in_force_can_be_printed_from_the_configuration(
    tmp_path: Path,
) -> None:
    file = tmp_path / "ours.toml"
    file.write_text("[match]\nrules = 'basic'\n[match.laws]\nback_shots = false\n")
    words = ["laws", "--config", str(file)]
    printed = CliRunner().invoke(_app(words), words).output
    assert "| back_shots_allowed | no | your configuration |" in printed
    assert "| outstanding dues at the end | written off, never points |" in printed


def test_a_name_beside_a_configuration_is_refused(tmp_path: Path) -> None:
    words = ["laws", "icf", "--config", str(tmp_path / "ours.toml")]
    result = CliRunner().invoke(_app(words), words)
    assert isinstance(result.exception, Refusal)


OURS = replace(
    rule_set("uk"),
    game_points=25,
    stroke_limit_s=20.0,
    boards_per_game=8,
    queen_counts_to=None,
    thumb_allowed=False,
    tie=Tie.SHOOT_OUT,
    players=(2,),
)


def test_changed_laws_are_written_and_read_back() -> None:
    assert dict(changes_of(OURS)) == {
        "game_points": "25",
        "stroke_limit_s": "20.0",
        "boards_per_game": "8",
        "queen_counts_to": "none",
        "thumb_allowed": "no",
        "tie": "queen-shoot-out",
        "players": "2",
    }
    assert with_changes(rule_set("uk"), changes_of(OURS)) == OURS


@pytest.mark.parametrize("laws", RULE_SETS.values(), ids=lambda laws: laws.name)
def test_every_set_can_be_written_as_changes_of_another(laws: Laws) -> None:
    as_icf = replace(ICF, **{name: getattr(laws, name) for name in FIELDS})
    assert with_changes(ICF, changes_of(as_icf)) == as_icf
    assert changes_of(laws) == ()


def test_a_match_says_which_laws_a_club_has_changed() -> None:
    text = "laws uk\nlaw game_points 25\nlaw tie shared\nfirst A\nsecond B\n-\n"
    record = read_match(text)
    laws = record.opening().laws
    assert (laws.game_points, laws.tie) == (25, Tie.SHARED)
    assert read_match(write_match(record)) == record


@pytest.mark.parametrize(
    ("law", "value"),
    [
        ("cover", "maybe"),
        ("game_points", "many"),
        ("game_points", "2.5"),
        ("foul_coins", "none"),
        ("thumb_allowed", "1"),
        ("players", "two"),
        ("name", "ours"),
        ("wrong", "1"),
    ],
)
def test_a_law_that_cannot_be_so_is_refused(law: str, value: str) -> None:
    with pytest.raises(ValueError, match=law):
        with_changes(ICF, ((law, value),))


def test_a_line_of_the_printed_laws_can_be_copied_into_the_configuration() -> None:
    words = ["laws", "tournament"]
    printed = CliRunner().invoke(_app(words), words).output
    rows = [line.split(" | ") for line in printed.splitlines() if " | " in line]
    fields = [(row[0].removeprefix("| "), row[1]) for row in rows if "_" in row[0]]
    assert len(fields) > 40
    tried = {name: word for name, word in fields if word not in ("yes", "no")}
    for name, word in tried.items():
        value = float(word) if word.replace(".", "").isdecimal() else word
        laws = MatchSettings(rules="tournament", laws={name: value}).effective_laws()
        assert getattr(laws, name) == getattr(rule_set("tournament"), name)
