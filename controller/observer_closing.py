"""Closing what is open: a stroke that was seen, a gap in which nobody watched."""

from dataclasses import replace
from typing import assert_never

from calibration.table import Piece, Pocket
from controller.events import Counts, PocketReport, StrokeFacts
from controller.observer_census import (
    coins_seen,
    counted,
    displaced,
    has_moved,
    is_clear,
    is_rack,
)
from controller.observer_falls import Sources, name_fallen
from controller.observer_link import link, lost_from_sight, taken
from controller.observer_settle import Settled, Unsettled, settle
from controller.observer_state import (
    Finding,
    Gap,
    Observed,
    Observer,
    StrokeDone,
    Unclear,
)
from controller.observer_weigh import Case
from controller.outcomes import Doubt, PiecesPlaced, Reading, SourceDissent
from controller.words import words
from vision.sightings import Census, StrokeSeen, TrackEnd, Vanished

DISPLACED_MM = 12.0
"""A hand that places a due may nudge a neighbour; further than this is no nudge."""
LATE_START_S = 1.0
"""A stroke may run so long before its start is told: a hand hid it, or late eyes."""
BY_HANDS = 0.1
"""How likely hands moved pieces that far, rather than a stroke nobody saw."""


def settle_if_complete(observer: Observer, book: Counts | None) -> Observed:
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
    return settle_held(observer, book)


def settle_held(observer: Observer, book: Counts | None) -> Observed:
    """Weigh a held stroke and say what it was, or that it is not clear."""
    held = observer.held
    assert held is not None
    case = _case(observer, held, book)
    strayed = [p for p in observer.pulses if p.at_s < _opens_s(observer, held.from_s)]
    found: list[Finding] = [_stray(pulse) for pulse in strayed]
    gap, most_s = observer.gap, observer.trust.one_stroke_s
    began_s = held.from_s if gap is None else min(gap.from_s, held.from_s)
    felt_s = [fall.pulse.at_s for fall in case.falls if fall.pulse is not None]
    facts = StrokeFacts(
        from_s=min([began_s, *felt_s]),
        to_s=held.to_s,
        seat=held.seat,
        placement=held.placement,
        first_contact=held.first_contact,
    )
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
    pocketed = [v for v in ended if v.end is TrackEnd.POCKET]
    falls = link(pocketed, pulses, trust, lost_from_sight(ended))
    before = held.before or observer.rest
    return Case(
        before=before if before is not None and is_clear(before) else None,
        after=held.rest,
        falls=falls,
        others=taken(ended, falls),
        striker_lost=_striker_lost(ended),
        sources=Sources(trust=trust, eyes=not spans, fit=observer.fit),
        book=book,
    )


def _striker_lost(ended: tuple[Vanished, ...]) -> bool:
    """Whether the striker went while the eyes looked, and no hand was seen to take it."""
    ends = [v.end for v in ended if v.piece is Piece.STRIKER]
    return bool(ends) and TrackEnd.HAND not in ends


def _opens_s(observer: Observer, from_s: float) -> float:
    gap = observer.gap
    opens_s = from_s if gap is None else min(gap.since_s, gap.from_s)
    return opens_s - LATE_START_S


def go_blind(observer: Observer, at_s: float, book: Counts | None) -> Observer:
    if observer.gap is not None:
        return replace(observer, watching=False)
    rest = observer.rest
    lay = rest is not None and book is not None and coins_seen(rest) == book
    gap = Gap(at_s, observer.running, rest, lay)
    return replace(observer, watching=False, gap=gap, running=None)


def close_gap(observer: Observer, census: Census, book: Counts | None) -> Observed:
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
    bare = StrokeFacts(from_s=min(gap.from_s, census.at_s), to_s=census.at_s)
    long = census.at_s - gap.since_s > observer.trust.one_stroke_s
    closed, judged = _judge(closed, case, bare, Doubt.UNWATCHED if long else None)
    return replace(closed, settled_s=ends_s), judged


def compare(
    observer: Observer, entry: int, before: Census, now: Census, book: Counts
) -> Observed:
    """Two looks at rest with no stroke between: pieces placed, or gone?"""
    shaping = is_rack(now, observer.table)
    if displaced(before, now, DISPLACED_MM) and not shaping:
        return _missed(observer, entry, before, now, book)
    if placed := _placed(before, now, book):
        return observer, placed
    lost = coins_seen(before) - coins_seen(now)
    if not observer.pulses:
        if max(lost.each) > 0 and len(observer.fit) < len(Pocket):
            # No sensor could have felt it: silence is no evidence that hands did it.
            return _missed(observer, entry, before, now, book)
        return observer, ()
    if max(lost.each) <= 0:
        if counted(before).striker <= counted(now).striker:
            return observer, ()
        # Hands pick the striker up, but no hand breaks a pocket's beam.
        return _missed(observer, entry, before, now, book)
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


def _missed(
    observer: Observer, entry: int, before: Census, now: Census, book: Counts
) -> Observed:
    """Pieces lie elsewhere: a stroke the eyes missed, or hands? The umpire knows."""
    observer = replace(observer, entries=(*observer.entries, entry))
    case = Case(
        before=before if coins_seen(before) == book else None,
        after=now,
        falls=link((), observer.pulses, observer.trust),
        others=(),
        sources=Sources(trust=observer.trust, eyes=False, fit=observer.fit),
        book=book,
    )
    bare = StrokeFacts(from_s=before.at_s, to_s=now.at_s)
    observer, found = _judge(observer, case, bare, Doubt.NO_STROKE)
    hands = Reading(replace(bare, between_strokes=True), BY_HANDS)
    asked = tuple(
        replace(one, readings=(*one.readings, hands))
        if isinstance(one, Unclear)
        else one
        for one in found
    )
    return replace(observer, pulses=(), settled_s=now.at_s), asked


def _placed(
    before: Census, now: Census, book: Counts | None
) -> tuple[PiecesPlaced, ...]:
    """What hands put there so that the table is as the record says, if they did."""
    was, lies = coins_seen(before), coins_seen(now)
    if lies != book or was == book:
        return ()
    came = lies - was
    pieces = [piece for piece in Piece for _ in range(max(came[piece], 0))]
    return (PiecesPlaced(now.at_s, tuple(pieces)),)


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


def _stray(pulse: PocketReport) -> SourceDissent:
    text = f"{pulse.pocket.value} reported a fall while no stroke was played"
    return SourceDissent(pulse.at_s, "pocket sensors", text)
