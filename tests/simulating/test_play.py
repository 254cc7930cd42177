"""A board by player: what the simulated hall remembers from stroke to stroke."""

import pytest

from controller.simulator.play import Play
from controller.simulator.referee import Facts, MatchScore, rule
from controller.simulator.truth import QueenState

STRIKER = Facts(striker=True)
HIS_COIN = Facts(other=1)
QUEEN = Facts(queen=True)


def after(play: Play, *strokes: Facts) -> Play:
    """The board after strokes by whoever is on turn."""
    for facts in strokes:
        play = play.ruled(rule(play.standing(MatchScore()), facts))
    return play


@pytest.mark.parametrize("first", [0, 1])
def test_a_coin_that_went_straight_back_for_a_due_allows_the_queen(first: int) -> None:
    """95c: all nine are up only because a due was paid, so she may be taken."""
    play = after(Play(breaker=0, turn=first, attempt=0), STRIKER, HIS_COIN)
    assert (play.turn, play.left[first], play.due) == (first, 9, (0, 0))
    assert after(play, QUEEN).queen is QueenState.AWAITS_COVER


def test_whoever_never_had_a_coin_down_may_not_take_the_queen() -> None:
    """95a."""
    assert after(Play(breaker=0, turn=0, attempt=0), QUEEN).queen is QueenState.ON_BOARD
