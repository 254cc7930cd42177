"""Rulings in a session: lines and edits of the record, judged anew and told."""

from dataclasses import replace
from typing import assert_never

from controller.events import (
    BoardCalled,
    ClockSet,
    Corrected,
    FoulCalled,
    Inserted,
    Picked,
    Ruled,
    Ruling,
    ScoreSet,
    Stated,
    TakenBack,
)
from controller.outcomes import Judged, RecordChanged, RulingRefused, Verdict, What
from controller.rules import match as rules
from controller.rules.board import Side
from controller.rules.contest import (
    Contest,
    Entry,
    breach_at,
    needs_next_board,
    points_set,
)
from controller.rules.decisions import DuePaid
from controller.rules.difference import in_one_sentence
from controller.rules.entries import TossDecided
from controller.rules.happenings import Forfeited, NoRoom, Waived
from controller.session_clock import refuse_unfit
from controller.session_record import Line, Record, judge_lines
from controller.session_state import Heard, Session, next_board, with_verdicts
from controller.words import clock_words, facts_in_words


def rule(session: Session, entry: int, ruling: Ruling) -> Heard:
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
            called = breach_at(session.match, seat, technical=technical)
            return record.with_line(Line(entry, (called,)))
        case ScoreSet(points=points, reason=reason):
            corrected = points_set(session.match, points, reason)
            return record.with_line(Line(entry, (corrected,)))
        case ClockSet(action=action):
            refuse_unfit(session.clock, action)
            return record.with_line(Line(entry, ruling))
        case BoardCalled():
            if session.match.phase is rules.Phase.BREAK:
                return record
            return record.with_line(next_board(session, entry))
        case Ruled(ruling=law):
            return record.with_line(Line(entry, ruled_as(session, law)))
        case _:
            assert_never(ruling)


def ruled_as(session: Session, law: Entry) -> tuple[Entry, ...]:
    """What is entered for a ruling of the laws: itself, after what it calls for."""
    match law:
        case TossDecided() if needs_next_board(session.match):
            return rules.NextBoard(), law
        case Waived(side) | Forfeited(side):
            return *_lifted(session, side), law
        case _:
            return (law,)


def _lifted(session: Session, side: Side) -> tuple[NoRoom, ...]:
    """Coins the last line placed for a side: a claim given up or lost lifts them.

    The laws count a coin as back as soon as it is due; whoever places it may still
    waive it or be too late (80, 87, 88).
    """
    last = session.last.decisions if session.last else ()
    paid = sum(
        each.coins for each in last if isinstance(each, DuePaid) and each.side is side
    )
    return (NoRoom(side, paid),) if paid else ()


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
    session = with_verdicts(session, verdicts)
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
                _effect(before, session, entry),
                _warnings(changed, old),
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


def _effect(before: Contest, session: Session, entry: int) -> str:
    """What a ruling changed, or what it waits for."""
    unjudged = {line.entry for line in session.record.effective()}
    unjudged -= {verdict.entry for verdict in session.verdicts}
    if entry in unjudged and session.question is not None:
        return f"it counts once question {session.question.number} is answered"
    return in_one_sentence(before, session.match)


def _warnings(changed: tuple[Verdict, ...], old: dict[int, Verdict]) -> tuple[str, ...]:
    """Lines that can no longer have happened as recorded: shown, not forbidden."""
    return tuple(
        f"entry {verdict.entry} ({_subject(verdict)}) is {verdict.note}"
        for verdict in changed
        if verdict.note and verdict.note != old[verdict.entry].note
    )


def _subject(verdict: Verdict) -> str:
    return "ruling" if verdict.facts is None else facts_in_words(verdict.facts)


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
            text = "score set to " + " : ".join(map(str, points))
        case Picked(question=number) | Stated(question=number):
            text, reason = f"question {number} answered", ""
        case BoardCalled():
            text, reason = "board called", ""
        case ClockSet():
            text, reason = clock_words(ruling), ""
        case FoulCalled(technical=technical, reason=reason):
            text = "technical foul called" if technical else "foul called"
        case Ruled(reason=reason):
            text = "ruling"
        case _:
            assert_never(ruling)
    return f"{text}: {reason}" if reason else text
