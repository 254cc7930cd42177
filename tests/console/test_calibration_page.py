"""The calibration page in a real browser, from the first picture to a saved profile.

The camera is a rendered one on a lamp rail: a little off centre, tilted, turned, with
a lens that bends. Where its table's corners are is known from the rendering alone.
"""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from playwright.async_api import Browser, expect

from calibration.lens_file import load_lens
from calibration.profile import Profile, load, save
from calibration.refusal import Refusal
from calibration.table import Pocket, Seat
from controller.calibration_work import (
    keep,
)
from controller.events import Looks, PocketReport, Recalibrated
from controller.simulator.board_holder import still_at
from controller.simulator.calibrated import mapping_of
from tests.console.browsers import CHROMIUM, PHONE
from tests.console.technicians import (
    CAMERA,
    SIZE_PX,
    TABLE,
    WORK_MS,
    Technician,
    technician,
    true_corners,
)
from vision.frames import Image
from vision.pictures import write_picture
from vision.sources.rendered import Renderer
from vision.sources.rendering_scene import Scene, ScenePiece

pytestmark = [
    pytest.mark.browser,
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(
        CHROMIUM is None, reason="chromium is not installed: apt-get install chromium"
    ),
]
VIEWS = 8
"""The board at so many places: in every corner of the picture, tipped to each side."""


@pytest.fixture(scope="module")
def pictures() -> dict[str, Image]:
    """What the camera shows of the table: empty, racked, and no table at all."""
    renderer = Renderer(TABLE, CAMERA)
    boards = {
        f"board {step}": renderer.render(
            Scene(0.0, (), board=still_at(CAMERA, step)), step
        )
        for step in range(VIEWS)
    }
    rack = tuple(ScenePiece(piece, at) for piece, at in TABLE.opening_rack())
    return {
        "empty": renderer.empty(),
        "racked": renderer.render(Scene(0.0, rack), 1),
        "floor": np.full((*SIZE_PX[::-1], 3), 90, np.uint8),
        **boards,
    }


async def test_by_mouse_from_the_first_picture_to_a_saved_profile(
    chromium: Browser, tmp_path: Path, pictures: dict[str, Image]
) -> None:
    (tmp_path / "calibration.json").write_text("the old one")
    async with technician(chromium, tmp_path, pictures["empty"]) as at:
        await expect(at.page.locator("#pill")).to_have_text("camera only")
        await expect(at.page.locator("#profile")).to_contain_text("is damaged")
        await at.page.locator("#measures summary").click()
        await at.page.get_by_label("Lens to surface").fill("1200")
        await at.tap("Find the table")
        await at.says("Found")
        verdict = at.page.locator("#trusted")
        await expect(verdict).to_contain_text("placement calls")
        for name, true in true_corners().items():
            assert math.dist(await at.place(name), true) < 1.5, name
        true = true_corners()["top left"]
        await at.page.mouse.move(*await at.on_screen(await at.place("top left")))
        await at.page.mouse.down()
        await at.page.mouse.move(*await at.on_screen((true[0] + 9, true[1] - 7)))
        await at.page.mouse.up()
        await expect(at.page.locator("#magnifier")).to_be_visible()
        await expect(at.page.locator("#verdict")).to_be_hidden()
        assert math.dist(await at.place("top left"), (true[0] + 9, true[1] - 7)) < 2
        await at.tap("Refine from corners")
        await at.says("Fitted from the corners")
        assert math.dist(await at.place("top left"), true) < 1.5
        await at.page.get_by_label("Who calibrates").fill("Mira")
        await at.tap("Save the profile")
        await at.says(
            "Saved calibration.json, trusted for positions and placement calls; the old"
        )
        await expect(at.page.locator("#profile")).to_contain_text("by Mira")
    profile = load(at.profile, size_px=SIZE_PX, camera="rendered")
    off = [
        math.dist(profile.mapping.point_to_px(corner), true)
        for corner, true in zip(TABLE.corners, true_corners().values(), strict=True)
    ]
    assert max(off) < 1.5
    assert profile.empty is not None
    assert profile.empty.exists()
    (former,) = tmp_path.glob("calibration-until-*.json")
    assert former.read_text() == "the old one"
    (event,) = at.told
    assert isinstance(event, Recalibrated)
    assert (event.by, len(event.calibration)) == ("Mira", 64)
    assert at.eyes.renewed == ["calibrated anew: the eyes start again"]


async def test_by_touch_and_keys_corners_set_by_hand_and_south_at_the_right(
    chromium: Browser, tmp_path: Path, pictures: dict[str, Image]
) -> None:
    calibrated_before(tmp_path, pictures["empty"])
    async with technician(chromium, tmp_path, pictures["racked"], PHONE) as at:
        await expect(at.page.locator("#pill")).to_have_text("camera only")
        await at.page.get_by_role("button", name="Set corners by hand").tap()
        left, right = await at.place("top left"), await at.place("top right")
        await swipe(at, left, (right[0] + 150, right[1] + 80))
        await at.says("The corners cross")
        await at.page.get_by_role("button", name="Refine from corners").tap()
        await at.says("The corners cross")
        for name, true in true_corners().items():
            await swipe(at, await at.place(name), true)
        await at.corner("bottom left").focus()
        x, y = await at.place("bottom left")
        await at.page.keyboard.press("Shift+ArrowLeft")
        await at.page.keyboard.press("ArrowUp")
        await at.page.keyboard.press("Control+ArrowRight")
        moved = await at.place("bottom left")
        assert math.dist(moved, (x - 9.9, y - 1)) < 0.01
        await at.page.get_by_role("button", name="one pixel down").tap()
        assert (await at.place("bottom left"))[1] == pytest.approx(y)
        await at.page.get_by_label("Right", exact=True).check()
        await at.page.get_by_role("button", name="Refine from corners").tap()
        await at.says("Fitted from the corners")
        for name, true in true_corners().items():
            assert math.dist(await at.place(name), true) < 2.5, name
        await expect(at.page.locator("#remedies")).to_contain_text("pieces lie on the")
        await at.page.get_by_role("button", name="Save the profile").tap()
        await at.says("Saved calibration.json")
        wide = await at.page.evaluate("document.documentElement.scrollWidth")
        assert wide == PHONE["width"]
    profile = load(at.profile)
    right = profile.mapping.point_to_px(TABLE.base_lines(Seat.SOUTH)[0].start)
    assert right[0] > 600, "South's base line is at the picture's right"
    assert profile.empty == tmp_path / "empty.png", "the picture without pieces stays"
    with pytest.raises(Refusal, match="no earlier picture of it empty"):
        keep(replace(at.kept[-1], path=tmp_path / "another.json"))


def calibrated_before(folder: Path, empty: Image) -> None:
    """A profile of the same camera where it hangs, and its picture without pieces."""
    write_picture(folder / "empty.png", empty)
    profile = Profile(
        camera="rendered",
        made_utc="2026-01-01T00:00:00+00:00",
        table=TABLE,
        mapping=mapping_of(CAMERA, TABLE),
        residual_mm=0.0,
        empty=folder / "empty.png",
    )
    save(profile, folder / "calibration.json")


async def swipe(
    at: Technician, start: tuple[float, float], end: tuple[float, float]
) -> None:
    """One finger drags from one place of the picture to another."""
    session = await at.page.context.new_cdp_session(at.page)
    way = [await at.on_screen(start), await at.on_screen(end)]
    for kind, point in (
        ("touchStart", way[0]),
        ("touchMove", ((way[0][0] + way[1][0]) / 2, (way[0][1] + way[1][1]) / 2)),
        ("touchMove", way[1]),
        ("touchEnd", None),
    ):
        points = [] if point is None else [{"x": point[0], "y": point[1]}]
        await session.send(
            "Input.dispatchTouchEvent", {"type": kind, "touchPoints": points}
        )
    await session.detach()


async def test_what_goes_wrong_is_one_line_with_the_remedy(
    chromium: Browser, tmp_path: Path, pictures: dict[str, Image]
) -> None:
    async with technician(chromium, tmp_path, pictures["floor"]) as at:
        await at.tap("Find the table")
        await at.says("No carrom table found in the picture; show all four corners")
        await at.page.locator("#lens > summary").click()
        await at.page.locator("#folder-panel summary").click()
        await at.page.get_by_label("Folder on the table's computer").fill("/nowhere")
        await at.tap("Find the table")
        await at.says("No folder at /nowhere: name one with 12 to 20 pictures")
        await at.page.locator("#measures summary").click()
        await at.page.get_by_label("Side of the surface").fill("20")
        await at.tap("Find the table")
        await at.says("Side of the surface: 300 to 1200 mm")
        at.eyes.image = None
        await expect(at.page.locator("#blank")).to_contain_text(
            "check the camera's cable"
        )


async def test_coins_prove_which_pocket_is_which(
    chromium: Browser, tmp_path: Path, pictures: dict[str, Image]
) -> None:
    async with technician(chromium, tmp_path, pictures["floor"]) as at:
        await at.page.locator("#pockets-panel summary").click()
        await at.page.get_by_role("button", name="north-east").click()
        await expect(at.page.locator("#pockets")).to_contain_text("drop a coin now")
        at.bench.feel(fell(Pocket.NORTH_EAST))
        await expect(at.page.locator("#pocket-note")).to_have_text(
            "North-east: proved, channel 1"
        )
        await at.page.get_by_role("button", name="south-east").click()
        await expect(at.page.locator("#pockets")).to_contain_text("drop a coin now")
        at.bench.feel(fell(Pocket.NORTH_WEST))
        await expect(at.page.locator("#pocket-note")).to_contain_text(
            "was felt by channel 4, which is set to north-west"
        )
        await expect(at.page.locator("#pockets-told")).to_have_text("1 of 4 proved")


def fell(pocket: Pocket) -> PocketReport:
    return PocketReport(
        device="node",
        boot=1,
        sequence=1,
        pocket=pocket,
        tick_us=0,
        at_s=0.0,
        error_s=0.001,
        width_us=20_000,
        looks=Looks.ONE_COIN,
    )


async def test_a_technician_is_led_past_the_umpires_page(
    chromium: Browser, tmp_path: Path, pictures: dict[str, Image]
) -> None:
    async with technician(chromium, tmp_path, pictures["floor"]) as at:
        origin = at.page.url.removesuffix("/calibration")
        assert origin != at.page.url
        answer = await at.page.goto(origin)
        assert answer is not None
        assert (answer.status, (await answer.json())["reason"]) == (
            403,
            "this address is for the calibration page; the umpire's is another",
        )


async def test_the_lens_is_measured_as_the_board_is_held_up_and_serves_the_fit(
    chromium: Browser, tmp_path: Path, pictures: dict[str, Image]
) -> None:
    async with technician(chromium, tmp_path, pictures["floor"]) as at:
        await begin_capture(at)
        await expect(at.page.locator("#lens-words")).to_contain_text("No board is seen")
        use = at.page.get_by_role("button", name="Use this lens")
        for step in range(VIEWS):
            at.eyes.image = pictures[f"board {step}"]
            await expect(at.page.locator("#views li")).to_have_count(
                step + 1, timeout=WORK_MS
            )
            if step == 2:
                await expect(use).to_be_disabled()
        await expect(at.page.locator("#lens-next")).to_contain_text("Hold the board")
        await at.tap("Use this lens")
        await at.says(f"The lens is measured: {VIEWS} views, residual 0.1")
        kept = load_lens(
            tmp_path / "calibration-lens.json", camera="rendered", size_px=SIZE_PX
        )
        assert kept.fit.usable().lens.focal_px == pytest.approx(
            CAMERA.focal_px, rel=0.003
        )
        await expect(at.page.locator("#lens-kept")).to_contain_text(f"{VIEWS} views")
        at.eyes.image = pictures["empty"]
        await at.tap("Find the table")
        await at.says("Found")
        await expect(at.page.locator("#lens-from")).to_have_text("by ChArUco board")
        await at.tap("Save the profile")
        await at.says("Saved calibration.json")
    profile = load(at.profile, size_px=SIZE_PX, camera="rendered")
    assert profile.certificate is not None
    assert profile.certificate.lens == "charuco"
    assert profile.mapping.lens.focal_px == pytest.approx(CAMERA.focal_px, rel=0.003)


async def test_views_are_taken_and_taken_back_by_touch_and_by_keys(
    chromium: Browser, tmp_path: Path, pictures: dict[str, Image]
) -> None:
    async with technician(chromium, tmp_path, pictures["board 0"], PHONE) as at:
        await begin_capture(at)
        views = at.page.locator("#views li")
        await expect(views).to_have_count(1)
        await at.page.get_by_label("Take sharp, still, new views by itself").uncheck()
        await at.tap("Start over")
        await expect(views).to_have_count(0)
        take = at.page.get_by_role("button", name="Take this view")
        await expect(take).to_be_enabled()
        await take.tap()
        await expect(views).to_have_count(1)
        at.eyes.image = pictures["board 1"]
        await expect(at.page.locator("#lens-words")).to_have_text(
            "Sharp, still and new."
        )
        await take.focus()
        await at.page.keyboard.press("Enter")
        await expect(views).to_have_count(2)
        await at.page.keyboard.press("Tab")
        await at.page.keyboard.press("Enter")
        await expect(views).to_have_count(1)
        await at.page.get_by_role("button", name="Take back view 1").tap()
        await expect(views).to_have_count(0)
        wide = await at.page.evaluate("document.documentElement.scrollWidth")
        assert wide == PHONE["width"]
        await at.page.get_by_role("button", name="Leave").tap()
        await expect(at.page.locator("#capture")).to_be_hidden()
        assert not (tmp_path / "calibration-lens.json").exists()


async def begin_capture(at: Technician) -> None:
    await at.page.locator("#lens > summary").click()
    await at.page.get_by_role("button", name="Measure the lens").click()
    await expect(at.page.locator("#capture")).to_be_visible()
