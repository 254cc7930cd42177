"""Does `carrom replay` tell the match, and does --verify name what is wrong?"""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from controller.commands.replay import replay
from controller.config import Config, configured
from controller.journal import open_journal
from controller.journal_rows import read_rows
from controller.recording import hear, open_match
from tests.observing.match_sheet import ready, strokes

STROKES = """
9w 9b q s | w@NE | 8w 9b q s
8w 9b q s |      | 8w 9b q s
8w 9b q s | s@SW | 8w 9b q
"""


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    """A closed journal of a match of three strokes."""
    path = tmp_path / "match.journal"
    with open_journal(path, tmp_path / "key") as kept:
        session = open_match(kept, configured(Config(), 0.0, "test"))
        for heard in [*ready(), *strokes(STROKES)]:
            session = hear(kept, session, heard).session
    return path


def carrom_replay(*arguments: str) -> Result:
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(replay)
    return CliRunner().invoke(app, arguments, env={"COLUMNS": "200"})


def test_a_match_is_told_in_words(journal: Path) -> None:
    said = carrom_replay(str(journal)).stdout
    assert "South against North" in said
    assert "fell white in north-east" in said
    assert "[ICF 72" in said
    assert said.splitlines()[-1].startswith("game 1, board 1: South 0 : 0 North")


def test_a_match_is_told_as_json_lines(journal: Path) -> None:
    lines = carrom_replay(str(journal), "--json").stdout.splitlines()
    told = [json.loads(line) for line in lines]
    assert [one["told"]["record"] for one in told].count("Judged") == 3
    assert [one["seq"] for one in told] == sorted(one["seq"] for one in told)


def test_a_sound_journal_verifies(journal: Path) -> None:
    result = carrom_replay(str(journal), "--verify", "--json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["ok"] is True


def test_a_changed_byte_fails_and_its_row_is_named(journal: Path) -> None:
    data = journal.read_bytes()
    at = data.index(b'"south"')
    bad = next(row.seq for row in read_rows(journal) if '"south"' in row.body)
    journal.write_bytes(data[:at] + b'"north"' + data[at + 7 :])
    result = carrom_replay(str(journal), "--verify")
    assert result.exit_code == 1
    assert result.stdout == f"row {bad} was changed after it was written\n"
