"""The card of three players, and cards of matches that are written as text."""

import json
from pathlib import Path

import pytest

from calibration.refusal import Refusal
from controller.rules.match_notation import read_match
from controller.scoresheet.card import Card, Entry, Head
from controller.scoresheet.cards import card, card_of_match
from controller.scoresheet.counting_card import CountingCard, Share
from controller.scoresheet.history import of_text
from controller.scoresheet.page import page
from tests.sheets.test_card import carrom_sheet

THREE = """
laws family
first Asha <Rao>
second Bimal
third Chitra
9w
b s
8b
q
"""
TWO = """
laws icf
first Asha
second Bimal
: set 1w 4b q / white
w
: scores 1-3 card misread
"""


def points_card(text: str) -> CountingCard:
    made = card(of_text(read_match(text)), Head())
    assert isinstance(made, CountingCard)
    return made


def test_everyone_has_coins_queen_striker_and_total_apart() -> None:
    (row,) = points_card(THREE).rows
    assert row.break_by == "Asha <Rao>"
    assert row.shares == (
        Share(coins=95, queen=0, striker=10, total=85, most=True),
        Share(coins=40, queen=25, striker=0, total=65, most=False),
        Share(coins=0, queen=0, striker=0, total=0, most=False),
    )


def test_a_shared_game_names_all_who_share_it() -> None:
    text = "laws point\nfirst A\nsecond B\nthird C\nw\n: points 4,4,1\n: bell\n"
    made = points_card(text)
    assert (made.winner, made.points) == ("A and B", (4, 4, 1))
    assert made.trail[0].effect == "points 2:0:0, now 4:4:1"


def test_the_page_has_three_columns_for_each_player() -> None:
    html = page(points_card(THREE))
    assert "Asha &lt;Rao&gt;" in html
    assert html.count('colspan="3"') == 3
    assert '<td class="first">95<sup>−10</sup></td>' in html
    assert "Played to</dt><dd>1 board" in html


def test_a_written_match_fills_the_official_card(tmp_path: Path) -> None:
    file = tmp_path / "match.txt"
    file.write_text(TWO)
    made = card_of_match(file, Head())
    assert isinstance(made, Card)
    (row,) = made.games[0].rows
    assert row.second == Entry(queen=3, coins=0, total=3, won=True)
    assert [change.what for change in made.trail] == [
        "board set by hand",
        "score set by hand: card misread",
    ]
    assert (made.date, made.games[0].start) == (None, None)


def test_the_command_takes_a_match_as_text(tmp_path: Path) -> None:
    file = tmp_path / "match.txt"
    file.write_text(THREE)
    result = carrom_sheet(str(file), "--json")
    assert json.loads(result.stdout)["points"] == [85, 65, 0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("laws icf\nfirst A\nsecond B\nxyz\n", "line 4"),
        ("laws icf\nfirst A\nsecond B\n: next\n", "line 4: the next board"),
        ("not a match at all\n", "line 1: a stroke has no word 'not'"),
        ("laws olympic\nfirst A\nsecond B\n", "no rule set is called 'olympic'"),
        ("laws icf\nfirst A\nsecond B\nthird C\n", "icf is played by 2 or 4"),
    ],
)
def test_a_text_that_is_no_match_is_refused_in_one_line(
    tmp_path: Path, text: str, said: str
) -> None:
    file = tmp_path / "match.txt"
    file.write_text(text)
    with pytest.raises(Refusal, match=said) as refused:
        card_of_match(file, Head())
    assert "\n" not in str(refused.value)


def test_a_file_that_is_neither_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "match.bin"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(Refusal, match="cannot be read"):
        card_of_match(file, Head())


def written(tmp_path: Path, text: str) -> Card:
    """The card of a match in the notation."""
    file = tmp_path / "match.txt"
    file.write_text(text)
    made = card_of_match(file, Head())
    assert isinstance(made, Card)
    return made


def test_the_toss_of_a_written_match_stands_in_the_head(tmp_path: Path) -> None:
    made = written(tmp_path, "laws icf\nfirst A\nsecond B\n: toss second break\n-\n-\n")
    assert (made.head.toss_won_by, made.head.toss_choice) == ("B", "break")


def test_points_above_the_game_are_remarked_and_published_as_its_points(
    tmp_path: Path,
) -> None:
    made = written(
        tmp_path,
        "laws icf\nfirst A\nsecond B\n: scores 24-0\n"
        ": set 1w 9b q / white / turn 2.0 / score 24-0\nw\n"
        ": scores 24-0\n: next\n"
        ": set 9w 1b q=black / black / turn 2.0 / score 0-24\nb\n",
    )
    row = made.games[0].rows[-1]
    assert (row.first.total, row.first.over, row.remark) == (33, 8, "33 scored")
    assert '<td class="total won">25</td>' in page(made)


def test_a_game_decided_by_boards_is_won_by_boards_not_by_points(
    tmp_path: Path,
) -> None:
    """A wins two boards by one point each, B one by nine: A has the game."""
    one = ": set 1w 1b q=black / white / turn 2.0"
    made = written(
        tmp_path,
        "laws icf\nlaw boards_to_win 2\nlaw boards_per_game 3\n"
        f"first A\nsecond B\n{one}\nw\n: next\n"
        ": set 1w 9b q=black / white / turn 2.0 / score 0-1\nw\n: next\n"
        f"{one} / score 1-9\nw\n: next\n",
    )
    assert [row.first.total for row in made.games[0].rows] == [1, 1, 2]
    assert made.games[0].rows[-1].second.total == 9
    assert made.games[0].winner == "A"
