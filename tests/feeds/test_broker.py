"""The embedded broker: ready when it says so, alive when we are, gone when we go."""

import asyncio
import os
import signal
import socket
import sys
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

import aiomqtt
import pytest

from calibration.refusal import Refusal
from controller.feed.broker import EmbeddedBroker, program
from tests.feeds.listening import PATIENCE_S, Reader, until_holds, until_open

HOLDER = """
import asyncio, sys
from pathlib import Path
from controller.feed.broker import EmbeddedBroker, program

async def main():
    async with EmbeddedBroker(store=Path(sys.argv[1]), port=int(sys.argv[2])) as it:
        print(it.pid, it.url.rpartition(":")[2], it.writing_url, flush=True)
        await asyncio.Event().wait()

asyncio.run(main())
"""


def port_of(broker: EmbeddedBroker) -> int:
    return urlsplit(broker.url).port or 0


async def write(url: str, topic: str, payload: str) -> None:
    parts = urlsplit(url)
    client = aiomqtt.Client(
        parts.hostname or "",
        parts.port or 0,
        username=parts.username,
        password=parts.password,
        protocol=aiomqtt.ProtocolVersion.V311,
    )
    async with client:
        await client.publish(topic, payload, qos=1, retain=True)


async def controller(store: Path, port: int) -> asyncio.subprocess.Process:
    """Another process that runs a broker, as the controller does."""
    return await asyncio.create_subprocess_exec(
        sys.executable, "-c", HOLDER, str(store), str(port), stdout=-1
    )


async def hello(process: asyncio.subprocess.Process) -> tuple[int, int, str]:
    assert process.stdout is not None
    line = await asyncio.wait_for(process.stdout.readline(), PATIENCE_S)
    pid, port, url = line.decode().split()
    return int(pid), int(port), url


async def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < deadline
        await asyncio.sleep(0.01)


def alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


async def test_B1_retained_messages_survive_a_kill_of_the_broker(
    broker: EmbeddedBroker, reader: Callable[[int], Reader]
) -> None:
    await write(broker.writing_url, "carrom/v1/table-1/info", '{"kept": 1}')
    assert broker.pid is not None
    os.kill(broker.pid, signal.SIGKILL)
    await until(lambda: broker.restarts == 1)
    late = reader(port_of(broker))
    await asyncio.to_thread(late.until, lambda it: bool(it.on("/info")))
    assert late.on("/info") == [{"kept": 1}]


async def test_B2_whoever_has_no_password_reads_and_cannot_write(
    broker: EmbeddedBroker, reader: Callable[[int], Reader]
) -> None:
    anyone = reader(port_of(broker))
    await write(broker.url, "carrom/v1/table-1/status", '{"status": "forged"}')
    await write(broker.writing_url, "carrom/v1/table-1/status", '{"status": "true"}')
    await asyncio.to_thread(anyone.until, lambda it: bool(it.on("/status")))
    assert anyone.on("/status") == [{"status": "true"}]


async def test_B2_a_wrong_password_is_refused(broker: EmbeddedBroker) -> None:
    wrong = broker.url.replace("mqtt://", "mqtt://controller:guess@")
    with pytest.raises(aiomqtt.MqttError, match=r"code:(5|135|4|134)"):
        await write(wrong, "carrom/v1/table-1/status", "{}")


async def test_a_port_in_use_is_refused_with_a_remedy(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(Refusal, match=f"broker port {port} .* choose another port"):
            async with EmbeddedBroker(store=tmp_path / "broker", port=port):
                pass


async def test_a_store_of_a_running_controller_is_refused(
    broker: EmbeddedBroker, tmp_path: Path
) -> None:
    with pytest.raises(Refusal, match="belongs to a running controller"):
        async with EmbeddedBroker(store=tmp_path / "broker", port=0):
            pass


async def test_a_killed_controller_takes_its_broker_along_and_returns_to_its_port(
    tmp_path: Path,
) -> None:
    first = await controller(tmp_path / "broker", 0)
    pid, port, _ = await hello(first)
    first.kill()
    await first.wait()
    again = await controller(tmp_path / "broker", port)
    new_pid, new_port, _ = await hello(again)
    assert not alive(pid)
    assert new_port == port
    again.kill()
    await again.wait()
    await until(lambda: not alive(new_pid))


async def test_a_broker_that_outlived_its_controller_is_ended_first(
    tmp_path: Path,
) -> None:
    async with EmbeddedBroker(store=tmp_path / "broker", port=0) as broker:
        port = port_of(broker)
    config = tmp_path / "broker" / "broker.conf"
    orphan = await asyncio.create_subprocess_exec(str(program()), "-c", str(config))
    await asyncio.to_thread(until_open, port)
    written = tmp_path / "broker" / "broker.pid"
    await asyncio.to_thread(until_holds, written, str(orphan.pid))
    async with EmbeddedBroker(store=tmp_path / "broker", port=port):
        assert await orphan.wait() == -signal.SIGKILL
