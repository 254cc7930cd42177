"""The simulated umpire: answers the product's questions as a good umpire would.

It saw the strokes (it alone may read the truth while the match runs), takes a moment
to think, and rules through the console's API like anybody else: the same address,
the same token, the same refusals. It never corrects what it was not asked about, so
a silent error of the product stays visible.
"""

import asyncio
import json
import logging
from collections import deque
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


class Line(BaseModel):
    """A line of the record."""

    seq: int
    entry: int
    text: str


class Shown(BaseModel):
    """What the umpire reads off the console."""

    rev: int
    question: Asked | None
    log: list[Line]


@dataclass(frozen=True, slots=True)
class Due:
    """A ruling to be given; one that adds a stroke goes behind those said before it."""

    ruling: dict[str, object]
    behind: tuple[str, ...] = ()
    """What was said of the strokes of the same answer, the last one first."""


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
        self._todo: deque[Due] = deque()
        self._entries: dict[str, int] = {}
        """Where added strokes stand on record, by what was said of them."""

    async def run(self, stop: asyncio.Event) -> None:
        """Answer questions until stopped; a console that is away is waited for."""
        while not stop.is_set():
            await asyncio.sleep(LOOK_EVERY_S)
            try:
                shown = await asyncio.to_thread(self._carry_on)
                if shown.question is not None:
                    await asyncio.sleep(self._settings.thinks_s)
                    self._decide(shown.question)
            except (OSError, ValueError) as error:
                log.debug("the console does not answer: %s", error)

    def _decide(self, asked: Asked) -> None:
        """Make up the rulings that say what really happened.

        The question is answered with the first stroke of its time; further ones
        are added behind it in the order of play: a stroke may not be possible before
        those that were played before it are on record.
        """
        played = self._strokes(asked.from_s - SLACK_S, asked.to_s + SLACK_S)
        about = asked.number
        if not played:
            self._todo.append(Due({"ruling": "take-back", "entry": about}))
            return
        first, *rest = played
        answer = {"ruling": "state", "question": about, "facts": _facts(first)}
        self._todo.append(Due(answer))
        behind: tuple[str, ...] = ()
        for stroke in rest:
            said = f"stroke {stroke.number} seen"
            added = {"ruling": "insert", "after": about, "facts": _facts(stroke)}
            self._todo.append(Due({**added, "reason": said}, behind))
            behind = (said, *behind)

    def _carry_on(self) -> Shown:
        """Give the rulings that are due, one by one; what the console shows then.

        A ruling whose answer was lost with a controller that died may be on record
        all the same: it is looked for before it is given again.
        """
        shown = self._look()
        while self._todo:
            ruling = self._placed(self._todo[0])
            rev, accepted = shown.rev, False
            if _is_open(ruling, shown):
                answer = self._post({**ruling, "by": NAME, "expected_rev": rev})
                log.info("ruled: %s: %s", ruling, answer.reason or "accepted")
                if answer.stale:
                    shown = self._look()
                    continue
                accepted = answer.accepted
            self._todo.popleft()
            shown = self._look()
            if accepted:
                self._note(ruling, rev, shown)
        return shown

    def _placed(self, due: Due) -> dict[str, object]:
        """A ruling with its place: behind the last stroke of its answer on record."""
        for said in due.behind:
            if said in self._entries:
                return {**due.ruling, "after": self._entries[said]}
        return due.ruling

    def _note(self, ruling: dict[str, object], rev: int, shown: Shown) -> None:
        """Where an added stroke stands: the first line told since."""
        since = [line for line in shown.log if line.seq > rev]
        if ruling["ruling"] == "insert" and since:
            first = min(since, key=lambda line: line.seq)
            self._entries[str(ruling["reason"])] = first.entry

    def _look(self) -> Shown:
        request = Request(f"{self._settings.address}/api/state", headers=self._headers)
        with urlopen(request, timeout=ANSWER_WITHIN_S) as answer:
            return Shown.model_validate_json(answer.read())

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


def _is_open(ruling: dict[str, object], shown: Shown) -> bool:
    """Whether a ruling is still to be given, as far as the console shows."""
    if ruling["ruling"] == "insert":
        said = f": {ruling['reason']};"
        return not any(said in line.text for line in shown.log)
    about = ruling.get("question", ruling.get("entry"))
    return shown.question is not None and shown.question.number == about


def _facts(stroke: TrueStroke) -> dict[str, object]:
    """A true stroke as the console's form has it."""
    fell = [fall.piece for fall in stroke.fell]
    return {
        **{piece.value: fell.count(piece) for piece in Piece},
        "seat": stroke.seat.value,
        "touched": stroke.first_contact is not None,
        "improper": not stroke.proper,
    }
