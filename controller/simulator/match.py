"""What happens at the simulated table, in order: racks, strokes, returns, boards."""

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from random import Random

from calibration.table import Piece, Seat, Table
from controller.simulator.beams import Beams
from controller.simulator.hands import SKINS, SLEEVES, Person, Reach
from controller.simulator.handwork import Handwork, misplaced
from controller.simulator.motion import Motion
from controller.simulator.phases import Hands, Pause, Phase, Slide
from controller.simulator.play import Play
from controller.simulator.players import Lying, Player, Plight, Shot
from controller.simulator.recording import (
    Finished,
    Struck,
    board_record,
    stroke_record,
)
from controller.simulator.referee import Facts, MatchScore, Ruling, board_won, rule
from controller.simulator.stage import STRIKER_KEY, Stage
from controller.simulator.truth import QueenState, Truth

SEATS = (Seat.SOUTH, Seat.NORTH)
UMPIRE = Seat.WEST
LOOK_S = 0.6
"""After a hand has left, everybody looks at the table for so long."""
QUEEN_FROM_LEFT = 6
"""With so many own coins left or fewer, a player goes for the queen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Habits:
    """How the simulated people and sensors behave.

    `skill` (0 to 1) per player; `pace` 1.0 is brisk club play, 2.0 twice as fast
    (hands only: pieces slide as they must). `misplace` is the chance that a player
    puts the striker clearly off his base lines: an improper stroke. The sensor
    rates are chances per piece: `miss` no pulse, `ghost` a further pulse soon
    after, and pulses of one pocket nearer than `merge_s` become one long one.
    """

    skill: tuple[float, float] = (0.8, 0.8)
    pace: float = 1.0
    misplace: float = 0.0
    miss: float = 0.0
    ghost: float = 0.0
    merge_s: float = 0.0
    first_breaker: int = 0


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
    score: MatchScore = field(default_factory=MatchScore)
    now_s: float = 0.0


class Match:
    """Plays a match on a hall as a series of phases."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._stage, self._table = hall.stage, hall.table
        self._luck = Random(f"{hall.seed}/match")
        self._hands = Handwork(
            hall.table, hall.stage, Random(f"{hall.seed}/hands"), hall.habits.pace
        )
        self._players = [
            Player(hall.table, skill, Random(f"{hall.seed}/player {number}"))
            for number, skill in enumerate(hall.habits.skill)
        ]
        self._skins = self._luck.sample(SKINS, 3)
        self._sleeves = self._luck.sample(SLEEVES, 3)

    def phases(self) -> Iterator[Phase]:
        """The whole match; each phase is asked for when the last one has ended."""
        hall = self._hall
        yield self._pause(1.0)
        while not hall.score.over and len(hall.truth.boards) != hall.boards:
            play = Play(breaker=hall.score.breaker, turn=hall.score.breaker)
            racker = self._person(play.breaker)
            if self._stage.lying or self._stage.nets:
                yield self._work(self._hands.clear(racker, hall.now_s))
            yield self._work(self._hands.rack(racker, hall.now_s))
            yield self._pause(LOOK_S)
            yield from self._board(play)

    def _board(self, play: Play) -> Iterator[Phase]:
        hall = self._hall
        begun = len(hall.truth.strokes)
        while True:
            shot, slide = yield from self._stroke(play)
            ruling = rule(play.standing(hall.score), self._facts(play, shot, slide))
            self._record(play, ruling, (shot, slide))
            yield self._pause(LOOK_S)
            if ruling.winner_x is not None:
                self._end_board(play, ruling, begun)
                yield self._pause(2.0)
                return
            yield from self._returns(play, ruling)
            play = play.ruled(ruling)

    def _stroke(self, play: Play) -> Generator[Phase, None, tuple[Shot, Slide]]:
        """Fetch and place the striker, flick it, and let everything come to rest."""
        hall, person = self._hall, self._person(play.turn)
        shot = self._players[play.turn].choose(self._plight(play, person.seat))
        if self._luck.random() < hall.habits.misplace:
            start = misplaced(self._table, person.seat, shot.start, self._luck)
            shot = Shot(start, shot.velocity)
        yield self._work(self._hands.place_striker(person, hall.now_s, shot.start))
        yield self._pause(LOOK_S)
        reach, flick_s = self._hands.flick(person, hall.now_s, shot)
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

    def _returns(self, play: Play, ruling: Ruling) -> Iterator[Phase]:
        """The queen first, by the umpire; then coins, each by the opponent."""
        hall = self._hall
        if ruling.queen_back:
            umpire = Person(UMPIRE, self._skins[2], self._sleeves[2])
            yield self._work(self._hands.return_queen(umpire, hall.now_s))
        for payer, count in (
            (play.turn, ruling.back_x),
            (1 - play.turn, ruling.back_y),
        ):
            if count:
                coins = [play.side(payer)] * count
                placer = self._person(1 - payer)
                reach = self._hands.return_coins(placer, hall.now_s, coins)
                yield self._work(reach)
        if ruling.queen_back or ruling.back_x or ruling.back_y:
            yield self._pause(LOOK_S)

    def _plight(self, play: Play, seat: Seat) -> Plight:
        player = play.turn
        left = play.left[player]
        up = play.queen is QueenState.ON_BOARD
        allowed = up and play.due[player] == 0 and play.ever[player]
        return Plight(
            seat=seat,
            side=play.side(player),
            lying=tuple(
                Lying(self._stage.kind(key), at)
                for key, at in sorted(self._stage.lying.items())
                if key != STRIKER_KEY
            ),
            own_left=left,
            queen_wanted=allowed and left <= QUEEN_FROM_LEFT,
            queen_first=up and left == 1,
            must_cover=play.queen is QueenState.AWAITS_COVER,
            opening=play.attempt > 0,
        )

    def _facts(self, play: Play, shot: Shot, slide: Slide) -> Facts:
        return Facts(
            own=slide.count(play.side(play.turn)),
            other=slide.count(play.side(1 - play.turn)),
            queen=slide.count(Piece.QUEEN) > 0,
            striker=slide.count(Piece.STRIKER) > 0,
            improper=not self._is_proper(play, shot),
            touched=bool(slide.motion.touches),
        )

    def _is_proper(self, play: Play, shot: Shot) -> bool:
        seat = self._person(play.turn).seat
        place = self._table.striker_place(seat, shot.start, doubt_mm=0.0)
        return place.margin_mm >= 0.0

    def _record(self, play: Play, ruling: Ruling, done: tuple[Shot, Slide]) -> None:
        hall, (shot, slide) = self._hall, done
        struck = Struck(
            number=len(hall.truth.strokes) + 1,
            game=hall.score.game,
            board=len(hall.truth.boards) + 1,
            seat=self._person(play.turn).seat,
            start=shot.start,
            proper=self._is_proper(play, shot),
        )
        hall.truth.add(stroke_record(struck, slide, play, ruling))

    def _end_board(self, play: Play, ruling: Ruling, begun: int) -> None:
        hall, score = self._hall, self._hall.score
        winner = play.turn if ruling.winner_x else 1 - play.turn
        finished = Finished(
            board=len(hall.truth.boards) + 1,
            breaker_seat=self._person(play.breaker).seat,
            strokes=len(hall.truth.strokes) - begun,
            at_s=hall.now_s,
            winner=winner,
            score=score,
            then=board_won(score, winner, ruling.points),
        )
        hall.truth.add(board_record(finished, play.ruled(ruling), ruling))
        hall.score = finished.then

    def _person(self, player: int) -> Person:
        """A player where he sits now: seats change between games (59)."""
        seat = SEATS[player ^ int(self._hall.score.sides_changed)]
        return Person(seat, self._skins[player], self._sleeves[player])

    def _pause(self, seconds: float) -> Pause:
        least = min(seconds, LOOK_S)
        seconds = max(seconds / self._hall.habits.pace, least)
        return Pause(self._stage, self._hall.now_s + seconds)

    def _work(self, reach: Reach) -> Hands:
        return Hands(self._stage, reach, reach.end_s)
