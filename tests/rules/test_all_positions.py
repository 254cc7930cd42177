"""A sample of all positions meets every stroke; the whole is bench/all_positions.py."""

import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).parents[2] / "bench" / "all_positions.py"


def test_every_stroke_gets_one_verdict_on_one_position_in_a_thousand() -> None:
    command = [sys.executable, str(BENCH), "--every", "997"]
    met = subprocess.run(command, capture_output=True, text=True, check=False)
    *sets, last = met.stdout.strip().splitlines()
    assert " 0 faults" in last, met.stdout + met.stderr
    assert len([line for line in sets if " 0 faults" in line]) == 13
    assert met.returncode == 0
