"""Ends of a board: ICF 52, 53 and 102 to 112, cell by cell.

White strikes; the scores stand before the board. A row: name | board | stroke |
winner, points without and with the queen's, additional points, article.
"""

import pytest

from controller.rules.articles import LAWS
from controller.rules.board import Finish
from controller.rules.decisions import BoardWon, Disputed
from controller.rules.judge import judge
from controller.rules.notation import read_board, read_stroke
from controller.rules.rule_sets import rule_set

OWN_LAST = """
cleared with the queen             | 1w 4b q=white / white / score 21-0 | w   | white 4+3 0 | 52a, 53
cleared, queen worth nothing at 22 | 1w 4b q=white / white / score 22-0 | w   | white 4+0 0 | 52a, 53
cleared, the opponent's queen      | 1w 4b q=black / white              | w   | white 4+0 0 | 52a, 53
the last coin covers               | 1w 4b q?white / white              | w   | white 4+3 0 | 15, 97a
the last coin covers at 22         | 1w 4b q?white / white / score 22-0 | w   | white 4+0 0 | 15, 97a
queen and last coin together       | 1w 4b q / white                    | w q | white 4+3 0 | 15, 97a
two last coins with the queen      | 2w 4b q / white                    | 2w q | white 4+3 0 | 15, 97a
own last before the queen          | 1w 4b q / white                    | w   | black 0+3 0 | 107
the same, he has 21                | 1w 4b q / white / score 0-21       | w   | black 0+3 0 | 107
the same, he has 22                | 1w 4b q / white / score 0-22       | w   | black 0+1 0 | 107
the same, improper                 | 1w 4b q / white                    | w ! | black 0+3 1 | 107
the same, with the striker         | 1w 4b q / white                    | w s | black 0+3 1 | 108
the same, striker and improper     | 1w 4b q / white                    | w s ! | black 0+3 2 | 108
improper, he has 22                | 1w 4b q / white / score 0-22       | w s ! | black 0+1 2 | 108
"""

RIVALS_LAST = """
his last, queen on the table       | 5w 1b q / white                    | b   | black 5+3 0 | 106
the same, he has 22                | 5w 1b q / white / score 0-22       | b   | black 5+0 0 | 106
the same, improper                 | 5w 1b q / white                    | b ! | black 5+3 1 | 106
his last instead of the cover      | 5w 1b q?white / white              | b   | black 5+3 0 | 103
the same, improper                 | 5w 1b q?white / white              | b ! | black 5+3 1 | 103
his last and the striker           | 5w 1b q / white                    | b s | black 5+3 1 | 111
the same, improper                 | 5w 1b q / white                    | b s ! | black 5+3 2 | 111
covering, his last and striker     | 5w 1b q?white / white              | b s | black 5+3 1 | 111
the same, improper                 | 5w 1b q?white / white              | b s ! | black 5+3 2 | 111
queen and his last                 | 5w 1b q / white                    | b q | black 5+3 0 | 103
queen and his last, improper       | 5w 1b q / white                    | b q ! | black 5+3 1 | 103
queen, own coin and his last       | 5w 1b q / white                    | w b q | black 4+3 0 | 103
covering, own coin and his last    | 5w 1b q?white / white              | w b | black 4+3 0 | 103
he has finished, my queen          | 5w 1b q=white / white              | b   | black 5+0 0 | 52a, 53
he has finished, his queen         | 5w 1b q=black / white              | b   | black 5+3 0 | 52a, 53
my queen, with the striker         | 5w 1b q=white / white              | b s | black 5+0 1 | 52a, 53
his queen, with the striker        | 5w 1b q=black / white              | b s | black 5+3 1 | 52a, 53
my queen, improper                 | 5w 1b q=white / white              | b ! | black 5+0 1 | 52a, 53
his queen, striker and improper    | 5w 1b q=black / white              | b s ! | black 5+3 2 | 52a, 53
own coins with the striker count   | 5w 1b q / white                    | 2w b s | black 5+3 1 | 111
never above twelve points          | 9w 1b q / white                    | b s ! | black 9+3 0 | 111
eight and three leave one to ask   | 8w 1b q / white                    | b s ! | black 8+3 1 | 111
"""

BOTH_LAST = """
covering                           | 1w 1b q?white / white              | w b | white 0+3 0 | 102
covering at 22                     | 1w 1b q?white / white / score 22-0 | w b | white 0+1 0 | 102
covering, improper                 | 1w 1b q?white / white              | w b ! | black 0+3 1 | 102
covering, improper, he has 22      | 1w 1b q?white / white / score 0-22 | w b ! | black 0+1 1 | 102
with the queen                     | 1w 1b q / white                    | w b q | white 0+3 0 | 104
with the queen, improper           | 1w 1b q / white                    | w b q ! | black 0+3 1 | 104
queen on the table                 | 1w 1b q / white                    | w b | black 0+3 0 | 105
queen on the table, he has 22      | 1w 1b q / white / score 0-22       | w b | black 0+1 0 | 105
queen on the table, improper       | 1w 1b q / white                    | w b ! | black 0+3 1 | 105
my queen                           | 1w 1b q=white / white              | w b | white 0+3 0 | 52a
my queen at 22                     | 1w 1b q=white / white / score 22-0 | w b | white 0+1 0 | 52a
my queen, improper                 | 1w 1b q=white / white              | w b ! | black 0+1 1 | 52a
his queen                          | 1w 1b q=black / white              | w b | white 0+1 0 | 52a
his queen, improper                | 1w 1b q=black / white              | w b ! | black 0+3 1 | 52a
with queen and striker             | 1w 1b q / white                    | w b q s | black 0+3 1 | 109
with queen and striker, improper   | 1w 1b q / white                    | w b q s ! | black 0+3 2 | 109
covering, with the striker         | 1w 1b q?white / white              | w b s | black 0+3 1 | 109
my queen, with the striker         | 1w 1b q=white / white              | w b s | black 0+1 1 | 110
the same, improper                 | 1w 1b q=white / white              | w b s ! | black 0+1 2 | 110
his queen, with the striker        | 1w 1b q=black / white              | w b s | black 0+3 1 | 112
the same, he has 22                | 1w 1b q=black / white / score 0-22 | w b s | black 0+1 1 | 112
the same, improper                 | 1w 1b q=black / white              | w b s ! | black 0+3 2 | 112
queen on the table, striker        | 1w 1b q / white                    | w b s | black 0+3 1 | 105, 108
the same, improper                 | 1w 1b q / white                    | w b s ! | black 0+3 2 | 105, 108
"""

ASKED = """
queen, own coin and his last       | 5w 1b q / white                    | w b q
both last, his queen               | 1w 1b q=black / white              | w b
"""


SETTLED = """
queen and his last, no own coin    | 5w 1b q / white                    | b q
covering, own coin and his last    | 5w 1b q?white / white              | w b
the same with the queen, improper  | 5w 1b q / white                    | w b q !
own coin and his last              | 5w 1b q / white                    | w b
both last, my queen                | 1w 1b q=white / white              | w b
"""


def rows(sheet: str) -> list[object]:
    """Each line of a score sheet as one named case."""
    lines = (line.split("|") for line in sheet.splitlines() if line)
    return [
        pytest.param(*(cell.strip() for cell in cells), id=name.strip())
        for name, *cells in lines
    ]


def won(before: str, played: str, laws: str = "icf") -> BoardWon:
    """The decision that ends the board."""
    _, told = judge(read_board(before), read_stroke(played), rule_set(laws))
    return next(d for d in told if isinstance(d, BoardWon))


@pytest.mark.parametrize(
    ("before", "played", "outcome", "article"),
    rows(OWN_LAST + RIVALS_LAST + BOTH_LAST),
)
def test_the_last_coin_decides_by_its_table(
    before: str, played: str, outcome: str, article: str
) -> None:
    end = won(before, played)
    told = f"{end.side} {end.coin_points}+{end.queen_points} {end.demandable}"
    assert told == outcome
    assert LAWS[end.law].article == article


@pytest.mark.parametrize(("before", "played"), rows(ASKED))
def test_readings_without_an_article_are_put_to_the_umpire(
    before: str, played: str
) -> None:
    _, told = judge(read_board(before), read_stroke(played), rule_set("icf"))
    assert any(isinstance(decision, Disputed) for decision in told)


@pytest.mark.parametrize(("before", "played"), rows(SETTLED))
def test_what_an_article_settles_is_not_asked(before: str, played: str) -> None:
    _, told = judge(read_board(before), read_stroke(played), rule_set("icf"))
    assert not any(isinstance(decision, Disputed) for decision in told)


@pytest.mark.parametrize("score", [0, 21, 22, 24])
def test_in_1993_article_112_knows_no_reduction(score: int) -> None:
    before = f"1w 1b q=black / white / score 0-{score}"
    assert won(before, "w b s", "icf-1993").queen_points == 3


def test_a_white_slam_clears_the_board_in_the_first_turn() -> None:
    end = won("1w 9b q=white / white / turn 0.8", "w")
    assert (end.slam, end.finish) == (True, Finish.CLEARED)


def test_a_black_slam_needs_no_queen() -> None:
    assert won("5w 1b q=white / black / turn 1.7", "b").slam


def test_a_board_cleared_in_a_later_turn_is_no_slam() -> None:
    assert not won("1w 9b q=white / white / turn 2.3", "w").slam


def test_the_free_queen_is_cited_as_the_very_last_piece() -> None:
    end = won("4w 0b q / white", "q", "premier-league")
    assert (end.law, end.side, end.queen_points) == ("end.free-queen", "white", 2)
