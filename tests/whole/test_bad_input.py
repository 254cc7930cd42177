"""What cannot be used is refused in one line with the remedy, and exit code 2."""

import fcntl
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from calibration.plane import PlaneMapping
from calibration.profile import Profile, save
from calibration.table import Table

CORNERS = [(300.0, 50.0), (980.0, 50.0), (980.0, 690.0), (300.0, 690.0)]


def started(*words: str, within: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "controller", *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=within,
        timeout=60,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a calibration profile, and a configuration that would do."""
    table = Table()
    mapping = PlaneMapping.from_corners(CORNERS, (1280, 720), table)
    profile = Profile(
        camera="rendered",
        made_utc="2026",
        table=table,
        mapping=mapping,
        residual_mm=0.1,
    )
    save(profile, tmp_path / "calibration.json")
    return tmp_path


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that something else listens on."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        yield int(other.getsockname()[1])


def refused(folder: Path, config: str) -> str:
    """What `carrom run` says to a configuration, without its name in front."""
    (folder / "carrom.toml").write_text(config)
    done = started("run", "--config", "carrom.toml", within=folder)
    said = done.stderr.strip().splitlines()
    assert (done.returncode, len(said), "Traceback" in done.stderr) == (2, 1, False)
    return re.sub(r"^carrom: ", "", said[0])


REFUSED = {
    "no TOML": ("[table", "is not TOML"),
    "a bottomless list": ("a = " + "[" * 5000, "is nested too deeply"),
    "an unknown key": ("[table]\nnmae = 'x'", "unknown key table.nmae"),
    "an unknown rule set": ("[match]\nrules = 'golf'", "golf"),
    "no calibration": (
        "[journal]\npath = 'fresh/match.journal'",
        "calibration is not set",
    ),
    "a missing profile": ("calibration = 'none.json'", "none.json cannot be read"),
    "a camera we cannot open": (
        "calibration = 'calibration.json'\n[camera]\nsource = 'usb'",
        "source usb needs device",
    ),
    "a camera of another size": (
        "calibration = 'calibration.json'\n[camera]\nwidth_px = 640\nheight_px = 480",
        "is for pictures of 1280x720, the camera gives 640x480",
    ),
    "a missing recording": (
        "calibration = 'calibration.json'\n[camera]\n"
        + "source = 'recording'\nfile = 'none.mp4'",
        "no recording at none.mp4",
    ),
}


@pytest.mark.parametrize(("config", "said"), REFUSED.values(), ids=REFUSED.keys())
def test_a_configuration_that_cannot_be_used_is_refused(
    carrom,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    config: str,
    said: str,
) -> None:
    (folder / "carrom.toml").write_text(config)
    monkeypatch.chdir(folder)
    code, _, err = carrom("run", "--config", "carrom.toml")
    assert (code, err.count("\n")) == (2, 1)
    assert said in err


def test_a_configuration_that_is_not_there_is_refused(carrom, tmp_path: Path) -> None:
    code, _, err = carrom("run", "--config", tmp_path / "none.toml")
    assert (code, err.count("\n")) == (2, 1)
    assert f"no configuration at {tmp_path / 'none.toml'}" in err


def test_a_console_port_in_use_is_refused(folder: Path, taken: int) -> None:
    config = f"calibration = 'calibration.json'\n[console]\nport = {taken}"
    assert f"127.0.0.1:{taken}" in refused(folder, config)


def test_a_broker_port_in_use_is_refused(folder: Path, taken: int) -> None:
    config = (
        f"calibration = 'calibration.json'\n[console]\nport = 0\n"
        f"[broker]\nport = {taken}"
    )
    assert str(taken) in refused(folder, config)


def test_a_broker_that_is_gone_is_refused(folder: Path, taken: int) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
    config = (
        f"calibration = 'calibration.json'\n[console]\nport = 0\n"
        f"[broker]\nurl = 'mqtt://127.0.0.1:{port}'"
    )
    assert f"no message broker at mqtt://127.0.0.1:{port}" in refused(folder, config)


def test_a_journal_of_another_match_is_refused(folder: Path) -> None:
    from controller.config import configured, parse
    from controller.journal import open_journal

    other = configured(parse("[match]\nrules = 'icf-1993'", "x"), 0.0, "x")
    with open_journal(folder / "match.journal", folder / "carrom.key") as journal:
        journal.append(other)
    config = "calibration = 'calibration.json'\n[console]\nport = 0"
    assert "holds another match" in refused(folder, config)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["frob"], "No such command 'frob'"),
        (["laws", "--bogus"], "No such option: --bogus"),
        (["demo", "--boards", "0"], "Invalid value for '--boards'"),
        (["census"], "name one picture"),
        (["demo", "--json"], "--json does nothing alone: add --headless"),
        (["demo", "--record", "x.mp4", "--dir", "y"], "--dir does nothing with"),
        (["demo", "--headless", "--charuco"], "--charuco does nothing with"),
        (["demo", "--headless", "--record", "x.mp4"], "do not go together"),
    ],
)
def test_wrong_usage_is_one_line(carrom, words: list[str], said: str) -> None:
    code, out, err = carrom(*words)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err


def test_a_headless_demo_leaves_an_earlier_match_alone(carrom, tmp_path: Path) -> None:
    journal = tmp_path / "match.journal"
    journal.write_text("the earlier match's")
    code, _, err = carrom("demo", "--headless", "--dir", tmp_path)
    assert (code, err.count("\n")) == (2, 1)
    assert "holds a match already" in err
    assert journal.read_text() == "the earlier match's"


def test_a_second_demo_leaves_the_first_ones_folder_alone(tmp_path: Path) -> None:
    """D2: it would rename the journal that the first one writes."""
    journal = tmp_path / "match.journal"
    journal.write_text("the first demo's")
    with (tmp_path / "demo.lock").open("wb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        done = started("demo", "--no-browser", "--dir", ".", within=tmp_path)
    assert done.returncode == 2
    assert "another carrom demo runs in ." in done.stderr
    assert journal.read_text() == "the first demo's"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- 2020-99-99", ", line 1: is no law case but '2020-99-99'"),
        ("[" * 5000, " is not YAML: "),
    ],
    ids=["a date that is none", "a bottomless list"],
)
def test_cases_that_yaml_chokes_on_are_refused(
    carrom, text: str, said: str, tmp_path: Path
) -> None:
    cases = tmp_path / "cases.yaml"
    cases.write_text(text)
    code, _, err = carrom("judge", cases)
    assert (code, err.count("\n")) == (2, 1)
    assert err.startswith(f"carrom: {cases}{said}")
