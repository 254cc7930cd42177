"""What the clocks call: the game's warning and bell, a stroke or a placing too late.

Theory of operation. `Timing` remembers since when play waits and what was called; it
changes only with what was heard and told, so that a replay calls the same. A call is
made once, by the first input at or after its moment; `wake_s` asks for one. Calls
take no turn and no point: the umpire rules.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from controller.events import ClockAction, ClockSet, Evidence, Input, Restarted
from controller.observer import evidence_at_s
from controller.outcomes import (
    Asked,
    Called,
    Judged,
    Phase,
    PiecesPlaced,
    RecordChanged,
    Verdict,
    Watching,
    What,
)
from controller.rules import match as rules
from controller.rules.choices import AtBell
from controller.rules.contest import Contest, leading, name_at
from controller.rules.decisions import DuePaid
from controller.rules.time_limits import GAME_CALLS, Call, law_of, limit_s
from controller.session_clock import Clock
from controller.words import minutes

AT_REST = (Phase.RACKING, Phase.BREAK, Phase.PLAYING)
"""Racking too: where "Play" was called, the rack is ready though nobody saw it."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Since when play waits, and what was called about it.

    `now_s`: the latest time heard of. `stroke_since_s`: play waits for a stroke since
    then. `placing_since_s`: coins owed wait in the opponent's hand since then.
    `given`: calls made, each with the wait (or the game) it was about.
    """

    now_s: float
    stroke_since_s: float | None = None
    placing_since_s: float | None = None
    given: tuple[tuple[Call, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Deadline:
    """A limit that runs now: what is called, about what, and when."""

    call: Call
    about: float
    at_s: float


def at_s_of(heard: Input) -> float:
    """When an input happened, on the host's clock."""
    return evidence_at_s(heard) if isinstance(heard, Evidence) else heard.at_s


def heard_at(timing: Timing, heard: Input) -> Timing:
    """The timing once the input's moment has come; a new host clock ends all waits."""
    at_s = at_s_of(heard)
    if isinstance(heard, Restarted) and not heard.same_clock:
        return Timing(at_s, given=tuple(g for g in timing.given if g[0] in GAME_CALLS))
    return replace(timing, now_s=max(timing.now_s, at_s))


def waiting(timing: Timing, heard: Input, whats: tuple[What, ...]) -> Timing:
    """The timing after what an input led to."""
    if isinstance(heard, ClockSet):
        if heard.action is ClockAction.PLAY:
            return replace(timing, stroke_since_s=heard.at_s)
        return timing
    for what in whats:
        timing = _waits(timing, what)
    return timing


def _waits(timing: Timing, what: What) -> Timing:
    match what:
        case Judged(at_s=at_s, verdict=verdict):
            waits = replace(timing, stroke_since_s=_next_from_s(verdict, at_s))
            due = any(_is_placed_by_player(each) for each in verdict.decisions)
            return replace(waits, placing_since_s=at_s if due else None)
        case RecordChanged(at_s=at_s, after=match):
            plays = match.phase is rules.Phase.PLAY
            since_s = at_s if plays else None
            return replace(timing, stroke_since_s=since_s, placing_since_s=None)
        case PiecesPlaced(at_s=at_s):
            plays = timing.stroke_since_s is not None
            since_s = at_s if plays else None
            return replace(timing, stroke_since_s=since_s, placing_since_s=None)
        case Watching(ok=True, at_s=at_s) if timing.stroke_since_s is not None:
            return replace(timing, stroke_since_s=at_s)
        case Asked():
            return replace(timing, stroke_since_s=None, placing_since_s=None)
        case _:
            return timing


def _next_from_s(verdict: Verdict, at_s: float) -> float | None:
    """Since when the next stroke is waited for; a first break waits for "Play"."""
    repeats = verdict.after.phase is rules.Phase.BREAK and verdict.facts is not None
    return at_s if repeats or verdict.after.phase is rules.Phase.PLAY else None


def _is_placed_by_player(decision: object) -> bool:
    return isinstance(decision, DuePaid) and decision.placed_by == "opponent"


def deadlines(
    timing: Timing, clock: Clock, match: Contest, phase: Phase
) -> Iterator[Deadline]:
    """Every limit that runs now."""
    if match.game_winner is None and match.phase is not rules.Phase.MATCH_OVER:
        for call in GAME_CALLS:
            limit = limit_s(match.laws, call)
            due_s = None if limit is None else clock.game_due_s(limit)
            if due_s is not None:
                yield Deadline(call, float(match.game), due_s)
    if phase not in AT_REST:
        return
    placing = timing.placing_since_s is not None
    call = Call.PLACING_LATE if placing else Call.STROKE_LATE
    since_s = timing.placing_since_s if placing else timing.stroke_since_s
    limit = limit_s(match.laws, call)
    if since_s is None or limit is None:
        return
    due_s = clock.due_s(since_s, limit)
    if due_s is not None:
        yield Deadline(call, since_s, due_s)


def called(
    timing: Timing, clock: Clock, match: Contest, phase: Phase
) -> tuple[Timing, tuple[Called, ...]]:
    """What is called now, and the timing that remembers it.

    A game's clock that was set back, or a wait that began anew, may call again.
    """
    running = tuple(deadlines(timing, clock, match, phase))
    ahead = {(one.call, one.about) for one in running if one.at_s > timing.now_s}
    waits = (timing.stroke_since_s, timing.placing_since_s)
    given = tuple(
        g
        for g in timing.given
        if g not in ahead and (g[0] in GAME_CALLS or g[1] in waits)
    )
    due = [
        one
        for one in running
        if one.at_s <= timing.now_s and (one.call, one.about) not in given
    ]
    given += tuple((one.call, one.about) for one in due)
    told = tuple(_called(one, match) for one in sorted(due, key=lambda o: o.at_s))
    return replace(timing, given=given), told


def wake_s(timing: Timing, clock: Clock, match: Contest, phase: Phase) -> float | None:
    """The next moment at which something is called; None when no limit runs."""
    ahead = (
        one.at_s
        for one in deadlines(timing, clock, match, phase)
        if one.at_s > timing.now_s
    )
    return min(ahead, default=None)


def _called(deadline: Deadline, match: Contest) -> Called:
    call, laws = deadline.call, match.laws
    law = law_of(laws, call, first_stroke=match.board.turn_strokes == 0)
    limit = limit_s(laws, call) or 0.0
    left_s = None
    if call is Call.WARNING and laws.game_limit_s is not None:
        left_s = laws.game_limit_s - limit
    return Called(deadline.at_s, call, law, _words(call, limit, match), left_s)


def _words(call: Call, limit: float, match: Contest) -> str:
    on_turn = name_at(match, None)
    match call:
        case Call.WARNING:
            left_s = (match.laws.game_limit_s or limit) - limit
            return f"{minutes(limit)} of the game are over, {minutes(left_s)} left"
        case Call.BELL:
            plays_on = match.laws.at_bell is AtBell.FINISH_BOARD
            then = "this board is played out" if plays_on else _standing(match)
            return f"time: {minutes(limit)} are over; {then}"
        case Call.STROKE_LATE:
            return f"{limit:.0f} s are over and {on_turn} has not struck"
        case Call.PLACING_LATE:
            return f"{limit:.0f} s are over and the coins owed are not placed"


def _standing(match: Contest) -> str:
    """Who leads as the bell counts it."""
    if match.board.over:
        return "no board is running"
    leads = leading(match)
    if leads is None:
        return f"level, to be decided by {match.laws.tie.value.replace('-', ' ')}"
    return f"{leads} leads"
