"""The C sources, as the analysers see them; generated files."""

import shutil
import subprocess
import sys

import pytest

from firmware.emulator.emulator import FIRMWARE

CORE = [str(path) for path in sorted((FIRMWARE / "src").glob("*.c"))]
CPPCHECK = (
    "cppcheck --std=c99 --enable=warning,style,performance,portability --quiet "
    "--error-exitcode=1 --inline-suppr --suppress=missingIncludeSystem "
    # What newer versions add: word of their own limits.
    "--suppress=normalCheckLevelMaxBranches"
)
CHECKS = (
    "-*,bugprone-*,cert-*,clang-analyzer-*,misc-*,performance-*,portability-*,"
    # Counters of eight bits and small offsets are meant: it is their machine.
    "-bugprone-too-small-loop-variable,"
    "-bugprone-implicit-widening-of-multiplication-result,"
    "-bugprone-easily-swappable-parameters,"
    # Newer versions only; each of our headers includes what its users need.
    "-misc-include-cleaner,"
    # It would have memset_s, which no libc here has.
    "-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling"
)


def ran(command: list[str]) -> tuple[int, str]:
    """Exit code and all that was printed."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


@pytest.mark.skipif(shutil.which("cppcheck") is None, reason="needs cppcheck")
def test_cppcheck_finds_nothing() -> None:
    assert ran([*CPPCHECK.split(), f"-I{FIRMWARE / 'src'}", *CORE]) == (0, "")


@pytest.mark.skipif(shutil.which("clang-tidy") is None, reason="needs clang-tidy")
def test_clang_tidy_finds_nothing() -> None:
    options = [f"--checks={CHECKS}", "--warnings-as-errors=*", "--quiet"]
    code, said = ran(
        ["clang-tidy", *options, *CORE, "--", "-std=c99", f"-I{FIRMWARE / 'src'}"]
    )

    assert code == 0, said


def test_the_board_header_is_current() -> None:
    assert ran([sys.executable, str(FIRMWARE / "board.py"), "--check"]) == (0, "")
