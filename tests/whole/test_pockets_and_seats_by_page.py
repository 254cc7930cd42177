"""Pockets and seats of a new table, set on the page of the running product.

The node is a simulated one at a pseudo-terminal; the camera hangs turned, so that
South sits at the picture's right.
"""

import asyncio
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.async_api import Page, async_playwright, expect

from calibration.profile import load
from calibration.table import Pocket
from controller import processes
from controller.console.access import Keyring, Role
from controller.pockets.pty_node import PtyNode
from controller.pockets.simulated import SimulatedNode
from controller.simulator.hall import until_it_listens
from tests.console.browsers import ARGUMENTS, CHROMIUM, DESK
from tests.feeds.listening import free_port
from tests.whole.still_camera import StillCamera

pytestmark = [
    pytest.mark.browser,
    pytest.mark.slow,
    pytest.mark.skipif(
        CHROMIUM is None, reason="chromium is not installed: apt-get install chromium"
    ),
]
WORK_MS = 120_000
CONFIG = """
[camera]
source = "rendered"
device = "{folder}/scenes.sock"
rate_hz = 30.0
[pockets]
source = "simulated"
port = "{node}"
[broker]
port = {broker}
[console]
port = {console}
secret = "{folder}/secret"
[journal]
path = "{folder}/match.journal"
key = "{folder}/carrom.key"
"""


@dataclass(frozen=True, slots=True)
class Club:
    """The running product on a table nobody has calibrated, and its page."""

    page: Page
    node: PtyNode

    async def drop(self, named: Pocket, into: Pocket) -> None:
        """Press a pocket's button, then let a coin fall into a pocket."""
        pockets = self.page.locator("#pockets")
        await pockets.get_by_role("button", name=named.value).click()
        await expect(pockets).to_contain_text("drop a coin now")
        self.node.pulse(into, time.monotonic())
        await expect(pockets).not_to_contain_text("drop a coin now")


@asynccontextmanager
async def club(folder: Path) -> AsyncIterator[Club]:
    camera, console = StillCamera(pieces=()), free_port()
    scenes = await asyncio.start_unix_server(camera.answer, folder / "scenes.sock")
    with PtyNode(SimulatedNode(started_s=time.monotonic())) as node:
        config = folder / "table.toml"
        config.write_text(
            CONFIG.format(
                folder=folder, node=node.path, broker=free_port(), console=console
            )
        )
        with (folder / "log").open("wb") as log:
            product = await processes.start(
                [sys.executable, "-m", "controller", "run", "--config", str(config)],
                stderr=log.fileno(),
            )
        try:
            await until_it_listens(console)
            async with shown(folder, console) as page:
                yield Club(page, node)
        finally:
            await processes.stop(product)
            scenes.close()
            await camera.end()


@asynccontextmanager
async def shown(folder: Path, console: int) -> AsyncIterator[Page]:
    """The calibration page, opened as the technician."""
    token = Keyring.kept_in(folder / "secret").token_of(Role.TECHNICIAN)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=CHROMIUM, args=ARGUMENTS
        )
        page = await browser.new_page(viewport=DESK)  # type: ignore[arg-type]
        page.set_default_timeout(WORK_MS)
        expect.set_options(timeout=WORK_MS)
        await page.goto(f"http://127.0.0.1:{console}/calibration?token={token}")
        yield page
        await browser.close()


@pytest.mark.timeout(400)
async def test_coins_prove_the_pockets_and_the_profile_keeps_them_with_the_seat(
    tmp_path: Path,
) -> None:
    async with club(tmp_path) as at:
        page, told = at.page, at.page.locator("#pockets-told")
        await expect(page.locator("#pill")).to_have_text("camera only")
        await page.get_by_label("Right", exact=True).check()
        await page.get_by_role("button", name="Find the table", exact=True).click()
        await expect(page.locator("#answer")).to_contain_text("Found")
        await page.locator("#pockets-panel summary").click()
        await at.drop(Pocket.NORTH_EAST, into=Pocket.SOUTH_WEST)
        await expect(page.locator("#pocket-note")).to_contain_text("was felt by")
        for pocket in Pocket:
            await at.drop(pocket, into=pocket)
        await expect(told).to_have_text("4 of 4 proved")
        await page.get_by_role("button", name="Save the profile").click()
        await expect(page.locator("#answer")).to_contain_text("Saved")
        await page.reload()
        await expect(page.locator("#profile")).to_contain_text("In use")
        await expect(page.get_by_label("Right", exact=True)).to_be_checked()
        await page.screenshot(path=tmp_path / "saved.png", full_page=True)
    profile = load(tmp_path / "calibration.json")
    assert profile.pockets == {p: n for n, p in enumerate(Pocket, start=1)}
    south_west = profile.mapping.point_to_px(
        profile.table.pocket_centres[Pocket.SOUTH_WEST]
    )
    assert south_west[0] > profile.mapping.size_px[0] / 2, "at the picture's right"
