"""Finds a table's pocket node among the serial ports by asking who is there.

A port's name only makes it a candidate: adapters are alike and change places. What
counts is the id that a node says in its hello. Two nodes with one id are refused, as
is a choice that the configuration does not make.
"""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from controller.pockets.adapters import no_port
from controller.pockets.heard import DeviceRefused, DeviceUp, Heard
from controller.pockets.line import Line
from controller.pockets.link import PocketLink
from controller.pockets.serial_port import (
    PORT_ERRORS,
    candidates,
    explain,
    is_folder,
    open_port,
)

LONGEST_S = 4.5
"""An old boot loader holds a node for up to 2 s, and its hello comes each second."""
SILENT = "{path} says nothing that a pocket node would"


class NotFound(Exception):
    """No port can be taken: the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What is at one port: a node and the open line to it, or why there is none.

    `refused` when a node is there that cannot be used, and what to do; `failed` when
    the port itself does not work.
    """

    path: str
    line: Line | None = None
    up: DeviceUp | None = None
    reason: str = ""
    refused: bool = False
    failed: bool = False


async def find(place: str, device: str, clock: Callable[[], float]) -> Line:
    """The open line to the node of this id, or to the only one there is.

    `place` is a folder of ports, or the one port to ask.

    Raises NotFound. All other ports are closed again.
    """
    paths = candidates(place) if is_folder(place) else (place,)
    if not paths:
        raise NotFound(no_port(place, "plug the pocket node in"))
    answers = await asyncio.gather(*(ask(path, clock) for path in paths))
    chosen = None
    try:
        chosen = choose(answers, device)
    finally:
        for answer in answers:
            if answer.line is not None and answer.line is not chosen:
                answer.line.close()
    return chosen


def choose(answers: Iterable[Answer], device: str) -> Line:
    """The line to take among what the ports answered; raises NotFound."""
    answers = list(answers)
    nodes = {(a.up.device, a.path): a.line for a in answers if a.up and a.line}
    ids = [known for known, _path in nodes]
    wanted = [known for known in nodes if device in ("", known[0])]
    for twice in sorted({known for known in ids if ids.count(known) > 1}):
        if device in ("", twice):
            raise NotFound(same_id(twice, [p for known, p in nodes if known == twice]))
    if len(wanted) > 1:
        here = ", ".join(f"{known} at {path}" for known, path in sorted(nodes))
        raise NotFound(
            f"several pocket nodes answer ({here}): "
            "set device in [pockets] to this table's"
        )
    if wanted:
        return nodes[wanted[0]]
    if nodes:
        raise NotFound(
            f"pocket node {device} is not there, only {', '.join(sorted(ids))}: plug "
            "it in, or correct device in [pockets]"
        )
    reasons = sorted(answers, key=lambda answer: not answer.refused)
    raise NotFound("; ".join(answer.reason for answer in reasons))


def same_id(device: str, paths: Iterable[str]) -> str:
    """Why two nodes cannot both be used."""
    return (
        f"two pocket nodes say they are {device} ({', '.join(paths)}): unplug the one "
        "that is not this table's, or give it an id of its own with "
        "carrom pockets --port PORT --new-id"
    )


async def ask(
    path: str, clock: Callable[[], float], longest_s: float = LONGEST_S
) -> Answer:
    """Open a port and hear who is there; the line stays open to a fitting node."""
    try:
        port = await asyncio.to_thread(open_port, path)
    except PORT_ERRORS as error:
        return Answer(path, reason=explain(path, error), failed=True)
    link, met = PocketLink(), _Met()
    line = Line(path, port, link, met.hear, clock)
    met.line = line
    link.opened()
    failed = False
    try:
        async with asyncio.timeout(longest_s):
            reason = await line.talk()
        failed = not met.refused
    except TimeoutError:
        reason = SILENT.format(path=path)
    finally:
        if met.up is None:
            line.close()
    if met.up is None:
        return Answer(path, reason=reason, refused=met.refused, failed=failed)
    return Answer(path, line=line, up=met.up)


class _Met:
    """Ends a line as soon as it is known who is there."""

    def __init__(self) -> None:
        self.line: Line | None = None
        self.up: DeviceUp | None = None
        self.refused = False

    def hear(self, heard: Heard) -> None:
        assert self.line is not None
        match heard:
            case DeviceUp():
                self.up = heard
                self.line.end("known")
            case DeviceRefused(reason=reason):
                self.refused = True
                self.line.end(reason)
            case _:
                pass
