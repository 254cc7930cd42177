"""The detector: which pieces lie where, in one picture of a table it knows.

Theory. With the mapping known, every piece has a known radius at every place. So
there are three questions, from dear to cheap. `census` asks where anything lies:
gradient voting over the whole surface proposes discs, the edge fit verifies and
places them, a selection that adds up decides.
`look` asks the same inside small windows only. `refine` asks whether a piece still
lies where it is expected, and exactly where: the edge fit alone, some 20 us each.

With a picture of the empty table, print explains itself away; that is how a
fixed camera should be run. Without one, `vision.detect_plain` weighs what a
single picture can say.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from calibration.plane import PlaneMapping
from calibration.refusal import Refusal
from calibration.table import Piece, Point, Table
from vision.colours import PieceColours, interior_colours, name_coins
from vision.detect_fit import (
    REACH_MM,
    Fits,
    Floats,
    Gains,
    Light,
    Places,
    fit,
    moved,
    shifted,
)
from vision.detect_layout import Layout
from vision.detect_proposals import on_table, promising
from vision.detect_select import OVERLAP_MM, Candidate, select
from vision.detect_votes import (
    HALF,
    Steps,
    Window,
    halved,
    peaks,
    spreads,
    steps,
    vote,
)
from vision.frames import Image
from vision.registration import Drift
from vision.shading import blocks, gains, noise
from vision.shine import Shine, block_corners
from vision.sightings import Census, Sighting

COIN_PEAKS = 48
STRIKER_PEAKS = 12
LOOK_COINS, LOOK_STRIKERS = 8, 3
"""So many places are fitted in one small window; the next frame looks again."""
ACCEPT = 0.45
"""Least score of a piece: share of its rim seen, plus up to CHANGE_WORTH."""
CHANGE_WORTH = 0.14
CHANGE_FULL = 25.0
"""Grey levels inside that prove as much as can be proved: something lies there."""
LEAST_STEP = 7.0
"""Least step (grey levels per px) that votes, at low noise."""
LEAST_NOISE = 2.0
"""Grey levels taken for noise in any picture: grain, dust and JPEG are there, too."""


class _Bare(NamedTuple):
    """The empty table's picture, the steps of its print, its blocks' colours, shine."""

    picture: Image
    steps: Steps
    blocks: Gains
    shine: Shine


class Detector:
    """Finds the pieces in pictures of one table from one fixed camera.

    `empty` is a picture of the empty table from the same camera (or the mean of
    some); `colours` what the pieces look like, None until learned.
    Raises Refusal when `empty` has another size than the mapping was made for.
    """

    def __init__(
        self,
        table: Table,
        mapping: PlaneMapping,
        *,
        empty: Image | None = None,
        colours: PieceColours | None = None,
    ) -> None:
        self.table = table
        self.colours = colours
        self._measured = (mapping, empty)
        self._look_through(mapping)
        self._bare: _Bare | None = None
        self._noise = LEAST_NOISE
        self.renew_empty(empty)

    @property
    def empty(self) -> Image | None:
        """The picture of the empty table in use; None: there is none yet."""
        return None if self._bare is None else self._bare.picture

    def renew_empty(self, empty: Image | None) -> None:
        """Take another picture of the empty table (lamp or camera changed)."""
        if empty is not None:
            self._check(empty)
        self._bare = None if empty is None else self._seen_bare(empty)

    def follow(self, drift: Drift) -> None:
        """Look through the mapping moved by a drift since the table was measured."""
        mapping, empty = self._measured
        self._look_through(mapping.moved(drift.matrix))
        self.renew_empty(None if empty is None else drift.ahead(empty))

    def census(self, images: Sequence[Image], at_s: float) -> Census:
        """What lies on the resting table, from one or several pictures of it."""
        image = self._mean(images)
        half = halved(image, self._layout.window)
        light = self._light(half)
        if self.empty is not None:
            self._noise = max(
                LEAST_NOISE, noise(self.empty, image, self._layout.window)
            )
        found = self._search(image, half, self._layout.window, (), self._bare, light)
        return Census(at_s, tuple(self._named(image, found, light)))

    def refine(
        self,
        image: Image,
        guesses: Sequence[tuple[Piece, Point]],
        reach_mm: float = REACH_MM,
    ) -> list[Sighting | None]:
        """Where exactly each expected piece lies; None where it is not.

        The rim is looked for within `reach_mm` of where the guess puts it. The
        piece is what the guess says; its colour only raises or lowers the
        confidence.
        """
        if not guesses:
            return []
        expected = self._layout.expected(guesses)
        fits = fit(image, self.empty, expected, self._noise, reach_mm)
        scores = _scores(fits)
        kept = np.flatnonzero(scores >= ACCEPT).tolist()
        discs = shifted(expected, fits.shift_mm, kept)
        colours = self.colours_of(image, discs)
        agree = self._colours_agree([guesses[n][0] for n in kept], colours)
        found: list[Sighting | None] = [None] * len(guesses)
        for k, n in enumerate(kept):
            piece, at = guesses[n]
            sure = agree[k] * _confidence(scores[n])
            at = moved(at, fits.shift_mm[n])
            found[n] = _sighting(piece, at, discs, k, sure)
        return found

    def look(
        self,
        image: Image,
        windows: Sequence[Window],
        taken: Sequence[tuple[Piece, Point]] = (),
    ) -> list[Sighting]:
        """Pieces whose centre lies inside windows that `taken` does not explain."""
        known = [self._candidate(piece, at) for piece, at in taken]
        found: list[Candidate] = []
        for window in windows:
            wide = self._layout.widened(window)
            half = halved(image, wide)
            taken_now = [*known, *found]
            found += self._search(image, half, wide, taken_now, self._bare, near=window)
        return self._named(image, found)

    def _look_through(self, mapping: PlaneMapping) -> None:
        self.mapping = mapping
        self._layout = Layout(self.table, mapping)
        self._coin_spread = spreads(mapping, self.table.coin_height_mm)

    def _check(self, image: Image) -> None:
        height, width = image.shape[:2]
        if (width, height) != self.mapping.size_px:
            wanted = "{} x {}".format(*self.mapping.size_px)
            raise Refusal(
                f"picture is {width} x {height} px but the table was measured in "
                f"{wanted} px; calibrate again or set the camera to {wanted}"
            )

    def _mean(self, images: Sequence[Image]) -> Image:
        for image in images:
            self._check(image)
        if len(images) == 1:
            return images[0]
        return np.asarray(np.mean(images, axis=0) + 0.5, np.uint8)

    def _light(self, half: Image) -> Light | None:
        """How the light differs from that on the empty table's picture, if it does."""
        if self._bare is None:
            return None
        brighter = gains(self._bare.blocks, blocks(half))
        return (
            brighter if brighter is None else Light(brighter, *self._layout.window[:2])
        )

    def _seen_bare(self, empty: Image) -> "_Bare":
        half = halved(empty, self._layout.window)
        seen = blocks(half)
        left, top = self._layout.window[:2]
        corners = block_corners(seen.shape[:2], left, top)
        surface = self._layout.on_surface(corners)
        return _Bare(empty, steps(half), seen, Shine(seen, surface, left, top))

    def _search(
        self,
        image: Image,
        half: Image,
        window: Window,
        taken: Sequence[Candidate],
        bare: "_Bare | None",
        light: Light | None = None,
        near: Window | None = None,
    ) -> list[Candidate]:
        """Vote in the window, fit what was proposed, select what adds up.

        `near`: only a few proposals in and beside this part of the window are fitted.
        """
        step = max(LEAST_STEP, 1.8 * self._noise)
        votes = vote(
            steps(half),
            None if bare is None else self._cut(bare.steps, window),
            None if light is None else light.gains,
            window,
            self._coin_spread,
            (self.table.coin_radius_mm, self.table.striker_radius_mm),
            step,
        )
        most = (COIN_PEAKS, STRIKER_PEAKS)
        found = [peaks(v, n, step) for v, n in zip(votes, most, strict=True)]
        pixels = np.concatenate(found)[:, :2] + (window.left, window.top)
        # Half a millimetre for a striker's height: the fit looks ten times as far.
        places_mm = on_table(self.mapping, pixels, self.table.coin_height_mm)
        coins, strikers = np.split(places_mm, [len(found[0])])
        coins = np.concatenate([coins, self._layout.printed_mm])
        if near is not None:
            coins = self._promising(coins, Piece.WHITE, taken, near)
            strikers = self._promising(strikers, Piece.STRIKER, taken, near)
        empty = None if bare is None else bare.picture
        return select(self._verified(image, empty, coins, strikers, light), taken)

    def _promising(
        self, places_mm: Floats, kind: Piece, taken: Sequence[Candidate], near: Window
    ) -> Floats:
        """The first few proposals (N x 2, mm) that could be a piece near a window."""
        strikes = kind is Piece.STRIKER
        if strikes and any(t.is_striker for t in taken):
            return places_mm[:0]
        expected = self._layout.discs(places_mm, np.full(len(places_mm), strikes))
        kept = promising(
            places_mm,
            expected.centres_px,
            near,
            self._layout.coin_px,
            self.table.radius_mm(kind),
            taken,
        )
        return places_mm[kept][: LOOK_STRIKERS if strikes else LOOK_COINS]

    def _cut(self, whole: Steps, window: Window) -> Steps:
        own = self._layout.window
        top, left = (window.top - own.top) // HALF, (window.left - own.left) // HALF
        high, wide = window.bottom - window.top, window.right - window.left
        rows, columns = slice(top, top + high // HALF), slice(left, left + wide // HALF)
        return Steps(whole.across[rows, columns], whole.down[rows, columns])

    def _verified(
        self,
        image: Image,
        empty: Image | None,
        coins: Floats,
        strikers: Floats,
        light: Light | None,
    ) -> list[Candidate]:
        """The proposed places whose rim is really there, at their fitted centres."""
        proposed = np.concatenate([coins, strikers])
        is_striker = np.arange(len(proposed)) >= len(coins)
        expected = self._layout.discs(proposed, is_striker)
        fits = fit(
            image,
            empty,
            expected,
            self._noise,
            light=light,
            rivals_mm=proposed,
            overlap_mm=OVERLAP_MM,
        )
        scores = _scores(fits)
        centres = proposed + fits.shift_mm
        kept = (scores >= ACCEPT) & self._layout.can_lie(centres, expected.radii_mm)
        rows = zip(centres, expected.radii_mm, is_striker, scores, strict=True)
        return [
            Candidate(Point(*at.tolist()), float(radius), bool(kind), float(score))
            for (at, radius, kind, score), good in zip(rows, kept, strict=True)
            if good
        ]

    def _candidate(self, piece: Piece, at: Point) -> Candidate:
        radius = self.table.radius_mm(piece)
        return Candidate(at, radius, piece is Piece.STRIKER, 1.0)

    def colours_of(
        self, image: Image, discs: Places, light: Light | None = None
    ) -> Floats:
        """The discs' colours (N x 3, BGR), as in the table's usual light if known."""
        colours = interior_colours(image, discs)
        if self._bare is None:
            return colours
        now = None if light is None else light.gains
        return self._bare.shine.without(colours, discs.centres_px, now)

    def _named(
        self,
        image: Image,
        found: Sequence[Candidate],
        light: Light | None = None,
    ) -> list[Sighting]:
        """Say by its colour what each found disc is, within the stock of a set."""
        if not found:
            return []
        kinds = [Piece.STRIKER if c.is_striker else Piece.WHITE for c in found]
        discs = self._layout.expected(
            [(kind, c.at) for kind, c in zip(kinds, found, strict=True)]
        )
        colours = self.colours_of(image, discs, light)
        coins = [n for n, c in enumerate(found) if not c.is_striker]
        board = self._board_colour(image) if self.colours is None else colours[0]
        names = name_coins(colours[coins], self.colours, board)
        sure = np.ones(len(found))
        for n, (piece, certainty) in zip(coins, names, strict=True):
            kinds[n], sure[n] = piece, certainty
        return [
            _sighting(kinds[n], c.at, discs, n, sure[n] * _confidence(c.score))
            for n, c in enumerate(found)
        ]

    def _board_colour(self, image: Image) -> Floats:
        """The bare board's colour (3,): the empty table's, or the picture's median."""
        if self._bare is not None:
            return self._bare.shine.usual
        part = self._layout.window.cut(image)[::8, ::8].reshape(-1, 3)
        return np.asarray(np.median(part, axis=0), np.float64)

    def _colours_agree(self, pieces: Sequence[Piece], colours: Floats) -> list[float]:
        """1 where a colour is the piece's own, less where it is another's."""
        if self.colours is None:
            return [1.0] * len(pieces)
        nearest = self.colours.nearest_coins(colours)
        return [
            _agreement(piece, *found)
            for piece, found in zip(pieces, nearest, strict=True)
        ]


def _agreement(piece: Piece, nearest: Piece, certainty: float) -> float:
    if piece is Piece.STRIKER:
        return 1.0
    return 0.5 + 0.5 * certainty if nearest is piece else 0.5 - 0.4 * certainty


def _scores(fits: Fits) -> Floats:
    proof = np.minimum(1.0, fits.change / CHANGE_FULL)
    scores: Floats = fits.support + CHANGE_WORTH * proof
    return scores


def _confidence(score: float) -> float:
    """A rim seen all round is as sure as it gets; at the limit it is a coin toss."""
    return min(0.99, 0.5 + (float(score) - ACCEPT) / (2 * (0.9 - ACCEPT)))


def _sighting(
    piece: Piece, at: Point, discs: Places, n: int, confidence: float
) -> Sighting:
    x, y = discs.centres_px[n]
    (a, b), (c, d) = discs.affines[n].tolist()
    radius = float(discs.radii_mm[n]) * float(abs(a * d - b * c)) ** 0.5
    return Sighting(piece, at, float(x), float(y), radius, confidence)
