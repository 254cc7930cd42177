"""`carrom demo --headless`: play boards without pages and report how right it was."""

import json as text
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.progress import Progress

from calibration.refusal import Refusal
from controller.config import Config
from controller.config_match import MatchSettings
from controller.journal import open_journal
from controller.simulator.compare import Comparison
from controller.simulator.unpaced import Evening, Setting

JOURNAL = "match.journal"


@dataclass(frozen=True, slots=True)
class Wanted:
    """How many boards of which match; `speed` 0 does not wait for the time."""

    boards: int
    seed: int
    speed: float
    match: MatchSettings
    folder: Path | None = None
    """Keep the journal here; None: it goes with the report."""


def run(wanted: Wanted, *, json: bool) -> None:
    """Play, compare with the truth, print."""
    setting = Setting(
        seed=wanted.seed, boards=wanted.boards, config=Config(match=wanted.match)
    )
    with _folder(wanted.folder) as folder:
        began_s = time.monotonic()
        comparison, simulated_s = _play(setting, folder, wanted.speed)
        took_s = time.monotonic() - began_s
    if json:
        print(text.dumps(_figures(comparison)))
    else:
        _print(comparison, simulated_s, took_s)


@contextmanager
def _folder(chosen: Path | None) -> Iterator[Path]:
    """The chosen folder, kept; or one that goes. Refusal where a match lies already."""
    if chosen is None:
        with TemporaryDirectory(prefix="carrom-headless-") as made:
            yield Path(made)
        return
    if (chosen / JOURNAL).exists():
        raise Refusal(f"{chosen} holds a match already: choose another folder")
    try:
        chosen.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise Refusal(
            f"folder {chosen} cannot be made ({error.strerror}): choose another"
        ) from None
    yield chosen


def _play(setting: Setting, folder: Path, speed: float) -> tuple[Comparison, float]:
    with (
        open_journal(folder / JOURNAL, folder / "carrom.key") as journal,
        Progress(console=Console(stderr=True), transient=True) as progress,
    ):
        evening = Evening(setting, journal)
        shown = progress.add_task("playing", total=setting.boards)
        began_s = time.monotonic()
        now_s = 0.0
        for now_s in evening.run():
            progress.update(shown, completed=len(evening.world.truth.boards))
            if speed:
                due_s = began_s + now_s / speed
                time.sleep(max(due_s - time.monotonic(), 0.0))
        return evening.comparison(), now_s


def _figures(comparison: Comparison) -> dict[str, int]:
    return {
        "boards": comparison.boards,
        "boards_right": comparison.boards_right,
        "strokes": comparison.strokes,
        "strokes_right": comparison.strokes_right,
        "questions": len(comparison.questions),
        "silent_errors": comparison.silent_errors,
    }


def _print(comparison: Comparison, simulated_s: float, took_s: float) -> None:
    console = Console(highlight=False, markup=False)
    for question in comparison.questions:
        console.print(f"{question.at_s:8.1f} s  asked   {question.text}")
    for mistake in comparison.mistakes:
        how = "asked" if mistake.asked else "SILENT"
        console.print(f"{mistake.at_s:8.1f} s  {how:6}  {mistake.text}")
    console.print(
        f"{comparison.boards_right} of {comparison.boards} boards and "
        f"{comparison.strokes_right} of {comparison.strokes} strokes as they really "
        f"were; {len(comparison.questions)} questions to the umpire, "
        f"{comparison.silent_errors} silent errors"
    )
    console.print(f"{simulated_s:.0f} s of play in {took_s:.0f} s", style="dim")
