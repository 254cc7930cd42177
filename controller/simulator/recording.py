"""From what happened at the simulated table to records of the truth."""

from dataclasses import dataclass

from calibration.table import Piece, Point, Seat
from controller.simulator.phases import Slide
from controller.simulator.play import Play
from controller.simulator.referee import MatchScore, Ruling
from controller.simulator.truth import (
    QueenState,
    TrueBoard,
    TrueContact,
    TrueFall,
    TrueStroke,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Struck:
    """Which stroke it was and how it began."""

    number: int
    game: int
    board: int
    seat: Seat
    start: Point
    proper: bool


def stroke_record(
    struck: Struck, slide: Slide, before: Play, ruling: Ruling
) -> TrueStroke:
    """One stroke with what it moved and what the referee made of it."""
    after = before.ruled(ruling)
    side = before.side(before.turn)
    back = {side: ruling.back_x, before.side(1 - before.turn): ruling.back_y}
    return TrueStroke(
        number=struck.number,
        game=struck.game,
        board=struck.board,
        player=before.turn,
        seat=struck.seat,
        side=side,
        from_s=slide.start_s,
        to_s=slide.rest_s,
        start=struck.start,
        proper=struck.proper,
        first_contact=first_contact(slide),
        fell=true_falls(slide),
        opening=before.attempt > 0,
        queen=after.queen,
        queen_by=None if after.queen_by is None else after.side(after.queen_by),
        white_back=back[Piece.WHITE],
        black_back=back[Piece.BLACK],
        queen_back=ruling.queen_back,
        white_due=after.due[after.player(Piece.WHITE)],
        black_due=after.due[after.player(Piece.BLACK)],
        turn_passes=ruling.turn_passes,
        board_over=ruling.winner_x is not None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """Which board it was and how it went; `score` before it, `then` after it."""

    board: int
    breaker_seat: Seat
    strokes: int
    at_s: float
    winner: int
    score: MatchScore
    then: MatchScore


def board_record(finished: Finished, after: Play, ruling: Ruling) -> TrueBoard:
    """One board with its winner, points and the score they made."""
    before, then = finished.score, finished.then
    points = list(before.points)
    points[finished.winner] += ruling.points
    covered = after.queen is QueenState.COVERED and after.queen_by is not None
    return TrueBoard(
        game=before.game,
        board=finished.board,
        breaker=after.breaker,
        breaker_seat=finished.breaker_seat,
        winner=finished.winner,
        winner_side=after.side(finished.winner),
        points=ruling.points,
        queen_points=ruling.queen_points,
        queen_by=after.side(after.queen_by or 0) if covered else None,
        strokes=finished.strokes,
        at_s=finished.at_s,
        scores=(points[0], points[1]),
        games=then.games,
        game_over=then.game != before.game,
        match_over=then.over,
    )


def true_falls(slide: Slide) -> tuple[TrueFall, ...]:
    """What fell while pieces slid, on world time."""
    return tuple(
        TrueFall(slide.stage.kind(fall.key), fall.pocket, slide.start_s + fall.at_s)
        for fall in slide.falls
    )


def first_contact(slide: Slide) -> TrueContact | None:
    """The first piece the striker touched, if any."""
    touches = slide.motion.touches
    if not touches:
        return None
    key, at_s = touches[0]
    return TrueContact(slide.stage.kind(key), slide.start_s + at_s)
