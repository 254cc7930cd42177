"""What was last told of each pocket, so that only news is told."""

from collections.abc import Iterator, Sequence

from calibration.table import Pocket
from controller.events import PocketHealth, PocketState
from controller.pockets import messages as wire

REASONS = {
    PocketHealth.CLEAR: "the beam is whole",
    PocketHealth.BLOCKED: "something lies in the beam",
    PocketHealth.BLINDED: "foreign light blinds the sensor",
    PocketHealth.DEAD: "the receiver does not follow the emitter",
}


class PocketStates:
    """The health of a node's pockets as the record has it."""

    def __init__(self, pockets: Sequence[Pocket]) -> None:
        self._pockets = tuple(pockets)
        self._health: dict[Pocket, PocketHealth] = {}
        self._why_lost = ""

    @property
    def told(self) -> bool:
        """Whether anything was said about the pockets yet."""
        return bool(self._health)

    def lost(self, at_s: float, reason: str) -> Iterator[PocketState]:
        """All are LOST; told again when the reason is another: it holds the remedy."""
        told, self._why_lost = self._why_lost, reason
        for pocket in self._pockets:
            if self._health.get(pocket) is not PocketHealth.LOST or reason != told:
                self._health[pocket] = PocketHealth.LOST
                yield PocketState(at_s, pocket, PocketHealth.LOST, reason)

    def beat(
        self, at_s: float, watched: Sequence[Pocket], beat: wire.Heartbeat
    ) -> Iterator[PocketState]:
        """What a heartbeat says of the pockets this node watches."""
        codes = (beat.health_0, beat.health_1, beat.health_2, beat.health_3)
        for pocket, code in zip(watched, codes, strict=False):
            health = PocketHealth[code.name]
            if self._health.get(pocket) is not health:
                self._health[pocket] = health
                yield PocketState(at_s, pocket, health, REASONS[health])
