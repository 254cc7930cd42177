"""Nothing is compiled in the middle of a match."""

import subprocess
import sys

import pytest


@pytest.mark.slow
@pytest.mark.parametrize("empty_table", ["known", "unknown"])
def test_once_warmed_up_the_eyes_compile_nothing_more(empty_table: str) -> None:
    """A rack, a break and its rest; a fresh process, as kernels are kept per process."""
    module = "tests.tracking.compiled_late"
    done = subprocess.run(
        [sys.executable, "-m", module, empty_table],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == ""
