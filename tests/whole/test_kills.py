"""kill -9 of the controller at any moment: the match goes on, nothing counted twice
or lost."""

import asyncio
import random
from pathlib import Path

import pytest

from controller.feed.models import Phase
from tests.whole.evenings import (
    evening,
    held_against_truth,
    kill,
    until,
)


@pytest.mark.timeout(240)
async def test_a_killed_controller_resumes_its_match(tmp_path: Path) -> None:
    async with evening(tmp_path, seed=7, boards=1) as hall:
        await until(hall, lambda page: page.state.phase is Phase.STROKE_RUNNING)
        kill(hall.controller)
        await until(hall, lambda page: page.watching and page.strokes >= 2)
        kill(hall.controller)
        await until(hall, lambda page: page.watching and page.strokes >= 5)
    held = held_against_truth(tmp_path)
    assert held.mistakes == ()
    assert held.strokes >= 5


@pytest.mark.slow
@pytest.mark.timeout(1500)
async def test_twenty_kills_at_random_moments_lose_and_double_nothing(
    tmp_path: Path,
) -> None:
    moments = random.Random(20)
    async with evening(tmp_path, seed=11, boards=3) as hall:
        for _ in range(20):
            await asyncio.sleep(moments.uniform(0.0, 15.0))
            kill(hall.controller)
        await until(
            hall,
            lambda page: page.watching and len(page.state.history) == 3,
            within_s=900,
        )
    held = held_against_truth(tmp_path)
    assert held.mistakes == ()
    assert held.boards_right == held.boards == 3
