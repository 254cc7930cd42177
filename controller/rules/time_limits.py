"""Limits of time, driven by the seconds events carry and by no clock of our own.

ICF 46, 50, 87, 124 for strokes and placing; a game's own limit where a rule set
has one (tournament: a warning at 20 minutes, the bell at 25).
"""

from enum import StrEnum

from controller.rules.laws import Laws


class Call(StrEnum):
    """What the referee calls."""

    WARNING = "warning"
    BELL = "bell"
    STROKE_LATE = "stroke-late"
    PLACING_LATE = "placing-late"


def game_calls(laws: Laws, before_s: float, now_s: float) -> tuple[Call, ...]:
    """What to call between two moments of a game, both since its start.

    Each call is given once: when its moment lies after `before_s`, up to `now_s`.
    """
    limits = ((laws.game_warning_s, Call.WARNING), (laws.game_limit_s, Call.BELL))
    return tuple(
        call
        for limit_s, call in limits
        if limit_s is not None and before_s < limit_s <= now_s
    )


def stroke_left_s(laws: Laws, waited_s: float) -> float | None:
    """Seconds left for the stroke, negative when too late; None without a limit.

    `waited_s`: since rest, the striker being handed over or the placing done,
    without the time of appeals (121).
    """
    return None if laws.stroke_limit_s is None else laws.stroke_limit_s - waited_s


def placing_left_s(laws: Laws, waited_s: float) -> float | None:
    """Seconds left to place a coin or waive it; None without a limit (87, 88)."""
    return None if laws.placing_limit_s is None else laws.placing_limit_s - waited_s


def late_calls(
    laws: Laws, stroke_waited_s: float | None, placing_waited_s: float | None
) -> tuple[Call, ...]:
    """Which of the running waits has passed its limit (None: not running)."""
    waits = (
        (stroke_waited_s, stroke_left_s, Call.STROKE_LATE),
        (placing_waited_s, placing_left_s, Call.PLACING_LATE),
    )
    calls = []
    for waited_s, left, call in waits:
        if waited_s is None:
            continue
        left_s = left(laws, waited_s)
        if left_s is not None and left_s < 0:
            calls.append(call)
    return tuple(calls)
