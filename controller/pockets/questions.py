"""Commands to a pocket node, each sent again until it is answered."""

from collections import deque
from collections.abc import Iterator
from math import inf
from struct import pack

from controller.pockets import messages as wire
from controller.pockets.heard import Command
from controller.pockets.siphash import siphash

AGAIN_S = 0.1
TRIES = 50
"""Five seconds: with one byte in twenty damaged a long answer comes through once in
ten."""


class Questions:
    """Commands wait for one another: the node answers one at a time."""

    def __init__(self) -> None:
        self._waiting: deque[Command] = deque()
        self._asked_s = -inf
        self._tries = 0

    @property
    def waiting(self) -> int:
        """How many answers are awaited."""
        return len(self._waiting)

    def ask(self, command: Command) -> None:
        """Have a command sent."""
        self._waiting.append(command)

    def due(self, at_s: float) -> Iterator[Command]:
        """What is to be sent now."""
        if self._waiting and at_s - self._asked_s >= AGAIN_S and self._tries < TRIES:
            self._asked_s = at_s
            self._tries += 1
            yield self._waiting[0]

    def take(self, message: wire.Message) -> None:
        """The node said something: it may be the answer."""
        if self._waiting and answers(message, self._waiting[0]):
            self._next()

    def given_up(self, at_s: float) -> Iterator[Command]:
        """The command that was asked in vain, if one was."""
        if self._tries >= TRIES and at_s - self._asked_s >= AGAIN_S:
            yield self._next()

    def _next(self) -> Command:
        self._asked_s, self._tries = -inf, 0
        return self._waiting.popleft()


def answers(message: wire.Message, command: Command) -> bool:
    """Whether a message is the answer to a command.

    A change is answered only by itself: the answer to an earlier question may come
    late.
    """
    match command, message:
        case wire.SettingsQuery(), wire.SettingsNow():
            return message.pocket == command.pocket
        case wire.SettingsChange(), wire.SettingsNow():
            return message.pack()[1:] == command.pack()[1:]
        case wire.ValuesQuery(), wire.ValuesNow():
            return message.pocket == command.pocket
        case wire.SelfTest(), wire.SelfTestDone():
            return message.pocket == command.pocket
        case wire.Identity(), wire.Hello():
            named = (message.device, message.label)
            return named == (command.device, command.label)
        case wire.KeyChange(), wire.KeyDone():
            key = pack("<QQ", command.key_low, command.key_high)
            refused = message.result is wire.KeyResult.REFUSED
            return refused or message.check == siphash(key, b"")
        case _:
            return False
