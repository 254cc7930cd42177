"""Single laws changed in a rule set, as a club writes them in its configuration.

Fields go by their own names; the options the sources name have their names too
(`back_shots = false`, `colour_by_first_pot = true`, `scoring = "points"`). "none"
takes a limit away.
"""

from collections.abc import Mapping
from dataclasses import fields, replace
from enum import StrEnum
from types import NoneType
from typing import Any, get_args, get_type_hints

from controller.rules.board import COINS_PER_SIDE
from controller.rules.choices import Counting, Toss
from controller.rules.laws import Laws
from controller.rules.rule_sets import FAMILY, POINT, rule_set
from controller.rules.sources import DESCRIPTION

Value = bool | int | float | str | tuple[int, ...] | None
FIELDS = tuple(f.name for f in fields(Laws) if f.name not in DESCRIPTION)

OPTIONS: dict[str, str] = {
    "scoring": "counting",
    "back_shots": "back_shots_allowed",
    "thumb": "thumb_allowed",
    "hand_over_arrow": "hand_over_arrow_allowed",
}
"""What the sources call an option, and the field it sets."""

_FLAGS_BESIDES = ("colour_by_first_pot",)
"""Options that are true or false and no field of their own."""

_WORDS: dict[tuple[str, str], str] = {
    ("own_last_before_queen", "lose"): "loses-queen",
    ("own_last_before_queen", "win"): "wins-coins",
    ("own_last_before_queen", "back"): "back-as-foul",
}
"""Short words for choices of a field."""

MOST = 100_000
"""No points, boards or seconds of a match reach it."""
_TIMES = ("stroke_limit_s", "placing_limit_s", "game_limit_s", "game_warning_s")
_COINS = (
    "foul_coins",
    "improper_striker_coins",
    "improper_queen_striker_coins",
    "improper_queen_coins",
)
_FROM_ONE = (
    "board_points_max",
    "game_points",
    "boards_per_game",
    "games_per_match",
    "boards_to_win",
    "break_attempts",
)

_OF_COUNTING = (
    "queen_points",
    "queen_counts_to",
    "board_points_max",
    "game_points",
    "boards_per_game",
    "games_per_match",
    "shown_points_max",
    "tie",
    "side_change",
    "early_queen",
    "players",
    "white_points",
    "black_points",
    "striker_points",
)
"""What a board game takes over from a counting game when it is played for points."""


def values(laws: Laws, changes: Mapping[str, Value]) -> dict[str, object]:
    """Every field of the rule set with the changes made, their types not checked yet.

    Raises ValueError for a name that is no law of a rule set.
    """
    named = dict(_named(laws, changes))
    if named.get("counting") == Counting.POINTS:
        laws = for_points(laws)
    return {field.name: getattr(laws, field.name) for field in fields(Laws)} | named


def for_points(laws: Laws) -> Laws:
    """The rule set as it is played for points, whoever pockets a piece.

    The standard rules' ten points for the striker belong to games of 5 and 10
    (reading r11); everybody else counts as in point carrom (reading r9).
    """
    if laws.players_collect:
        return laws
    counting = FAMILY if laws.name == "standard" else POINT
    taken: dict[str, Any] = {name: getattr(counting, name) for name in _OF_COUNTING}
    return replace(laws, counting=Counting.POINTS, **taken)


def _named(laws: Laws, changes: Mapping[str, Value]) -> list[tuple[str, object]]:
    found: list[tuple[str, object]] = []
    for name, value in changes.items():
        _refuse_truth(OPTIONS.get(name, name), value)
        if name == "colour_by_first_pot":
            toss = Toss.COLOUR_BY_FIRST_POT if value is True else laws.toss
            found.append(("toss", toss))
            continue
        field = OPTIONS.get(name, name)
        if field not in FIELDS:
            raise ValueError(
                f"no law is called {name!r}: carrom laws {laws.name} lists them"
            )
        word = _WORDS.get((field, value), value) if isinstance(value, str) else value
        found.append((field, None if word == "none" else word))
    return found


def _refuse_truth(field: str, value: object) -> None:
    """Raises ValueError for a truth where a number or a word stands, or the reverse."""
    is_flag = field in _FLAGS_BESIDES or _HINTS.get(field) is bool
    if isinstance(value, bool) is not is_flag and field in (*FIELDS, *_FLAGS_BESIDES):
        asked = "true or false" if is_flag else "no truth value"
        raise ValueError(f"law {field} should be {asked}, got {value!r}")


def changes_of(laws: Laws) -> tuple[tuple[str, str], ...]:
    """The fields in which a set differs from the published one of its name, as text.

    Raises Refusal when no set of that name is published.
    """
    published = rule_set(laws.name)
    base = for_points(published) if laws.players_collect else published
    told = (("counting", Counting.POINTS.value),) if base != published else ()
    return told + tuple(
        (name, _written(getattr(laws, name)))
        for name in FIELDS
        if getattr(laws, name) != getattr(base, name)
    )


def with_changes(laws: Laws, changes: tuple[tuple[str, str], ...]) -> Laws:
    """The rule set with these fields changed. Raises ValueError for no such field
    or no such value."""
    read = {name: _read(laws, name, text) for name, text in changes}
    if read.get("counting") == Counting.POINTS:
        laws = for_points(laws)
    every: dict[str, Any] = {
        field.name: getattr(laws, field.name) for field in fields(Laws)
    }
    changed = Laws(**(every | read))
    refuse_unsound(changed)
    return changed


def refuse_unsound(laws: Laws) -> None:
    """Raises ValueError, naming the law, for a value nobody can play by."""
    for name in FIELDS:
        value = getattr(laws, name)
        least = 1 if name in _FROM_ONE else 0
        if isinstance(value, bool) or not isinstance(value, int | float):
            continue
        if not least <= value <= MOST or (name in _TIMES and not value):
            span = f"from {least} to {MOST}"
            asked = "above 0" if name in _TIMES and not value else f"a number {span}"
            raise ValueError(f"law {name} should be {asked}, got {value!r}")
        if name in _COINS and value > COINS_PER_SIDE:
            raise ValueError(f"law {name} is a number of coins, 0 to 9, got {value!r}")
    if laws.games_per_match % 2 == 0:
        raise ValueError(
            f"law games_per_match is 1, 3, 5 ...: a match of {laws.games_per_match} "
            "games could end level"
        )
    limit, warning = laws.game_limit_s, laws.game_warning_s
    if limit is not None and warning is not None and warning >= limit:
        raise ValueError(
            f"law game_warning_s = {warning:g} comes before the bell "
            f"(game_limit_s = {limit:g})"
        )


def _written(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return "none" if value is None else str(value)


def _read(laws: Laws, name: str, text: str) -> object:
    """A field's value from its text, as its type wants it."""
    if name not in FIELDS:
        raise ValueError(
            f"no law is called {name!r}: carrom laws {laws.name} lists them"
        )
    kinds = get_args(_HINTS[name]) or (_HINTS[name],)
    if text == "none" and NoneType in kinds:
        return None
    kind = kinds[0]
    try:
        if kind is bool:
            return {"yes": True, "no": False}[text]
        if name == "players":
            return tuple(int(number) for number in text.split(","))
        assert issubclass(kind, int | float | StrEnum)
        return kind(text)
    except (KeyError, ValueError):
        raise ValueError(f"law {name} cannot be {text!r}") from None


_HINTS = get_type_hints(Laws)
