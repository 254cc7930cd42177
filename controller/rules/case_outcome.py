"""Answers to everything a law case can ask about what follows a happening."""

from dataclasses import dataclass

from calibration.refusal import Refusal
from calibration.table import Piece, Seat
from controller.rules.board import Board, BySide, Side
from controller.rules.case_play import (
    Decisions,
    Situation,
    X,
    Y,
    played,
)
from controller.rules.case_words import Words, number, placement, seat
from controller.rules.choices import Placer, Round, SideChange, Tie
from controller.rules.decisions import (
    BreakFailed,
    DueIncurred,
    DuePaid,
    DueWaived,
    FoulCalled,
    PenaltyIncurred,
    PiecesReplaced,
    QueenReturned,
    QueenToReturn,
)
from controller.rules.order import (
    Player,
    Standing,
    board_limit,
    breaker_of,
    changes_sides_in_game,
    next_seat,
    placing_seat,
    standing,
)

OUTCOME_KEYS = frozenset(
    [
        "turn",
        "bx",
        "by",
        "bq",
        "q",
        "dx",
        "dy",
        "win",
        "pts",
        "dem",
        "game_over",
        "game_winner",
        "extra_board",
        "toss",
        "breaker",
        "white",
        "next",
        "seen_from_above",
        "change_sides",
        "board_over",
        "attempts_left",
        "y_colour",
        "rearrange",
        "kind",
        "foul",
        "placed_centre",
        "placed_by",
        "placement",
        "counts_as",
        "stroke_counted",
        "left_where_it_lies",
        "allowed",
        "due_added",
    ]
)

OUTCOME_WORDS = {
    "turn": ("X", "Y", "over"),
    "q": ("on", "await", "covX", "covY", "recorded_covered"),
    "win": ("X", "Y"),
    "game_winner": ("X", "Y"),
    "kind": ("foul", "technical_foul"),
    "placement": ("legal", "illegal", "uncertain"),
}
"""What these keys can ever come to: another word would fail whatever followed."""

_LABEL = {X: "X", Y: "Y"}
_OTHER = {"X": "Y", "Y": "X"}


@dataclass(frozen=True, slots=True)
class Aftermath:
    """What followed: the next situation, the decisions, an answer to every key."""

    situation: Situation
    decisions: Decisions
    outcome: dict[str, object]


def happen(before: Situation, words: Words) -> Aftermath:
    """Play what happens and answer what can be asked about it."""
    board, laws = before.board, before.laws
    after, told = played(before, words)
    outcome = (
        _board_outcome(board, after, words)
        | _told_outcome(told, board.turn)
        | _game_outcome(before, after, asked_only=not words)
        | _order_outcome(before, after, told)
        | _question_outcome(before, words, told)
    )
    following = _words_after(before.words, outcome)
    return Aftermath(Situation(after, laws, following), told, outcome)


_FIRST_STROKE_ONLY = {
    "striker",
    "hand_over_arrow",
    "queen_uncovered_missed_by_all",
    "next_stroke_made",
}


def _words_after(words: Words, outcome: Words) -> Words:
    """The state's words for a further happening: who sits on turn moves on."""
    kept = {k: v for k, v in words.items() if k not in _FIRST_STROKE_ONLY}
    return kept | {"on_turn": outcome["next"]}


def _board_outcome(board: Board, after: Board, words: Words) -> dict[str, object]:
    side = board.turn
    sunk = BySide(0, 0).put(side, number(words, "k", 0))
    sunk = sunk.put(side.opponent, number(words, "m", 0))
    if words.get("hanging_own_coin_falls_later"):
        sunk = sunk.put(side, sunk[side] + 1)
    back = {s: after.coins[s] - board.coins[s] + sunk[s] for s in Side}
    won = after.result
    return {
        "turn": "over" if won else _LABEL[after.turn],
        "bx": 0 if won else back[X],
        "by": 0 if won else back[Y],
        "q": _queen_word(after),
        "dx": after.owed[X],
        "dy": after.owed[Y],
        "board_over": won is not None,
        "win": _LABEL[won.winner] if won else None,
        "pts": won.points if won else None,
        "dem": won.demandable if won else 0,
        "y_colour": "black",
        "rearrange": False,
        "stroke_counted": words.get("slip") != "stayed",
    }


def _queen_word(after: Board) -> str:
    queen = after.queen
    if queen.covered:
        return "covX" if queen.covered_by(X) else "covY"
    return "await" if queen.awaits(X) or queen.awaits(Y) else "on"


def _told_outcome(told: Decisions, side: Side) -> dict[str, object]:
    outcome: dict[str, object] = {"foul": False, "kind": None, "bq": 0, "due_added": 0}
    added = 0
    centre: list[str] = []
    for decision in told:
        match decision:
            case FoulCalled(technical=technical):
                outcome |= {
                    "foul": True,
                    "kind": "technical_foul" if technical else "foul",
                }
            case QueenReturned():
                outcome["bq"] = 1
                centre.insert(0, "queen")
            case QueenToReturn():
                outcome["bq"] = "at_end_of_turn"
            case DueIncurred(coins=coins) | PenaltyIncurred(coins=coins):
                added += coins
            case DueWaived(coins=coins):
                added -= coins
            case BreakFailed(attempts_left=left):
                outcome["attempts_left"] = left
            case PiecesReplaced(pieces=pieces):
                centre += [_word(piece, side) for piece in pieces]
            case _:
                pass
    return outcome | {"due_added": added, "placed_centre": tuple(centre)}


def _game_outcome(
    before: Situation, after: Board, *, asked_only: bool
) -> dict[str, object]:
    """How the game stands: after the board that ended, or as the state tells it."""
    words, laws, won = before.words, before.laws, after.result
    scores = before.board.scores
    played = number(words, "boards_played", 0)
    if won is not None:
        scores = scores.put(won.winner, scores[won.winner] + won.points)
        played += 1
    round_ = _round(str(words.get("round", "league")))
    stands = Standing.RUNNING
    if won is not None or asked_only:
        stands = standing(laws, round_, played, (scores.white, scores.black))
    leader = X if scores.white > scores.black else Y
    game_over = stands is Standing.WON
    decides = won is not None and won.finish.wins_game
    if won is not None and (decides or board_limit(laws, round_) == 1):
        leader, game_over = won.winner, True
    game = number(words, "game", 1)
    best = max(scores.white, scores.black)
    extra = stands is Standing.LEVEL and laws.tie is Tie.EXTRA_BOARD
    changes = changes_sides_in_game(laws, game, played, best, round_)
    if game_over:
        another = game < laws.games_per_match
        changes = another and laws.side_change is not SideChange.NEVER
    return {
        "game_over": game_over,
        "game_winner": _LABEL[leader] if game_over else None,
        "extra_board": extra,
        "toss": "break_only" if extra else None,
        "change_sides": changes,
    }


_ROUNDS = {
    "group": Round.LEAGUE,
    "round_robin": Round.LEAGUE,
    "prequarter": Round.PRE_QUARTER,
    "pre_quarter_final": Round.PRE_QUARTER,
    "quarter": Round.QUARTER_FINAL,
    "quarterfinal": Round.QUARTER_FINAL,
    "semi": Round.SEMI_FINAL,
    "semifinal": Round.SEMI_FINAL,
}
"""Other words for the stages that cases may use."""


def _round(words: str) -> Round:
    """The stage, however it is spelt. Raises ValueError for no stage."""
    word = words.lower().replace("-", "_").replace(" ", "_").removesuffix("s")
    return _ROUNDS[word] if word in _ROUNDS else Round(word)


def _order_outcome(
    before: Situation, after: Board, told: Decisions
) -> dict[str, object]:
    words = before.words
    doubles = bool(words.get("doubles", False))
    on_turn = seat(words.get("on_turn", "South"))
    kept = after.turn is before.board.turn
    following = on_turn if kept else next_seat(on_turn, doubles=doubles)
    board_number = number(words, "board", number(words, "boards_played", 0) + 1)
    breaker = _breaker(words, number(words, "game", 1), board_number)
    return {
        "next": following.value.capitalize(),
        "seen_from_above": "anticlockwise",
        "breaker": breaker,
        "white": breaker,
        "placed_by": _placed_by(before, told, on_turn if doubles else None),
    }


def _breaker(words: Words, game: int, board_number: int) -> str:
    """Who breaks: a side, or a seat where the case names the first breaker's (49)."""
    first = str(words.get("first_breaker_of_match", "X"))
    if first in _OTHER:
        breaks = breaker_of(game, board_number)
        return first if breaks is Player.FIRST else _OTHER[first]
    if first.lower() not in list(Seat):
        raise Refusal(f"first_breaker_of_match is X, Y or a seat, got {first!r}")
    breaks_from = seat(first)
    for _ in range(game + board_number - 2):
        breaks_from = next_seat(breaks_from, doubles=bool(words.get("doubles", False)))
    return breaks_from.value.capitalize()


def _placed_by(before: Situation, told: Decisions, on_turn: Seat | None) -> str:
    """Who places what comes back; `on_turn` strikes, None in singles.

    A coin the striking side sinks for an opponent who owes is taken out by the
    striking side itself (78b-ii).
    """
    side = before.board.turn
    paid = [decision.side for decision in told if isinstance(decision, DuePaid)]
    to_centre = any(isinstance(d, PiecesReplaced | QueenReturned) for d in told)
    if before.laws.placer is Placer.UMPIRE or (to_centre and not paid):
        return "umpire"
    if paid == [side.opponent]:
        return _LABEL[side] if on_turn is None else on_turn.value.capitalize()
    if on_turn is None:
        return _LABEL[side.opponent]
    return placing_seat(on_turn, doubles=True).value.capitalize()


def _question_outcome(
    before: Situation, words: Words, told: Decisions
) -> dict[str, object]:
    """Answers to single questions: placement, permission, hanging coins."""
    laws, asked = before.laws, before.words
    outcome: dict[str, object] = {
        "placement": placement(asked).value,
        "left_where_it_lies": bool(words.get("via_lamp")),
        "counts_as": None,
        "allowed": True,
    }
    if words.get("hanging_own_coin_falls_later"):
        outcome["counts_as"] = "proper_pocket"
    if asked.get("hand_over_arrow"):
        outcome["allowed"] = laws.hand_over_arrow_allowed
    if words.get("thumb"):
        outcome["allowed"] = laws.thumb_allowed
    if "x_wants_to_waive" in words:
        waived = number(words, "x_wants_to_waive", 0)
        outcome["allowed"] = waived in (0, before.board.owed[Y])
    if any(decision.law in _NOT_ALLOWED for decision in told):
        outcome["allowed"] = False
    if asked.get("queen_uncovered_missed_by_all") and asked.get("next_stroke_made"):
        outcome["q"] = "recorded_covered"
    return outcome


_NOT_ALLOWED = {
    "queen.early",
    "queen.while-owing",
    "queen.striker-nine-up",
    "time.first-stroke",
    "time.stroke",
    "time.turn-lost",
}


def _word(piece: Piece, side: Side) -> str:
    if piece is Piece.QUEEN:
        return "queen"
    return "own" if piece is side.coin else "opp"
