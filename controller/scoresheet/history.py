"""A whole match as a score card needs it: how it stands, its times, its trail.

It comes from a journal, or from a match written in the text notation, which keeps
neither wall time nor who made an entry: those fields of the card stay open.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from calibration.refusal import Refusal
from controller.journal_rows import Recorded
from controller.outcomes import Verdict
from controller.recording import replayed
from controller.rules.contest import Contest
from controller.rules.entries import TossDecided
from controller.rules.match import Match
from controller.rules.match_notation import MatchRecord
from controller.scoresheet.trail import Change, change_by_hand, changes
from controller.session import Session

Times = tuple[str | None, str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """A match up to its last entry.

    `spans`: for each game its first stroke and its end (UTC, ISO 8601), where known.
    """

    contest: Contest
    table: str = ""
    date: str | None = None
    spans: tuple[Times, ...] = ()
    trail: tuple[Change, ...] = ()
    toss: tuple[str, str] = ("", "")
    """Who won it and what he chose, where it was entered in the record."""
    winners: tuple[tuple[int, str], ...] = ()
    """Each decided game's number and who won it; points alone do not say."""

    def times(self, game: int) -> Times:
        """When a game's first stroke was made, and when it was decided."""
        return self.spans[game - 1] if game <= len(self.spans) else (None, None)


def of_journal(inputs: Iterable[Recorded]) -> History:
    """The history of a journal's match. Raises Refusal when it holds none."""
    session: Session | None = None
    times: dict[int, str] = {}
    trail: list[Change] = []
    for one, now, told in replayed(inputs):
        session, times[one.entry] = now, one.utc
        trail += changes(one, told)
    if session is None:
        raise Refusal("the journal holds no match: nothing to put on a score card")
    games = range(1, session.match.game + 1)
    return History(
        contest=session.match,
        table=session.configured.table,
        date=min(times.values(), default=None),
        spans=tuple(_span(game, session.verdicts, times) for game in games),
        trail=tuple(trail),
        toss=_toss(session.verdicts),
        winners=_winners(verdict.after for verdict in session.verdicts),
    )


def _toss(verdicts: tuple[Verdict, ...]) -> tuple[str, str]:
    """The toss before the first board."""
    for verdict in verdicts:
        for ruling in verdict.rulings:
            if isinstance(ruling, TossDecided) and isinstance(verdict.before, Match):
                return _toss_words(ruling, verdict.before)
    return "", ""


def _toss_words(decided: TossDecided, match: Match) -> tuple[str, str]:
    return match.names[decided.winner], decided.choice.value


def of_text(record: MatchRecord) -> History:
    """The history of a written match.

    Raises ValueError, naming the place, where it cannot have been played so.
    """
    contest = record.opening()
    trail: list[Change] = []
    toss = "", ""
    passed: list[Contest] = []
    for number, (after, entry, _) in enumerate(record.steps(), 1):
        if isinstance(entry, TossDecided) and isinstance(contest, Match):
            toss = toss if any(toss) else _toss_words(entry, contest)
        trail += change_by_hand(number, entry, contest, after)
        contest = after
        passed.append(contest)
    return History(
        contest=contest, trail=tuple(trail), toss=toss, winners=_winners(passed)
    )


def _winners(passed: Iterable[Contest]) -> tuple[tuple[int, str], ...]:
    """Who won each game a match of two sides passed through."""
    found: dict[int, str] = {}
    for contest in passed:
        if isinstance(contest, Match) and contest.game_winner is not None:
            found[contest.game] = contest.names[contest.game_winner]
    return tuple(found.items())


def _span(game: int, verdicts: tuple[Verdict, ...], times: dict[int, str]) -> Times:
    start = finish = None
    for verdict in verdicts:
        if verdict.before.game != game:
            continue
        if verdict.facts is not None and start is None:
            start = times[verdict.entry]
        if _decided(verdict.after) and not _decided(verdict.before):
            finish = times[verdict.entry]
    return start, finish


def _decided(contest: Contest) -> bool:
    if isinstance(contest, Match):
        return contest.game_winner is not None or contest.winner is not None
    return contest.over
