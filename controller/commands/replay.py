"""`carrom replay JOURNAL`: the match in words, or a check that it is genuine."""

import json
from collections import deque
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from calibration.refusal import Refusal
from controller.audit import Audit, audit
from controller.journal_rows import Recorded, Row, read_rows, recorded
from controller.match_text import match_text
from controller.outcomes import (
    Asked,
    Called,
    Failed,
    Ignored,
    Judged,
    LedgerMismatch,
    RecordChanged,
    RulingRefused,
    SourceDissent,
    Told,
    Verdict,
    Watching,
    What,
)
from controller.recording import replayed
from controller.records import plain
from controller.rules.articles import article, sentence
from controller.rules.contest import Contest, names_of, standing
from controller.rules.difference import differences
from controller.session import Session
from controller.telling import ruling_words
from controller.words import facts_in_words


def replay(
    journal: Annotated[Path, typer.Argument(help="A match's journal file.")],
    verify: Annotated[
        bool,
        typer.Option("--verify", help="Check chain, signatures and every verdict."),
    ] = False,
    key: Annotated[
        str | None,
        typer.Option(help="With --verify: the public key (hex) that must have signed."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="JSON lines for machines.")
    ] = False,
    notation: Annotated[
        bool,
        typer.Option("--notation", help="The match as text that can be replayed."),
    ] = False,
) -> None:
    """Play a journal back through the laws; exit 1 when --verify finds a fault."""
    rows = read_rows(journal)
    if verify:
        checked = audit(rows, key)
        print(json.dumps(_as_dict(checked)) if as_json else _in_words(checked))
        if checked.broken is not None:
            raise typer.Exit(1)
    elif notation:
        print(match_text(_ended(rows)), end="")
    elif as_json:
        for line in _json_lines(rows):
            print(json.dumps(line))
    else:
        _tell(rows)


def _as_dict(checked: Audit) -> dict[str, object]:
    return {"ok": checked.broken is None, **asdict(checked)}


def _ended(rows: list[Row]) -> Session:
    """The session after the journal's last entry. Raises Refusal for an empty one."""
    last = deque(replayed(recorded(rows)), maxlen=1)
    if not last:
        raise Refusal("the journal holds no match; name one that does")
    return last[0][1]


def _in_words(checked: Audit) -> str:
    if checked.broken is not None:
        return f"row {checked.broken.seq} {checked.broken.why}"
    signed = (
        f"{checked.checkpoints} checkpoints signed by {', '.join(checked.keys)}"
        if checked.keys
        else "no checkpoint signed yet"
    )
    return (
        f"{checked.rows} rows in one chain, {checked.entries} entries, "
        f"{checked.verdicts} verdicts come out the same, "
        f"{signed}; head {checked.head}"
    )


def _json_lines(rows: list[Row]) -> Iterator[object]:
    for one, _, told in replayed(recorded(rows)):
        for said in told:
            yield {
                "entry": one.entry,
                "utc": one.utc,
                "seq": said.seq,
                "told": plain(said.what),
            }


def _tell(rows: list[Row]) -> None:
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    session: Session | None = None
    for one, now, told in replayed(recorded(rows)):
        if session is None:
            console.print(Text(_heading(now), style="bold"))
        session = now
        for said in told:
            for line, style in _lines(one, said):
                console.print(Text(line, style=style))
    if session is not None:
        console.print(Text(_standing(session.match), style="bold"))


def _heading(session: Session) -> str:
    match, configured = session.match, session.configured
    return (
        f"{' against '.join(names_of(match))}, {match.laws.title}, "
        f"table {configured.table}, carrom {configured.software}"
    )


def _standing(match: Contest) -> str:
    return f"game {match.game}, board {match.board_number}: {standing(match)}"


def _lines(one: Recorded, said: Told) -> Iterator[tuple[str, str]]:
    when = one.utc[11:19]
    match said.what:
        case Judged(verdict=verdict):
            yield f"{when} #{verdict.entry} {_what(verdict)}", ""
            for text in (*_decisions(verdict), *_by_hand(verdict)):
                yield f"         {text}", "cyan"
        case RecordChanged(by=by, text=text) as changed:
            yield f"{when} #{one.entry} {by}: {text}", "yellow"
            for difference in differences(changed.before, changed.after):
                yield f"         {difference}", "yellow"
            for verdict in changed.verdicts:
                if verdict.note:
                    yield f"         #{verdict.entry} {verdict.note}", "yellow"
        case other:
            text = _notice(other)
            if text:
                yield f"{when} #{one.entry} {text}", "magenta"


def _what(verdict: Verdict) -> str:
    if verdict.facts is None:
        return ruling_words(verdict)
    note = f" ({verdict.note})" if verdict.note else ""
    return f"{facts_in_words(verdict.facts)}{note}"


def _by_hand(verdict: Verdict) -> tuple[str, ...]:
    """What a ruling changed of which the laws say nothing more."""
    before, after = verdict.before, verdict.after
    told = verdict.decisions or verdict.facts is not None
    return (
        ()
        if told or after.board_number != before.board_number
        else differences(before, after)
    )


def _decisions(verdict: Verdict) -> Iterator[str]:
    for decision in verdict.decisions:
        where = article(decision.law, verdict.after.laws)
        yield f"{sentence(decision)}" + (f" [{where}]" if where else "")


def _notice(what: What) -> str:
    match what:
        case Asked(question=question):
            return f"asked: {question.text}"
        case RulingRefused(by=by, text=text):
            return f"{by}: refused, {text}"
        case (
            LedgerMismatch(text=text)
            | Ignored(text=text)
            | Called(text=text)
            | Failed(text=text)
        ):
            return text
        case SourceDissent(source=source, text=text):
            return f"{source}: {text}"
        case Watching(ok=ok, source=source, reason=reason):
            return f"{source} {'see again' if ok else 'not watching'}: {reason}"
        case _:
            return ""
