"""The whole state of a match at one table, and how a line is added to its record."""

from dataclasses import dataclass, field, replace

from controller.events import Configured, Counts, StrokeFacts
from controller.observer import Observer, forget
from controller.observer_census import is_rack
from controller.outcomes import Judged, Phase, Question, Verdict, What
from controller.rules import match as rules
from controller.rules.contest import Contest
from controller.rules.match import Demand, NextBoard
from controller.session_clock import Clock
from controller.session_deadlines import Timing, wake_s
from controller.session_record import Line, Record, judge_line
from vision.sightings import Census

RUNNING = (rules.Phase.BREAK, rules.Phase.PLAY)
BETWEEN = (rules.Phase.CLAIM, rules.Phase.BOARD_OVER, rules.Phase.GAME_OVER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A match at one table at any moment.

    `heard`: inputs so far; an input's number in this order is its entry. `rev`:
    the number of the last event told. `verdicts`: the record as judged, line by
    line. `questions`: those open, the oldest first. `first_told`: for each line, the
    first event it was told as. `called`: the umpire began this board by hand.
    `clock` is the running game's, `timing` what play waits for.
    """

    configured: Configured
    observer: Observer
    opening: Contest
    timing: Timing
    clock: Clock = field(default_factory=Clock)
    record: Record = field(default_factory=Record)
    verdicts: tuple[Verdict, ...] = ()
    questions: tuple[Question, ...] = ()
    first_told: tuple[tuple[int, int], ...] = ()
    called: bool = False
    heard: int = 1
    rev: int = 0

    @property
    def match(self) -> Contest:
        """The match as the laws have it now."""
        return self.verdicts[-1].after if self.verdicts else self.opening

    @property
    def last(self) -> Verdict | None:
        """The last stroke or ruling that was judged; a clock's entry is neither."""
        judged = (v for v in reversed(self.verdicts) if v.facts or v.rulings)
        return next(judged, None)

    @property
    def question(self) -> Question | None:
        """What the umpire is asked now: the oldest open question."""
        return self.questions[0] if self.questions else None

    @property
    def wake_s(self) -> float | None:
        """When the session wants `Elapsed`; None when it waits for nothing."""
        calls_s = wake_s(self.timing, self.clock, self.match, self.phase)
        waits = (self.observer.wake_s, calls_s)
        return min((at_s for at_s in waits if at_s is not None), default=None)

    @property
    def book(self) -> Counts | None:
        """Coins and queen on the table by the laws; None while a question is open."""
        if self.question is not None:
            return None
        lying = self.match.board.ledger.on_table
        return Counts.of(piece for piece, n in lying.items() for _ in range(n))

    @property
    def phase(self) -> Phase:
        """What the table is doing."""
        if self.match.phase is rules.Phase.MATCH_OVER:
            return Phase.MATCH_OVER
        if self.observer.blind:
            return Phase.NOT_WATCHING
        if self.question is not None:
            return Phase.ASKING_UMPIRE
        if self.match.phase is rules.Phase.GAME_OVER:
            return Phase.GAME_OVER
        if self.match.phase not in RUNNING:
            return Phase.BOARD_OVER
        if self.observer.running is not None or self.observer.held is not None:
            return Phase.STROKE_RUNNING
        if self.match.phase is rules.Phase.PLAY:
            return Phase.PLAYING
        return Phase.BREAK if self._is_racked(self.observer.rest) else Phase.RACKING

    def facts_of(self, entry: int) -> StrokeFacts | None:
        """The facts of a stroke, or the best reading of the question about it."""
        return self.record.facts_of(entry)

    def _is_racked(self, rest: Census | None) -> bool:
        return self.called or (
            rest is not None and is_rack(rest, self.configured.geometry)
        )

    def plays(self, before: Census | None) -> bool:
        """Whether a board runs: broken, its rack lies there, or its break is made."""
        if self.match.phase is rules.Phase.PLAY:
            return True
        if self.match.phase is not rules.Phase.BREAK:
            return False
        seer = self.observer
        seen_into = seer.gap is not None and seer.gap.before is not None
        busy = seen_into or (seer.running, seer.held) != (None, None)
        # The break itself may be asked about: play goes on behind the question.
        busy = busy or self.question is not None
        return busy or self._is_racked(before) or self._is_racked(seer.rest)


Heard = tuple[Session, tuple[What, ...]]


def append(session: Session, line: Line, at_s: float) -> Heard:
    """A line at the end of the record, judged at once unless a question is open."""
    waits = session.question is not None
    session = replace(session, record=session.record.with_line(line))
    verdict = None if waits else judge_line(session.match, line)
    if verdict is None:
        return session, ()
    session = with_verdicts(session, (*session.verdicts, verdict))
    return session, (Judged(at_s, verdict),)


def with_verdicts(session: Session, verdicts: tuple[Verdict, ...]) -> Session:
    """The session with its record judged; a finished board leaves nothing open."""
    was_over = session.match.board.over
    session = replace(session, verdicts=verdicts)
    board = session.match.board
    if board.over or was_over:
        session = replace(session, observer=forget(session.observer))
    return replace(session, called=session.called and not board.broken)


def next_board(session: Session, entry: int) -> Line:
    claims = session.match.phase is rules.Phase.CLAIM
    rulings = (Demand(0), NextBoard()) if claims else (NextBoard(),)
    return Line(entry, rulings, evidence=(entry,))
