"""A row of the score card as text: exact both ways, and refused when it is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules.board import Finish
from controller.rules.match import BoardRecord
from controller.rules.notation import NotationError
from controller.rules.order import ByPlayer, Player
from controller.rules.record_notation import read_record, write_record

FIRST, SECOND = Player.FIRST, Player.SECOND
COUNTS = st.integers(0, 320)
SCORES = st.integers(-200, 320)

RECORDS = st.builds(
    BoardRecord,
    game=st.integers(1, 9),
    number=st.integers(1, 40),
    breaker=st.sampled_from(Player),
    winner=st.sampled_from(Player),
    coin_points=SCORES,
    queen_points=COUNTS,
    demanded=COUNTS,
    finish=st.sampled_from(Finish),
    slam=st.booleans(),
    queen_by=st.sampled_from([None, FIRST, SECOND]),
    totals=st.builds(ByPlayer, SCORES, SCORES),
)


@given(RECORDS)
def test_every_board_record_reads_back_as_written(record: BoardRecord) -> None:
    assert read_record(write_record(record)) == record


def test_a_board_won_by_the_opponents_mistake_reads_like_a_score_card() -> None:
    text = "1.3 first / second 0+3+1 own-last-before-queen / queen - / 12-9"
    assert read_record(text) == BoardRecord(
        game=1,
        number=3,
        breaker=FIRST,
        winner=SECOND,
        coin_points=0,
        queen_points=3,
        demanded=1,
        finish=Finish.OWN_LAST_BEFORE_QUEEN,
        slam=False,
        queen_by=None,
        totals=ByPlayer(12, 9),
    )


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1.3 first / second 0+3 cleared / queen - / 12-9",
        "1 first / second 0+3+1 cleared / queen - / 12-9",
        "1.3 third / second 0+3+1 cleared / queen - / 12-9",
        "1.3 first / second 0+3+1 won / queen - / 12-9",
        "1.3 first / second 0+3+1 cleared grand / queen - / 12-9",
        "1.3 first / second 0+3+1 cleared slam slam / queen - / 12-9",
        "1.3 first / second 0+3+1 cleared / king - / 12-9",
        "1.3 first / second 0+3+1 cleared / queen - / 129",
    ],
)
def test_what_is_no_board_record_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        read_record(text)
