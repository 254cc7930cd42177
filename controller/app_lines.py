"""The record's lines and the open question as the umpire reads them. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from calibration.table import Piece
from controller.app_keeper import Event
from controller.events import StrokeFacts
from controller.outcomes import Question, Verdict
from controller.records import Json
from controller.rules.articles import article, sentence
from controller.rules.contest import Contest, name_at
from controller.session import Session
from controller.session_record import Line, judge_line
from controller.telling import facts_words, ruling_words

LINES = 150
"""Lines of the record on the page, newest first."""
BRANCHES = 12
"""So many of the newest strokes say what would follow the other way."""
NOTICES = frozenset(
    {
        "umpire-asked",
        "record-changed",
        "ruling-refused",
        "ledger-mismatch",
        "source-dissent",
        "pieces-placed",
        "watching",
        "camera-moved",
        "calibrated",
        "certified",
        "ignored",
        "called",
        "failed",
    }
)
"""Kinds of event that have a line of their own; strokes have theirs already."""
PASSING = NOTICES - {"umpire-asked", "record-changed"} | {"fell", "stroke-running"}
"""Kinds of event that leave the record as it was."""


def lines(events: Sequence[Event], session: Session) -> Iterator[Json]:
    """Strokes as they stand, strokes that no longer do, and notices."""
    standing = {verdict.entry: verdict for verdict in session.verdicts}
    told_as = {seq: entry for entry, seq in session.first_told}
    shown = strokes = 0
    for event in reversed(events):
        entry = told_as.get(event.seq)
        verdict = None if entry is None else standing.get(entry)
        if verdict is not None:
            strokes += verdict.facts is not None
            yield _judged(event, verdict, session, branch=strokes <= BRANCHES)
        elif entry is not None:
            yield _line(event, entry, event.event.text, stands=False)
        elif event.event.kind in NOTICES:
            told = event.event
            law, where = told.law, told.article
            yield _line(event, event.entry, told.text, law=law, article=where)
        else:
            continue
        shown += 1
        if shown == LINES:
            return


def asked(question: Question, match: Contest) -> Json:
    """The open question: each reading, and what follows proper and improper."""
    readings = [reading.facts for reading in question.readings]
    return {
        "number": question.number,
        "from_s": min(facts.from_s for facts in readings),
        "to_s": max(facts.to_s for facts in readings),
        "doubt": question.doubt.value,
        "text": question.text,
        "readings": [
            {
                **facts_of(reading.facts),
                "text": reading_words(reading.facts),
                "probability": round(reading.probability, 3),
                "follows": would_follow(match, reading.facts),
                "improper_follows": improper_follows(match, reading.facts),
            }
            for reading in question.readings
        ],
    }


def facts_of(facts: StrokeFacts) -> dict[str, Json]:
    """A stroke's facts as the page's form holds them."""
    off = facts.jumped
    return {
        **{piece.value: facts.fallen[piece] for piece in Piece},
        "seat": None if facts.seat is None else facts.seat.value,
        "improper": facts.improper,
        "between_strokes": facts.between_strokes,
        "out_of_turn": facts.out_of_turn,
        "faults": [fault.value for fault in facts.faults],
        "off_white": off.count(Piece.WHITE),
        "off_black": off.count(Piece.BLACK),
        "off_queen": off.count(Piece.QUEEN),
        "striker_off": facts.striker_off,
    }


def would_follow(match: Contest, facts: StrokeFacts) -> str:
    """What these facts lead to on this match, as the record would say it."""
    verdict = judge_line(match, Line(0, facts))
    return "" if verdict is None else follows(verdict)


def improper_follows(match: Contest, facts: StrokeFacts) -> str | None:
    """The other branch of a stroke; None where it has none (a later fall)."""
    if facts.between_strokes or facts.improper:
        return None
    return would_follow(match, replace(facts, improper=True))


def follows(verdict: Verdict) -> str:
    """What was decided, in one line; why nothing could follow, or ""."""
    said = "; ".join(sentence(each) for each in verdict.decisions)
    return _capital(said or verdict.note)


def reading_words(facts: StrokeFacts) -> str:
    """A reading of a question in words."""
    text = facts_words(facts)
    if facts.between_strokes:
        text += ", between strokes"
    if facts.improper:
        text += ", improper"
    if facts.out_of_turn:
        text += ", out of turn"
    elif facts.seat is not None:
        text += f", struck from {facts.seat.value}"
    return text


def _judged(event: Event, verdict: Verdict, session: Session, *, branch: bool) -> Json:
    laws = session.configured.laws
    first = verdict.decisions[0].law if verdict.decisions else ""
    where = article(first, laws) if first else ""
    line = _line(event, verdict.entry, _story(verdict), law=first, article=where)
    if verdict.facts is None:
        return line
    return {**line, "stroke": True, **_other_branch(verdict, branch=branch)}


def _other_branch(verdict: Verdict, *, branch: bool) -> dict[str, Json]:
    """The stroke's facts, and what would follow were it proper, or improper."""
    facts = verdict.facts
    assert facts is not None
    other: Json = None
    if branch and not facts.between_strokes:
        turned = replace(facts, improper=not facts.improper)
        other = would_follow(verdict.before, turned)
    return {"facts": facts_of(facts), "otherwise": other}


def _line(
    event: Event,
    entry: int,
    text: str,
    *,
    law: str = "",
    article: str = "",
    stands: bool = True,
) -> dict[str, Json]:
    return {
        "seq": event.seq,
        "entry": entry,
        "time": _local(event.utc),
        "kind": event.event.kind,
        "text": text,
        "law": law,
        "article": article,
        "stroke": False,
        "stands": stands,
    }


def _story(verdict: Verdict) -> str:
    """One line for the umpire: who, what went down, what follows."""
    facts = verdict.facts
    said = _capital("; ".join(sentence(each) for each in verdict.decisions))
    if facts is None:
        return said or _capital(ruling_words(verdict))
    note = f" ({verdict.note})" if verdict.note else ""
    how = ["improper"] if facts.improper else []
    how += [fault.value.replace("-", " ") for fault in facts.faults]
    what = ", ".join([facts_words(facts), *how])
    return f"{_striker(verdict)}: {what}. {said}{note}"


def _striker(verdict: Verdict) -> str:
    seat = verdict.facts.seat if verdict.facts is not None else None
    return name_at(verdict.before, seat)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _local(utc: datetime) -> str:
    return utc.astimezone().strftime("%H:%M:%S")
