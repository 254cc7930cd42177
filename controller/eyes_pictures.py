"""Pictures asked of the eyes process, and those who wait for them."""

import asyncio
from contextlib import suppress

from calibration.refusal import Refusal
from vision.reports import Report


class Requests:
    """Asks the eyes process on its standard input; all who ask at once share one."""

    def __init__(self) -> None:
        self._to: asyncio.StreamWriter | None = None
        self._waiting: dict[bytes, asyncio.Future[Report]] = {}

    def open(self, to: asyncio.StreamWriter) -> None:
        """A process is there and reads."""
        self._to = to

    def close(self, why: str) -> None:
        """The process has ended: nobody gets an answer from it."""
        self._to = None
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(Refusal(f"no picture: {why}"))
                waiting.exception()  # it may be that nobody waits any more
        self._waiting.clear()

    async def ask(self, request: bytes, patience_s: float, why: str) -> Report:
        """What the eyes answer; raises Refusal, with `why`, when they do not."""
        if self._to is None:
            raise Refusal(f"no picture: {why or 'the eyes are starting'}")
        waiting = self._waiting.get(request)
        if waiting is None:
            waiting = asyncio.get_running_loop().create_future()
            self._waiting[request] = waiting
            with suppress(ConnectionError):
                self._to.write(request)
        try:
            return await asyncio.wait_for(asyncio.shield(waiting), patience_s)
        except TimeoutError:
            why = why or "check the camera's cable and power"
            raise Refusal(f"no picture came within {patience_s:.0f} s: {why}") from None

    def answer(self, request: bytes, report: Report) -> None:
        """Hand out what was asked for."""
        waiting = self._waiting.pop(request, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(report)
