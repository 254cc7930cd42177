"""`carrom calibrate` led through in a terminal: a pseudo-terminal and typed answers."""

import os
import pty
import select
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest

from calibration.profile import load

WORK_S = 100.0
CONFIG = """
[table]
name = "club"
[camera]
source = "{source}"
{rest}
[journal]
path = "match.journal"
"""
SIMULATED = CONFIG.format(source="rendered", rest="width_px = 960\nheight_px = 540")
FLOOR = CONFIG.format(source="recording", rest='file = "floor.mp4"')


class Terminal:
    """A person at a terminal: reads what is asked, types an answer."""

    def __init__(self, folder: Path, *words: str) -> None:
        self._ours, theirs = pty.openpty()
        quiet = termios.tcgetattr(theirs)
        quiet[3] &= ~termios.ECHO
        termios.tcsetattr(theirs, termios.TCSANOW, quiet)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "controller", "calibrate", *words],
            cwd=folder,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, "COLUMNS": "100", "TERM": "dumb"},
        )
        os.close(theirs)
        self.said = ""

    def answer(self, question: str, typed: str) -> None:
        """Type an answer once the question stands at the end of what was said."""
        self._read_until(question)
        os.write(self._ours, typed.encode() + b"\n")

    def end(self) -> int:
        """Read to the end; the exit code."""
        self._read_until(None)
        os.close(self._ours)
        return self.process.wait(WORK_S)

    def _read_until(self, question: str | None) -> None:
        heard, until_s = "", time.monotonic() + WORK_S
        while question is None or question not in heard:
            left_s = until_s - time.monotonic()
            ready, _, _ = select.select([self._ours], [], [], max(left_s, 0.0))
            assert ready, f"{question!r} was never asked; said: {self.said}"
            try:
                part = os.read(self._ours, 4096).decode()
            except OSError:  # the far end is closed
                part = ""
            self.said += part
            heard += part
            if not part:
                assert question is None, f"{question!r} never asked; said: {self.said}"
                return


def test_answers_typed_lead_from_the_cleared_table_to_a_saved_profile(
    tmp_path: Path,
) -> None:
    (tmp_path / "table.toml").write_text(SIMULATED)
    (tmp_path / "calibration.json").write_text("the old one")
    at = Terminal(tmp_path, "--config", "table.toml")
    at.answer("Side of the playing surface", "74")
    at.answer("300 to 1200 mm, got 74", "")
    at.answer("Lens to surface by tape", "high")
    at.answer("a number in mm, got 'high'", "1200 mm")
    at.answer("Press Enter", "")
    at.answer("Write the profile", "y")
    at.answer("Who calibrates", "Asha")
    assert at.end() == 0
    assert "Trusted for positions and placement calls" in at.said
    assert "the old one is calibration-until-" in at.said
    profile = load(tmp_path / "calibration.json", size_px=(960, 540), camera="rendered")
    assert (profile.by, profile.table.side_mm) == ("Asha", 740.0)
    assert profile.mapping.camera_mm[2] == pytest.approx(1200, rel=0.03)


def test_a_camera_that_gives_nothing_is_refused_plainly_and_can_be_tried_again(
    tmp_path: Path,
) -> None:
    (tmp_path / "table.toml").write_text(FLOOR)
    at = Terminal(tmp_path, "--config", "table.toml", "--side-mm", "740")
    at.answer("Lens to surface by tape", "")
    at.answer("Press Enter", "")
    at.answer("Try again?", "y")
    at.answer("Press Enter", "")
    at.answer("Try again?", "n")
    assert at.end() == 2
    assert at.said.count("no recording at floor.mp4: correct camera.file.") == 2
    assert "Traceback" not in at.said
