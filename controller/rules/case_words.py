"""The words of a law case: its keys, and how its numbers and names are read."""

from collections.abc import Mapping

from calibration.refusal import Refusal
from calibration.table import Placement

STATE_KEYS = frozenset(
    [
        "x",
        "y",
        "q",
        "ever",
        "dx",
        "dy",
        "sx",
        "sy",
        "phase",
        "break_attempt",
        "game",
        "board",
        "boards_played",
        "round",
        "first_breaker_of_match",
        "doubles",
        "on_turn",
        "owed_to_X",
        "available",
        "striker",
        "hand_over_arrow",
        "queen_uncovered_missed_by_all",
        "next_stroke_made",
    ]
)
HAPPENING_KEYS = frozenset(
    [
        "k",
        "m",
        "q",
        "s",
        "imp",
        "touched",
        "jumped",
        "jumped_and_fell_back",
        "via_lamp",
        "striker_off_board",
        "breach",
        "slip",
        "hanging_own_coin_falls_later",
        "thumb",
        "seconds",
        "leaves_seat",
        "x_wants_to_waive",
    ]
)
Words = Mapping[str, object]
UNCERTAIN = "uncertain"
SCORES = ("sx", "sy")
"""Only scores can be negative, in counting games."""


def number(words: Words, key: str, default: int) -> int:
    """A whole number of a case. Raises Refusal for anything else."""
    value = words.get(key, default)
    if isinstance(value, bool):
        return int(value)
    if not isinstance(value, int) or (value < 0 and key not in SCORES):
        raise Refusal(f"{key!r} must be a whole number, got {value!r}")
    return value


def one_of(
    words: Words, key: str, known: tuple[str, ...], default: str | None = None
) -> str | None:
    """A word of a case, None when it is left out. Raises Refusal for any other."""
    value = words.get(key, default)
    if value is not None and value not in known:
        raise Refusal(f"{key} must be one of {', '.join(known)}, got {value!r}")
    return None if value is None else str(value)


def placement(words: Words) -> Placement:
    """Both base lines touched, a base circle all or nothing, the arrow clear (130).

    A fact given as "uncertain" leaves the placement so, unless another forbids it.
    """
    striker = words.get("striker")
    if not isinstance(striker, Mapping):
        return Placement.LEGAL
    circle = striker.get("base_circle", "clear")
    if circle not in ("clear", "covered", "partly_covered", UNCERTAIN):
        raise Refusal(f"base_circle is clear, covered or partly_covered: {circle!r}")
    arrow = striker.get("touches_arrow", False)
    lines = _lines_touched(striker)
    wrong = (arrow is True, circle == "partly_covered", False in lines)
    if any(wrong):
        return Placement.ILLEGAL
    if UNCERTAIN in (arrow, circle, *lines):
        return Placement.UNCERTAIN
    return Placement.LEGAL


def _lines_touched(striker: Words) -> tuple[object, ...]:
    """Whether each base line is touched; a case that names neither asks of others."""
    if "touches_both" in striker:
        return (striker["touches_both"],)
    if not {"touches_upper", "touches_lower"} & set(striker):
        return (True,)
    return striker.get("touches_upper", False), striker.get("touches_lower", False)
