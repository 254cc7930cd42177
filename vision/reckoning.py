"""What a stroke took off the table: tracks that ended, set against two censuses.

The difference of the censuses before and after says how many of each kind are
gone, and it errs least. The tracks say where and when each
went. Where both agree, a fall is as sure as its track. Where they do not, the
census has the number, the tracks keep the place, and the confidence drops: the
observer asks another witness or the umpire.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import inf
from typing import NamedTuple

import numpy as np

from calibration.table import Piece, Pocket, Point, Table
from vision.followed import Followed
from vision.motion import STRIKER_OVER_COIN, Discs, advance
from vision.settling import Settled
from vision.sightings import (
    Census,
    Contact,
    Observation,
    StrikerWay,
    StrokeSeen,
    TableAtRest,
    TrackEnd,
    Vanished,
    Where,
)
from vision.striker_way import (
    Step,
    bounces,
    direction,
    is_back_stroke,
    is_whole,
    struck_again,
    turns,
)
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
TOUCHING_MM = 2.0
"""Coins seen this close to touching may touch: each is placed to a millimetre."""
SURE_START_MM = 4.0
"""A start that may be further off than this gives no direction."""
OVER_MM = 6.0
"""No piece that lies on the surface can be this far over its edge."""
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
    """Whether it was last seen beyond the frame's edge, or flying at it too fast."""
    furthest = table.half_mm - table.radius_mm(piece.piece) + OVER_MM
    if max(map(abs, piece.last_at)) > furthest and not _at_pocket(piece, table):
        return True
    for place, speed in zip(piece.last_at, piece.velocity, strict=True):
        outward = speed if place > 0 else -speed
        if table.half_mm - abs(place) < EDGE_MM and outward > FLYING_MM_S:
            return True
    return False


def _at_pocket(piece: Followed, table: Table) -> bool:
    pocket = table.pocket_centres[table.nearest_pocket(piece.last_at)]
    return piece.last_at.distance_mm(pocket) < table.pocket_radius_mm + EDGE_MM / 2


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
    way = _way_of(stroke, table)
    return StrokeSeen(
        from_s=stroke.from_s,
        to_s=min(ended_s, rest.at_s),
        seat=seat_of(stroke.start, table),
        start=stroke.start,
        placement=placement_of(stroke.start, table, stroke.doubt_mm),
        first_contact=_first_contact(stroke, way, before, table),
        vanished=reckon(before, rest, stroke.vanished, gone, span),
        before=before,
        rest=rest,
        way=way,
        touched=tuple(stroke.touched),
    )


def counted_stroke(
    stroke: RunningStroke,
    table: Table,
    before: Census | None,
    census: Census,
    gone: Sequence[Followed],
) -> list[Observation]:
    """A stroke by the count after it.

    By what came to rest, and then the count for itself, where hands came in between
    and the two differ.
    """
    kept = stroke.settled
    if kept is None or not stroke.delayed or not kept.differs(census):
        return [stroke_seen(stroke, table, before, census, gone)]
    stroke.end(kept.at_s)
    stroke.vanished = [_disputed(v, kept, census) for v in stroke.vanished]
    rest, gone = kept.rest(census), kept.gone(gone)
    return [stroke_seen(stroke, table, before, rest, gone), TableAtRest(census)]


def _disputed(fell: Vanished, kept: Settled, census: Census) -> Vanished:
    """A fall as it is; lost from sight when one of its kind too many is counted.

    A hand put one there, or it never fell: only its pocket knows.
    """
    if census.count(fell.piece) <= kept.census.count(fell.piece):
        return fell
    return replace(fell, end=TrackEnd.LOST, confidence=DISPUTED)


def _first_contact(
    stroke: RunningStroke, way: StrikerWay, before: Census | None, table: Table
) -> Contact | None:
    """The first contact with what lay about it."""
    contact, seat = stroke.contact, seat_of(stroke.start, table)
    if contact is None or contact.at is None:
        return contact
    behind = None
    if seat is not None and stroke.met:
        front_mm = seat.turn_back(contact.at).y_mm - table.coin_radius_mm
        direct = all(at_s > contact.at_s for at_s in way.cushions_s)
        behind = direct and front_mm < table.upper_line_y_mm
    cluster = contact.cluster
    if not cluster and before is not None:
        cluster = cluster_at(contact.at, before, table)
    return replace(contact, cluster=cluster, behind=behind)


def cluster_at(at: Point, census: Census, table: Table) -> tuple[Piece, ...]:
    """What lies at a place and touching one another there; empty: one piece or none."""
    reach = 2 * table.coin_radius_mm + TOUCHING_MM
    lying = [
        s
        for s in census.pieces
        if s.where is Where.TABLE and s.piece is not Piece.STRIKER
    ]
    joined = [s for s in lying if s.at.distance_mm(at) < table.coin_radius_mm]
    for one in joined:
        joined += [
            s for s in lying if s not in joined and s.at.distance_mm(one.at) < reach
        ]
    return tuple(sorted(s.piece for s in joined)) if len(joined) > 1 else ()


def _way_of(stroke: RunningStroke, table: Table) -> StrikerWay:
    way = [Step(stroke.from_s, stroke.start), *stroke.way]
    met_s = inf if stroke.contact is None else stroke.contact.at_s
    bounced = bounces(way, table)
    sure = stroke.met and stroke.doubt_mm < SURE_START_MM
    outward = [step for step in way if step.at_s <= met_s] if stroke.met else way[:1]
    return StrikerWay(
        places=turns(way),
        direction=direction(way, min([met_s, *bounced])) if sure else None,
        back=is_back_stroke(outward, seat_of(stroke.start, table), stroke.doubt_mm),
        cushions_s=bounced,
        again_s=struck_again(way, bounced),
        whole=is_whole(way),
    )
