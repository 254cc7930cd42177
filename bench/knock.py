"""A camera knocked aside while a match is played: when is it told, what is scored.

Each evening one board is played while the camera is moved by so many millimetres in
mid-board, at rest or in a stroke as it comes; where that is too far to follow, it is
put back after a while. Printed: how soon it was told, what was measured against what
was done, and the record against the truth.

    python bench/knock.py [--mm 1 3 10] [--seeds 7 8] [--at 30 47.5]

Exit code 1 when something was silently wrong, or told later than 5 s after the knock.
"""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.journal import open_journal
from controller.outcomes import CameraFollowed, Watching
from controller.simulator.unpaced import Evening, Knock, Setting

SOON_S = 5.0
BACK_S = 20.0
"""Too far aside, the camera is put back after this long."""
FOLLOWED_MM = 3.5


def main() -> int:
    """Knock every evening's camera; print a line each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mm", type=float, nargs="+", default=[1.0, 3.0, 10.0])
    parser.add_argument("--seeds", type=int, nargs="+", default=[7])
    parser.add_argument("--at", type=float, nargs="+", default=[30.0, 47.5])
    wishes = parser.parse_args()
    good = [
        _evening(seed, at_s, shift_mm)
        for seed in wishes.seeds
        for at_s in wishes.at
        for shift_mm in wishes.mm
    ]
    return 0 if all(good) else 1


def _evening(seed: int, at_s: float, shift_mm: float) -> bool:
    back_s = at_s + BACK_S if shift_mm > FOLLOWED_MM else float("inf")
    knock = Knock(from_s=at_s, shift_mm=shift_mm, to_s=back_s)
    with TemporaryDirectory(prefix="carrom-knock-") as name:
        folder = Path(name)
        with open_journal(folder / "match.journal", folder / "carrom.key") as journal:
            evening = Evening(Setting(seed=seed, knock=knock), journal)
            for _ in evening.run():
                pass
            right = evening.comparison()
    told = [
        (t.what.at_s, _said(t.what))
        for t in evening.told
        if isinstance(t.what, CameraFollowed | Watching) and t.what.at_s >= at_s
    ]
    after_s = told[0][0] - at_s if told else float("inf")
    print(
        f"seed {seed} at {at_s:g} s by {shift_mm:g} mm: told after {after_s:.1f} s"
        f" ({'; '.join(said for _, said in told)}); strokes {right.strokes_right}/"
        f"{right.strokes}, boards {right.boards_right}/{right.boards}, "
        f"{len(right.questions)} questions, {right.silent_errors} silent errors",
        flush=True,
    )
    for question in right.questions:
        print(f"    {question.at_s:.1f} s {question.text}")
    for mistake in right.mistakes:
        print(f"    {mistake.at_s:.1f} s wrong: {mistake.text}")
    return right.silent_errors == 0 and after_s <= SOON_S


def _said(what: CameraFollowed | Watching) -> str:
    match what:
        case CameraFollowed(shift_mm=shift_mm):
            return f"followed by {shift_mm:.1f} mm"
        case Watching(ok=ok, reason=reason):
            return "watching again" if ok else f"not watching, {reason}"


if __name__ == "__main__":
    sys.exit(main())
