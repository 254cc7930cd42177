"""Journal first, then the session, then what is told: the order that loses nothing.

`hear` writes an input down before the session acts on it; only when it has returned
may a pocket node be acknowledged or anything be published. `resume` replays the
journal, so that after a power cut the match goes on where it stopped; what had been
heard but perhaps not been told is returned to be told (readers drop repeats by
number).
"""

import hashlib
import logging
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from calibration.refusal import Refusal
from controller.events import Configured, Input, Restarted
from controller.journal import Journal
from controller.journal_rows import Recorded
from controller.outcomes import Told
from controller.records import canonical, plain
from controller.session import Session, begin, failed, step

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Heard:
    """The session after an input, and what is to be told.

    `is_new` is False for a pocket report that is on record already: it changes
    nothing and may be acknowledged.
    """

    session: Session
    told: tuple[Told, ...]
    is_new: bool = True


def open_match(journal: Journal, configured: Configured) -> Session:
    """Begin a match in an empty journal. Raises Refusal when it is not empty."""
    if journal.entries:
        raise Refusal(
            f"journal {journal.path} already holds a match: resume it or name another"
        )
    journal.append(configured)
    return begin(configured)


def hear(journal: Journal, session: Session, heard: Input) -> Heard:
    """Write one input down, then act on it. Raises Refusal when it cannot be kept."""
    entry = journal.append(heard)
    if entry is None:
        return Heard(session, (), is_new=False)
    session, told = take(session, heard)
    if told:
        # The input is on record: to raise now would have it written down twice.
        with suppress(Refusal):
            journal.append_verdict(entry, digest(told))
    return Heard(session, told)


def resume(journal: Journal, again: Restarted) -> Heard:
    """Go on with the match in a journal: replay it and hear of the restart.

    `told` is what followed from inputs after the last verdict on record, and from
    the restart itself. Raises Refusal when the journal holds no match.
    """
    last = journal.last_verdict()
    session: Session | None = None
    untold: list[tuple[int, tuple[Told, ...]]] = []
    for recorded, now, told in replayed(journal.inputs()):
        session = now
        if told and recorded.entry > last:
            untold.append((recorded.entry, told))
    if session is None:
        raise Refusal(f"journal {journal.path} holds no match to resume")
    for entry, told in untold:
        journal.append_verdict(entry, digest(told))
    heard = hear(journal, session, again)
    before = tuple(one for _, told in untold for one in told)
    return Heard(heard.session, (*before, *heard.told))


def take(session: Session, heard: Input) -> tuple[Session, tuple[Told, ...]]:
    """What an input on record leads to. Never raises.

    Should taking it in fail, that is a fault of ours. The input stays on record, the
    session goes on as if it had said nothing, and that is told as loudly as can be:
    to raise would end the match here and again at each resume.
    """
    try:
        return step(session, heard)
    except Exception as why:
        log.exception("an input on record could not be taken in")
        return failed(session, heard, why)


def replayed(
    inputs: Iterable[Recorded],
) -> Iterator[tuple[Recorded, Session, tuple[Told, ...]]]:
    """Each input of a journal with the session after it and what it told.

    Raises Refusal when the first is no configuration.
    """
    session = None
    for recorded in inputs:
        told: tuple[Told, ...] = ()
        match recorded.input:
            case Configured() as configured if session is None:
                session = begin(configured)
            case heard if session is not None:
                session, told = take(session, heard)
            case _:
                raise Refusal("the journal does not begin with its configuration")
        yield recorded, session, told


def digest(told: Iterable[Told]) -> str:
    """SHA-256 over what was told, as canonical JSON: equal when all of it is."""
    return hashlib.sha256(canonical([plain(one) for one in told])).hexdigest()
