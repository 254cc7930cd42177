"""A technician calibrates anew while a match is played: nothing of it goes wrong.

The running product, its page in a real browser, players who do not wait. While the
eyes start again strokes go by unseen; the umpire is asked about them, and the strokes on
record in the end are those that were played.
"""

import sqlite3
from pathlib import Path

import pytest
from playwright.async_api import Page, async_playwright, expect

from calibration.profile import checksum_of
from controller.events import Input, Recalibrated
from controller.journal_rows import recorded, rows
from controller.rules.order import Player
from controller.simulator.hall import JOURNAL, Hall
from tests.console.browsers import ARGUMENTS, CHROMIUM, DESK
from tests.whole.evenings import Page as Shown
from tests.whole.evenings import (
    evening,
    on_record,
    record,
    true_match,
    truly_played,
    until,
)

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(
        CHROMIUM is None, reason="chromium is not installed: apt-get install chromium"
    ),
]
WORK_MS = 200_000
WHY = "calibrated anew: the eyes start again"


def inputs(folder: Path) -> list[Input]:
    """All that the record holds, in order."""
    database = sqlite3.connect(f"file:{folder / JOURNAL}?mode=ro", uri=True)
    heard = [entry.input for entry in recorded(rows(database))]
    database.close()
    return heard


async def calibrate(page: Page, hall: Hall) -> None:
    """As a technician does it: height by tape, find, read the verdict, save."""
    await page.goto(hall.addresses.calibration)
    await expect(page.locator("#pill")).to_have_text("watching")
    await page.locator("#measures summary").click()
    await page.get_by_label("Lens to surface").fill("1200")
    await page.get_by_role("button", name="Find the table", exact=True).click()
    answer = page.locator("#answer")
    await expect(answer).to_contain_text("Found", timeout=WORK_MS)
    await page.get_by_label("Who calibrates").fill("Mira")
    await page.get_by_role("button", name="Save the profile").click()
    await expect(answer).to_contain_text("Saved calibration.json", timeout=WORK_MS)


def all_told(shown: Shown, folder: Path) -> bool:
    """Whether the board is over and the umpire has answered for what was not seen."""
    over = len(shown.state.history) == 1
    return over and shown.strokes == len(truly_played(folder))


@pytest.mark.timeout(900)
async def test_a_match_is_calibrated_anew_while_it_is_played(tmp_path: Path) -> None:
    async with (
        evening(tmp_path, seed=7, boards=1) as hall,
        async_playwright() as playwright,
    ):
        browser = await playwright.chromium.launch(
            executable_path=CHROMIUM, args=ARGUMENTS
        )
        page = await browser.new_page(viewport=DESK)  # type: ignore[arg-type]
        await until(hall, lambda shown: shown.strokes >= 1)
        await calibrate(page, hall)
        paused = await until(hall, lambda shown: not shown.watching)
        assert paused.state.reason == WHY
        await page.screenshot(path=tmp_path / "saved.png")
        await until(hall, lambda shown: shown.watching)
        await until(hall, lambda shown: all_told(shown, tmp_path))
        await browser.close()
    heard = inputs(tmp_path)
    (anew,) = (one for one in heard if isinstance(one, Recalibrated))
    assert (anew.by, anew.calibration) == (
        "Mira",
        checksum_of(tmp_path / "calibration.json"),
    )
    session, _ = record(tmp_path)
    assert on_record(session) == truly_played(tmp_path)
    (true,) = true_match(tmp_path).boards
    (told,) = session.match.records
    assert (told.winner, told.points) == (list(Player)[true.winner], true.points)
