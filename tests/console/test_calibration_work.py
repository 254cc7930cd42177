"""Heavy work in a process of its own, and what it may say back."""

from pathlib import Path

import pytest

from calibration.refusal import Refusal
from calibration.table import Table
from controller.apart import apart
from controller.calibration_work import lens_in


async def test_work_done_apart_comes_back() -> None:
    assert await apart(Table.club_720) == Table.club_720()


async def test_a_refusal_apart_is_one_here(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="no folder at"):
        await apart(lens_in, tmp_path / "nowhere", "A4")


async def test_what_fails_apart_is_told_not_swallowed() -> None:
    with pytest.raises(RuntimeError, match="mkdir failed apart"):
        await apart(Path.mkdir, Path("/proc/nowhere"))
