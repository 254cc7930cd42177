"""The session: the whole state of a match at one table, as a fold of its inputs.

Theory of operation. `begin` takes the journal's first entry, `step` every other:
evidence goes to the observer, whose settled strokes become lines of the record;
rulings become lines or edits; the laws judge the lines (`session_record`). Both
return what is to be told, numbered. Nothing here knows a clock, a file or a
network, so that a replay of the inputs gives the same session and the same words.

Seen while no board runs: only a rack. When all nineteen lie in the middle again the
next board begins by itself; before that, strokes are ignored, and said to be.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import assert_never

from controller.events import (
    BoardCalled,
    Configured,
    Corrected,
    Counts,
    Evidence,
    FoulCalled,
    Input,
    Inserted,
    Picked,
    PocketReport,
    Ruled,
    Ruling,
    ScoreSet,
    Stated,
    StrokeFacts,
    TakenBack,
)
from controller.observer import (
    Finding,
    Observer,
    StrokeDone,
    Unclear,
    forget,
    idle,
    observe,
)
from controller.observer_census import is_rack
from controller.outcomes import (
    Asked,
    Doubt,
    Ignored,
    Judged,
    Phase,
    Question,
    Reading,
    RecordChanged,
    RulingRefused,
    Told,
    Verdict,
    What,
)
from controller.rules import match as rules
from controller.rules.happenings import Breach
from controller.rules.match import Demand, Match, NextBoard, ScoresCorrected
from controller.rules.order import ByPlayer
from controller.session_record import (
    Line,
    Record,
    judge_line,
    judge_lines,
    side_at,
)
from vision.sightings import Census, StrokeSeen, TableAtRest

RUNNING = (rules.Phase.BREAK, rules.Phase.PLAY)
BETWEEN = (rules.Phase.CLAIM, rules.Phase.BOARD_OVER, rules.Phase.GAME_OVER)


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """A match at one table at any moment.

    `heard`: inputs so far; an input's number in this order is its entry. `rev`:
    the number of the last event told. `verdicts`: the record as judged, line by
    line. `questions`: those open, the oldest first. `first_told`: for each line, the
    first event it was told as. `called`: the umpire began this board by hand.
    """

    configured: Configured
    observer: Observer
    opening: Match
    record: Record = field(default_factory=Record)
    verdicts: tuple[Verdict, ...] = ()
    questions: tuple[Question, ...] = ()
    first_told: tuple[tuple[int, int], ...] = ()
    called: bool = False
    heard: int = 1
    rev: int = 0

    @property
    def match(self) -> Match:
        """The match as the laws have it now."""
        return self.verdicts[-1].after if self.verdicts else self.opening

    @property
    def question(self) -> Question | None:
        """What the umpire is asked now: the oldest open question."""
        return self.questions[0] if self.questions else None

    @property
    def wake_s(self) -> float | None:
        """When the session wants `Elapsed`; None when it waits for nothing."""
        return self.observer.wake_s

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

    def _plays(self, before: Census | None) -> bool:
        """Whether a board runs: broken, its rack lies there, or its break is made."""
        if self.match.phase is rules.Phase.PLAY:
            return True
        if self.match.phase is not rules.Phase.BREAK:
            return False
        seer = self.observer
        busy = (seer.running, seer.held, seer.gap) != (None, None, None)
        return busy or self._is_racked(before) or self._is_racked(seer.rest)


Stepped = tuple[Session, tuple[Told, ...]]


def begin(configured: Configured) -> Session:
    """A session about to watch a match."""
    geometry, trust = configured.geometry, configured.trust
    return Session(
        configured=configured,
        observer=Observer(table=geometry, trust=trust),
        opening=_opening(configured),
    )


def step(session: Session, heard: Input) -> Stepped:
    """Hear one more input; the session that follows and what is to be told.

    Raises ValueError for a second configuration.
    """
    entry = session.heard + 1
    session = replace(session, heard=entry)
    match heard:
        case Configured():
            raise ValueError("a session is configured once, by its first entry")
        case (
            Picked()
            | Stated()
            | Corrected()
            | Inserted()
            | TakenBack()
            | FoulCalled()
            | ScoreSet()
            | BoardCalled()
            | Ruled()
        ):
            session, whats = _rule(session, entry, heard)
        case _:
            session, whats = _witness(session, entry, heard)
    return _number(session, whats)


def replay(inputs: Iterable[Input]) -> Session:
    """The session a journal's inputs lead to. Raises ValueError when unconfigured."""
    stream = iter(inputs)
    first = next(stream, None)
    match first:
        case Configured():
            return reduce(
                lambda past, heard: step(past, heard)[0], stream, begin(first)
            )
        case _:
            raise ValueError("the first entry must be the configuration")


def _opening(configured: Configured) -> Match:
    first = configured.first_breaker
    players, seats = configured.players, configured.seats
    doubles = len(players) == 4
    names = [
        f"{players[i]} / {players[i + 2]}" if doubles else players[i]
        for i in (first, 1 - first)
    ]
    return Match(
        laws=configured.laws,
        names=ByPlayer(names[0], names[1]),
        doubles=doubles,
        round=configured.round,
        seat=seats[first],
        break_seat=seats[first],
        first_seat=seats[first],
    )


Heard = tuple[Session, tuple[What, ...]]


def _witness(session: Session, entry: int, evidence: Evidence) -> Heard:
    """Take evidence: begin a board that was racked, then look for strokes."""
    session, begun = _begin_racked(session, entry, evidence)
    before = _before(session, evidence)
    if not session._plays(before):
        observer, found = idle(session.observer, evidence)
        session = replace(session, observer=observer)
        return session, (*begun, *_quiet(found), *_ignored(evidence))
    observer, found = observe(session.observer, entry, evidence, session.book)
    session = replace(session, observer=observer)
    session, told = _find(session, entry, found)
    return session, (*begun, *told)


def _before(session: Session, evidence: Evidence) -> Census | None:
    """What lies there before this: for a rest, the rest itself."""
    match evidence:
        case StrokeSeen(before=before) if before is not None:
            return before
        case TableAtRest(census=census) if not census.hidden:
            return census
        case _:
            return session.observer.rest


def _begin_racked(session: Session, entry: int, evidence: Evidence) -> Heard:
    """The rack laid out again begins the next board; demands lapse with it."""
    match evidence:
        case TableAtRest(census=lies):
            pass
        case StrokeSeen(before=lies) if lies is not None:
            pass
        case _:
            return session, ()
    if session.match.phase not in BETWEEN or not is_rack(lies, session.observer.table):
        return session, ()
    if session.question is not None:
        return session, ()
    return _append(session, _next_board(session, entry), lies.at_s)


def _next_board(session: Session, entry: int) -> Line:
    claims = session.match.phase is rules.Phase.CLAIM
    rulings = (Demand(0), NextBoard()) if claims else (NextBoard(),)
    return Line(entry, rulings, evidence=(entry,))


def _quiet(found: tuple[Finding, ...]) -> tuple[What, ...]:
    """Findings of an idle observer: never a stroke."""
    return tuple(f for f in found if not isinstance(f, StrokeDone | Unclear))


def _ignored(evidence: Evidence) -> tuple[What, ...]:
    match evidence:
        case StrokeSeen(to_s=at_s):
            text = "a stroke was seen while no rack was laid out: not counted"
            return (Ignored(at_s, text),)
        case PocketReport(at_s=at_s, pocket=pocket):
            text = f"{pocket.value} reported a fall while no board was played"
            return (Ignored(at_s, text),)
        case _:
            return ()


def _find(session: Session, entry: int, found: tuple[Finding, ...]) -> Heard:
    """Turn the observer's findings into lines of the record and things told."""
    whats: list[What] = []
    for finding in found:
        match finding:
            case StrokeDone():
                session, told = _stroke(session, entry, finding)
                whats += told
            case Unclear():
                session, told = _ask(session, entry, finding)
                whats += told
            case _:
                whats.append(finding)
    return session, tuple(whats)


def _stroke(session: Session, entry: int, done: StrokeDone) -> Heard:
    entry = _free(session, entry)
    facts, match = done.facts, session.match
    if session.question is None:
        side = side_at(match, facts.seat)
        if side is not None and side is not match.board.turn:
            return _ask(session, entry, _wrong_turn(done))
        facts = replace(facts, seat=match.seat if side is None else facts.seat)
    line = Line(entry, facts, done.probability, done.evidence)
    return _append(session, line, facts.to_s)


def _free(session: Session, entry: int) -> int:
    """The entry's number; a second line of one entry takes the negative."""
    taken = {line.entry for line in session.record.lines}
    return -entry if entry in taken else entry


def _wrong_turn(done: StrokeDone) -> Unclear:
    """The eyes saw a player strike who is not on turn: a foul, or our mistake?"""
    facts = done.facts
    assert facts.seat is not None
    readings = (
        Reading(facts, 0.4),
        Reading(replace(facts, seat=None), 0.3),
        Reading(replace(facts, out_of_turn=True), 0.3),
    )
    text = (
        f"{facts.seat.value} struck although not on turn by the record: "
        "was it that player's turn, the other's stroke, or out of turn?"
    )
    return Unclear(facts.to_s, Doubt.OUT_OF_TURN, text, readings, done.evidence)


def _ask(session: Session, entry: int, unclear: Unclear) -> Heard:
    entry = _free(session, entry)
    question = Question(
        entry, unclear.at_s, unclear.doubt, unclear.text, unclear.readings
    )
    best = unclear.readings[0].probability
    line = Line(entry, question, best, unclear.evidence)
    session = replace(
        session,
        record=session.record.with_line(line),
        questions=(*session.questions, question),
    )
    return session, (Asked(unclear.at_s, question),)


def _append(session: Session, line: Line, at_s: float) -> Heard:
    """A line at the end of the record, judged at once unless a question is open."""
    waits = session.question is not None
    session = replace(session, record=session.record.with_line(line))
    verdict = None if waits else judge_line(session.match, line)
    if verdict is None:
        return session, ()
    session = _settled(session, (*session.verdicts, verdict))
    return session, (Judged(at_s, verdict),)


def _settled(session: Session, verdicts: tuple[Verdict, ...]) -> Session:
    """The session with its record judged; a finished board leaves nothing open."""
    was_over = session.match.board.over
    session = replace(session, verdicts=verdicts)
    board = session.match.board
    if board.over or was_over:
        session = replace(session, observer=forget(session.observer))
    return replace(session, called=session.called and not board.broken)


def _rule(session: Session, entry: int, ruling: Ruling) -> Heard:
    """Carry out a ruling; one that cannot be changes nothing and says so."""
    try:
        record = _with_ruling(session, entry, ruling)
        ruled, whats = _rejudge(session, entry, ruling, record)
    except ValueError as error:
        refused = RulingRefused(ruling.at_s, entry, ruling.by, str(error))
        return session, (refused,)
    called = isinstance(ruling, BoardCalled)
    return (replace(ruled, called=True) if called else ruled), whats


def _with_ruling(session: Session, entry: int, ruling: Ruling) -> Record:
    """The record as the ruling has it. Raises ValueError."""
    record = session.record
    match ruling:
        case Picked() | Stated() | Corrected() | TakenBack():
            return record.edited(entry, ruling)
        case Inserted(after=after, facts=facts):
            return record.inserted(Line(entry, facts), after)
        case FoulCalled(technical=technical, seat=seat):
            side = side_at(session.match, seat) or session.match.board.turn
            return record.with_line(Line(entry, (Breach(side, technical),)))
        case ScoreSet(points=points):
            first = session.configured.first_breaker
            scores = ByPlayer(points[first], points[1 - first])
            return record.with_line(
                Line(entry, (ScoresCorrected(scores, ruling.reason),))
            )
        case BoardCalled():
            if session.match.phase is rules.Phase.BREAK:
                return record
            return record.with_line(_next_board(session, entry))
        case Ruled(ruling=law):
            return record.with_line(Line(entry, (law,)))
        case _:
            assert_never(ruling)


def _rejudge(session: Session, entry: int, ruling: Ruling, record: Record) -> Heard:
    """Judge the record anew and tell what that changed. Raises ValueError."""
    verdicts = tuple(judge_lines(session.opening, record.effective()))
    _refuse_impossible(verdicts, entry, ruling)
    old = {verdict.entry: verdict for verdict in session.verdicts}
    new = {verdict.entry: verdict for verdict in verdicts}
    lost = [number for number in old if number not in new]
    changed = tuple(v for v in verdicts if v.entry in old and _differs(v, old))
    fresh = [v for v in verdicts if v.entry not in old]
    before = session.match
    session = replace(session, record=record, questions=record.questions)
    session = _settled(session, verdicts)
    whats: list[What] = []
    if changed or lost or not fresh:
        told = dict(session.first_told)
        affected = [told[n] for n in (*lost, *(v.entry for v in changed)) if n in told]
        whats.append(
            RecordChanged(
                ruling.at_s,
                entry,
                ruling.by,
                _describe(ruling),
                min(affected, default=None),
                changed,
                before,
                session.match,
            )
        )
    whats += [Judged(ruling.at_s, verdict) for verdict in fresh]
    return session, tuple(whats)


def _refuse_impossible(
    verdicts: tuple[Verdict, ...], entry: int, ruling: Ruling
) -> None:
    """Raises ValueError when the line a ruling is about cannot be judged as ruled."""
    match ruling:
        case Picked(question=about) | Stated(question=about) | Corrected(entry=about):
            pass
        case TakenBack():
            return
        case _:
            about = entry
    for verdict in verdicts:
        if verdict.entry == about and verdict.note.startswith("not possible"):
            raise ValueError(verdict.note)


def _differs(verdict: Verdict, old: dict[int, Verdict]) -> bool:
    was = old[verdict.entry]
    return (verdict.facts, verdict.decisions, verdict.after) != (
        was.facts,
        was.decisions,
        was.after,
    )


def _describe(ruling: Ruling) -> str:
    match ruling:
        case Corrected(entry=entry, reason=reason):
            text = f"stroke {entry} corrected"
        case TakenBack(entry=None, reason=reason):
            text = "last entry taken back"
        case TakenBack(entry=entry, reason=reason):
            text = f"entry {entry} taken back"
        case Inserted(reason=reason):
            text = "a stroke added"
        case ScoreSet(points=points, reason=reason):
            text = f"score set to {points[0]} : {points[1]}"
        case Picked(question=number) | Stated(question=number):
            text, reason = f"question {number} answered", ""
        case BoardCalled():
            text, reason = "board called", ""
        case FoulCalled(technical=technical, reason=reason):
            text = "technical foul called" if technical else "foul called"
        case Ruled(reason=reason):
            text = "ruling"
        case _:
            assert_never(ruling)
    return f"{text}: {reason}" if reason else text


def _number(session: Session, whats: tuple[What, ...]) -> Stepped:
    """Number what is told: one event for each decision, one for anything else."""
    if not whats:
        return session, ()
    told: list[Told] = []
    rev, first = session.rev, dict(session.first_told)
    for what in whats:
        events = 1
        if isinstance(what, Judged):
            events = max(1, len(what.verdict.decisions))
            first[what.verdict.entry] = rev + 1
        told.append(Told(rev + 1, events, what))
        rev += events
    session = replace(session, rev=rev, first_told=tuple(first.items()))
    return session, tuple(told)
