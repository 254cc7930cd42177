"""Heavy work in a process of its own, and what it may say back."""

from pathlib import Path

import numpy as np
import pytest

from calibration.refusal import Refusal
from calibration.table import Table
from controller.apart import apart
from controller.app_calibration import CalibrationBench
from controller.calibration_work import Keeping, Kept, Result, Wanted, lens_in
from controller.config import Config, JournalSettings
from controller.console.calibration import FitAsked, SaveAsked
from tests.console.technicians import StillEyes


async def test_work_done_apart_comes_back() -> None:
    assert await apart(Table.club_720) == Table.club_720()


async def test_a_refusal_apart_is_one_here(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="no folder at"):
        await apart(lens_in, tmp_path / "nowhere", "A4")


async def test_what_fails_apart_is_told_not_swallowed() -> None:
    with pytest.raises(RuntimeError, match="mkdir failed apart"):
        await apart(Path.mkdir, Path("/proc/nowhere"))


async def test_a_page_never_saves_another_pages_fit(tmp_path: Path) -> None:
    saved = list[bytes]()

    async def do_fit(wanted: Wanted) -> Result:
        shown = {"verdict": "positions", "pieces": 0}
        return Result(shown=shown, kept=wanted.south.encode())

    async def do_keep(keeping: Keeping) -> Kept:
        saved.append(keeping.kept)
        return Kept(checksum="c", former=None, trusted="positions")

    bench = CalibrationBench(
        Config(journal=JournalSettings(path=tmp_path / "match.journal")),
        StillEyes(np.zeros((90, 160, 3), np.uint8)),
        lambda _: "",
        do_fit=do_fit,
        do_keep=do_keep,
    )
    one, two = [await bench.fit(FitAsked(south=side)) for side in ("bottom", "left")]
    assert isinstance(one, dict)
    assert isinstance(two, dict)
    with pytest.raises(Refusal, match="another page has fitted the table since"):
        await bench.save(SaveAsked(number=one["number"]))
    await bench.save(SaveAsked(number=two["number"]))
    assert saved == [b"left"]
