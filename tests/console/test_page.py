"""The umpire's page in a real browser: every tap becomes what it says it will."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from playwright.async_api import Browser, Page, expect

from calibration.table import Placement, Seat, StrikerPlace
from controller.console.access import Gate, Keyring
from controller.console.server import Serving, console
from controller.rules.board import Side
from controller.rules.order import Player
from tests.console.browsers import CHROMIUM, DESK, PATIENCE_MS, PHONE
from tests.console.tables import Table, Tables
from tests.observing.match_sheet import ready, stroke

pytestmark = [
    pytest.mark.browser,
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(
        CHROMIUM is None, reason="chromium is not installed: apt-get install chromium"
    ),
]


@dataclass(frozen=True)
class Umpire:
    """A table and the page of its umpire."""

    table: Table
    page: Page

    async def tap(self, name: str) -> None:
        await self.page.get_by_role("button", name=name, exact=True).first.click()

    async def more(self, entry: str) -> None:
        """A ruling from the list, found by keyboard."""
        await self.page.keyboard.press("m")
        await self.page.locator(f"#more [data-entry={entry}]").click()

    async def rule(self) -> None:
        await self.page.locator("#rule").get_by_role("button", name="Rule").click()

    async def says(self, text: str) -> None:
        await expect(self.page.locator("#answer")).to_have_text(text)

    async def foresees(self, text: str) -> None:
        await expect(self.page.locator("dialog[open] .preview")).to_contain_text(text)


@asynccontextmanager
async def umpire(
    chromium: Browser,
    folder: Path,
    rules: str,
    size: dict[str, int] = DESK,
) -> AsyncIterator[Umpire]:
    tables = Tables(folder)
    table = tables.at(rules)
    serving = Serving("127.0.0.1", 0)
    keyring = Keyring.kept_in(folder / "secret")
    gate = Gate.at(keyring, "127.0.0.1", serving.port)
    running = asyncio.create_task(serving.run(console(table.desk, gate)))
    context = await chromium.new_context(viewport=size)  # type: ignore[arg-type]
    page = await context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    expect.set_options(timeout=PATIENCE_MS)
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    try:
        await page.goto(f"http://127.0.0.1:{serving.port}/?token={keyring.token}")
        await expect(page.locator(".player")).to_have_count(2)
        yield Umpire(table, page)
    finally:
        await context.close()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        tables.close()
    assert broken == []


async def test_the_toss_is_one_tap_and_says_who_breaks(
    chromium: Browser, tmp_path: Path
) -> None:
    async with umpire(chromium, tmp_path, "icf") as at:
        await at.tap("North: break")
        await at.says("Recorded.")
        await expect(at.page.locator(".player").first).to_contain_text("North")
        await at.page.locator("#log li").first.wait_for()
    assert at.table.keeper.session.match.names.first == "North"


async def test_a_strokes_line_shows_the_improper_branch_and_takes_it(
    chromium: Browser, tmp_path: Path
) -> None:
    async with umpire(chromium, tmp_path, "icf") as at:
        at.table.stroke("white", at_s=time.monotonic())
        line = at.page.locator("#log li").first
        await expect(line).to_contain_text("white goes on")
        await expect(line).to_contain_text("If improper: ")
        await expect(line).to_contain_text("1 white back to the table")
        await at.tap("Improper?")
        await at.foresees("on turn North (was South)")
        await at.page.locator("#branches .reading").click()
        await at.says("Recorded.")
        await expect(at.page.locator("#log")).to_contain_text("white, improper.")
        await expect(at.page.locator("#log")).to_contain_text("If proper: ")
    assert at.table.keeper.session.match.board.turn is Side.BLACK


async def test_a_ruling_is_found_by_keyboard_and_foretold_before_it_is_given(
    chromium: Browser, tmp_path: Path
) -> None:
    async with umpire(chromium, tmp_path, "icf") as at:
        at.table.stroke("white", at_s=time.monotonic())
        await at.more("conceded")
        await at.page.locator("#rule").get_by_label("North").check()
        await at.foresees("White wins the board, 9 for coins and 3 for the queen")
        await at.page.locator("#rule [name=reason]").fill("gave up")
        await at.page.keyboard.press("Tab")
        await at.rule()
        await at.says("Recorded.")
        await expect(at.page.locator(".score").first).to_have_text("12")
    assert at.table.keeper.session.match.records[-1].winner is Player.FIRST


async def test_a_refused_ruling_says_why_before_and_after(
    chromium: Browser, tmp_path: Path
) -> None:
    why = "not possible: white owes nothing that could be written off"
    async with umpire(chromium, tmp_path, "icf") as at:
        at.table.stroke("white", at_s=time.monotonic())
        await at.page.keyboard.press("m")
        offer = at.page.locator("#more [data-entry=waived]")
        await expect(offer).to_contain_text("Not now: white owes nothing")
        await offer.click()
        await at.page.locator("#rule").get_by_label("South").check()
        await at.foresees(f"Refused: {why}")
        await at.rule()
        await at.says(why)


async def test_the_game_clock_starts_stands_and_goes_on(
    chromium: Browser, tmp_path: Path
) -> None:
    async with umpire(chromium, tmp_path, "tournament") as at:
        note = at.page.locator("#game-note")
        await expect(note).to_have_text("not started")
        await expect(at.page.locator("#game-time")).to_have_text("25:00")
        await at.tap("Start clock")
        await expect(note).to_have_text("left")
        await expect(at.page.locator("#game-time")).to_have_text("24:59")
        await at.tap("Stop time (appeal)")
        await expect(note).to_have_text("time stopped")
        await at.tap("Go on")
        await expect(note).to_have_text("left")
        await at.tap("Set clock")
        await at.page.locator("#set-clock [name=minutes]").fill("24")
        await at.page.locator("#set-clock").get_by_role("button", name="Start").click()
        await expect(at.page.locator("#game-clock")).to_have_class("soon")
    assert at.table.keeper.session.clock.running


async def test_a_board_is_set_by_hand_with_thumbs(
    chromium: Browser, tmp_path: Path
) -> None:
    async with umpire(chromium, tmp_path, "icf", PHONE) as at:
        at.table.stroke("white", at_s=time.monotonic())
        await at.page.get_by_role("button", name="More rulings").click()
        await at.page.locator("#more [data-entry=set-board]").click()
        for _ in range(3):
            await at.page.locator("#rule").get_by_label("one black less").click()
        await at.page.locator("#rule").get_by_label("To be covered by North").check()
        await (
            at.page.locator("#rule [data-field=on_turn]").get_by_label("North").check()
        )
        await at.foresees("coins up 8 white 6 black (was 8 white 9 black)")
        await at.rule()
        await at.says("Recorded.")
        await expect(at.page.locator(".player").nth(1)).to_contain_text(
            "must cover the queen"
        )
    board = at.table.keeper.session.match.board
    assert (board.coins.black, board.queen.awaits(Side.BLACK)) == (6, True)


def misplaced(table: Table) -> None:
    """A first stroke whose striker stood 4 mm wrong: the umpire is asked."""
    place = StrikerPlace(Placement.ILLEGAL, -4.0, "touches-arrow")
    for heard in ready():
        table.keeper.hear(heard)
    made = stroke(1, "9w 9b q s", "w@NE", "8w 9b q s")
    seen = replace(made.seen, placement=place)
    for heard in replace(made, seen=seen).evidence:
        table.keeper.hear(heard)


async def test_a_question_about_placement_shows_what_follows_either_way(
    chromium: Browser, tmp_path: Path
) -> None:
    async with umpire(chromium, tmp_path, "icf") as at:
        misplaced(at.table)
        readings = at.page.locator("#readings .reading")
        await expect(readings).to_have_count(2)
        await expect(readings.nth(0)).to_contain_text("improper")
        await expect(readings.nth(0)).to_contain_text("white owes 1 coin as a penalty")
        await expect(readings.nth(1)).to_contain_text("white goes on")
        await readings.nth(1).click()
        await at.says("Recorded.")
        await expect(at.page.locator("#question")).to_be_hidden()
    assert at.table.keeper.session.match.board.coins.white == 8


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
async def test_nothing_is_wider_than_the_screen_or_too_small_for_a_thumb(
    chromium: Browser, tmp_path: Path, size: dict[str, int]
) -> None:
    async with umpire(chromium, tmp_path, "tournament", size) as at:
        for name in ("north", "south") * 6:
            at.table.stroke(at_s=time.monotonic(), seat=Seat(name))
        await expect(at.page.locator("#log li")).to_have_count(12)
        assert await at.page.evaluate(
            "document.documentElement.scrollWidth <= window.innerWidth"
        )
        await at.page.keyboard.press("m")
        small = await at.page.evaluate(
            "[...document.querySelectorAll('button, summary')]"
            ".filter((b) => b.offsetParent && b.offsetHeight < 35)"
            ".map((b) => b.textContent)"
        )
        assert small == []
        assert await at.page.evaluate(
            "document.querySelector('#more').scrollWidth"
            " <= document.querySelector('#more').clientWidth"
        )
