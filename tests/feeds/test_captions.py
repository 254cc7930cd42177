"""The words of the banner for each phase."""

from dataclasses import replace

import pytest

from controller.feed.models_match import (
    BoardResult,
    GameClock,
    MatchState,
    Phase,
    Queen,
    Question,
)
from controller.feed.models_table import Health
from controller.feed.scene import Scene
from controller.feed.views import match_state
from controller.rules.board import Side
from controller.rules.counting_match import advance, begin
from controller.rules.match_notation import read_entry
from controller.rules.rule_sets import rule_set
from controller.scoreboard.captions import caption, clock_line, queen_line
from controller.scoreboard.follower import Follower, read
from tests.feeds.messages import board, status, told

ROW = BoardResult(
    game=1,
    board=3,
    winner=1,
    coin_points=4,
    queen_points=3,
    queen_to=1,
    breaker=0,
    finish="cleared",
    scores_after=(4, 7),
)
COVERING = {"queen": Queen.AWAITING_COVER, "must_cover": Side.BLACK, "turn": "black"}
ASKED = Question(id="4", text="One black or two?")
SAID = [
    (board(phase=Phase.BREAK), "Rashmi Kumari to break", ""),
    (board(phase=Phase.PLAYING), "Rashmi Kumari to play", ""),
    (board(**COVERING), "Ilavazhaki Maria Irudayam must cover the queen", ""),
    (
        board(phase=Phase.ASKING_UMPIRE, question=ASKED),
        "Umpire's call",
        "One black or two?",
    ),
    (
        board(phase=Phase.BOARD_OVER, history=(ROW,), turn=None),
        "Board 3 to Ilavazhaki Maria Irudayam",
        "+7: 4 for coins, 3 for the queen",
    ),
    (
        board(
            phase=Phase.BOARD_OVER,
            history=(ROW.model_copy(update={"slam": True, "queen_points": 0}),),
        ),
        "Board 3 to Ilavazhaki Maria Irudayam",
        "Black slam · +4: 4 for coins",
    ),
    (
        board((18, 25), phase=Phase.GAME_OVER),
        "Game 1 to Ilavazhaki Maria Irudayam",
        "25 – 18",
    ),
    (
        board(phase=Phase.MATCH_OVER, winner=0),
        "Rashmi Kumari wins the match",
        "0 – 0 in games",
    ),
    (board(phase=Phase.NOT_WATCHING, reason="no camera"), "Not watching", "no camera"),
]


@pytest.mark.parametrize(("state", "title", "detail"), SAID)
def test_the_banner(state: object, title: str, detail: str) -> None:
    said = caption(state)  # type: ignore[arg-type]
    assert (said.title, said.detail) == (title, detail)


@pytest.mark.parametrize("phase", list(Phase))
def test_every_phase_has_a_banner(phase: Phase) -> None:
    assert caption(board(phase=phase)).tone


@pytest.mark.parametrize(
    ("queen", "said"),
    [
        (Queen.ON_BOARD, "on the board"),
        (Queen.AWAITING_COVER, "awaits her cover"),
        (Queen.COVERED_BY_WHITE, "covered by Rashmi Kumari"),
        (Queen.COVERED_BY_BLACK, "covered by Ilavazhaki Maria Irudayam"),
    ],
)
def test_the_queen_in_four_words(queen: Queen, said: str) -> None:
    assert queen_line(board(queen=queen)) == said


def clock(elapsed_s: float, **more: object) -> GameClock:
    """A tournament game's clock; `since_s` given, it runs since then."""
    running = more.get("since_s") is not None
    facts = {"running": running, "started": True, "paused": not running}
    limits = {"limit_s": 1500.0, "warning_s": 1200.0}
    return GameClock.model_validate({**facts, **limits, **more, "elapsed_s": elapsed_s})


CLOCKS = [
    (None, ""),
    (clock(0.0, started=False), "25:00"),
    (clock(300.0, since_s=90.0), "19:45"),
    (clock(300.0), "20:00 stopped"),
    (clock(1495.0, since_s=90.0), "Time"),
    (clock(61.0, since_s=90.0, limit_s=None), "1:16"),
    (clock(61.0, limit_s=None), "1:01 stopped"),
]


@pytest.mark.parametrize(("shown", "said"), CLOCKS, ids=[said for _, said in CLOCKS])
def test_the_hall_reads_the_game_clock(shown: GameClock | None, said: str) -> None:
    """The heartbeat of 100 s on the table's clock came at 7 s on ours; now it is 12 s."""
    it = Follower()
    for sent in (
        status(),
        told(board(game_clock=shown), rev=1),
        told(Health(watching=True), at_s=100.0),
    ):
        it.take(read(sent.topic, sent.payload, kept=False), 7.0)
    assert clock_line(it, 12.0) == said


def test_without_a_heartbeat_no_running_clock_is_made_up() -> None:
    it = Follower()
    sent = told(board(game_clock=clock(300.0, since_s=90.0)), rev=1)
    it.take(read(sent.topic, sent.payload, kept=False), 7.0)
    assert clock_line(it, 12.0) == ""


def each_for_himself(*entries: str, laws: str = "point") -> MatchState:
    match = begin(rule_set(laws), ("Asha", "Bimal", "Chitra"))
    for text in entries:
        match, _ = advance(match, read_entry(text))  # type: ignore[arg-type]
    return match_state(match, Scene())


@pytest.mark.parametrize(
    ("entries", "title", "detail"),
    [
        (("w", "-"), "Bimal to play", ""),
        (("q",), "Asha must cover the queen", ""),
        (("8w", "b"), "Asha wins", "17 \u2013 0 \u2013 0 points"),
        (
            ("w", "-", "w", ": bell"),
            "Asha and Bimal share the game",
            "2 \u2013 2 \u2013 0 points",
        ),
    ],
)
def test_the_banner_of_three_players(
    entries: tuple[str, ...], title: str, detail: str
) -> None:
    said = caption(each_for_himself(*entries))
    assert (said.title, said.detail) == (title, detail)


def test_a_board_of_three_tells_what_it_brought_everyone() -> None:
    endless = begin(
        replace(rule_set("point"), game_points=None), ("Asha", "Bimal", "Chitra")
    )
    for text in ("9w", "q", "-", "9b", "q"):
        endless, _ = advance(endless, read_entry(text))  # type: ignore[arg-type]
    said = caption(match_state(endless, Scene()))
    assert said.title == "Board 1 is over"
    assert said.detail == "Asha +18, Bimal +14, Chitra +0"


def test_the_queen_of_three_is_covered_by_name() -> None:
    assert queen_line(each_for_himself("q", "w")) == "covered by Asha"
