"""Every position of a board meets every stroke, under every rule set.

Run: python bench/all_positions.py [--every N] [--rules NAME]. Positions: coins left of
both sides, queen, coins owed up to two each, scores on both sides of the cut-off,
break and play. Strokes: 0, 1, 2 or all coins of either colour, queen, striker,
proper or not, and the missed break. Each must get exactly one verdict; the ledger
adds up, points stay below the set's most, a won board has one winner, and the
board prints and reads back. --every N looks at every N-th pair only.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from itertools import product

from controller.rules.board import ON_TABLE, Board, BySide, Side, awaiting, covered
from controller.rules.decisions import BoardWon, Decision, TurnKept, TurnPassed
from controller.rules.judge import judge
from controller.rules.laws import Laws
from controller.rules.notation import read_board, write_board
from controller.rules.rule_sets import RULE_SETS, rule_set
from controller.rules.stroke import Stroke

WHITE = Side.WHITE


def positions(laws: Laws) -> Iterator[Board]:
    """Every board with white on turn; the laws know no colours."""
    edge = laws.queen_counts_to or 0
    bands = (edge, edge + 1) if laws.queen_counts_to is not None else (0,)
    fewest = 0 if laws.own_last_before_queen.value == "plays-on" else 1
    queens = (ON_TABLE, awaiting(WHITE), covered(WHITE), covered(WHITE.opponent))
    for white, black in product(range(fewest, 10), repeat=2):
        for queen, mine, his, score in product(
            queens, range(3), range(3), product(bands, repeat=2)
        ):
            if not queen.on_table and 0 in (white, black):
                continue
            for ever in {white < 9, True}:
                yield Board(
                    coins=BySide(white, black),
                    queen=queen,
                    owed=BySide(mine, his),
                    ever_down=BySide(ever, black < 9),
                    scores=BySide(*score),
                    break_attempt=0,
                )
    yield from (Board(break_attempt=attempt) for attempt in (1, 2, 3))


def strokes(board: Board) -> Iterator[Stroke]:
    """Every kind of stroke this board can meet."""
    falls = [sorted({0, 1, 2, n} & set(range(n + 1))) for n in (*_coins(board),)]
    queens = (False, True) if board.queen.on_table else (False,)
    for white, black, queen, striker, proper in product(
        *falls, queens, (False, True), (True, False)
    ):
        yield Stroke(
            white=white, black=black, queen=queen, striker=striker, proper=proper
        )
    if not board.broken:
        for striker, proper in product((False, True), repeat=2):
            yield Stroke(touched=False, striker=striker, proper=proper)


def _coins(board: Board) -> tuple[int, int]:
    return board.coins.white, board.coins.black


def faults(board: Board, told: tuple[Decision, ...], laws: Laws) -> Iterator[str]:
    """What is wrong with a judged board."""
    verdicts = [d for d in told if isinstance(d, TurnKept | TurnPassed | BoardWon)]
    if len(verdicts) != 1:
        yield f"{len(verdicts)} verdicts"
    lying, pocketed = board.ledger
    if min(*lying.values(), *pocketed.values()) < 0:
        yield "the ledger does not add up"
    if board.over != any(isinstance(d, BoardWon) for d in told):
        yield "over without a winner"
    if board.result is not None:
        most = board.result.points + board.result.demandable
        if not 0 <= most <= laws.board_points_max:
            yield f"counts {most} points"
    if read_board(write_board(board)) != board:
        yield "does not read back"


def meet(laws: Laws, every: int) -> tuple[int, list[str]]:
    """How many pairs were judged, and what was wrong."""
    met, wrong, count = 0, list[str](), 0
    for board in positions(laws):
        for stroke in strokes(board):
            count += 1
            if count % every:
                continue
            after, told = judge(board, stroke, laws)
            met += 1
            wrong += [
                f"{laws.name}: {write_board(board)} {stroke}: {fault}"
                for fault in faults(after, told, laws)
            ]
    return met, wrong


def main() -> None:
    """Judge them all and say how many, how long and what was wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--rules")
    wanted = parser.parse_args()
    started, total, wrong = time.process_time(), 0, list[str]()
    chosen = [rule_set(wanted.rules)] if wanted.rules else RULE_SETS.values()
    for laws in chosen:
        if laws.players_collect:
            continue
        met, faulty = meet(laws, wanted.every)
        total += met
        wrong += faulty
    print("\n".join(wrong[:20]))
    spent = time.process_time() - started
    print(f"{total} pairs judged, {len(wrong)} faults, {spent:.0f} s")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
