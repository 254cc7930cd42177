"""One heavy function in a process of its own, so that the loop goes on.

The function and what it takes and gives travel as pickles on private pipes between
two ends of this program. Nothing else may be read this way.
"""

import pickle
import sys
from asyncio.subprocess import PIPE
from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

from calibration.refusal import Refusal
from controller import processes

Takes = ParamSpec("Takes")
Gives = TypeVar("Gives")


async def apart(
    function: Callable[Takes, Gives], *args: Takes.args, **kwargs: Takes.kwargs
) -> Gives:
    """What a module's function gives; raises the Refusal it raises.

    Cancelled, it ends the process. Raises RuntimeError when the process fails.
    """
    child = await processes.start(
        [sys.executable, "-m", "controller.apart"], stdin=PIPE, stdout=PIPE
    )
    try:
        said, _ = await child.communicate(pickle.dumps((function, args, kwargs)))
    finally:
        await processes.stop(child, patience_s=0.5)
    if child.returncode != 0:
        raise RuntimeError(f"{function.__name__} failed apart; its log says why")
    given = pickle.loads(said)
    if isinstance(given, Refusal):
        raise given
    return cast(Gives, given)


def main() -> None:
    """Do what standard input asks for."""
    function, args, kwargs = pickle.load(sys.stdin.buffer)
    try:
        given = function(*args, **kwargs)
    except Refusal as refusal:
        given = refusal
    pickle.dump(given, sys.stdout.buffer)


if __name__ == "__main__":
    main()
