"""Law cases that are written as a whole match, such as those of three players."""

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from controller.commands.case_file import read_cases
from controller.commands.judge import judge
from controller.rules.cases import run_case

FILE = Path(__file__).with_name("three.yaml")
CASES = read_cases(FILE).records
HEAD = "laws point\nfirst A\nsecond B\nthird C\n"


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["id"]))
def test_a_match_comes_to_what_its_case_expects(case: dict[str, object]) -> None:
    report = run_case(case)
    assert [str(mismatch) for mismatch in report.mismatches] == []
    assert report.passed


def test_what_came_out_otherwise_is_named() -> None:
    report = run_case({"id": "X", "match": HEAD + "w\n", "e": {"points": [1, 0, 0]}})
    (mismatch,) = report.mismatches
    assert str(mismatch) == "points: expected [1, 0, 0], got (2, 0, 0)"


def test_a_key_nobody_knows_is_named() -> None:
    report = run_case({"id": "X", "match": HEAD, "b": {}, "e": {"turn": "X"}})
    assert report.unknown == ("b", "e.turn")


def test_a_match_that_cannot_be_played_says_why() -> None:
    report = run_case({"id": "X", "match": HEAD + "9w 9w\n12b\n", "e": {}})
    assert report.unplayable is not None


def test_the_command_judges_and_explains_them() -> None:
    app = typer.Typer()
    app.command()(judge)
    result = CliRunner().invoke(app, [str(FILE), "--explain"])
    assert result.output.rstrip().endswith(f"{len(CASES)} passed, 0 failed")
    assert "Asha collects 1 white, 1 black: 3 points" in result.output
    assert "basic, section number of players" in result.output
