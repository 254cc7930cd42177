"""`carrom laws [NAME]`: the rule sets, and one set's numbers, choices and sources."""

import json
from dataclasses import fields
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from calibration.refusal import Refusal
from controller.rules.laws import Laws
from controller.rules.rule_sets import RULE_SETS, rule_set
from controller.rules.shared import ROWS
from controller.rules.sources import DESCRIPTION, source


def laws(
    name: Annotated[
        str | None, typer.Argument(help="A rule set; none: list them all.")
    ] = None,
    config: Annotated[
        Path | None,
        typer.Option(help="Print the set of this file's match, its changes made."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object for machines.")
    ] = False,
) -> None:
    """List the rule sets, or print one set's numbers, choices and sources."""
    chosen = _chosen(name, config)
    if chosen is None:
        _list(as_json=as_json)
    elif as_json:
        print(json.dumps(_as_dict(chosen)))
    else:
        print(page(chosen), end="")


def _chosen(name: str | None, config: Path | None) -> Laws | None:
    """The set to print: by its name, or as a configuration changes it."""
    if config is None:
        return None if name is None else rule_set(name)
    if name is not None:
        raise Refusal(f"{config} names its rule set itself; leave {name!r} out")
    from controller.config import load

    return load(config).match.effective_laws()


def page(rules: Laws) -> str:
    """One rule set as a Markdown page."""
    also = ", ".join(rules.aliases) or "none"
    lines = [
        f"# {rules.title}",
        "",
        f"Rule set `{rules.name}` (short names: {also}).",
        "",
        "| field | value | where it comes from |",
        "| --- | --- | --- |",
    ]
    lines += [
        f"| {field} | {_shown(value)} | {where} |"
        for field, value, where in _rows(rules)
    ]
    lines += [
        "",
        "What all rule sets share:",
        "",
        "| law | what is done | where it comes from |",
        "| --- | --- | --- |",
    ]
    lines += [f"| {row.name} | {row.rule} | {row.source(rules)} |" for row in ROWS]
    return "\n".join(lines) + "\n"


def _rows(rules: Laws) -> list[tuple[str, object, str]]:
    names = [field.name for field in fields(rules) if field.name not in DESCRIPTION]
    return [(name, getattr(rules, name), source(rules, name)) for name in names]


def _shown(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, tuple):
        return ", ".join(str(part) for part in value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _list(*, as_json: bool) -> None:
    if as_json:
        print(json.dumps([_as_dict(rules) for rules in RULE_SETS.values()]))
        return
    for rules in RULE_SETS.values():
        also = f" (also {', '.join(rules.aliases)})" if rules.aliases else ""
        print(f"{rules.name:16}{rules.title}{also}")


def _as_dict(rules: Laws) -> dict[str, object]:
    return {
        "name": rules.name,
        "title": rules.title,
        "aliases": list(rules.aliases),
        "fields": {
            field: {"value": value, "source": where}
            for field, value, where in _rows(rules)
        },
        "shared": {
            row.name: {"value": row.rule, "source": row.source(rules)} for row in ROWS
        },
    }
