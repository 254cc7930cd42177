"""Rendered films of hand-made strokes: every piece goes its way by the clock."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from calibration.table import Piece, Point
from tests.tracking.rendered_table import RATE_HZ
from vision.sources.rendering_scene import AT_REST, Limb, Scene, ScenePiece

STRUCK_S = 0.9
"""The eyes have counted the table well before."""
SLOWING_MM_S2 = 1000.0
Way = Callable[[float], Point | None]
"""Where a piece is so many seconds after the strike; None: out of sight."""


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of a film and its way; `lift_mm`: how high it comes to lie."""

    piece: Piece
    way: Way
    lift_mm: float = 0.0


def lying(at: Point) -> Way:
    """It lies there all the time."""
    return lambda _: at


def sliding(
    start: Point, velocity: Point, *, from_s: float = 0.0, until_s: float = 99.0
) -> Way:
    """It lies until `from_s`, then slides to rest; gone from `until_s`."""
    speed = max((velocity.x_mm**2 + velocity.y_mm**2) ** 0.5, 1e-9)

    def at(after_s: float) -> Point | None:
        if after_s >= until_s:
            return None
        slid_s = min(max(after_s - from_s, 0.0), speed / SLOWING_MM_S2)
        share = slid_s - SLOWING_MM_S2 * slid_s**2 / 2 / speed
        return Point(
            start.x_mm + velocity.x_mm * share, start.y_mm + velocity.y_mm * share
        )

    return at


def then(first: Way, second: Way, at_s: float) -> Way:
    """One way, and from `at_s` on another."""
    return lambda after_s: first(after_s) if after_s < at_s else second(after_s)


def film(
    parts: Sequence[Part],
    seconds: float,
    limb: Callable[[float], Limb | None] = lambda _: None,
) -> Iterator[Scene]:
    """The table at rest, the strike at STRUCK_S, and so many seconds after it."""
    for frame in range(round((STRUCK_S + seconds) * RATE_HZ)):
        at_s = frame / RATE_HZ
        after_s = at_s - STRUCK_S
        shown = tuple(p for part in parts if (p := _shown(part, after_s)) is not None)
        arm = limb(after_s)
        yield Scene(at_s, shown, () if arm is None else (arm,))


def _shown(part: Part, after_s: float) -> ScenePiece | None:
    at, soon = part.way(max(after_s, 0.0)), part.way(max(after_s, 0.0) + 1e-3)
    if at is None:
        return None
    velocity = AT_REST
    if soon is not None and soon != at:
        velocity = Point((soon.x_mm - at.x_mm) * 1e3, (soon.y_mm - at.y_mm) * 1e3)
    lift = part.lift_mm if after_s > 0 and velocity == AT_REST else 0.0
    return ScenePiece(part.piece, at, velocity, lift)
