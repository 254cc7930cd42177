"""What happens at the simulated table, in order: racks, strokes, returns, boards."""

from collections.abc import Iterator

from calibration.table import Piece, Seat
from controller.simulator.hands import Person
from controller.simulator.phases import Phase, Slide
from controller.simulator.play import Play
from controller.simulator.players import Plight, Shot
from controller.simulator.recording import (
    Finished,
    Struck,
    board_record,
    stroke_record,
)
from controller.simulator.referee import Facts, MatchScore, Ruling, board_won, rule
from controller.simulator.tableside import LOOK_S, Hall, Tableside
from controller.simulator.truth import QueenState

SEATS = (Seat.SOUTH, Seat.NORTH)
UMPIRE = Seat.WEST
QUEEN_FROM_LEFT = 6
"""With so many own coins left or fewer, a player goes for the queen."""


class Match:
    """Plays a match of two sides on a hall as a series of phases."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._side = Tableside(hall)
        self._score = MatchScore(first_breaker=hall.habits.first_breaker)

    def phases(self) -> Iterator[Phase]:
        """The whole match; each phase is asked for when the last one has ended."""
        yield self._side.pause(1.0)
        while not self._score.over and not self._side.full:
            play = Play(breaker=self._score.breaker, turn=self._score.breaker)
            yield from self._side.racking(self._person(play.breaker))
            yield from self._board(play)

    def _board(self, play: Play) -> Iterator[Phase]:
        begun = len(self._hall.truth.strokes)
        while True:
            person = self._person(play.turn)
            plight = self._plight(play, person.seat)
            shot, slide = yield from self._side.stroke(play.turn, person, plight)
            ruling = rule(play.standing(self._score), self._facts(play, shot, slide))
            self._record(play, ruling, (shot, slide))
            yield self._side.pause(LOOK_S)
            if ruling.winner_x is not None:
                self._end_board(play, ruling, begun)
                yield self._side.pause(2.0)
                return
            yield from self._returns(play, ruling)
            play = play.ruled(ruling)

    def _returns(self, play: Play, ruling: Ruling) -> Iterator[Phase]:
        """The queen first, by the umpire; then coins, each by the opponent."""
        hall, side = self._hall, self._side
        if ruling.queen_back:
            umpire = side.person(2, UMPIRE)
            yield side.work(side.hands.return_queen(umpire, hall.now_s))
        for payer, count in (
            (play.turn, ruling.back_x),
            (1 - play.turn, ruling.back_y),
        ):
            if count:
                coins = [play.side(payer)] * count
                placer = self._person(1 - payer)
                reach = side.hands.return_coins(placer, hall.now_s, coins)
                yield side.work(reach)
        if ruling.queen_back or ruling.back_x or ruling.back_y:
            yield side.pause(LOOK_S)

    def _plight(self, play: Play, seat: Seat) -> Plight:
        player = play.turn
        left = play.left[player]
        up = play.queen is QueenState.ON_BOARD
        allowed = up and play.due[player] == 0 and play.ever[player]
        return Plight(
            seat=seat,
            side=play.side(player),
            lying=self._side.lying(),
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
        return self._side.is_proper(self._person(play.turn).seat, shot)

    def _record(self, play: Play, ruling: Ruling, done: tuple[Shot, Slide]) -> None:
        hall, (shot, slide) = self._hall, done
        struck = Struck(
            number=len(hall.truth.strokes) + 1,
            game=self._score.game,
            board=len(hall.truth.boards) + 1,
            seat=self._person(play.turn).seat,
            start=shot.start,
            proper=self._is_proper(play, shot),
        )
        hall.truth.add(stroke_record(struck, slide, play, ruling))

    def _end_board(self, play: Play, ruling: Ruling, begun: int) -> None:
        hall, score = self._hall, self._score
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
        self._score = finished.then

    def _person(self, player: int) -> Person:
        """A player where he sits now: seats change between games (59)."""
        seat = SEATS[player ^ int(self._score.sides_changed)]
        return self._side.person(player, seat)
