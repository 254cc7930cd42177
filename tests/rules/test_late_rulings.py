"""Whatever an umpire rules late, and in whatever order, the state says who must act."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calibration.table import Piece, Seat
from controller.config import Config, configured
from controller.events import (
    Corrected,
    Fallen,
    FoulCalled,
    Inserted,
    Ruled,
    Ruling,
    ScoreSet,
    StrokeFacts,
    TakenBack,
)
from controller.rules.board import Side
from controller.rules.happenings import (
    BoardSet,
    Disturbed,
    Forfeited,
    LateFall,
    NoRoom,
    NoticedLate,
    Passed,
    SeatLeft,
    Voided,
    Waived,
)
from controller.rules.match import Demand, Match, NextBoard, Phase
from controller.rules.notation import read_board
from controller.session import Session, begin, step

AT_S = 1.0
FELL = st.lists(st.sampled_from([*Piece, Piece.WHITE, Piece.BLACK]), max_size=3)
SIDES = st.sampled_from(Side)
ENTRIES = st.integers(1, 14)
BOARDS = st.sampled_from(
    ["1w 1b q / black", "2w 3b q=white / white", "9w 9b q / black / due 1w 0b"]
)


def facts(fell: list[Piece], *, improper: bool = False) -> StrokeFacts:
    falls = tuple(Fallen(piece, None, None, 1.0) for piece in fell)
    return StrokeFacts(
        from_s=AT_S, to_s=AT_S, fell=falls, touched=True, improper=improper
    )


def made(fell: list[Piece]) -> Ruling:
    return Inserted(AT_S, "umpire", None, facts(fell), "")


LAWS_KNOW = st.one_of(
    st.builds(lambda text: BoardSet(read_board(text)), BOARDS),
    st.builds(Waived, SIDES),
    st.builds(Forfeited, SIDES),
    st.builds(SeatLeft, SIDES),
    st.builds(Disturbed, SIDES),
    st.builds(Voided, SIDES),
    st.builds(NoRoom, SIDES, st.integers(1, 2)),
    st.builds(NoticedLate, SIDES, st.sampled_from(["turn.out", "queen.missed"])),
    st.builds(LateFall, st.sampled_from([Piece.WHITE, Piece.BLACK, Piece.QUEEN])),
    st.builds(Demand, st.integers(0, 2)),
    st.just(Passed()),
    st.just(NextBoard()),
)
RULINGS = st.one_of(
    st.builds(lambda e, f: Corrected(AT_S, "u", e, facts(f), ""), ENTRIES, FELL),
    st.builds(
        lambda e, f: Inserted(AT_S, "u", e, facts(f, improper=True), ""), ENTRIES, FELL
    ),
    st.builds(lambda e: TakenBack(AT_S, "u", e, ""), ENTRIES | st.none()),
    st.builds(
        lambda t, s: FoulCalled(AT_S, "u", t, s, ""),
        st.booleans(),
        st.sampled_from([Seat.SOUTH, Seat.NORTH, None]),
    ),
    st.builds(lambda a, b: ScoreSet(AT_S, "u", (a, b), ""), *[st.integers(0, 30)] * 2),
    st.builds(lambda law: Ruled(AT_S, "u", law, ""), LAWS_KNOW),
)


def who_must_act(match: Match) -> str:
    """Whose move it is; fails where the state does not say."""
    match match.phase:
        case Phase.BREAK | Phase.PLAY:
            assert not match.board.over
            assert match.seat in match.seats_of(match.on_turn)
            return match.names[match.on_turn]
        case Phase.CLAIM:
            assert match.records[-1].winner is not None
            return match.names[match.records[-1].winner]
        case Phase.BOARD_OVER | Phase.GAME_OVER:
            assert match.board.over
            return "the umpire, to begin the next board"
        case Phase.TIE:
            return "the umpire, to decide the tie"
        case Phase.MATCH_OVER:
            assert match.winner is not None or match.drawn
            return "nobody"


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(FELL, max_size=8), st.lists(RULINGS, max_size=6), st.randoms())
def test_late_rulings_in_any_order_leave_a_state_that_says_who_must_act(
    strokes: list[list[Piece]], rulings: list[Ruling], shuffle: object
) -> None:
    session: Session = begin(configured(Config(), 0.0, "test"))
    for fell in strokes:
        session, _ = step(session, made(fell))
    shuffle.shuffle(rulings)  # type: ignore[attr-defined]
    for ruling in rulings:
        session, _ = step(session, ruling)
        assert session.question is None
        assert who_must_act(session.match)
        lying, pocketed = session.match.board.ledger
        assert min(*lying.values(), *pocketed.values()) >= 0
