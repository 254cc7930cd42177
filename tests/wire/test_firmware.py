"""The firmware's own tests, built for this machine under sanitizers."""

import subprocess
from pathlib import Path

import pytest
from compiled_node import FIRMWARE, LINK, NEEDS_GCC, SANITIZERS, build

VECTORS = str(FIRMWARE / "protocol/vectors.txt")
SENSING = (
    *(f"src/{name}.c" for name in ("sense", "spot", "looks")),
    "emulator/optics.c",
)
CORE = tuple(f"src/{path.name}" for path in sorted((FIRMWARE / "src").glob("*.c")))
PROGRAMS = {
    "test_frame": ("src/frame.c", "tests/test_frame.c"),
    "test_link": (*LINK, "tests/test_link.c"),
    "test_store": (*CORE, "tests/test_store.c"),
    "test_sense": (*SENSING, "tests/test_sense.c"),
}


@NEEDS_GCC
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_c_end_passes_its_tests_under_sanitizers(name: str, tmp_path: Path) -> None:
    program = build(PROGRAMS[name], tmp_path / name, *SANITIZERS.split())

    ran = subprocess.run(
        [program, VECTORS], capture_output=True, text=True, check=False
    )

    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert ran.stdout.endswith(" passed, 0 failed\n")
