"""How right a stroke is seen: breaks and mid-game strokes, filmed and weighed.

Run: python bench/breaks.py [--strokes N] [--condition 60/1 ...] [--kind break]
[--seed S] [--gap S] [--verbose]. `--gap`: eyes that look at pictures so many seconds
apart from the strike on. Every stroke is simulated (physics, a flicking hand, pocket
beams), photographed with motion blur by the renderer, which shares no code with the
eyes, and goes through the real watcher. What it tells is weighed by the observer
twice: by the eyes alone, and with the pocket reports as in play. A question is no
mistake; a stroke on record that is wrong, or not there at all, is a silent error.
Printed for each condition (frames a second / exposure in ms). Exit code 1 when a
limit is missed.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import cos, radians

import cv2
from breaks_film import NEAR_MM, Seen, Studio

from calibration.table import Placement
from vision.sightings import TrackEnd

CONDITIONS = ("60/1", "30/1", "60/4", "30/4")
STRICT = "60/1"
"""The condition in which nothing at all may be missed."""


@dataclass(slots=True)
class Tally:
    """Sums over the strokes of one kind in one condition."""

    kind: str
    condition: str
    rows: list[Seen] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        """The figures, one a line."""
        rows = self.rows
        eyes, fused = Counter(r.eyes for r in rows), Counter(r.fused for r in rows)
        kept, of = (sum(r.names[n] for r in rows) for n in (0, 1))
        yield f"{self.kind} {self.condition}: {len(rows)} strokes, " + (
            f"{sum(sum(r.stroke.truth.fell.values()) for r in rows)} falls"
        )
        for name, verdicts in (("eyes alone", eyes), ("eyes + pockets", fused)):
            yield (
                f"  {name}: right {_share(verdicts['right'], len(rows))}, "
                f"asked {verdicts['asked']}, silent {verdicts['silent']}"
            )
        yield f"  identity kept {_share(kept, of)}"
        for name, ask in QUESTIONS.items():
            answers = [a for r in rows if (a := ask(r)) is not None]
            if answers:
                yield f"  {name} {_share(sum(answers), len(answers))}"
        cpu = sorted(ms for r in rows for ms in r.cpu_ms)
        yield (
            f"  CPU in motion: median {cpu[len(cpu) // 2]:.1f} ms, "
            f"p95 {cpu[len(cpu) * 95 // 100]:.1f} ms a frame"
        )

    def missed(self) -> Iterator[str]:
        """The limits these strokes do not keep."""
        rows = self.rows
        silent = sum("silent" in (r.eyes, r.fused) for r in rows)
        if silent:
            yield f"{silent} silent errors"
        strict = self.condition == STRICT
        right = sum(r.fused == "right" for r in rows) / len(rows)
        if right < (1.0 if strict else 0.98):
            yield f"pocketed set right {right:.2%}"
        if not strict:
            return
        kept, of = (sum(r.names[n] for r in rows) for n in (0, 1))
        if kept < 0.99 * of:
            yield f"identity kept {kept / of:.2%}"
        for name in ("first contact", "first contact in a cluster"):
            answers = [a for r in rows if (a := QUESTIONS[name](r)) is not None]
            if sum(answers) < 0.98 * len(answers):
                yield f"{name} {sum(answers) / len(answers):.2%}"


def _share(part: int, whole: int) -> str:
    return f"{part / max(whole, 1):.2%} ({part} of {whole})"


def _contact(row: Seen) -> bool | None:
    """Whether the very coin is named, or the cluster in which it lay."""
    truth = row.stroke.truth
    if truth.contact is None:
        return None if row.seen and row.seen.first_contact is None else False
    said = None if row.seen is None else row.seen.first_contact
    if said is None or said.at is None:
        return False
    key, _ = truth.contact
    at = truth.at_start[key]
    if said.cluster:
        return said.at.distance_mm(at) < NEAR_MM or key in truth.cluster
    return said.piece is row.stroke.kinds[key] and said.at.distance_mm(at) < NEAR_MM


def _alone(row: Seen) -> bool | None:
    return _contact(row) if len(row.stroke.truth.cluster) <= 1 else None


def _clustered(row: Seen) -> bool | None:
    return _contact(row) if len(row.stroke.truth.cluster) > 1 else None


def _single(row: Seen) -> bool | None:
    """Whether one coin, no cluster, is named."""
    said = None if row.seen is None else row.seen.first_contact
    return None if said is None else not said.cluster


def _sure(row: Seen) -> bool | None:
    """Whether a coin that is named alone was the first to be met."""
    met = row.stroke.truth.contact
    said = None if row.seen is None else row.seen.first_contact
    if said is None or said.at is None or said.cluster:
        return None
    return met is not None and (
        said.at.distance_mm(row.stroke.truth.at_start[met[0]]) < NEAR_MM
    )


def _among(row: Seen) -> bool | None:
    """Whether a piece of the kind that was met is among those named."""
    met = row.stroke.truth.contact
    said = None if row.seen is None else row.seen.first_contact
    if met is None or said is None or not said.cluster:
        return None
    return row.stroke.kinds[met[0]] in said.cluster


def _contact_time(row: Seen) -> bool | None:
    """Whether the first contact's time is right to two frames of 60."""
    met = row.stroke.truth.contact
    said = None if row.seen is None else row.seen.first_contact
    if met is None or said is None:
        return None
    return abs(said.at_s - met[1]) < 2 / 60


def _back(row: Seen) -> bool | None:
    if row.way is None or row.way.back is None:
        return None
    return row.way.back is row.stroke.truth.behind


def _aim(row: Seen) -> bool | None:
    """Whether the direction is right to two degrees."""
    if row.way is None or row.way.direction is None:
        return None
    true, said = row.stroke.truth.along, row.way.direction
    return true.x_mm * said.x_mm + true.y_mm * said.y_mm > cos(radians(2))


def _cushions(row: Seen) -> bool | None:
    if row.way is None or not row.way.whole:
        return None
    return len(row.way.cushions_s) == row.stroke.truth.cushions


def _once(row: Seen) -> bool | None:
    return None if row.way is None else not row.way.again_s


def _touched(row: Seen) -> bool | None:
    """Whether exactly the coins that moved are named."""
    if row.seen is None:
        return None
    truth = row.stroke.truth
    said = [c.at for c in row.seen.touched if c.at is not None]
    true = [truth.at_start[key] for key in truth.moved]
    return len(said) == len(true) and all(
        min(a.distance_mm(b) for b in said) < NEAR_MM for a in true
    )


def _margin(row: Seen) -> bool | None:
    """Whether the placing margin, where it is called at all, is right to 1.5 mm."""
    place = None if row.seen is None else row.seen.placement
    if place is None or place.placement is Placement.UNCERTAIN:
        return None
    return abs(place.margin_mm - row.stroke.truth.proper_mm) < 1.5


def _pockets(row: Seen) -> bool:
    """Whether the eyes themselves say every fall with its pocket."""
    if row.seen is None:
        return False
    said = Counter(
        (v.piece, v.pocket.value)
        for v in row.seen.vanished
        if v.end is TrackEnd.POCKET and v.pocket is not None
    )
    return said == row.stroke.truth.fell


QUESTIONS = {
    "falls with their pockets, by the eyes": _pockets,
    "first contact": _alone,
    "first contact in a cluster": _clustered,
    "first contact named alone": _single,
    "right where named alone": _sure,
    "among those named, in a cluster": _among,
    "its time": _contact_time,
    "direction, where told": _aim,
    "back stroke or not, where told": _back,
    "cushions, where seen all the way": _cushions,
    "struck once": _once,
    "coins moved": _touched,
    "placing margin, where called": _margin,
}


def main() -> int:
    """Film every stroke in every condition, print the figures; 1: a limit missed."""
    wishes = _wishes()
    cv2.setNumThreads(1)
    good = True
    for condition in wishes.condition:
        rate_hz, exposure_ms = (float(part) for part in condition.split("/"))
        studio = Studio(exposure_ms / 1000)
        for kind in wishes.kind:
            tally = Tally(kind, condition)
            for seed in range(wishes.seed, wishes.seed + wishes.strokes):
                row = studio.film(seed, rate_hz, rack=kind == "break", gap_s=wishes.gap)
                tally.rows.append(row)
                if wishes.verbose:
                    _tell(row)
            print("\n".join(tally.lines()), flush=True)
            for missed in tally.missed():
                good = False
                print(f"  LIMIT MISSED: {missed}", flush=True)
    return 0 if good else 1


def _tell(row: Seen) -> None:
    """What was wrong with one stroke, for who mends it."""
    wrong = [name for name, ask in QUESTIONS.items() if ask(row) is False]
    if row.eyes != "right":
        wrong.append(f"eyes {row.eyes}")
    if row.fused != "right":
        wrong.append(f"fused {row.fused}")
    if row.names[0] < row.names[1]:
        wrong.append(f"names {row.names[0]} of {row.names[1]}")
    if wrong:
        print(f"    seed {row.seed}: {'; '.join(wrong)}", flush=True)


def _wishes() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--strokes", type=int, default=50)
    parser.add_argument("--condition", nargs="+", default=CONDITIONS)
    parser.add_argument("--kind", nargs="+", default=("break", "mid-game"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--gap", type=float, default=0.0)
    parser.add_argument("--verbose", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
