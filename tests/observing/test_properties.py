"""Can the fold go wrong at all? Whole matches made up at random."""

from collections.abc import Sequence

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from calibration.table import Piece
from controller.events import (
    ClockAction,
    ClockSet,
    Counts,
    Elapsed,
    Evidence,
    FoulCalled,
    Input,
    Inserted,
    Picked,
    PocketReport,
    Ruled,
    ScoreSet,
    StrokeFacts,
    TakenBack,
)
from controller.records import canonical, decode, encode, parse
from controller.rules.entries import TossDecided
from controller.rules.order import Player
from controller.rules.toss import Choice
from controller.session import Session, begin, replay, step
from tests.observing.match_sheet import opened, ready, run, setup, stroke
from tests.observing.score_sheet import (
    LETTERS,
    POCKETS,
    played,
    verdict,
    walk,
    watching,
)
from vision.sightings import StrokeSeen, StrokeStarted

MATCHES = settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
STROKES = settings(max_examples=40, deadline=None)


def notes(counts: Counts) -> str:
    """Counts as `8w 9b q s`."""
    return " ".join(f"{n}{LETTERS[p]}" for p in Piece if (n := counts[p]))


@st.composite
def falls(draw: st.DrawFn, lying: Counts) -> list[Piece]:
    """What might fall in one stroke, at most three pieces and not the last ones."""
    there = [Piece.STRIKER]
    there += [Piece.QUEEN] * lying.queen
    there += [Piece.WHITE] * max(lying.white - 1, 0)
    there += [Piece.BLACK] * max(lying.black - 1, 0)
    few = st.integers(0, min(3, len(there)))
    return draw(st.permutations(there))[: draw(few)]


def next_stroke(session: Session, number: int, draw: st.DrawFn) -> list[Evidence]:
    """A stroke that fits the record as it stands, all sources agreeing."""
    book = session.book or Counts(5, 5, 1)
    fell = draw(falls(book))
    lying = book + Counts(striker=1)
    where = [draw(st.sampled_from(sorted(POCKETS))) for _ in fell]
    ends = " ".join(f"{LETTERS[p]}@{w}" for p, w in zip(fell, where, strict=True))
    after = lying - Counts.of(fell)
    return stroke(number, notes(lying), ends, notes(after)).evidence


def ruling(draw: st.DrawFn, session: Session, at_s: float) -> Input:
    """Something an umpire might say, sensible or not."""
    entries = [verdict.entry for verdict in session.verdicts] or [1]
    entry = draw(st.sampled_from([*entries, None]))
    facts = StrokeFacts(from_s=at_s, to_s=at_s)
    question = session.question
    choices: list[Input] = [
        TakenBack(at_s, "umpire", entry, ""),
        Inserted(at_s, "umpire", entry, facts, ""),
        FoulCalled(at_s, "umpire", draw(st.booleans()), None, ""),
        ScoreSet(at_s, "umpire", (draw(st.integers(-1, 30)), 3), ""),
        Picked(at_s, "umpire", question.number if question else 0, 0),
        ClockSet(at_s, "umpire", draw(st.sampled_from(ClockAction)), 7.5),
        Ruled(at_s, "umpire", TossDecided(Player.SECOND, Choice.BREAK), ""),
    ]
    return draw(st.sampled_from(choices))


@st.composite
def matches(draw: st.DrawFn, rulings: bool = True) -> list[Input]:
    """Inputs of a match: configuration, rack, strokes, and rulings between them."""
    inputs: list[Input] = [setup(), *ready()]
    session = opened()
    for number in range(1, draw(st.integers(1, 8)) + 1):
        made: Sequence[Input] = next_stroke(session, number, draw)
        if rulings and draw(st.integers(0, 2)) == 0:
            made = [*made, ruling(draw, session, 10.0 * number + 5.0)]
        inputs += made
        session, _ = run(session, made)
    return inputs


@MATCHES
@given(matches())
def test_a_replay_equals_what_was_lived(inputs: list[Input]) -> None:
    lived, _ = run(begin(setup()), inputs[1:])
    assert replay(inputs) == lived


@MATCHES
@given(matches())
def test_a_replay_from_json_equals_what_was_lived(inputs: list[Input]) -> None:
    written = [canonical(encode(heard, Input)) for heard in inputs]
    read = [decode(parse(body), Input) for body in written]
    assert read == inputs
    assert replay(read) == replay(inputs)  # type: ignore[arg-type]


@MATCHES
@given(matches(rulings=False), st.data())
def test_taking_back_equals_never_done(
    inputs: list[Input], data: st.DataObject
) -> None:
    session, _ = run(begin(setup()), inputs[1:])
    more = next_stroke(session, 50, data.draw)
    done, _ = run(session, more)
    undone, _ = step(done, TakenBack(599.0, "umpire", None, ""))
    assert (undone.match, undone.question) == (session.match, session.question)


@MATCHES
@given(matches(rulings=False), st.data())
def test_a_ruling_taken_back_equals_never_said(
    inputs: list[Input], data: st.DataObject
) -> None:
    session, _ = run(begin(setup()), inputs[1:])
    said, _ = step(session, ruling(data.draw, session, 598.0))
    back, _ = step(said, TakenBack(599.0, "umpire", said.heard, ""))
    assert back.match == session.match
    again, _ = step(back, TakenBack(599.5, "umpire", back.heard, ""))
    assert again.match == said.match


@MATCHES
@given(matches())
def test_pieces_are_conserved_and_events_are_numbered_without_a_gap(
    inputs: list[Input],
) -> None:
    session, told = run(begin(setup()), inputs[1:])
    ledger = session.match.board.ledger
    assert {p: ledger.on_table[p] + ledger.pocketed[p] for p in ledger.on_table} == {
        Piece.WHITE: 9,
        Piece.BLACK: 9,
        Piece.QUEEN: 1,
    }
    following = 1
    for one in told:
        assert one.seq == following
        following += one.events
    assert session.rev == following - 1


@MATCHES
@given(matches(rulings=False))
def test_a_match_whose_sources_agree_is_never_asked_about(inputs: list[Input]) -> None:
    session = replay(inputs)
    assert session.question is None


@st.composite
def shuffled(draw: st.DrawFn) -> tuple[list[Evidence], list[Evidence], str]:
    """One stroke's evidence as it happened, and as it might arrive."""
    fell = draw(falls(Counts(7, 8, 1)))
    ends = [f"{LETTERS[p]}@{draw(st.sampled_from(sorted(POCKETS)))}" for p in fell]
    heard = [
        end.split("@")[1] + (":striker" if end[0] == "s" else "")
        for end in ends
        if draw(st.integers(0, 9))
    ]
    lying = Counts(7, 8, 1, 1)
    after = notes(lying - Counts.of(fell))
    made = played(notes(lying), " ".join(ends), " ".join(heard), after)
    within = [*made.tracks, *made.reports]
    again = draw(st.lists(st.sampled_from(made.reports), max_size=2)) if heard else []
    mixed = draw(st.permutations([*within, *again]))
    late = Elapsed(made.seen.to_s + 1.0)
    return [*made.evidence, late], [made.start, *mixed, made.seen, late], notes(lying)


@STROKES
@given(shuffled())
def test_the_order_and_repetition_of_evidence_do_not_matter(
    case: tuple[list[Evidence], list[Evidence], str],
) -> None:
    happened, arrived, lying = case
    book = lying.replace("1s", "").strip()
    _, by_time = walk(watching(), happened, book)
    _, by_chance = walk(watching(), arrived, book)
    assert verdict(by_chance) == verdict(by_time)


@STROKES
@given(shuffled())
def test_a_report_after_the_strokes_end_gives_the_same_verdict(
    case: tuple[list[Evidence], list[Evidence], str],
) -> None:
    happened, arrived, lying = case
    book = lying.replace("1s", "").strip()
    first = [e for e in arrived if isinstance(e, StrokeStarted)]
    middle = [e for e in arrived if not isinstance(e, StrokeStarted | PocketReport)]
    reports = [e for e in arrived if isinstance(e, PocketReport)]
    seen = next(i for i, e in enumerate(middle) if isinstance(e, StrokeSeen))
    late = [*first, *middle[: seen + 1], *reports, *middle[seen + 1 :]]
    _, by_time = walk(watching(), happened, book)
    _, by_late = walk(watching(), late, book)
    assert verdict(by_late) == verdict(by_time)
