"""The observer: evidence from camera and pockets becomes finished strokes.

Theory of operation. The observer is a pure fold: `observe` takes one piece of
evidence and the record's book (what lies on the table by the laws) and returns the
new state and its findings. It knows no law and no clock.

A stroke opens with `StrokeStarted` and is complete with `StrokeSeen`, the camera's
whole account of it. Pocket reports come by another way and may be late: while a
fall lacks its report (or a report its fall) and the pocket is fit, the stroke is
held until `wake_s`, when the session is told `Elapsed`. A rest census with hidden
areas is no census: the stroke is held until a clear one comes, or until the next
stroke begins. Then all the evidence is weighed (`observer_weigh`): what is likely
and sound becomes a `StrokeDone`, anything else an `Unclear` with its readings.

What went on while nobody watched (`Gap`: eyes down, controller restarted) is told
by the censuses before and after and by the pocket nodes, whose reports survive. If
nothing moved, nothing happened. If something did and the gap was too short for two
strokes, it was one stroke, weighed without the eyes; after a longer gap the umpire
is asked. Pieces that go between strokes are asked about when a pocket reported
them; pieces that come are hands placing what the laws demanded.

The same evidence in another order within the sensors' latency gives the same
findings: reports and tracks' ends are only collected until the stroke is closed.
"""

from dataclasses import dataclass, replace
from typing import assert_never

from calibration.table import Piece, Pocket, Table
from controller.events import (
    Counts,
    Elapsed,
    Evidence,
    PocketHealth,
    PocketReport,
    PocketState,
    Restarted,
    StrokeFacts,
)
from controller.observer_census import counted, has_moved, is_clear
from controller.observer_falls import Sources, link, name_fallen, taken
from controller.observer_settle import Settled, Unsettled, settle
from controller.observer_weigh import Case
from controller.outcomes import (
    Doubt,
    FellLive,
    LedgerMismatch,
    PiecesPlaced,
    Reading,
    SourceDissent,
    StrokeLive,
    Watching,
)
from controller.trust import Trust
from controller.words import words
from vision.sightings import (
    Census,
    HandSeen,
    NotWatching,
    StrokeSeen,
    StrokeStarted,
    TableAtRest,
    TrackEnd,
    Vanished,
    WatchingAgain,
)


@dataclass(frozen=True, slots=True)
class StrokeDone:
    """One stroke as the evidence settles it, and the entries it rests on."""

    facts: StrokeFacts
    probability: float
    evidence: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Unclear:
    """The evidence does not settle what happened; the likeliest reading first."""

    at_s: float
    doubt: Doubt
    text: str
    readings: tuple[Reading, ...]
    evidence: tuple[int, ...]


Finding = (
    StrokeDone
    | Unclear
    | FellLive
    | StrokeLive
    | LedgerMismatch
    | SourceDissent
    | PiecesPlaced
    | Watching
)


@dataclass(frozen=True, slots=True)
class Gap:
    """A time nobody watched: since when, and what was known when it began.

    `stroke`: a stroke was running. `book_lay`: the table was then as the record
    said, nothing was still to be placed.
    """

    since_s: float
    stroke: StrokeStarted | None
    before: Census | None
    book_lay: bool


@dataclass(frozen=True, slots=True)
class LiveFall:
    """A fall already on display, and which sources have told of it."""

    shown: FellLive
    by_sensor: bool
    by_camera: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Observer:
    """What the evidence so far says about the table.

    `rest`: the last clear census. `held`: a stroke seen but not yet settled.
    `unfelt`: pockets of falls in the last stroke that no sensor reported.
    `settled_s`: no report older than this can belong to a new stroke.
    """

    table: Table
    trust: Trust
    health: tuple[tuple[Pocket, PocketHealth], ...] = ()
    watching: bool = True
    rest: Census | None = None
    running: StrokeStarted | None = None
    held: StrokeSeen | None = None
    gap: Gap | None = None
    pulses: tuple[PocketReport, ...] = ()
    live: tuple[LiveFall, ...] = ()
    unfelt: tuple[Pocket, ...] = ()
    settled_s: float | None = None
    entries: tuple[int, ...] = ()

    @property
    def fit(self) -> frozenset[Pocket]:
        """Pockets whose sensors count."""
        return frozenset(p for p, h in self.health if h is PocketHealth.CLEAR)

    @property
    def wake_s(self) -> float | None:
        """When the session wants to be told `Elapsed`; None: not waiting."""
        if self.held is None or not is_clear(self.held.rest):
            return None
        return self.held.to_s + self.trust.pulse_wait_s

    @property
    def blind(self) -> bool:
        """Whether the eyes are down, or what went on meanwhile is not yet known."""
        return not self.watching


Observed = tuple[Observer, tuple[Finding, ...]]


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
            rest = census if is_clear(census) else observer.rest
            seeing = replace(observer, rest=rest, watching=True)
            return forget(seeing), _watching_again(observer, census.at_s)
        case PocketState():
            return _hear_state(observer, evidence)
        case NotWatching(at_s=at_s, reason=reason):
            blind = replace(observer, watching=False)
            return blind, (Watching(at_s, False, "eyes", reason),)
        case WatchingAgain(at_s=at_s):
            return replace(observer, watching=True), _watching_again(observer, at_s)
        case Restarted(at_s=at_s):
            blind = replace(observer, watching=False, health=(), settled_s=None)
            return blind, (Watching(at_s, False, "eyes", "restarted"),)
        case _:
            return observer, ()


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
            blind = _go_blind(observer, at_s, book)
            return blind, (Watching(at_s, False, "eyes", reason),)
        case WatchingAgain(at_s=at_s):
            return replace(observer, watching=True), _watching_again(observer, at_s)
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
        return _settle(observer, book)
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
    seen = _coins(counted(rest))
    if seen != book:
        text = f"the record says {words(book)}, on the table lie {words(seen)}"
        found = (*found, LedgerMismatch(started.at_s, book, seen, text))
    return observer, found


def _see_vanish(observer: Observer, entry: int, vanished: Vanished) -> Observed:
    observer = replace(observer, entries=(*observer.entries, entry))
    if vanished.end is not TrackEnd.POCKET or vanished.pocket is None:
        return observer, ()
    return _show(observer, vanished.at_s, vanished.pocket, vanished.piece)


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
    observer, shown_now = _show(observer, report.at_s, report.pocket, None)
    observer, settled = _settle_if_complete(observer, book)
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
        observer, told = _close_gap(observer, before, book)
        found = (*found, *told)
    observer = replace(
        observer, held=seen, running=None, entries=(*observer.entries, entry)
    )
    observer, settled = _settle_if_complete(observer, book)
    return observer, (*found, *settled)


def _see_rest(
    observer: Observer, entry: int, census: Census, book: Counts | None
) -> Observed:
    found: tuple[Finding, ...] = _watching_again(observer, census.at_s)
    observer = replace(observer, watching=True)
    if not is_clear(census):
        return observer, found
    if observer.held is not None:
        observer = replace(observer, held=replace(observer.held, rest=census))
        observer, settled = _settle(observer, book)
        return observer, (*found, *settled)
    if observer.running is not None and observer.gap is None:
        observer = _go_blind(observer, observer.running.at_s, book)
    if observer.gap is not None:
        observer, told = _close_gap(observer, census, book)
        return observer, (*found, *told)
    before, observer = observer.rest, replace(observer, rest=census)
    if before is None or book is None:
        return observer, found
    observer, told = _compare(observer, entry, before, census, book)
    return observer, (*found, *told)


def _compare(
    observer: Observer, entry: int, before: Census, now: Census, book: Counts
) -> Observed:
    """Two looks at rest with no stroke between: pieces placed, or gone?"""
    if placed := _placed(before, now, book):
        return observer, placed
    lost = _coins(counted(before)) - _coins(counted(now))
    if max(lost.each) <= 0 or not observer.pulses:
        return observer, ()
    pieces = [piece for piece in Piece for _ in range(max(lost[piece], 0))]
    falls = link((), observer.pulses, observer.trust)
    fell = name_fallen(Counts.of(pieces), falls, 1.0)
    from_s, to_s = before.at_s, now.at_s
    late = StrokeFacts(from_s=from_s, to_s=to_s, fell=fell, between_strokes=True)
    nothing = StrokeFacts(from_s=from_s, to_s=to_s, between_strokes=True)
    text = f"{words(Counts.of(pieces))} went while no stroke was seen: fallen?"
    readings = (Reading(late, 0.5), Reading(nothing, 0.5))
    evidence = (*observer.entries, entry)
    unclear = Unclear(now.at_s, Doubt.NO_STROKE, text, readings, evidence)
    return replace(observer, pulses=(), live=(), entries=()), (unclear,)


def _placed(
    before: Census, now: Census, book: Counts | None
) -> tuple[PiecesPlaced, ...]:
    """What hands put there so that the table is as the record says, if they did."""
    was, lies = _coins(counted(before)), _coins(counted(now))
    if lies != book or was == book:
        return ()
    came = lies - was
    pieces = [piece for piece in Piece for _ in range(max(came[piece], 0))]
    return (PiecesPlaced(now.at_s, tuple(pieces)),)


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
    blind = _go_blind(observer, since_s, book)
    blind = replace(blind, health=(), settled_s=None)
    return blind, (Watching(again.at_s, False, "eyes", "restarted"),)


def _go_blind(observer: Observer, at_s: float, book: Counts | None) -> Observer:
    if observer.gap is not None:
        return replace(observer, watching=False)
    rest = observer.rest
    lay = rest is not None and book is not None and _coins(counted(rest)) == book
    gap = Gap(at_s, observer.running, rest, lay)
    return replace(observer, watching=False, gap=gap, running=None)


def _watching_again(observer: Observer, at_s: float) -> tuple[Finding, ...]:
    return () if observer.watching else (Watching(at_s, True, "eyes", "sees again"),)


def _show(
    observer: Observer, at_s: float, pocket: Pocket, piece: Piece | None
) -> Observed:
    """Show a fall at once, or say more of one that is shown already."""
    by_camera = piece is not None
    for i, fall in enumerate(observer.live):
        near = abs(fall.shown.at_s - at_s) <= observer.trust.pulse_match_s
        told = fall.by_camera if by_camera else fall.by_sensor
        if fall.shown.pocket is not pocket or not near or told:
            continue
        shown_now = replace(fall.shown, piece=piece or fall.shown.piece)
        both = LiveFall(shown_now, True, True)
        live = (*observer.live[:i], both, *observer.live[i + 1 :])
        found = (shown_now,) if shown_now != fall.shown else ()
        return replace(observer, live=live), found
    new = FellLive(at_s, len(observer.live) + 1, pocket, piece)
    fall = LiveFall(new, not by_camera, by_camera)
    return replace(observer, live=(*observer.live, fall)), (new,)


def _settle_if_complete(observer: Observer, book: Counts | None) -> Observed:
    """Settle a held stroke at once when no report can still be missing."""
    held = observer.held
    if held is None or not is_clear(held.rest):
        return observer, ()
    case = _case(observer, held, book)
    lacking = (
        fall
        for fall in case.falls
        if fall.pulse is None and fall.pocket in observer.fit
    )
    alone = (fall for fall in case.falls if fall.track is None)
    if any(lacking) or any(alone):
        return observer, ()
    return _settle(observer, book)


def _settle(observer: Observer, book: Counts | None) -> Observed:
    """Weigh a held stroke and say what it was, or that it is not clear."""
    held = observer.held
    assert held is not None
    case = _case(observer, held, book)
    strayed = [p for p in observer.pulses if p.at_s < _opens_s(observer, held.from_s)]
    found: list[Finding] = [_stray(pulse) for pulse in strayed]
    facts = StrokeFacts(
        from_s=held.from_s,
        to_s=held.to_s,
        seat=held.seat,
        placement=held.placement,
        first_contact=held.first_contact,
    )
    gap, most_s = observer.gap, observer.trust.one_stroke_s
    long = gap is not None and held.to_s - gap.since_s > most_s
    observer, judged = _judge(observer, case, facts, Doubt.UNWATCHED if long else None)
    closes_s = held.to_s + observer.trust.pulse_wait_s
    observer = replace(
        observer,
        held=None,
        settled_s=closes_s,
        pulses=tuple(p for p in observer.pulses if p.at_s > closes_s),
    )
    return observer, (*found, *judged)


def _case(observer: Observer, held: StrokeSeen, book: Counts | None) -> Case:
    """The evidence for a stroke; one that spans a gap is weighed without the eyes."""
    trust = observer.trust
    spans = observer.gap is not None
    ended = () if spans else held.vanished
    opens_s = _opens_s(observer, held.from_s)
    closes_s = held.to_s + trust.pulse_wait_s
    pulses = [p for p in observer.pulses if opens_s <= p.at_s <= closes_s]
    falls = link([v for v in ended if v.end is TrackEnd.POCKET], pulses, trust)
    before = held.before or observer.rest
    return Case(
        before=before if before is not None and is_clear(before) else None,
        after=held.rest,
        falls=falls,
        others=taken(ended),
        sources=Sources(trust=trust, eyes=not spans, fit=observer.fit),
        book=book,
    )


def _opens_s(observer: Observer, from_s: float) -> float:
    gap = observer.gap
    return (from_s if gap is None else gap.since_s) - observer.trust.pulse_match_s


def _stray(pulse: PocketReport) -> SourceDissent:
    text = f"{pulse.pocket.value} reported a fall while no stroke was played"
    return SourceDissent(pulse.at_s, "pocket sensors", text)


def _close_gap(observer: Observer, census: Census, book: Counts | None) -> Observed:
    """The table is seen again: find out whether anything was played meanwhile."""
    gap = observer.gap
    assert gap is not None
    ends_s = census.at_s + observer.trust.pulse_wait_s
    pulses = tuple(p for p in observer.pulses if p.at_s <= ends_s)
    later = tuple(p for p in observer.pulses if p.at_s > ends_s)
    closed = replace(observer, gap=None, rest=census, pulses=later)
    before = gap.before
    if before is None:
        return closed, ()
    if gap.stroke is None and not has_moved(before, census, observer.trust.still_mm):
        stray = tuple(_stray(pulse) for pulse in pulses)
        return closed, (*stray, *_placed(before, census, book))
    case = Case(
        before=before if gap.book_lay or book is None else None,
        after=census,
        falls=link((), pulses, observer.trust),
        others=(),
        sources=Sources(trust=observer.trust, eyes=False, fit=observer.fit),
        book=book,
    )
    from_s = max(gap.since_s, before.at_s) if gap.stroke is None else gap.stroke.at_s
    bare = StrokeFacts(from_s=min(from_s, census.at_s), to_s=census.at_s)
    long = census.at_s - gap.since_s > observer.trust.one_stroke_s
    closed, judged = _judge(closed, case, bare, Doubt.UNWATCHED if long else None)
    return replace(closed, settled_s=ends_s), judged


def _judge(
    observer: Observer, case: Case, bare: StrokeFacts, doubt: Doubt | None
) -> Observed:
    """Settle what happened, or ask; `doubt` says that asking is certain."""
    evidence, outcome = observer.entries, settle(case, bare, doubt)
    observer = replace(
        observer,
        rest=case.after if is_clear(case.after) else observer.rest,
        gap=None,
        live=(),
        entries=(),
        unfelt=_unfelt(case),
    )
    match outcome:
        case Settled(facts=facts, probability=probability, dissenting=dissenting):
            says = "said otherwise, the others agree"
            against = [SourceDissent(bare.to_s, who, says) for who in dissenting]
            done = StrokeDone(facts, probability, evidence)
            return observer, (*against, done)
        case Unsettled(doubt=why, text=text, readings=readings):
            return observer, (Unclear(bare.to_s, why, text, readings, evidence),)
        case _:
            assert_never(outcome)


def _unfelt(case: Case) -> tuple[Pocket, ...]:
    """Pockets where the camera saw a fall that no sensor has reported."""
    return tuple(f.pocket for f in case.falls if f.pulse is None and f.pocket)


def _coins(counts: Counts) -> Counts:
    """The same without the striker."""
    return Counts(counts.white, counts.black, counts.queen)
