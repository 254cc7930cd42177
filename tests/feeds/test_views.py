"""From the rules engine's match to what the world is told."""

from dataclasses import replace

from controller.feed.models_match import Dues, Phase, Queen
from controller.feed.scene import Scene
from controller.feed.views import headline, match_event, match_state, shown
from controller.rules.board import Board, BySide, Side, awaiting, covered
from controller.rules.decisions import (
    DueIncurred,
    PiecesReturned,
    QueenCovered,
    TurnPassed,
)
from controller.rules.match import Match, play
from controller.rules.order import ByPlayer
from controller.rules.rule_sets import rule_set
from controller.rules.stroke import Stroke

ICF = rule_set("icf")
MATCH = Match(laws=ICF, names=ByPlayer("Asha", "Bina"))
DUE = DueIncurred("striker.alone", Side.WHITE, 1)


def on(board: Board) -> Match:
    return replace(MATCH, board=board)


def test_a_match_about_to_be_broken() -> None:
    state = match_state(MATCH, Scene())
    assert (state.phase, state.queen, state.turn) == (
        Phase.BREAK,
        Queen.ON_BOARD,
        Side.WHITE,
    )
    assert [(p.name, p.colour, p.coins_left) for p in state.players] == [
        ("Asha", Side.WHITE, 9),
        ("Bina", Side.BLACK, 9),
    ]
    assert (state.games_to_win, state.game_points, state.boards_per_game) == (2, 25, 8)


def test_a_score_above_the_games_points_is_published_as_those_everywhere() -> None:
    board = Board(
        turn=Side.WHITE,
        coins=BySide(1, 9),
        queen=covered(Side.WHITE),
        scores=BySide(24, 3),
        break_attempt=0,
    )
    running = replace(on(board), scores=ByPlayer(24, 3))
    ended, _ = play(running, Stroke(white=1))
    state = match_state(ended, Scene())
    assert ended.scores.first == 33
    assert state.players[0].score == 25
    assert state.history[-1].scores_after == (25, 3)


def test_dues_are_payable_only_as_far_as_coins_are_down() -> None:
    board = Board(coins=BySide(8, 9), owed=BySide(2, 1), break_attempt=0)
    first, second = match_state(on(board), Scene()).players
    assert (first.dues, second.dues) == (
        Dues(owed=2, payable=1),
        Dues(owed=1, payable=0),
    )


def test_who_must_cover_is_named_while_the_queen_waits() -> None:
    board = Board(turn=Side.BLACK, queen=awaiting(Side.BLACK), break_attempt=0)
    state = match_state(on(board), Scene())
    assert (state.queen, state.must_cover) == (Queen.AWAITING_COVER, Side.BLACK)


def test_a_covered_queen_tells_by_whom_and_nobody_must_cover() -> None:
    state = match_state(on(Board(queen=covered(Side.BLACK), break_attempt=0)), Scene())
    assert (state.queen, state.must_cover) == (Queen.COVERED_BY_BLACK, None)


def test_the_queen_is_worth_nothing_from_22_points_on() -> None:
    # ICF 54: the three points count up to and including 21.
    board = Board(scores=BySide(22, 21), break_attempt=0)
    state = match_state(replace(on(board), scores=ByPlayer(22, 21)), Scene())
    assert [player.queen_worth for player in state.players] == [0, 3]


def test_the_scene_s_phase_goes_before_the_match_s() -> None:
    assert match_state(MATCH, Scene(phase=Phase.RACKING)).phase is Phase.RACKING


def test_an_event_carries_words_article_and_the_tallies_around_it() -> None:
    after = on(Board(owed=BySide(1, 0), turn=Side.BLACK, break_attempt=0))
    told = match_event(DUE, MATCH, after, evidence=("7",), confidence=0.9)
    assert (told.kind, told.text) == (
        "due-incurred",
        "White owes 1 coin for the striker",
    )
    assert (told.law, told.article) == ("striker.alone", "ICF 72a")
    assert told.before
    assert told.after
    assert (told.before.white_owes, told.after.white_owes) == (0, 1)
    assert told.after.turn is Side.BLACK


def test_the_last_line_says_what_why_and_where() -> None:
    line = shown(DUE, 12, ICF)
    assert line.text == (
        "White owes 1 coin for the striker: the striker alone costs a due and the turn"
    )
    assert (line.seq, line.article) == (12, "ICF 72a")


def test_of_several_decisions_the_weightiest_is_shown() -> None:
    back = PiecesReturned("striker.with-own", Side.WHITE, 1, 0, 0)
    passed = TurnPassed("turn.nothing", Side.WHITE)
    queen = QueenCovered("queen.cover", Side.WHITE)
    assert headline([back, DUE, passed]) is DUE
    assert headline([passed, queen]) is queen
    assert headline([]) is None


def test_coins_left_follow_the_colour_of_the_board() -> None:
    board = Board(coins=BySide(2, 7), break_attempt=0)
    swapped = replace(on(board), breaker=MATCH.breaker.opponent)
    state = match_state(swapped, Scene())
    assert [p.coins_left for p in state.players] == [7, 2]
    assert state.players[0].colour is Side.BLACK
