"""The simulated umpire: answers the product's questions as a good umpire would.

It saw the strokes (it alone may read the truth while the match runs), takes a moment
to think, and rules through the console's API like anybody else: the same address,
the same token, the same refusals. It never corrects what it was not asked about, so
a silent error of the product stays visible.
"""

import asyncio
import json
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from pydantic import BaseModel

from calibration.table import Piece
from controller.simulator.truth import TrueStroke

log = logging.getLogger(__name__)

LOOK_EVERY_S = 0.3
ANSWER_WITHIN_S = 3.0
ATTEMPTS = 5
SLACK_S = 0.1
"""By so much the product may be off about when something happened."""
NAME = "simulated umpire"


@dataclass(frozen=True, slots=True, kw_only=True)
class UmpireSettings:
    """Where the console is, what opens it, and how long an answer takes."""

    address: str
    token: str
    thinks_s: float = 1.0


class Asked(BaseModel):
    """What the console says of an open question."""

    number: int
    from_s: float
    to_s: float


class Shown(BaseModel):
    """What the umpire reads off the console."""

    rev: int
    question: Asked | None


class Answer(BaseModel):
    """What the console says to a ruling."""

    accepted: bool
    reason: str
    stale: bool = False


class SimulatedUmpire:
    """Looks at the console and answers what is asked there from the truth."""

    def __init__(
        self,
        settings: UmpireSettings,
        strokes: Callable[[float, float], Sequence[TrueStroke]],
    ) -> None:
        """`strokes` gives the true ones between two times of the host."""
        self._settings = settings
        self._strokes = strokes

    async def run(self, stop: asyncio.Event) -> None:
        """Answer questions until stopped; a console that is away is waited for."""
        while not stop.is_set():
            await asyncio.sleep(LOOK_EVERY_S)
            try:
                shown = await asyncio.to_thread(self._look)
                if shown.question is None:
                    continue
                await asyncio.sleep(self._settings.thinks_s)
                await asyncio.to_thread(self._answer, shown.question)
            except (OSError, ValueError) as error:
                log.debug("the console does not answer: %s", error)

    def _answer(self, asked: Asked) -> None:
        """Say what really happened, unless the question has gone meanwhile.

        The question is answered with the first stroke of its time; further ones
        are added behind it, the last one first so that they end up in order.
        """
        if self._look().question != asked:
            return
        played = self._strokes(asked.from_s - SLACK_S, asked.to_s + SLACK_S)
        if not played:
            self._send({"ruling": "take-back", "entry": asked.number})
            return
        first, *rest = played
        answer = {"ruling": "state", "question": asked.number}
        if not self._send({**answer, "facts": _facts(first)}):
            return
        for stroke in reversed(rest):
            added = {"ruling": "insert", "after": asked.number}
            self._send({**added, "facts": _facts(stroke)})

    def _look(self) -> Shown:
        request = Request(f"{self._settings.address}/api/state", headers=self._headers)
        with urlopen(request, timeout=ANSWER_WITHIN_S) as answer:
            return Shown.model_validate_json(answer.read())

    def _send(self, ruling: dict[str, object]) -> bool:
        """Rule; again at once when a live fall has moved the record on meanwhile."""
        for _ in range(ATTEMPTS):
            rev = self._look().rev
            answer = self._post({**ruling, "by": NAME, "expected_rev": rev})
            if not answer.stale:
                break
        log.info("ruled: %s: %s", ruling, answer.reason or "accepted")
        return answer.accepted

    def _post(self, ruling: dict[str, object]) -> Answer:
        request = Request(
            f"{self._settings.address}/api/rulings",
            data=json.dumps(ruling).encode(),
            headers={**self._headers, "content-type": "application/json"},
        )
        try:
            with urlopen(request, timeout=ANSWER_WITHIN_S) as answer:
                return Answer.model_validate_json(answer.read())
        except HTTPError as refused:
            return Answer.model_validate_json(refused.read())

    @property
    def _headers(self) -> dict[str, str]:
        return {"authorization": f"Bearer {self._settings.token}"}


def _facts(stroke: TrueStroke) -> dict[str, object]:
    """A true stroke as the console's form has it."""
    fell = [fall.piece for fall in stroke.fell]
    return {
        **{piece.value: fell.count(piece) for piece in Piece},
        "seat": stroke.seat.value,
        "touched": stroke.first_contact is not None,
        "improper": not stroke.proper,
    }
