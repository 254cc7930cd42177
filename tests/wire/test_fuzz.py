"""Both ends take any bytes for the same; a short fuzzing of the C end each day.

The long one is `bench/fuzz.py`.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from compiled_node import NEEDS_GCC, bodies
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.pockets.framing import DELIMITER, WireError, frame, unframe

ROOT = Path(__file__).parents[2]
CUT = st.tuples(st.binary(min_size=1, max_size=60), st.integers(0, 70))
FRAGMENTS = st.one_of(
    st.binary(max_size=70),
    st.binary(min_size=1, max_size=60).map(frame),
    CUT.map(lambda cut: frame(cut[0])[cut[1] :]),
    CUT.map(lambda cut: frame(cut[0])[: cut[1]] + DELIMITER),
)


def by_the_host(data: bytes) -> tuple[list[bytes], int]:
    """Bodies, and how many damaged frames the Python end counts."""
    found, damaged = [], 0
    for piece in filter(None, data.split(DELIMITER)[:-1]):
        try:
            found.append(unframe(piece))
        except WireError:
            damaged += 1
    return found, damaged


@NEEDS_GCC
@settings(deadline=None)
@given(st.lists(FRAGMENTS, max_size=8).map(b"".join))
def test_both_ends_read_the_same_in_any_bytes(data: bytes) -> None:
    assert bodies(data) == by_the_host(data)


@pytest.mark.skipif(shutil.which("clang") is None, reason="needs clang")
def test_a_second_of_fuzzing_finds_nothing() -> None:
    command = [
        sys.executable,
        str(ROOT / "bench/fuzz.py"),
        "--seconds",
        "1",
        "--c-only",
    ]

    ran = subprocess.run(command, capture_output=True, text=True, check=False)

    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.count("Done") == 2
