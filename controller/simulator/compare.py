"""The product's record held against the simulated table's truth.

Nothing of the product is asked to explain itself: the record as it stands at the
end is compared, stroke by stroke and board by board. An error is *silent* when no
question was asked about the time it happened in.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from calibration.table import Piece
from controller.events import StrokeFacts
from controller.outcomes import Question, Verdict
from controller.rules.counting_state import CountedBoard
from controller.rules.match import BoardRecord
from controller.rules.order import Player
from controller.simulator.truth import TrueBoard, TrueStroke, Truth

SLACK_S = 0.5
"""A stroke's ends as the product saw them may be off by so much."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """Where record and truth differ, in words; `asked`: the umpire was asked."""

    at_s: float
    text: str
    asked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Truth against product over a whole run."""

    boards: int
    boards_right: int
    strokes: int
    strokes_right: int
    questions: tuple[Question, ...]
    mistakes: tuple[Mistake, ...]

    @property
    def silent_errors(self) -> int:
        """Mistakes that nobody was asked about."""
        return sum(not mistake.asked for mistake in self.mistakes)


def compare(
    truth: Truth,
    verdicts: Sequence[Verdict],
    boards: Sequence[BoardRecord] | Sequence[CountedBoard],
    questions: Sequence[Question],
) -> Comparison:
    """Hold strokes and boards against the truth, in order of time."""
    recorded = [v.facts for v in verdicts if v.facts is not None]
    strokes = [*_stroke_mistakes(truth.strokes, recorded, questions)]
    results = [*_board_mistakes(truth.boards, boards)]
    missed = sum(mistake.text.startswith("stroke ") for mistake in strokes)
    return Comparison(
        boards=len(truth.boards),
        boards_right=len(truth.boards) - len(results),
        strokes=len(truth.strokes),
        strokes_right=len(truth.strokes) - missed,
        questions=tuple(questions),
        mistakes=(*strokes, *results),
    )


def within(from_s: float, to_s: float, stroke: TrueStroke) -> bool:
    """Whether a true stroke lies in a stretch of time, give or take the slack."""
    return stroke.from_s <= to_s + SLACK_S and stroke.to_s >= from_s - SLACK_S


def concerns(question: Question, stroke: TrueStroke) -> bool:
    """Whether a question is about a true stroke: it began in the time in question.

    A stroke that only ends there was the one before, and has its own record.
    """
    from_s, to_s = span_of(question)
    return from_s - SLACK_S <= stroke.from_s <= to_s + SLACK_S


def span_of(question: Question) -> tuple[float, float]:
    """The stretch of time a question is about."""
    facts = [reading.facts for reading in question.readings]
    return min(f.from_s for f in facts), max(f.to_s for f in facts)


def _stroke_mistakes(
    true: Sequence[TrueStroke],
    recorded: Sequence[StrokeFacts],
    questions: Sequence[Question],
) -> list[Mistake]:
    left = list(recorded)
    mistakes = []
    for stroke in true:
        same = [f for f in left if within(f.from_s, f.to_s, stroke)]
        asked = any(concerns(question, stroke) for question in questions)
        if not same:
            text = f"stroke {stroke.number} is not on record"
            mistakes.append(Mistake(stroke.from_s, text, asked))
            continue
        left.remove(same[0])
        really = Counter(fall.piece for fall in stroke.fell)
        said = Counter(fallen.piece for fallen in same[0].fell)
        if really != said:
            text = (
                f"stroke {stroke.number}: {_named(really)} fell, "
                f"the record says {_named(said)}"
            )
            mistakes.append(Mistake(stroke.from_s, text, asked))
        elif stroke.proper is same[0].improper:
            text = (
                f"stroke {stroke.number} was {_judged(stroke.proper)}, "
                f"the record says {_judged(not same[0].improper)}"
            )
            mistakes.append(Mistake(stroke.from_s, text, asked))
    for facts in left:
        text = f"a stroke at {facts.from_s:.1f} s that was none is on record"
        mistakes.append(Mistake(facts.from_s, text, asked=False))
    return mistakes


def _board_mistakes(
    true: Sequence[TrueBoard], recorded: Sequence[BoardRecord] | Sequence[CountedBoard]
) -> list[Mistake]:
    mistakes = []
    for number, board in enumerate(true):
        really = _real(board)
        said = _said(recorded[number]) if number < len(recorded) else "nothing"
        if said != really:
            text = f"board {board.board}: {really}, the record says {said}"
            mistakes.append(Mistake(board.at_s, text, asked=False))
    return mistakes


def _real(board: TrueBoard) -> str:
    if board.winner_side is None:
        return f"points {board.scores}"
    return f"{list(Player)[board.winner].value} won {board.points}"


def _said(record: BoardRecord | CountedBoard) -> str:
    match record:
        case BoardRecord():
            return f"{record.winner.value} won {record.points}"
        case CountedBoard():
            return f"points {record.totals}"
        case _:
            assert_never(record)


def _judged(proper: bool) -> str:
    return "proper" if proper else "improper"


def _named(pieces: Counter[Piece]) -> str:
    if not pieces:
        return "nothing"
    return ", ".join(f"{n} {piece.value}" for piece, n in sorted(pieces.items()))
