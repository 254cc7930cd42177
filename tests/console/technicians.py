"""A technician at a still camera: the calibration page in a real browser, its bench."""

import asyncio
import json
import pickle
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from playwright.async_api import Browser, Locator, Page, expect

from calibration.refusal import Refusal
from calibration.series import Series, series_of
from calibration.table import Table
from controller.app_calibration import CalibrationBench
from controller.calibration_lens import LookAsked, Looked, look
from controller.calibration_work import Keeping, Kept, Result, Wanted, fit, keep
from controller.config import CameraSettings, Config, JournalSettings
from controller.console.access import Gate, Keyring, Role
from controller.console.server import Serving, console
from controller.events import Certified, Recalibrated
from tests.console.browsers import DESK, PATIENCE_MS, PHONE
from tests.console.tables import Tables
from vision.frames import Image
from vision.reports import Plate
from vision.sources.rendering_camera import Camera

SIZE_PX = 960, 540
TABLE, CAMERA = Table(), Camera.overhead(size_px=SIZE_PX)
WORK_MS = 120_000
"""A fit takes three seconds alone and a minute among eight busy programs."""


def jpeg(image: Image) -> bytes:
    return cv2.imencode(".jpg", image)[1].tobytes()


@dataclass
class StillEyes:
    """Eyes that look at one picture."""

    image: Image | None
    watching: bool = False
    renewed: list[str] = field(default_factory=list)
    plates: int = 0

    async def plate(self) -> Plate:
        """The picture again, a while later."""
        assert self.image is not None
        self.plates += 1
        grey = np.asarray(cv2.cvtColor(self.image, cv2.COLOR_BGR2GRAY), np.uint8)
        return Plate(0.3 * self.plates, grey)

    async def picture(self) -> bytes:
        if self.image is None:
            raise Refusal("no picture: check the camera's cable and power")
        return jpeg(self.image)

    async def series(self) -> Series:
        assert self.image is not None
        return series_of([self.image], [0.0])

    def renew(self, why: str) -> None:
        self.renewed.append(why)


@dataclass
class Technician:
    """A table that nobody has calibrated, and the page of who does."""

    folder: Path
    page: Page
    eyes: StillEyes
    bench: CalibrationBench
    told: list[Recalibrated | Certified]
    kept: list[Keeping]

    async def tap(self, name: str) -> None:
        await self.page.get_by_role("button", name=name, exact=True).click()

    async def says(self, text: str) -> None:
        answer = self.page.locator("#answer")
        await expect(answer).to_contain_text(text, timeout=WORK_MS)

    def corner(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=f"Corner {name}")

    async def place(self, name: str) -> tuple[float, float]:
        """Where the page has a corner, in pixels of the picture."""
        label = await self.corner(name).get_attribute("aria-label")
        assert label is not None
        x, y = label.split(": ")[1].removesuffix(" px").split(", ")
        return float(x), float(y)

    async def on_screen(self, at: tuple[float, float]) -> tuple[float, float]:
        """Where a pixel of the picture is on the screen."""
        box = await self.page.locator("#stage").bounding_box()
        assert box is not None
        scale = box["width"] / SIZE_PX[0]
        return box["x"] + at[0] * scale, box["y"] + at[1] * scale

    @property
    def profile(self) -> Path:
        return self.folder / "calibration.json"


def true_corners() -> dict[str, tuple[float, float]]:
    """Where the rendering puts the playing surface's corners: NW, NE, SE, SW."""
    names = "top left", "top right", "bottom right", "bottom left"
    seen = CAMERA.project(np.array([(*corner, 0.0) for corner in TABLE.corners]))
    return {n: (float(x), float(y)) for n, (x, y) in zip(names, seen, strict=True)}


async def fit_here(wanted: Wanted) -> Result:
    result = await asyncio.to_thread(fit, pickle.loads(pickle.dumps(wanted)))
    return Result(shown=json.loads(json.dumps(result.shown)), kept=result.kept)


async def look_here(asked: LookAsked) -> Looked:
    looked = await asyncio.to_thread(look, pickle.loads(pickle.dumps(asked)))
    return Looked(shown=json.loads(json.dumps(looked.shown)), kept=looked.kept)


@asynccontextmanager
async def technician(
    chromium: Browser,
    folder: Path,
    image: Image | None,
    size: dict[str, int] = DESK,
    *,
    role: Role = Role.TECHNICIAN,
) -> AsyncIterator[Technician]:
    tables, told = Tables(folder), list[Recalibrated | Certified]()
    config = Config(
        camera=CameraSettings(width_px=SIZE_PX[0], height_px=SIZE_PX[1]),
        journal=JournalSettings(path=folder / "match.journal"),
    )

    def record(event: Recalibrated | Certified) -> str:
        told.append(event)
        return ""

    async def keep_here(keeping: Keeping) -> Kept:
        kept.append(keeping)
        return await asyncio.to_thread(keep, keeping)

    eyes, kept = StillEyes(image), list[Keeping]()
    bench = CalibrationBench(
        config,
        eyes,
        record,
        do_fit=fit_here,
        do_keep=keep_here,
        do_look=look_here,
    )
    serving = Serving("127.0.0.1", 0)
    keyring = Keyring.kept_in(folder / "secret")
    gate = Gate.at(keyring, "127.0.0.1", serving.port)
    app = console(tables.at("icf").desk, gate, bench)
    running = asyncio.create_task(serving.run(app))
    touch = size is PHONE
    context = await chromium.new_context(
        viewport=size,  # type: ignore[arg-type]
        has_touch=touch,
        is_mobile=touch,
    )
    page = await context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    expect.set_options(timeout=PATIENCE_MS)
    broken: list[str] = []
    page.on("pageerror", lambda error: broken.append(str(error)))
    try:
        token = keyring.token_of(role)
        await page.goto(f"http://127.0.0.1:{serving.port}/calibration?token={token}")
        yield Technician(folder, page, eyes, bench, told, kept)
    finally:
        await context.close()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        tables.close()
    assert broken == []
