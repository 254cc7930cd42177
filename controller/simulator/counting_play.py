"""Points each for himself at the simulated table: racks, strokes, returns, boards."""

from collections.abc import Iterator

from calibration.table import Piece, Seat
from controller.simulator.counting_referee import (
    Outcome,
    Pile,
    Points,
    Round,
    Sunk,
    rule,
)
from controller.simulator.hands import Person
from controller.simulator.phases import Phase, Slide
from controller.simulator.players import Plight, Shot
from controller.simulator.recording import first_contact, true_falls
from controller.simulator.tableside import LOOK_S, Hall, Tableside
from controller.simulator.truth import QueenState, TrueBoard, TrueStroke


class CountingPlay:
    """Plays a game of points on a hall as a series of phases."""

    def __init__(self, hall: Hall, game: Points) -> None:
        self._hall, self._game = hall, game
        self._side = Tableside(hall)
        self._before = (0,) * len(game.seats)
        self._board = 1

    def phases(self) -> Iterator[Phase]:
        """The whole game; each phase is asked for when the last one has ended."""
        yield self._side.pause(1.0)
        breaker = 0
        while not self._side.full:
            piles = (Pile(),) * len(self._game.seats)
            now = Round(piles=piles, before=self._before, turn=breaker)
            yield from self._side.racking(self._person(breaker))
            yield from self._play(now)
            if self._decided():
                return
            breaker = (breaker + 1) % len(self._game.seats)
            self._board += 1

    def _play(self, now: Round) -> Iterator[Phase]:
        breaker, begun = now.turn, len(self._hall.truth.strokes)
        while True:
            person = self._person(now.turn)
            plight = self._plight(now, person.seat)
            done = yield from self._side.stroke(now.turn, person, plight)
            outcome = rule(now, self._sunk(person.seat, done), self._game)
            self._hall.truth.add(self._stroke_record(now, outcome, done))
            yield self._side.pause(LOOK_S)
            if outcome.over:
                self._end_board(outcome, breaker, begun)
                yield self._side.pause(2.0)
                return
            yield from self._returns(outcome)
            now = outcome.after

    def _returns(self, outcome: Outcome) -> Iterator[Phase]:
        """The queen first, then coins, put there by who plays next."""
        side, hall = self._side, self._hall
        if outcome.queen_back:
            yield side.work(side.hands.return_queen(self._umpire(), hall.now_s))
        coins = [Piece.WHITE] * outcome.white_back + [Piece.BLACK] * outcome.black_back
        if coins:
            placer = self._person(outcome.after.turn)
            yield side.work(side.hands.return_coins(placer, hall.now_s, coins))
        if outcome.queen_back or coins:
            yield side.pause(LOOK_S)

    def _plight(self, now: Round, seat: Seat) -> Plight:
        left = sum(now.left())
        return Plight(
            seat=seat,
            side=None,
            lying=self._side.lying(),
            own_left=left,
            queen_wanted=now.queen_up(),
            queen_first=now.queen_up() and left == 1,
            must_cover=now.must_cover,
            opening=now.attempt > 0,
        )

    def _sunk(self, seat: Seat, done: tuple[Shot, Slide]) -> Sunk:
        shot, slide = done
        return Sunk(
            white=slide.count(Piece.WHITE),
            black=slide.count(Piece.BLACK),
            queen=slide.count(Piece.QUEEN) > 0,
            striker=slide.count(Piece.STRIKER) > 0,
            improper=not self._side.is_proper(seat, shot),
            touched=bool(slide.motion.touches),
        )

    def _stroke_record(
        self, now: Round, outcome: Outcome, done: tuple[Shot, Slide]
    ) -> TrueStroke:
        shot, slide = done
        seat = self._game.seats[now.turn]
        return TrueStroke(
            number=len(self._hall.truth.strokes) + 1,
            game=1,
            board=self._board,
            player=now.turn,
            seat=seat,
            side=None,
            from_s=slide.start_s,
            to_s=slide.rest_s,
            start=shot.start,
            proper=self._side.is_proper(seat, shot),
            first_contact=first_contact(slide),
            fell=true_falls(slide),
            opening=now.attempt > 0,
            queen=_queen(outcome.after),
            queen_by=None,
            white_back=outcome.white_back,
            black_back=outcome.black_back,
            queen_back=outcome.queen_back,
            white_due=0,
            black_due=0,
            turn_passes=outcome.turn_passes,
            board_over=outcome.over,
        )

    def _end_board(self, outcome: Outcome, breaker: int, begun: int) -> None:
        game, after = self._game, outcome.after
        won = [pile.worth(game) for pile in after.piles]
        best = won.index(max(won))
        self._before = after.totals(game)
        self._hall.truth.add(
            TrueBoard(
                game=1,
                board=self._board,
                breaker=breaker,
                breaker_seat=game.seats[breaker],
                winner=best,
                winner_side=None,
                points=won[best],
                queen_points=game.queen if after.piles[best].queen else 0,
                queen_by=None,
                strokes=len(self._hall.truth.strokes) - begun,
                at_s=self._hall.now_s,
                scores=self._before,
                games=(0,) * len(won),
                game_over=self._decided(),
                match_over=self._decided(),
            )
        )

    def _decided(self) -> bool:
        """Whether the target is reached or every board played."""
        game = self._game
        reached = game.target is not None and max(self._before) >= game.target
        return reached or (game.boards is not None and self._board >= game.boards)

    def _person(self, player: int) -> Person:
        return self._side.person(player, self._game.seats[player])

    def _umpire(self) -> Person:
        """On a free seat; with four at the table he reaches over a player."""
        taken = self._game.seats
        free = [seat for seat in Seat if seat not in taken]
        return self._side.person(len(taken), free[0] if free else taken[-1])


def _queen(now: Round) -> QueenState:
    if now.must_cover:
        return QueenState.AWAITS_COVER
    return QueenState.ON_BOARD if now.queen_up() else QueenState.COVERED
