"""The judge against the simulator's own referee, board after board, to the end.

Run: python bench/against_referee.py [--boards N] [--seed S]. The referee was written
from the laws' decision list alone, by another hand and without a look at the judge.
Random boards are played from the break to their end through both; every stroke's
verdict is compared whole: turn, pieces back, queen, coins owed, winner, points, the
points that may be demanded, and the board that follows.
"""

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from controller.rules.board import Board, BySide, QueenIs, Side
from controller.rules.decisions import Decision, DuePaid, PiecesReturned, TurnPassed
from controller.rules.judge import judge
from controller.rules.notation import write_board, write_stroke
from controller.rules.rule_sets import ICF
from controller.rules.stroke import Stroke
from controller.simulator.referee import Facts, Queen, Ruling, Standing, rule

SCORES = (0, 7, 20, 21, 22, 24)


def standing(board: Board) -> Standing:
    """The board as the referee asks for it: the side on turn is X."""
    side, rival = board.turn, board.turn.opponent
    return Standing(
        x=board.coins[side],
        y=board.coins[rival],
        queen=_queen(board, side),
        due_x=board.owed[side],
        due_y=board.owed[rival],
        score_x=board.scores[side],
        score_y=board.scores[rival],
        ever=board.ever_down[side],
        attempt=board.break_attempt,
    )


def _queen(board: Board, side: Side) -> Queen:
    match board.queen.state:
        case QueenIs.AWAITING_COVER:
            return Queen.AWAIT
        case QueenIs.COVERED:
            mine = board.queen.covered_by(side)
            return Queen.COVERED_X if mine else Queen.COVERED_Y
        case _:
            return Queen.ON


def random_stroke(board: Board, chance: random.Random) -> Stroke:
    """A stroke this board can meet; own coins often, all else now and then."""
    side = board.turn
    own = min(chance.choices((0, 1, 2, 3, 9), (48, 34, 12, 4, 2))[0], board.coins[side])
    other = min(
        chance.choices((0, 1, 2, 9), (80, 15, 4, 1))[0], board.coins[side.opponent]
    )
    stroke = Stroke(
        queen=board.queen.on_table and chance.random() < 0.15,
        striker=chance.random() < 0.12,
        proper=chance.random() >= 0.08,
        white=own if side is Side.WHITE else other,
        black=other if side is Side.WHITE else own,
    )
    if not board.broken and chance.random() < 0.3:
        return Stroke(touched=False, striker=stroke.striker, proper=stroke.proper)
    return stroke


def disagreements(
    board: Board, stroke: Stroke, after: Board, told: tuple[Decision, ...]
) -> Iterator[str]:
    """Where the referee's ruling on a stroke is not what the judge made of it."""
    side = board.turn
    facts = Facts(
        own=stroke.coins(side),
        other=stroke.coins(side.opponent),
        queen=stroke.queen,
        striker=stroke.striker,
        improper=not stroke.proper,
        touched=stroke.touched,
    )
    ruling = rule(standing(board), facts)
    mine, his = _judged(board, after, told), _ruled(ruling)
    if after.result is None:
        seen = replace(after, turn=side)
        mine["after"] = replace(standing(seen), ever=ruling.after.ever)
        his["after"] = ruling.after
        if after.ever_down[side] != ruling.after.ever:
            yield f"ever: {after.ever_down[side]}, referee {ruling.after.ever}"
    for key in mine:
        if mine[key] != his[key]:
            yield f"{key}: {mine[key]}, referee {his[key]}"


def _judged(
    board: Board, after: Board, told: tuple[Decision, ...]
) -> dict[str, object]:
    side, won = board.turn, after.result
    if won is not None:
        return {
            "winner": won.winner is side,
            "points": won.points,
            "queen points": won.queen_points,
            "demandable": won.demandable,
        }
    back = BySide(0, 0)
    queen_back = False
    for decision in told:
        match decision:
            case PiecesReturned(white=white, black=black, queen=queen):
                back = BySide(back.white + white, back.black + black)
                queen_back = queen_back or bool(queen)
            case DuePaid(side=payer, coins=coins):
                back = back.put(payer, back[payer] + coins)
            case _:
                pass
    return {
        "passes": any(isinstance(d, TurnPassed) for d in told),
        "back": (back[side], back[side.opponent], queen_back),
    }


def _ruled(ruling: Ruling) -> dict[str, object]:
    if ruling.winner_x is not None:
        return {
            "winner": ruling.winner_x,
            "points": ruling.points,
            "queen points": ruling.queen_points,
            "demandable": ruling.demandable,
            "passes": None,
            "back": None,
        }
    return {
        "passes": ruling.turn_passes,
        "back": (ruling.back_x, ruling.back_y, ruling.queen_back),
        "winner": None,
        "points": None,
        "queen points": None,
        "demandable": None,
    }


def play_board(chance: random.Random, laws_met: Counter[str]) -> tuple[int, list[str]]:
    """Play one board to its end: strokes played, and every disagreement."""
    scores = BySide(chance.choice(SCORES), chance.choice(SCORES))
    board, strokes, wrong = Board(scores=scores), 0, list[str]()
    while not board.over:
        stroke = random_stroke(board, chance)
        after, told = judge(board, stroke, ICF)
        strokes += 1
        laws_met.update(decision.law for decision in told)
        wrong += [
            f"{write_board(board)} | {write_stroke(stroke)} | {text}"
            for text in disagreements(board, stroke, after, told)
        ]
        board = after
    return strokes, wrong


def main() -> None:
    """Play the boards and say how many strokes came out alike."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boards", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    chance, met = random.Random(wanted.seed), Counter[str]()
    started, strokes, wrong = time.process_time(), 0, list[str]()
    for _ in range(wanted.boards):
        played, disagreed = play_board(chance, met)
        strokes += played
        wrong += disagreed
    print("\n".join(wrong[:20]))
    spent = time.process_time() - started
    print(
        f"{wanted.boards} boards, {strokes} strokes, {len(met)} laws met, "
        f"{len(wrong)} disagreements, {spent:.0f} s"
    )
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
