"""The entry a form becomes in what is played: a match of two sides, or each for himself."""

from typing import assert_never

from controller.console.law_forms import AnyLawForm, Award, FellLater, Plain
from controller.rules.contest import Contest, Entry
from controller.rules.counting_entries import CountingEntry, GameAwarded, Replayed
from controller.rules.counting_state import CountingMatch
from controller.rules.happenings import Bell, LateFall, Passed
from controller.rules.match import Match

COUNTING_FORMS = frozenset({"passed", "fell-later", "void", "bell", "award"})
"""Entries that a game of players each for himself knows."""


def entered(form: AnyLawForm, contest: Contest, reason: str) -> Entry:
    """The entry; raises ValueError for one that makes no sense in this game."""
    match contest:
        case Match():
            return form.entered(contest, reason)
        case CountingMatch():
            return _counting(form, reason)
        case _:
            assert_never(contest)


def _counting(form: AnyLawForm, reason: str) -> CountingEntry:
    match form:
        case Plain(entry="passed"):
            return Passed()
        case Plain(entry="bell"):
            return Bell()
        case Plain(entry="void"):
            return Replayed()
        case FellLater(piece=piece):
            return LateFall(piece)
        case Award(player=player):
            return GameAwarded(player, reason)
        case _:
            raise ValueError(
                f"{form.entry.replace('-', ' ')} is for two sides: here each plays "
                "for himself"
            )
