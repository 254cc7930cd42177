"""Improper strokes: ICF 64, 72b, 76, 77, 98b to 101b in both editions.

White strikes. A row: name | board before | stroke | after ICF | after ICF 1993.
"""

import re
from dataclasses import replace

import pytest

from controller.rules.articles import LAWS
from controller.rules.decisions import FoulCalled, TurnPassed
from controller.rules.judge import judge
from controller.rules.notation import read_board, read_stroke, write_board
from controller.rules.rule_sets import rule_set

IMPROPER = """
nothing: one penalty (64a)                | 6w 7b q / white | - ! | 7w 7b q / black | 7w 7b q / black
nothing while covering: queen back (96)   | 6w 7b q?white / white | - ! | 7w 7b q / black | 7w 7b q / black
own coin back and one (77a)               | 6w 7b q / white | w ! | 7w 7b q / black | 7w 7b q / black
two own coins back and one (77a)          | 6w 7b q / white | 2w ! | 7w 7b q / black | 7w 7b q / black
own coin while covering (77a, 96)         | 6w 7b q?white / white | w ! | 7w 7b q / black | 7w 7b q / black
opposing coin stays, one penalty (76)     | 6w 7b q / white | b ! | 7w 6b q / black | 7w 6b q / black
own and opposing coin (77a)               | 6w 7b q / white | w b ! | 7w 6b q / black | 7w 6b q / black
queen: pieces out, and one in ICF (64b)   | 6w 7b q / white | q ! | 7w 7b q / black | 6w 7b q / black
queen and own coin (64b)                  | 6w 7b q / white | w q ! | 7w 7b q / black | 6w 7b q / black
the striker: two, one in 1993 (72b)       | 5w 7b q / white | s ! | 7w 7b q / black | 6w 7b q / black
own coin and striker: two more (77b)      | 5w 7b q / white | w s ! | 7w 7b q / black | 6w 7b q / black
opposing coin and striker (72b)           | 5w 7b q / white | b s ! | 7w 6b q / black | 6w 6b q / black
striker while covering: two (100b)        | 5w 7b q?white / white | s ! | 7w 7b q / black | 7w 7b q / black
striker and own coin while covering (101b)| 5w 7b q?white / white | w s ! | 7w 7b q / black | 7w 7b q / black
queen and striker: two (99b)              | 5w 7b q / white | q s ! | 7w 7b q / black | 7w 7b q / black
queen, own coin and striker: two (98b)    | 5w 7b q / white | w q s ! | 7w 7b q / black | 7w 7b q / black
no coin down: penalties wait (72b)        | 9w 7b q / white | s ! | 9w 7b q / black / due 2w 0b | 9w 7b q / black / due 1w 0b
the last coin comes back, queen settled   | 1w 7b q=white / white | w ! | 2w 7b q=white / black | 2w 7b q=white / black
the last coin and striker, queen settled  | 1w 7b q=black / white | w s ! | 3w 7b q=black / black | 2w 7b q=black / black
the last coin while covering              | 1w 7b q?white / white | w ! | 2w 7b q / black | 2w 7b q / black
the last coin with the queen              | 1w 7b q / white | w q ! | 2w 7b q / black | 1w 7b q / black
"""


def rows(sheet: str) -> list[object]:
    """Each line of a score sheet as one named case."""
    lines = (line.split("|") for line in sheet.splitlines() if line)
    return [
        pytest.param(*(cell.strip() for cell in cells), id=name.strip())
        for name, *cells in lines
    ]


@pytest.mark.parametrize(("before", "played", "icf", "icf_1993"), rows(IMPROPER))
def test_an_improper_stroke_follows_its_table(
    before: str, played: str, icf: str, icf_1993: str
) -> None:
    for name, after in (("icf", icf), ("icf-1993", icf_1993)):
        board, told = judge(read_board(before), read_stroke(played), rule_set(name))
        board = replace(board, turns=0, turn_strokes=0)
        assert write_board(board) == write_board(read_board(after)), name
        assert isinstance(told[-1], TurnPassed)
        assert [d.technical for d in told if isinstance(d, FoulCalled)] == [False]


@pytest.mark.parametrize("line", (IMPROPER).split("\n"))
def test_the_decisions_cite_the_articles_of_the_row(line: str) -> None:
    if not line:
        return
    name, before, played, *_ = line.split("|")
    wanted = set(re.findall(r"\b\d\d+[a-z]?\b", name[name.find("(") :]))
    _, told = judge(read_board(before), read_stroke(played.strip()), rule_set("icf"))
    cited = {a for d in told for a in (LAWS[d.law].article or "").split(", ")}
    assert wanted <= cited
