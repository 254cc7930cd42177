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
from dataclasses import replace
from functools import reduce

from controller.events import (
    BoardCalled,
    ClockAction,
    ClockSet,
    Configured,
    Corrected,
    FoulCalled,
    Input,
    Inserted,
    Picked,
    Restarted,
    Ruled,
    ScoreSet,
    Stated,
    TakenBack,
)
from controller.observer import (
    Observer,
)
from controller.outcomes import (
    Failed,
    Judged,
    Told,
    What,
)
from controller.rules.contest import Contest
from controller.rules.counting_match import begin as begin_counting
from controller.rules.counting_match import each_for_himself
from controller.rules.counting_state import playing_order
from controller.rules.match import Match
from controller.rules.order import ByPlayer
from controller.session_clock import clock_of
from controller.session_deadlines import Timing, at_s_of, called, heard_at, waiting
from controller.session_evidence import witness
from controller.session_record import Line
from controller.session_rulings import rule
from controller.session_state import Session, append

__all__ = ["Session", "begin", "failed", "replay", "step"]

Stepped = tuple[Session, tuple[Told, ...]]


def begin(configured: Configured) -> Session:
    """A session about to watch a match."""
    geometry, trust = configured.geometry, configured.trust
    return Session(
        configured=configured,
        observer=Observer(table=geometry, trust=trust),
        opening=_opening(configured),
        timing=Timing(configured.at_s),
    )


def step(session: Session, heard: Input) -> Stepped:
    """Hear one more input; the session that follows and what is to be told.

    Raises ValueError for a second configuration.
    """
    entry = session.heard + 1
    before = replace(session, heard=entry)
    session, cut = _cut(before, entry, heard)
    session = replace(session, timing=heard_at(session.timing, heard))
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
            | ClockSet()
            | Ruled()
        ):
            session, whats = rule(session, entry, heard)
        case _:
            session, whats = witness(session, entry, heard)
    session, calls = _clocked(before, session, heard, (*cut, *whats))
    return _number(session, (*cut, *whats, *calls))


def failed(session: Session, heard: Input, why: Exception) -> Stepped:
    """Go on without an input that could not be taken in: told, and counted as heard."""
    entry = session.heard + 1
    text = (
        f"entry {entry} ({type(heard).__name__}) is written down but could not be "
        f"taken in ({type(why).__name__}: {why}): correct the record by hand"
    )
    session = replace(session, heard=entry)
    return _number(session, (Failed(at_s_of(heard), entry, text),))


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


def _cut(
    session: Session, entry: int, heard: Input
) -> tuple[Session, tuple[What, ...]]:
    """A host that was itself restarted cannot know how long its clock stood."""
    if not isinstance(heard, Restarted) or heard.same_clock:
        return session, ()
    if session.clock.started_s is None:
        return session, ()
    last_s = session.timing.now_s
    cut = ClockSet(last_s, "controller", ClockAction.CUT)
    return append(session, Line(entry, cut), heard.at_s)


def _clocked(
    before: Session, session: Session, heard: Input, whats: tuple[What, ...]
) -> tuple[Session, tuple[What, ...]]:
    """The clocks after an input, and what they call."""
    same = session.record is before.record and session.verdicts is before.verdicts
    if not same:
        lines = session.record.effective()
        clock = clock_of(session.opening, lines, session.verdicts)
        session = replace(session, clock=clock)
    timing = waiting(session.timing, heard, whats)
    timing, calls = called(timing, session.clock, session.match, session.phase)
    return replace(session, timing=timing), calls


def _opening(configured: Configured) -> Contest:
    names, seats = configured.players, configured.seats
    if each_for_himself(configured.laws, len(names)):
        order = playing_order(seats, configured.first_breaker)
        return begin_counting(
            configured.laws,
            tuple(names[i] for i in order),
            tuple(seats[i] for i in order),
        )
    return _two_sides(configured)


def _two_sides(configured: Configured) -> Match:
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
