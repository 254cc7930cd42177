"""Heavy functions in a process of their own, so that the loop goes on.

The function and what it takes and gives travel as pickles on private pipes between
two ends of this program, each answer after its length. Nothing else may be read this
way. `apart` starts a process for one piece of work; a `Companion` stays for many
short ones, for which starting would cost more than the work.
"""

import asyncio
import pickle
import select
import struct
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable
from contextlib import suppress
from typing import ParamSpec, TypeVar, cast

from calibration.refusal import Refusal
from controller import processes

Takes = ParamSpec("Takes")
Gives = TypeVar("Gives")

IDLE_S = 60.0
"""A companion that nobody needs for so long ends by itself."""
_LENGTH = struct.Struct(">I")


async def apart(
    function: Callable[Takes, Gives], *args: Takes.args, **kwargs: Takes.kwargs
) -> Gives:
    """What a module's function gives; raises the Refusal it raises.

    Cancelled, it ends the process. Raises RuntimeError when the process fails.
    """
    companion = Companion()
    try:
        return await companion.do(function, *args, **kwargs)
    finally:
        await companion.end()


class Companion:
    """A process that does one piece of work after another; started when needed."""

    def __init__(self) -> None:
        self._process: Process | None = None
        self._turn = asyncio.Lock()

    async def do(
        self,
        function: Callable[Takes, Gives],
        *args: Takes.args,
        **kwargs: Takes.kwargs,
    ) -> Gives:
        """As `apart`; work that comes meanwhile waits for its turn."""
        async with self._turn:
            try:
                said = await self._say(pickle.dumps((function, args, kwargs)))
            except BaseException:
                await self.end()  # an answer to come would be taken for the next one's
                raise
        if said is None:
            await self.end()
            raise RuntimeError(f"{function.__name__} failed apart; its log says why")
        given = pickle.loads(said)
        if isinstance(given, Refusal):
            raise given
        return cast(Gives, given)

    async def end(self) -> None:
        """End the process, if there is one; the next work starts another."""
        process, self._process = self._process, None
        if process is not None:
            await processes.stop(process, patience_s=0.5)

    async def _say(self, asked: bytes) -> bytes | None:
        """The answer's bytes; None when the process fails."""
        process = self._process
        if process is None or process.returncode is not None:
            process = self._process = await processes.start(
                [sys.executable, "-m", "controller.apart"], stdin=PIPE, stdout=PIPE
            )
        assert process.stdin is not None
        assert process.stdout is not None
        with suppress(ConnectionError):
            process.stdin.write(asked)
            await process.stdin.drain()
        try:
            head = await process.stdout.readexactly(_LENGTH.size)
            return await process.stdout.readexactly(_LENGTH.unpack(head)[0])
        except asyncio.IncompleteReadError:
            return None


def main() -> None:
    """Do what standard input asks for, until nobody asks any more."""
    while select.select([sys.stdin.buffer], [], [], IDLE_S)[0]:
        try:
            function, args, kwargs = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            given = function(*args, **kwargs)
        except Refusal as refusal:
            given = refusal
        body = pickle.dumps(given)
        sys.stdout.buffer.write(_LENGTH.pack(len(body)) + body)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
