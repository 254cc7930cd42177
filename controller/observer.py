"""The observer: evidence from camera and pockets becomes finished strokes.

Theory of operation. The observer is a pure fold: `observe` takes one piece of
evidence and the record's book (what lies on the table by the laws) and returns the
new state and its findings. It knows no law and no clock.

A stroke opens with `StrokeStarted` and is complete with `StrokeSeen`, the camera's
whole account of it. Pocket reports come by another way and may be late: while a
fall lacks its report (or a report its fall) and the pocket is fit, the stroke is
held until `wake_s`, when the session is told `Elapsed`. A rest census with hidden
areas is no census: the stroke is held until a clear one comes, or until the next
stroke begins; one that has a coin elsewhere that was in sight is no later look at
the same rest, and what was hidden is asked about. Then all the evidence is weighed
(`observer_weigh`): what is likely and sound becomes a `StrokeDone`, anything else an
`Unclear` with its readings.

What went on while nobody watched (`Gap`: eyes down, controller restarted) is told
by the censuses before and after and by the pocket nodes, whose reports survive. If
nothing moved, nothing happened. If something did and the gap was too short for two
strokes, it was one stroke, weighed without the eyes; after a longer gap the umpire
is asked. Pieces that go between strokes are asked about when a pocket reported
them; pieces that come are hands placing what the laws demanded.

The same evidence in another order within the sensors' latency gives the same
findings: reports and tracks' ends are only collected until the stroke is closed.
"""

from dataclasses import replace
from typing import assert_never

from calibration.table import Pocket
from controller.events import (
    Certified,
    Counts,
    Elapsed,
    Evidence,
    PocketHealth,
    PocketReport,
    PocketState,
    Recalibrated,
    Restarted,
)
from controller.observer_census import coins_seen, has_moved, is_clear
from controller.observer_closing import (
    close_gap,
    compare,
    go_blind,
    settle_held,
    settle_if_complete,
)
from controller.observer_state import (
    Finding,
    Gap,
    Observed,
    Observer,
    StrokeDone,
    Unclear,
    show,
)
from controller.outcomes import (
    CalibratedAnew,
    CameraFollowed,
    LedgerMismatch,
    SourceDissent,
    StrokeLive,
    TableCertified,
    Watching,
)
from controller.words import words
from vision.sightings import (
    CameraMoved,
    Census,
    ColoursLearned,
    HandSeen,
    NotWatching,
    StrokeSeen,
    StrokeStarted,
    TableAtRest,
    TrackEnd,
    Vanished,
    WatchingAgain,
)

__all__ = ["Finding", "Observer", "StrokeDone", "Unclear", "forget", "idle", "observe"]


RESTARTED = "restarted"


def observe(
    observer: Observer, entry: int, evidence: Evidence, book: Counts | None
) -> Observed:
    """Take one piece of evidence; the state that follows and what was found.

    `entry` is its number in the journal. `book`: coins and queen on the table by
    the laws, None while an open question leaves that open.
    """
    observer, early = _settle_due(observer, evidence, book)
    observer, found = _take(observer, entry, evidence, book)
    return observer, (*early, *found)


def idle(observer: Observer, evidence: Evidence) -> Observed:
    """Take evidence while no board is played: only look, find no strokes."""
    match evidence:
        case TableAtRest(census=census) | StrokeSeen(rest=census):
            again = _watching_again(observer, census.at_s)
            seeing = forget(replace(observer, watching=True))
            if is_clear(census):
                return replace(seeing, rest=census), again
            return replace(seeing, gap=observer.gap), again
        case PocketState():
            return _hear_state(observer, evidence)
        case NotWatching(at_s=at_s, reason=reason):
            blind = replace(_idle_blind(observer, at_s), unwatched=reason)
            return blind, (Watching(at_s, False, "eyes", reason),)
        case WatchingAgain(at_s=at_s):
            return replace(observer, watching=True), _watching_again(observer, at_s)
        case CameraMoved(at_s=at_s, shift_mm=shift_mm):
            return observer, (CameraFollowed(at_s, shift_mm),)
        case ColoursLearned():
            return replace(observer, colours=evidence), ()
        case Recalibrated():
            return observer, (_calibrated(evidence),)
        case Certified():
            return observer, (_certified(evidence),)
        case Restarted(at_s=at_s):
            since_s = at_s if observer.rest is None else observer.rest.at_s
            blind = _unknown_again(_idle_blind(observer, since_s))
            return blind, (Watching(at_s, False, "eyes", RESTARTED),)
        case _:
            return observer, ()


def _calibrated(anew: Recalibrated) -> CalibratedAnew:
    return CalibratedAnew(anew.at_s, anew.calibration, anew.trusted, anew.by)


def _certified(stands: Certified) -> TableCertified:
    return TableCertified(
        stands.at_s,
        stands.certificate,
        stands.by,
        stands.summary,
        stands.shortfalls,
    )


def _idle_blind(observer: Observer, since_s: float) -> Observer:
    """Nobody watches; what lay there before belongs to no board."""
    gap = observer.gap or Gap(since_s, stroke=None, before=None, book_lay=False)
    return replace(observer, watching=False, gap=gap)


def forget(observer: Observer) -> Observer:
    """Drop what belongs to a stroke: a new board begins, or none is played."""
    return replace(
        observer,
        running=None,
        held=None,
        gap=None,
        pulses=(),
        live=(),
        unfelt=(),
        entries=(),
    )


def _take(
    observer: Observer, entry: int, evidence: Evidence, book: Counts | None
) -> Observed:
    match evidence:
        case StrokeStarted():
            return _start(observer, entry, evidence, book)
        case Vanished():
            return _see_vanish(observer, entry, evidence)
        case PocketReport():
            return _hear_report(observer, entry, evidence, book)
        case StrokeSeen():
            return _see_stroke(observer, entry, evidence, book)
        case TableAtRest(census=census):
            return _see_rest(observer, entry, census, book)
        case PocketState():
            return _hear_state(observer, evidence)
        case NotWatching(at_s=at_s, reason=reason):
            blind = replace(go_blind(observer, at_s, book), unwatched=reason)
            return blind, (Watching(at_s, False, "eyes", reason),)
        case WatchingAgain(at_s=at_s):
            return replace(observer, watching=True), _watching_again(observer, at_s)
        case CameraMoved(at_s=at_s, shift_mm=shift_mm):
            return observer, (CameraFollowed(at_s, shift_mm),)
        case ColoursLearned():
            return replace(observer, colours=evidence), ()
        case Recalibrated():
            return observer, (_calibrated(evidence),)
        case Certified():
            return observer, (_certified(evidence),)
        case Restarted():
            return _restart(observer, evidence, book)
        case HandSeen() | Elapsed():
            return observer, ()
        case _:
            assert_never(evidence)


def _settle_due(
    observer: Observer, evidence: Evidence, book: Counts | None
) -> Observed:
    """Close a held stroke when this evidence shows that its wait is over."""
    if observer.held is None:
        return observer, ()
    wake_s = observer.wake_s
    over = wake_s is not None and evidence_at_s(evidence) >= wake_s
    if over or isinstance(evidence, StrokeStarted | StrokeSeen | Restarted):
        return settle_held(observer, book)
    return observer, ()


def evidence_at_s(evidence: Evidence) -> float:
    match evidence:
        case StrokeSeen(to_s=at_s):
            return at_s
        case TableAtRest(census=census):
            return census.at_s
        case _:
            return evidence.at_s


def _start(
    observer: Observer, entry: int, started: StrokeStarted, book: Counts | None
) -> Observed:
    observer = replace(
        observer, running=started, live=(), entries=(*observer.entries, entry)
    )
    found: tuple[Finding, ...] = (StrokeLive(started.at_s),)
    rest = observer.rest
    if book is None or rest is None or observer.gap is not None:
        return observer, found
    seen = coins_seen(rest)
    if seen != book:
        text = f"the record says {words(book)}, on the table lie {words(seen)}"
        found = (*found, LedgerMismatch(started.at_s, book, seen, text))
    return observer, found


def _see_vanish(observer: Observer, entry: int, vanished: Vanished) -> Observed:
    observer = replace(observer, entries=(*observer.entries, entry))
    if vanished.end is not TrackEnd.POCKET or vanished.pocket is None:
        return observer, ()
    return show(observer, vanished.at_s, vanished.pocket, vanished.piece)


def _hear_report(
    observer: Observer, entry: int, report: PocketReport, book: Counts | None
) -> Observed:
    if _names(report) in map(_names, observer.pulses):
        return observer, ()
    if observer.settled_s is not None and report.at_s <= observer.settled_s:
        return _hear_late(observer, report)
    if report.pocket not in dict(observer.health):
        observer = _with_health(observer, report.pocket, PocketHealth.CLEAR)
    observer = replace(
        observer,
        pulses=(*observer.pulses, report),
        entries=(*observer.entries, entry),
    )
    observer, shown_now = show(observer, report.at_s, report.pocket, None)
    observer, settled = settle_if_complete(observer, book)
    return observer, (*shown_now, *settled)


def _names(report: PocketReport) -> tuple[str, int, int]:
    return report.device, report.boot, report.sequence


def _hear_late(observer: Observer, report: PocketReport) -> Observed:
    """A report of the stroke settled last: expected there, or it contradicts."""
    if report.pocket in observer.unfelt:
        unfelt = list(observer.unfelt)
        unfelt.remove(report.pocket)
        return replace(observer, unfelt=tuple(unfelt)), ()
    text = f"a late report from {report.pocket.value} fits no fall of the last stroke"
    return observer, (SourceDissent(report.at_s, "pocket sensors", text),)


def _see_stroke(
    observer: Observer, entry: int, seen: StrokeSeen, book: Counts | None
) -> Observed:
    found: tuple[Finding, ...] = _watching_again(observer, seen.to_s)
    observer = replace(observer, watching=True)
    gap, before = observer.gap, seen.before
    if gap is not None and is_clear(before) and seen.from_s > gap.since_s:
        observer, told = close_gap(observer, before, book)
        found = (*found, *told)
    observer = replace(
        observer, held=seen, running=None, entries=(*observer.entries, entry)
    )
    observer, settled = settle_if_complete(observer, book)
    return observer, (*found, *settled)


def _see_rest(
    observer: Observer, entry: int, census: Census, book: Counts | None
) -> Observed:
    found: tuple[Finding, ...] = _watching_again(observer, census.at_s)
    observer = replace(observer, watching=True)
    if not is_clear(census):
        return observer, found
    if (held := observer.held) is not None:
        later = has_moved(held.rest, census, observer.trust.still_mm)
        if is_clear(held.rest) or not later:
            held = replace(held, rest=census)
        observer, settled = settle_held(replace(observer, held=held), book)
        return replace(observer, rest=census), (*found, *settled)
    if observer.running is not None and observer.gap is None:
        observer = go_blind(observer, observer.running.at_s, book)
    if observer.gap is not None:
        observer, told = close_gap(observer, census, book)
        return observer, (*found, *told)
    before, observer = observer.rest, replace(observer, rest=census)
    if before is None or book is None:
        return observer, found
    observer, told = compare(observer, entry, before, census, book)
    return observer, (*found, *told)


def _hear_state(observer: Observer, state: PocketState) -> Observed:
    was = dict(observer.health).get(state.pocket)
    observer = _with_health(observer, state.pocket, state.health)
    ok = state.health is PocketHealth.CLEAR
    if was is state.health or (was is None and ok):
        return observer, ()
    source = f"pocket {state.pocket.value}"
    return observer, (Watching(state.at_s, ok, source, state.reason),)


def _with_health(observer: Observer, pocket: Pocket, health: PocketHealth) -> Observer:
    known = dict(observer.health) | {pocket: health}
    return replace(observer, health=tuple((p, known[p]) for p in Pocket if p in known))


def _restart(observer: Observer, again: Restarted, book: Counts | None) -> Observed:
    """Sight and sensors are unknown until they report; the gap began before."""
    since_s = again.at_s
    if observer.rest is not None:
        since_s = observer.rest.at_s
    if observer.running is not None:
        since_s = observer.running.at_s
    if not again.same_clock:
        since_s = -float("inf")
    blind = _unknown_again(go_blind(observer, since_s, book))
    return blind, (Watching(again.at_s, False, "eyes", RESTARTED),)


def _unknown_again(blind: Observer) -> Observer:
    """After a restart nothing is known of eyes and sensors."""
    return replace(blind, health=(), settled_s=None, unwatched=RESTARTED)


def _watching_again(observer: Observer, at_s: float) -> tuple[Finding, ...]:
    return () if observer.watching else (Watching(at_s, True, "eyes", "sees again"),)
