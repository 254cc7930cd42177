"""The simulated referee against the laws' own case list."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from controller.simulator.referee import (
    Facts,
    MatchScore,
    Queen,
    Ruling,
    Standing,
    board_won,
    rule,
)

CASES = Path(__file__).parents[2].parent / "shared/laws/scenarios.yaml"
QUEENS = {
    "on": Queen.ON,
    "await": Queen.AWAIT,
    "covX": Queen.COVERED_X,
    "covY": Queen.COVERED_Y,
}
BEFORE = {"x", "y", "q", "ever", "dx", "dy", "sx", "sy", "phase", "break_attempt"}
FACTS = {"k", "m", "q", "s", "imp", "touched"}
AFTER = {"turn", "bx", "by", "bq", "q", "dx", "dy", "win", "pts", "dem"}


def _stroke_cases() -> list[Any]:
    if not CASES.exists():
        return []
    records = yaml.load(CASES.read_text(), yaml.BaseLoader)
    return [
        pytest.param(case, id=case["id"])
        for case in records
        if case["rules"] == "icf"
        and set(case["b"]) <= BEFORE
        and set(case["st"]) <= FACTS
        and set(case["e"]) & AFTER
    ]


def _standing(b: dict[str, str]) -> Standing:
    x = int(b.get("x", 9))
    return Standing(
        x=x,
        y=int(b.get("y", 9)),
        queen=QUEENS[b.get("q", "on")],
        due_x=int(b.get("dx", 0)),
        due_y=int(b.get("dy", 0)),
        score_x=int(b.get("sx", 0)),
        score_y=int(b.get("sy", 0)),
        ever=b.get("ever", "true" if x < 9 else "false") == "true",
        attempt=int(b.get("break_attempt", 1 if b.get("phase") == "break" else 0)),
    )


def _facts(st: dict[str, str]) -> Facts:
    return Facts(
        own=int(st.get("k", 0)),
        other=int(st.get("m", 0)),
        queen=st.get("q") == "1",
        striker=st.get("s") == "1",
        improper=st.get("imp") == "true",
        touched=st.get("touched") != "false",
    )


def _outcome(ruling: Ruling) -> dict[str, Any]:
    over = ruling.winner_x is not None
    names = {queen: name for name, queen in QUEENS.items()}
    return {
        "turn": "over" if over else "Y" if ruling.turn_passes else "X",
        "bx": ruling.back_x,
        "by": ruling.back_y,
        "bq": int(ruling.queen_back),
        "q": names[ruling.after.queen],
        "dx": ruling.after.due_x,
        "dy": ruling.after.due_y,
        "win": "X" if ruling.winner_x else "Y",
        "pts": ruling.points,
        "dem": ruling.demandable,
    }


@pytest.mark.skipif(not CASES.exists(), reason="the laws' case list is not here")
@pytest.mark.parametrize("case", _stroke_cases())
def test_the_referee_rules_as_the_case_list_says(case: dict[str, Any]) -> None:
    outcome = _outcome(rule(_standing(case["b"]), _facts(case["st"])))
    expected = {key: case["e"][key] for key in set(case["e"]) & AFTER}
    assert {key: str(outcome[key]) for key in expected} == expected


@pytest.mark.parametrize(
    ("before", "facts", "winner_x", "points"),
    [
        pytest.param(
            Standing(x=2, y=1, queen=Queen.AWAIT, score_y=3),
            Facts(other=1),
            False,
            5,
            id="103a: the opponent's last coin while the queen waits",
        ),
        pytest.param(
            Standing(x=3, y=1, queen=Queen.COVERED_X),
            Facts(own=1, other=1),
            False,
            2,
            id="the opponent finished first with my queen covered",
        ),
        pytest.param(
            Standing(x=1, y=1, queen=Queen.COVERED_X),
            Facts(own=1, other=1, striker=True),
            False,
            1,
            id="110a: both last coins and the striker, my queen",
        ),
        pytest.param(
            Standing(x=1, y=1, score_y=22),
            Facts(own=1, other=1),
            False,
            1,
            id="105a: both last coins under a queen on the board, from 22",
        ),
        pytest.param(
            Standing(x=1, y=9),
            Facts(own=1, queen=True),
            True,
            12,
            id="97a: queen and last coin together, never above twelve",
        ),
    ],
)
def test_a_board_ends_by_its_article(
    before: Standing, facts: Facts, winner_x: bool, points: int
) -> None:
    ruling = rule(before, facts)
    assert (ruling.winner_x, ruling.points) == (winner_x, points)


def test_a_striker_with_the_last_own_coin_gives_both_back_and_the_turn_goes_on() -> (
    None
):
    ruling = rule(
        Standing(x=1, y=4, queen=Queen.COVERED_X, ever=True),
        Facts(own=1, striker=True),
    )
    assert (ruling.winner_x, ruling.back_x, ruling.turn_passes) == (None, 2, False)


def test_a_coin_sunk_for_a_debtor_is_taken_out_again() -> None:
    ruling = rule(Standing(x=5, y=9, due_y=1, ever=True), Facts(other=1))
    assert (ruling.back_y, ruling.after.y, ruling.after.due_y) == (1, 9, 0)


def test_breaks_alternate_by_board_and_by_game() -> None:
    score = MatchScore(first_breaker=1)
    breakers = [score.breaker]
    for _ in range(3):
        score = board_won(score, 0, 12)
        breakers.append(score.breaker)
    assert breakers == [1, 0, 1, 0]
    assert (score.game, score.games, score.sides_changed) == (2, (1, 0), True)


def test_eight_boards_end_a_game_for_the_leader_and_a_tie_adds_one() -> None:
    score = MatchScore()
    for board in range(8):
        score = board_won(score, board % 2, 2)
    assert (score.board, score.points) == (9, (8, 8))
    assert board_won(score, 1, 1).games == (0, 1)


def test_the_third_game_changes_seats_once() -> None:
    score = replace(MatchScore(), game=3, games=(1, 1), board=2, points=(8, 2))
    half_way = board_won(score, 0, 6)
    assert half_way.sides_changed
    assert board_won(half_way, 1, 2).sides_changed
