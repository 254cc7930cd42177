"""Asks a node for its clock, and knows again which question an answer belongs to."""

from math import inf

from controller.pockets import messages as wire

EVERY_S = 0.25
LONGEST_S = 1.0
"""A question older than this is not answered any more."""


class ClockQueries:
    """The clock questions under way to one node."""

    def __init__(self) -> None:
        self._sent_s: dict[int, float] = {}
        self._token = 0
        self._asked_s = -inf

    def forget(self) -> None:
        """Another start or another port: what was asked there is not answered here."""
        self._sent_s.clear()

    def hurry(self) -> None:
        """Ask at the next opportunity."""
        self._asked_s = -inf

    def due(self, at_s: float) -> wire.ClockQuery | None:
        """The question that is due now, if one is."""
        if at_s - self._asked_s < EVERY_S:
            return None
        self._asked_s = at_s
        self._token = (self._token + 1) % 2**16
        self._sent_s = {t: s for t, s in self._sent_s.items() if at_s - s < LONGEST_S}
        self._sent_s[self._token] = at_s
        return wire.ClockQuery(self._token)

    def answered(self, token: int) -> float | None:
        """When the question with this token was sent; None for one not known."""
        return self._sent_s.pop(token, None)
