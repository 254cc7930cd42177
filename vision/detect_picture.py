"""What lies on a table in one picture, with nothing known but where the table is.

Theory. No reference picture, no known sizes, no known colours: all three are in
the picture itself. The table's symmetry says what is print (`detect_print`). The
coins' common radius is the one most discs share; the one larger disc is the
striker. Then every disc is fitted again near the radius it must have, judged by
its whole rim, and the set that adds up is kept.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from calibration.plane import PlaneMapping
from calibration.table import Piece, Point, Table
from vision.colours import PieceColours, difference, name_coins
from vision.detect_discs import Discs, Rims, fit_circles, judge, propose, texture
from vision.detect_fit import Bytes, Floats
from vision.detect_print import Flags, printed
from vision.detect_select import Candidate, select
from vision.detect_topview import SCALE, TopView
from vision.sightings import Sighting, Where

SMALLEST_MM = 12.5
LARGEST_MM = 36.0
"""Discs looked for, on a surface of nominal side: coins of 26 mm to the largest
strikers of toy sets, on full-size to half-size boards."""
RADIUS_STEP = 1.06
PROPOSALS = 400

SEEN = 0.55
"""Least mean of `step` and `sharp` of a piece's rim."""
LIKE = 30.0
"""Grey levels within which a doubtful disc has a clear piece's colour."""
PROPOSED = 0.5
"""The same before the radius is known."""
CLEAR = 0.75
"""From here a disc needs no other's support, and says how large coins are."""
COIN_SPREAD = 0.10
"""Coins of one set differ this much in seen radius: thickness, wear, shadow."""
USUAL_RADIUS_SPREAD = 0.13
"""Spread of the logarithm of coin radius over the sets in use."""
STRIKER_FROM, STRIKER_TO = 1.15, 2.15
"""Striker over coin radius: 1.17 to 2.05 seen, ICF 1.30."""

LIMIT = 253
"""Grey levels from which a channel is taken to be at its limit."""


@dataclass(frozen=True, slots=True)
class Picture:
    """What one picture showed, and the sizes it was seen to be played with."""

    pieces: tuple[Sighting, ...]
    coin_radius_mm: float
    striker_radius_mm: float


def census_of_picture(
    image: Bytes,
    table: Table,
    mapping: PlaneMapping,
    colours: PieceColours | None = None,
) -> Picture:
    """Every piece in one picture (BGR) of a table; sizes and colours from it."""
    view = TopView.of(image, table, mapping, table.coin_height_mm)
    even = view.evenly_lit()
    clear = 1.0 - burnt(view.image)
    found = _discs(even, table)
    coin = _coin_radius(found, table.coin_radius_mm * SCALE)
    found = _refitted(even, found, coin)
    kept = _selected(even, found, coin, table)
    return _picture(even, kept, coin, table, mapping, colours, clear)


def burnt(image: Bytes) -> float:
    """The share of a picture (BGR) that shows no colour: two channels at their limit.

    There a black coin in glare is as white as any; well exposed photographs have 0.002.
    """
    return float(((image >= LIMIT).sum(axis=2) >= 2).mean())


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """Discs with their rims, the same length."""

    discs: Discs
    rims: Rims

    @property
    def parts(self) -> tuple[Discs, Rims]:
        return self.discs, self.rims

    @property
    def scores(self) -> Floats:
        return (self.rims.step + self.rims.sharp) / 2


def _discs(even: TopView, table: Table) -> _Found:
    """Every disc with a piece's rim that is not print."""
    count = int(np.log(LARGEST_MM / SMALLEST_MM) / np.log(RADIUS_STEP)) + 1
    radii = SMALLEST_MM * SCALE * RADIUS_STEP ** np.arange(count, dtype=np.float64)
    soft = _soft(even.image)
    discs = fit_circles(soft, propose(even.image, radii, PROPOSALS))
    found = _Found(discs, judge(soft, discs, texture(soft, radii[4])))
    found = _chosen(found, found.scores > PROPOSED)
    found = _chosen(found, _on_surface(even, found, table))
    in_hole = np.array([_in_hole(at, table) for at in _points(even, found)], bool)
    return _chosen(found, ~printed(even.image, *found.parts, in_hole))


def _soft(image: Bytes) -> Bytes:
    return np.asarray(cv2.GaussianBlur(image, (3, 3), 0), np.uint8)


def _chosen(found: _Found, flags: Flags) -> _Found:
    return _Found(
        Discs(*(part[flags] for part in found.discs)),
        Rims(*(part[flags] for part in found.rims)),
    )


def _points(even: TopView, found: _Found) -> list[Point]:
    return [Point(float(x), float(y)) for x, y in even.to_mm(found.discs.centres)]


def _in_hole(at: Point, table: Table) -> bool:
    return table.over_pocket(at) is not None


def _on_surface(even: TopView, found: _Found, table: Table) -> Flags:
    """Discs that lie on the playing surface, frame and pockets' rims left out."""
    places = even.to_mm(found.discs.centres)
    reach = table.half_mm - 0.75 * found.discs.radii / SCALE
    flags = (np.abs(places) <= reach[:, None]).all(axis=1)
    return np.asarray(flags, np.bool_)


def _coin_radius(found: _Found, usual: float) -> float:
    """The radius (view px) most clear discs share; `usual` when there is none."""
    clear = np.flatnonzero(found.scores >= CLEAR)
    clear = clear[np.argsort(-found.scores[clear])]
    radii, weights = [], []
    taken = np.zeros((0, 2))
    for n in clear:
        at = found.discs.centres[n]
        if (np.hypot(*(taken - at).T) < 0.5 * found.discs.radii[n]).any():
            continue
        taken = np.vstack([taken, at])
        radii.append(found.discs.radii[n])
        weights.append(found.scores[n])
    if not radii:
        return usual
    logs, share = np.log(np.array(radii)), np.array(weights)
    near = np.exp(-(((logs[:, None] - logs) / COIN_SPREAD) ** 2) * 2) @ share
    off = (logs - np.log(usual)) / USUAL_RADIUS_SPREAD
    best = int(np.argmax(near * (0.15 + np.exp(-(off**2) / 2))))
    shared = np.abs(logs - logs[best]) < COIN_SPREAD
    return float(np.exp(np.average(logs[shared], weights=share[shared])))


def _refitted(even: TopView, found: _Found, coin: float) -> _Found:
    """Coins fitted again near the coins' radius, strikers as they were."""
    ratio = found.discs.radii / coin
    is_striker = (ratio >= STRIKER_FROM) & (ratio <= STRIKER_TO)
    is_coin = np.abs(np.log(ratio)) < 2.5 * COIN_SPREAD
    coins = Discs(*(part[is_coin] for part in found.discs))
    strikers = Discs(*(part[is_striker] for part in found.discs))
    soft = _soft(even.image)
    coins = fit_circles(soft, coins, np.full(len(coins.radii), coin))
    pairs = zip(coins, strikers, strict=True)
    discs = Discs(*(np.concatenate(pair) for pair in pairs))
    return _Found(discs, judge(soft, discs, texture(soft, coin)))


def _selected(even: TopView, found: _Found, coin: float, table: Table) -> _Found:
    """The discs that add up to a possible table.

    A rim that is not clear all round needs a clear piece of its colour elsewhere:
    a set has three colours, clutter has any.
    """
    places = _points(even, found)
    in_hole = np.array([_in_hole(at, table) for at in places], np.bool_)
    is_striker = found.discs.radii >= STRIKER_FROM * coin
    clear = found.scores >= CLEAR
    models = found.rims.colour[clear & ~is_striker & ~in_hole]
    alike = [_is_like(colour, models) for colour in found.rims.colour]
    weak = (found.scores >= SEEN) & ~is_striker & ~in_hole & np.array(alike, np.bool_)
    candidates = [
        Candidate(
            places[n],
            float(found.discs.radii[n]) / SCALE,
            bool(is_striker[n]),
            float(found.scores[n]),
        )
        for n in np.flatnonzero(clear | weak).tolist()
    ]
    kept = select(candidates)
    centres = even.to_view(np.array([c.at for c in kept]).reshape(-1, 2))
    discs = Discs(centres, np.array([c.radius_mm for c in kept]) * SCALE)
    soft = _soft(even.image)
    return _Found(discs, judge(soft, discs, texture(soft, coin)))


def _is_like(colour: Floats, models: Floats) -> bool:
    return bool(len(models)) and float(difference(models, colour).min()) < LIKE


def _picture(
    even: TopView,
    kept: _Found,
    coin: float,
    table: Table,
    mapping: PlaneMapping,
    colours: PieceColours | None,
    clear: float,
) -> Picture:
    places = _points(even, kept)
    pocketed = np.array([_in_hole(at, table) for at in places], bool)
    is_striker = kept.discs.radii >= STRIKER_FROM * coin
    wood = np.median(even.image[::8, ::8].reshape(-1, 3), axis=0)
    kinds = [Piece.STRIKER] * len(places)
    sure = np.ones(len(places))
    for group in (~is_striker & ~pocketed, ~is_striker & pocketed):
        names = name_coins(kept.rims.colour[group], colours, wood)
        for n, (piece, certainty) in zip(
            np.flatnonzero(group).tolist(), names, strict=True
        ):
            kinds[n], sure[n] = piece, certainty
    pieces = []
    for n, at in enumerate(places):
        radius = float(kept.discs.radii[n]) / SCALE
        x, y = mapping.point_to_px(at, table.coin_height_mm)
        size = mapping.radius_px(at, radius, table.coin_height_mm)
        where = Where.POCKET if pocketed[n] else Where.TABLE
        confidence = clear * min(0.99, float(kept.scores[n])) * float(sure[n])
        pieces.append(Sighting(kinds[n], at, x, y, size, confidence, where))
    larger = kept.discs.radii[is_striker]
    usual = table.striker_radius_mm / table.coin_radius_mm * coin
    striker = float(larger[0]) if len(larger) else usual
    return Picture(tuple(pieces), coin / SCALE, striker / SCALE)
