"""Stored machine code after an upgrade: never older than any source it was made of."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import calibration.kernels

ROOT = Path(calibration.kernels.__file__).parents[1]
OUTER = """
from numba import njit
from calibration.kernels import kept
from vision import inner

@kept
@njit(cache=True)
def outer(x):
    return inner.inner(x) + 1.0

print(outer(1.0), sum(outer.stats.cache_hits.values()))
"""
INNER = """
from numba import njit
from calibration.kernels import kept
from vision.numbers import FACTOR

@kept
@njit(cache=True)
def inner(x):
    return FACTOR * x
"""


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A product of two kernels, one compiled into the other."""
    for package in ("calibration", "vision"):
        (tmp_path / package).mkdir()
        (tmp_path / package / "__init__.py").touch()
    shutil.copy(calibration.kernels.__file__, tmp_path / "calibration")
    (tmp_path / "vision" / "numbers.py").write_text("FACTOR = 2.0\n")
    (tmp_path / "vision" / "inner.py").write_text(INNER)
    (tmp_path / "vision" / "outer.py").write_text(OUTER)
    return tmp_path


def run(installed: Path) -> tuple[float, int]:
    """What the outer kernel makes of 1, and how often stored code was taken for it."""
    done = subprocess.run(
        [sys.executable, "-m", "vision.outer"],
        cwd=installed,
        env={"PYTHONPATH": str(installed), "HOME": str(installed)},
        capture_output=True,
        text=True,
        check=True,
    )
    value, hits = done.stdout.split()
    return float(value), int(hits)


def stored(installed: Path) -> set[str]:
    return {p.name for p in installed.rglob("*.nb[ic]")}


def test_an_upgrade_of_a_number_two_files_away_is_compiled_in(installed: Path) -> None:
    assert run(installed) == (3.0, 0)
    kept = stored(installed)
    assert run(installed) == (3.0, 1), "unchanged sources: nothing is compiled again"
    (installed / "vision" / "numbers.py").write_text("FACTOR = 5.0\n")
    assert run(installed) == (6.0, 0)
    assert stored(installed) == kept, "stale machine code is replaced, not piled up"


def test_every_kernel_of_the_project_is_stamped() -> None:
    unstamped = [
        f"{path.name}: {line}"
        for package in ("calibration", "vision", "controller")
        for path in (ROOT / package).rglob("*.py")
        for line in re.findall(r"(?<!@kept\n)@n?jit.*", path.read_text())
    ]
    assert unstamped == []
