"""The pages in a real browser: what a hall reads is what MQTT carries."""

import asyncio
import os
import shutil
import signal
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from urllib.parse import urlsplit
from uuid import uuid4

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, async_playwright, expect

from calibration.table import Piece, Table
from controller.feed.broker import EmbeddedBroker
from controller.feed.delivery import Delivery
from controller.feed.models import Moving, Payload, RawTrack
from controller.feed.models_match import MatchState, PieceShown, Queen
from controller.feed.models_table import Health, Info
from controller.feed.publications import drawing
from controller.feed.scene import Scene
from controller.feed.views import match_state
from controller.rules.board import Side
from controller.rules.counting_match import advance as advance_counting
from controller.rules.counting_match import begin as begin_counting
from controller.rules.notation import read_stroke
from controller.rules.rule_sets import rule_set
from tests.feeds.carrying import delivery, drained, running
from tests.feeds.display import Display, display
from tests.feeds.listening import PATIENCE_S, Reader
from tests.feeds.messages import board, status, told

CHROMIUM = shutil.which("chromium")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(
        CHROMIUM is None, reason="chromium is not installed: apt-get install chromium"
    ),
]
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
WIDE, PHONE = (1920, 1080), (390, 844)
LONG = (
    "Venkatanarasimharajuvaripeta Raghavendra Subrahmanyam",
    "Sivasubramaniam Thirunavukkarasu & Ilavazhaki Maria Irudayam",
)
expect.set_options(timeout=PATIENCE_S * 1000)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def chromium() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=CHROMIUM, args=ARGUMENTS
        )
        yield browser
        await browser.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def broker(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[EmbeddedBroker]:
    store = tmp_path_factory.mktemp("broker")
    async with EmbeddedBroker(store=store, port=0) as running_broker:
        yield running_broker


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shown(broker: EmbeddedBroker) -> AsyncIterator[Display]:
    async with display(broker.url) as service:
        yield service


@dataclass(frozen=True)
class Speaker:
    """A living table of a boot of its own, so that no test sees another's match."""

    delivery: Delivery
    boot: str

    def say(self, payload: Payload, rev: int = 1) -> None:
        self.delivery.publish([told(payload, boot=self.boot, rev=rev)])


@pytest_asyncio.fixture(loop_scope="module")
async def table(broker: EmbeddedBroker) -> AsyncIterator[Speaker]:
    """A table that lives: it says its status, its drawing and its heartbeat."""
    boot = uuid4().hex[:8]
    async with running(delivery(broker.writing_url, boot=boot)) as carrying:
        speaker = Speaker(carrying, boot)
        carrying.publish([status(boot=boot)])
        sizes = drawing(Table())
        speaker.say(Info(software="carrom", version="1", rule_set="icf", drawing=sizes))
        beating = asyncio.create_task(heartbeat(speaker))
        yield speaker
        beating.cancel()
        await asyncio.gather(beating, return_exceptions=True)


async def heartbeat(table: Speaker) -> None:
    while True:
        table.say(Health(watching=True))
        await asyncio.sleep(1.0)


async def page_of(
    browser: Browser, url: str, size: tuple[int, int] = WIDE
) -> tuple[Page, list[str]]:
    """An open page, and the errors it will have had."""
    page = await browser.new_page(viewport={"width": size[0], "height": size[1]})
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("dialog", lambda dialog: faults.append(f"dialog {dialog.message}"))
    await page.goto(url)
    return page, faults


async def scores_on(page: Page) -> list[int]:
    return [int(text) for text in await page.locator(".score").all_inner_texts()]


def with_names(state: MatchState, first: str, second: str) -> MatchState:
    one, two = state.players
    named = (
        one.model_copy(update={"name": first}),
        two.model_copy(update={"name": second}),
    )
    return state.model_copy(update={"players": named})


async def test_the_score_on_the_page_is_the_one_mqtt_carries(
    broker: EmbeddedBroker,
    table: Speaker,
    shown: Display,
    chromium: Browser,
    reader: Callable[..., Reader],
) -> None:
    independent = reader(urlsplit(broker.url).port)
    page, faults = await page_of(chromium, shown.url)
    for rev, points in enumerate([(0, 0), (8, 0), (8, 12), (20, 12)], start=1):
        table.say(board(points), rev=rev)
        await asyncio.to_thread(
            independent.until,
            lambda it, n=rev: any(
                (s["boot"], s["rev"]) == (table.boot, n) for s in it.on("match/state")
            ),
        )
        await expect(page.locator("#player-0 .score")).to_have_text(str(points[0]))
        await expect(page.locator("#player-1 .score")).to_have_text(str(points[1]))
        carried = independent.on("match/state")[-1]["players"]
        assert await scores_on(page) == [p["score"] for p in carried]  # type: ignore[attr-defined]
    assert faults == []


async def test_the_page_shows_turn_coins_dues_queen_and_the_last_decision(
    table: Speaker, shown: Display, chromium: Browser
) -> None:
    state = board(
        (17, 21), queen=Queen.AWAITING_COVER, must_cover=Side.BLACK, turn=Side.BLACK
    )
    owing = state.players[1].model_copy(update={"coins_left": 4})
    table.say(state.model_copy(update={"players": (state.players[0], owing)}))
    page, _ = await page_of(chromium, shown.url)
    await expect(page.locator("#player-1")).to_have_class("player on-turn must-cover")
    await expect(page.locator("#caption-title")).to_have_text(
        "Ilavazhaki Maria Irudayam must cover the queen"
    )
    await expect(page.locator("#player-1 .coins .cross")).to_have_count(4)
    await expect(page.locator("#player-1 .coins .hole")).to_have_count(5)
    await expect(page.locator("#player-0 .coins .white")).not_to_have_count(0)


async def test_a_name_is_text_and_never_markup(
    table: Speaker, shown: Display, chromium: Browser
) -> None:
    evil = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    table.say(with_names(board(), evil, "</h2><svg onload=alert(3)>"))
    for path in ("", "overlay"):
        page, faults = await page_of(chromium, shown.url + path)
        await expect(page.locator("#player-0 h2")).to_have_text(evil)
        assert await page.locator("h2 *, body > img, script:not([src])").count() == 0
        assert faults == []


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["hall", "phone"])
async def test_long_names_fit_their_place(
    table: Speaker, shown: Display, chromium: Browser, size: tuple[int, int]
) -> None:
    table.say(with_names(board((25, 24)), *LONG))
    page, _ = await page_of(chromium, shown.url, size)
    await expect(page.locator("#player-1 h2")).to_have_text(LONG[1])
    overflowing = await page.evaluate(
        """() => [document.documentElement, ...document.querySelectorAll("h2, .score")]
            .filter((it) => it.scrollWidth > it.clientWidth + 1)
            .map((it) => it.className || it.tagName)"""
    )
    outside = await page.evaluate(
        """() => [...document.querySelectorAll(".player *, .foot, .caption")]
            .filter((it) => it.getBoundingClientRect().bottom > innerHeight + 1)
            .map((it) => it.className)"""
    )
    assert (overflowing, outside) == ([], [])


async def test_the_live_picture_follows_moving_pieces_then_shows_what_rests(
    table: Speaker, shown: Display, chromium: Browser
) -> None:
    resting = (PieceShown(piece=Piece.QUEEN, x_mm=100.0, y_mm=50.0),)
    table.say(board(pieces=resting), rev=1)
    page, _ = await page_of(chromium, shown.url)
    queen = page.locator("#picture .lying:has(.crown)")
    await expect(queen).to_have_attribute(
        "style", "transform: translate(100px, -50px);"
    )
    moved = Moving(id=3, piece=Piece.QUEEN, x_mm=-20.0, y_mm=-30.0)
    table.say(RawTrack(at_s=1.0, pieces=(moved,)))
    await expect(queen).to_have_attribute("style", "transform: translate(-20px, 30px);")
    await expect(queen).to_have_attribute(
        "style", "transform: translate(100px, -50px);"
    )


async def test_M8_a_killed_broker_is_loud_and_the_page_recovers_by_itself(
    broker: EmbeddedBroker, table: Speaker, shown: Display, chromium: Browser
) -> None:
    table.say(board((5, 5)), rev=1)
    page, _ = await page_of(chromium, shown.url)
    await expect(page.locator("#link-word")).to_have_text("Live")
    assert broker.pid is not None
    os.kill(broker.pid, signal.SIGSTOP)
    await expect(page.locator("#veil")).to_be_visible()
    await expect(page.locator("body")).to_have_class("grey")
    os.kill(broker.pid, signal.SIGKILL)
    table.say(board((6, 5)), rev=2)
    await expect(page.locator("#player-0 .score")).to_have_text("6")
    await expect(page.locator("#veil")).to_be_hidden()


async def test_K2_a_page_without_its_server_says_so_and_waits_for_it(
    broker: EmbeddedBroker, table: Speaker, shown: Display, chromium: Browser
) -> None:
    table.say(board((5, 5)), rev=1)
    await drained(table.delivery)
    page, _ = await page_of(chromium, shown.url)
    await expect(page.locator("#link-word")).to_have_text("Live")
    shown.process.send_signal(signal.SIGSTOP)
    await expect(page.locator("#veil-word")).to_have_text("No service")
    shown.process.send_signal(signal.SIGCONT)
    await expect(page.locator("#link-word")).to_have_text("Live")


async def test_the_overlay_is_transparent_and_carries_the_score(
    table: Speaker, shown: Display, chromium: Browser
) -> None:
    table.say(board((11, 3)), rev=1)
    page, faults = await page_of(chromium, f"{shown.url}overlay")
    await expect(page.locator("#player-0 .score")).to_have_text("11")
    await expect(page.locator("#player-1 .score")).to_have_text("3")
    background = await page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == "rgba(0, 0, 0, 0)"
    assert faults == []


async def test_three_players_sit_in_the_order_of_play_with_what_they_collected(
    chromium: Browser, shown: Display, table: Speaker
) -> None:
    match = begin_counting(rule_set("family"), ("Asha", "Bimal", "Chitra"))
    for text in ("2w", "s", "b", "-", "q"):
        match, _ = advance_counting(match, read_stroke(text))
    page, broken = await page_of(chromium, shown.url, PHONE)
    table.say(match_state(match, Scene()))
    await expect(page.locator(".player")).to_have_count(3)
    await expect(page.locator("#player-0 .score")).to_have_text("10")
    await expect(page.locator("#player-0 .dues")).to_contain_text("−10 striker")
    await expect(page.locator("#player-1 .held b").last).to_have_text("1")
    await expect(page.locator("#player-2")).to_have_class("player on-turn must-cover")
    await expect(page.locator("#caption-title")).to_have_text(
        "Chitra must cover the queen"
    )
    overlay, broken_too = await page_of(chromium, shown.url + "overlay")
    await expect(overlay.locator("#player-2 .score")).to_have_text("0")
    table.say(board(scores=(4, 0)), rev=2)
    await expect(page.locator(".player")).to_have_count(2)
    assert broken == broken_too == []
