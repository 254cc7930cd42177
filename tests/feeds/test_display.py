"""`carrom scoreboard` against real brokers: what its event stream says when."""

import asyncio
import os
import signal
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller.feed.broker import EmbeddedBroker
from controller.feed.models_table import Health, StatusWord
from tests.feeds.carrying import delivery, drained, running
from tests.feeds.display import display, head, refused, view_when
from tests.feeds.listening import free_port
from tests.feeds.messages import board, status, told

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")


def points(view: dict[str, Any]) -> list[int]:
    return [p["score"] for p in view["state"]["players"]] if view["state"] else []


def word(view: dict[str, Any]) -> str:
    return str(view["link"]["word"])


async def test_a_late_display_shows_the_retained_snapshot(
    broker: EmbeddedBroker,
) -> None:
    async with running(delivery(broker.writing_url)) as table:
        table.publish([status(), told(board((14, 9)), rev=7)])
        await drained(table)
        async with display(broker.url) as shown:
            view = await view_when(shown.port, lambda v: points(v) == [14, 9])
            assert view["rev"] == 7


async def test_mosquitto_serves_the_display_as_well(
    mosquitto: Callable[[str], int],
) -> None:
    url = f"mqtt://127.0.0.1:{mosquitto('allow_anonymous true')}"
    async with running(delivery(url)) as table, display(url) as shown:
        table.publish([status(), told(board((2, 1)), rev=1)])
        await view_when(shown.port, lambda v: points(v) == [2, 1])


async def test_a_broker_killed_and_back_is_said_and_forgotten(
    broker: EmbeddedBroker,
) -> None:
    async with running(delivery(broker.writing_url)) as table:
        table.publish([status(), told(board((5, 5)), rev=3)])
        await drained(table)
        async with display(broker.url) as shown:
            await view_when(shown.port, lambda v: points(v) == [5, 5])
            assert broker.pid is not None
            gone = asyncio.create_task(
                view_when(shown.port, lambda v: word(v) == "No broker")
            )
            await asyncio.sleep(0)
            os.kill(broker.pid, signal.SIGKILL)
            assert (await gone)["link"]["grey"]  # type: ignore[index]
            table.publish([told(board((6, 5)), rev=4)])
            await view_when(shown.port, lambda v: points(v) == [6, 5])


async def test_a_display_without_a_broker_says_so_and_waits() -> None:
    port = free_port()
    async with display(f"mqtt://127.0.0.1:{port}") as shown:
        view = await view_when(shown.port, lambda v: word(v) == "No broker")
        assert f"mqtt://127.0.0.1:{port}" in view["link"]["sentence"]  # type: ignore[index]


async def test_a_table_that_closes_is_shown_as_closed(broker: EmbeddedBroker) -> None:
    async with (
        running(delivery(broker.writing_url)) as table,
        display(broker.url) as shown,
    ):
        table.publish([told(Health(watching=True)), told(board(), rev=1)])
        table.publish([status(StatusWord.STOPPING)])
        await view_when(shown.port, lambda v: word(v) == "Closed")


async def test_another_table_s_messages_are_not_shown(broker: EmbeddedBroker) -> None:
    async with running(delivery(broker.writing_url)) as table:
        table.publish([status(), told(board((5, 5)), rev=3)])
        await drained(table)
        async with display(broker.url, table="table-2") as shown:
            view = await view_when(shown.port, lambda v: word(v) == "No news")
            assert view["state"] is None


async def test_pages_run_our_scripts_only_and_no_other_file_is_served(
    broker: EmbeddedBroker,
) -> None:
    async with display(broker.url) as shown:
        for path in ("/", "/overlay", "/static/scoreboard.mjs", "/nothing"):
            headers = await head(shown.port, path)
            assert "script-src 'self';" in headers["content-security-policy"]
            assert "unsafe" not in headers["content-security-policy"]
            assert headers["x-content-type-options"] == "nosniff"
        for path in ("/static/../service.py", "/static/%2e%2e/service.py", "/static/"):
            assert (await head(shown.port, path))["status"] == "404"


async def test_a_port_in_use_is_refused_in_one_line() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        code, said = await refused("--port", port)
    assert code == 2
    assert said.startswith(f"carrom: scoreboard port {port}")
    assert "choose another with --port" in said
    assert said.count("\n") == 1


async def test_a_configuration_says_where_the_display_listens(tmp_path: Path) -> None:
    config = tmp_path / "carrom.toml"
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        config.write_text(f"[scoreboard]\nport = {port}\n")
        code, said = await refused("--config", str(config))
    assert code == 2
    assert said.startswith(f"carrom: scoreboard port {port}")


@pytest.mark.parametrize(
    ("arguments", "remedy"),
    [
        (("--broker", "http://there"), "write mqtt://host:1883"),
        (("--table", "Table #1"), "take 1 to 32 of a-z, 0-9 and hyphen"),
    ],
)
async def test_unusable_arguments_are_refused_in_one_line(
    arguments: tuple[str, ...], remedy: str
) -> None:
    code, said = await refused(*arguments)
    assert code == 2
    assert remedy in said
    assert said.count("\n") == 1
