"""The running demo in a real browser: umpire's page, MQTT and scoreboard agree."""

import shutil
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, async_playwright, expect

from tests.feeds.listening import Reader
from tests.whole.evenings import evening, until

CHROMIUM = shutil.which("chromium")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        CHROMIUM is None, reason="chromium is not installed: apt-get install chromium"
    ),
]
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--no-first-run"]
PATIENCE_MS = 40_000


async def opened(browser: Browser, address: str) -> Page:
    page = await browser.new_page()
    page.set_default_timeout(PATIENCE_MS)
    await page.goto(address, wait_until="domcontentloaded")
    return page


async def set_score(console: Page, first: int, second: int) -> None:
    """As the umpire does it, with the buttons of the page.

    A stroke that is judged meanwhile has the ruling refused: then once more.
    """
    answer = console.locator("#answer")
    while await answer.inner_text() != "Recorded.":
        await console.get_by_role("button", name="Correct score").click()
        await console.locator("#score input[name=points]").first.fill(str(first))
        await console.locator("#score input[name=points]").last.fill(str(second))
        await console.locator("#score").get_by_role("button", name="Set").click()
        await expect(answer).not_to_be_empty()


def scores(state: dict[str, object]) -> list[object]:
    players = state["players"]
    assert isinstance(players, list)
    return [player["score"] for player in players]


@pytest.mark.timeout(240)
async def test_the_pages_show_the_score_that_mqtt_carries_and_strangers_nothing(
    tmp_path: Path,
) -> None:
    expect.set_options(timeout=PATIENCE_MS)
    async with evening(tmp_path, seed=7, boards=1) as hall, async_playwright() as play:
        browser = await play.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        reader = Reader(hall.broker_port)
        console = await opened(browser, hall.addresses.console)
        board = await opened(browser, hall.addresses.scoreboard)
        await expect(console.locator(".player")).to_have_count(2)
        await set_score(console, 12, 9)
        await expect(board.locator("#player-0 .score")).to_have_text("12")
        await expect(board.locator("#player-1 .score")).to_have_text("9")
        reader.until(lambda r: any(scores(s) == [12, 9] for s in r.on("match/state")))
        stranger = await browser.new_context()
        turned_away = await (await stranger.new_page()).goto(
            f"http://127.0.0.1:{hall.console_port}/"
        )
        assert turned_away is not None
        assert turned_away.status == 401
        await expect(console.locator(".player .score").first).to_have_text("12")
        await until(hall, lambda page: page.strokes >= 1)
        reader.close()
        await browser.close()
