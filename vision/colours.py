"""What colour each piece is, learned from the pieces themselves.

No colour range is written down: lamps, white balance and sets differ too much
(a club's "white" coins may be darker than its board). A table's colours are
learned once from pieces whose kind is certain, kept as a value, and every later
piece goes to the nearest of them. Chroma leads and lightness is a capped term,
because glare lifts a black coin to the lightness of wood but leaves it neutral.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from calibration.table import STOCK, Piece
from vision.compiled import compiled
from vision.detect_fit import Bytes, Floats, Places

Bgr = tuple[float, float, float]

COIN_KINDS = (Piece.WHITE, Piece.BLACK, Piece.QUEEN)
QUEEN = COIN_KINDS.index(Piece.QUEEN)

LIGHTNESS_CAP = 110.0
"""Grey levels beyond which a lightness difference says no more."""
CHROMA_WEIGHT = 1.5
"""Chroma against lightness, in the distance of two colours."""
DOUBT = 8.0
"""Grey levels: two colours nearer than this are as good as the same."""


@dataclass(frozen=True, slots=True)
class PieceColours:
    """One table's piece colours as its camera shows them, BGR 0 to 255.

    The striker is told by its size, so its colour is optional.
    """

    white: Bgr
    black: Bgr
    queen: Bgr
    striker: Bgr | None = None

    @property
    def coins(self) -> tuple[Bgr, Bgr, Bgr]:
        """The colours of `COIN_KINDS`, in that order."""
        return self.white, self.black, self.queen

    def nearest_coins(self, colours: Floats) -> list[tuple[Piece, float]]:
        """For each colour (N x 3) the coin it is nearest to, how surely (0 to 1)."""
        found, sure = np.empty(len(colours), np.intp), np.empty(len(colours))
        own = np.array(self.coins, np.float64)
        _nearest(np.asarray(colours, np.float64), own, found, sure)
        pairs = zip(found.tolist(), sure.tolist(), strict=True)
        return [(COIN_KINDS[k], s) for k, s in pairs]


@dataclass(frozen=True, slots=True)
class ColouredPiece:
    """A piece of certain kind and the colour it shows: what colours are learned of."""

    piece: Piece
    colour: Bgr


def learn(examples: Sequence[ColouredPiece]) -> PieceColours | None:
    """The colours of a table from pieces of certain kind; None if a kind is missing."""
    seen = {piece: [e.colour for e in examples if e.piece is piece] for piece in Piece}
    if not (seen[Piece.WHITE] and seen[Piece.BLACK] and seen[Piece.QUEEN]):
        return None
    striker = seen[Piece.STRIKER]
    return PieceColours(
        white=_middle(seen[Piece.WHITE]),
        black=_middle(seen[Piece.BLACK]),
        queen=_middle(seen[Piece.QUEEN]),
        striker=_middle(striker) if striker else None,
    )


def interior_colours(image: Bytes, discs: Places) -> Floats:
    """The median colour (N x 3, BGR) inside each disc."""
    out = np.zeros((len(discs.radii_mm), 3))
    if len(out):
        _interiors(image, discs.centres_px, discs.affines, discs.radii_mm, out)
    return out


def name_coins(
    colours: Floats, known: PieceColours | None, board: Floats
) -> list[tuple[Piece, float]]:
    """What each coin (N x 3, BGR) is and how surely, within the stock of a set.

    With `known` colours each goes to the nearest, and the cheapest go elsewhere
    when a kind would have more than its stock. Without, the colours of this
    picture are grouped first, against the `board`'s own colour (3,); a coin that is
    the only one of its group may be another one in glare or shadow, and is less sure;
    so are all coins where no two colours are there to compare.
    """
    if not len(colours):
        return []
    guessed = known is None
    if known is None:
        known = group(colours, board)
    gaps = np.stack([difference(colours, np.array(c)) for c in known.coins], axis=1)
    chosen = _within_stock(gaps)
    ordered = np.sort(gaps, axis=1)
    own = gaps[np.arange(len(gaps)), chosen]
    other = np.where(own == ordered[:, 0], ordered[:, 1], ordered[:, 0])
    certainty = np.clip((other - own) / (other + own + DOUBT), 0.0, 1.0)
    if guessed:
        of_each = np.bincount(chosen, minlength=3)
        one_colour = of_each[:QUEEN].min() == 0
        unlike = (of_each[chosen] == 1) | one_colour
        certainty = np.where(unlike & (chosen != QUEEN), certainty / 2, certainty)
    return [
        (COIN_KINDS[k], 0.5 + 0.5 * float(c))
        for k, c in zip(chosen, certainty, strict=True)
    ]


def group(colours: Floats, board: Floats) -> PieceColours:
    """The colours of a set, guessed from coins (N x 3) of unknown kind.

    The queen is the reddest piece if it stands clear of all others and the board;
    of the rest the darker group is black. When all look alike, the board decides.
    """
    reds = redness(colours)
    reddest = int(np.argmax(reds))
    rest = np.delete(colours, reddest, axis=0)
    next_red = max([*redness(rest), redness(board[None])[0] - QUEEN_CLEAR / 2])
    if reds[reddest] < next_red + QUEEN_CLEAR:
        light, dark = _two_groups(colours, board)
        return PieceColours(_bgr(light), _bgr(dark), NOT_HERE)
    light, dark = _two_groups(rest, board)
    return PieceColours(_bgr(light), _bgr(dark), _bgr(colours[reddest]))


def redness(colours: Floats) -> Floats:
    """How red colours (N x 3, BGR) are, free of their brightness (-1 to 1)."""
    blue, green, red = np.asarray(colours, np.float64).T
    share: Floats = (red - green) / (red + green + blue + 3 * DOUBT)
    return share


def _two_groups(colours: Floats, board: Floats) -> tuple[Floats, Floats]:
    """The light group's colour and the dark group's."""
    if not len(colours):
        return np.full(3, 230.0), np.full(3, 30.0)
    lightness = colours.mean(axis=1)
    light, dark = colours[np.argmax(lightness)], colours[np.argmin(lightness)]
    is_light = np.zeros(len(colours), np.bool_)
    for _ in range(8):
        was_light = is_light
        is_light = difference(colours, light) <= difference(colours, dark)
        if is_light.all() or (is_light == was_light).all():
            break
        light = np.median(colours[is_light], axis=0)
        dark = np.median(colours[~is_light], axis=0)
    limit = BLACK_SHARE * float(board.mean())
    clear = dark.mean() < max(limit, DARKER * light.mean()) and light.mean() >= limit
    if clear or len(colours) > STOCK[Piece.WHITE]:
        return light, dark
    own = np.where(is_light, difference(colours, light), difference(colours, dark))
    spread = max(DOUBT, float(np.sqrt(np.mean(own**2))))
    apart = APART if light.mean() >= limit else DARK_APART
    if difference(light[None], dark)[0] > apart * spread:
        return light, dark
    middle = np.median(colours, axis=0)
    if middle.mean() < limit:
        return np.full(3, 250.0), middle
    return middle, np.zeros(3)


QUEEN_CLEAR = 0.04
"""Redness between the queen and the next: purple on brown wood has 0.11."""
APART = 4.0
"""Two groups are two beyond this many spreads; one even group cut in halves has its
halves 3.5 apart."""
DARK_APART = 6.0
"""The same for groups that both are as dark as black coins: glare lifts some of them
until the halves are 5.3 spreads apart."""
BLACK_SHARE = 0.55
"""Black coins are below this share of the board's lightness: in diffuse light they
were seen at 0.47, soiled white ones at 0.57 and more."""
DARKER = 0.6
"""Two groups whose lightness has this ratio are two, even if glare lifts the black."""
NOT_HERE: Bgr = (0.0, 0.0, 255.0)
"""Stands for the queen's colour when no queen lies on the table."""


def _bgr(colour: Floats) -> Bgr:
    blue, green, red = colour
    return float(blue), float(green), float(red)


def _within_stock(gaps: Floats) -> NDArray[np.intp]:
    """The cheapest naming (N) by gaps (N x 3) that keeps to the stock."""
    slots = np.repeat(np.arange(3), [STOCK[kind] for kind in COIN_KINDS])
    if len(gaps) > len(slots):
        return np.asarray(np.argmin(gaps, axis=1), np.intp)
    _, taken = linear_sum_assignment(gaps[:, slots])
    return np.asarray(slots[taken], np.intp)


def difference(colours: Floats, other: Floats) -> Floats:
    """How far colours (N x 3) are from another one, in grey levels."""
    apart = np.asarray(colours, np.float64) - other
    lightness = apart.mean(axis=-1)
    chroma = np.linalg.norm(apart - lightness[..., None], axis=-1)
    lightness = np.minimum(np.abs(lightness), LIGHTNESS_CAP)
    gaps: Floats = np.hypot(lightness, CHROMA_WEIGHT * chroma)
    return gaps


def _middle(colours: Sequence[Bgr]) -> Bgr:
    return _bgr(np.median(np.array(colours), axis=0))


@compiled
def _nearest(
    colours: Floats, coins: Floats, found: NDArray[np.intp], sure: Floats
) -> None:
    """Which of the coins' colours each is nearest to by `difference`, how surely."""
    for n in range(len(colours)):
        first, second = 1e9, 1e9
        for k in range(len(coins)):
            mean, chroma = 0.0, 0.0
            for c in range(3):
                mean += (colours[n, c] - coins[k, c]) / 3.0
            for c in range(3):
                chroma += (colours[n, c] - coins[k, c] - mean) ** 2
            lightness = min(abs(mean), LIGHTNESS_CAP)
            gap = np.sqrt(lightness**2 + CHROMA_WEIGHT**2 * chroma)
            if gap < first:
                first, second, found[n] = gap, first, k
            else:
                second = min(second, gap)
        sure[n] = (second - first) / (second + first + DOUBT)


@compiled
def _interiors(
    image: Bytes,
    centres: Floats,
    affines: Floats,
    radii: Floats,
    out: NDArray[np.float64],
) -> None:
    rings, angles = 4, 12
    values = np.empty((3, rings * angles))
    height, width = image.shape[0], image.shape[1]
    for n in range(len(radii)):
        count = 0
        for ring in range(rings):
            r = radii[n] * (0.15 + 0.2 * ring)
            for a in range(angles):
                angle = 2 * np.pi * (a + 0.5 * (ring % 2)) / angles
                east, north = r * np.cos(angle), r * np.sin(angle)
                x = centres[n, 0] + affines[n, 0, 0] * east + affines[n, 0, 1] * north
                y = centres[n, 1] + affines[n, 1, 0] * east + affines[n, 1, 1] * north
                column, row = int(x + 0.5), int(y + 0.5)
                if 0 <= column < width and 0 <= row < height:
                    for c in range(3):
                        values[c, count] = image[row, column, c]
                    count += 1
        for c in range(3):
            out[n, c] = np.median(values[c, :count]) if count else 0.0
