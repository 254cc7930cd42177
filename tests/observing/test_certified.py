"""A table's certificate goes on record and changes nothing of the match."""

from pathlib import Path

from controller.app_keeper import Keeper
from controller.config import Config, configured
from controller.events import Certified
from controller.journal import open_journal
from controller.session import step
from controller.telling import events_of
from tests.observing.match_sheet import opened, run, strokes

STANDS = Certified(
    30.0,
    "c" * 64,
    "d" * 64,
    "2026-01-01T10:00:00+00:00",
    "Mira",
    "all good",
    ("speed",),
)


def test_a_certificate_is_told_and_changes_nothing_of_the_match() -> None:
    before, _ = run(opened(), strokes("9w 9b q s | w@NE | 8w 9b q s"))
    after, told = step(before, STANDS)
    (event,) = events_of(told[0], after)
    assert (event.kind, event.text) == (
        "certified",
        "Table certified by Mira: all good (speed)",
    )
    assert (after.match, after.observer) == (before.match, before.observer)


def test_the_record_knows_its_certificates_after_a_restart(tmp_path: Path) -> None:
    first = configured(Config(), at_s=0.0, software="test")
    with open_journal(tmp_path / "match.journal", tmp_path / "key") as journal:
        keeper = Keeper(journal, first)
        assert not keeper.knows(STANDS.certificate)
        keeper.hear(STANDS)
    with open_journal(tmp_path / "match.journal", tmp_path / "key") as journal:
        again = Keeper(journal, first)
        assert again.knows(STANDS.certificate)
        assert not again.knows("another")
