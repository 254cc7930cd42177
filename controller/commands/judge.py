"""`carrom judge FILE`: play a list of law cases and say which come out otherwise."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated

import typer

from calibration.refusal import Refusal
from controller.rules.cases import CaseReport, run_case


def judge(
    file: Annotated[Path, typer.Argument(help="A YAML list of law cases.")],
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object for machines.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say each decision and its article.")
    ] = False,
) -> None:
    """Judge every law case of a file; exit 1 when one comes out otherwise."""
    reports = [run_case(record) for record in _read(file)]
    failed = sum(not report.passed for report in reports)
    if as_json:
        print(json.dumps(_as_dict(reports, explain=explain)))
    else:
        _print(reports, explain=explain)
        print(f"{len(reports) - failed} passed, {failed} failed")
    if failed:
        raise typer.Exit(1)


def load(text: str) -> object:
    """YAML as its 1.2 edition reads it: `on` is a word, only true is true.

    Raises yaml.YAMLError.
    """
    import yaml

    class Loader(yaml.SafeLoader):
        """PyYAML's safe loader without the truth values yes, no, on and off."""

    boolean = "tag:yaml.org,2002:bool"
    Loader.yaml_implicit_resolvers = {
        first: [pair for pair in pairs if pair[0] != boolean]
        for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }
    Loader.add_implicit_resolver(
        boolean, re.compile("^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF")
    )
    return yaml.load(text, Loader)


def _read(file: Path) -> list[Mapping[str, object]]:
    """The file's records. Raises Refusal for what is no list of cases."""
    import yaml

    try:
        records = load(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise Refusal(f"cannot read {file}: {error.strerror}; name a YAML file") from (
            error
        )
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        reason = " ".join(str(error).split())
        raise Refusal(f"{file} is not YAML: {reason}") from error
    if not isinstance(records, list) or not all(
        isinstance(record, Mapping) for record in records
    ):
        raise Refusal(f"{file} is no list of law cases; see docs/laws/cases.md")
    return records


def _print(reports: list[CaseReport], *, explain: bool) -> None:
    for report in reports:
        if not report.passed:
            print(f"{report.id} FAILED ({report.source})")
            for line in _complaints(report):
                print(f"  {line}")
        elif explain:
            print(f"{report.id} ({report.source})")
        if explain:
            for line in _explained(report):
                print(f"  {line}")


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
