"""A match as text, exact both ways."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.table import Piece, Seat
from controller.rules.board import Board, Finish, Result, Side
from controller.rules.choices import Round
from controller.rules.counting_entries import GameAwarded, PointsCorrected
from controller.rules.entries import (
    ColourChosen,
    Demand,
    Input,
    MatchAwarded,
    NextBoard,
    ScoresCorrected,
    TieDecided,
    TossDecided,
)
from controller.rules.happenings import (
    Bell,
    BoardRuled,
    BoardSet,
    Breach,
    Conceded,
    Disturbed,
    Forfeited,
    LateFall,
    Misplaced,
    NoRoom,
    NoticedLate,
    Passed,
    PlayedOn,
    SeatLeft,
    Voided,
    Waived,
)
from controller.rules.match_notation import (
    MatchRecord,
    read_entry,
    read_match,
    write_entry,
    write_match,
)
from controller.rules.notation import NotationError
from controller.rules.order import ByPlayer, Player
from controller.rules.stroke import Stroke
from controller.rules.toss import Choice

WHITE, FIRST = Side.WHITE, Player.FIRST

LINES: dict[str, Input] = {
    "2w s !": Stroke(white=2, striker=True, proper=False),
    ": breach white early": Breach(WHITE, before_first_stroke=True),
    ": breach white later": Breach(WHITE, before_first_stroke=False),
    ": seat-left white": SeatLeft(WHITE),
    ": played-on white": PlayedOn(WHITE),
    ": disturbed white": Disturbed(WHITE),
    ": conceded white": Conceded(WHITE),
    ": waived white": Waived(WHITE),
    ": forfeited white": Forfeited(WHITE),
    ": misplaced white": Misplaced(WHITE),
    ": no-room white 2": NoRoom(WHITE, 2),
    ": noticed-late white turn.out": NoticedLate(WHITE, "turn.out"),
    ": void white": Voided(WHITE),
    ": colour white": ColourChosen(WHITE),
    ": passed": Passed(),
    ": bell": Bell(),
    ": fell-later black": LateFall(Piece.BLACK),
    ": set 9w 9b q / white / break 1": BoardSet(Board()),
    ": ruled white 4+3 0 ruled": BoardRuled(Result(WHITE, 4, 3, 0, Finish.RULED)),
    ": demand 2": Demand(2),
    ": next": NextBoard(),
    ": next first": NextBoard(FIRST),
    ": tie first": TieDecided(FIRST),
    ": tie shared": TieDecided(None),
    ": scores 12-9 a board was entered twice": ScoresCorrected(
        ByPlayer(12, 9), "a board was entered twice"
    ),
    ": toss first break": TossDecided(FIRST, Choice.BREAK),
    ": toss second side north": TossDecided(Player.SECOND, Choice.SIDE, Seat.NORTH),
    ": award first no certified striker": MatchAwarded(FIRST, "no certified striker"),
}


@pytest.mark.parametrize(("line", "entry"), LINES.items())
def test_an_entry_is_one_line_both_ways(line: str, entry: Input) -> None:
    assert write_entry(entry) == line
    assert read_entry(line) == entry


RECORDS = st.builds(
    MatchRecord,
    laws=st.sampled_from(["icf", "club-29"]),
    first=st.sampled_from(["Asha", "Asha & Bimal", "A #1"]),
    second=st.just("Chitra"),
    doubles=st.booleans(),
    round=st.sampled_from(Round),
    entries=st.lists(st.sampled_from(list(LINES.values()))).map(tuple),
)


@given(RECORDS)
def test_every_record_reads_back_the_same(record: MatchRecord) -> None:
    assert read_match(write_match(record)) == record


def test_a_written_match_can_be_played_again() -> None:
    text = """
    # the queen is covered, then the striker falls
    laws icf
    first Asha
    second Bimal

    w
    q
    w
    s
    """
    match = read_match(text).replayed()
    assert match.board.queen.covered_by(WHITE)
    assert (match.board.coins.white, match.on_turn) == (8, Player.SECOND)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("laws icf\nfirst A\n-", "names its second"),
        ("laws icf\nfirst A\nsecond B\nround cup", "'cup' is none"),
        ("laws icf\nfirst A\nsecond B\n: fly", "line 4: a match has no entry 'fly'"),
        ("laws icf\nfirst A\nsecond B\n-\n: demand all", "line 5: cannot read"),
        ("laws icf\nfirst A\nsecond B\n: breach red early", "'red' is none"),
        ("laws icf\nfirst A\nsecond B\n: breach white soon", "early or later"),
        ("laws icf\nfirst A\nsecond B\n: noticed-late white x", "turn.out, due.mis"),
        ("laws icf\nfirst A\nsecond B\n: no-room white x", "cannot read"),
        ("laws icf\nfirst A\nsecond B\n: set 9w", "line 4: a board names"),
        ("laws icf\nfirst A\nsecond B\nx", "line 4: a stroke has no word 'x'"),
        ("laws icf\nfirst A\nsecond B\nround cup", "line 4"),
        ("laws icf\nlaws uk\nfirst A\nsecond B\n-", "line 2: 'laws' is said twice"),
        ("laws chess\nfirst A\nsecond B\n-", "line 1: no rule set"),
        ("laws icf\nlaw game_points x\nfirst A", "line 2: law game_points cannot"),
        ("laws icf\nlaw game_points -5\nfirst A", "line 2: law game_points"),
        ("laws point\nfirst A\nsecond B\nfourth D\n-", "names its third"),
        ("laws icf\nfirst A\nsecond B\ndoubles maybe", "line 4: doubles is yes or no"),
        ("laws icf\nfirst \\ffffff;\nsecond B", "line 2: .*is no character"),
        ("laws icf\nfirst \\d800;\nsecond B", "line 2: .*is no character"),
        ("laws icf\nfirst A\nsecond B\n: passed twice", "nothing stands after this"),
        (
            "laws icf\nfirst A\nsecond B\n: toss first break south x",
            "ends with the seat",
        ),
        (
            "laws icf\nfirst A\nsecond B\n: set 9w 9b q / white / due 1w 0b / due 2w 0b",
            "'due' is said twice",
        ),
        (
            "laws icf\nfirst A\nsecond B\n: set 9w 9b q / white / break -3",
            "line 4: cannot read",
        ),
        (
            "laws icf\nfirst A\nsecond B\n: ruled white 4+3 0 cleared slammed",
            "line 4: cannot read",
        ),
        (
            "laws icf\nfirst A\nsecond B\n: ruled white 4+3 0 time loser=1 loser=2",
            "line 4: cannot read",
        ),
        ("laws icf\nfirst A\nsecond B\n" + "x" * 9999, r"\.\.\.$"),
    ],
)
def test_what_is_no_match_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(NotationError, match=complaint):
        read_match(text)


TEXTS = st.text(max_size=12) | st.sampled_from(
    [" ", "a\\b", "x\n: next", "\u2028", "# no"]
)


def test_what_cannot_be_played_is_named_by_its_line() -> None:
    record = read_match("laws icf\n# a remark\nfirst A\nsecond B\n\nw\n: next\n")
    with pytest.raises(ValueError, match=r"^line 7: the next board cannot begin yet"):
        record.replayed()


def test_nothing_is_played_once_a_match_is_awarded() -> None:
    record = read_match("laws icf\nfirst A\nsecond B\nw\n: award first\nw\n")
    with pytest.raises(ValueError, match=r"^line 6: no board is running"):
        record.replayed()


@given(TEXTS, TEXTS, TEXTS)
def test_names_and_reasons_may_be_any_text(first: str, second: str, why: str) -> None:
    entries = (
        ScoresCorrected(ByPlayer(1, 2), why),
        MatchAwarded(Player.FIRST, why),
        PointsCorrected((1, -2, 3), why),
        GameAwarded(2, why),
    )
    record = MatchRecord("icf", first, second, entries=entries, others=(why, first))
    assert read_match(write_match(record)) == record


def test_a_line_feed_in_a_reason_is_written_by_its_number() -> None:
    entry = MatchAwarded(Player.SECOND, "late\nagain ")
    assert write_entry(entry) == ": award second late\\a;again\\20;"
