"""Rule sets as values: names, their numbers, and a source for each."""

import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from calibration.refusal import Refusal
from controller.__main__ import _app
from controller.commands.laws import page
from controller.rules.articles import LAWS, article
from controller.rules.editions import EDITIONS
from controller.rules.laws import Laws
from controller.rules.rule_sets import RULE_SETS, rule_set
from controller.rules.sources import ARTICLES, COUNTING_ONLY, DESCRIPTION, source

TOP = Path(__file__).parents[2]
FIELDS = [field.name for field in fields(Laws) if field.name not in DESCRIPTION]

NUMBERS = """
icf            | 3 | 21   | 12  | 25   | 8    | 3 | 15.0
icf-1993       | 3 | 21   | 12  | 25   | 8    | 3 | 15.0
basic          | 3 | 21   | 12  | 25   | 8    | 1 | None
arena          | 3 | 21   | 12  | 25   | 8    | 3 | None
tournament     | 5 | None | 14  | None | 1    | 1 | 12.0
standard       | 3 | 21   | 12  | 25   | 8    | 3 | None
club-29        | 5 | 23   | 14  | 29   | None | 1 | None
uk             | 5 | 23   | 14  | 29   | None | 1 | None
premier-league | 2 | None | 11  | 23   | 4    | 3 | 10.0
point          | 5 | None | 32  | 17   | None | 1 | None
family         | 25 | None | 160 | None | 1   | 1 | None
freestyle      | 50 | None | 320 | 170 | 1    | 1 | 10.0
age-group      | 3 | None | 12  | 21   | 6    | 1 | 15.0
"""


@pytest.mark.parametrize("line", NUMBERS.strip().splitlines())
def test_each_set_has_its_numbers(line: str) -> None:
    name, *expected = (cell.strip() for cell in line.split("|"))
    laws = rule_set(name)
    actual = (
        laws.queen_points,
        laws.queen_counts_to,
        laws.board_points_max,
        laws.game_points,
        laws.boards_per_game,
        laws.games_per_match,
        laws.stroke_limit_s,
    )
    assert [str(number) for number in actual] == expected


@pytest.mark.parametrize(
    ("short", "name"),
    [
        ("icf", "icf"),
        ("ICF", "icf"),
        ("icf93", "icf-1993"),
        ("c29", "club-29"),
        ("s000", "basic"),
        ("s001", "arena"),
        ("s002", "tournament"),
        ("s003", "standard"),
        ("cpl", "premier-league"),
        ("uk", "uk"),
        ("point", "point"),
    ],
)
def test_short_names_are_understood(short: str, name: str) -> None:
    assert rule_set(short).name == name


def test_an_unknown_name_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(Refusal, match="no rule set is called 'chess'") as refused:
        rule_set("chess")
    assert all(name in str(refused.value) for name in RULE_SETS)


@pytest.mark.parametrize("laws", RULE_SETS.values(), ids=lambda laws: laws.name)
def test_every_changed_field_names_its_own_source(laws: Laws) -> None:
    icf = rule_set("icf")
    changed = [f for f in FIELDS if getattr(laws, f) != getattr(icf, f)]
    assert [f for f in changed if source(laws, f).startswith("silent")] == []


def test_every_field_has_an_article() -> None:
    assert set(ARTICLES) | set(COUNTING_ONLY) == set(FIELDS)


def test_an_edition_names_only_laws_that_exist() -> None:
    assert {law for own in EDITIONS.values() for law in own} <= set(LAWS)


@pytest.mark.parametrize(
    ("law", "rules", "cited"),
    [
        ("striker.with-own", "icf", "ICF 73"),
        ("striker.with-own", "icf-1993", "ICF 1993 73"),
        ("striker.one-back", "tournament", "tournament, section 5"),
        ("striker.with-own", "standard", "ICF 73"),
        ("queen.free", "premier-league", "premier-league, house rule"),
    ],
)
def test_a_law_is_cited_as_the_rule_set_numbers_it(
    law: str, rules: str, cited: str
) -> None:
    assert article(law, rule_set(rules)) == cited


@pytest.mark.parametrize("laws", RULE_SETS.values(), ids=lambda laws: laws.name)
def test_every_law_is_cited_in_every_edition(laws: Laws) -> None:
    cited = {law: article(law, laws) for law in LAWS}
    own = EDITIONS.get(laws.edition, {})
    assert all(cited[law] == f"{laws.name}, section {own[law]}" for law in own)
    edition = "ICF 1993" if laws.name == "icf-1993" else "ICF"
    for law in LAWS.keys() - own.keys():
        number = LAWS[law].article
        house = f"{laws.name}, house rule"
        assert cited[law] == (house if number is None else f"{edition} {number}")


def test_a_club_overrides_single_fields() -> None:
    club = replace(rule_set("icf"), name="our-club", game_points=21)
    assert (club.game_points, club.queen_points) == (21, 3)


def carrom(*words: str) -> tuple[int, str]:
    """A command's exit code and what it printed."""
    result = CliRunner().invoke(_app(list(words)), list(words))
    return result.exit_code, result.output


def test_carrom_laws_lists_every_set() -> None:
    code, printed = carrom("laws")
    assert code == 0
    assert all(name in printed for name in RULE_SETS)


def test_carrom_laws_prints_numbers_choices_and_sources() -> None:
    _, printed = carrom("laws", "s002")
    assert "| queen_points | 5 | section 5 |" in printed
    assert "| thumb_allowed | no | section 5 |" in printed
    assert "| placer | opponent | silent, so ICF 78b |" in printed


def test_carrom_laws_speaks_to_machines() -> None:
    assert '"queen_points": {"value": 5' in carrom("laws", "uk", "--json")[1]
    assert '"name": "age-group"' in carrom("laws", "--json")[1]


def test_carrom_judge_says_what_was_expected_and_what_came_out(tmp_path: Path) -> None:
    file = tmp_path / "cases.yaml"
    file.write_text(
        "- {id: A, b: {x: 6, q: on}, st: {k: 1}, e: {turn: Y}, src: ICF 48}\n"
        "- {id: B, b: {x: 6, q: on}, st: {k: 1}, e: {turn: X}}\n"
    )
    code, printed = carrom("judge", str(file))
    assert code == 1
    assert printed.splitlines() == [
        "A FAILED (ICF 48)",
        "  turn: expected 'Y', got 'X'",
        "1 passed, 1 failed",
    ]


def test_carrom_judge_explains_each_decision(tmp_path: Path) -> None:
    file = tmp_path / "cases.yaml"
    file.write_text("- {id: A, b: {x: 6}, st: {s: 1}, e: {turn: Y}}\n")
    code, printed = carrom("judge", "--explain", str(file))
    assert code == 0
    assert "white owes 1 coin for the striker: the striker alone costs" in printed
    assert "[striker.alone; ICF 72a]" in printed


def test_carrom_judge_speaks_to_machines(tmp_path: Path) -> None:
    file = tmp_path / "cases.yaml"
    file.write_text("- {id: A, b: {x: 6}, st: {s: 1}, e: {turn: X}}\n")
    code, printed = carrom("judge", "--json", str(file))
    assert code == 1
    assert '"mismatches": [{"key": "turn", "expected": "X", "actual": "Y"}]' in printed


@pytest.mark.parametrize("laws", RULE_SETS.values(), ids=lambda laws: laws.name)
def test_the_printed_page_is_the_one_people_read(laws: Laws) -> None:
    kept = TOP / "docs" / "laws" / f"{laws.name}.md"
    assert page(laws) == kept.read_text(encoding="utf-8")


def test_the_pages_of_the_laws_are_current() -> None:
    command = [sys.executable, "docs/laws/generate.py", "--check"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=TOP, check=False)
    assert done.stdout.strip() == "all current"
