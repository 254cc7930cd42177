"""What an audit finds in a journal that somebody changed."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from controller.audit import audit
from controller.journal_rows import GENESIS, Row, link, read_rows
from tests.faults.journals import flip_a_byte, play


def test_a_sound_journal_is_verified(tmp_path: Path) -> None:
    play(tmp_path)
    checked = audit(read_rows(tmp_path / "match.journal"))
    assert checked.broken is None
    assert (checked.entries, checked.verdicts, checked.checkpoints) == (16, 8, 1)


def test_a_flipped_byte_is_found_in_its_row(tmp_path: Path) -> None:
    play(tmp_path)
    path = tmp_path / "match.journal"
    bad = next(row.seq for row in read_rows(path) if '"from_s":10' in row.body)
    flip_a_byte(path)
    broken = audit(read_rows(path)).broken
    assert broken is not None
    assert (broken.seq, broken.why) == (bad, "was changed after it was written")


def forged(rows: list[Row], change: Callable[[Row], Row | None]) -> list[Row]:
    """The rows changed and chained anew, as a forger without the key would."""
    made: list[Row] = []
    for row in filter(None, map(change, rows)):
        head = made[-1].hash if made else GENESIS
        seq = len(made) + 1
        made.append(link(seq, row.kind, row.entry, row.utc, row.body, head))
    return made


def test_a_forged_chain_lacks_the_signature(tmp_path: Path) -> None:
    play(tmp_path)
    rows = read_rows(tmp_path / "match.journal")
    checked = audit(forged(rows, lambda row: replace(row, utc="2000-01-01")))
    assert checked.broken is not None
    assert checked.broken.seq == rows[-1].seq
    assert "signature is wrong" in checked.broken.why


def test_a_forged_stroke_no_longer_gives_its_verdict(tmp_path: Path) -> None:
    play(tmp_path)
    rows = read_rows(tmp_path / "match.journal")

    def without_signature(row: Row) -> Row | None:
        if row.kind == "checkpoint":
            return None
        return replace(row, body=row.body.replace('"black"', '"white"'))

    broken = audit(forged(rows, without_signature)).broken
    assert broken is not None
    assert "now comes out otherwise" in broken.why


def test_a_journal_signed_by_another_key_is_not_the_one_expected(
    tmp_path: Path,
) -> None:
    play(tmp_path)
    rows = read_rows(tmp_path / "match.journal")
    (key,) = audit(rows).keys
    assert audit(rows, key).broken is None
    broken = audit(rows, "00" * 32).broken
    assert broken is not None
    assert "another key" in broken.why


def test_a_missing_row_is_named(tmp_path: Path) -> None:
    play(tmp_path)
    rows = read_rows(tmp_path / "match.journal")
    broken = audit(rows[:4] + rows[5:]).broken
    assert broken is not None
    assert (broken.seq, broken.why) == (5, "row 5 is missing")
