"""Limits of time, as amounts: the clocks that run against them are the session's.

ICF 46, 50, 87, 124 for strokes and placing; a game's own limit where a rule set
has one (tournament: a warning at 20 minutes, the bell at 25).
"""

from enum import StrEnum
from typing import assert_never

from controller.rules.choices import Overtime
from controller.rules.laws import Laws


class Call(StrEnum):
    """What the referee calls."""

    WARNING = "warning"
    BELL = "bell"
    STROKE_LATE = "stroke-late"
    PLACING_LATE = "placing-late"


GAME_CALLS = (Call.WARNING, Call.BELL)
"""Called by the game's clock; the others by a wait that takes too long."""


def limit_s(laws: Laws, call: Call) -> float | None:
    """After how many seconds this is called; None where there is no limit.

    Of the game since its start; of a stroke since rest, "Play" or the placing done;
    of placing since the coins were due. Appeals and time stops do not count (121).
    """
    match call:
        case Call.WARNING:
            return laws.game_warning_s
        case Call.BELL:
            return laws.game_limit_s
        case Call.STROKE_LATE:
            return laws.stroke_limit_s
        case Call.PLACING_LATE:
            return laws.placing_limit_s
        case _:
            assert_never(call)


def law_of(laws: Laws, call: Call, *, first_stroke: bool) -> str:
    """The law a call rests on; `first_stroke`: none was made in this turn yet (63)."""
    match call:
        case Call.WARNING | Call.BELL:
            return "time.bell"
        case Call.PLACING_LATE:
            return "due.forfeited"
        case Call.STROKE_LATE:
            if laws.overtime is not Overtime.BREACH:
                return "time.turn-lost"
            return "time.first-stroke" if first_stroke else "time.stroke"
        case _:
            assert_never(call)
