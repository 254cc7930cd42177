"""The product on a simulated table in one process, time stepped and not waited for.

What `carrom run` spreads over processes happens here in one loop: the camera's
frames go through the real eyes, the pocket node's bytes through the real link, and
what both say into a real journal and from there to the session. A simulated umpire
answers what the session asks. Two things are spared that would show nothing new:
pictures of a table that has been still for a while, and every other picture while
only hands move.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf
from pathlib import Path

from calibration.table import Table
from controller.config import Config, configured
from controller.events import (
    Elapsed,
    Fallen,
    Input,
    Inserted,
    PocketReport,
    PocketState,
    Ruling,
    Stated,
    StrokeFacts,
    TakenBack,
)
from controller.journal import Journal, open_journal
from controller.outcomes import Asked, Question, Told
from controller.pockets.link import PocketLink
from controller.pockets.simulated import SimulatedNode, exchange
from controller.recording import hear, open_match
from controller.simulator.calibrated import mapping_of
from controller.simulator.compare import Comparison, compare, concerns
from controller.simulator.games import with_game
from controller.simulator.pulses import pass_on
from controller.simulator.truth import TrueStroke
from controller.simulator.world import Habits, World
from vision.detect import Detector
from vision.frames import Frame
from vision.sources.rendered import Look, Renderer
from vision.sources.rendering_camera import Camera
from vision.watch import Watcher

RATE_HZ = 60.0
LOOK_ON_S = 0.9
"""So long a still table is still looked at: the eyes' own patience and more."""
AFTER_S = 3.0
"""The evening goes on for so long after the last board."""
LINK_EVERY_S = 0.1
UMPIRE = "simulated umpire"


@dataclass(frozen=True, slots=True, kw_only=True)
class Knock:
    """Someone knocks the camera aside by so many mm, and perhaps puts it back."""

    from_s: float
    shift_mm: float
    to_s: float = inf


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What is simulated: table, people, camera; what is played, as configured."""

    seed: int = 1
    boards: int = 1
    config: Config = field(default_factory=Config)
    habits: Habits = field(default_factory=Habits)
    look: Look = field(default_factory=Look)
    rate_hz: float = RATE_HZ
    knock: Knock | None = None


class Evening:
    """One match at a simulated table, stepped to its end."""

    def __init__(self, setting: Setting, journal: Journal) -> None:
        config = setting.config
        table = config.table.geometry()
        camera = Camera.overhead()
        self._period_s = 1.0 / setting.rate_hz
        look, seed = setting.look, setting.seed
        self._renderer = Renderer(table, camera, look=look, seed=seed)
        self._knock, self._aside = setting.knock, self._renderer
        if setting.knock is not None:
            moved = camera.shifted(setting.knock.shift_mm)
            self._aside = Renderer(table, moved, look=look, seed=seed)
        self._watcher = _watcher(table, camera, self._renderer)
        self.world = World(
            table,
            seed=setting.seed,
            boards=setting.boards,
            habits=with_game(setting.habits, config.match),
        )
        self._node, self._link = SimulatedNode(), PocketLink()
        self._link.opened()
        self._journal = journal
        self.session = open_match(journal, configured(config, 0.0, "simulated"))
        self.questions: list[Question] = []
        self.told: list[Told] = []
        self._sequence = 0
        self._still_s = 0.0

    def run(self) -> Iterator[float]:
        """Play to the end; gives the simulated time after each frame."""
        now_s = end_s = 0.0
        while now_s < end_s or not self.world.finished:
            now_s = self._next_s(now_s)
            self._carry(now_s)
            self._look(now_s)
            self._umpire(now_s)
            if not self.world.finished:
                end_s = now_s + AFTER_S
            yield now_s

    def comparison(self) -> Comparison:
        """The record as it stands against the truth."""
        return compare(
            self.world.truth,
            self.session.verdicts,
            self.session.match.records,
            self.questions,
        )

    def _next_s(self, now_s: float) -> float:
        """The next exposure that can show anything new."""
        change_s = self.world.next_change_s()
        if change_s <= now_s + self._period_s:
            self._still_s = now_s
        if now_s - self._still_s < LOOK_ON_S or change_s == inf:
            return now_s + self._period_s * (1 if self.world.sliding else 2)
        periods = int((change_s - now_s) / self._period_s)
        return now_s + max(periods, 1) * self._period_s

    def _look(self, now_s: float) -> None:
        renderer = self._aside if self._is_knocked(now_s) else self._renderer
        image = renderer.render(self.world.scene_at(now_s), self._sequence)
        for observation in self._watcher.step(Frame(now_s, self._sequence, image)):
            self._hear(observation)
        self._sequence += 1
        wake_s = self.session.wake_s
        if wake_s is not None and now_s >= wake_s:
            self._hear(Elapsed(now_s))

    def _is_knocked(self, now_s: float) -> bool:
        knock = self._knock
        return knock is not None and knock.from_s <= now_s < knock.to_s

    def _carry(self, to_s: float) -> None:
        """Let the serial line run up to a time, also while nothing is looked at."""
        at_s = self.world.now_s
        while at_s < to_s:
            at_s = min(at_s + LINK_EVERY_S, to_s)
            self.world.advance(at_s)
            pass_on(self.world, self._node)
            for heard in exchange(self._node, self._link, at_s):
                if isinstance(heard, PocketReport | PocketState):
                    self._hear(heard)
                if isinstance(heard, PocketReport):
                    self._link.acknowledge(heard)

    def _umpire(self, now_s: float) -> None:
        """Answer the open question from the truth, as a good umpire would."""
        question = self.session.question
        if question is None:
            return
        strokes = [s for s in self.world.truth.strokes if concerns(question, s)]
        for ruling in _answer(question, strokes, now_s):
            self._hear(ruling)

    def _hear(self, heard: Input) -> None:
        now = hear(self._journal, self.session, heard)
        self.session = now.session
        self.told += now.told
        self.questions += [
            t.what.question for t in now.told if isinstance(t.what, Asked)
        ]


def play(setting: Setting, folder: Path) -> Comparison:
    """Play a match in a folder that will hold its journal; how right it was told."""
    with open_journal(folder / "match.journal", folder / "carrom.key") as journal:
        evening = Evening(setting, journal)
        for _ in evening.run():
            pass
        return evening.comparison()


def _watcher(table: Table, camera: Camera, renderer: Renderer) -> Watcher:
    mapping = mapping_of(camera, table)
    detector = Detector(table, mapping, empty=renderer.empty())
    return Watcher(table, mapping, detector, gap_s=inf, frozen_s=inf)


def _answer(
    question: Question, strokes: list[TrueStroke], now_s: float
) -> Iterator[Ruling]:
    """What really happened in the time a question is about."""
    if not strokes:
        yield TakenBack(now_s, UMPIRE, question.number, "there was no stroke")
        return
    first, *rest = strokes
    yield Stated(now_s, UMPIRE, question.number, _facts(first))
    for stroke in rest:
        yield Inserted(now_s, UMPIRE, None, _facts(stroke), "seen by the umpire")


def _facts(stroke: TrueStroke) -> StrokeFacts:
    fell = (Fallen(fall.piece, fall.pocket, fall.at_s, 1.0) for fall in stroke.fell)
    return StrokeFacts(
        from_s=stroke.from_s,
        to_s=stroke.to_s,
        fell=tuple(fell),
        touched=stroke.first_contact is not None,
        seat=stroke.seat,
        improper=not stroke.proper,
    )
