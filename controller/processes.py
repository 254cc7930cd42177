"""Child processes that never outlive us, and end in good order."""

import asyncio
import ctypes
import os
import signal
import sys
from asyncio.subprocess import Process
from collections.abc import Callable, Sequence

PATIENCE_S = 5.0
"""How long a child may take to end after SIGTERM before it is killed."""
_PR_SET_PDEATHSIG = 1
_PRCTL: Callable[..., int] | None = (
    ctypes.CDLL(None, use_errno=True).prctl if sys.platform == "linux" else None
)


def tied(with_signal: signal.Signals = signal.SIGKILL) -> Callable[[], None]:
    """What a child runs before its program: it gets the signal when we die.

    The kernel sends it when the thread that started the child ends, so children
    are started from the main thread only.
    """
    parent = os.getpid()

    def bind() -> None:
        if _PRCTL is not None:
            _PRCTL(_PR_SET_PDEATHSIG, int(with_signal))
            if os.getppid() != parent:  # we died between fork and this line
                os._exit(1)

    return bind


async def start(
    command: Sequence[str],
    *,
    with_signal: signal.Signals = signal.SIGKILL,
    pass_fds: Sequence[int] = (),
    stdin: int | None = None,
    stdout: int | None = None,
    stderr: int | None = None,
) -> Process:
    """Start a program that gets `with_signal` when we die, in a group of its own.

    Its own group keeps a terminal's Ctrl-C from reaching it: we end it in order.
    """
    return await asyncio.create_subprocess_exec(
        *command,
        preexec_fn=tied(with_signal),
        start_new_session=True,
        pass_fds=pass_fds,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
    )


async def stop(child: Process, patience_s: float = PATIENCE_S) -> int:
    """End a child: SIGTERM, then SIGKILL when it does not listen; its exit code."""
    if child.returncode is None:
        _signal(child, signal.SIGTERM)
        try:
            return await asyncio.wait_for(child.wait(), patience_s)
        except TimeoutError:
            _signal(child, signal.SIGKILL)
    return await child.wait()


def _signal(child: Process, number: signal.Signals) -> None:
    """Send a signal, unless the child has just ended by itself."""
    try:
        child.send_signal(number)
    except ProcessLookupError:
        return
