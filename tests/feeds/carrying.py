"""A table's delivery as the controller runs it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from controller.feed.delivery import Delivery
from controller.feed.publications import Publication, last_will
from tests.feeds.listening import PATIENCE_S
from tests.feeds.messages import stamp


class Book:
    """The journal's events, as the session offers them to delivery."""

    def __init__(self, *events: Publication) -> None:
        self.events = list(events)

    def after(self, seq: int) -> list[Publication]:
        return [each for each in self.events if (each.seq or 0) > seq]


def delivery(url: str, book: Book | None = None, boot: str = "boot-1") -> Delivery:
    return Delivery(
        url,
        will=last_will(stamp(boot)),
        events_after=(book or Book()).after,
        client_id=f"controller-table-1-{boot}",
    )


@asynccontextmanager
async def running(it: Delivery) -> AsyncIterator[Delivery]:
    task = asyncio.create_task(it.run())
    yield it
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def drained(it: Delivery) -> None:
    await asyncio.wait_for(it.drained(), PATIENCE_S)
