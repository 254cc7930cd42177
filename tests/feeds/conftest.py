"""Real brokers and independent readers for the tests of the feed."""

import shutil
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest

from controller.feed.broker import EmbeddedBroker
from tests.feeds.listening import Reader, free_port, until_open


@pytest.fixture
async def broker(tmp_path: Path) -> AsyncIterator[EmbeddedBroker]:
    async with EmbeddedBroker(store=tmp_path / "broker", port=0) as running:
        yield running


@pytest.fixture
def reader() -> Iterator[Callable[..., Reader]]:
    made: list[Reader] = []

    def make(port: int, name: str = "") -> Reader:
        made.append(Reader(port, name=name))
        return made[-1]

    yield make
    for each in made:
        each.close()


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Callable[[str], int]]:
    """Start mosquitto with these further lines of configuration; gives its port."""
    if not shutil.which("mosquitto", path="/usr/sbin:/usr/bin"):
        pytest.skip("mosquitto is not installed: apt-get install mosquitto")
    started: list[subprocess.Popen[bytes]] = []

    def start(extra: str) -> int:
        port = free_port()
        config = tmp_path / "mosquitto.conf"
        config.write_text(f"listener {port} 127.0.0.1\nuser root\n{extra}\n")
        started.append(
            subprocess.Popen(
                ["/usr/sbin/mosquitto", "-c", str(config)], stderr=subprocess.DEVNULL
            )
        )
        until_open(port)
        return port

    yield start
    for process in started:
        process.kill()
        process.wait()
