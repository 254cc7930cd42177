"""kill -9 of the controller at any moment: the match goes on, nothing counted twice
or lost."""

import asyncio
import random
from pathlib import Path

import pytest

from controller.feed.models_match import Phase
from controller.rules.order import Player
from tests.whole.evenings import (
    evening,
    kill,
    on_record,
    record,
    true_match,
    truly_played,
    until,
)


@pytest.mark.timeout(240)
async def test_a_killed_controller_resumes_its_match(tmp_path: Path) -> None:
    async with evening(tmp_path, seed=7, boards=1) as hall:
        await until(hall, lambda page: page.state.phase is Phase.STROKE_RUNNING)
        kill(hall.controller)
        await until(hall, lambda page: page.watching and page.strokes >= 3)
        kill(hall.controller)
        await until(hall, lambda page: page.watching and page.strokes >= 6)
    session, _ = record(tmp_path)
    kept = on_record(session)
    assert kept == truly_played(tmp_path)[: len(kept)]


@pytest.mark.slow
@pytest.mark.timeout(1500)
async def test_twenty_kills_at_random_moments_lose_and_double_nothing(
    tmp_path: Path,
) -> None:
    moments = random.Random(20)
    async with evening(tmp_path, seed=11, boards=2) as hall:
        for number in range(20):
            if number % 2:  # every other one hits the start after the one before
                await until(hall, lambda page: page.watching)
            await asyncio.sleep(moments.uniform(0.5, 15.0))
            kill(hall.controller)
        await until(
            hall,
            lambda page: page.watching and len(page.state.history) == 2,
            within_s=900,
        )
    session, _ = record(tmp_path)
    truth = true_match(tmp_path)
    won = [(board.winner, board.points) for board in truth.boards]
    told = [
        (list(Player).index(board.winner), board.points)
        for board in session.match.records
    ]
    assert on_record(session) == truly_played(tmp_path)
    assert told == won
