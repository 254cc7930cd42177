"""A session's match in the notation of docs/notation.md, to keep, send or play on.

The lines are those of the record as they stand, corrections made. Where the record
had to be put right before a stroke (the table lay otherwise, the other side was on
turn) the board is set before it, so that a replay of the text ends where the match
did. The score card follows as remarks.
"""

from collections.abc import Iterator
from dataclasses import replace

from calibration.table import Piece
from controller.events import Fallen, StrokeFacts
from controller.outcomes import Verdict
from controller.rules.contest import Contest, Entry
from controller.rules.counting_entries import PursesSet
from controller.rules.counting_match import CountingMatch
from controller.rules.happenings import BoardSet, LateFall
from controller.rules.match import Match
from controller.rules.match_notation import MatchRecord, write_match
from controller.rules.noted import Noted
from controller.rules.order import ByPlayer
from controller.rules.overrides import changes_of
from controller.rules.record_notation import write_record
from controller.rules.stroke import Stroke
from controller.session import Session
from controller.session_record import prepared, stroke_of

_ORDER = (Piece.WHITE, Piece.BLACK, Piece.QUEEN, Piece.STRIKER)


def match_text(session: Session) -> str:
    """The match so far as text, its card in remarks."""
    text = write_match(match_record(session))
    match = session.match
    if isinstance(match, CountingMatch) or not match.records:
        return text
    card = "\n".join(f"# {write_record(record)}" for record in match.records)
    return f"{text}# the score card: game.board, who broke / who won how / queen / score\n{card}\n"


def match_record(session: Session) -> MatchRecord:
    """The match as it began and everything that happened, in order."""
    configured, opening = session.configured, session.opening
    first, second, *others = _names(opening)
    entries = tuple(
        entry for verdict in session.verdicts for entry in _entries(session, verdict)
    )
    return MatchRecord(
        laws=configured.laws.name,
        first=first,
        second=second,
        doubles=isinstance(opening, Match) and opening.doubles,
        round=configured.round,
        entries=entries,
        others=tuple(others),
        changes=changes_of(configured.laws),
    )


def _names(opening: Contest) -> tuple[str, ...]:
    names = opening.names
    return (names.first, names.second) if isinstance(names, ByPlayer) else names


def _entries(session: Session, verdict: Verdict) -> Iterator[Entry | Noted]:
    """What one line of the record adds; nothing where nothing could follow."""
    facts = verdict.facts
    if facts is None:
        yield from verdict.rulings if verdict.decisions or _moved(verdict) else ()
        return
    if not verdict.decisions and not _moved(verdict):
        return
    at_s = _seconds_played(session, facts)
    ready, _ = prepared(verdict.before, facts)
    if ready.board != verdict.before.board:
        yield _set(ready)
    if facts.between_strokes:
        for fall in facts.fell:
            yield Noted(entry=LateFall(fall.piece), at_s=at_s)
        return
    stroke = stroke_of(ready, facts)
    noted = Noted(entry=stroke, at_s=at_s, by=facts.seat)
    pockets = tuple(fall.pocket for fall in _in_order(facts))
    fell = sum(stroke.pocketed.values()) if isinstance(stroke, Stroke) else 0
    yield replace(noted, pockets=pockets) if fell == len(pockets) else noted


def _moved(verdict: Verdict) -> bool:
    return verdict.after != verdict.before


def _set(match: Contest) -> Entry:
    if isinstance(match, CountingMatch):
        return PursesSet(match.board)
    return BoardSet(match.board)


def _in_order(facts: StrokeFacts) -> list[Fallen]:
    return sorted(facts.fell, key=lambda fall: _ORDER.index(fall.piece))


def _seconds_played(session: Session, facts: StrokeFacts) -> float:
    """Seconds from the match's first stroke to the end of this one."""
    starts = (v.facts.from_s for v in session.verdicts if v.facts is not None)
    return round(max(0.0, facts.to_s - next(starts)), 1)
