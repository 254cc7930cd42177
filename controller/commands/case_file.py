"""A file of law cases: YAML read strictly, so that every fault has its line."""

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import yaml

from calibration.refusal import Refusal

Record = Mapping[str, object]
_BOOLEAN = "tag:yaml.org,2002:bool"
_INTEGER = "tag:yaml.org,2002:int"
_FLOAT = "tag:yaml.org,2002:float"
_OF_EDITION_1_1 = (_BOOLEAN, _INTEGER, _FLOAT)
_FORMAT = "docs/laws/cases.md shows the format"


class Loader(yaml.SafeLoader):
    """PyYAML's safe loader with edition 1.2's numbers and truth values.

    `on` is a word, 010 is ten, and 1:30 is no number.
    """


Loader.yaml_implicit_resolvers = {
    first: [pair for pair in pairs if pair[0] not in _OF_EDITION_1_1]
    for first, pairs in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver(
    _BOOLEAN, re.compile("^(?:true|True|TRUE|false|False|FALSE)$"), list("tTfF")
)
Loader.add_implicit_resolver(
    _INTEGER, re.compile(r"^[-+]?[0-9]+$"), list("-+0123456789")
)
Loader.add_implicit_resolver(
    _FLOAT,
    re.compile(
        r"""^(?:[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?
        |[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$""",
        re.VERBOSE,
    ),
    list("-+0123456789."),
)
Loader.add_constructor(_INTEGER, lambda loader, node: int(node.value))


@dataclass(frozen=True, slots=True)
class CaseFile:
    """The cases of a file in order, and where each of them stands."""

    path: Path
    records: tuple[Record, ...]
    nodes: tuple[yaml.MappingNode, ...]

    def where(self, number: int, key: str | None = None) -> str:
        """File and line of a case, or of the first place where it says this key."""
        node = self.nodes[number]
        places = (part for part in _keys(node) if part.value == key)
        return f"{self.path}, line {_line(next(places, node))}"


def load(text: str) -> object:
    """YAML as its 1.2 edition reads it: `on` is a word, only true is true.

    Raises yaml.YAMLError.
    """
    return yaml.load(text, Loader)


def read_cases(path: Path) -> CaseFile:
    """The cases of a file. Raises Refusal for what is no list of cases."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise Refusal(f"cannot read {path}: {error.strerror}; name a YAML file") from (
            error
        )
    except ValueError as error:
        raise Refusal(f"{path} is not YAML: it is no UTF-8 text") from error
    with _refusing(path):
        loader = Loader(text)
        top = loader.get_single_node()
    if not isinstance(top, yaml.SequenceNode):
        raise Refusal(f"{path} is no list of law cases; {_FORMAT}")
    if not top.value:
        raise Refusal(f"{path} holds no law case: it would prove nothing; {_FORMAT}")
    # A merge (<<) is written into its node when the record is made: look before that.
    nodes = tuple(_case(node, path) for node in top.value)
    with _refusing(path):
        records = loader.construct_document(top)
    _refuse_doubles(nodes, path)
    return CaseFile(path, tuple(records), nodes)


@contextmanager
def _refusing(path: Path) -> Iterator[None]:
    """What YAML itself cannot read, as one line."""
    try:
        yield
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise Refusal(f"{path} is not YAML: {' '.join(str(error).split())}") from error


def _case(node: yaml.Node, path: Path) -> yaml.MappingNode:
    """A case's node. Raises Refusal for what is no record, or an empty one."""
    at = f"{path}, line {_line(node)}"
    if not isinstance(node, yaml.MappingNode):
        raise Refusal(f"{at}: is no law case but {_said(node)}; {_FORMAT}")
    named = [key.value for key, _ in node.value]
    if "id" not in named:
        raise Refusal(f"{at}: this case has no id; give it one of its own")
    name = next(value for key, value in node.value if key.value == "id")
    if not isinstance(name, yaml.ScalarNode) or not name.value.isprintable():
        raise Refusal(f"{at}: an id is one printable word; rename this case")
    expected = [value for key, value in node.value if key.value == "e"]
    if not expected and not any(key.value == "e" for key in _keys(node)):
        raise Refusal(f"{at}: this case expects nothing; say in e what must follow")
    if any(isinstance(e, yaml.MappingNode) and not e.value for e in expected):
        raise Refusal(f"{at}: the e of this case is empty; say what must follow")
    if (double := _double_key(node)) is not None:
        at = f"{path}, line {_line(double)}"
        raise Refusal(f"{at}: {double.value!r} is said twice; keep one of them")
    return node


def _refuse_doubles(nodes: tuple[yaml.MappingNode, ...], path: Path) -> None:
    """An id said twice would hide which of the cases failed."""
    seen: dict[str, int] = {}
    for node in nodes:
        name = next(value.value for key, value in node.value if key.value == "id")
        line = _line(node)
        if name in seen:
            at = f"{path}, line {line}"
            first = f"line {seen[name]} has it too"
            raise Refusal(f"{at}: the id {name!r} is not its own, {first}; rename one")
        seen[name] = line


def _double_key(node: yaml.Node) -> yaml.ScalarNode | None:
    """The second of two equal keys in one record, anywhere in a case."""
    for part in _mappings(node):
        seen: set[str] = set()
        for key, _ in part.value:
            if not isinstance(key, yaml.ScalarNode):
                continue
            if key.value in seen:
                return key
            seen.add(key.value)
    return None


def _keys(node: yaml.Node) -> Iterator[yaml.ScalarNode]:
    """Every key of a case, those of its sections too."""
    for part in _mappings(node):
        yield from (key for key, _ in part.value if isinstance(key, yaml.ScalarNode))


def _mappings(node: yaml.Node) -> Iterator[yaml.MappingNode]:
    """Every record in a case, each once even where an alias repeats it."""
    seen: set[int] = set()
    waiting = [node]
    while waiting:
        part = waiting.pop(0)
        if id(part) in seen:
            continue
        seen.add(id(part))
        if isinstance(part, yaml.MappingNode):
            yield part
            waiting += [value for _, value in part.value]
        elif isinstance(part, yaml.SequenceNode):
            waiting += part.value


def _said(node: yaml.Node) -> str:
    return repr(node.value) if isinstance(node, yaml.ScalarNode) else "a list"


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1
