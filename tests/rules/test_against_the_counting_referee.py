"""Each for himself, judged twice: by the rules and by the simulated hall's referee.

The referee was written from the laws page alone and shares nothing with the rules but
the names of the seats, so that a misreading of one shows as a difference.
"""

import random
from dataclasses import replace

import pytest

from calibration.table import Seat
from controller.rules.counting_match import advance, begin
from controller.rules.counting_state import CountingMatch
from controller.rules.laws import Laws
from controller.rules.rule_sets import rule_set
from controller.rules.stroke import Stroke
from controller.simulator.counting_referee import Pile, Points, Round, Sunk, rule

NAMES = ("Asha", "Bimal", "Chitra", "Dev")
GAMES = 150
LAWS = [
    replace(rule_set("point"), game_points=None),
    replace(rule_set("point"), game_points=None, striker_points=10),
    rule_set("point"),
    rule_set("family"),
    rule_set("freestyle"),
]


def points_of(laws: Laws, players: int) -> Points:
    return Points(
        white=laws.white_points,
        black=laws.black_points,
        queen=laws.queen_points,
        striker=laws.striker_points,
        target=laws.game_points,
        boards=laws.boards_per_game,
        seats=tuple(Seat)[:players],
    )


def random_stroke(match: CountingMatch, dice: random.Random) -> Stroke:
    """Any stroke that this table allows, with more luck than people have."""
    board = match.board
    white = min(board.white, dice.choice((0, 0, 1, 2, 9)))
    black = min(board.black, dice.choice((0, 0, 1, 2, 9)))
    queen = board.queen_up and dice.random() < 0.2
    return Stroke(
        white=white,
        black=black,
        queen=queen,
        striker=dice.random() < 0.15,
        proper=dice.random() > 0.1,
        touched=bool(white or black or queen) or dice.random() > 0.2,
    )


def seen(match: CountingMatch) -> tuple[object, ...]:
    board = match.board
    return (
        match.totals,
        (board.white, board.black),
        board.queen_awaits,
        board.broken,
        board.on_turn,
    )


def told(now: Round, game: Points) -> tuple[object, ...]:
    return (now.totals(game), now.left(), now.must_cover, now.attempt == 0, now.turn)


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("laws", LAWS, ids=lambda laws: laws.name)
def test_both_come_to_the_same_after_every_stroke(laws: Laws, players: int) -> None:
    dice, game, ended = random.Random(7), points_of(laws, players), 0
    for _ in range(GAMES):
        match = begin(laws, NAMES[:players])
        now = Round(piles=(Pile(),) * players, before=(0,) * players)
        while not match.board.over:
            stroke = random_stroke(match, dice)
            sunk = Sunk(
                white=stroke.white,
                black=stroke.black,
                queen=stroke.queen,
                striker=stroke.striker,
                improper=not stroke.proper,
                touched=stroke.touched,
            )
            match, _ = advance(match, stroke)
            outcome = rule(now, sunk, game)
            now = outcome.after
            assert outcome.over is match.board.over
            if not outcome.over:
                assert seen(match) == told(now, game)
        assert match.totals == now.totals(game)
        ended += 1
    assert ended == GAMES
