"""`carrom judge FILE`: play a list of law cases and say which come out otherwise."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from calibration.refusal import Refusal
from controller.commands.case_file import CaseFile, load, read_cases
from controller.rules.cases import CaseReport, run_case

__all__ = ["judge", "load"]


def judge(
    file: Annotated[Path, typer.Argument(help="A YAML list of law cases.")],
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object for machines.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say each decision and its article.")
    ] = False,
) -> None:
    """Judge every law case of a file; exit 1 when one comes out otherwise.

    A case that cannot be understood is named with its line, and the exit code is 2;
    the others are judged all the same.
    """
    cases = read_cases(file)
    reports = [run_case(record) for record in cases.records]
    failed = sum(not report.passed for report in reports)
    if as_json:
        print(json.dumps(_as_dict(reports, explain=explain)))
    else:
        _print(reports, explain=explain)
        print(f"{len(reports) - failed} passed, {failed} failed")
    if refused := _refusals(cases, reports):
        more = f" (and {len(refused) - 1} more)" if refused[1:] else ""
        raise Refusal(refused[0] + more)
    if failed:
        raise typer.Exit(1)


def _refusals(cases: CaseFile, reports: list[CaseReport]) -> list[str]:
    """What no case may say, each with its line and the remedy."""
    told: list[str] = []
    for number, report in enumerate(reports):
        if report.unplayable is not None:
            told.append(f"{cases.where(number)}: {report.id}: {report.unplayable}")
        elif report.unknown:
            key = report.unknown[0]
            at = cases.where(number, key.rpartition(".")[2])
            remedy = "docs/laws/cases.md lists the keys"
            told.append(f"{at}: {report.id}: no key {key!r} is known; {remedy}")
    return told


def _print(reports: list[CaseReport], *, explain: bool) -> None:
    for report in reports:
        if not report.passed:
            print(f"{report.id} FAILED ({_printable(report.source)})")
            for line in _complaints(report):
                print(f"  {line}")
        elif explain:
            print(f"{report.id} ({_printable(report.source)})")
        if explain:
            for line in _explained(report):
                print(f"  {line}")


def _printable(text: str) -> str:
    """A case's own words, with nothing in them that would work a terminal."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def _explained(report: CaseReport) -> Iterator[str]:
    """Each step's facts, then every decision with its law and article."""
    from controller.rules.articles import explanation

    for step in report.steps:
        yield f"facts: {step.facts}"
        for decision in step.decisions:
            assert report.laws is not None
            yield f"  {explanation(decision, report.laws)}"
        if not step.decisions:
            yield "  nothing is decided"


def _complaints(report: CaseReport) -> list[str]:
    lines = [str(mismatch) for mismatch in report.mismatches]
    lines += [f"{report.id}: unknown key {key!r}" for key in report.unknown]
    if report.unplayable is not None:
        lines.append(f"cannot be played: {report.unplayable}")
    return lines


def _as_dict(reports: list[CaseReport], *, explain: bool) -> dict[str, object]:
    failed = [report for report in reports if not report.passed]
    explained = {"decisions": {report.id: list(_decided(report)) for report in reports}}
    return (explained if explain else {}) | {
        "passed": len(reports) - len(failed),
        "failed": len(failed),
        "failures": [
            {
                "id": report.id,
                "source": report.source,
                "mismatches": [
                    {
                        "key": mismatch.key,
                        "expected": mismatch.expected,
                        "actual": mismatch.actual,
                    }
                    for mismatch in report.mismatches
                ],
                "unknown": list(report.unknown),
                "unplayable": report.unplayable,
            }
            for report in failed
        ],
    }


def _decided(report: CaseReport) -> Iterator[dict[str, str]]:
    from controller.rules.articles import article, sentence

    for step in report.steps:
        for decision in step.decisions:
            assert report.laws is not None
            yield {
                "law": decision.law,
                "article": article(decision.law, report.laws),
                "facts": step.facts,
                "sentence": sentence(decision),
            }
