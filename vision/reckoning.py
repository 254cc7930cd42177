"""What a stroke took off the table: tracks that ended, set against two censuses.

The difference of the censuses before and after says how many of each kind are
gone, and it errs least. The tracks say where and when each
went. Where both agree, a fall is as sure as its track. Where they do not, the
census has the number, the tracks keep the place, and the confidence drops: the
observer asks another witness or the umpire.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from calibration.table import Piece, Pocket, Point, Table
from vision.followed import Followed
from vision.motion import STRIKER_OVER_COIN, Discs, advance
from vision.sightings import Census, StrokeSeen, TrackEnd, Vanished
from vision.stroke import RunningStroke, placement_of, seat_of

DISPUTED = 0.5
"""Confidence in a fall of which only one of the two witnesses knows."""
OTHER_KIND = 0.7
"""Confidence in a fall seen as another kind than the one that is gone."""
COASTING_S = 1.0
"""How far ahead the model is asked where an unseen piece went."""
EDGE_MM = 60.0
FLYING_MM_S = 2500.0
"""A piece lost this near the frame and this fast towards it has left the table."""
COVERED_S = 0.1
"""A piece not seen for longer than this after the strike was covered from before."""


class Span(NamedTuple):
    """A stroke's time, from the strike to the last motion seen, and its table."""

    from_s: float
    to_s: float
    table: Table


def reckon(
    before: Census | None,
    rest: Census,
    told: Sequence[Vanished],
    gone: Sequence[Followed],
    span: Span,
) -> tuple[Vanished, ...]:
    """What vanished in a stroke, in order of time.

    `told` are falls told live; `gone` pieces that were followed into the stroke
    and that the rest census does not have.
    """
    lost = [ended(piece, span) for piece in gone]
    if before is None:
        return _by_time([*told, *lost])
    away = {kind: before.count(kind) - rest.count(kind) for kind in Piece}
    kept, spare = _within(away, told)
    for vanished in sorted(lost, key=lambda v: -v.confidence):
        if away[vanished.piece] > 0:
            away[vanished.piece] -= 1
            kept.append(vanished)
        else:
            spare.append(vanished)
    kept += _renamed(away, spare)
    kept += [
        _unseen(kind, before, rest, span)
        for kind, count in away.items()
        for _ in range(count)
    ]
    return _by_time(kept)


def ended(piece: Followed, span: Span) -> Vanished:
    """How a piece ended that was last seen on the table and is not there now.

    A hand may take a piece that was seen to slide or to come to rest. One that the
    flicking hand covered from the start was most likely struck there, unseen.
    """
    table = span.table
    when_s = min(piece.missed_s, span.to_s)
    pocket = table.nearest_pocket(piece.last_at)
    if piece.was_hidden:
        taken = piece.seen_s > span.from_s + COVERED_S
        end = TrackEnd.HAND if taken else TrackEnd.LOST
        return _vanished(piece, when_s, end, None if taken else pocket)
    if _flew_off(piece, table):
        return _vanished(piece, when_s, TrackEnd.OFF_TABLE, None)
    coast = Discs(
        np.array([piece.last_at]),
        np.array([piece.velocity]),
        np.array([table.radius_mm(piece.piece)]),
        np.array([STRIKER_OVER_COIN]),
    )
    later, caught = advance(coast, table, COASTING_S)
    if np.isfinite(caught[0]):
        there = table.nearest_pocket(
            Point(float(later.at[0, 0]), float(later.at[0, 1]))
        )
        return _vanished(piece, when_s, TrackEnd.POCKET, there)
    return _vanished(piece, when_s, TrackEnd.LOST, pocket)


def _within(
    away: dict[Piece, int], told: Sequence[Vanished]
) -> tuple[list[Vanished], list[Vanished]]:
    """Told falls the censuses agree with, counted off `away`, and the others."""
    kept, spare = [], []
    for vanished in sorted(told, key=lambda v: -v.confidence):
        if away[vanished.piece] > 0:
            away[vanished.piece] -= 1
            kept.append(vanished)
        else:
            spare.append(vanished)
    return kept, spare


def _renamed(away: dict[Piece, int], spare: Sequence[Vanished]) -> list[Vanished]:
    """Falls the tracks called another kind, given to the kinds that are gone.

    Spare falls that no kind is gone for are dropped: both censuses have the piece.
    """
    renamed = []
    for vanished in spare:
        kind = next((k for k, count in away.items() if count > 0), None)
        if kind is None:
            break
        away[kind] -= 1
        sure = min(vanished.confidence, OTHER_KIND)
        renamed.append(replace(vanished, piece=kind, confidence=sure))
    return renamed


def _unseen(kind: Piece, before: Census, rest: Census, span: Span) -> Vanished:
    """A piece that is gone though no track ended: the one least like any left."""
    left = [s.at for s in rest.pieces if s.piece is kind]
    there = [s.at for s in before.pieces if s.piece is kind]
    at = max(there, key=lambda p: min((p.distance_mm(q) for q in left), default=0.0))
    pocket = span.table.nearest_pocket(at)
    return Vanished(span.to_s, kind, at, TrackEnd.LOST, pocket, DISPUTED)


def _vanished(
    piece: Followed, at_s: float, end: TrackEnd, pocket: Pocket | None
) -> Vanished:
    return Vanished(at_s, piece.piece, piece.last_at, end, pocket, DISPUTED)


def _flew_off(piece: Followed, table: Table) -> bool:
    """Whether it was last seen flying at the frame too fast to be held by it."""
    for place, speed in zip(piece.last_at, piece.velocity, strict=True):
        outward = speed if place > 0 else -speed
        if table.half_mm - abs(place) < EDGE_MM and outward > FLYING_MM_S:
            return True
    return False


def _by_time(vanished: Sequence[Vanished]) -> tuple[Vanished, ...]:
    return tuple(sorted(vanished, key=lambda v: v.at_s))


def stroke_seen(
    stroke: RunningStroke,
    table: Table,
    before: Census | None,
    rest: Census,
    gone: Sequence[Followed],
) -> StrokeSeen:
    """A finished stroke between two censuses; `gone` are tracks the last one ended."""
    stroke.close()
    ended_s = max([stroke.ended_s, *(v.at_s for v in stroke.vanished)])
    span = Span(stroke.from_s, ended_s, table)
    return StrokeSeen(
        from_s=stroke.from_s,
        to_s=min(ended_s, rest.at_s),
        seat=seat_of(stroke.start, table),
        start=stroke.start,
        placement=placement_of(stroke.start, table, stroke.doubt_mm),
        first_contact=stroke.contact,
        vanished=reckon(before, rest, stroke.vanished, gone, span),
        before=before,
        rest=rest,
    )
