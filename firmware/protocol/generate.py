"""Writes both ends of the wire and its table from messages.toml.

Run it after every change of messages.toml; `--check` writes nothing and fails
when a written file is stale. Standard library only, so that a firmware builder
needs nothing installed.
"""

import argparse
import hashlib
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DEFINITION = HERE / "messages.toml"
BYTES = {"u8": 1, "u16": 2, "u32": 4, "u64": 8}
CODES = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q"}
WARNING = "Generated from firmware/protocol/messages.toml by generate.py: do not edit."


@dataclass(frozen=True)
class Choice:
    """A field type whose values have names, counted from 0."""

    says: str
    values: dict[str, int]


@dataclass(frozen=True)
class Field:
    """One number of a message."""

    name: str
    type: str
    unit: str
    says: str
    range: tuple[int, int] | None = None
    enum: str | None = None

    @property
    def size(self) -> int:
        """Bytes on the wire."""
        return BYTES[self.type]


@dataclass(frozen=True)
class Message:
    """One message, from the device or from the host."""

    name: str
    id: int
    direction: str
    says: str
    fields: tuple[Field, ...]

    @property
    def size(self) -> int:
        """Bytes of a body, its id included."""
        return 1 + sum(field.size for field in self.fields)

    def offsets(self) -> Iterator[tuple[int, Field]]:
        """Each field with its place in the body."""
        at = 1
        for field in self.fields:
            yield at, field
            at += field.size


@dataclass(frozen=True)
class Definition:
    """All of messages.toml, and the start of its SHA-256."""

    protocol: int
    digest: str
    enums: dict[str, Choice]
    messages: tuple[Message, ...]

    def limits(self, field: Field) -> tuple[int, int]:
        """The least and the greatest value a field may have."""
        if field.enum:
            return 0, len(self.enums[field.enum].values) - 1
        return field.range or (0, 256**field.size - 1)


def main() -> int:
    """Write the files, or with --check say which are stale."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing")
    check = parser.parse_args().check
    stale = []
    for path, text in generated(DEFINITION.read_bytes()).items():
        if path.exists() and path.read_text() == text:
            continue
        stale.append(str(path.relative_to(ROOT)))
        if not check:
            path.write_text(text)
    if check and stale:
        print(f"stale: {', '.join(stale)}; run {Path(__file__).name}", file=sys.stderr)
    return 1 if check and stale else 0


def generated(source: bytes) -> dict[Path, str]:
    """What each written file must hold for this definition."""
    definition = read(source)
    page = HERE / "PROTOCOL.md"
    return {
        ROOT / "firmware/src/messages.h": c_header(definition),
        ROOT / "controller/pockets/messages.py": python_module(definition),
        page: with_table(page.read_text(), definition),
    }


def read(source: bytes) -> Definition:
    """The definition a file holds; raises TypeError for a key it should not have."""
    toml = tomllib.loads(source.decode())
    messages = []
    for table in toml["messages"]:
        fields = tuple(Field(**field) for field in table.pop("fields"))
        messages.append(Message(**table, fields=fields))
    return Definition(
        protocol=toml["protocol"],
        digest=hashlib.sha256(source).hexdigest()[:8],
        enums={name: Choice(**enum) for name, enum in toml["enums"].items()},
        messages=tuple(messages),
    )


def camel(name: str) -> str:
    """piece_fell -> PieceFell."""
    return "".join(word.capitalize() for word in name.split("_"))


def python_module(definition: Definition) -> str:
    """The host's dataclasses, in the layout ruff format gives them."""
    names = [camel(message.name) for message in definition.messages]
    head = (
        f'"""{WARNING}"""\n\n'
        "from dataclasses import dataclass\nfrom enum import IntEnum\n"
        "from struct import Struct\nfrom typing import ClassVar, Self\n\n"
        "from controller.pockets.framing import WireError\n\n"
        f"PROTOCOL = {definition.protocol}\nDEFINITION = 0x{definition.digest.upper()}\n"
    )
    parts = [head]
    parts += [python_enum(name, choice) for name, choice in definition.enums.items()]
    parts += [python_class(message) for message in definition.messages]
    union = "\n    | ".join(names)
    kinds = "\n".join(f"    {name}.ID: {name}," for name in names)
    parts.append(
        f"Message = (\n    {union}\n)\n\n"
        f"KINDS: dict[int, type[Message]] = {{\n{kinds}\n}}\n"
    )
    parts.append(PYTHON_UNPACK)
    return "\n\n".join(parts)


PYTHON_UNPACK = '''def unpack(body: bytes) -> Message:
    """The message a frame's body holds; raises WireError when it is none."""
    kind = KINDS.get(body[0]) if body else None
    if kind is None or len(body) != kind.LAYOUT.size:
        raise WireError(f"no message starts {body[:1].hex()} and has {len(body)} bytes")
    try:
        return kind.unpack(body)
    except ValueError as error:
        raise WireError(str(error)) from error


def _check(name: str, value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise ValueError(f"{name} is {value}, outside {low} to {high}")
'''


def python_enum(name: str, choice: Choice) -> str:
    """One IntEnum."""
    values = [f"    {key.upper()} = {value}" for key, value in choice.values.items()]
    head = f'class {camel(name)}(IntEnum):\n    """{choice.says}"""\n\n'
    return head + "\n".join(values) + "\n"


def python_class(message: Message) -> str:
    """One frozen dataclass with pack and unpack."""
    name, fields = message.name, message.fields
    layout = "<B" + "".join(CODES[field.type] for field in fields)
    lines = ["@dataclass(frozen=True, slots=True)", f"class {camel(name)}:"]
    lines += [f'    """{message.says}"""\n']
    lines += [f"    ID: ClassVar[int] = {message.id}"]
    lines += [f'    LAYOUT: ClassVar[Struct] = Struct("{layout}")\n']
    for field in fields:
        kind = camel(field.enum) if field.enum else "int"
        lines += [f"    {field.name}: {kind}"]
        lines += [f'    """{field.says} ({field.unit})"""']
    lines += python_checks(fields)
    lines += ["\n    def pack(self) -> bytes:", '        """The body, id first."""']
    lines += ["        return self.LAYOUT.pack(", "            self.ID,"]
    lines += [f"            self.{field.name}," for field in fields]
    lines += ["        )\n", "    @classmethod"]
    lines += ["    def unpack(cls, body: bytes) -> Self:"]
    lines += [
        '        """Read a body of the right size; ValueError for a bad value."""'
    ]
    lines += ["        values = cls.LAYOUT.unpack(body)", "        return cls("]
    for place, field in enumerate(fields, 1):
        value = f"values[{place}]"
        value = f"{camel(field.enum)}({value})" if field.enum else value
        lines += [f"            {value},"]
    return "\n".join([*lines, "        )\n"])


def python_checks(fields: tuple[Field, ...]) -> list[str]:
    """The check of every field whose range is narrower than its type."""
    checks = [
        f'        _check("{f.name}", self.{f.name}, {f.range[0]}, {f.range[1]})'
        for f in fields
        if f.range
    ]
    return ["\n    def __post_init__(self) -> None:", *checks] if checks else []


def c_header(definition: Definition) -> str:
    """The firmware's structs, sizes, pack and unpack in C99."""
    head = (
        f"/* {WARNING} */\n#ifndef MESSAGES_H\n#define MESSAGES_H\n\n"
        "#include <stdbool.h>\n#include <stdint.h>\n\n"
        f"#define MSG_PROTOCOL {definition.protocol}u\n"
        f"#define MSG_DEFINITION 0x{definition.digest.upper()}u\n"
        f"#define MSG_LARGEST {max(m.size for m in definition.messages)}u\n"
    )
    parts = [head]
    for name, choice in definition.enums.items():
        values = ", ".join(
            f"MSG_{name.upper()}_{key.upper()} = {value}"
            for key, value in choice.values.items()
        )
        parts.append(f"/* {choice.says} */\nenum msg_{name} {{ {values} }};\n")
    for bits in (8, 16, 32, 64):
        parts.append(c_access(bits))
    parts += [c_message(message, definition) for message in definition.messages]
    each = " \\\n".join(
        f"    X({m.name}, {m.name.upper()})" for m in definition.messages
    )
    parts.append(
        f"/* X(name, NAME) for every message. */\n#define MSG_EACH(X) \\\n{each}\n"
    )
    return "\n".join([*parts, "#endif\n"])


def c_access(bits: int) -> str:
    """Little-endian put and get of one width."""
    shifts = range(0, bits, 8)
    puts = "".join(f" p[{s // 8}] = (uint8_t)(v >> {s});" for s in shifts)
    gets = " | ".join(f"((uint{bits}_t)p[{s // 8}] << {s})" for s in shifts)
    return (
        f"static inline void msg_put{bits}(uint8_t *p, uint{bits}_t v)\n{{{puts} }}\n"
        f"static inline uint{bits}_t msg_get{bits}(const uint8_t *p)\n"
        f"{{ return (uint{bits}_t)({gets}); }}\n"
    )


def c_message(message: Message, definition: Definition) -> str:
    """One struct, its id and size, pack and unpack."""
    name, upper = message.name, message.name.upper()
    fields, puts, gets, wrong = [], [], [], []
    for at, field in message.offsets():
        bits, key = 8 * field.size, field.name
        low, high = definition.limits(field)
        comment = f"{field.unit}, {low} to {high}: {field.says}"
        fields.append(f"    uint{bits}_t {key}; /* {comment} */")
        puts.append(f"    msg_put{bits}(body + {at}, m->{key});")
        gets.append(f"    m->{key} = msg_get{bits}(body + {at});")
        wrong += [f"m->{key} < {low}u"] if low > 0 else []
        wrong += [f"m->{key} > {high}u"] if high < 2**bits - 1 else []
    struct, received = f"struct msg_{name}", "const uint8_t *body, uint8_t size"
    fits = f"!({' || '.join(wrong)})" if wrong else "true"
    return "\n".join(
        [
            f"/* From the {message.direction}. {message.says} */",
            f"struct msg_{name} {{",
            *fields,
            "};",
            f"enum {{ MSG_{upper}_ID = {message.id}, MSG_{upper}_SIZE = {message.size} }};",
            f"/* Write MSG_{upper}_SIZE bytes. */",
            f"static inline void msg_{name}_pack(const {struct} *m, uint8_t *body)",
            f"{{\n    body[0] = MSG_{upper}_ID;",
            *puts,
            "}",
            "/* False for another message, a wrong size or a value out of range. */",
            f"static inline bool msg_{name}_unpack({struct} *m, {received})",
            f"{{\n    if (size != MSG_{upper}_SIZE || body[0] != MSG_{upper}_ID)",
            "        return false;",
            *gets,
            f"    return {fits};\n}}\n",
        ]
    )


def with_table(page: str, definition: Definition) -> str:
    """PROTOCOL.md with everything below its marker written anew."""
    marker = "<!-- generated below -->"
    lines = [page.split(marker)[0] + marker, ""]
    lines += [f"Protocol {definition.protocol}, definition `{definition.digest}`.", ""]
    for message in definition.messages:
        number, origin = message.id, message.direction
        lines += [f"### `{message.name}` ({number}, from the {origin})", ""]
        lines += [f"{message.says} {message.size} bytes.", ""]
        lines += ["| field | type | unit | range | says |"]
        lines += ["| --- | --- | --- | --- | --- |"]
        for field in message.fields:
            low, high = definition.limits(field)
            cells = [f"`{field.name}`", field.type, field.unit]
            cells += [f"{low} to {high}", field.says]
            lines += ["| " + " | ".join(cells) + " |"]
        lines += [""]
    for name, choice in definition.enums.items():
        values = ", ".join(f"{number} {key}" for key, number in choice.values.items())
        lines += [f"**{name}**: {choice.says} {values}.", ""]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
