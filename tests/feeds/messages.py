"""Messages as table-1 would send them."""

from datetime import UTC, datetime

from calibration.table import Seat
from controller.feed.models import Clock, Payload
from controller.feed.models_match import (
    DecisionShown,
    MatchEvent,
    MatchState,
    Phase,
    PlayerState,
    Queen,
)
from controller.feed.models_table import Status, StatusWord
from controller.feed.publications import Publication, Stamp, publication
from controller.rules.board import Side


def told(
    payload: Payload,
    *,
    boot: str = "boot-1",
    match: str = "match-1",
    seq: int | None = None,
    rev: int | None = None,
    at_s: float = 100.0,
) -> Publication:
    """A payload stamped as table-1 would."""
    return publication(stamp(boot, match, at_s), payload, seq=seq, rev=rev)


def stamp(boot: str = "boot-1", match: str = "match-1", at_s: float = 100.0) -> Stamp:
    """Who says it and when."""
    return Stamp(
        table="table-1",
        boot=boot,
        match=match,
        at_s=at_s,
        utc=datetime(2026, 12, 1, 9, 0, tzinfo=UTC),
        clock=Clock.SYNCED,
    )


def status(word: StatusWord = StatusWord.READY, boot: str = "boot-1") -> Publication:
    return told(Status(status=word), boot=boot)


def event(seq: int, boot: str = "boot-1") -> Publication:
    return told(
        MatchEvent(kind="piece-pocketed", text=f"event {seq}", game=1, board=1),
        boot=boot,
        seq=seq,
    )


def board(
    scores: tuple[int, int] = (0, 0), phase: Phase = Phase.PLAYING, **more: object
) -> MatchState:
    """A match state with two players and these points."""
    players = tuple(
        PlayerState(
            name=name,
            colour=colour,
            seat=seat,
            score=score,
            games_won=0,
            coins_left=9,
        )
        for name, colour, seat, score in zip(
            ("Rashmi Kumari", "Ilavazhaki Maria Irudayam"),
            (Side.WHITE, Side.BLACK),
            (Seat.SOUTH, Seat.NORTH),
            scores,
            strict=True,
        )
    )
    fields = {
        "phase": phase,
        "players": players,
        "game": 1,
        "board": 1,
        "games_to_win": 2,
        "game_points": 25,
        "boards_per_game": 8,
        "queen": Queen.ON_BOARD,
        "turn": Side.WHITE,
        **more,
    }
    return MatchState.model_validate(fields)


def decision(text: str, seq: int = 1) -> DecisionShown:
    return DecisionShown(seq=seq, text=text, law="due.striker", article="ICF 72a")
