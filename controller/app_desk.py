"""The record as the umpire works on it: what the console shows and may change."""

import asyncio
import time

from controller.app_keeper import Keeper
from controller.app_lines import PASSING, asked, lines
from controller.console.offers import choices, offers
from controller.console.preview import Preview, preview_of
from controller.console.prompts import prompts
from controller.events import Ruling, StrokeFacts
from controller.outcomes import RulingRefused
from controller.records import Json
from controller.rules.contest import Contest
from controller.session import step
from controller.telling import state_of


class AppDesk:
    """What the console needs of the match that is kept."""

    def __init__(self, keeper: Keeper) -> None:
        self._keeper = keeper
        self._version = 0
        self._problems: tuple[str, ...] = ()
        self._news = asyncio.Event()
        self._judged: tuple[object, int, dict[str, Json]] | None = None

    @property
    def rev(self) -> int:
        """The record's revision."""
        return self._keeper.session.rev

    @property
    def version(self) -> int:
        """Counts the changes of what is shown."""
        return self._version

    @property
    def match(self) -> Contest:
        """The match as the laws have it now."""
        return self._keeper.session.match

    def stands_since(self, rev: int) -> bool:
        """Whether no line of the record was added or changed after a revision."""
        if not 0 <= rev <= self.rev:
            return False
        since = self._keeper.events[rev:]
        return all(event.event.kind in PASSING for event in since)

    def now_s(self) -> float:
        """The host's clock."""
        return time.monotonic()

    def tell_problems(self, problems: tuple[str, ...]) -> None:
        """What is wrong with the machine and its senses now, a sentence each."""
        if problems != self._problems:
            self._problems = problems
            self.touch()

    def touch(self) -> None:
        """What is shown has changed."""
        self._version += 1
        self._news.set()
        self._news = asyncio.Event()

    async def changed(self, since: int) -> int:
        """The version, once it is another than `since`."""
        if self._version == since:
            await self._news.wait()
        return self._version

    def facts_of(self, entry: int) -> StrokeFacts | None:
        """The facts of a stroke, or the best reading of the question about it."""
        return self._keeper.session.facts_of(entry)

    def reading_of(self, question: int, index: int) -> StrokeFacts:
        """A reading of an open question. Raises ValueError when there is none."""
        for one in self._keeper.session.questions:
            if one.number == question and 0 <= index < len(one.readings):
                return one.readings[index].facts
        raise ValueError(f"question {question} is not open or has no reading {index}")

    def rule(self, given: Ruling) -> str | None:
        """Take a ruling into the record; why it was refused, or None."""
        told = self._keeper.hear(given)
        if self._keeper.waiting:
            return f"not recorded yet: {self._keeper.trouble}"
        for each in told:
            if isinstance(each.what, RulingRefused):
                return each.what.text
        return None

    def preview(self, given: Ruling) -> Preview:
        """What a ruling would lead to now; nothing is recorded."""
        session = self._keeper.session
        after, told = step(session, given)
        return preview_of(told, session.match, after.match)

    def shown(self) -> dict[str, Json]:
        """Everything the page shows."""
        session = self._keeper.session
        question = session.question
        state: dict[str, Json] = state_of(session).model_dump(mode="json")
        return {
            "rev": session.rev,
            "now_s": self.now_s(),
            "table": session.configured.table,
            "rule_set": session.configured.laws.name,
            "watching": not session.observer.blind,
            "trouble": self._keeper.trouble,
            "problems": list(self._problems),
            "state": state,
            "question": None if question is None else asked(question, session.match),
            "prompts": prompts(session),
            **self._record(),
        }

    def _record(self) -> dict[str, Json]:
        """What follows from the record alone: drawn anew only when that changed."""
        session, events = self._keeper.session, self._keeper.events
        if self._judged is not None:
            verdicts, told, shown = self._judged
            if verdicts is session.verdicts and told == len(events):
                return shown
        shown = {
            "offers": offers(session),
            "choices": choices(session.match),
            "log": list(lines(events, session)),
        }
        self._judged = session.verdicts, len(events), shown
        return shown
