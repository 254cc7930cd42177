"""What is no hand, shown to the watcher of `hands.py`: shadows, lamps, cloth, strokes."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from math import pi, sin

from hands_stand import PIECES, RATE_HZ, TABLE, Bench, lying, rest

from calibration.table import Point
from controller.simulator.world import World
from vision.sightings import HandSeen, Observation
from vision.sources.rendering_scene import ScenePiece


def without_hands(seed: int) -> dict[str, tuple[int, int]]:
    """Frames and false presences of what is no hand."""
    return {
        "leaning shadow -30 %": _unhanded(_shadows),
        "lamp +-15 %": _unhanded(_lamp),
        "one side +-15 %": _unhanded(_one_side),
        "cloth on the frame's edge": _unhanded(_cloth),
        "a coin goes": _unhanded(_coin_goes),
        "strokes": _strokes(seed),
    }


def _unhanded(play: Callable[[Bench], Iterator[list[Observation]]]) -> tuple[int, int]:
    bench = Bench()
    rest(bench, None)
    return _false(play(bench))


def _false(frames: Iterator[list[Observation]]) -> tuple[int, int]:
    told, count, false = False, 0, 0
    for seen in frames:
        for one in seen:
            told = one.present if isinstance(one, HandSeen) else told
        count += 1
        false += told
    return count, false


def _shadows(bench: Bench) -> Iterator[list[Observation]]:
    for axis, n in product((0, 1), range(120)):
        edge = -700.0 + 600.0 * min(1.0, 1.5 * sin(pi * n / 120))
        factor = bench.shadow(edge, 0.30, axis)
        yield bench.show(lying(), spoil=lambda i, f=factor: bench.shade(i, f))


def _lamp(bench: Bench) -> Iterator[list[Observation]]:
    for n in range(240):
        yield bench.show(lying(), light=(1.0, 1.15, 1.0, 0.85)[n // 20 % 4])


def _one_side(bench: Bench) -> Iterator[list[Observation]]:
    for n in range(240):
        factor = bench.slope((0.0, 0.3, 0.0, -0.3)[n // 20 % 4])
        yield bench.show(lying(), spoil=lambda i, f=factor: bench.shade(i, f))


def _cloth(bench: Bench) -> Iterator[list[Observation]]:
    for n in range(150):
        waver = 3.0 * sin(n)
        yield bench.show(lying(), spoil=lambda i, w=waver: bench.cloth(i, w))


def _coin_goes(bench: Bench) -> Iterator[list[Observation]]:
    for fewer in range(1, 6):
        for _ in range(30):
            yield bench.show(lying(PIECES[fewer:]))


def _strokes(seed: int) -> tuple[int, int]:
    """The first true strokes, from strike to rest, without the hands that play them."""
    count = false = 0
    for film in strokes_of(World(TABLE, seed=seed, boards=1), 6):
        bench = Bench()
        still = tuple(replace(p, velocity=Point(0.0, 0.0)) for p in film[0])
        for _ in range(26):
            bench.show(still)
        c, f = _false(bench.show(pieces) for pieces in film)
        count, false = count + c, false + f
    return count, false


def strokes_of(world: World, most: int) -> list[list[tuple[ScenePiece, ...]]]:
    """The pieces on or in the table in each frame of the first strokes."""
    frames: list[tuple[float, tuple[ScenePiece, ...]]] = []
    while len(world.truth.strokes) <= most and len(frames) < 60 * RATE_HZ:
        at_s = len(frames) / RATE_HZ
        pieces = tuple(p for p in world.scene_at(at_s).pieces if p.lift_mm <= 0.0)
        frames.append((at_s, pieces))
    return [
        [p for at_s, p in frames if stroke.from_s <= at_s <= stroke.to_s]
        for stroke in world.truth.strokes[:most]
    ]


def report_bare(bare: dict[str, tuple[int, int]]) -> bool:
    """Print the figures without a hand; whether every limit holds."""
    good = True
    print("\nno hand there:")
    for name, (count, false) in bare.items():
        print(f"  {name:28} false in {false} of {count} frames")
        good &= false <= 0.01 * count
    return good
