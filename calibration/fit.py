"""Camera, lens and table sizes from the marks one picture shows of a table.

Theory. Every station of every mark (`calibration.marks`) gives one number: how far
along its normal it is seen from where the camera's numbers put it. The fit moves at
once the fourteen numbers of the camera, the table's sizes, and each mark beside its
place, each held by a prior: what is known of the lens, how far print may be off. So
a base line printed half a millimetre askew bends no lens, and straightness, which
print has, is used to the full. Stations that disagree (a coin lies there, a hand)
lose their weight (Tukey).

What comes out with it is the covariance, and from it the error to expect of a
piece's place anywhere on the table. The side is the one length a picture cannot
tell; it is taken as given. Nor can one view from straight above tell focal length
from height: `height_mm` by tape, or a lens measured with a ChArUco board, does.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.camera import (
    LENS_NUMBERS,
    NUMBERS,
    Floats,
    LensPrior,
    derivative,
    height_of,
    mapping_of,
    numbers_of,
    project,
)
from calibration.edges import Bytes, see
from calibration.marks import SIZES, Kind, Mark, concrete, marks, size_ways
from calibration.plane import PlaneMapping
from calibration.refusal import Refusal
from calibration.table import Table

SIZE_SPREADS = (4.0, 4.0, 10.0, 3.0, 8.0, 4.0, 6.0)
"""How far a board's sizes may be from those expected, in the order of SIZES."""
WAY_SPREADS = {
    Kind.LINE: (0.35, 0.35),
    Kind.CIRCLE: (0.35, 0.35),
    Kind.BASE_CIRCLE: (0.35, 0.35, 6.0),
    Kind.POCKET: (0.5, 0.5, 0.7),
    Kind.FRAME: (0.6, 0.6),
}
"""How far a mark may be beside its place, in each of its ways (mm)."""
NOISE_PX = {
    Kind.LINE: 0.08,
    Kind.CIRCLE: 0.08,
    Kind.BASE_CIRCLE: 0.08,
    Kind.POCKET: 0.2,
    Kind.FRAME: 0.2,
}
"""How well a station is seen, at the least."""
REACHES_MM = (12.0, 6.0, 4.0, 3.0)
"""How far stations are looked for, round by round."""
TAPE_SHARE = 0.03
"""How well people measure the camera's height (one in thirty)."""
LEAST_STATIONS = 60
TUKEY = 4.685


@dataclass(frozen=True, slots=True)
class MarkFit:
    """How one mark came out: stations seen of those it has, and millimetres.

    `off_mm` is how far it is printed or cut from where the sizes put it; `rest_mm`
    the root mean square of what the fit leaves unexplained along it.
    """

    name: str
    seen: int
    stations: int
    off_mm: float
    rest_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class Fitted:
    """A table's camera and sizes, as one picture shows them.

    `spread` (14 x 14) is the covariance of the camera's `numbers`; `places_px`,
    `rest_mm` and `weights` one row per station seen, for pictures of the fit.
    """

    mapping: PlaneMapping
    table: Table
    numbers: Floats
    spread: Floats
    marks: tuple[MarkFit, ...]
    places_px: Floats
    expected_px: Floats
    rest_mm: Floats
    weights: Floats

    @property
    def residual_mm(self) -> float:
        """Root mean square distance of stations from the fit, in mm."""
        used = self.weights > 0
        return float(np.sqrt(np.mean(self.rest_mm[used] ** 2)))


@dataclass(frozen=True, slots=True, eq=False)
class _Seen:
    """The stations in use: where the table has them and where the picture does."""

    at_mm: Floats
    outward: Floats
    ways: Floats
    at_px: Floats
    across_px: Floats
    noise_px: Floats
    px_per_mm: Floats


def fit_table(
    image: Bytes,
    table: Table,
    start: PlaneMapping,
    prior: LensPrior,
    height_mm: float | None = None,
) -> Fitted:
    """Fit camera and sizes to the marks around where `start` has them.

    `height_mm` is the camera's height above the surface, by tape. Raises Refusal
    when too few marks are seen to say anything, or fit no table.
    """
    table = concrete(table)
    drawn = marks(table)
    ways, spreads = _ways(table, drawn)
    numbers, mapping, moves = numbers_of(start), start, np.zeros(ways.shape[1])
    problem: _Problem | None = None
    weights, worse = np.zeros(0), 1.0
    for reach_mm in REACHES_MM:
        seen, index = _look(image, mapping, drawn, ways, moves, reach_mm)
        loose = max(1.0, reach_mm / REACHES_MM[-1])
        for _ in range(2):
            loosened = _loosened(spreads, worse)
            problem = _Problem(seen, prior, loosened, height_mm)
            numbers, moves, weights = problem.solve(numbers, moves, loose)
            before, worse = worse, _print_worse(moves, spreads)
            if worse < 1.1 * before:
                break
        mapping = mapping_of(numbers, start.size_px)
    assert problem is not None
    return _fitted(problem, drawn, index, table, mapping, numbers, moves, weights)


def _ways(table: Table, drawn: Sequence[Mark]) -> tuple[Floats, Floats]:
    """Every way a station may be off its place (stations x ways), and their spreads."""
    stations = sum(len(mark.points) for mark in drawn)
    own = sum(mark.ways.shape[1] for mark in drawn)
    ways = np.zeros((stations, len(SIZES) + own))
    ways[:, : len(SIZES)] = size_ways(table)
    row, column = 0, len(SIZES)
    spreads = list(SIZE_SPREADS)
    for mark in drawn:
        rows, columns = mark.ways.shape
        ways[row : row + rows, column : column + columns] = mark.ways
        spreads.extend(WAY_SPREADS[mark.kind])
        row, column = row + rows, column + columns
    return ways, np.array(spreads)


def _print_worse(moves: Floats, spreads: Floats) -> float:
    """How many times further off than expected this table's marks are printed.

    Cheap tables are a millimetre off; held to half of that, the fit would bend the
    camera instead of the print. Judged anew each round: while the lens is still
    unknown, all print looks bad.
    """
    places = (np.arange(len(moves)) >= len(SIZES)) & (spreads < LEAST_OF_SIZE_MM)
    shares = moves[places] / spreads[places]
    shares = shares[np.abs(shares) > 1e-6]
    if not len(shares):
        return 1.0
    return float(np.clip(np.sqrt(np.mean(shares**2)), 1.0, MOST_WORSE))


def _loosened(spreads: Floats, worse: float) -> Floats:
    places = (np.arange(len(spreads)) >= len(SIZES)) & (spreads < LEAST_OF_SIZE_MM)
    return np.where(places, worse * spreads, spreads)


LEAST_OF_SIZE_MM = 0.7
"""Ways with wider spreads are sizes, not places."""
MOST_WORSE = 6.0


def _look(
    image: Bytes,
    mapping: PlaneMapping,
    drawn: Sequence[Mark],
    ways: Floats,
    moves: Floats,
    reach_mm: float,
) -> tuple[_Seen, Floats]:
    """Measure all stations around where they are believed to be now."""
    shift = ways @ moves
    parts = []
    row = 0
    for mark in drawn:
        rows = len(mark.points)
        moved = _moved(mark, shift[row : row + rows])
        found = see(image, mapping, moved, reach_mm)
        good = np.flatnonzero(np.isfinite(found.off_mm))
        places = moved.points + moved.outward * np.nan_to_num(found.off_mm)[:, None]
        at_px = mapping.to_px(places[good])
        beyond = mapping.to_px(places[good] + moved.outward[good])
        across = beyond - at_px
        scale = np.linalg.norm(across, axis=1)
        noise = np.full(len(good), NOISE_PX[mark.kind])
        unit = across / np.maximum(scale, 1e-9)[:, None]
        parts.append(
            (
                *(mark.points[good], mark.outward[good], ways[row + good]),
                *(at_px, unit, noise, scale, row + good),
            )
        )
        row += rows
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)]
    if len(columns[0]) < LEAST_STATIONS:
        raise Refusal(
            f"only {len(columns[0])} of {row} pieces of lines, circles, pockets and "
            "frame are seen where they should be: check the corners, the light and "
            "that the table is empty"
        )
    at_mm, outward, own, at_px, unit, noise, scale, index = columns
    return _Seen(at_mm, outward, own, at_px, unit, noise, scale), index


def _moved(mark: Mark, shift_mm: Floats) -> Mark:
    places = mark.places + mark.normals * shift_mm[:, None, None]
    return replace(mark, places=places)


class _Problem:
    """Least squares over camera numbers and ways, with their priors."""

    def __init__(
        self,
        seen: _Seen,
        prior: LensPrior,
        spreads: Floats,
        height_mm: float | None,
    ) -> None:
        self.seen = seen
        self._prior = np.array(prior.numbers), np.array(prior.spreads)
        self._spreads = spreads
        self._height_mm = height_mm

    def solve(
        self, numbers: Floats, moves: Floats, loose: float
    ) -> tuple[Floats, Floats, Floats]:
        """Numbers, moves and the stations' weights; noise is taken `loose` times."""
        weights = np.ones(len(self.seen.at_mm))
        x = np.concatenate([numbers, moves])
        for _ in range(REWEIGHTED):
            root = np.sqrt(weights) / (self.seen.noise_px * loose)
            x = self._solved(x, root)
            weights = self._weights(x)
        return x[:NUMBERS], x[NUMBERS:], weights

    def _solved(self, start: Floats, root: Floats) -> Floats:
        from scipy.optimize import least_squares  # 0.8 s; who reads a profile fits none

        def residuals(x: Floats) -> Floats:
            return self.residuals(x, root)

        def jacobian(x: Floats) -> Floats:
            return self.jacobian(x, root)

        solution = least_squares(
            residuals, start, jac=jacobian, method="lm", x_scale="jac", max_nfev=60
        )
        return np.asarray(solution.x, np.float64)

    def residuals(self, x: Floats, root: Floats) -> Floats:
        """Stations over their noise, then priors over their spreads."""
        numbers, moves = x[:NUMBERS], x[NUMBERS:]
        means, spreads = self._prior
        known = [(numbers[:LENS_NUMBERS] - means) / spreads, moves / self._spreads]
        if self._height_mm is not None:
            off = height_of(numbers) / self._height_mm - 1
            known.append(np.array([off / TAPE_SHARE]))
        return np.concatenate([self.off_px(x) * root, *known])

    def off_px(self, x: Floats) -> Floats:
        """How far outside its seen place each station is put."""
        seen = project(x[:NUMBERS], self._placed(x))
        return np.asarray(
            np.sum((seen - self.seen.at_px) * self.seen.across_px, axis=1)
        )

    def jacobian(self, x: Floats, root: Floats) -> Floats:
        """Derivative of `residuals`."""
        numbers, placed = x[:NUMBERS], self._placed(x)
        camera = np.einsum(
            "nij,ni->nj", derivative(numbers, placed), self.seen.across_px
        )
        step = 0.01 * np.column_stack([self.seen.outward, np.zeros(len(placed))])
        ahead, behind = project(numbers, placed + step), project(numbers, placed - step)
        slope = np.sum((ahead - behind) * self.seen.across_px, axis=1) / 0.02
        rows = [np.hstack([camera, slope[:, None] * self.seen.ways]) * root[:, None]]
        size = len(x)
        lens, moves = np.zeros((LENS_NUMBERS, size)), np.zeros((size - NUMBERS, size))
        lens[:, :LENS_NUMBERS] = np.diag(1 / self._prior[1])
        moves[:, NUMBERS:] = np.diag(1 / self._spreads)
        rows += [lens, moves]
        if self._height_mm is not None:
            rows.append(self._tape_row(numbers, size))
        return np.vstack(rows)

    def _tape_row(self, numbers: Floats, size: int) -> Floats:
        row = np.zeros((1, size))
        assert self._height_mm is not None
        for k in range(LENS_NUMBERS, NUMBERS):
            there, back = numbers.copy(), numbers.copy()
            there[k] += 1e-6
            back[k] -= 1e-6
            rise = (height_of(there) - height_of(back)) / 2e-6
            row[0, k] = rise / self._height_mm / TAPE_SHARE
        return row

    def _placed(self, x: Floats) -> Floats:
        shift = self.seen.ways @ x[NUMBERS:]
        flat = self.seen.at_mm + self.seen.outward * shift[:, None]
        return np.column_stack([flat, np.zeros(len(flat))])

    def _weights(self, x: Floats) -> Floats:
        off = np.abs(self.off_px(x)) / self.seen.noise_px
        scale = max(1.0, 1.4826 * float(np.median(off)))
        share = np.clip(off / (TUKEY * scale), 0.0, 1.0)
        return np.asarray((1 - share**2) ** 2)

    def covariance(self, x: Floats, weights: Floats) -> Floats:
        """Of all unknowns, with the noise as large as the residuals say it is."""
        off = np.abs(self.off_px(x)) / self.seen.noise_px
        scale = max(1.0, 1.4826 * float(np.median(off[weights > 0])))
        root = np.sqrt(weights) / (self.seen.noise_px * scale)
        jacobian = self.jacobian(x, root)
        return np.asarray(np.linalg.inv(jacobian.T @ jacobian))


REWEIGHTED = 4


def _fitted(
    problem: _Problem,
    drawn: Sequence[Mark],
    index: Floats,
    table: Table,
    mapping: PlaneMapping,
    numbers: Floats,
    moves: Floats,
    weights: Floats,
) -> Fitted:
    x = np.concatenate([numbers, moves])
    seen = problem.seen
    rest_mm = -problem.off_px(x) / seen.px_per_mm
    sizes = {
        size: getattr(table, size) + float(move)
        for size, move in zip(SIZES, moves, strict=False)
    }
    covariance = problem.covariance(x, weights)
    return Fitted(
        mapping=mapping,
        table=_resized(table, sizes),
        numbers=numbers,
        spread=covariance[:NUMBERS, :NUMBERS],
        marks=_mark_fits(drawn, index, moves, rest_mm, weights),
        places_px=seen.at_px,
        expected_px=seen.at_px + (problem.off_px(x))[:, None] * seen.across_px,
        rest_mm=rest_mm,
        weights=weights,
    )


def _resized(table: Table, sizes: dict[str, float]) -> Table:
    """The table with the sizes that were fitted; Refusal where no table has them."""
    try:
        return replace(table, **sizes)
    except ValueError as error:
        raise Refusal(
            f"the marks fit no carrom table ({error}): show the whole surface with its "
            "four pockets, or hand over its corners"
        ) from None


def _mark_fits(
    drawn: Sequence[Mark],
    index: Floats,
    moves: Floats,
    rest_mm: Floats,
    weights: Floats,
) -> tuple[MarkFit, ...]:
    fits = []
    row, column = 0, len(SIZES)
    for mark in drawn:
        rows, columns = mark.ways.shape
        mine = (index >= row) & (index < row + rows) & (weights > 0)
        beside = moves[column : column + min(columns, 2)]
        circle = mark.kind not in (Kind.LINE, Kind.FRAME)
        off = float(np.hypot(*beside) if circle else np.abs(beside).max())
        rest = float(np.sqrt(np.mean(rest_mm[mine] ** 2))) if mine.any() else 0.0
        fits.append(MarkFit(mark.name, int(mine.sum()), rows, off, rest))
        row, column = row + rows, column + columns
    return tuple(fits)
