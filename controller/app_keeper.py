"""Keeps the match: journal first, then the session, then everyone who is told.

`hear` is the one way in for evidence and rulings. An input is on the medium before
the session acts on it, before a pocket node may forget it and before anybody is
told. When the medium refuses (full, gone), inputs wait in order and are tried again;
nothing is acknowledged and nothing is counted meanwhile, and health says so.
"""

import hashlib
import logging
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice

from calibration.refusal import Refusal
from controller.events import Certified, Configured, Input, PocketReport
from controller.feed.models_match import MatchEvent
from controller.journal import Journal
from controller.outcomes import Told
from controller.recording import digest, open_match, replayed, take
from controller.records import canonical, encode
from controller.session import Session
from controller.telling import events_of, words

REPORTS_KNOWN = 128
"""Four nodes' worth of what one can keep, to know again what is sent again."""
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Event:
    """One numbered event of the match, as it was told the first time."""

    seq: int
    entry: int
    utc: datetime
    at_s: float
    event: MatchEvent


class Keeper:
    """The match at one table: what is on record, and what follows from it."""

    def __init__(self, journal: Journal, configured: Configured) -> None:
        """Resume the journal's match, or begin one as configured.

        Raises Refusal when the journal holds a match that was set up differently.
        """
        self.events: list[Event] = []
        """Every event so far; event `seq` is at index `seq - 1`."""
        self.last_reports: deque[PocketReport] = deque(maxlen=REPORTS_KNOWN)
        """The newest pocket reports on record, the last one last."""
        self.match_id = ""
        self.session: Session
        self.trouble = ""
        """Why inputs wait to be written down; empty while none do."""
        self.on_told: Callable[[Input, tuple[Told, ...]], None] = _nobody
        self.on_safe: Callable[[PocketReport], None] = _nobody_waits
        self._journal = journal
        self._waiting: deque[Input] = deque()
        self._unnoted: deque[tuple[int, tuple[Told, ...]]] = deque()
        self.resumed = journal.entries > 0
        if not self.resumed:
            open_match(journal, configured)
        self._replay(configured)

    @property
    def waiting(self) -> int:
        """Inputs that could not be written down yet."""
        return len(self._waiting)

    def hear(self, heard: Input) -> tuple[Told, ...]:
        """Take one input; what it (and any that waited for it) led to.

        Raises ValueError for one that no journal can carry, and forgets it.
        """
        self._waiting.append(heard)
        return self.try_again()

    def try_again(self) -> tuple[Told, ...]:
        """Write down what waits, in order, and act on it; what it led to."""
        told: tuple[Told, ...] = ()
        while self._waiting:
            heard = self._waiting[0]
            try:
                entry = self._journal.append(heard)
            except Refusal as refusal:
                self._note_trouble(str(refusal))
                return told
            except ValueError:
                # No number JSON knows. Left here, it would be in the way for ever.
                self._waiting.popleft()
                raise
            self._waiting.popleft()
            if isinstance(heard, PocketReport):
                self.last_reports.append(heard)
                self.on_safe(heard)
            if entry is not None:
                told += self._act(entry, heard)
        self.trouble = ""
        return told

    def knows(self, certificate: str) -> bool:
        """Whether the certificate of this checksum is on record."""
        return any(
            isinstance(one.input, Certified) and one.input.certificate == certificate
            for one in self._journal.inputs()
        )

    def events_after(self, seq: int, most: int = 32) -> list[Event]:
        """The next events with a greater number, in order, at most so many."""
        return list(islice(self.events, seq, seq + most))

    def note_told(self) -> None:
        """Write down the digests of what was told, for audits.

        Not at once: telling is urgent, and what a kill leaves out is added at the
        next resume.
        """
        while self._unnoted:
            entry, told = self._unnoted[0]
            try:
                self._journal.append_verdict(entry, digest(told))
            except Refusal as refusal:
                self._note_trouble(str(refusal))
                return
            self._unnoted.popleft()

    def _act(self, entry: int, heard: Input) -> tuple[Told, ...]:
        """Take in an input that is on record, and tell what it led to."""
        self.session, told = take(self.session, heard)
        self._number(entry, datetime.now(UTC), told)
        if told:
            self._unnoted.append((entry, told))
        self.on_told(heard, told)
        for each in told:
            log.info("%d: %s", each.seq, words(each.what))
        return told

    def _replay(self, configured: Configured) -> None:
        """Take the match from the journal; catch up on verdicts it lacks."""
        last = self._journal.last_verdict()
        for recorded, session, told in replayed(self._journal.inputs()):
            utc = datetime.fromisoformat(recorded.utc)
            match recorded.input:
                case Configured() as first if recorded.entry == 1:
                    _refuse_another(first, configured, self._journal)
                    self.match_id = _match_id(first, utc)
                case PocketReport() as report:
                    self.last_reports.append(report)
                case _:
                    pass
            self.session = session
            self._number(recorded.entry, utc, told)
            if told and recorded.entry > last:
                self._journal.append_verdict(recorded.entry, digest(told))

    def _number(self, entry: int, utc: datetime, told: tuple[Told, ...]) -> None:
        for each in told:
            for n, event in enumerate(events_of(each, self.session)):
                at_s = each.what.at_s
                self.events.append(Event(each.seq + n, entry, utc, at_s, event))

    def _note_trouble(self, why: str) -> None:
        if why != self.trouble:
            log.error("%s", why)
        self.trouble = why


def _nobody(_heard: Input, _told: tuple[Told, ...]) -> None:
    """Nobody listens yet."""


def _nobody_waits(_report: PocketReport) -> None:
    """No pocket node waits yet."""


def _refuse_another(
    first: Configured, configured: Configured, journal: Journal
) -> None:
    """Raise Refusal unless this journal's match is the one that is configured."""
    same = replace(
        configured,
        at_s=first.at_s,
        software=first.software,
        settings=first.settings,
        calibration=first.calibration,
        trust=first.trust,
    )
    if same != first:
        who = " against ".join(first.players)
        raise Refusal(
            f"journal {journal.path} holds another match ({who}, {first.laws.name}): "
            "name a new file in journal.path or set the match up as it was"
        )


def _match_id(configured: Configured, utc: datetime) -> str:
    """A name for this match that no other has."""
    body = canonical(encode(configured, Input)) + utc.isoformat().encode()
    return hashlib.sha256(body).hexdigest()[:12]
