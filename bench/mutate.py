"""Do the tests notice when a law is broken? Mutants of controller/rules, sampled.

Run: python bench/mutate.py [--mutants N] [--seed S] [--minutes M] [MODULE ...]. One
place of one module is changed (a comparison, a number, a truth value, an `and`, a
sign, a condition) and the tests of tests/rules run on it in a forked process: the law
cases and random boards against the referee first, then pytest until one fails. A
mutant that outlives all of them is printed with its line. Time decides nothing but
the end: a mutant that keeps the tests busy for ten times what they need counts as
noticed (processor time, so that a busy machine notices no more).
"""

import argparse
import ast
import os
import random
import resource
import sys
import time
from collections.abc import Iterator
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType

TOP = Path(__file__).parents[1]
RULES = TOP / "controller" / "rules"
TEXTS_ONLY = {"__init__", "articles", "decisions", "editions", "shared", "sources"}
"""Modules of words and records: nothing in them decides."""
HANG_S = 150
PYTEST = ["-x", "-q", "-p", "no:cacheprovider", "-k", "not positions and not referee"]

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}


def mutant(module: str, number: int) -> tuple[ast.Module, int, str]:
    """One mutant of a module: its tree, the line and what was changed there."""
    tree = ast.parse(_source(module))
    node = _places(tree)[number]
    before = _text(node)
    _change(node)
    return tree, node.lineno, f"{before}  ->  {_text(node)}"


def _text(node: "Place") -> str:
    return (
        "if " + ast.unparse(node.test)
        if isinstance(node, ast.If)
        else ast.unparse(node)
    )


def _source(module: str) -> str:
    return (RULES / f"{module}.py").read_text(encoding="utf-8")


Place = ast.Compare | ast.BoolOp | ast.Constant | ast.BinOp | ast.If | ast.IfExp


def _places(tree: ast.Module) -> list[Place]:
    """Where a module can be changed: not in types, decorators or texts."""
    skipped = {id(part) for node in ast.walk(tree) for part in _typing(node)}
    found: list[Place] = []
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        match node:
            case ast.Compare(ops=[_]) | ast.BoolOp() | ast.If() | ast.IfExp():
                found.append(node)
            case ast.Constant(value=bool() | int()):
                found.append(node)
            case ast.BinOp(op=ast.Add() | ast.Sub()):
                found.append(node)
            case _:
                pass
    return found


def _typing(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.FunctionDef(returns=returns, decorator_list=decorators):
            parts = [*decorators, *([returns] if returns else [])]
        case ast.ClassDef(decorator_list=decorators):
            parts = list(decorators)
        case (
            ast.arg(annotation=ast.expr() as annotation)
            | ast.AnnAssign(annotation=annotation)
        ):
            parts = [annotation]
        case _:
            parts = []
    for part in parts:
        yield from ast.walk(part)


def _change(node: Place) -> None:
    match node:
        case ast.Compare(ops=[op]):
            node.ops = [COMPARISONS[type(op)]()]
        case ast.BoolOp(op=op):
            node.op = ast.Or() if isinstance(op, ast.And) else ast.And()
        case ast.Constant(value=bool() as value):
            node.value = not value
        case ast.Constant(value=int() as value):
            node.value = value + 1
        case ast.BinOp(op=op):
            node.op = ast.Sub() if isinstance(op, ast.Add) else ast.Add()
        case ast.If(test=test) | ast.IfExp(test=test):
            node.test = ast.UnaryOp(ast.Not(), test)


class Loader(SourceFileLoader):
    """Loads one module from a changed tree instead of its file."""

    def __init__(self, name: str, path: Path, tree: ast.Module) -> None:
        super().__init__(name, str(path))
        self._tree = ast.fix_missing_locations(tree)

    def get_code(self, fullname: str) -> CodeType:
        return compile(self._tree, self.path, "exec")


class Finder:
    """Finds the one changed module before Python finds its file."""

    def __init__(self, module: str, tree: ast.Module) -> None:
        self._name, self._path = f"controller.rules.{module}", RULES / f"{module}.py"
        self._tree = tree

    def find_spec(
        self, name: str, path: object = None, target: object = None
    ) -> ModuleSpec | None:
        """The changed module's spec; None for any other."""
        if name != self._name:
            return None
        loader = Loader(name, self._path, self._tree)
        return spec_from_file_location(name, self._path, loader=loader)


def survives(module: str, tree: ast.Module) -> bool:
    """Whether every test passes with this module changed."""
    child = os.fork()
    if child == 0:
        with open(os.devnull, "w") as nowhere:
            os.dup2(nowhere.fileno(), 1)
            os.dup2(nowhere.fileno(), 2)
        resource.setrlimit(resource.RLIMIT_CPU, (HANG_S, HANG_S))
        sys.meta_path.insert(0, Finder(module, tree))  # type: ignore[arg-type]
        noticed = 1
        try:
            noticed = _noticed()
        finally:  # a mutant may break anything, importing it too
            os._exit(noticed)
    _, status = os.waitpid(child, 0)
    return status == 0


def _noticed() -> int:
    """1 when something fails, in the forked process."""
    import pytest

    if _cases_fail() or _referee_disagrees():
        return 1
    return int(pytest.main([*PYTEST, str(TOP / "tests" / "rules")]) != 0)


def _cases_fail() -> bool:
    from controller.commands.judge import load
    from controller.rules.cases import run_case

    for name in ("matrix.yaml", "tables.yaml", "sets.yaml"):
        text = (TOP / "tests" / "rules" / name).read_text(encoding="utf-8")
        records = load(text)
        assert isinstance(records, list)
        if not all(run_case(record).passed for record in records):
            return True
    return False


def _referee_disagrees() -> bool:
    from collections import Counter

    against = _module(TOP / "bench" / "against_referee.py")
    chance, met = random.Random(5), Counter[str]()
    return any(against.play_board(chance, met)[1] for _ in range(150))


def _module(path: Path) -> ModuleType:
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> None:
    """Sample mutants, say which survive and how many were noticed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("modules", nargs="*")
    parser.add_argument("--mutants", type=int, default=0, help="0: all of them")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    wanted = parser.parse_args()
    names = wanted.modules or [
        path.stem for path in sorted(RULES.glob("*.py")) if path.stem not in TEXTS_ONLY
    ]
    every = [
        (name, number)
        for name in names
        for number in range(len(_places(ast.parse(_source(name)))))
    ]
    random.Random(wanted.seed).shuffle(every)
    chosen = every[: wanted.mutants or None]
    # What all children need is imported once; controller.rules is what they change.
    for heavy in ("yaml", "pytest", "calibration.table", "typer"):
        __import__(heavy)
    if not survives("judge", ast.parse(_source("judge"))):
        sys.exit("the tests fail on the unchanged rules: nothing can be measured")
    started, tried, alive = time.monotonic(), 0, 0
    for name, number in chosen:
        if time.monotonic() - started > wanted.minutes * 60:
            break
        tried += 1
        tree, line, what = mutant(name, number)
        if survives(name, tree):
            alive += 1
            print(f"survived: {name}.py:{line}: {what}", flush=True)
    spent = time.monotonic() - started
    share = 100 * (tried - alive) / max(1, tried)
    print(
        f"{tried} of {len(every)} mutants tried, {tried - alive} noticed "
        f"({share:.1f} %), {spent:.0f} s"
    )


if __name__ == "__main__":
    main()
