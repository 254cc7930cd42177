"""A lens from pictures of the ChArUco board, or the reason why not, view by view.

Theory. Each view gives up to 48 corners of known places on a flat board; with views
tilted to different sides, focal length, principal point and distortion separate from
where the board was held (Zhang). What a set of views cannot tell is known before the
numbers are: parallel views leave the focal length open, an empty corner of the
picture leaves the distortion there a guess. So the set is refused with what to take.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.camera import LensPrior
from calibration.charuco_board import COLUMNS, Board
from calibration.charuco_bundle import bundled
from calibration.refusal import Refusal

Floats = NDArray[np.float64]
Bytes = NDArray[np.uint8]

LEAST_CORNERS = 12
LEAST_VIEWS = 6
LEAST_TILT_DEG = 15.0
"""Between the two most different views; twice 20 degrees is asked for."""
MOST_BLUR_PX = 2.0
"""Sigma of an edge; a sharp picture has 0.6 to 1.1."""
MOST_RMS_PX = 0.6
"""Of a view: a flat board in a sharp picture gives 0.1 to 0.3."""
CELLS = (4, 3)
"""Across and down: what the coverage map counts corners in."""
LEAST_IN_CELL = 4
CELL_NAMES = {
    (0, 0): "top left corner",
    (3, 0): "top right corner",
    (0, 2): "bottom left corner",
    (3, 2): "bottom right corner",
}


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The board in one picture: corners' numbers, pixels, and the edges' blur."""

    name: str
    ids: NDArray[np.int32]
    corners_px: Floats
    blur_px: float
    size_px: tuple[int, int]

    @property
    def outline(self) -> list[tuple[int, int]]:
        """Around all corners seen, in whole pixels."""
        if len(self.ids) == 0:
            return []
        hull = cv2.convexHull(self.corners_px.astype(np.float32)).reshape(-1, 2)
        return [(round(float(x)), round(float(y))) for x, y in hull]


@dataclass(frozen=True, slots=True)
class ViewFit:
    """How one view came out; `fault` says what is wrong with it, if anything."""

    name: str
    corners: int
    blur_px: float
    rms_px: float | None
    tilt_deg: float | None
    fault: str | None


@dataclass(frozen=True, slots=True)
class LensFit:
    """A lens as a set of views shows it.

    `coverage` counts corners in cells, row by row (CELLS). `faults` is empty when the
    lens can be used; `prior` is then what the table's fit begins with.
    """

    size_px: tuple[int, int]
    views: tuple[ViewFit, ...]
    coverage: tuple[tuple[int, ...], ...]
    rms_px: float | None
    prior: LensPrior | None
    faults: tuple[str, ...]

    def usable(self) -> LensPrior:
        """The lens; raises Refusal with the remedies when the views will not do."""
        if self.faults or self.prior is None:
            raise Refusal("the lens is not measured: " + "; ".join(self.faults))
        return self.prior


def find_board(name: str, image: Bytes, board: Board) -> View:
    """Find the board in a picture (BGR); a view without corners when it is not there."""
    grey = np.asarray(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), np.uint8)
    return find_board_in_grey(name, grey, board)


def find_board_in_grey(name: str, grey: Bytes, board: Board) -> View:
    """As `find_board`, in a picture of height x width grey levels."""
    detector = cv2.aruco.CharucoDetector(board.pattern())
    corners, ids, _, _ = detector.detectBoard(grey)
    height, width = grey.shape
    if ids is None or len(ids) == 0:
        nothing = np.zeros((0, 2)), np.zeros(0, np.int32)
        return View(name, nothing[1], nothing[0], 0.0, (width, height))
    found = np.asarray(corners, np.float64).reshape(-1, 2)
    numbers = np.asarray(ids, np.int32).ravel()
    found = _refined(grey, numbers, found)
    return View(name, numbers, found, _blur_px(grey, numbers, found), (width, height))


def _refined(grey: Bytes, ids: NDArray[np.int32], corners_px: Floats) -> Floats:
    """Corners to a twentieth of a pixel, from a window that no marker reaches into.

    The detector's own window takes in the markers' edges, which pulls corners by
    half a pixel (measured on rendered boards).
    """
    pairs = _neighbours(ids, corners_px)
    if not pairs:
        return corners_px
    square_px = min(float(np.linalg.norm(b - a)) for a, b in pairs)
    half = int(np.clip(0.1 * square_px, 2, 12))
    start = np.ascontiguousarray(corners_px, np.float32).reshape(-1, 1, 2)
    stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 50, 0.001)
    fine = cv2.cornerSubPix(grey, start, (half, half), (-1, -1), stop)
    return np.asarray(fine, np.float64)[:, 0]


def _neighbours(
    ids: NDArray[np.int32], corners_px: Floats
) -> list[tuple[Floats, Floats]]:
    """Pairs of corners one square apart."""
    at = {int(n): corner for n, corner in zip(ids, corners_px, strict=True)}
    across = COLUMNS - 1
    pairs = []
    for n, corner in at.items():
        if (n + 1) % across and n + 1 in at:
            pairs.append((corner, at[n + 1]))
        if n + across in at:
            pairs.append((corner, at[n + across]))
    return pairs


def fit_lens(views: Sequence[View], board: Board) -> LensFit:
    """Measure the lens; what is wrong with which view stands in the result.

    Raises Refusal when there are no pictures, or of different sizes.
    """
    size_px = _one_size(views)
    faults = {view.name: fault_of(view, board) for view in views}
    good = [view for view in views if faults[view.name] is None]
    coverage = coverage_of(good, size_px)
    told = [f"{name}: {fault}" for name, fault in faults.items() if fault]
    if len(good) < LEAST_VIEWS:
        told.append(
            f"{len(good)} usable pictures, at least {LEAST_VIEWS} are needed (better 12)"
        )
        bare = tuple(_view_fit(view, faults) for view in views)
        return LensFit(size_px, bare, coverage, None, None, tuple(told))
    solved = _solve(good, board, size_px)
    views_fit = _view_fits(views, good, faults, solved)
    told = [f"{v.name}: {v.fault}" for v in views_fit if v.fault]
    # A picture that will not do is left out; the set decides whether enough is left.
    lacking = _lacking(coverage, solved.tilts_deg)
    left = sum(v.fault is None for v in views_fit)
    if left < LEAST_VIEWS:
        lacking += [*told, f"{left} usable pictures, at least {LEAST_VIEWS} are needed"]
    elif any(v.rms_px is not None and v.fault for v in views_fit):
        kept = {v.name for v in views_fit if v.fault is None}
        again = [view for view in good if view.name in kept]
        solved = _solve(again, board, size_px)
        lacking = _lacking(coverage_of(again, size_px), solved.tilts_deg)
    if solved.rms_px > MOST_RMS_PX:
        lacking.append(
            f"the views disagree by {solved.rms_px:.2f} px (at most {MOST_RMS_PX} px): "
            "fix the focus, glue the board flat, take all pictures with this one camera"
        )
    return LensFit(
        size_px, views_fit, coverage, solved.rms_px, solved.prior, tuple(lacking)
    )


def _one_size(views: Sequence[View]) -> tuple[int, int]:
    if not views:
        raise Refusal(
            "no pictures of the ChArUco board; name a folder with 12 to 20 of them "
            "(carrom calibrate --charuco-board OUT.pdf prints the board)"
        )
    sizes = {view.size_px: view.name for view in views}
    if len(sizes) > 1:
        said = ", ".join(f"{name} {w}x{h}" for (w, h), name in sizes.items())
        raise Refusal(
            f"the pictures have different sizes ({said}): take all with the table's "
            "camera at the size it is used at"
        )
    return next(iter(sizes))


def fault_of(view: View, board: Board) -> str | None:
    """What a single picture lacks, with the remedy."""
    if len(view.ids) < LEAST_CORNERS:
        return (
            f"{len(view.ids)} of {board.corners} corners seen, at least {LEAST_CORNERS} "
            "are needed: hold it further into the picture, sharp and without glare"
        )
    if view.blur_px > MOST_BLUR_PX:
        return (
            f"blurred (edges {view.blur_px:.1f} px, at most {MOST_BLUR_PX} px): "
            "hold the board still, focus, shorten the exposure"
        )
    return None


def _lacking(
    coverage: tuple[tuple[int, ...], ...], tilts_deg: Sequence[float]
) -> list[str]:
    """What the set of views lacks, with the remedy."""
    lacking = []
    if max(tilts_deg) < LEAST_TILT_DEG:
        lacking.append(
            f"all views are parallel to within {max(tilts_deg):.0f} degrees: tilt the "
            "board 20 to 40 degrees, to each side in turn"
        )
    empty = [
        name
        for (column, row), name in CELL_NAMES.items()
        if coverage[row][column] < LEAST_IN_CELL
    ]
    if empty:
        lacking.append(
            f"the board was never held in the picture's {', '.join(empty)}: "
            "take two pictures with it there"
        )
    return lacking


def coverage_of(
    views: Sequence[View], size_px: tuple[int, int]
) -> tuple[tuple[int, ...], ...]:
    """How many corners were seen in each cell of the picture, row by row (CELLS)."""
    across, down = CELLS
    counts = np.zeros((down, across), int)
    for view in views:
        cells = (view.corners_px / np.array(size_px) * (across, down)).astype(int)
        for column, row in np.clip(cells, 0, (across - 1, down - 1)):
            counts[row, column] += 1
    return tuple(tuple(row) for row in counts.tolist())


@dataclass(frozen=True, slots=True, eq=False)
class _Solved:
    prior: LensPrior
    rms_px: float
    view_rms_px: Mapping[str, float]
    view_tilts_deg: Mapping[str, float]

    @property
    def tilts_deg(self) -> list[float]:
        return list(self.view_tilts_deg.values())


def _solve(views: Sequence[View], board: Board, size_px: tuple[int, int]) -> _Solved:
    """The bundle over all views, as what the table's fit begins with."""
    places = np.asarray(board.pattern().getChessboardCorners(), np.float32)
    objects = [places[view.ids] for view in views]
    seen = [view.corners_px.astype(np.float32)[:, None] for view in views]
    best = bundled(objects, seen, size_px)
    f, (cx, cy) = best.matrix[0, 0], best.matrix[:2, 2]
    k1, k2, p1, p2, k3 = best.bends.tolist()
    doubts = np.maximum(best.doubts, 0.0)
    spreads = (
        max(float(doubts[0]) / f, LEAST_FOCAL_DOUBT),
        *(float(d) for d in (doubts[2], doubts[3], *doubts[4:8])),
        max(float(doubts[8]), 1e-6),
    )
    prior = LensPrior(
        (float(np.log(f)), float(cx), float(cy), k1, k2, p1, p2, k3),
        tuple(max(s, 1e-7) for s in spreads),
    )
    rms = {v.name: float(r) for v, r in zip(views, best.view_rms, strict=True)}
    tilts = _tilts(best.turns)
    return _Solved(
        prior,
        best.rms,
        rms,
        {v.name: t for v, t in zip(views, tilts, strict=True)},
    )


LEAST_FOCAL_DOUBT = 3e-4
"""Of the focal length: paper is never quite flat."""


def _tilts(turns: Sequence[Floats]) -> list[float]:
    """Each view's largest angle to any other, degrees."""
    normals = np.array([cv2.Rodrigues(turn)[0][:, 2] for turn in turns])
    cosines = np.clip(normals @ normals.T, -1.0, 1.0)
    return [float(a) for a in np.degrees(np.arccos(cosines)).max(axis=1)]


def _view_fits(
    views: Sequence[View],
    good: Sequence[View],
    faults: Mapping[str, str | None],
    solved: _Solved,
) -> tuple[ViewFit, ...]:
    usual = float(np.median([solved.view_rms_px[view.name] for view in good]))
    limit = min(MOST_RMS_PX, max(4.0 * usual, 0.25))
    fits = []
    for view in views:
        rms = solved.view_rms_px.get(view.name)
        fault = faults[view.name]
        if rms is not None and rms > limit:
            fault = (
                f"{rms:.2f} px off the others (at most {limit:.2f} px): "
                "the board was bent or moved; take it again or remove the file"
            )
        tilt = solved.view_tilts_deg.get(view.name)
        fits.append(ViewFit(view.name, len(view.ids), view.blur_px, rms, tilt, fault))
    return tuple(fits)


def _view_fit(view: View, faults: Mapping[str, str | None]) -> ViewFit:
    fault = faults[view.name]
    return ViewFit(view.name, len(view.ids), view.blur_px, None, None, fault)


def _blur_px(grey: Bytes, ids: NDArray[np.int32], corners_px: Floats) -> float:
    """Sigma of the squares' edges: median over edges between neighbouring corners."""
    widths = [_edge_px(grey, a, b) for a, b in _neighbours(ids, corners_px)]
    known = [width for width in widths if width is not None]
    return float(np.median(known)) if known else 0.0


def _edge_px(grey: Bytes, one: Floats, other: Floats) -> float | None:
    """Sigma of the edge that runs between two corners; None where there is no step."""
    along = other - one
    long = float(np.linalg.norm(along))
    if long < 8.0:
        return None
    normal = np.array([-along[1], along[0]]) / long
    reach = min(0.12 * long, 6.0)
    steps = np.arange(-reach, reach + 0.125, 0.25)
    shares = np.linspace(0.42, 0.58, 5)
    places = one + shares[:, None, None] * along + steps[:, None] * normal
    flat = places.reshape(-1, 2).astype(np.float32)
    values = cv2.remap(
        grey,
        np.ascontiguousarray(flat[:, :1]),
        np.ascontiguousarray(flat[:, 1:]),
        cv2.INTER_CUBIC,
    )
    profile = values.astype(np.float64).reshape(len(shares), -1).mean(axis=0)
    slope = np.abs(np.diff(profile))
    if abs(profile[-1] - profile[0]) < 25.0:
        return None
    slope[slope < 0.2 * slope.max()] = 0.0
    middle = (steps[1:] + steps[:-1]) / 2
    mean = float(slope @ middle / slope.sum())
    return float(np.sqrt(slope @ (middle - mean) ** 2 / slope.sum()))
