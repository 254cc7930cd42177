"""How often the table is found in pictures nobody described, and how well.

Per group of pictures: how many tables were found at all, how many with all corners
(or pockets) within 1 % of the side, the median and the worst error; for pictures
without a table, how many were refused. Seconds are of one core.

Every picture's line is printed as it is done, failures marked by a star.

    python bench/find_table.py PHOTOS [--only GROUP ...] [--share K/N] [--misses FOLDER]

PHOTOS holds photographs with hand-made truth (NAME.jpg, NAME.json); `--share 2/3`
takes the second of every three pictures; `--misses` stores the pictures that failed.
Exit code 1 when a plain photograph fails or a picture without a table is taken for one.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path

import cv2
import numpy as np
from no_tables import no_tables
from table_pictures import Case, changed, photographs, rendered

from calibration.find import FoundTable, find_table
from calibration.plane import POCKET_ORDER
from calibration.refusal import Refusal
from vision.compiled import use_one_core
from vision.pictures import write_picture

CLOSE = 0.01


def main() -> int:
    """Run all groups and print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("photos", type=Path)
    parser.add_argument("--only", nargs="*", help="groups whose name begins so")
    parser.add_argument("--share", type=_share, default=(1, 1), metavar="K/N")
    parser.add_argument("--misses", type=Path)
    asked = parser.parse_args()
    use_one_core()
    rows: dict[str, list[tuple[float | None, float]]] = {}
    good = True
    share, shares = asked.share
    wanted = (c for c in _cases(asked.photos) if _is_wanted(c, asked.only))
    for case in islice(wanted, share - 1, None, shares):
        start = time.process_time()
        found = _found(case)
        took = time.process_time() - start
        error = None if found is None else _error(case, found)
        rows.setdefault(case.group, []).append((error, took))
        is_table = case.corners is not None or case.pockets is not None
        failed = is_table is (error is None or error > CLOSE)
        if failed:
            good &= is_table and case.group != "photographs"
            if asked.misses:
                _store(asked.misses, case, found)
        said = "refused" if found is None else f"{error:.4f}, sure {found.sure:.2f}"
        print(f"{' *'[failed]} {case.group}: {case.name}: {said}", flush=True)
    for group, row in rows.items():
        print(_summary(group, row))
    return 0 if good else 1


def _share(text: str) -> tuple[int, int]:
    """The K-th of N shares."""
    share, shares = (int(number) for number in text.split("/"))
    if not 1 <= share <= shares:
        raise ValueError(text)
    return share, shares


def _is_wanted(case: Case, groups: list[str] | None) -> bool:
    return not groups or any(case.group.startswith(group) for group in groups)


def _cases(photos: Path) -> Iterator[Case]:
    plain = list(photographs(photos))
    random = np.random.default_rng(11)
    changes = (one for case in plain for one in changed(case, random))
    return chain(plain, changes, no_tables(photos), rendered())


def _found(case: Case) -> FoundTable | None:
    try:
        return find_table(case.image)
    except Refusal:
        return None


def _error(case: Case, found: FoundTable) -> float:
    """The worst corner's (or pocket's) distance from truth, in sides."""
    truth, seen = case.corners, np.array(found.corners_px)
    if truth is None:
        truth = case.pockets
        places = [found.table.pocket_centres[pocket] for pocket in POCKET_ORDER]
        seen = found.mapping.to_px(np.array(places, np.float64))
    if truth is None:
        return 0.0
    side = np.linalg.norm(truth - np.roll(truth, 1, axis=0), axis=1).mean()
    turns = (np.roll(seen, turn, axis=0) for turn in range(4))
    worst = (np.linalg.norm(turned - truth, axis=1).max() for turned in turns)
    return float(min(worst) / side)


def _summary(group: str, row: list[tuple[float | None, float]]) -> str:
    errors = sorted(error for error, _ in row if error is not None)
    seconds = f"{np.median([took for _, took in row]):.1f} s"
    if group.startswith("no table"):
        refused = len(row) - len(errors)
        return f"{group:32s} refused {refused:3d} of {len(row):3d}{'':39s}{seconds}"
    close = sum(error <= CLOSE for error in errors)
    middle = f"{np.median(errors):.4f}" if errors else "-"
    worst = f"{errors[-1]:.4f}" if errors else "-"
    return (
        f"{group:32s} found {len(errors):3d} of {len(row):3d}  within 1 % {close:3d}"
        f"  median {middle}  worst {worst}  {seconds}"
    )


def _store(folder: Path, case: Case, found: FoundTable | None) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    image = case.image.copy()
    if found is not None:
        outline = np.round(np.array(found.corners_px)).astype(np.int32)
        cv2.polylines(image, [outline], True, (0, 0, 255), 2)
    name = f"{case.group} {case.name}".replace(",", "").replace(" ", "-")
    write_picture(folder / f"{name}.png", image)


if __name__ == "__main__":
    sys.exit(main())
