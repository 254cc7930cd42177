"""Evidence in a session: racks begin boards, strokes become lines or questions."""

from dataclasses import replace

from calibration.table import Placement, Seat
from controller.events import Evidence, PocketReport, StrokeFacts
from controller.observer import Finding, StrokeDone, Unclear, idle, observe
from controller.observer_census import is_rack
from controller.outcomes import (
    Asked,
    Doubt,
    Ignored,
    PiecesPlaced,
    Question,
    Reading,
    What,
)
from controller.rules.contest import on_turn_at
from controller.session_record import Line
from controller.session_state import BETWEEN, Heard, Session, append, next_board
from controller.session_unseen import UnseenBreak, unseen_break
from vision.sightings import Census, StrokeSeen, TableAtRest


def witness(session: Session, entry: int, evidence: Evidence) -> Heard:
    """Take evidence: begin a board that was racked, then look for strokes."""
    session, begun = _begin_racked(session, entry, evidence)
    before = _before(session, evidence)
    if not session.plays(before):
        unseen = unseen_break(session, entry, evidence)
        observer, found = idle(session.observer, evidence)
        session = replace(session, observer=observer)
        session, asked = _ask_unseen(session, entry, unseen)
        return session, (*begun, *_quiet(found), *_ignored(evidence), *asked)
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
    return append(session, next_board(session, entry), lies.at_s)


def _ask_unseen(session: Session, entry: int, unseen: UnseenBreak | None) -> Heard:
    """Ask about a board that began unseen, the board before it closed."""
    if unseen is None:
        return session, ()
    whats: tuple[What, ...] = ()
    if unseen.next_board:
        at_s = unseen.unclear.at_s
        session, whats = append(session, next_board(session, entry), at_s)
    session, asked = _ask(session, entry, unseen.unclear)
    return session, (*whats, *asked)


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
            case PiecesPlaced() if not session.match.board.broken:
                pass  # a rack being laid out
            case _:
                whats.append(finding)
    return session, tuple(whats)


def _stroke(session: Session, entry: int, done: StrokeDone) -> Heard:
    entry = _free(session, entry)
    facts, match = done.facts, session.match
    if session.question is None:
        on_turn = on_turn_at(match, facts.seat)
        if on_turn is False:
            return _ask(session, entry, _wrong_turn(done, match.seat))
        if _misplaced(facts):
            return _ask(session, entry, _wrong_place(done))
        facts = replace(facts, seat=match.seat if on_turn is None else facts.seat)
    line = Line(entry, facts, done.probability, done.evidence)
    return append(session, line, facts.to_s)


def _free(session: Session, entry: int) -> int:
    """The entry's number; a second line of one entry takes one before it instead."""
    taken = {line.entry for line in session.record.lines}
    taken |= {edited.entry for edited in session.record.edits}
    while entry in taken:
        entry -= 1
    return entry


def _wrong_turn(done: StrokeDone, on_turn: Seat) -> Unclear:
    """The eyes saw a player strike who is not on turn: a foul, or our mistake?

    An empty stroke that went unseen leaves the turn on record where it was.
    """
    facts = done.facts
    assert facts.seat is not None
    readings = (
        Reading(facts, 0.4),
        Reading(replace(facts, seat=None), 0.3),
        Reading(replace(facts, out_of_turn=True), 0.3),
    )
    text = (
        f"{facts.seat.value} struck, but by the record it is {on_turn.value}'s turn. "
        f"Was it {facts.seat.value}'s turn, for a stroke before went unseen? Or did "
        f"{on_turn.value} strike? Or was it out of turn?"
    )
    return Unclear(facts.to_s, Doubt.OUT_OF_TURN, text, readings, done.evidence)


def _misplaced(facts: StrokeFacts) -> bool:
    """Whether the striker stood wrong by more than a measurement may be off."""
    place = facts.placement
    return place is not None and place.placement is Placement.ILLEGAL


def _wrong_place(done: StrokeDone) -> Unclear:
    """A striker seen off its legal places: improper (130), if the umpire says so."""
    facts = done.facts
    assert facts.placement is not None
    readings = (Reading(replace(facts, improper=True), 0.6), Reading(facts, 0.4))
    text = (
        f"the striker stood {-facts.placement.margin_mm:.0f} mm wrong "
        f"({facts.placement.reason.replace('-', ' ')}): an improper stroke?"
    )
    return Unclear(facts.to_s, Doubt.PLACEMENT, text, readings, done.evidence)


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
