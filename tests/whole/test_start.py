"""The controller is there within a moment: what only the eyes need stays with them."""

import subprocess
import sys


def test_the_controller_loads_neither_compiler_nor_solver() -> None:
    """Two seconds of a Pi's start and 100 MB; the eyes, a process apart, need both."""
    asked = "import sys, controller.app; print(*{'numba', 'scipy'} & {*sys.modules})"
    done = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []
