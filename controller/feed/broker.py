"""The embedded message broker (skeleton: see the docstrings)."""

from pathlib import Path
from types import TracebackType
from typing import Self


class EmbeddedBroker:
    """A nats-server with its MQTT 3.1.1 listener, owned by this process.

    `async with EmbeddedBroker(store=..., port=1883) as broker:` starts it, waits
    until it answers MQTT, restarts it if it dies, and stops it at the end. It dies
    with this process, and messages it acknowledged survive a kill.
    """

    def __init__(
        self, *, store: Path, port: int = 1883, host: str = "127.0.0.1"
    ) -> None:
        raise NotImplementedError

    @property
    def url(self) -> str:
        """Where clients on this machine find it: mqtt://127.0.0.1:1883."""
        raise NotImplementedError

    async def __aenter__(self) -> Self:
        """Start; raises Refusal when the port is in use or the broker cannot run."""
        raise NotImplementedError

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        raise NotImplementedError
