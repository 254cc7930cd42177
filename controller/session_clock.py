"""The game's clock and the waits for a stroke, as a fold of what happened. Pure.

Theory of operation. Every second here comes from an input. The clock's entries are
lines of the record, so that one taken back never counted; `clock_of` reads them all
anew. A game with a limit starts with its break when the umpire did not start it. A
pause stops everything that runs (121): `due_s` says when a limit is reached with the
pauses left out. Times of the host's clock end with the host: `CUT` keeps what the
game's clock showed, and the umpire resumes it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import assert_never

from controller.events import ClockAction, ClockSet
from controller.outcomes import Verdict
from controller.rules.contest import Contest
from controller.rules.match_state import Phase
from controller.session_record import Line


@dataclass(frozen=True, slots=True)
class Clock:
    """One game's clock and the pauses since the host's clock began.

    `started_s`: since when it runs, with `carried_s` on it; None: not started, or
    stopped when there is something on it. `paused_s`: since when all clocks stand.
    """

    started_s: float | None = None
    carried_s: float = 0.0
    pauses: tuple[tuple[float, float], ...] = ()
    paused_s: float | None = None

    @property
    def known(self) -> bool:
        """Whether it was ever started in this game."""
        return self.started_s is not None or self.carried_s > 0

    @property
    def running(self) -> bool:
        """Whether seconds are added to it now."""
        return self.started_s is not None and self.paused_s is None

    @property
    def shown_since_s(self) -> float | None:
        """Since when it has run without a pause; None while it stands."""
        if self.started_s is None or self.paused_s is not None:
            return None
        return max([self.started_s, *(to for _, to in self.pauses)])

    def elapsed_s(self, now_s: float) -> float:
        """What it shows at a moment."""
        if self.started_s is None:
            return self.carried_s
        end_s = now_s if self.paused_s is None else min(now_s, self.paused_s)
        gone_s = max(end_s - self.started_s, 0.0)
        return self.carried_s + gone_s - self._paused_between(self.started_s, end_s)

    def due_s(self, since_s: float, limit_s: float) -> float | None:
        """When a limit from `since_s` on is reached; None while all clocks stand."""
        due_s = since_s + limit_s
        for from_s, to_s in self.pauses:
            if from_s < due_s:
                due_s += max(to_s - max(from_s, since_s), 0.0)
        stands = self.paused_s is not None and self.paused_s < due_s
        return None if stands else due_s

    def game_due_s(self, limit_s: float) -> float | None:
        """When the game's clock shows a limit; None while it stands."""
        if self.started_s is None:
            return None
        return self.due_s(self.started_s, limit_s - self.carried_s)

    def _paused_between(self, from_s: float, to_s: float) -> float:
        return sum(
            max(min(end_s, to_s) - max(start_s, from_s), 0.0)
            for start_s, end_s in self.pauses
        )


def clock_of(
    opening: Contest, lines: Iterable[Line], verdicts: Iterable[Verdict]
) -> Clock:
    """The running game's clock after these lines, judged as far as they are."""
    judged = {verdict.entry: verdict for verdict in verdicts}
    clock, game = Clock(), opening.game
    for line in lines:
        if isinstance(line.what, ClockSet):
            clock = worked(clock, line.what)
        verdict = judged.get(line.entry)
        if verdict is None:
            continue
        if verdict.after.game != game:
            clock, game = Clock(), verdict.after.game
        elif not clock.known and _starts_game(verdict):
            assert verdict.facts is not None
            clock = replace(clock, started_s=verdict.facts.from_s)
    return clock


def _starts_game(verdict: Verdict) -> bool:
    """Whether this stroke broke the first board of a game that has a limit."""
    timed = verdict.after.laws.game_limit_s is not None
    breaks = (
        verdict.before.phase is Phase.BREAK and verdict.after.phase is not Phase.BREAK
    )
    return timed and breaks and verdict.facts is not None


def worked(clock: Clock, entry: ClockSet) -> Clock:
    """The clock after an entry; one that changes nothing leaves it as it is."""
    at_s = entry.at_s
    match entry.action:
        case ClockAction.START:
            return replace(clock, started_s=at_s, carried_s=entry.elapsed_s)
        case ClockAction.PAUSE:
            return (
                clock if clock.paused_s is not None else replace(clock, paused_s=at_s)
            )
        case ClockAction.RESUME:
            return _resumed(clock, at_s)
        case ClockAction.CUT:
            return Clock(carried_s=clock.elapsed_s(at_s))
        case ClockAction.PLAY:
            return clock
        case _:
            assert_never(entry.action)


def _resumed(clock: Clock, at_s: float) -> Clock:
    if clock.paused_s is not None:
        pauses = (*clock.pauses, (clock.paused_s, max(at_s, clock.paused_s)))
        clock = replace(clock, pauses=pauses, paused_s=None)
    if clock.started_s is None and clock.carried_s > 0:
        clock = replace(clock, started_s=at_s)
    return clock


def refuse_unfit(clock: Clock, action: ClockAction) -> None:
    """Raises ValueError, in one line, for an entry that would change nothing."""
    stands = clock.paused_s is not None
    stopped = clock.started_s is None and clock.carried_s > 0
    match action:
        case ClockAction.PAUSE if stands:
            raise ValueError("the clocks stand already: resume them first")
        case ClockAction.RESUME if not stands and not stopped:
            raise ValueError("no clock stands: there is nothing to resume")
        case _:
            pass
