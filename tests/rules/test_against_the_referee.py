"""The judge agrees with a naive model that another hand wrote from the laws alone."""

import subprocess
import sys
from pathlib import Path

BENCH = Path(__file__).parents[2] / "bench" / "against_referee.py"


def test_two_thousand_random_boards_come_out_as_the_naive_referee_rules() -> None:
    command = [sys.executable, str(BENCH), "--boards", "2000", "--seed", "20"]
    compared = subprocess.run(command, capture_output=True, text=True, check=False)
    told = compared.stdout.strip().splitlines()
    assert told[-1].startswith("2000 boards")
    assert " 0 disagreements" in told[-1], "\n".join(told)
    assert compared.returncode == 0
