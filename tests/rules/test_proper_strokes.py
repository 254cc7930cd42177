"""Proper strokes that end no board: ICF 48, 72 to 75, 92 to 101, row by row.

White strikes. A row: name | board before | stroke | board after.
"""

import re
from dataclasses import replace

import pytest

from controller.rules.articles import LAWS
from controller.rules.decisions import Disputed
from controller.rules.judge import judge
from controller.rules.notation import read_board, read_stroke, write_board
from controller.rules.rule_sets import rule_set

WITHOUT_STRIKER = """
nothing passes the turn (48)                   | 6w 7b q / white | - | 6w 7b q / black
nothing with the queen covered passes (48)     | 6w 7b q=black / white | - | 6w 7b q=black / black
a missed cover brings the queen back (96)      | 6w 7b q?white / white | - | 6w 7b q / black
an own coin keeps the turn (48)                | 6w 7b q / white | w | 5w 7b q / white
two own coins keep the turn (48)               | 6w 7b q / white | 2w | 4w 7b q / white
an own coin covers the queen (15)              | 6w 7b q?white / white | w | 5w 7b q=white / white
an opposing coin stays and passes (125a)       | 6w 7b q / white | b | 6w 6b q / black
an opposing coin covers nothing (96)           | 6w 7b q?white / white | b | 6w 6b q / black
own and opposing coin keep the turn (48, 75)   | 6w 7b q / white | w b | 5w 6b q / white
own and opposing coin cover the queen          | 6w 7b q?white / white | w b | 5w 6b q=white / white
the queen awaits her cover (92)                | 6w 7b q / white | q | 6w 7b q?white / white
the queen too early comes back (95a)           | 9w 7b q / white | q | 9w 7b q / black
the queen with nine up after dues (95c)        | 9w 7b q / white / ever white,black | q | 9w 7b q?white / white / ever white,black
no queen while owing (95b)                     | 9w 7b q / white / due 1w 0b | q | 9w 7b q / black / due 1w 0b
own coin pays, queen back, while owing (95b)   | 9w 7b q / white / due 1w 0b | w q | 9w 7b q / black / ever white,black
queen and own coin together cover (97a)        | 6w 7b q / white | w q | 5w 7b q=white / white
queen, own and opposing coin cover (97a)       | 6w 7b q / white | w b q | 5w 6b q=white / white
nine up, one coin does not cover yet (97b)     | 9w 7b q / white | w q | 8w 7b q?white / white
nine up, two coins cover (97a)                 | 9w 7b q / white | 2w q | 7w 7b q=white / white
queen and opposing coin go on (4.9.2)          | 6w 7b q / white | b q | 6w 6b q?white / white
queen too early with an opposing coin (95a)    | 9w 7b q / white | b q | 9w 6b q / black
a due is paid from the coin just sunk (78a)    | 9w 7b q / white / due 1w 0b | w | 9w 7b q / white / ever white,black
two dues, one coin down: the rest waits (78a)  | 9w 7b q / white / due 2w 0b | w | 9w 7b q / white / due 1w 0b / ever white,black
the opponent's due is paid from his coin (78a) | 6w 9b q / white / due 0w 1b | b | 6w 9b q / black / ever white,black
"""

WITH_STRIKER = """
the striker costs a due and the turn (72a)     | 6w 7b q / white | s | 7w 7b q / black
the same with the queen covered (72a)          | 6w 7b q=black / white | s | 7w 7b q=black / black
no coin down: the due is outstanding (72a)     | 9w 7b q / white | s | 9w 7b q / black / due 1w 0b
dues add up (72a)                              | 9w 7b q / white / due 1w 0b | s | 9w 7b q / black / due 2w 0b
the striker instead of a cover (100a)          | 6w 7b q?white / white | s | 7w 7b q / black
own coin back and one due, turn goes on (73)   | 6w 7b q / white | w s | 7w 7b q / white
two own coins back and one due (73)            | 6w 7b q / white | 2w s | 7w 7b q / white
nine up: the coin back, the due waits (73)     | 9w 7b q / white | w s | 9w 7b q / white / due 1w 0b
striker and cover: one more chance (101a)      | 6w 7b q?white / white | w s | 7w 7b q?white / white
the same with an opposing coin (101a)          | 6w 7b q?white / white | w b s | 7w 6b q?white / white
opposing coin and striker (74)                 | 6w 7b q / white | b s | 7w 6b q / black
opposing coin and striker, no cover (100a)     | 6w 7b q?white / white | b s | 7w 6b q / black
own, opposing coin and striker (75)            | 6w 7b q / white | w b s | 7w 6b q / white
queen and striker: back, due, goes on (99a)    | 6w 7b q / white | q s | 7w 7b q / white
queen and striker with nine up (95d)           | 9w 7b q / white | q s | 9w 7b q / black / due 1w 0b
queen, own coin and striker (98a)              | 6w 7b q / white | w q s | 7w 7b q / white
queen, own coin, striker, nine up (98a, 4.9.8) | 9w 7b q / white | w q s | 9w 7b q / white / due 1w 0b
queen, opposing coin and striker (4.9.2)       | 6w 7b q / white | b q s | 7w 6b q / white
queen and striker while owing (95b)            | 9w 7b q / white / due 1w 0b | q s | 9w 7b q / black / due 2w 0b
the last coin with the striker comes back (73) | 1w 7b q=white / white | w s | 2w 7b q=white / white
the same with the opponent's queen (73)        | 1w 7b q=black / white | w s | 2w 7b q=black / white
the last coin and striker while covering (101a)| 1w 7b q?white / white | w s | 2w 7b q?white / white
the last coin, queen and striker (98a)         | 1w 7b q / white | w q s | 2w 7b q / white
"""


def rows(sheet: str) -> list[object]:
    """Each line of a score sheet as one named case."""
    lines = (line.split("|") for line in sheet.splitlines() if line)
    return [
        pytest.param(*(cell.strip() for cell in cells), id=name.strip())
        for name, *cells in lines
    ]


@pytest.mark.parametrize(
    ("before", "played", "after"), rows(WITHOUT_STRIKER + WITH_STRIKER)
)
def test_a_proper_stroke_follows_its_table(
    before: str, played: str, after: str
) -> None:
    board, _ = judge(read_board(before), read_stroke(played), rule_set("icf"))
    board = replace(board, turns=0, turn_strokes=0)
    assert write_board(board) == write_board(read_board(after))


@pytest.mark.parametrize(
    ("before", "played", "after"), rows(WITHOUT_STRIKER + WITH_STRIKER)
)
def test_the_editions_agree_on_proper_strokes(
    before: str, played: str, after: str
) -> None:
    board, _ = judge(read_board(before), read_stroke(played), rule_set("icf-1993"))
    board = replace(board, turns=0, turn_strokes=0)
    assert write_board(board) == write_board(read_board(after))


@pytest.mark.parametrize("line", (WITHOUT_STRIKER + WITH_STRIKER).split("\n"))
def test_the_decisions_cite_the_articles_of_the_row(line: str) -> None:
    if not line:
        return
    name, before, played, _ = line.split("|")
    articles = re.findall(r"\b\d+[a-z]?\b(?!\.)", name[name.find("(") :])
    wanted = {article for article in articles if len(article) > 1}
    _, told = judge(read_board(before), read_stroke(played.strip()), rule_set("icf"))
    cited = {a for d in told for a in (LAWS[d.law].article or "").split(", ")}
    assert wanted <= cited


ASKED = """
queen and opposing coin           | icf        | 6w 7b q / white | b q   | turn.queen
not with an own coin as well      | icf        | 6w 7b q / white | w b q |
not for the queen alone           | icf        | 6w 7b q / white | q     |
nor where it ends the turn anyway | basic      | 6w 7b q / white | b q   |
queen, opposing coin and striker  | icf        | 6w 7b q / white | b q s | queen.striker
not for queen and striker         | icf        | 6w 7b q / white | q s   |
the turn lost by queen, striker   | basic      | 6w 7b q / white | q s   | queen.striker
nine up, queen, own and striker   | icf        | 9w 7b q / white | w q s | queen.striker-own
not with a coin down              | icf        | 6w 7b q / white | w q s |
one coin back in all              | tournament | 6w 7b q / white | w s   | striker.one-back
not for the striker alone         | tournament | 6w 7b q / white | s     |
opposing coins come back          | arena      | 6w 7b q / white | b s   | striker.with-rival
not own coins                     | arena      | 6w 7b q / white | w s   |
a win with the queen on the table | arena      | 1w 7b q / white | w     | end.own-last
"""


@pytest.mark.parametrize(("rules", "before", "played", "asked"), rows(ASKED))
def test_where_sources_disagree_the_umpire_is_asked(
    rules: str, before: str, played: str, asked: str
) -> None:
    _, told = judge(read_board(before), read_stroke(played), rule_set(rules))
    assert [d.law for d in told if isinstance(d, Disputed)] == asked.split()
