"""Does every input read back exactly, and is its JSON canonical?"""

from dataclasses import fields, is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.table import Pocket, Table
from controller.events import Input, Looks, PocketReport
from controller.records import Json, Unreadable, canonical, decode, encode, parse
from controller.rules.stroke import Stroke
from controller.trust import Trust

FIXED: dict[object, st.SearchStrategy[object]] = {
    Table: st.sampled_from([Table(), Table(side_mm=720.0, pocket_radius_mm=25.5)]),
    Trust: st.sampled_from([Trust(), Trust(accept=0.99)]),
    Stroke: st.builds(Stroke, white=st.integers(0, 9), queen=st.booleans()),
    bool: st.booleans(),
    int: st.integers(-(2**53) + 1, 2**53 - 1),
    float: st.floats(allow_nan=False, allow_infinity=False),
    str: st.text(st.characters(exclude_categories=["Cs"]), max_size=12),
    NoneType: st.none(),
}


def anything(form: object, bound: dict[object, object]) -> st.SearchStrategy[object]:
    """Any value a type hint allows."""
    form = bound.get(form, form)
    origin, of = get_origin(form), get_args(form)
    if form in FIXED:
        return FIXED[form]
    if origin in (UnionType, Union):
        return st.one_of([anything(kind, bound) for kind in of])
    if origin is tuple and of[-1] is Ellipsis:
        return st.lists(anything(of[0], bound), max_size=3).map(tuple)
    if origin is tuple:
        return st.tuples(*[anything(kind, bound) for kind in of])
    if isinstance(form, type) and issubclass(form, Enum):
        return st.sampled_from(list(form))
    kind = origin or form
    assert isinstance(kind, type)
    bound = dict(zip(getattr(kind, "__parameters__", ()), of, strict=True))
    hints = get_type_hints(kind)
    names = [f.name for f in fields(kind)] if is_dataclass(kind) else list(hints)
    return st.deferred(
        lambda: st.builds(kind, **{n: anything(hints[n], bound) for n in names})
    )


@pytest.mark.parametrize("kind", get_args(Input), ids=lambda kind: kind.__name__)
def test_every_input_reads_back_exactly(kind: type) -> None:
    @settings(max_examples=25, deadline=None)
    @given(anything(kind, {}))
    def reads_back(value: object) -> None:
        written = canonical(encode(value, Input))
        read = decode(parse(written), Input)
        assert read == value
        assert canonical(encode(read, Input)) == written

    reads_back()


VECTORS: list[tuple[Json, bytes]] = [
    ({"b": 1, "a": [True, None]}, b'{"a":[true,null],"b":1}'),
    (1.0, b"1"),
    (-0.0, b"0"),
    (1e21, b"1e+21"),
    (1e20, b"100000000000000000000"),
    (1e-6, b"0.000001"),
    (1e-7, b"1e-7"),
    (333333333.33333329, b"333333333.3333333"),
    (5e-324, b"5e-324"),
    ("€$\u000f\nA'B\"\\/", b'"\xe2\x82\xac$\\u000f\\nA\'B\\"\\\\/"'),
]
"""RFC 8785: section 3.2 and appendix B."""


@pytest.mark.parametrize(("value", "written"), VECTORS)
def test_json_is_canonical_as_rfc_8785_has_it(value: Json, written: bytes) -> None:
    assert canonical(value) == written


REPORT = PocketReport("n", 1, 2, Pocket.NORTH_EAST, 3, 4.0, 0.1, 5, Looks.ONE_COIN)


def changed(**fields: Json) -> Json:
    body = encode(REPORT, Input)
    assert isinstance(body, dict)
    return {**body, **fields}


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (changed(pocket="north"), "'north' is no Pocket"),
        (changed(boot="1"), "expected int"),
        (changed(boot=True), "expected int"),
        (changed(at_s=None), "expected a number"),
        (changed(colour="white"), "unknown fields"),
        (changed(record="Nothing"), "'Nothing' is none of"),
        ([], "expected an object"),
    ],
)
def test_what_is_no_input_is_unreadable(body: Json, says: str) -> None:
    with pytest.raises(Unreadable, match=says):
        decode(body, Input)


def test_a_number_json_cannot_carry_is_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        encode(float("nan"), float)
    with pytest.raises(ValueError, match="exceeds"):
        canonical(2**53)
