"""What the feed says of the match: its state, its events, what the umpire is asked."""

from enum import StrEnum
from typing import Annotated

from pydantic import BaseModel, Field

from calibration.table import Piece, Pocket, Seat
from controller.feed.models_table import FROZEN
from controller.rules.board import Side


class Phase(StrEnum):
    """What the table is doing; it decides what a screen says largest."""

    RACKING = "racking"
    BREAK = "break"
    PLAYING = "playing"
    STROKE_RUNNING = "stroke-running"
    ASKING_UMPIRE = "asking-umpire"
    BOARD_OVER = "board-over"
    GAME_OVER = "game-over"
    MATCH_OVER = "match-over"
    NOT_WATCHING = "not-watching"


class Queen(StrEnum):
    """Where the queen is; `covered` by a player who plays for himself."""

    ON_BOARD = "on-board"
    AWAITING_COVER = "awaiting-cover"
    COVERED_BY_WHITE = "covered-by-white"
    COVERED_BY_BLACK = "covered-by-black"
    COVERED = "covered"


class Dues(BaseModel):
    """Coins a player owes, and how many of them could be placed now."""

    model_config = FROZEN

    owed: int = 0
    payable: int = 0


class Purse(BaseModel):
    """What a player who collects for himself has of this board."""

    model_config = FROZEN

    white: int = 0
    black: int = 0
    queen: bool = False
    points_lost: int = 0
    """Paid for the striker."""
    points: int = 0
    """What all this comes to."""


class PlayerState(BaseModel):
    """One player (a pair in doubles) as the scoreboard shows it.

    `colour` and `seat` change from board to board and game to game; `queen_worth`
    is what covering the queen would add if this player won the board now. Where
    each plays for himself there is no `colour` and no `coins_left`, but a `purse`.
    """

    model_config = FROZEN

    name: str
    affiliation: str = ""
    """Club or country, shown small."""
    colour: Side | None
    seat: Seat | None = None
    score: int
    """Points in this game."""
    games_won: int
    coins_left: int | None
    """This player's coins that still have to be pocketed."""
    purse: Purse | None = None
    dues: Dues = Dues()
    queen_worth: int | None = None
    breaks: bool = False
    """This player breaks, or broke, this board."""


class BoardResult(BaseModel):
    """One finished board, as a row of the official score card.

    `winner` is an index into `players`, null where several got most. The points are
    kept apart because a board can be won with no coin point and three queen points.
    """

    model_config = FROZEN

    game: int
    board: int
    winner: int | None
    coin_points: int
    queen_points: int
    additional_points: int = 0
    queen_to: int | None = None
    """Who had covered the queen, whether or not it brought points."""
    breaker: int
    finish: str
    slam: bool = False
    points: tuple[int, ...] = ()
    """Where each plays for himself: what the board brought each player."""
    scores_after: tuple[int, ...]


class Question(BaseModel):
    """What waits for the umpire, in words. Nothing is scored until it is answered."""

    model_config = FROZEN

    id: str
    text: str
    choices: tuple[str, ...] = ()


class DecisionShown(BaseModel):
    """The last decision in words, with the law it rests on and its article."""

    model_config = FROZEN

    seq: int
    text: str
    law: str
    article: str = ""
    """As printed in the rule set's edition, such as `ICF 72a`."""
    side: Side | None = None
    player: int | None = None
    """Whom it concerns where each plays for himself: an index into `players`."""


class PieceShown(BaseModel):
    """A piece at rest on the table."""

    model_config = FROZEN

    piece: Piece
    x_mm: float
    y_mm: float


class FallShown(BaseModel):
    """A piece that has gone down in the stroke that still runs; not judged yet.

    `piece` is null while the evidence does not name it.
    """

    model_config = FROZEN

    piece: Piece | None
    pocket: Pocket | None


class GameClock(BaseModel):
    """The running game's clock, for a display that counts on its own.

    It shows `elapsed_s`, and while it runs also the seconds since `since_s`, on
    the clock of every message's `t_mono_s` (the heartbeat on `health` tells it every
    second). `paused`: all clocks stand, for an appeal or a time stop.
    """

    model_config = FROZEN

    running: bool
    started: bool
    paused: bool
    elapsed_s: float
    since_s: float | None = None
    limit_s: float | None = None
    """The bell; null where the game has no limit."""
    warning_s: float | None = None


class WaitFor(StrEnum):
    """What has to happen within a limit of its own."""

    STROKE = "stroke"
    PLACING = "placing"


class Wait(BaseModel):
    """A stroke, or the placing of coins owed, that is waited for now.

    `until_s` is on the clock of `t_mono_s`; past it the umpire was told.
    """

    model_config = FROZEN

    what: WaitFor
    until_s: float
    limit_s: float


class MatchState(BaseModel):
    """Topic `match/state`: everything a scoreboard shows, whole, every time.

    `turn`, `must_cover` name the colour; `players` says who has it. `must_cover`
    is set while the queen awaits its cover. Where each plays for himself both are
    null: `on_turn` says who strikes, and must cover while `queen` awaits it.
    """

    model_config = FROZEN

    phase: Phase
    reason: str = ""
    """Why the phase is what it is, where that is not plain: not-watching says why."""
    players: Annotated[tuple[PlayerState, ...], Field(min_length=2, max_length=4)]
    """Who broke the first board comes first; from three on in the order of play."""
    game: int
    """Number of the game that is played, from 1."""
    board: int
    """Number of the board within the game, from 1."""
    games_to_win: int
    game_points: int | None
    """Points that win a game; null where only the boards decide."""
    boards_per_game: int | None
    queen: Queen
    turn: Side | None
    on_turn: int | None = None
    """Who strikes next, as an index into `players`."""
    must_cover: Side | None = None
    white_left: int | None = None
    black_left: int | None = None
    """Coins on the table by the laws."""
    fallen: tuple[FallShown, ...] = ()
    pieces: tuple[PieceShown, ...] = ()
    question: Question | None = None
    last: DecisionShown | None = None
    history: tuple[BoardResult, ...] = ()
    claim: int = 0
    """Additional points the last board's winner may still demand."""
    game_clock: GameClock | None = None
    """The game's clock, where the rule set limits it or the umpire started it."""
    wait: Wait | None = None
    """Set while a limit for the next stroke or a placing runs."""
    drawn: bool = False
    winner: int | None = None
    """Index into `players` once the match is over."""


class Tally(BaseModel):
    """The countable part of a position, for an event's before and after."""

    model_config = FROZEN

    white_left: int
    black_left: int
    queen: Queen
    white_owes: int
    black_owes: int
    turn: Side | None
    on_turn: int | None = None
    scores: tuple[int, ...]


class MatchEvent(BaseModel):
    """Topic `match/event`: one adjudicated event or decision, numbered by `seq`.

    `supersedes` names the first event taken back when the record was corrected:
    that one and all after it up to this one no longer stand.
    """

    model_config = FROZEN

    kind: str
    text: str
    law: str = ""
    article: str = ""
    side: Side | None = None
    player: int | None = None
    """Whom it concerns where each plays for himself: an index into `players`."""
    game: int
    board: int
    stroke: int | None = None
    before: Tally | None = None
    after: Tally | None = None
    evidence: tuple[str, ...] = ()
    """Ids of the journal entries it rests on."""
    confidence: float = Field(default=1.0, ge=0.0, le=1.0)
    supersedes: int | None = None


class MatchProposal(BaseModel):
    """Topic `match/proposal`: what the umpire is asked, not what was decided."""

    model_config = FROZEN

    question: Question
    law: str = ""
    article: str = ""
    evidence: tuple[str, ...] = ()
    confidence: float = Field(default=0.0, ge=0.0, le=1.0)
