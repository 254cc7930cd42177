"""Are placement verdicts ever wrong near a limit: rendered strikers, real detector.

Cameras and tables as in `bench/calibrating.py` (three lenses, marks printed up to
0.5 mm off), each calibrated from its own picture. A striker is put within 3 mm of a
limit of the law (both lines, a base circle, an arrow) as the lines are really
printed; the detector's census places it, and the verdict is given with the doubt the
calibration states. Wrong is a `legal` or `illegal` that the printed lines deny.
Each camera's line is printed as it is done, then the shares of all.

    python bench/placement.py [--strikers 2000] [--cameras 6] [--seed 2]

Exit code 1 when a verdict is wrong.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from math import hypot, sqrt

import numpy as np
from rendered_cameras import LENSES, MISPRINT_MM, SIZE, a_camera, a_table

from calibration.accuracy import accuracy_of, print_off_mm
from calibration.camera import LensPrior
from calibration.coarse import begin
from calibration.fit import fit_table
from calibration.table import Circle, Piece, Placement, Point, Seat, Segment, Table
from vision.detect import Detector
from vision.sources.rendered import Look, Renderer
from vision.sources.rendering_camera import Camera
from vision.sources.rendering_scene import Scene, ScenePiece
from vision.sources.rendering_table import Carpenter
from vision.stroke import census_doubt_mm

NEAR_MM = 3.0


@dataclass(frozen=True)
class Printed:
    """One seat's marks as they were really printed."""

    lower: Segment
    upper: Segment
    circles: tuple[Circle, Circle]


@dataclass(frozen=True)
class Judged:
    """One striker: what the printed lines say, what we said, how far it was put off."""

    true_margin_mm: float
    said: Placement
    said_margin_mm: float
    off_mm: float


def main() -> int:
    """Print the shares; 1 when a verdict is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--strikers", type=int, default=2000)
    parser.add_argument("--cameras", type=int, default=6)
    parser.add_argument("--seed", type=int, default=2)
    given = parser.parse_args()
    random = np.random.default_rng(given.seed)
    each = -(-given.strikers // given.cameras)
    judged: list[Judged] = []
    missed = 0
    for n in range(given.cameras):
        lens = LENSES[list(LENSES)[n % len(LENSES)]]
        seen = list(strikers(lens, n, each, random))
        mine = [one for one in seen if one is not None]
        missed += len(seen) - len(mine)
        judged += mine
        open_calls = sum(one.said is Placement.UNCERTAIN for one in mine)
        print(
            f"{n + 1:2} of {given.cameras}: {len(mine)} strikers of {len(seen)}, "
            f"{open_calls} uncertain, {sum(map(is_wrong, mine))} wrong",
            flush=True,
        )
    return report(judged, missed)


def strikers(
    lens: tuple[float, float], seed: int, count: int, random: np.random.Generator
) -> Iterator[Judged | None]:
    """So many strikers under one calibrated camera; None: not seen."""
    table, camera = a_table(random), a_camera(lens, random)
    renderer = Renderer(table, camera, look=Look(misprint_mm=MISPRINT_MM), seed=seed)
    marks, arrows = printed(table, seed)
    detector, doubt_mm = calibrated(renderer, camera, table, random)
    for k in range(count):
        seat, at, margin = a_place(table, marks, arrows, random)
        piece = ScenePiece(Piece.STRIKER, at, turned_rad=float(random.uniform(0, 6)))
        image = renderer.render(Scene(0.0, (piece,)), k)
        seen = [
            s for s in detector.census([image], 0.0).pieces if s.piece is Piece.STRIKER
        ]
        if not seen:
            yield None
            continue
        put = seen[0].at
        place = detector.table.striker_place(seat, put, doubt_mm=doubt_mm)
        off = put.distance_mm(at)
        yield Judged(margin, place.placement, place.margin_mm, off)


def calibrated(
    renderer: Renderer, camera: Camera, table: Table, random: np.random.Generator
) -> tuple[Detector, float]:
    """The product's detector and doubt for this table, from one picture of it."""
    image = renderer.render(Scene(0.0, ()), 99)
    true = np.array(camera.corners_px(table))
    side = np.linalg.norm(true[0] - true[1])
    pointed = true + random.normal(0, 0.004 * side, (4, 2))
    height = camera.position_mm[2] * (1 + random.normal(0, 0.02))
    prior, expected = LensPrior.unknown(SIZE), Table()
    corners = [(float(x), float(y)) for x, y in pointed]
    start = begin(image, expected, corners, prior, height)
    fitted = fit_table(image, expected, start, prior, height)
    doubt = accuracy_of(fitted).lines_p95_mm + print_off_mm(fitted.marks)
    empty = renderer.render(Scene(0.0, ()), 7)
    return Detector(fitted.table, fitted.mapping, empty=empty), census_doubt_mm(doubt)


def printed(table: Table, seed: int) -> tuple[dict[Seat, Printed], list[Segment]]:
    """What the renderer printed, in the order in which it did."""
    carpenter = Carpenter(MISPRINT_MM, seed)
    for at in table.pocket_centres.values():
        carpenter.put(at)
    marks = {}
    for seat in Seat:
        lower, upper = (carpenter.line(line) for line in table.base_lines(seat))
        left, right = (carpenter.circle(c) for c in table.base_circles(seat))
        marks[seat] = Printed(lower, upper, (left, right))
    return marks, [carpenter.line(arrow) for arrow in table.arrows()]


def a_place(
    table: Table,
    marks: dict[Seat, Printed],
    arrows: list[Segment],
    random: np.random.Generator,
) -> tuple[Seat, Point, float]:
    """A seat, a place within NEAR_MM of a limit, and the true margin there."""
    middle = (table.lower_line_y_mm + table.upper_line_y_mm) / 2
    reach = table.base_circles_reach_mm + 4.0
    while True:
        seat = list(Seat)[random.integers(4)]
        x, y = random.uniform(-reach, reach), middle + random.uniform(-11, 11)
        at = seat.turn(Point(float(x), float(y)))
        margin = true_margin_mm(table, marks[seat], arrows, at)
        if abs(margin) < NEAR_MM:
            return seat, at, margin


def true_margin_mm(
    table: Table, printed: Printed, arrows: list[Segment], at: Point
) -> float:
    """ICF 130 on the marks as printed: how far the striker is within the law."""
    r = table.striker_radius_mm
    inner = max(
        abs(_beyond(line, at) - sign * line.width_mm / 2)
        for line, sign in ((printed.lower, -1), (printed.upper, 1))
    )
    gap = min(at.distance_mm(circle.centre) for circle in printed.circles)
    circle_r = printed.circles[0].radius_mm
    circles = max(gap - (r + circle_r), (r - circle_r) - gap)
    arrow = min(abs(_beyond(line, at)) - r - line.width_mm / 2 for line in arrows)
    return min(r - inner, circles, arrow)


def _beyond(line: Segment, at: Point) -> float:
    """Distance to the right of the line's way: outward for a base line."""
    (x0, y0), (x1, y1) = line.start, line.end
    long = hypot(x1 - x0, y1 - y0)
    return ((at.x_mm - x0) * (y1 - y0) - (at.y_mm - y0) * (x1 - x0)) / long


def is_wrong(one: Judged) -> bool:
    """The printed lines deny what was said."""
    legal = one.said is Placement.LEGAL and one.true_margin_mm < 0
    return legal or (one.said is Placement.ILLEGAL and one.true_margin_mm > 0)


def report(judged: list[Judged], missed: int) -> int:
    """Shares of verdicts, wrong ones, and how close the calls were."""
    count = len(judged)
    shares = Counter(one.said for one in judged)
    wrong = sum(map(is_wrong, judged))
    off = np.array([one.off_mm for one in judged])
    slips = np.array([abs(one.said_margin_mm - one.true_margin_mm) for one in judged])
    print(f"{count} strikers within {NEAR_MM:g} mm of a limit, {missed} not seen")
    for verdict in Placement:
        print(f"  {verdict:10} {shares[verdict]:5}  {shares[verdict] / count:6.1%}")
    print(f"wrong legal or illegal: {wrong}")
    print(
        f"striker's centre off: mean {off.mean():.2f}, p95 {np.quantile(off, 0.95):.2f}, "
        f"worst {off.max():.2f} mm (rms {sqrt(float((off**2).mean())):.2f})"
    )
    print(
        f"margin off: mean {slips.mean():.2f}, p95 {np.quantile(slips, 0.95):.2f}, "
        f"p99.9 {np.quantile(slips, 0.999):.2f}, worst {slips.max():.2f} mm"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
