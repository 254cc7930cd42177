"""What the eyes see by stands in the record: calibration, and the coins' colours."""

from dataclasses import replace
from pathlib import Path

from controller.app_keeper import Keeper
from controller.config import Config, configured
from controller.events import Configured, Restarted
from controller.journal import open_journal
from vision.sightings import ColoursLearned


def started(folder: Path, calibration: str) -> list[str]:
    """Start the controller on this folder's journal; every calibration on record."""
    first = configured(Config(), at_s=0.0, software="test")
    with open_journal(folder / "match.journal", folder / "key") as journal:
        keeper = Keeper(journal, replace(first, calibration=calibration))
        if keeper.resumed:
            keeper.hear(Restarted(9.0, True, calibration))
        return [
            entry.input.calibration
            for entry in journal.inputs()
            if isinstance(entry.input, Configured | Restarted)
        ]


def test_a_match_goes_on_under_another_calibration_and_the_record_says_so(
    tmp_path: Path,
) -> None:
    assert started(tmp_path, "aaa") == ["aaa"]
    assert started(tmp_path, "bbb") == ["aaa", "bbb"]


def test_colours_learned_are_known_after_the_controller_was_started_again(
    tmp_path: Path,
) -> None:
    first = configured(Config(), at_s=0.0, software="test")
    learned = ColoursLearned(
        5.0, (190.0, 220.0, 235.0), (60.0,) * 3, (80.0, 75.0, 185.0)
    )
    for heard in (learned, Restarted(9.0, True)):
        with open_journal(tmp_path / "match.journal", tmp_path / "key") as journal:
            keeper = Keeper(journal, first)
            keeper.hear(heard)
            assert keeper.session.observer.colours == learned
