"""Makes the pictures of README and docs with the product itself: `make pictures`.

Plays a simulated match with its pages and photographs scoreboard and console with
the system's Chromium; then renders one table and draws on it what the census saw.
Which moment of the match is caught depends on the machine.
"""

import asyncio
import logging
import tempfile
from pathlib import Path

import cv2
from playwright.async_api import Browser, async_playwright

from calibration.table import Table
from controller.simulator.calibrated import mapping_of
from controller.simulator.hall import Hall, HallSettings
from controller.simulator.world import World
from vision.detect import Detector
from vision.overlay import draw_census
from vision.sources.rendered import Renderer
from vision.sources.rendering_camera import Camera

HERE = Path(__file__).parent
CHROMIUM = "/usr/bin/chromium"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
]
SEED = 7
MID_GAME = """() => {
    const left = [...document.querySelectorAll(".coins b")].map(b => Number(b.textContent));
    const all = left.reduce((sum, n) => sum + n, 0);
    return left.length === 2 && 0 < all && all <= 12;
}"""
"""The page shows a board of which a third is down."""
PATIENCE_S = 400
TABLE_AT_S = 60.0
PLAYED = """() => document.querySelectorAll("#log .line-buttons").length >= 5"""
"""The record on the page holds some strokes."""
WIDE = (1920, 1080)
DESK = (1280, 800)
PHONE = (390, 844)


async def pages() -> None:
    """Photograph the pages of a running match."""
    with tempfile.TemporaryDirectory(prefix="carrom-pictures-") as folder:
        settings = HallSettings(folder=Path(folder), seed=SEED)
        async with Hall(settings) as hall, async_playwright() as playwright:
            chromium = playwright.chromium
            browser = await chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            where = hall.addresses
            await _picture(browser, where.scoreboard, WIDE, "scoreboard")
            await _picture(browser, where.scoreboard, PHONE, "scoreboard-phone")
            await _picture(browser, where.console, DESK, "console")
            await _picture(browser, where.console, PHONE, "console-phone")
            await browser.close()


async def calibrating() -> None:
    """Photograph the calibration page with a table just found."""
    with tempfile.TemporaryDirectory(prefix="carrom-pictures-") as folder:
        settings = HallSettings(folder=Path(folder), seed=SEED, calibrated=False)
        async with Hall(settings) as hall, async_playwright() as playwright:
            browser = await playwright.chromium.launch(
                executable_path=CHROMIUM, args=FLAGS
            )
            page = await browser.new_page(
                viewport={"width": DESK[0], "height": DESK[1]}
            )
            page.set_default_timeout(PATIENCE_S * 1000)
            await page.goto(hall.addresses.calibration)
            await page.get_by_text("camera only").wait_for()
            await page.locator("#measures summary").click()
            await page.get_by_label("Lens to surface").fill("1200")
            await page.locator("#measures summary").click()
            await page.get_by_role("button", name="Find the table").click()
            await page.locator("#verdict").wait_for()
            await page.wait_for_timeout(500)
            await page.screenshot(path=HERE / "calibration.png")
            print(HERE / "calibration.png")
            await browser.close()


async def lens() -> None:
    """Photograph the calibration page while the lens is measured."""
    with tempfile.TemporaryDirectory(prefix="carrom-pictures-") as folder:
        settings = HallSettings(
            folder=Path(folder), seed=SEED, calibrated=False, board_held=True
        )
        async with Hall(settings) as hall, async_playwright() as playwright:
            browser = await playwright.chromium.launch(
                executable_path=CHROMIUM, args=FLAGS
            )
            page = await browser.new_page(
                viewport={"width": DESK[0], "height": DESK[1]}
            )
            page.set_default_timeout(PATIENCE_S * 1000)
            await page.goto(hall.addresses.calibration)
            await page.get_by_text("camera only").wait_for()
            await page.locator("#lens > summary").click()
            await page.get_by_role("button", name="Measure the lens").click()
            await page.locator("#views li").nth(4).wait_for()
            await page.screenshot(path=HERE / "lens.png")
            print(HERE / "lens.png")
            await browser.close()


async def _picture(
    browser: Browser, address: str, size: tuple[int, int], name: str
) -> None:
    page = await browser.new_page(viewport={"width": size[0], "height": size[1]})
    await page.goto(address, wait_until="domcontentloaded", timeout=PATIENCE_S * 1000)
    until = PLAYED if "token" in address else MID_GAME
    await page.wait_for_function(until, timeout=PATIENCE_S * 1000)
    await page.wait_for_timeout(500)
    await page.screenshot(path=HERE / f"{name}.png", timeout=PATIENCE_S * 1000)
    print(HERE / f"{name}.png")


def overlay() -> None:
    """Render a table in mid-game and draw what the census sees on it."""
    table, camera = Table(), Camera.overhead()
    renderer = Renderer(table, camera, seed=SEED)
    world = World(table, seed=SEED)
    image = renderer.render(world.scene_at(TABLE_AT_S), 0)
    mapping = mapping_of(camera, table)
    detector = Detector(table, mapping, empty=renderer.empty())
    census = detector.census([image], TABLE_AT_S)
    path = HERE / "overlay.jpg"
    cv2.imwrite(str(path), draw_census(image, table, mapping, census))
    print(path)


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING)
    overlay()
    asyncio.run(pages())
    asyncio.run(calibrating())
    asyncio.run(lens())
