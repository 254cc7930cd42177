"""Carries publications to an MQTT broker (skeleton: see the docstrings)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from controller.feed.publications import Publication

EventsAfter = Callable[[int], Sequence[Publication]]
"""The journal's cursor: the next events with `seq` greater than the one given, in
order. It may give only the first of them; an empty answer means there are none."""


@dataclass(frozen=True, slots=True)
class DeliveryHealth:
    """What delivery knows of itself; only acknowledgements count as being heard."""

    acknowledged_at_s: float | None
    acknowledged: int
    last_seq: int
    lost_connections: int
    trouble: str


class Delivery:
    """Keeps one table's topics up to date at one broker.

    `cursor` is the seq of the last event that is known to have been delivered.
    """

    def __init__(
        self,
        broker_url: str,
        *,
        will: Publication,
        events_after: EventsAfter,
        client_id: str,
        cursor: int = 0,
    ) -> None:
        raise NotImplementedError

    def publish(self, publications: Iterable[Publication]) -> None:
        """Take what is to be told; returns at once. Call it in the event loop.

        A retained topic replaces what waited for it; a numbered event only says
        that `events_after` has news; anything else goes out once or not at all.
        """
        raise NotImplementedError

    async def run(self) -> None:
        """Deliver until cancelled: connect, republish what is retained, carry on."""
        raise NotImplementedError

    async def drained(self) -> None:
        """Return once everything handed over has been acknowledged."""
        raise NotImplementedError

    @property
    def health(self) -> DeliveryHealth:
        """How delivery stands now."""
        raise NotImplementedError
