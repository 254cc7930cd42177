"""Law cases: a state, what happens, what must follow; and whether it does.

A case is a record with the keys of the project's case format (X strikes, Y is the
opponent). X plays white here; no law of a coin's side depends on its colour.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from calibration.refusal import Refusal
from controller.rules.board import Side
from controller.rules.case_outcome import OUTCOME_KEYS, OUTCOME_WORDS, happen
from controller.rules.case_play import Situation, situation
from controller.rules.case_words import HAPPENING_KEYS, STATE_KEYS
from controller.rules.contest import Decided
from controller.rules.explain import happening_in_words, state_in_words
from controller.rules.laws import Laws
from controller.rules.match_cases import RESULT_KEYS, played, result_of
from controller.rules.rule_sets import rule_set

CASE_KEYS = {"id", "src", "rules", "b", "st", "e", "then"}
STEP_KEYS = {"st", "e", "then"}
MATCH_KEYS = {"id", "src", "match", "e"}
Record = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One key of a case that came out otherwise."""

    key: str
    expected: object
    actual: object

    def __str__(self) -> str:
        return f"{self.key}: expected {self.expected!r}, got {self.actual!r}"


@dataclass(frozen=True, slots=True)
class Step:
    """One happening of a case: the facts it was judged on, and what was decided."""

    facts: str
    decisions: tuple[Decided, ...]


@dataclass(frozen=True, slots=True)
class CaseReport:
    """How a case came out. It passes with no mismatch and no unknown key."""

    id: str
    source: str
    mismatches: tuple[Mismatch, ...]
    unknown: tuple[str, ...]
    steps: tuple[Step, ...]
    laws: Laws | None
    unplayable: str | None = None
    """Why the case could not be played at all."""

    @property
    def passed(self) -> bool:
        """Whether everything expected came out and every key was understood."""
        return not (self.mismatches or self.unknown or self.unplayable)

    @property
    def decisions(self) -> tuple[Decided, ...]:
        """Everything decided, in order."""
        return tuple(decision for step in self.steps for decision in step.decisions)


def run_case(record: Record) -> CaseReport:
    """Play one case; one that cannot be played says why instead."""
    name, source = str(record.get("id", "?")), str(record.get("src", ""))
    try:
        if "match" in record:
            return _run_match(record, name, source)
        return _run(record, name, source)
    except ValueError as error:
        return CaseReport(name, source, (), (), (), None, str(error))


def _run(record: Record, name: str, source: str) -> CaseReport:
    laws = rule_set(str(record.get("rules", "icf")))
    before = situation(_section(record, "b"), laws)
    mismatches: list[Mismatch] = []
    steps: list[Step] = []
    for words in _steps(record):
        before, step, wrong = _play(before, words)
        steps.append(step)
        mismatches += wrong
    unknown = tuple(_unknown_keys(record))
    return CaseReport(name, source, tuple(mismatches), unknown, tuple(steps), laws)


def _run_match(record: Record, name: str, source: str) -> CaseReport:
    """A case written as a match: played to its end, which is compared."""
    contest, steps = played(str(record["match"]))
    actual, expected = result_of(contest), _section(record, "e")
    wrong = tuple(
        Mismatch(key, value, actual[key])
        for key, value in expected.items()
        if key in RESULT_KEYS and not _agrees(value, actual[key])
    )
    unknown = [key for key in record if key not in MATCH_KEYS]
    unknown += [f"e.{key}" for key in expected if key not in RESULT_KEYS]
    told = tuple(Step(step.entry, step.decisions) for step in steps)
    return CaseReport(name, source, wrong, tuple(unknown), told, contest.laws)


def _play(before: Situation, words: Record) -> tuple[Situation, Step, list[Mismatch]]:
    happening = _section(words, "st")
    _refuse_odd_words(_section(words, "e"))
    after = happen(before, happening)
    facts = f"{state_in_words(before.board)}; {happening_in_words(happening)}"
    wrong = [
        Mismatch(key, expected, after.outcome.get(key))
        for key, expected in _section(words, "e").items()
        if key in OUTCOME_KEYS
        and not _agrees(_named(key, expected, before), after.outcome.get(key))
    ]
    return after.situation, Step(facts, after.decisions), wrong


def _refuse_odd_words(expected: Record) -> None:
    for key, known in OUTCOME_WORDS.items():
        word = expected.get(key)
        if word and str(word).lower() not in (each.lower() for each in known):
            raise Refusal(f"e.{key} is {', '.join(known)}, got {word!r}")


def _named(key: str, expected: object, before: Situation) -> object:
    """Who "the opponent" is, where a case says it so."""
    if key != "placed_by" or expected != "opponent" or before.words.get("doubles"):
        return expected
    return "Y" if before.board.turn is Side.WHITE else "X"


def _steps(record: Record) -> Iterator[Record]:
    yield record
    further = record.get("then") or []
    for step in further if isinstance(further, list) else [further]:
        if not isinstance(step, Mapping):
            raise Refusal(f"'then' is a record {{st, e}} or a list of them: {step!r}")
        if odd := [key for key in step if key not in STEP_KEYS]:
            raise Refusal(f"'then' has st and e, not {odd[0]!r}")
        yield from _steps(step)


def _section(record: Record, key: str) -> Record:
    section = record.get(key, {})
    if section is None:
        return {}
    if not isinstance(section, Mapping):
        raise Refusal(f"{key!r} must be a record of keys, got {section!r}")
    return section


def _agrees(expected: object, actual: object) -> bool:
    """Equal, where false and 0 both mean "none"."""
    if isinstance(actual, tuple):
        listed = expected if isinstance(expected, list) else [expected]
        return listed == list(actual)
    if isinstance(expected, str) and isinstance(actual, str):
        return expected.lower() == actual.lower()
    return expected == actual or (not expected and not actual)


def _unknown_keys(record: Record) -> Iterator[str]:
    yield from (key for key in record if key not in CASE_KEYS)
    yield from (f"b.{key}" for key in _section(record, "b") if key not in STATE_KEYS)
    for step in _steps(record):
        happening, outcome = _section(step, "st"), _section(step, "e")
        yield from (f"st.{key}" for key in happening if key not in HAPPENING_KEYS)
        yield from (f"e.{key}" for key in outcome if key not in OUTCOME_KEYS)
