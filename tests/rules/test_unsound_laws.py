"""Laws a club has changed so that nobody could play by them are refused by name."""

import pytest

from controller.rules.overrides import Value, values, with_changes
from controller.rules.rule_sets import rule_set

ICF = rule_set("icf")


@pytest.mark.parametrize(
    ("law", "value", "told"),
    [
        ("thumb", 1, "thumb_allowed should be true or false, got 1"),
        ("colour_by_first_pot", "yes", "should be true or false, got 'yes'"),
        ("game_points", True, "game_points should be no truth value, got True"),
        ("tie", False, "tie should be no truth value, got False"),
    ],
)
def test_a_truth_is_no_number_and_a_number_no_truth(
    law: str, value: Value, told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        values(ICF, {law: value})


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"games_per_match": "2"}, "a match of 2 games could end level"),
        ({"games_per_match": "0"}, "games_per_match should be a number from 1"),
        ({"foul_coins": "10"}, "foul_coins is a number of coins, 0 to 9, got 10"),
        ({"foul_coins": "-1"}, "foul_coins should be a number from 0"),
        ({"game_points": "100001"}, "game_points should be a number from 1 to 100000"),
        ({"stroke_limit_s": "0"}, "stroke_limit_s should be above 0, got 0"),
        (
            {"game_limit_s": "1200", "game_warning_s": "1200"},
            "game_warning_s = 1200 comes before the bell",
        ),
    ],
)
def test_a_value_nobody_can_play_by_is_refused(
    changes: dict[str, str], told: str
) -> None:
    with pytest.raises(ValueError, match=told):
        with_changes(ICF, tuple(changes.items()))


@pytest.mark.parametrize(
    "changes",
    [
        {"games_per_match": "1"},
        {"foul_coins": "9"},
        {"foul_coins": "0"},
        {"game_points": "100000"},
        {"game_limit_s": "1200", "game_warning_s": "1199"},
        {"game_warning_s": "1200"},
        {"game_limit_s": "1200"},
    ],
)
def test_the_last_value_one_can_play_by_is_taken(changes: dict[str, str]) -> None:
    laws = with_changes(ICF, tuple(changes.items()))
    assert {name: f"{getattr(laws, name):g}" for name in changes} == {
        name: f"{float(value):g}" for name, value in changes.items()
    }
