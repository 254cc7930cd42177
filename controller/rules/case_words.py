"""The words of a law case: its keys, and how its numbers and names are read."""

from collections.abc import Mapping

from calibration.refusal import Refusal
from calibration.table import Placement, Seat

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
STATE_FLAGS = (
    "ever",
    "doubles",
    "hand_over_arrow",
    "queen_uncovered_missed_by_all",
    "next_stroke_made",
)
HAPPENING_FLAGS = (
    "q",
    "s",
    "imp",
    "touched",
    "striker_off_board",
    "thumb",
    "hanging_own_coin_falls_later",
    "via_lamp",
)
STRIKER_FACTS = ("touches_upper", "touches_lower", "touches_both", "touches_arrow")
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


def refuse_odd_flags(words: Words, flags: tuple[str, ...], *more: str) -> None:
    """Raises Refusal for what is neither true nor false, such as the word `no`."""
    for key in flags:
        value = words.get(key)
        if value is not None and value not in (0, 1, *more):
            raise Refusal(f"{key} is true or false, got {value!r}")


def seconds(words: Words) -> float | None:
    """The time a stroke took, None where it was not measured. Raises Refusal."""
    value = words.get("seconds")
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
        raise Refusal(f"seconds is a number from 0 on, got {value!r}")
    return float(value)


def seat(name: object) -> Seat:
    """A seat by its name. Raises Refusal."""
    try:
        return Seat(str(name).lower())
    except ValueError:
        raise Refusal(f"a seat is South, East, North or West, got {name!r}") from None


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
    striker = words.get("striker", {})
    if not isinstance(striker, Mapping):
        raise Refusal(f"'striker' must be a record of facts, got {striker!r}")
    if odd := [key for key in striker if key not in (*STRIKER_FACTS, "base_circle")]:
        raise Refusal(f"no fact of the striker is called {odd[0]!r}")
    refuse_odd_flags(striker, STRIKER_FACTS, UNCERTAIN)
    circle = striker.get("base_circle", "clear")
    if circle not in ("clear", "covered", "partly_covered", UNCERTAIN):
        raise Refusal(f"base_circle is clear, covered or partly_covered: {circle!r}")
    arrow = striker.get("touches_arrow", False)
    lines = _lines_touched(striker)
    wrong = (arrow == 1, circle == "partly_covered", False in lines)
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
