"""Tables without camera or pockets: what happens at one is told by hand."""

from pathlib import Path
from typing import Any

from calibration.table import Piece, Seat
from controller.app_desk import AppDesk
from controller.app_keeper import Keeper
from controller.config import Config, configured
from controller.config_match import MatchSettings
from controller.console.rulings import REQUEST, ruling
from controller.events import Fallen, Inserted, StrokeFacts
from controller.journal import Journal, open_journal

AT_S = 5.0


class Tables:
    """Tables by rule set."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._journals: list[Journal] = []

    def at(self, rules: str, **laws: str) -> "Table":
        journal = open_journal(self._folder / rules, self._folder / "key")
        self._journals.append(journal)
        config = Config(match=MatchSettings(rules=rules, laws=laws))
        return Table(Keeper(journal, configured(config, 0.0, "test")))

    def close(self) -> None:
        for journal in self._journals:
            journal.close()


class Table:
    """One table: what happens at it, and the desk beside it."""

    def __init__(self, keeper: Keeper) -> None:
        self.keeper = keeper
        self.desk = AppDesk(keeper)
        keeper.on_told = lambda _heard, _told: self.desk.touch()

    def stroke(self, *fell: str, at_s: float = AT_S, seat: str = "south") -> None:
        falls = tuple(Fallen(Piece(piece), None, None, 1.0) for piece in fell)
        facts = StrokeFacts(
            from_s=at_s, to_s=at_s, fell=falls, seat=Seat(seat), touched=True
        )
        self.keeper.hear(Inserted(at_s, "u", None, facts, ""))

    def asked(self, **request: Any) -> Any:
        form = REQUEST.validate_python({"expected_rev": 0, **request})
        return ruling(form, self.desk, self.keeper.session.timing.now_s)

    def rule(self, **request: Any) -> str | None:
        return self.desk.rule(self.asked(**request))

    def answer(self, label: str) -> str | None:
        """Tap a one-tap answer."""
        for prompt in self.shown["prompts"]:
            for answer in prompt["answers"]:
                if answer["label"] == label:
                    return self.rule(**answer["request"])
        raise AssertionError(f"no answer {label!r} in {self.shown['prompts']}")

    @property
    def shown(self) -> Any:
        return self.desk.shown()

    @property
    def open(self) -> list[str]:
        return [prompt["text"] for prompt in self.shown["prompts"]]
