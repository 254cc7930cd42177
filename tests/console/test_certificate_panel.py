"""The certificate on the calibration page: made, on record, viewed and printed."""

import json
from pathlib import Path

import numpy as np
import pytest
from playwright.async_api import Browser, expect

from calibration.profile import Profile, checksum_of, load, save
from controller.certificate import Play, certify
from controller.certificate_file import Certificate, path_for, write
from controller.events import Certified
from controller.simulator.calibrated import mapping_of
from tests.console.browsers import CHROMIUM, PHONE
from tests.console.technicians import CAMERA, SIZE_PX, TABLE, Technician, technician

pytestmark = [
    pytest.mark.browser,
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(
        CHROMIUM is None, reason="chromium is not installed: apt-get install chromium"
    ),
]
FLOOR = np.full((*SIZE_PX[::-1], 3), 90, np.uint8)
HARD = Play(
    name="hard.mp4",
    rate_hz=60.0,
    strokes=1,
    runs=3.8,
    alone=True,
    fastest_mm_s=4200.0,
    surface=None,
)


def calibrated(folder: Path) -> Path:
    path = folder / "calibration.json"
    profile = Profile(
        camera="rendered",
        made_utc="2026-01-01T00:00:00+00:00",
        table=TABLE,
        mapping=mapping_of(CAMERA, TABLE),
        residual_mm=0.0,
    )
    save(profile, path)
    return path


async def certify_as(at: Technician, name: str) -> None:
    await at.page.locator("#certificate-panel summary").click()
    await at.tap(name)
    await at.says("Certified: ")


async def test_a_certificate_is_made_put_on_record_and_printed(
    chromium: Browser, tmp_path: Path
) -> None:
    profile = calibrated(tmp_path)
    async with technician(chromium, tmp_path, FLOOR) as at:
        told = at.page.locator("#certificate-told")
        await expect(told).to_have_text("none")
        await at.page.context.add_init_script("window.print = () => { name = 'paper' }")
        await certify_as(at, "Certify the table")
        async with at.page.expect_popup() as opened:
            await at.tap("View and print")
        sheet = await opened.value
        await expect(sheet.locator("h1")).to_have_text("Table certificate")
        await sheet.wait_for_function("name === 'paper'")
        styled = "getComputedStyle(document.querySelector('h1')).textAlign"
        assert await sheet.evaluate(styled) == "center"
    (event,) = at.told
    assert isinstance(event, Certified)
    assert event.calibration == checksum_of(profile)
    kept = json.loads(path_for(profile).read_text())
    assert event.summary == kept["summary"]


async def test_what_a_recording_told_is_kept_when_certified_again_by_touch(
    chromium: Browser, tmp_path: Path
) -> None:
    path = calibrated(tmp_path)
    items = certify(load(path), HARD)
    write(Certificate.of(items, checksum_of(path), "Asha", "hard.mp4"), path)
    async with technician(chromium, tmp_path, FLOOR, PHONE) as at:
        await certify_as(at, "Certify again")
        wide = await at.page.evaluate("document.documentElement.scrollWidth")
        assert wide == PHONE["width"]
    kept = json.loads(path_for(path).read_text())
    measured = {item["name"]: item["measured"] for item in kept["items"]}
    assert measured["frame rate"] == "60.0 a second"
    assert kept["play"] == "hard.mp4"


async def test_without_a_profile_there_is_nothing_to_certify(
    chromium: Browser, tmp_path: Path
) -> None:
    async with technician(chromium, tmp_path, FLOOR) as at:
        await at.page.locator("#certificate-panel summary").click()
        await expect(at.page.get_by_role("button", name="Certify")).to_be_disabled()
        await expect(at.page.locator("#certificate-says")).to_have_text(
            "Save a profile first."
        )
