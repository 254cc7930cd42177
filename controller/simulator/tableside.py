"""Who sits at the simulated table, and what a stroke is there whatever is played."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from random import Random

from calibration.table import Piece, Seat, Table
from controller.simulator.anatomy import SKINS, SLEEVES
from controller.simulator.beams import Beams
from controller.simulator.counting_referee import Points
from controller.simulator.hands import Person, Reach
from controller.simulator.handwork import Handwork, misplaced
from controller.simulator.motion import Motion
from controller.simulator.phases import Hands, Pause, Phase, Slide
from controller.simulator.players import Lying, Player, Plight, Shot
from controller.simulator.stage import STRIKER_KEY, Stage
from controller.simulator.truth import Truth

LOOK_S = 0.6
"""After a hand has left, everybody looks at the table for so long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """How the simulated people and sensors behave.

    `skill` (0 to 1) per player; `pace` 1.0 is brisk club play, 2.0 twice as fast
    (hands only: pieces slide as they must). `misplace` is the chance that a player
    puts the striker clearly off his base lines: an improper stroke. The sensor
    rates are chances per piece: `miss` no pulse, `ghost` a further pulse soon
    after, and pulses of one pocket nearer than `merge_s` become one long one.
    `points`: a game of points each for himself, one skill for each of its seats;
    None: two sides by the ICF laws.
    """

    skill: tuple[float, ...] = (0.8, 0.8)
    pace: float = 1.0
    misplace: float = 0.0
    miss: float = 0.0
    ghost: float = 0.0
    merge_s: float = 0.0
    first_breaker: int = 0
    points: Points | None = None


@dataclass(slots=True, kw_only=True)
class Hall:
    """Everything the match plays with, and how far it has come."""

    table: Table
    stage: Stage
    beams: Beams
    truth: Truth
    habits: Habits
    seed: int
    boards: int | None
    now_s: float = 0.0


class Tableside:
    """The people at the table and the phases of what they do there."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self._stage, self._table = hall.stage, hall.table
        self._luck = Random(f"{hall.seed}/match")
        self.hands = Handwork(
            hall.table, hall.stage, Random(f"{hall.seed}/hands"), hall.habits.pace
        )
        self._players = [
            Player(hall.table, skill, Random(f"{hall.seed}/player {number}"))
            for number, skill in enumerate(hall.habits.skill)
        ]
        people = max(len(self._players) + 1, 3)
        self._skins = [*self._luck.sample(SKINS, min(people, len(SKINS))), *SKINS]
        self._sleeves = self._luck.sample(SLEEVES, people)

    @property
    def full(self) -> bool:
        """Whether as many boards are played as were asked for."""
        return len(self.hall.truth.boards) == self.hall.boards

    def person(self, number: int, seat: Seat) -> Person:
        """A player (or after the last of them the umpire) where he sits now."""
        return Person(seat, self._skins[number], self._sleeves[number])

    def racking(self, racker: Person) -> Iterator[Phase]:
        """Clear the table and lay out the rack."""
        if self._stage.lying or self._stage.nets:
            yield self.work(self.hands.clear(racker, self.hall.now_s))
        yield self.work(self.hands.rack(racker, self.hall.now_s))
        yield self.pause(LOOK_S)

    def stroke(
        self, number: int, person: Person, plight: Plight
    ) -> Generator[Phase, None, tuple[Shot, Slide]]:
        """Fetch and place the striker, flick it, and let everything come to rest."""
        hall = self.hall
        shot = self._players[number].choose(plight)
        if self._luck.random() < hall.habits.misplace:
            start = misplaced(self._table, person.seat, shot.start, self._luck)
            shot = Shot(start, shot.velocity)
        yield self.work(self.hands.place_striker(person, hall.now_s, shot.start))
        yield self.pause(LOOK_S)
        reach, flick_s = self.hands.flick(person, hall.now_s, shot)
        yield Hands(self._stage, reach, flick_s)
        pieces = {
            key: (self._stage.kind(key), self._stage.pose(key))
            for key in self._stage.lying
        }
        striker = self._stage.pose(STRIKER_KEY, shot.velocity)
        pieces[STRIKER_KEY] = (Piece.STRIKER, striker)
        motion = Motion(self._table, pieces)
        slide = Slide(self._stage, hall.beams, motion, flick_s, reach)
        yield slide
        return shot, slide

    def lying(self) -> tuple[Lying, ...]:
        """Coins and queen on the table as a player sees them."""
        return tuple(
            Lying(self._stage.kind(key), at)
            for key, at in sorted(self._stage.lying.items())
            if key != STRIKER_KEY
        )

    def is_proper(self, seat: Seat, shot: Shot) -> bool:
        """Whether the striker stood where it may be struck from."""
        place = self._table.striker_place(seat, shot.start, doubt_mm=0.0)
        return place.margin_mm >= 0.0

    def pause(self, seconds: float) -> Pause:
        """Nobody does anything for a while."""
        least = min(seconds, LOOK_S)
        seconds = max(seconds / self.hall.habits.pace, least)
        return Pause(self._stage, self.hall.now_s + seconds)

    def work(self, reach: Reach) -> Hands:
        """A hand at work until it is away again."""
        return Hands(self._stage, reach, reach.end_s)
