"""When, by whom and where, noted beside a match's lines, exact both ways."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibration.table import Piece, Pocket, Seat
from controller.rules.board import Side
from controller.rules.happenings import Breach
from controller.rules.match_notation import MatchRecord, read_match, write_match
from controller.rules.notation import NotationError
from controller.rules.noted import Noted, Place
from controller.rules.stroke import Stroke

HEAD = "laws icf\nfirst Asha\nsecond Bimal\nround league\n"
TIMES = st.floats(allow_nan=False, allow_infinity=False)
PLACES = st.builds(Place, st.sampled_from(Piece), TIMES, TIMES)


@st.composite
def noted_strokes(draw: st.DrawFn) -> Noted:
    """A stroke of which at least the time was noted."""
    stroke = Stroke(
        white=draw(st.integers(0, 2)),
        black=draw(st.integers(0, 2)),
        queen=draw(st.booleans()),
        striker=draw(st.booleans()),
        proper=draw(st.booleans()),
    )
    fell = sum(stroke.pocketed.values())
    where = st.lists(st.sampled_from([*Pocket, None]), min_size=fell, max_size=fell)
    return Noted(
        entry=stroke,
        at_s=draw(TIMES),
        by=draw(st.sampled_from([*Seat, None])),
        pockets=tuple(draw(where)) if draw(st.booleans()) else (),
        lying=tuple(draw(st.lists(PLACES, max_size=3))),
    )


@given(st.lists(noted_strokes(), max_size=4))
def test_every_note_reads_back_the_same(entries: list[Noted]) -> None:
    record = MatchRecord("icf", "Asha", "Bimal", entries=tuple(entries))
    assert read_match(write_match(record)) == record


def test_a_noted_stroke_is_one_readable_line() -> None:
    text = HEAD + "[754.2 south] w s ; in ne,- ; lie w10.5,-3.25 q0.0,0.0\n"
    record = read_match(text)
    assert record.entries == (
        Noted(
            entry=Stroke(white=1, striker=True),
            at_s=754.2,
            by=Seat.SOUTH,
            pockets=(Pocket.NORTH_EAST, None),
            lying=(Place(Piece.WHITE, 10.5, -3.25), Place(Piece.QUEEN, 0.0, 0.0)),
        ),
    )
    assert write_match(record) == text


def test_the_clock_can_be_noted_of_any_entry() -> None:
    text = HEAD + "[760.0] : breach white early\n"
    (entry,) = read_match(text).entries
    assert entry == Noted(entry=Breach(Side.WHITE, True), at_s=760.0)
    assert write_match(read_match(text)) == text


def test_the_judge_takes_no_notice_of_notes() -> None:
    bare = read_match(HEAD + "w\nq\nw\n").replayed()
    notes = read_match(HEAD + "[1.0] w ; in ne\n[north] q\nw ; lie\n").replayed()
    assert bare == notes


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("[1.0 w", "bracket is not closed"),
        ("[middle] w", "cannot read the note"),
        ("[1.2.3] w", "cannot read the note"),
        ("[nan] w", "cannot read the note"),
        ("w ; lie wnan,1", "cannot read the note"),
        ("[12.0 south]", "a note stands beside a stroke or an entry"),
        ("w ; in xx", "cannot read the note"),
        ("w ; in ne,sw", "cannot read the note"),
        ("w ; lie w1", "cannot read the note"),
        ("w ; fell ne", "in or lie"),
    ],
)
def test_a_note_that_says_nothing_is_refused(line: str, complaint: str) -> None:
    with pytest.raises(NotationError, match=complaint):
        read_match(HEAD + line)


def test_pockets_and_places_are_noted_of_strokes_only() -> None:
    with pytest.raises(ValueError, match="strokes only"):
        Noted(entry=Breach(Side.WHITE, True), pockets=(None,))
