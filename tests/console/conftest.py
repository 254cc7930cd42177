"""Tables for the console's tests."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, async_playwright

from tests.console.browsers import ARGUMENTS, CHROMIUM
from tests.console.tables import Tables


@pytest.fixture
def tables(tmp_path: Path) -> Iterator[Tables]:
    """A maker of tables with their desks, closed at the end."""
    made = Tables(tmp_path)
    yield made
    made.close()


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def chromium() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=CHROMIUM, args=ARGUMENTS
        )
        yield browser
        await browser.close()
