"""How often the record is wrong: whole boards on the simulated table, by seed.

Each seed is an evening of `carrom demo --headless` in a process of its own: rendered
pictures through the real eyes, pocket pulses through the real link, the record held
against the truth. A silent error is a stroke or board that is wrong on record while
no question was asked about it.

    python bench/seeds.py [--seeds 1-20] [--boards 1] [--jobs 1] [--json]
    python bench/seeds.py --miss 0.02 --ghost 0.01 --merge 0.03 --misplace 0.1
    python bench/seeds.py --noise 4 --exposure 0.002

`--keep DIR` keeps each seed's journal. Exit code 1 when anything was silently wrong.
"""

import argparse
import json
import multiprocessing
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.simulator.compare import Comparison
from controller.simulator.unpaced import Setting, play
from controller.simulator.world import Habits
from vision.sources.rendered import Look


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One seed's evening against the truth."""

    seed: int
    boards: int
    boards_right: int
    strokes: int
    strokes_right: int
    questions: tuple[str, ...]
    mistakes: tuple[str, ...]
    silent_errors: int
    cpu_s: float


def main() -> int:
    """Play every seed, print a row each and the totals."""
    wishes = _wishes()
    rows = []
    for row in _played(wishes):
        rows.append(row)
        print(json.dumps(asdict(row)) if wishes.json else _line(row), flush=True)
    print(json.dumps(_totals(rows)) if wishes.json else _sum(rows))
    return 1 if any(row.silent_errors for row in rows) else 0


def _played(wishes: argparse.Namespace) -> Iterator[Row]:
    """Every seed in a fresh process; rows in the order of the seeds."""
    settings = [_setting(wishes, seed) for seed in wishes.seeds]
    pool = ProcessPoolExecutor(
        wishes.jobs,
        mp_context=multiprocessing.get_context("spawn"),
        max_tasks_per_child=1,
    )
    with pool:
        yield from pool.map(partial(_evening, keep=wishes.keep), settings)


def _evening(setting: Setting, keep: Path | None) -> Row:
    began_s = time.process_time()
    with TemporaryDirectory(prefix="carrom-seeds-") as temporary:
        folder = Path(temporary) if keep is None else keep / str(setting.seed)
        folder.mkdir(parents=True, exist_ok=True)
        comparison = play(setting, folder)
    return _row(setting.seed, comparison, time.process_time() - began_s)


def _row(seed: int, comparison: Comparison, cpu_s: float) -> Row:
    return Row(
        seed=seed,
        boards=comparison.boards,
        boards_right=comparison.boards_right,
        strokes=comparison.strokes,
        strokes_right=comparison.strokes_right,
        questions=tuple(
            f"{q.at_s:.1f} s {q.doubt.value}: {q.text}" for q in comparison.questions
        ),
        mistakes=tuple(
            f"{m.at_s:.1f} s {'asked' if m.asked else 'SILENT'}: {m.text}"
            for m in comparison.mistakes
        ),
        silent_errors=comparison.silent_errors,
        cpu_s=round(cpu_s, 1),
    )


def _totals(rows: list[Row]) -> dict[str, float]:
    return {
        "seeds": len(rows),
        "boards": sum(row.boards for row in rows),
        "boards_right": sum(row.boards_right for row in rows),
        "strokes": sum(row.strokes for row in rows),
        "strokes_right": sum(row.strokes_right for row in rows),
        "questions": sum(len(row.questions) for row in rows),
        "silent_errors": sum(row.silent_errors for row in rows),
        "cpu_s": round(sum(row.cpu_s for row in rows), 1),
    }


def _line(row: Row) -> str:
    sums = (
        f"seed {row.seed:3}  boards {row.boards_right}/{row.boards}  "
        f"strokes {row.strokes_right}/{row.strokes}  "
        f"questions {len(row.questions)}  silent {row.silent_errors}  "
        f"{row.cpu_s:.0f} s"
    )
    return "\n    ".join([sums, *row.questions, *row.mistakes])


def _sum(rows: list[Row]) -> str:
    return "total: " + ", ".join(f"{k} {v}" for k, v in _totals(rows).items())


def _setting(wishes: argparse.Namespace, seed: int) -> Setting:
    habits = Habits(
        miss=wishes.miss,
        ghost=wishes.ghost,
        merge_s=wishes.merge,
        misplace=wishes.misplace,
    )
    look = Look(noise_dn=wishes.noise, exposure_s=wishes.exposure)
    return Setting(seed=seed, boards=wishes.boards, habits=habits, look=look)


def _wishes() -> argparse.Namespace:
    usual, look = Habits(), Look()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=_seeds, default=_seeds("1-20"))
    parser.add_argument("--boards", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--keep", type=Path, default=None)
    parser.add_argument("--miss", type=float, default=usual.miss)
    parser.add_argument("--ghost", type=float, default=usual.ghost)
    parser.add_argument("--merge", type=float, default=usual.merge_s)
    parser.add_argument("--misplace", type=float, default=usual.misplace)
    parser.add_argument("--noise", type=float, default=look.noise_dn)
    parser.add_argument("--exposure", type=float, default=look.exposure_s)
    return parser.parse_args()


def _seeds(text: str) -> list[int]:
    """`1-4,9` are seeds 1, 2, 3, 4 and 9."""
    spans = [part.partition("-") for part in text.split(",")]
    return [
        seed
        for first, _, last in spans
        for seed in range(int(first), int(last or first) + 1)
    ]


if __name__ == "__main__":
    sys.exit(main())
