"""Law cases in the project's case format: our own, and the published ones."""

from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from controller.commands.judge import load
from controller.rules.articles import article, explanation
from controller.rules.cases import run_case

OWN = Path(__file__).with_name("matrix.yaml")
TABLES = Path(__file__).with_name("tables.yaml")
SETS = Path(__file__).with_name("sets.yaml")
PUBLISHED = Path(__file__).parents[2].with_name("shared") / "laws" / "scenarios.yaml"

Case = Mapping[str, object]


def cases(file: Path) -> list[object]:
    """Every case of a file under its id; one visible skip when it is absent."""
    if not file.exists():
        skip = pytest.mark.skip(reason=f"no {file.name} beside this checkout")
        return [pytest.param({}, id=file.name, marks=skip)]
    records = load(file.read_text(encoding="utf-8"))
    assert isinstance(records, list)
    return [pytest.param(record, id=record["id"]) for record in records]


ALL = [case for file in (OWN, TABLES, SETS, PUBLISHED) for case in cases(file)]


@pytest.mark.parametrize("case", ALL)
def test_the_case_comes_out_as_the_laws_say(case: Case) -> None:
    report = run_case(case)
    assert report.unplayable is None
    assert report.unknown == ()
    assert [str(mismatch) for mismatch in report.mismatches] == []


def test_every_decision_of_every_case_is_explained() -> None:
    told = 0
    for file in (OWN, TABLES, SETS):
        for record in load(file.read_text(encoding="utf-8")):  # type: ignore[attr-defined]
            report = run_case(record)
            assert report.laws is not None
            assert all(step.facts for step in report.steps)
            for decision in report.decisions:
                where = article(decision.law, report.laws)
                said = explanation(decision, report.laws)
                assert said.endswith(f"[{decision.law}; {where}]")
                told += 1
    assert told > 1000


def test_case_ids_are_unique() -> None:
    files = (OWN, TABLES, SETS)
    texts = [file.read_text(encoding="utf-8") for file in files]
    ids = [record["id"] for text in texts for record in load(text)]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{id: A, b: {z: 1}}", "b.z"),
        ("{id: A, st: {zz: 1}}", "st.zz"),
        ("{id: A, e: {zzz: 1}}", "e.zzz"),
        ("{id: A, then: {st: {w: 1}}}", "st.w"),
        ("{id: A, wrong: 1}", "wrong"),
    ],
)
def test_an_unknown_key_is_reported_and_fails_the_case(
    text: str, complaint: str
) -> None:
    report = run_case(yaml.safe_load(text))
    assert report.unknown == (complaint,)
    assert not report.passed


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{id: A, rules: nope}", "no rule set is called 'nope'"),
        ("{id: A, b: {x: many}}", "'x' must be a whole number"),
        ("{id: A, b: {q: gone}}", "q must be one of"),
        ("{id: A, b: 3}", "'b' must be a record"),
        ("{id: A, b: {x: 12}}", "0 to 9 coins"),
        ("{id: A, b: {available: 12}}", "0 to 9 coins"),
        ("{id: A, b: {first_breaker_of_match: Z}}", "is X, Y or a seat"),
        ("{id: A, b: {phase: over}}", "phase must be one of play, break"),
        ("{id: A, b: {break_attempt: 4}}", "break_attempt is 1 to 3 under icf"),
        ("{id: A, b: {break_attempt: 0}}", "break_attempt is 1 to 3 under icf"),
        ("{id: A, b: {dx: -1}}", "'dx' must be a whole number, got -1"),
        ("{id: A, st: {breach: later}}", "breach must be one of before_first_stroke"),
        ("{id: A, st: {slip: far}}", "slip must be one of left_base_line, stayed"),
        ("{id: A, st: {leaves_seat: Z}}", "leaves_seat must be one of X, Y"),
        (
            "{id: A, b: {on_turn: Middle}}",
            "a seat is South, East, North or West, got 'Middle'",
        ),
        ("{id: A, b: {round: cup}}", "'cup' is not a valid Round"),
        ("{id: A, b: {x: 1}, st: {k: 2}}", "cannot pocket"),
        ("{id: A, b: {striker: {base_circle: cut}}}", "base_circle is clear, covered"),
        ("{id: A, st: {jumped: [lamp]}}", "a jumped piece is own, opp or queen"),
    ],
)
def test_a_case_that_cannot_be_played_says_why(text: str, complaint: str) -> None:
    report = run_case(yaml.safe_load(text))
    assert report.unplayable is not None
    assert complaint in report.unplayable


def test_a_wrong_expectation_is_shown_beside_what_came_out() -> None:
    report = run_case(yaml.safe_load("{id: A, b: {x: 6}, st: {k: 1}, e: {turn: Y}}"))
    assert [str(m) for m in report.mismatches] == ["turn: expected 'Y', got 'X'"]


def test_a_case_about_the_circle_only_takes_both_lines_as_touched() -> None:
    text = "{id: A, b: {striker: {base_circle: covered}}, e: {placement: legal}}"
    assert run_case(yaml.safe_load(text)).passed


def test_the_decisions_of_every_step_are_a_cases_decisions() -> None:
    text = "{id: A, b: {x: 6}, st: {k: 1}, then: {st: {}}}"
    laws = [decision.law for decision in run_case(yaml.safe_load(text)).decisions]
    assert laws == ["turn.own-coin", "turn.nothing"]
