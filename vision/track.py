"""Follows every piece through a stroke, frame by frame.

Theory of operation. At rest nothing is done: pieces stand where the last census
put them. When tiles of the picture fire, each frame goes through these steps.

1. Predict: a plain disc model (`vision.motion`) says where every piece will be,
   collisions and cushions included. Its numbers need not be this table's.
2. Refine: the detector's edge fit looks for each piece that moves, or whose tiles
   fired, at its predicted place; where that fails, where a straight line leads and
   where it was last seen. Two pieces cannot be in one place: the one further from
   its own prediction gives way.
3. Search: only when pieces are missing, and only in fired tiles that no found
   piece explains, the detector looks for anything; an optimal assignment gives
   what it finds to the missing pieces by distance and colour.
4. Missed pieces coast by prediction. Under a hand they freeze and are hidden.
   Missed at a pocket's mouth for some frames they have fallen: told at once.
   Missed elsewhere they stay missing until found again or until the next census
   says they are gone: a blurred frame is no reason to lose a piece.
5. Pieces are born from a census only: fingertips look like pieces.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from calibration.plane import PlaneMapping
from calibration.table import Piece, Point, Table
from vision.detect_votes import Window
from vision.falls import Falls
from vision.followed import CENSUS_MM, STILL_MM, Followed
from vision.forecast import LONGEST_STEP_S, Forecast, forecast_of, radii_mm
from vision.frames import Image
from vision.motion import Floats
from vision.sightings import Census, Sighting, Track, Vanished, Where
from vision.tiles import Mask, Tiles, discs_px
from vision.track_search import Wanted, assign, search_windows, without_overlaps

LEAST_CONFIDENCE = 0.3
"""A fit below this is another piece's colour or hardly a rim at all."""
WEAK = 0.7
"""A fit below this may hang on part of a rim: it is tried again from where it led."""
FURTHER_FITS = 8
"""Most further guesses tried in one frame; those left out wait for the next."""
TOUCH_MM = 4.0
"""Tiles this close to a piece's rim concern it."""
APART_MM = 4.0
"""Two guesses nearer than this are one: the edge fit reaches 5.6 mm."""
SEARCH_MM = 45.0
"""How far off the model may be about a piece that is hit or bounces."""
FASTEST_MM_S = 8000.0
"""The hardest flicks reach this; a piece just hit is no faster."""
FURTHEST_MM = 300.0
ANYWHERE_MM = 2000.0
BESIDE_MM = 40.0
"""A piece at rest that nothing hit does not vanish: a hand so near covers it."""


class Finder(Protocol):
    """What the tracker asks of a detector."""

    def refine(
        self, image: Image, guesses: Sequence[tuple[Piece, Point]]
    ) -> list[Sighting | None]:
        """Where exactly each expected piece lies; None where it is not."""
        ...

    def look(
        self,
        image: Image,
        windows: Sequence[Window],
        taken: Sequence[tuple[Piece, Point]] = (),
    ) -> list[Sighting]:
        """Pieces inside windows that `taken` does not explain."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Glance:
    """One frame as the tracker gets it: what changed, and what a hand covers."""

    image: Image
    at_s: float
    fired: Mask
    hand: Mask


class Tracker:
    """Knows where every piece is; fed each frame, told each census."""

    def __init__(
        self, table: Table, mapping: PlaneMapping, finder: Finder, tiles: Tiles
    ) -> None:
        self._table = table
        self._mapping = mapping
        self._finder = finder
        self._tiles = tiles
        self._falls = Falls(table)
        self._at_s = 0.0
        self._born = 0
        self.followed: list[Followed] = []

    def look_through(self, mapping: PlaneMapping) -> None:
        """Look through another mapping: the camera has moved, the pieces have not."""
        self._mapping = mapping

    @property
    def tracks(self) -> tuple[Track, ...]:
        """Every piece as it is now, also the hidden and the missed."""
        return tuple(f.frozen() for f in self.followed)

    @property
    def missing(self) -> bool:
        """Whether some piece is neither seen nor hidden by a hand."""
        return any(f.missed for f in self.followed)

    def moving(self, at_s: float) -> bool:
        """Whether any piece that is seen moves."""
        return any(f.moving(at_s) and not f.missed for f in self.followed)

    def striker(self) -> Followed | None:
        """The striker, when it is on the table."""
        return next((f for f in self.followed if f.piece is Piece.STRIKER), None)

    def explained(self, margin_mm: float) -> Mask:
        """Tiles that hold a piece now, with a margin for shadow and motion."""
        return self._tiles.under(
            self._discs_px([f.at for f in self.followed], margin_mm)
        )

    def lain_on(self, margin_mm: float) -> Mask:
        """Tiles that hold a piece at rest, or did when last seen, with a margin."""
        discs = self._discs_px([f.last_at for f in self.followed], margin_mm)
        still = [f.lies(self._at_s) for f in self.followed]
        return self._tiles.under(discs[np.array(still, np.bool_)])

    def follow(self, glance: Glance) -> list[Vanished]:
        """Take one frame; the pieces that have fallen into a pocket in it."""
        seconds = glance.at_s - self._at_s
        self._confirm(self._at_s)
        self._at_s = glance.at_s
        if not self.followed or self._nothing_to_do(glance):
            return []
        forecast = forecast_of(self.followed, self._table, seconds)
        active = self._active(glance, forecast)
        covered = self._coverable(glance, forecast)
        found = self._refine(glance, forecast, active)
        for i in covered & found.keys():
            if found[i].at.distance_mm(self.followed[i].last_at) > CENSUS_MM:
                del found[i]
        self._search(glance, forecast, active, found)
        self._update(glance, forecast, active, found, covered)
        return self._take_fallen()

    def pass_over(self, at_s: float) -> None:
        """A frame in which no tile fired: every piece is where it was."""
        self._at_s = at_s

    def _confirm(self, at_s: float) -> None:
        """Pieces that nobody had to look for were seen in place up to then."""
        for piece in self.followed:
            if not piece.missed and not piece.hidden:
                piece.seen_s = max(piece.seen_s, at_s)

    def settle(self, census: Census) -> list[Followed]:
        """Stand every piece where a census has it; the followed ones that are gone.

        A followed piece takes the census's word for what it is, too.
        """
        seen = [s for s in census.pieces if s.where is Where.TABLE]
        wanted = [
            Wanted(f.piece, (f.at, f.last_at), ANYWHERE_MM) for f in self.followed
        ]
        pairs = assign(wanted, seen)
        gone = [f for i, f in enumerate(self.followed) if i not in pairs]
        for i, j in pairs.items():
            piece = self.followed[i]
            piece.piece, piece.confidence = seen[j].piece, seen[j].confidence
            piece.stand(seen[j].at, census.at_s)
        self.followed = [self.followed[i] for i in sorted(pairs)]
        for j in sorted(set(range(len(seen))) - set(pairs.values())):
            self.bear(seen[j], census.at_s)
        return gone

    def bear(self, sighting: Sighting, at_s: float) -> Followed:
        """Begin to follow a piece that stands here."""
        self._born += 1
        piece = Followed(
            self._born, sighting.piece, sighting.at, at_s, sighting.confidence
        )
        self.followed.append(piece)
        return piece

    def under(self, hand: Mask, margin_mm: float = 0.0) -> set[int]:
        """The ids of pieces last seen where a hand's tiles are, or as near as that."""
        if not hand.any():
            return set()
        discs = self._discs_px([f.last_at for f in self.followed], margin_mm)
        held = self._tiles.reaching(discs, hand)
        return {f.id for f, over in zip(self.followed, held, strict=True) if over}

    def disc_px(self, piece: Followed) -> tuple[float, float, float]:
        """Where the picture shows a piece: x, y, r."""
        radius = np.array([self._table.radius_mm(piece.piece)])
        at = np.array([piece.last_at], np.float64)
        height = self._table.height_mm(piece.piece)
        x, y, r = discs_px(self._mapping, at, radius, height)[0]
        return float(x), float(y), float(r)

    def _nothing_to_do(self, glance: Glance) -> bool:
        if glance.fired.any():
            return False
        return not any(f.moving(glance.at_s) for f in self.followed)

    def _discs_px(self, places: Sequence[Point], margin_mm: float) -> Floats:
        """N x 3: each followed piece, with a margin round it, were it there."""
        at = np.array(places, np.float64).reshape(-1, 2)
        radii = radii_mm(self.followed, self._table) + margin_mm
        return discs_px(self._mapping, at, radii, self._table.coin_height_mm)

    def _active(self, glance: Glance, forecast: Forecast) -> list[int]:
        """Pieces to look for: they move, will be hit, or their tiles fired."""
        expected = self._discs_px(forecast.at, TOUCH_MM)
        fired = self._tiles.reaching(expected, glance.fired)
        return [
            i
            for i, f in enumerate(self.followed)
            if fired[i]
            or f.missed
            or f.hidden
            or f.moving(glance.at_s)
            or f.at.distance_mm(forecast.at[i]) > 0.5
        ]

    def _coverable(self, glance: Glance, forecast: Forecast) -> set[int]:
        """Coins at rest beside a hand that nothing hits: it may cover them.

        A fit that has such a coin elsewhere hangs on a finger or a sleeve. The
        striker is another matter: hands move it before they flick it.
        """
        beside = self.under(glance.hand, BESIDE_MM)
        return {
            i
            for i, f in enumerate(self.followed)
            if f.id in beside
            and f.piece is not Piece.STRIKER
            and f.lies(glance.at_s)
            and forecast.at[i].distance_mm(f.at) < STILL_MM
        }

    def _refine(
        self, glance: Glance, forecast: Forecast, active: list[int]
    ) -> dict[int, Sighting]:
        """The active pieces the edge fit finds, at the best of their guesses.

        Of the weak those seen last go first: what was just hit is nearest still.
        """
        found = self._fit(glance, [(i, forecast.at[i]) for i in active])
        weak = [i for i in active if i not in found or found[i].confidence < WEAK]
        weak.sort(key=lambda i: -self.followed[i].seen_s)
        further = [(i, found[i].at) for i in weak if i in found]
        further += [
            (i, guess)
            for i in weak
            for guess in self._other_guesses(i, forecast, glance.at_s)
        ]
        for i, sighting in self._fit(glance, further[:FURTHER_FITS]).items():
            if i not in found or sighting.confidence > found[i].confidence:
                found[i] = sighting
        return without_overlaps(
            self.followed, found, forecast.at, radii_mm(self.followed, self._table)
        )

    def _fit(
        self, glance: Glance, guesses: list[tuple[int, Point]]
    ) -> dict[int, Sighting]:
        pieces = [(self.followed[i].piece, at) for i, at in guesses]
        best: dict[int, Sighting] = {}
        sightings = self._finder.refine(glance.image, pieces)
        for (i, _), sighting in zip(guesses, sightings, strict=True):
            if sighting is None or sighting.confidence < LEAST_CONFIDENCE:
                continue
            if i not in best or sighting.confidence > best[i].confidence:
                best[i] = sighting
        return best

    def _other_guesses(self, i: int, forecast: Forecast, at_s: float) -> list[Point]:
        """Straight on from where it was seen, and where it was seen."""
        piece = self.followed[i]
        after = min(at_s - piece.seen_s, LONGEST_STEP_S)
        ahead = Point(
            piece.last_at.x_mm + piece.velocity.x_mm * after,
            piece.last_at.y_mm + piece.velocity.y_mm * after,
        )
        places = [ahead, piece.last_at]
        return [p for p in places if p.distance_mm(forecast.at[i]) > APART_MM]

    def _search(
        self,
        glance: Glance,
        forecast: Forecast,
        active: list[int],
        found: dict[int, Sighting],
    ) -> None:
        """Add to `found` what turns up in fired tiles no found piece explains."""
        lost = [i for i in active if i not in found]
        if not lost:
            return
        places = [
            found[i].at if i in found else f.at for i, f in enumerate(self.followed)
        ]
        held = [i for i in range(len(places)) if i not in lost]
        explained = self._tiles.under(self._discs_px(places, 0.0)[held])
        unexplained = glance.fired & ~glance.hand & ~explained
        wanted = [self._wanted(i, forecast, glance.at_s) for i in lost]
        windows = search_windows(self._tiles, unexplained, self._near_px(wanted))
        if not windows:
            return
        taken = [(self.followed[i].piece, places[i]) for i in held]
        seen = self._finder.look(glance.image, windows, taken)
        seen = self._clear_of_hands(seen, glance.hand)
        for i, j in assign(wanted, seen).items():
            found[lost[i]] = seen[j]

    def _clear_of_hands(self, seen: list[Sighting], hand: Mask) -> list[Sighting]:
        """Without what touches a hand: finger tips look like coins, not like strikers."""
        discs = np.array([(s.x_px, s.y_px, s.r_px) for s in seen]).reshape(-1, 3)
        touches = self._tiles.reaching(discs, hand)
        return [
            s
            for s, at_hand in zip(seen, touches, strict=True)
            if s.piece is Piece.STRIKER or not at_hand
        ]

    def _wanted(self, i: int, forecast: Forecast, at_s: float) -> Wanted:
        piece = self.followed[i]
        places = (forecast.at[i], piece.last_at)
        reach = SEARCH_MM + FASTEST_MM_S * (at_s - piece.seen_s)
        return Wanted(piece.piece, places, min(reach, FURTHEST_MM))

    def _near_px(self, wanted: Sequence[Wanted]) -> Floats:
        at = np.array([w.places[0] for w in wanted], np.float64)
        reach = np.array([w.reach_mm for w in wanted])
        return discs_px(self._mapping, at, reach, self._table.coin_height_mm)

    def _update(
        self,
        glance: Glance,
        forecast: Forecast,
        active: list[int],
        found: dict[int, Sighting],
        covered: set[int],
    ) -> None:
        at_s = glance.at_s
        under_hand = self.under(glance.hand)
        for i in active:
            piece, at = self.followed[i], forecast.at[i]
            if i in found:
                piece.see(found[i], at, forecast.velocity[i], at_s)
                over = self._falls.hole_at(found[i].at) is not None
                piece.over_hole = piece.over_hole + 1 if over else 0
            elif i in covered or piece.id in under_hand:
                piece.hide()
            else:
                piece.miss(at, forecast.velocity[i], at_s)
                if np.isfinite(forecast.caught[i]) and piece.caught_s > at_s:
                    piece.caught_s = at_s

    def _take_fallen(self) -> list[Vanished]:
        """End the pieces that have fallen into a pocket by now."""
        fallen = [
            (f, v) for f in self.followed if (v := self._falls.ended(f, self._at_s))
        ]
        gone = [f for f, _ in fallen]
        self.followed = [f for f in self.followed if f not in gone]
        return [vanished for _, vanished in fallen]
