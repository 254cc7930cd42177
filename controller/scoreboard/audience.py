"""The pages that listen: each gets the newest of every kind, however slow it is."""

import asyncio
import json
from collections.abc import AsyncIterator

from controller.scoreboard.view import Json


class Audience:
    """Everyone who is connected to the event stream of this service."""

    def __init__(self) -> None:
        self._seats: set[Seat] = set()
        self._last: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._seats)

    def tell(self, kind: str, what: Json, *, keep: bool = True) -> None:
        """Send to all; with `keep` a page that comes later gets it at once.

        What is kept and has not changed is not sent again.
        """
        data = json.dumps(what, ensure_ascii=False, separators=(",", ":"))
        if keep:
            if self._last.get(kind) == data:
                return
            self._last[kind] = data
        for seat in self._seats:
            seat.put(kind, data)

    def dismiss(self) -> None:
        """End every stream, so that the server can end."""
        for seat in self._seats:
            seat.close()

    async def listen(self) -> AsyncIterator[str]:
        """Server-sent events for one page, until it leaves."""
        seat = Seat(dict(self._last))
        self._seats.add(seat)
        try:
            while not seat.closed:
                for kind, data in (await seat.take()).items():
                    yield f"event: {kind}\ndata: {data}\n\n"
        finally:
            self._seats.discard(seat)


class Seat:
    """One page's waiting room: one place for each kind of event, newest wins."""

    def __init__(self, waiting: dict[str, str]) -> None:
        self._waiting = waiting
        self.closed = False
        self._news = asyncio.Event()
        self._news.set()

    def put(self, kind: str, data: str) -> None:
        """Replace what waited of this kind."""
        self._waiting[kind] = data
        self._news.set()

    def close(self) -> None:
        """Let the page go."""
        self.closed = True
        self._news.set()

    async def take(self) -> dict[str, str]:
        """Everything that waits; waits itself while there is nothing."""
        await self._news.wait()
        self._news.clear()
        taken, self._waiting = self._waiting, {}
        return taken
