"""What the journal does when power, disk or hands interfere."""

import logging
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from calibration.refusal import Refusal
from controller.app_keeper import Keeper
from controller.audit import audit
from controller.config import Config, configured
from controller.events import (
    BoardCalled,
    Elapsed,
    Input,
    Restarted,
    TakenBack,
)
from controller.feed.models import Severity
from controller.journal import open_journal
from controller.journal_rows import first_broken, read_rows
from controller.observer import evidence_at_s
from controller.recording import hear, open_match, resume
from controller.telling import alert_of, words
from tests.faults.journals import THREE, flip_a_byte, opened, play, report
from tests.observing.match_sheet import ready, strokes

WRITER = """
import sys
from pathlib import Path
from tests.faults.journals import opened, report
journal = opened(Path(sys.argv[1]))
for sequence in range(10**9):
    journal.append(report(sequence))
    print(sequence, flush=True)
"""

FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from calibration.refusal import Refusal
from tests.faults.journals import opened, report
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
journal = opened(Path(sys.argv[1]))
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
try:
    for sequence in range(10**9):
        journal.append(report(sequence))
except Refusal as refusal:
    print(sequence, refusal, sep="|")
"""


def python(script: str, folder: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, "-c", script, str(folder)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.getcwd()},
    )


@pytest.mark.parametrize("lines", [1, 7, 150])
def test_a_killed_writer_loses_nothing_it_acknowledged(
    tmp_path: Path, lines: int
) -> None:
    with python(WRITER, tmp_path) as writer:
        assert writer.stdout is not None
        acknowledged = [int(writer.stdout.readline()) for _ in range(lines)]
        writer.send_signal(signal.SIGKILL)
        acknowledged += [int(line) for line in writer.stdout.read().splitlines()]
    with opened(tmp_path) as journal:
        assert journal.moved_aside is None
        kept = [one.input for one in journal.inputs()]
        assert kept[: len(acknowledged)] == [report(n) for n in acknowledged]
        assert len(kept) <= len(acknowledged) + 1
        assert journal.append(report(acknowledged[-1])) is None
        assert first_broken(read_rows(journal.path)) is None


def test_a_full_disk_is_said_and_what_was_written_stays(tmp_path: Path) -> None:
    writer = python(FULL_DISK, tmp_path)
    said, _ = writer.communicate(timeout=60)
    stored, text = said.strip().split("|", 1)
    assert "match.journal cannot be written" in text
    with opened(tmp_path) as journal:
        assert journal.entries == int(stored)


def test_a_report_sent_again_is_stored_once(tmp_path: Path) -> None:
    with opened(tmp_path) as journal:
        assert journal.append(report(5)) == 1
        assert journal.append(report(5)) is None
        assert journal.append(replace(report(5), boot=2)) == 2


def test_only_one_program_writes_a_journal(tmp_path: Path) -> None:
    with opened(tmp_path), pytest.raises(Refusal, match="written by another carrom"):
        opened(tmp_path)


def test_another_program_holding_the_file_is_said(tmp_path: Path) -> None:
    with opened(tmp_path) as journal:
        other = sqlite3.connect(journal.path)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Refusal, match="another program holds it"):
            journal.append(Elapsed(1.0))
        other.rollback()
        other.close()
        assert journal.append(Elapsed(1.0)) == 1


@pytest.mark.parametrize(
    "change", ["UPDATE rows SET body = ''", "DELETE FROM rows"], ids=str.split
)
def test_rows_cannot_be_changed_or_deleted(tmp_path: Path, change: str) -> None:
    play(tmp_path)
    other = sqlite3.connect(tmp_path / "match.journal")
    with pytest.raises(sqlite3.IntegrityError, match="append only"):
        other.execute(change)
    other.close()


def test_a_journal_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    play(tmp_path)
    other = sqlite3.connect(tmp_path / "match.journal")
    other.execute("PRAGMA user_version = 99")
    other.close()
    with pytest.raises(Refusal, match="newer carrom"):
        opened(tmp_path)


def test_a_folder_that_is_a_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "folder").write_text("")
    with pytest.raises(Refusal, match="choose a folder"):
        open_journal(tmp_path / "folder" / "m.journal", tmp_path / "key")


def test_a_key_that_others_may_read_is_refused(tmp_path: Path) -> None:
    opened(tmp_path).close()
    (tmp_path / "key").chmod(0o644)
    with pytest.raises(Refusal, match="chmod 600"):
        opened(tmp_path)


def test_a_key_is_made_at_first_use_for_the_owner_alone(tmp_path: Path) -> None:
    opened(tmp_path).close()
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600


def cut_in_half(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])


def overwrite_header(path: Path) -> None:
    path.write_bytes(b"not a database at all" + path.read_bytes()[21:])


@pytest.mark.parametrize("damage", [cut_in_half, overwrite_header, flip_a_byte])
def test_a_damaged_journal_is_moved_aside_and_said(
    tmp_path: Path,
    damage: Callable[[Path], None],
    caplog: pytest.LogCaptureFixture,
) -> None:
    play(tmp_path)
    damage(tmp_path / "match.journal")
    damaged = (tmp_path / "match.journal").read_bytes()
    with caplog.at_level(logging.ERROR), opened(tmp_path) as journal:
        assert journal.entries == 0
        assert journal.moved_aside is not None
        assert journal.moved_aside.read_bytes() == damaged
    assert "is damaged" in caplog.text
    caplog.clear()


def foreign(folder: Path, schema: int) -> Path:
    """Some other program's database where our journal is expected."""
    path = folder / "match.journal"
    other = sqlite3.connect(path)
    other.executescript(f"CREATE TABLE photos (x); PRAGMA user_version = {schema};")
    other.close()
    return path


@pytest.mark.parametrize("schema", [-1, 0, 1, 7])
def test_another_programs_database_is_neither_written_nor_moved(
    tmp_path: Path, schema: int
) -> None:
    path = foreign(tmp_path, schema)
    before = path.read_bytes()
    with pytest.raises(Refusal, match="another program's database: name another file"):
        opened(tmp_path)
    assert path.read_bytes() == before


def test_a_locked_journal_is_refused_and_not_moved_aside(tmp_path: Path) -> None:
    """D2: renaming a database that another program holds corrupts it."""
    play(tmp_path)
    other = sqlite3.connect(tmp_path / "match.journal")
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(Refusal, match="close the program that holds it"):
        opened(tmp_path)
    other.rollback()
    other.close()
    with opened(tmp_path) as journal:
        assert journal.entries > 0


def test_a_folder_is_no_journal(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="is a folder: name a file in it"):
        open_journal(tmp_path, tmp_path / "key")


def test_text_broken_inside_a_row_is_said(tmp_path: Path) -> None:
    """D3: SQLite's own message about such text cannot be decoded by Python 3.11."""
    play(tmp_path)
    path = tmp_path / "match.journal"
    data = path.read_bytes()
    at = data.index(b'"from_s":10')
    path.write_bytes(data[:at] + b"\xff" + data[at + 1 :])
    with pytest.raises(Refusal, match="cannot be read"):
        read_rows(path)
    with opened(tmp_path) as journal:
        assert journal.moved_aside is not None


def test_a_row_whose_text_became_a_number_is_said(tmp_path: Path) -> None:
    play(tmp_path)
    other = sqlite3.connect(tmp_path / "match.journal")
    other.executescript("DROP TRIGGER no_update;")
    other.executescript("UPDATE rows SET body = x'00' WHERE seq = 2;")
    other.close()
    with pytest.raises(Refusal, match="row 2 holds values of another kind"):
        read_rows(tmp_path / "match.journal")


def test_an_input_no_journal_can_carry_does_not_stop_the_next(tmp_path: Path) -> None:
    with opened(tmp_path) as journal:
        keeper = Keeper(journal, configured(Config(), at_s=0.0, software="test"))
        with pytest.raises(ValueError, match="safe integer"):
            keeper.hear(TakenBack(1.0, "umpire", 2**60, ""))
        assert keeper.waiting == 0
        keeper.hear(Elapsed(2.0))
        assert journal.entries == 2


def test_an_input_that_cannot_be_taken_in_stays_on_record_and_the_match_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A second configuration: written down like any input, and no session takes it."""
    first = configured(Config(), at_s=0.0, software="test")
    with opened(tmp_path) as journal:
        keeper = Keeper(journal, first)
        (failure,) = keeper.hear(first)
        keeper.hear(BoardCalled(1.0, "umpire"))
        called = keeper.hear(TakenBack(2.0, "umpire", None, ""))
        assert (journal.entries, keeper.session.heard) == (4, 4)
    assert "entry 2 (Configured) is written down" in words(failure.what)
    assert keeper.events[0].event.kind == "failed"
    alert = alert_of(failure.what)
    assert alert is not None
    assert alert.severity is Severity.STOP_PLAY
    assert "could not be taken in" in caplog.text
    assert called
    with open_journal(tmp_path / "match.journal", tmp_path / "key") as journal:
        again = Keeper(journal, first)
    assert (again.session, again.match_id) == (keeper.session, keeper.match_id)
    assert audit(read_rows(tmp_path / "match.journal")).broken is None


@pytest.mark.parametrize("kept", range(1, 17))
def test_a_match_resumed_after_any_entry_comes_out_the_same(
    tmp_path: Path, kept: int
) -> None:
    inputs: list[Input] = [*ready(), *strokes(THREE)]
    whole = play(tmp_path / "whole")
    with opened(tmp_path) as journal:
        session = open_match(journal, configured(Config(), 0.0, "test"))
        for heard in inputs[: kept - 1]:
            session = hear(journal, session, heard).session
    with opened(tmp_path) as journal:
        session = resume(journal, Restarted(inputs_at(inputs, kept), True)).session
        for heard in [*ready()[:4], *inputs[kept - 1 :], Elapsed(99.0)]:
            session = hear(journal, session, heard).session
    assert session.match == whole.match


def inputs_at(inputs: list[Input], kept: int) -> float:
    """A time just after the last entry kept."""
    last = inputs[kept - 2] if kept > 1 else inputs[0]
    return evidence_at_s(last) + 0.01  # type: ignore[arg-type]


def test_what_was_not_told_before_a_power_cut_is_told_on_resuming(
    tmp_path: Path,
) -> None:
    inputs = [*ready(), *strokes(THREE)]
    with opened(tmp_path) as journal:
        session = open_match(journal, configured(Config(), 0.0, "test"))
        for heard in inputs[:-1]:
            session = hear(journal, session, heard).session
        journal.append(inputs[-1])
    with opened(tmp_path) as journal:
        told = resume(journal, Restarted(99.0, True)).told
    assert type(told[0].what).__name__ == "Judged"
    assert told[0].seq == session.rev + 1


def test_an_empty_journal_has_no_match_to_resume(tmp_path: Path) -> None:
    with opened(tmp_path) as journal, pytest.raises(Refusal, match="no match"):
        resume(journal, Restarted(0.0, True))


def test_a_second_match_is_not_begun_in_a_used_journal(tmp_path: Path) -> None:
    play(tmp_path)
    with opened(tmp_path) as journal, pytest.raises(Refusal, match="already holds"):
        open_match(journal, configured(Config(), 0.0, "test"))
