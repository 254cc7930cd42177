"""Frozen records to JSON and back, driven by their type hints.

One definition of every journaled thing: the dataclass itself. A record becomes an
object of its fields, a `NamedTuple` a list, an enum its value; where a field may
hold one of several records, the object also says which under "record". Reading
back gives an equal value or raises `Unreadable`; nothing is guessed or dropped.
"""

import json
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from math import isfinite
from types import NoneType, UnionType
from typing import Union, get_args, get_origin, get_type_hints

import rfc8785

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]
Write = Callable[[object], Json]
Read = Callable[[Json], object]
Form = type | UnionType
"""A type or a union of types, as an annotation spells it."""

TAG = "record"


class Unreadable(ValueError):
    """JSON that is not the record it should be."""


def encode(value: object, form: Form) -> Json:
    """A record as plain JSON values; `form` is the type or union it belongs to."""
    return _codec(form)[0](value)


def decode(value: Json, form: Form) -> object:
    """The record plain JSON values stand for; raises Unreadable."""
    return _codec(form)[1](value)


def plain(value: object) -> Json:
    """Any frozen value as plain JSON values, each record named; one way only."""
    if isinstance(value, Enum):
        return plain(value.value)
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return float(value)
    if is_dataclass(value) and not isinstance(value, type):
        shown = {name: plain(getattr(value, name)) for name in _names(type(value))}
        return {TAG: type(value).__name__, **shown}
    if isinstance(value, tuple):
        return [plain(part) for part in value]
    raise TypeError(f"no JSON form for {type(value).__name__}")


def canonical(value: Json) -> bytes:
    """JSON bytes by RFC 8785: the same value always gives the same bytes.

    Raises ValueError for a number JSON cannot carry exactly (NaN, 2**53 and up).
    """
    return rfc8785.dumps(value)


def parse(data: bytes) -> Json:
    """JSON values from bytes; raises Unreadable."""
    try:
        return json.loads(data)  # type: ignore[no-any-return]
    except ValueError as error:
        raise Unreadable(f"not JSON: {error}") from None


@cache
def _names(kind: type) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind))


@cache
def _codec(form: Form) -> tuple[Write, Read]:
    origin = get_origin(form)
    if origin in (UnionType, Union):
        return _union(get_args(form))
    if origin is tuple:
        return _tuple(get_args(form))
    if isinstance(origin, type) and is_dataclass(origin):
        return _record(
            origin, dict(zip(_parameters(origin), get_args(form), strict=True))
        )
    if not isinstance(form, type):
        raise TypeError(f"no JSON form for {form}")
    if is_dataclass(form):
        return _record(form, {})
    if issubclass(form, tuple):
        return _named(form)
    if issubclass(form, Enum):
        return _enum(form)
    return _plain(form)


def _plain(kind: type) -> tuple[Write, Read]:
    if kind is float:
        return _write_float, _read_float
    if kind not in (bool, int, str, NoneType):
        raise TypeError(f"no JSON form for {kind.__name__}")

    def exact(value: object) -> Json:
        if type(value) is not kind:
            raise Unreadable(f"expected {kind.__name__}, got {value!r}")
        return value

    return exact, exact


def _write_float(value: object) -> Json:
    if not isinstance(value, int | float) or not isfinite(value):
        raise Unreadable(f"expected a finite number, got {value!r}")
    return float(value)


def _read_float(value: Json) -> object:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Unreadable(f"expected a number, got {value!r}")
    return float(value)


def _enum(kind: type[Enum]) -> tuple[Write, Read]:
    def read(value: Json) -> object:
        try:
            return kind(value)
        except ValueError:
            raise Unreadable(f"{value!r} is no {kind.__name__}") from None

    return lambda value: kind(value).value, read


def _tuple(of: tuple[Form, ...]) -> tuple[Write, Read]:
    if ... in of:
        write, read = _codec(of[0])
        return (
            lambda value: [write(part) for part in value],
            lambda value: tuple(read(part) for part in _list(value)),
        )
    return _fixed(of, lambda parts: parts)


def _named(kind: type) -> tuple[Write, Read]:
    of = tuple(get_type_hints(kind).values())
    return _fixed(of, lambda parts: kind(*parts))


def _fixed(
    of: tuple[Form, ...], build: Callable[[tuple[object, ...]], object]
) -> tuple[Write, Read]:
    codecs = [_codec(form) for form in of]

    def write(value: object) -> Json:
        parts = zip(codecs, value, strict=True)  # type: ignore[call-overload]
        return [codec[0](part) for codec, part in parts]

    def read(value: Json) -> object:
        parts = _list(value)
        if len(parts) != len(codecs):
            raise Unreadable(f"expected {len(codecs)} values, got {len(parts)}")
        pairs = zip(codecs, parts, strict=True)
        return build(tuple(codec[1](part) for codec, part in pairs))

    return write, read


def _record(kind: type, bound: dict[object, Form]) -> tuple[Write, Read]:
    """`bound` says what the type variables of a generic record stand for."""
    hints = get_type_hints(kind)
    codecs = {
        field.name: _codec(bound.get(hints[field.name], hints[field.name]))
        for field in fields(kind)
    }

    def write(value: object) -> Json:
        if type(value) is not kind:
            raise Unreadable(f"expected {kind.__name__}, got {value!r}")
        return {name: codec[0](getattr(value, name)) for name, codec in codecs.items()}

    def read(value: Json) -> object:
        named = _object(value)
        if named.keys() - {TAG} != codecs.keys():
            odd = sorted((named.keys() - {TAG}) ^ codecs.keys())
            raise Unreadable(f"{kind.__name__} with missing or unknown fields {odd}")
        return kind(**{name: codec[1](named[name]) for name, codec in codecs.items()})

    return write, read


def _parameters(generic: type) -> tuple[object, ...]:
    return getattr(generic, "__parameters__", ())


def _union(of: tuple[Form, ...]) -> tuple[Write, Read]:
    kinds = [kind for kind in of if kind is not NoneType]
    optional = len(kinds) < len(of)
    choose = _codec(kinds[0]) if len(kinds) == 1 else _tagged(kinds)

    def write(value: object) -> Json:
        return None if optional and value is None else choose[0](value)

    def read(value: Json) -> object:
        return None if optional and value is None else choose[1](value)

    return write, read


def _tagged(kinds: list[Form]) -> tuple[Write, Read]:
    by_name = {kind.__name__: kind for kind in kinds if isinstance(kind, type)}

    def write(value: object) -> Json:
        name = type(value).__name__
        if name not in by_name:
            raise Unreadable(f"{name} is none of {', '.join(by_name)}")
        return {TAG: name, **_object(_codec(by_name[name])[0](value))}

    def read(value: Json) -> object:
        name = _object(value).get(TAG)
        if not isinstance(name, str) or name not in by_name:
            raise Unreadable(f"{name!r} is none of {', '.join(by_name)}")
        return _codec(by_name[name])[1](value)

    return write, read


def _list(value: Json) -> list[Json]:
    if not isinstance(value, list):
        raise Unreadable(f"expected a list, got {value!r}")
    return value


def _object(value: Json) -> dict[str, Json]:
    if not isinstance(value, dict):
        raise Unreadable(f"expected an object, got {value!r}")
    return value
