"""Which calibration the eyes saw by stands in the record, at every start."""

from dataclasses import replace
from pathlib import Path

from controller.app_keeper import Keeper
from controller.config import Config, configured
from controller.events import Configured, Restarted
from controller.journal import open_journal


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
