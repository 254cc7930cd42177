"""The systemd units are understood and shut tight (checked offline)."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

UNITS = Path(__file__).parents[2] / "systemd"
MOST_EXPOSED = 3.0
"""systemd's own scale from 0 to 10; a bare unit has 9.6."""

pytestmark = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not here"
)


@pytest.fixture(params=sorted(unit.name for unit in UNITS.glob("*.service")))
def unit(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A unit as it would be installed, with a program that exists here."""
    text = (UNITS / request.param).read_text()
    path = tmp_path / request.param
    path.write_text(re.sub(r"ExecStart=\S+", "ExecStart=/bin/true", text))
    return path


def analyze(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["systemd-analyze", *words], capture_output=True, text=True, check=False
    )


def test_every_key_of_a_unit_is_known(unit: Path) -> None:
    # An unknown key or value is only a message, the exit code stays 0.
    done = analyze("verify", "--man=no", str(unit))
    assert (done.stderr + done.stdout, done.returncode) == ("", 0)


def test_a_unit_is_not_exposed(unit: Path) -> None:
    done = analyze("security", "--offline=true", str(unit))
    exposure = re.search(r"exposure level for \S+: ([\d.]+)", done.stdout)
    assert exposure is not None
    assert float(exposure[1]) <= MOST_EXPOSED


def test_no_unit_ever_gives_up(unit: Path) -> None:
    text = unit.read_text()
    assert "Restart=always" in text
    assert "StartLimitIntervalSec=0" in text
