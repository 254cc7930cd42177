"""The break (ICF 44 to 47), row by row. White breaks.

A row: name | board before | stroke | board after | attempts left.
"""

import re

import pytest

from controller.rules.articles import LAWS
from controller.rules.decisions import BreakFailed, BreakMade, Disputed
from controller.rules.judge import judge
from controller.rules.notation import read_board, read_stroke, write_board
from controller.rules.rule_sets import rule_set

MISSED = """
nothing touched, twice more (45a)           | 9w 9b q / white / break 1 | - untouched | 9w 9b q / white / break 2 | 2
again, once more (45a)                      | 9w 9b q / white / break 2 | - untouched | 9w 9b q / white / break 3 | 1
striker off the board: repeat as well (45a) | 9w 9b q / white / break 1 | - untouched striker-off | 9w 9b q / white / break 2 | 2
the third time black breaks (45b)           | 9w 9b q / white / break 3 | - untouched | 9w 9b q / black / break 1 / turn 1.0 | 0
black has the same attempts (45a)           | 9w 9b q / black / break 1 / turn 1.0 | - untouched | 9w 9b q / black / break 2 / turn 1.0 | 2
and gives the break back (45b)              | 9w 9b q / black / break 3 / turn 1.0 | - untouched | 9w 9b q / white / break 1 / turn 2.0 | 0
the striker pocketed: no due (45c)          | 9w 9b q / white / break 1 | s untouched | 9w 9b q / black / break 1 / turn 1.0 | 0
improper: no penalty (45c)                  | 9w 9b q / white / break 2 | - ! untouched | 9w 9b q / black / break 1 / turn 1.0 | 0
"""

MADE = """
any piece touched makes the break (44)      | 9w 9b q / white / break 3 | - | 9w 9b q / black / turn 1.0
what falls counts (44, 48)                  | 9w 9b q / white / break 1 | 2w | 7w 9b q / white / turn 0.1
an opposing coin passes (125a)              | 9w 9b q / white / break 1 | b | 9w 8b q / black / turn 1.0
the striker: a due outstanding (72a)        | 9w 9b q / white / break 1 | s | 9w 9b q / black / due 1w 0b / turn 1.0
the queen alone comes back (95a)            | 9w 9b q / white / break 1 | q | 9w 9b q / black / turn 1.0
queen and striker (95d)                     | 9w 9b q / white / break 1 | q s | 9w 9b q / black / due 1w 0b / turn 1.0
queen and one coin: still to cover (97b)    | 9w 9b q / white / break 1 | w q | 8w 9b q?white / white / turn 0.1
queen and two coins: covered (97a)          | 9w 9b q / white / break 1 | 2w q | 7w 9b q=white / white / turn 0.1
struck before Play: out, and a foul (47)    | 9w 9b q / white / break 1 | w before-play | 9w 9b q / black / due 1w 0b / turn 1.0
"""


def rows(sheet: str) -> list[object]:
    """Each line of a score sheet as one named case."""
    lines = (line.split("|") for line in sheet.splitlines() if line)
    return [
        pytest.param(*(cell.strip() for cell in cells), id=name.strip())
        for name, *cells in lines
    ]


@pytest.mark.parametrize(("before", "played", "after", "left"), rows(MISSED))
def test_a_missed_break(before: str, played: str, after: str, left: str) -> None:
    board, told = judge(read_board(before), read_stroke(played), rule_set("icf"))
    assert write_board(board) == after
    assert [d.attempts_left for d in told if isinstance(d, BreakFailed)] == [int(left)]


@pytest.mark.parametrize(("before", "played", "after"), rows(MADE))
def test_a_made_break(before: str, played: str, after: str) -> None:
    board, told = judge(read_board(before), read_stroke(played), rule_set("icf"))
    assert write_board(board) == after
    assert isinstance(told[0], BreakMade)


def test_in_the_arena_the_opponent_chooses_whether_to_break_again() -> None:
    before, played = read_board("9w 9b q / white / break 1"), read_stroke("- untouched")
    _, told = judge(before, played, rule_set("arena"))
    assert [d.law for d in told if isinstance(d, Disputed)] == ["break.repeat"]


@pytest.mark.parametrize("line", (MISSED + MADE).split("\n"))
def test_the_decisions_cite_the_articles_of_the_row(line: str) -> None:
    if not line:
        return
    name, before, played, *_ = line.split("|")
    wanted = set(re.findall(r"\b\d\d+[a-z]?\b", name[name.find("(") :]))
    _, told = judge(read_board(before), read_stroke(played.strip()), rule_set("icf"))
    cited = {a for d in told for a in (LAWS[d.law].article or "").split(", ")}
    assert wanted <= cited
