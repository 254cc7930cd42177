"""The display service as users start it: `carrom scoreboard` in its own process."""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from tests.feeds.listening import PATIENCE_S, free_port, until_open

COMMAND = (sys.executable, "-m", "controller", "scoreboard")


@dataclass(frozen=True)
class Display:
    """A running display service."""

    process: Process
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"


@asynccontextmanager
async def display(broker_url: str, table: str = "table-1") -> AsyncIterator[Display]:
    """`carrom scoreboard` until the block ends."""
    port = free_port()
    process = await asyncio.create_subprocess_exec(
        *COMMAND, "--broker", broker_url, "--table", table, "--port", str(port)
    )
    await asyncio.to_thread(until_open, port)
    yield Display(process, port)
    process.terminate()
    assert await asyncio.wait_for(process.wait(), PATIENCE_S) == 0


async def refused(*arguments: str) -> tuple[int | None, str]:
    """Exit code and standard error of `carrom scoreboard` with these arguments."""
    process = await asyncio.create_subprocess_exec(
        *COMMAND, *arguments, stdout=PIPE, stderr=PIPE
    )
    _, said = await asyncio.wait_for(process.communicate(), PATIENCE_S)
    return process.returncode, said.decode()


async def head(port: int, path: str) -> dict[str, str]:
    """Status line and headers of one GET."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: here\r\n\r\n".encode())
    lines = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
    writer.close()
    fields = dict(line.split(": ", 1) for line in lines[1:] if line)
    return {"status": lines[0].split(" ")[1], **fields}


async def view_when(
    port: int, wanted: Callable[[dict[str, object]], bool]
) -> dict[str, object]:
    """The first view of the event stream that is wanted."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /events HTTP/1.1\r\nHost: here\r\n\r\n")
    kind = ""
    try:
        async with asyncio.timeout(PATIENCE_S):
            while True:
                line = (await reader.readline()).decode().strip()
                if line.startswith("event: "):
                    kind = line[7:]
                if line.startswith("data: ") and kind == "view":
                    view = json.loads(line[6:])
                    if wanted(view):
                        return dict(view)
    finally:
        writer.close()
