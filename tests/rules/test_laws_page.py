"""LAWS.md, which an umpire checks the judge by, names only what there is."""

import ast
from importlib import import_module
from pathlib import Path

import pytest

from controller.commands.judge import load
from controller.rules.articles import LAWS
from controller.rules.cases import run_case
from controller.rules.editions import DIFFERS_1993

HERE = Path(__file__).parent
PAGE = HERE.parents[1] / "controller" / "rules" / "LAWS.md"
LINES = PAGE.read_text(encoding="utf-8").splitlines()
ROWS = [
    [cell.strip().strip("`") for cell in line.split("|")[1:-1]]
    for line in LINES
    if line.startswith("| `")
]


def cases() -> dict[str, object]:
    """Every law case of this folder under its id."""
    texts = [file.read_text(encoding="utf-8") for file in HERE.glob("*.yaml")]
    return {case["id"]: case for text in texts for case in load(text)}  # type: ignore[attr-defined]


def test_every_law_has_one_row() -> None:
    assert [row[0] for row in ROWS] == list(LAWS)
    assert set(DIFFERS_1993) <= set(LAWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_the_function_of_a_law_exists(row: list[str]) -> None:
    module, name = row[5].split(".")
    assert hasattr(import_module(f"controller.rules.{module}"), name)


CASES = cases()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_the_proof_of_a_law_exists_and_names_it(row: list[str]) -> None:
    law, proof = row[0], row[6]
    if proof.startswith("case "):
        told = run_case(CASES[proof.removeprefix("case ")]).decisions  # type: ignore[arg-type]
        assert law in [decision.law for decision in told]
        return
    module, _, name = proof.partition(": ")
    tree = ast.parse((HERE / f"{module}.py").read_text(encoding="utf-8"))
    (proving,) = [n for n in tree.body if getattr(n, "name", "") == name]
    assert law in [n.value for n in ast.walk(proving) if isinstance(n, ast.Constant)]
